#include "tests/gpu/sm/program.h"

#include <unistd.h>

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "gpu/isa/assembler.h"
#include "gpu/isa/csr.h"
#include "platform/core/check.h"

namespace castor::sm::test {

namespace {

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

std::vector<std::string> words(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> result;
  for (std::string word; in >> word;) result.push_back(word);
  return result;
}

/// "7*3" -> 7 7 7, "0..3" -> 0 1 2 3, anything else itself.
void expand(const std::string& text, std::vector<std::string>& out) {
  if (const auto star = text.find('*'); star != std::string::npos) {
    const unsigned long times = std::stoul(text.substr(star + 1));
    out.insert(out.end(), times, text.substr(0, star));
  } else if (const auto dots = text.find(".."); dots != std::string::npos) {
    const long from = std::stol(text.substr(0, dots)), to = std::stol(text.substr(dots + 2));
    for (long v = from; from <= to ? v <= to : v >= to; v += from <= to ? 1 : -1) out.push_back(std::to_string(v));
  } else {
    out.push_back(text);
  }
}

Values parse_values(const std::vector<std::string>& w) {
  Values v;
  v.kind = w.at(1);
  for (std::size_t i = 2; i < w.size(); ++i) {
    if (w[i][0] == '@') {
      v.index = std::stoull(w[i].substr(1), nullptr, 0);
    } else {
      expand(w[i], v.values);
    }
  }
  return v;
}

Dim3 parse_dim(const std::vector<std::string>& w) {
  const auto at = [&](std::size_t i) { return w.size() > i ? static_cast<std::uint32_t>(std::stoul(w[i])) : 1u; };
  return {at(1), at(2), at(3)};
}

void directive(Program& p, const std::vector<std::string>& w) {
  const auto number = [&](std::size_t i) {
    return w.size() > i ? static_cast<std::uint32_t>(std::stoul(w[i], nullptr, 0)) : 0u;
  };
  if (w[0] == "block")
    p.launch.block = parse_dim(w);
  else if (w[0] == "grid")
    p.launch.grid = parse_dim(w);
  else if (w[0] == "shared")
    p.launch.shared_static = number(1), p.launch.shared_dynamic = number(2);
  else if (w[0] == "local")
    p.launch.local_bytes = number(1);
  else if (w[0] == "in")
    p.in.push_back(parse_values(w));
  else if (w[0] == "out")
    p.out.push_back(parse_values(w));
  else if (w[0] == "schedule")
    p.default_schedule_only = true;
  else if (w[0] == "fault") {
    ExpectedFault f{w.at(1), {}};
    for (std::size_t i = 2; i < w.size(); ++i) f.keys[w[i].substr(0, w[i].find('='))] = w[i].substr(w[i].find('=') + 1);
    p.faults.push_back(f);
  } else {
    std::fprintf(stderr, "%s: unknown directive %s\n", p.name.c_str(), w[0].c_str());
    CHECK(false, "unknown directive in a test program");
  }
}

/// Xcastor mnemonics to words, Xcastor CSR names to numbers.
std::string translate_line(const std::string& line) {
  const std::string code = line.substr(0, line.find('#'));
  const auto castor = code.find("castor.");
  if (castor != std::string::npos) {
    const auto word = isa::assemble(code.substr(castor));
    if (!word.ok()) std::fprintf(stderr, "%s: %s\n", line.c_str(), word.status().message().c_str());
    CHECK(word.ok(), "test program with a wrong Xcastor instruction");
    return code.substr(0, castor) + ".word " + std::to_string(*word);
  }
  std::string result = code;
  if (code.find("csr") != std::string::npos) {
    for (const isa::CsrDef& csr : isa::kCsrs) {
      const auto at = result.find(std::string(", ") + std::string(csr.name));
      if (at == std::string::npos || csr.number < 0xcc0 || csr.number > 0xcff) continue;
      const auto end = at + 2 + csr.name.size();
      if (end < result.size() && (std::isalnum(result[end]) != 0 || result[end] == '.' || result[end] == '_')) continue;
      result.replace(at + 2, csr.name.size(), std::to_string(csr.number));
      break;
    }
  }
  return result;
}

std::string shell(const std::string& command) {
  std::string output;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  CHECK(pipe != nullptr, "no pipe");
  char buffer[512];
  while (std::fgets(buffer, sizeof buffer, pipe) != nullptr) output += buffer;
  const int status = pclose(pipe);
  if (status != 0) std::fprintf(stderr, "%s\n%s\n", command.c_str(), output.c_str());
  CHECK(status == 0, "a test program does not assemble");
  return output;
}

}  // namespace

std::vector<std::uint8_t> assemble_text(const std::string& text, std::map<std::string, std::uint64_t>& symbols) {
  std::string source;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) source += translate_line(line) + "\n";

