// Machine mode: traps, interrupts, wfi, CSRs, memory (privileged manual, chapter 3).
#include "gpu/hart/hart.h"

#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "gpu/isa/assembler.h"
#include "tests/support/catch.h"

using namespace castor;
using namespace castor::hart;

namespace {

constexpr std::uint64_t kCode = 0x8000'0000, kHandler = kCode + 0x400, kRam = 0x9000'0000, kRom = 0xa000'0000,
                        kMmio = 0x1000'0000;
constexpr std::uint64_t kMieBit = 1 << 3, kMpieBit = 1 << 7, kInterrupt = std::uint64_t{1} << 63;

/// Registers at kMmio that remember what is written; nothing else answers.
class Registers : public Bus {
 public:
  Status read(BusAddr address, std::span<std::byte> data) override {
    if (address.value < kMmio || address.value >= kMmio + 0x100) return {StatusCode::not_found, "no register"};
    std::memcpy(data.data(), &values[address.value], data.size());
    return {};
  }
  Status write(BusAddr address, std::span<const std::byte> data) override {
    if (address.value < kMmio || address.value >= kMmio + 0x100) return {StatusCode::not_found, "no register"};
    std::memcpy(&values[address.value], data.data(), data.size());
    sizes.push_back(data.size());
    if (on_write) on_write();
    return {};
  }
  std::map<std::uint64_t, std::uint64_t> values;
  std::vector<std::size_t> sizes;
  std::function<void()> on_write;
};

struct Machine {
  explicit Machine(const std::vector<std::string>& program, const Spec& spec = {.hart_id = 7}) : hart(spec, bus) {
    place(kCode, program);
    place(kHandler, {"wfi"});
    hart.add_ram(BusAddr{kCode}, std::as_writable_bytes(std::span(code)));
    hart.add_ram(BusAddr{kRam}, std::as_writable_bytes(std::span(ram)));
    hart.add_ram(BusAddr{kRom}, std::as_writable_bytes(std::span(rom)), false);
    hart.reset(kCode);
    state().mtvec = kHandler;
    state().x[5] = kRam;  // t0
  }
  void place(std::uint64_t address, const std::vector<std::string>& program) {
    for (const std::string& line : program) {
      const auto word = isa::assemble(line);
      INFO(line);
      REQUIRE(word.ok());
      code[(address - kCode) / 4] = word.value();
      address += 4;
    }
  }
  State& state() { return hart.state(); }
  std::uint64_t& x(unsigned n) { return hart.state().x[n]; }

  Registers bus;
  std::vector<std::uint32_t> code = std::vector<std::uint32_t>(1024);
  std::vector<std::uint64_t> ram = std::vector<std::uint64_t>(16),
                             rom = std::vector<std::uint64_t>(2, 0x1122334455667788);
  Hart hart;
};

struct TrapCase {
  const char* text;
  Trap cause;
  std::uint64_t value;
};

void check_trap(const TrapCase& test, const Spec& spec = {}) {
  INFO(test.text);
  Machine m({"addi zero, zero, 0", test.text}, spec);
  m.x(6) = kRam + 1;   // t1: misaligned
  m.x(7) = 0xdead000;  // t2: nothing there
  m.x(28) = kRom;      // t3
  m.x(10) = 42;        // a0: the destination, stays as it is
  m.state().mstatus = kMieBit;
  CHECK(m.hart.run(2) == StopReason::budget);
  CHECK(m.state().mcause == static_cast<std::uint64_t>(test.cause));
  CHECK(m.state().mtval == test.value);
  CHECK(m.state().mepc == kCode + 4);
  CHECK(m.state().pc == kHandler);
  CHECK(m.state().mstatus == kMpieBit);  // interrupts off, the old setting kept
  CHECK(m.x(10) == 42);
  CHECK(m.state().instret == 1);
}

}  // namespace

