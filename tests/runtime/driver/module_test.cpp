// Modules and fat binaries taken apart: right ones exactly, damaged ones with an error and never a crash.
#include <random>

#include "runtime/driver/fatbin.h"
#include "runtime/driver/module_image.h"
#include "runtime/hal/access.h"
#include "tests/runtime/driver/elf_builder.h"

#include "tests/support/catch.h"

using namespace castor;
using namespace castor::driver;
using castor::test::handmade_module;
using castor::test::HandmadeModule;

namespace {

std::vector<std::byte> fatbin(std::initializer_list<castor_fatbin_entry> entries) {
  std::vector<std::byte> out(sizeof(castor_fatbin_header));
  for (castor_fatbin_entry entry : entries) {
    const std::size_t at = out.size();
    entry.version = 1;
    entry.header_size = sizeof entry;
    out.resize((at + sizeof entry + entry.size + 7) & ~std::size_t{7});
    std::memcpy(out.data() + at, &entry, sizeof entry);
    for (std::size_t i = 0; i < entry.size; ++i)
      out[at + sizeof entry + i] = static_cast<std::byte>(entry.arch + entry.kind);
  }
  const castor_fatbin_header header{CASTOR_FATBIN_MAGIC, 1, sizeof header, out.size() - sizeof header};
  std::memcpy(out.data(), &header, sizeof header);
  return out;
}

castor_fatbin_entry entry(castor_fatbin_kind kind, std::uint32_t arch, std::uint64_t size) {
  castor_fatbin_entry out{};
  out.kind = static_cast<std::uint16_t>(kind);
  out.arch = arch;
  out.size = size;
  return out;
}

}  // namespace

TEST_CASE("a module is taken apart") {
  const HandmadeModule module = handmade_module();
  auto image = parse_module(module.file());
  REQUIRE(image.ok());
  CHECK(image->bytes == 0x4000);
  REQUIRE(image->segments.size() == 3);
  CHECK(image->segments[0].access == hal::kRead);
  CHECK(image->segments[1].access == (hal::kRead | hal::kExecute));
  CHECK(image->segments[2].access == (hal::kRead | hal::kWrite | hal::kAtomic));
  CHECK(image->segments[2].bytes == 0x1000);
  CHECK(image->segments[2].data_offset == 0x3000);
  CHECK(image->segments[2].data.size() == 0x20);
  REQUIRE(image->relocations.size() == 1);
  CHECK(image->relocations[0].offset == 0x3008);
  CHECK(image->relocations[0].target == 0x3010);
  REQUIRE(image->kernels.contains("_Z1kPi"));
  const auto& kernel = image->kernels.at("_Z1kPi");
  CHECK(kernel.descriptor_offset == 0x1000);
  REQUIRE(kernel.params.size() == 3);
  CHECK(kernel.params[2].offset == 16);
  CHECK(kernel.params[2].size == 4);
  REQUIRE(image->variables.contains("counter"));
  CHECK(image->variables.at("counter").offset == 0x3010);
  CHECK(image->variables.at("counter").bytes == 16);
  CHECK(image->variables.size() == 1);
  CHECK(elf_bytes(module.bytes.data()) == 0x4000 + 9 * sizeof(Elf64_Shdr));
}

TEST_CASE("each kind of damage is an error that says what is wrong") {
  using Damage = void (*)(HandmadeModule&);
  const std::pair<Damage, const char*> rows[] = {
      {[](HandmadeModule& m) { m.bytes[0] = std::byte{0}; }, "ELF"},
      {[](HandmadeModule& m) { m.bytes.resize(10); }, "ELF"},
      {[](HandmadeModule& m) { m.header().e_machine = EM_X86_64; }, "RISC-V"},
      {[](HandmadeModule& m) { m.header().e_type = ET_REL; }, "position-independent"},
      {[](HandmadeModule& m) { m.header().e_phentsize = 3; }, "size"},
      {[](HandmadeModule& m) { m.header().e_phoff = 0xfffffffffffffff0; }, "program headers"},
      {[](HandmadeModule& m) { m.header().e_shoff = 0xffffffffffffff00; }, "section headers"},
      {[](HandmadeModule& m) {
         m.segment(0).p_filesz = 0x100000;
         m.segment(0).p_memsz = 0x100000;
       },
       "outside the file"},
      {[](HandmadeModule& m) { m.segment(0).p_memsz = 0x10; }, "impossible size"},
      {[](HandmadeModule& m) { m.segment(1).p_vaddr = ~0ull; }, "impossible size"},
      {[](HandmadeModule& m) { m.segment(1).p_vaddr = 0x1100; }, "share a page"},
      {[](HandmadeModule& m) {
         for (unsigned i = 0; i < 3; ++i) m.segment(i).p_type = PT_NOTE;
       },
       "nothing to load"},
      {[](HandmadeModule& m) { m.at<Elf64_Rela>(0x4b00).r_offset = 0x3ffc; }, "outside the module"},
      {[](HandmadeModule& m) { m.at<Elf64_Rela>(0x4b00).r_info = ELF64_R_INFO(0, R_RISCV_64); }, "relocation of type"},
      {[](HandmadeModule& m) { m.descriptor().magic = 0; }, "_Z1kPi"},
      {[](HandmadeModule& m) { m.descriptor().entry = 0x100000; }, "_Z1kPi"},
      {[](HandmadeModule& m) { m.descriptor().entry += 2; }, "_Z1kPi"},
      {[](HandmadeModule& m) { m.descriptor().param_bytes = 16; }, "_Z1kPi"},
      {[](HandmadeModule& m) { m.at<Elf64_Sym>(0x4c00 + 24).st_value = 0x3fe0; }, "_Z1kPi"},
      {[](HandmadeModule& m) { m.at<Elf64_Sym>(0x4c00 + 3 * 24).st_size = 0x10000; }, "counter"},
      {[](HandmadeModule& m) { m.at<std::uint32_t>(0x4d00 + 20) = 5000; }, "parameter note"},
  };
  for (const auto& [damage, word] : rows) {
    HandmadeModule module = handmade_module();
    damage(module);
    auto image = parse_module(module.file());
    REQUIRE(!image.ok());
    INFO(image.status().message());
    CHECK(image.status().message().find(word) != std::string::npos);
  }
}

