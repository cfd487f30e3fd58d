#include "platform/board/config.h"

#include <fmt/format.h>

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <sstream>

namespace castor::board {
namespace {

enum class Kind { number, bytes, text, flag, masks };

/// A row, and where its value goes.
struct Row {
  ConfigKey key;
  Kind kind;
  std::string_view member;
  void (*set_number)(MachineSpec&, std::int64_t);
  void (*set_text)(MachineSpec&, const std::string&);
  void (*add_mask)(MachineSpec&, std::int64_t);
};

template <class Member>
void assign(Member& member, std::int64_t value) {
  if constexpr (std::is_integral_v<Member>) member = static_cast<Member>(value);
}
template <class Member>
void assign_text(Member& member, const std::string& value) {
  if constexpr (std::is_same_v<Member, std::string>) member = value;
}
template <class Member>
void append(Member& member, std::int64_t value) {
  if constexpr (std::is_same_v<Member, std::vector<std::uint64_t>>) member.push_back(static_cast<std::uint64_t>(value));
}

const std::vector<Row>& rows() {
  static const std::vector<Row> all{
#define KEY(table, key, kind, member, least, most, doc)                                     \
  Row{{table, key, #kind, least, most, doc},                                                \
      Kind::kind,                                                                           \
      #member,                                                                              \
      [](MachineSpec& spec, std::int64_t value) { assign(spec.member, value); },            \
      [](MachineSpec& spec, const std::string& value) { assign_text(spec.member, value); }, \
      [](MachineSpec& spec, std::int64_t value) { append(spec.member, value); }},
#include "platform/board/config_keys.inc"
#undef KEY
  };
  return all;
}

std::string listing(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, ", ")); }

std::vector<std::string> keys_of(std::string_view table) {
  std::vector<std::string> keys;
  for (const Row& row : rows())
    if (row.key.table == table) keys.emplace_back(row.key.key);
  return keys;
}

std::vector<std::string> tables() {
  std::vector<std::string> names;
  for (const Row& row : rows())
    if (!row.key.table.empty() && (names.empty() || names.back() != row.key.table)) names.emplace_back(row.key.table);
  return names;
}

const Row* find_row(std::string_view table, std::string_view key) {
  const auto found =
      std::ranges::find_if(rows(), [&](const Row& row) { return row.key.table == table && row.key.key == key; });
  return found == rows().end() ? nullptr : &*found;
}

/// "8 GiB", "512KiB", "4096": nothing if it is none of these.
std::optional<std::int64_t> parse_bytes(std::string_view text) {
  std::int64_t count = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{} || count < 0) return {};
  std::string_view unit(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  static constexpr std::string_view kUnits[] = {"", "KiB", "MiB", "GiB", "TiB"};
  const auto found = std::ranges::find(kUnits, unit);
  if (found == std::end(kUnits)) return {};
  const auto shift = static_cast<unsigned>(10 * (found - kUnits));
  if (count > std::numeric_limits<std::int64_t>::max() >> shift) return {};
  return count << shift;
}

std::string size_text(std::int64_t bytes) {
  static constexpr std::pair<int, const char*> kUnits[] = {{40, "TiB"}, {30, "GiB"}, {20, "MiB"}, {10, "KiB"}};
  for (const auto& [shift, unit] : kUnits) {
    if (bytes != 0 && bytes % (std::int64_t{1} << shift) == 0) return fmt::format("{} {}", bytes >> shift, unit);
  }
  return fmt::format("{} bytes", bytes);
}

/// What a key takes, in words.
std::string allowed(const Row& row) {
  const auto& key = row.key;
  const bool open = key.most == INT64_MAX;
  switch (row.kind) {
    case Kind::number:
      return open ? fmt::format("a whole number of at least {}", key.least)
                  : fmt::format("a whole number from {} to {}", key.least, key.most);
    case Kind::bytes:
      return fmt::format("a size from {} to {}, as a number of bytes or as text like \"64 MiB\"", size_text(key.least),
                         size_text(key.most));
    case Kind::text: return fmt::format("text of {} to {} characters", key.least, key.most);
    case Kind::flag: return "true or false";
    case Kind::masks: return "an array of whole numbers, one for each die";
  }
  return {};
}

class Reader {
 public:
  explicit Reader(std::string file) : file_(std::move(file)) {}

  Status read(const toml::table& top) {
    for (auto&& [key, node] : top) {
      if (const toml::table* table = node.as_table()) {
        if (Status status = read_table(key.str(), key.source(), *table); !status.ok()) return status;
      } else if (Status status = read_key("", key, node); !status.ok()) {
        return status;
      }
    }
    return {};
  }

  /// What a check of the whole found, put where the key stands whose field the message begins with.
  Status place(const Status& found) const {
    const std::string_view message = found.message();
    const std::string_view field = message.substr(0, message.find(' '));
    for (const Row& row : rows()) {
      if (field != row.member.substr(row.member.rfind('.') + 1)) continue;
      const auto line = lines_.find(&row);
      const std::string where = line == lines_.end() ? file_ : fmt::format("{}:{}", file_, line->second);
      return {found.code(), fmt::format("{}: {}.{}: {}", where, row.key.table, row.key.key, message)};
    }
    return {found.code(), fmt::format("{}: {}", file_, message)};
  }