TEST_CASE("an instruction that fails traps with cause, value and pc, and changes nothing else") {
  for (const TrapCase& test : std::initializer_list<TrapCase>{
           {"lw a0, 0(t1)", Trap::load_misaligned, kRam + 1},
           {"ld a0, 3(t1)", Trap::load_misaligned, kRam + 4},
           {"ld a0, 16(t2)", Trap::load_fault, 0xdead010},
           {"lr.w a0, (t2)", Trap::load_fault, 0xdead000},
           {"sh a0, 0(t1)", Trap::store_misaligned, kRam + 1},
           {"sd a0, 0(t2)", Trap::store_fault, 0xdead000},
           {"sd a0, 8(t3)", Trap::store_fault, kRom + 8},
           {"amoadd.d a0, a0, (t1)", Trap::store_misaligned, kRam + 1},
           {"amoadd.w a0, a0, (t2)", Trap::store_fault, 0xdead000},
           {"amoswap.w a0, a0, (t3)", Trap::store_fault, kRom},
           {"jal a0, 6", Trap::fetch_misaligned, kCode + 10},
           {"jalr a0, 1(t1)", Trap::fetch_misaligned, kRam + 2},
           {"beq zero, zero, -2", Trap::fetch_misaligned, kCode + 2},
           {"ecall", Trap::ecall_m, 0},
           {"ebreak", Trap::breakpoint, kCode + 4},
           // mtval holds the word: encodings by hand.
           {"castor.activemask a0", Trap::illegal, 0x0c00450b},
           {"csrrs a0, 0x7ff, zero", Trap::illegal, 0x7ff02573},
           {"csrrwi a0, mhartid, 3", Trap::illegal, 0xf141d573},
           {"fadd.d fa0, fa0, fa0", Trap::illegal, 0x02a57553},  // mstatus.FS is off
           {"flw fa0, 0(t0)", Trap::illegal, 0x0002a507},
           {"csrrs a0, fcsr, zero", Trap::illegal, 0x00302573},
       }) {
    check_trap(test);
  }
  Machine m({});
  m.code[0] = 0;
  CHECK(m.hart.run(1) == StopReason::budget);
  CHECK(m.state().mcause == static_cast<std::uint64_t>(Trap::illegal));
}

TEST_CASE("a branch that is not taken may have a misaligned target") {
  Machine m({"bne zero, zero, 6"});
  CHECK(m.hart.step() == StopReason::budget);
  CHECK(m.state().pc == kCode + 4);
}

TEST_CASE("a reserved dynamic rounding mode is illegal where it is used, even if nothing is rounded") {
  for (const char* text :
       {"fadd.s fa0, fa0, fa0", "fsqrt.d fa0, fa0", "fcvt.d.s fa0, fa0, dyn", "fcvt.d.w fa0, a0, dyn",
        "fcvt.w.s a0, fa0", "fcvt.s.h fa0, fa0, dyn", "fcvt.s.bf16 fa0, fa0", "fround.s fa0, fa0"}) {
    for (const char* frm : {"5", "6", "7"}) {
      INFO(text);
      Machine m({std::string("csrrwi zero, frm, ") + frm, "fadd.s fa0, fa0, fa0, rne", "fmv.x.w a0, fa0", text});
      m.state().mstatus = 3 << 13;
      m.hart.run(3);
      CHECK(m.state().pc == kCode + 12);
      m.hart.run(1);
      CHECK(m.state().mcause == static_cast<std::uint64_t>(Trap::illegal));
    }
  }
}

TEST_CASE("without a floating-point unit its instructions are illegal whatever FS says") {
  Machine m({"csrrw zero, mstatus, a0", "fadd.d fa0, fa0, fa0"}, {.floats = false});
  m.x(10) = 3 << 13;
  m.hart.run(2);
  CHECK(m.state().mcause == static_cast<std::uint64_t>(Trap::illegal));
}