TEST_CASE("no damage at all crashes the reader") {
  const HandmadeModule good = handmade_module();
  std::mt19937_64 random(42);
  for (int round = 0; round < 20000; ++round) {
    HandmadeModule module = good;
    const unsigned changes = 1 + static_cast<unsigned>(random() % 4);
    for (unsigned i = 0; i < changes; ++i) {
      // Where the tables are; the rest is zeroes.
      const std::size_t places[] = {random() % 0x100,       0x1000 + random() % 0x40, 0x4000 + random() % 0x240,
                                    0x4b00 + random() % 24, 0x4c00 + random() % 96,   0x4d00 + random() % 100};
      module.bytes[places[random() % 6]] = static_cast<std::byte>(random() % 3 == 0 ? 0xff : random());
    }
    if (random() % 5 == 0) module.bytes.resize(random() % module.bytes.size());
    auto image = parse_module(module.file());
    if (!image) CHECK(!image.status().message().empty());
  }
}

TEST_CASE("a fat binary gives the newest module that the device runs, or else what can be compiled") {
  const auto both = fatbin({entry(CASTOR_FATBIN_PTX, 120, 30), entry(CASTOR_FATBIN_ELF, 80, 13),
                            entry(CASTOR_FATBIN_ELF, 120, 9), entry(CASTOR_FATBIN_ELF, 130, 5)});
  auto selected = select_entry(both, 120);
  REQUIRE(selected.ok());
  CHECK(selected->kind == ImageKind::elf);
  CHECK(selected->bytes.size() == 9);
  CHECK(selected->bytes[0] == static_cast<std::byte>(120 + CASTOR_FATBIN_ELF));
  CHECK(select_entry(both, 90)->bytes.size() == 13);
  const auto ptx = fatbin({entry(CASTOR_FATBIN_PTX, 75, 30), entry(CASTOR_FATBIN_ELF, 130, 5)});
  CHECK(select_entry(ptx, 120)->kind == ImageKind::ptx);
  CHECK(select_entry(ptx, 70).status().code() == StatusCode::not_found);
  CHECK(select_entry(fatbin({}), 120).status().code() == StatusCode::not_found);
}

TEST_CASE("no fat binary crashes the reader") {
  const auto good = fatbin({entry(CASTOR_FATBIN_PTX, 120, 30), entry(CASTOR_FATBIN_ELF, 120, 100)});
  std::mt19937_64 random(43);
  for (int round = 0; round < 20000; ++round) {
    auto bytes = good;
    for (int i = 0; i < 3; ++i)
      bytes[random() % bytes.size()] = static_cast<std::byte>(random() % 3 == 0 ? 0xff : random());
    if (random() % 4 == 0) bytes.resize(random() % bytes.size());
    auto selected = select_entry(bytes, 120);
    if (!selected) continue;
    CHECK(selected->bytes.data() >= bytes.data());
    CHECK(selected->bytes.data() + selected->bytes.size() <= bytes.data() + bytes.size());
  }
}

TEST_CASE("an image says itself what it is") {
  const HandmadeModule module = handmade_module();
  CHECK(select_image(module.bytes.data(), 120)->kind == ImageKind::elf);
  const auto fat = fatbin({entry(CASTOR_FATBIN_ELF, 120, 9)});
  const castor_fatbin_wrapper wrapper{CASTOR_FATBIN_WRAPPER_MAGIC, 1, fat.data(), nullptr};
  CHECK(select_image(&wrapper, 120)->bytes.size() == 9);
  CHECK(select_image("//\n.version 8.5\n.target sm_90\n", 120)->kind == ImageKind::ptx);
  std::vector<char> nothing(5000, 'x');
  CHECK(select_image(nothing.data(), 120).status().code() == StatusCode::invalid_value);
  const castor_fatbin_wrapper empty{CASTOR_FATBIN_WRAPPER_MAGIC, 1, nullptr, nullptr};
  CHECK(!select_image(&empty, 120).ok());
}
