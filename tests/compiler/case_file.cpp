#include "tests/compiler/case_file.h"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

namespace castor::compiler::test {
namespace {

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> list;
  for (std::string word; stream >> word;) list.push_back(word);
  return list;
}

void parse_dimensions(const std::string& text, std::uint32_t (&dimensions)[3]) {
  std::istringstream stream(text);
  std::string part;
  for (int i = 0; i < 3 && std::getline(stream, part, 'x'); ++i) dimensions[i] = std::strtoul(part.c_str(), nullptr, 0);
}

Launch parse_launch(const std::string& name, const std::string& text) {
  const auto head = words(name);
  Launch launch;
  launch.kernel = head.at(0);
  parse_dimensions(head.at(1), launch.grid);
  parse_dimensions(head.at(2), launch.block);
  if (head.size() > 3) launch.dynamic = std::strtoul(head[3].c_str(), nullptr, 0);
  launch.arguments = words(text);
  return launch;
}

void append(Values& values, const std::string& word) {
  values.numbers.push_back(std::strtod(word.c_str(), nullptr));
  const bool negative = word.starts_with("-");
  values.integers.push_back(negative ? std::strtoll(word.c_str(), nullptr, 0)
                                     : static_cast<std::int64_t>(std::strtoull(word.c_str(), nullptr, 0)));
}

template <class T, class Source>
void put(std::vector<std::uint8_t>& bytes, Source source) {
  const T value = static_cast<T>(source);
  const auto* first = reinterpret_cast<const std::uint8_t*>(&value);
  bytes.insert(bytes.end(), first, first + sizeof value);
}

/// "kind NAME: text" or "kind: text".
void take_line(CaseFile& file, const std::string& line) {
  const auto colon = line.find(": ");
  const std::string head = line.substr(0, colon), text = colon == std::string::npos ? "" : line.substr(colon + 2);
  const auto space = head.find(' ');
  const std::string kind = head.substr(0, space), name = space == std::string::npos ? "" : head.substr(space + 1);
  if (kind == "options")
    file.options = words(text);
  else if (kind == "error")
    file.errors.push_back(text);
  else if (kind == "check" || kind == "check-not")
    file.checks.push_back({kind, text});
  else if (kind == "descriptor")
    file.descriptors.push_back({name, text});
  else if (kind == "params")
    file.params.push_back({name, text});
  else if (kind == "buffer")
    file.buffers.push_back({name, parse_values(text)});
  else if (kind == "expect")
    file.expected.push_back({name, parse_values(text)});
  else if (kind == "launch")
    file.launches.push_back(parse_launch(name, text));
  else if (kind == "fault")
    file.fault = text;
  else if (kind == "simd")
    file.simd_percent = std::strtod(text.c_str(), nullptr);
  else if (kind != "about")
    file.mistakes.push_back(line);
}

}  // namespace

Values parse_values(const std::string& text) {
  const auto list = words(text);
  Values values;
  values.type = list.at(0);
  if (list.size() > 1 && (list[1] == "zero" || list[1] == "iota")) {
    const auto count = std::strtoul(list.at(2).c_str(), nullptr, 0);
    const bool iota = list[1] == "iota";
    const double first = list.size() > 3 ? std::strtod(list[3].c_str(), nullptr) : 0;
    const double step = list.size() > 4 ? std::strtod(list[4].c_str(), nullptr) : 1;
    for (std::size_t i = 0; i < count; ++i) {
      values.numbers.push_back(iota ? first + step * static_cast<double>(i) : 0);
      values.integers.push_back(static_cast<std::int64_t>(values.numbers.back()));
    }
    return values;
  }
  for (std::size_t i = 1; i < list.size(); ++i) append(values, list[i]);
  return values;
}

std::size_t Values::element_bytes() const {
  if (type == "u8") return 1;
  return type == "i64" || type == "u64" || type == "f64" ? 8 : 4;
}

std::vector<std::uint8_t> Values::bytes() const {
  std::vector<std::uint8_t> result;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (type == "f32")
      put<float>(result, numbers[i]);
    else if (type == "f64")
      put<double>(result, numbers[i]);
    else if (type == "u8")
      put<std::uint8_t>(result, integers[i]);
    else if (element_bytes() == 8)
      put<std::int64_t>(result, integers[i]);
    else
      put<std::int32_t>(result, integers[i]);
  }
  return result;
}

CaseFile read_case(const std::string& path) {
  CaseFile file;
  file.path = path;
  std::ifstream stream(path);
  for (std::string line; std::getline(stream, line) && line.starts_with("//");)
    if (line.size() > 3) take_line(file, line.substr(3));
  return file;
}

}  // namespace castor::compiler::test