TEST_CASE("mret goes back and restores the interrupt enable") {
  Machine m({"ecall", "addi a0, zero, 1"});
  m.place(kHandler, {"csrrs t1, mepc, zero", "addi t1, t1, 4", "csrrw zero, mepc, t1", "mret"});
  m.state().mstatus = kMieBit;
  m.hart.run(6);
  CHECK(m.x(10) == 1);
  CHECK((m.state().mstatus & kMieBit) != 0);
  CHECK((m.state().mstatus & kMpieBit) != 0);
}

TEST_CASE("interrupts are taken by priority, direct and vectored") {
  for (const bool vectored : {false, true}) {
    Machine m({"addi a0, a0, 1", "addi a0, a0, 1"});
    m.state().mtvec = kHandler | (vectored ? 1 : 0);
    m.state().mie = 1 << 3 | 1 << 7 | 1 << 11;
    m.hart.set_interrupt(Line::timer, true);
    m.hart.run(1);
    CHECK(m.x(10) == 1);  // interrupts are off
    m.state().mstatus = kMieBit;
    m.hart.set_interrupt(Line::software, true);
    m.hart.set_interrupt(Line::external, true);
    for (const auto& [line, number] : {std::pair{Line::external, 11u}, {Line::software, 3u}, {Line::timer, 7u}}) {
      m.state().pc = kCode + 4;
      m.state().mstatus = kMieBit;
      for (std::uint64_t slot : {0u, 3u, 7u, 11u}) m.place(kHandler + 4 * slot, {"addi a1, a1, 1"});
      m.hart.flush_code();
      m.hart.run(1);
      CHECK(m.state().mcause == (kInterrupt | number));
      CHECK(m.state().mepc == kCode + 4);
      CHECK(m.state().pc == kHandler + (vectored ? 4 * number : 0) + 4);
      CHECK(m.state().mtval == 0);
      m.hart.set_interrupt(line, false);
    }
    CHECK_FALSE(m.hart.wakes());
  }
}

TEST_CASE("wfi waits until an enabled interrupt is pending, even with interrupts off") {
  Machine m({"wfi", "addi a0, zero, 1", "jal zero, 0"});
  CHECK(m.hart.run(100) == StopReason::wfi);
  CHECK(m.hart.run(100) == StopReason::wfi);
  m.hart.set_interrupt(Line::external, true);
  CHECK(m.hart.run(100) == StopReason::wfi);  // not enabled
  m.state().mie = 1 << 11;
  CHECK(m.hart.wakes());
  CHECK(m.hart.run(2) == StopReason::budget);
  CHECK(m.x(10) == 1);
  CHECK(m.state().mcause == 0);
}

TEST_CASE("a hart whose handler cannot be fetched is locked up") {
  Machine m({"ecall"});
  m.state().mtvec = 0x4000;
  CHECK(m.hart.run(100) == StopReason::locked_up);
  CHECK(m.state().mcause == static_cast<std::uint64_t>(Trap::fetch_fault));
  CHECK(m.state().mtval == 0x4000);
}

TEST_CASE("a jump to where nothing is traps at the target") {
  Machine m({"jalr zero, 0(a0)"});
  m.x(10) = 0x5000;
  CHECK(m.hart.run(2) == StopReason::budget);
  CHECK(m.state().mcause == static_cast<std::uint64_t>(Trap::fetch_fault));
  CHECK(m.state().mepc == 0x5000);
}