  char folder[] = "/tmp/castor-sm-XXXXXX";
  CHECK(mkdtemp(folder) != nullptr, "no temporary folder");
  const std::string base = folder;
  std::ofstream(base + "/p.s") << source;
  shell("clang-19 --target=riscv64 -march=rv64imafd_zicsr_zba_zbb_zbs_zicond_zfh_zfa -mno-relax -c " + base +
        "/p.s -o " + base + "/p.o");
  shell("ld.lld-19 --no-relax -Ttext=0x10000 -e 0x10000 " + base + "/p.o -o " + base + "/p.elf");
  shell("llvm-objcopy-19 -O binary " + base + "/p.elf " + base + "/p.bin");
  std::istringstream table(shell("llvm-nm-19 " + base + "/p.elf"));
  for (std::string line; std::getline(table, line);) {
    const auto w = words(line);
    if (w.size() == 3) symbols[w[2]] = std::stoull(w[0], nullptr, 16);
  }
  const std::string binary = read_file(base + "/p.bin");
  std::filesystem::remove_all(base);
  return {binary.begin(), binary.end()};
}

Program load_program(const std::string& path) {
  Program p;
  p.name = std::filesystem::path(path).stem().string();
  p.launch.block = {32, 1, 1};
  p.launch.local_bytes = 1024;
  const std::string text = read_file(path);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("#:", 0) == 0) directive(p, words(line.substr(2)));
  }
  p.code = assemble_text(text, p.symbols);
  return p;
}

unsigned element_bytes(const std::string& kind) { return static_cast<unsigned>(std::stoul(kind.substr(1))) / 8; }

std::uint64_t value_bits(const std::string& kind, const std::string& value) {
  if (kind == "f32") return std::bit_cast<std::uint32_t>(std::strtof(value.c_str(), nullptr));
  if (kind == "f64") return std::bit_cast<std::uint64_t>(std::strtod(value.c_str(), nullptr));
  const std::uint64_t bits =
      value[0] == '-' ? static_cast<std::uint64_t>(std::stoll(value, nullptr, 0)) : std::stoull(value, nullptr, 0);
  return kind == "u32" ? bits & 0xffff'ffffu : kind == "u8" ? bits & 0xff : bits;
}

void prepare(const Program& program, FlatMemory& memory) {
  std::memcpy(memory.map(kCode, std::max<std::size_t>(program.code.size(), 4), "rx"), program.code.data(),
              program.code.size());
  memory.map(kOut, kBufferBytes, "rwa");
  memory.map(kIn, kBufferBytes, "rwa");
  memory.map(kParams, 4096, "r");
  memory.map(kReadOnly, 4096, "r");
  memory.put<std::uint64_t>(kParams, kOut);
  memory.put<std::uint64_t>(kParams + 8, kIn);
  for (const Values& v : program.in) {
    const unsigned bytes = element_bytes(v.kind);
    for (std::size_t i = 0; i < v.values.size(); ++i) {
      const std::uint64_t bits = value_bits(v.kind, v.values[i]);
      std::memcpy(memory.at(kIn + (v.index + i) * bytes), &bits, bytes);
    }
  }
}

Outcome run_grid(Sm& sm, const Program& program, FlatMemory& memory) {
  constexpr std::uint64_t kTurn = 100'000, kLimit = 50'000'000;
  Outcome outcome;
  std::uint64_t next = 0, finished = 0, issued = 0;
  const std::uint64_t total = program.launch.grid.volume();
  while (finished < total && outcome.faults.empty()) {
    CtaLaunch cta = program.launch;
    cta.context = 1;
    cta.memory = &memory;
    cta.entry = VirtAddr{kCode};
    cta.params = VirtAddr{kParams};
    cta.kernel = VirtAddr{kCode - 64};
    for (; next < total; ++next) {
      cta.cookie = next;
      cta.index = {static_cast<std::uint32_t>(next % cta.grid.x),
                   static_cast<std::uint32_t>(next / cta.grid.x % cta.grid.y),
                   static_cast<std::uint32_t>(next / cta.grid.x / cta.grid.y)};
      if (!sm.can_accept(cta)) break;
      CHECK(sm.launch(cta).ok(), "an SM that accepts a CTA launches it");
    }
    const RunReport report = sm.run(kTurn);
    finished += report.finished.size();
    issued += report.issued;
    if (report.fault) outcome.faults.push_back(*report.fault);
    if (issued > kLimit || (report.idle && !report.fault)) {
      outcome.stuck = true;
      break;
    }
  }
  return outcome;
}

}  // namespace castor::sm::test