  MachineSpec spec;

 private:
  Status error(const toml::source_region& where, std::string_view table, std::string_view key,
               const std::string& text) {
    const std::string name = table.empty() ? std::string(key) : fmt::format("{}.{}", table, key);
    return {StatusCode::invalid_value, fmt::format("{}:{}: {}: {}", file_, where.begin.line, name, text)};
  }

  Status read_table(std::string_view name, const toml::source_region& where, const toml::table& table) {
    const auto known = tables();
    if (std::ranges::find(known, name) == known.end())
      return error(where, "", name, fmt::format("no such table; there are: {}", listing(known)));
    for (auto&& [key, node] : table)
      if (Status status = read_key(name, key, node); !status.ok()) return status;
    return {};
  }

  Status read_key(std::string_view table, const toml::key& key, const toml::node& node) {
    const Row* row = find_row(table, key.str());
    if (row == nullptr) {
      std::string known = listing(keys_of(table));
      if (table.empty()) known += fmt::format("; and the tables {}", listing(tables()));
      return error(key.source(), table, key.str(), fmt::format("no such key; there are: {}", known));
    }
    lines_[row] = key.source().begin.line;
    if (assign(*row, node)) return {};
    std::ostringstream found;
    node.visit([&](auto&& value) { found << value; });
    return error(key.source(), table, key.str(),
                 fmt::format("cannot be {}; it must be {}", found.str(), allowed(*row)));
  }

  bool assign(const Row& row, const toml::node& node) {
    switch (row.kind) {
      case Kind::number: return assign_number(row, node.value_exact<std::int64_t>());
      case Kind::bytes:
        if (const auto text = node.value_exact<std::string>()) return assign_number(row, parse_bytes(*text));
        return assign_number(row, node.value_exact<std::int64_t>());
      case Kind::text: {
        const auto text = node.value_exact<std::string>();
        if (!text || static_cast<std::int64_t>(text->size()) < row.key.least ||
            static_cast<std::int64_t>(text->size()) > row.key.most)
          return false;
        row.set_text(spec, *text);
        return true;
      }
      case Kind::flag: {
        const auto flag = node.value_exact<bool>();
        if (flag) row.set_number(spec, *flag);
        return flag.has_value();
      }
      case Kind::masks: return assign_masks(row, node);
    }
    return false;
  }

  bool assign_number(const Row& row, std::optional<std::int64_t> value) {
    if (!value || *value < row.key.least || *value > row.key.most) return false;
    row.set_number(spec, *value);
    return true;
  }

  bool assign_masks(const Row& row, const toml::node& node) {
    const toml::array* array = node.as_array();
    if (array == nullptr) return false;
    for (const toml::node& element : *array) {
      const auto mask = element.value_exact<std::int64_t>();
      if (!mask || *mask < 0) return false;
      row.add_mask(spec, *mask);
    }
    return true;
  }

  std::string file_;
  std::map<const Row*, unsigned> lines_;
};

}  // namespace

Status MachineSpec::check() const {
  if (link.lanes == 0 || link.lanes > 16 || (link.lanes & (link.lanes - 1)) != 0)
    return {StatusCode::invalid_value, fmt::format("lanes is {}; it must be 1, 2, 4, 8 or 16", link.lanes)};
  return package.check();
}

Result<MachineSpec> parse_config(std::string_view text, const std::string& file) {
  const toml::parse_result parsed = toml::parse(text, file);
  if (!parsed) {
    const toml::parse_error& failure = parsed.error();
    return Status{StatusCode::invalid_value,
                  fmt::format("{}:{}: not TOML: {}", file, failure.source().begin.line, failure.description())};
  }
  Reader reader(file);
  reader.spec.name = std::filesystem::path(file).stem();
  if (Status status = reader.read(parsed.table()); !status.ok()) return status;
  if (const Status status = reader.spec.check(); !status.ok()) return reader.place(status);
  return std::move(reader.spec);
}

Result<MachineSpec> load_config(const std::string& path) {
  std::ifstream stream(path);
  if (!stream) return Status{StatusCode::not_found, fmt::format("{}: cannot read the machine configuration", path)};
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (stream.bad()) return Status{StatusCode::io_error, fmt::format("{}: reading fails", path)};
  return parse_config(text, path);
}

Result<std::string> find_config(const std::string& name_or_path, const std::string& folder) {
  std::error_code error;
  if (std::filesystem::is_regular_file(name_or_path, error)) return name_or_path;
  const bool is_name = name_or_path.find('/') == std::string::npos;
  const std::string shipped = folder + "/" + name_or_path + ".toml";
  if (is_name && std::filesystem::is_regular_file(shipped, error)) return shipped;
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem());
  std::ranges::sort(names);
  return Status{StatusCode::not_found, fmt::format("no machine configuration '{}': give a TOML file, or one of {} ({})",
                                                   name_or_path, listing(names), folder)};
}

const std::vector<ConfigKey>& config_keys() {
  static const std::vector<ConfigKey> keys = [] {
    std::vector<ConfigKey> all;
    for (const Row& row : rows()) all.push_back(row.key);
    return all;
  }();
  return keys;
}

}  // namespace castor::board