TEST_CASE("device registers are accessed with the size of the instruction") {
  Machine m({"sd a1, 0(a0)", "sw a1, 8(a0)", "sb a1, 16(a0)", "lw a2, 0(a0)", "lhu a3, 0(a0)", "ld a4, 8(a0)"});
  m.x(10) = kMmio;
  m.x(11) = 0x8877'6655'f443'2211;
  m.hart.run(6);
  CHECK(m.bus.sizes == std::vector<std::size_t>{8, 4, 1});
  CHECK(m.bus.values[kMmio] == 0x8877'6655'f443'2211);
  CHECK(m.bus.values[kMmio + 8] == 0xf443'2211);
  CHECK(m.bus.values[kMmio + 16] == 0x11);
  CHECK(m.x(12) == 0xffff'ffff'f443'2211);
  CHECK(m.x(13) == 0x2211);
  CHECK(m.x(14) == 0xf443'2211);
}

TEST_CASE("a device can stop the hart after the current instruction") {
  Machine m({"sw zero, 0(a0)", "addi a1, zero, 1"});
  m.x(10) = kMmio;
  m.bus.on_write = [&] { m.hart.halt(); };
  CHECK(m.hart.run(100) == StopReason::halted);
  CHECK(m.state().pc == kCode + 4);
  CHECK(m.hart.run(1) == StopReason::budget);
  CHECK(m.x(11) == 1);
}

TEST_CASE("code that a program writes runs after fence.i") {
  Machine m({"sw a1, 16(a0)", "fence.i", "jal zero, 8", "addi zero, zero, 0", "addi a2, zero, 1"});
  m.x(10) = kCode;
  m.x(11) = isa::assemble("addi a2, zero, 7").value();
  m.state().pc = kCode + 16;
  m.hart.run(1);
  CHECK(m.x(12) == 1);  // now decoded
  m.state().pc = kCode;
  m.hart.run(4);
  CHECK(m.x(12) == 7);
}

TEST_CASE("read-only memory is read") {
  Machine m({"lw a0, 4(t3)"});
  m.x(28) = kRom;
  m.hart.run(1);
  CHECK(m.x(10) == 0x11223344);
}

TEST_CASE("CSRs read and keep what the manual says") {
  Machine m({"csrrw a0, mscratch, a1", "csrrs a2, mhartid, zero", "csrrs a3, misa, zero", "csrrw zero, mie, a1",
             "csrrw zero, mtvec, a1", "csrrw zero, mepc, a1", "csrrs a4, mepc, zero", "csrrs a5, mstatus, zero",
             "csrrs a6, time, zero", "csrrs a7, minstret, zero"});
  m.x(11) = ~std::uint64_t{0};
  m.state().mscratch = 5;
  m.state().time = 99;
  m.hart.run(10);
  CHECK(m.x(10) == 5);
  CHECK(m.state().mscratch == ~std::uint64_t{0});
  CHECK(m.x(12) == 7);
  CHECK(m.x(13) == (std::uint64_t{2} << 62 | 1 << 0 | 1 << 3 | 1 << 5 | 1 << 8 | 1 << 12));  // A D F I M
  CHECK(m.state().mie == 0x888);
  CHECK(m.state().mtvec == ~std::uint64_t{2});
  CHECK(m.x(14) == ~std::uint64_t{3});
  CHECK(m.x(15) == 3 << 11);  // MPP: machine mode is all there is
  CHECK(m.x(16) == 99);
  CHECK(m.x(17) == 9);
}

TEST_CASE("x0 stays zero and the budget is exact") {
  Machine m({"addi zero, zero, 5", "addi a0, zero, 0", "jal zero, -4"});
  CHECK(m.hart.run(1001) == StopReason::budget);
  CHECK(m.state().instret == 1001);
  CHECK(m.x(0) == 0);
  CHECK(m.x(10) == 0);
}

TEST_CASE("reset clears registers but neither memory nor the interrupt lines") {
  Machine m({"sd a0, 0(t0)"});
  m.x(10) = 3;
  m.hart.set_interrupt(Line::external, true);
  m.hart.run(1);
  m.hart.reset(kCode + 4);
  CHECK(m.ram[0] == 3);
  CHECK(m.x(10) == 0);
  CHECK(m.state().pc == kCode + 4);
  CHECK(m.state().mip == 1 << 11);
}
