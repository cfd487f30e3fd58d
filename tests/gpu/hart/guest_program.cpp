#include "tests/gpu/hart/guest_program.h"

#include <elf.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "gpu/hart/hart.h"
#include "gpu/isa/assembler.h"
#include "platform/core/check.h"

namespace castor::hart::testing {
namespace {

constexpr std::uint64_t kCode = 0x1000'0000, kData = 0x2000'0000, kResults = 0x3000'0000;
constexpr std::uint64_t kScratchBytes = 64;  // at kData, before the tables

void assemble_into(std::vector<std::uint32_t>& code, const std::string& line) {
  const auto word = isa::assemble(line);
  CHECK(word.ok(), word.status().message().c_str());
  code.push_back(word.value());
}

/// lui and addi; the second sign-extends, so the first rounds.
void load_address_into(std::vector<std::uint32_t>& code, const char* reg, std::uint64_t address) {
  const std::uint64_t high = (address + 0x800) >> 12;
  assemble_into(code, fmt::format("lui {}, {:#x}", reg, high));
  assemble_into(code, fmt::format("addi {}, {}, {}", reg, reg, static_cast<std::int64_t>(address - (high << 12))));
}

/// A bus with nothing on it.
class EmptyBus : public Bus {
 public:
  Status read(BusAddr, std::span<std::byte>) override { return {StatusCode::not_found, "nothing there"}; }
  Status write(BusAddr, std::span<const std::byte>) override { return {StatusCode::not_found, "nothing there"}; }
};

template <class T>
void append(std::vector<std::byte>& out, const T& value) {
  const auto bytes = std::as_bytes(std::span(&value, 1));
  out.insert(out.end(), bytes.begin(), bytes.end());
}

}  // namespace

GuestProgram::GuestProgram() {
  load_address("s1", kResults);
  load_address("s3", kData);
  emit("addi s4, zero, 1");
}

void GuestProgram::emit(const std::string& line) { assemble_into(code_, line); }
void GuestProgram::load_address(const char* reg, std::uint64_t address) { load_address_into(code_, reg, address); }

std::size_t GuestProgram::add_table(Operands operands) {
  table_starts_.push_back(tables_.empty() ? 0 : table_starts_.back() + tables_.back().size());
  tables_.push_back(std::move(operands));
  return tables_.size() - 1;
}

std::uint64_t GuestProgram::table_address(std::size_t table) const {
  return kData + kScratchBytes + table_starts_[table] * sizeof(Triple);
}

void GuestProgram::add_case(std::size_t table, std::string_view result, std::vector<std::string> body) {
  cases_.push_back({body, std::string(result), table, outcomes_});
  outcomes_ += tables_[table].size();
  load_address("s0", table_address(table));
  load_address("s2", table_address(table) + tables_[table].size() * sizeof(Triple));
  const std::size_t loop = code_.size();
  for (int i = 1; i <= 3; ++i) {
    emit(fmt::format("ld a{}, {}(s0)", i, 8 * (i - 1)));
    emit(fmt::format("fmv.d.x fa{}, a{}", i, i));
  }
  emit("addi a0, a1, 0");
  emit("csrrwi zero, fflags, 0");
  for (const std::string& line : body) emit(line);
  emit("csrrs t0, fflags, zero");
  emit(fmt::format("{} {}, 0(s1)", result.starts_with('f') ? "fsd" : "sd", result));
  emit("sd t0, 8(s1)");
  emit(fmt::format("addi s0, s0, {}", sizeof(Triple)));
  emit(fmt::format("addi s1, s1, {}", sizeof(Outcome)));
  emit(fmt::format("bne s0, s2, {}", -4 * static_cast<std::int64_t>(code_.size() - loop)));
}

/// With the end: write(1, results) until all is written, then exit(0). Our hart stops at the first ecall.
std::vector<std::uint32_t> GuestProgram::whole_code() const {
  std::vector<std::uint32_t> code = code_;
  load_address_into(code, "a1", kResults);
  load_address_into(code, "s2", kResults + outcomes_ * sizeof(Outcome));
  for (const char* line : {"addi a0, zero, 1", "sub a2, s2, a1", "addi a7, zero, 64", "ecall", "add a1, a1, a0",
                           "bne a1, s2, -20", "addi a0, zero, 0", "addi a7, zero, 93", "ecall"}) {
    assemble_into(code, line);
  }
  return code;
}

std::vector<std::byte> GuestProgram::data() const {
  std::vector<std::byte> data(kScratchBytes);
  for (const Operands& table : tables_) {
    for (const Triple& row : table) append(data, row);
  }
  return data;
}

std::vector<std::byte> GuestProgram::executable() const {
  const auto code = whole_code();
  const auto tables = data();
  constexpr std::uint64_t kPage = 4096;
  const std::uint64_t code_bytes = code.size() * 4, code_at = kPage;
  const std::uint64_t data_at = (code_at + code_bytes + kPage - 1) / kPage * kPage;
  std::vector<std::byte> image;
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_EXEC;
  header.e_machine = EM_RISCV;
  header.e_version = EV_CURRENT;
  header.e_entry = kCode;
  header.e_phoff = sizeof header;
  header.e_flags = 4;  // double-float ABI
  header.e_ehsize = sizeof header;
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = 3;
  append(image, header);
  append(image, Elf64_Phdr{PT_LOAD, PF_R | PF_X, code_at, kCode, kCode, code_bytes, code_bytes, kPage});
  append(image, Elf64_Phdr{PT_LOAD, PF_R | PF_W, data_at, kData, kData, tables.size(), tables.size(), kPage});
  append(image, Elf64_Phdr{PT_LOAD, PF_R | PF_W, 0, kResults, kResults, 0, outcomes_ * sizeof(Outcome), kPage});
  image.resize(code_at);
  for (std::uint32_t word : code) append(image, word);
  image.resize(data_at);
  image.insert(image.end(), tables.begin(), tables.end());
  return image;
}

std::vector<Outcome> GuestProgram::run_on_qemu(const std::string& cpu) const {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / fmt::format("castor_lockstep_{}", ::getpid());
  fs::create_directories(folder);
  const auto image = executable();
  std::ofstream(folder / "program", std::ios::binary)
      .write(reinterpret_cast<const char*>(image.data()), static_cast<std::streamsize>(image.size()));
  ::chmod((folder / "program").c_str(), 0755);
  const std::string command =
      fmt::format("{} -cpu {} {}/program > {}/results", CASTOR_QEMU, cpu, folder.string(), folder.string());
  std::vector<Outcome> outcomes;
  if (std::system(command.c_str()) == 0) {
    outcomes.resize(outcomes_);
    std::ifstream in(folder / "results", std::ios::binary);
    in.read(reinterpret_cast<char*>(outcomes.data()), static_cast<std::streamsize>(outcomes_ * sizeof(Outcome)));
    if (static_cast<std::size_t>(in.gcount()) != outcomes_ * sizeof(Outcome)) outcomes.clear();
  }
  fs::remove_all(folder);
  return outcomes;
}

std::vector<Outcome> GuestProgram::run_on_hart() const {
  EmptyBus bus;
  Hart hart({}, bus);
  auto code = whole_code();
  auto tables = data();
  std::vector<Outcome> outcomes(outcomes_);
  const auto code_end = kCode + code.size() * 4;
  code.push_back(isa::assemble("wfi").value());  // the trap handler
  hart.add_ram(BusAddr{kCode}, std::as_writable_bytes(std::span(code)), false);
  hart.add_ram(BusAddr{kData}, std::as_writable_bytes(std::span(tables)));
  hart.add_ram(BusAddr{kResults}, std::as_writable_bytes(std::span(outcomes)));
  hart.reset(kCode);
  hart.state().mstatus = 3 << 13;  // floating point on
  hart.state().mtvec = code_end;
  const StopReason reason = hart.run(~std::uint64_t{0});
  const bool finished = reason == StopReason::wfi && hart.state().mcause == static_cast<std::uint64_t>(Trap::ecall_m);
  return finished ? outcomes : std::vector<Outcome>{};
}

GuestProgram::Difference GuestProgram::compare(std::span<const Outcome> ours, std::span<const Outcome> theirs) const {
  Difference difference;
  for (const Case& test : cases_) {
    std::size_t shown = 0;
    for (std::size_t i = 0; i < tables_[test.table].size(); ++i) {
      const Outcome &our = ours[test.first + i], &their = theirs[test.first + i];
      if (our == their) continue;
      ++difference.count;
      if (++shown > 3 || difference.text.size() > 4000) continue;
      const Triple& row = tables_[test.table][i];
      difference.text += fmt::format("{} of {:#x}, {:#x}, {:#x}: {:#x} flags {:#x}, expected {:#x} flags {:#x}\n",
                                     fmt::join(test.body, "; "), row[0], row[1], row[2], our.value, our.flags,
                                     their.value, their.flags);
    }
  }
  return difference;
}

}  // namespace castor::hart::testing
