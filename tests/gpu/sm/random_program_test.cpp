// The interpreter against the scalar hart, which has an emitter of its own: random straight-line programs over all base rows,
// 32 lanes with values of their own against 32 runs of a hart. Registers, flags and memory have to agree.
#include <cstring>
#include <random>

#include "gpu/hart/hart.h"
#include "gpu/isa/assembler.h"
#include "gpu/isa/decoder.h"
#include "tests/gpu/isa/random_insn.h"
#include "tests/gpu/sm/flat_memory.h"
#include "tests/gpu/sm/program.h"
#include "tests/support/catch.h"

namespace castor::sm::test {
namespace {

using isa::Decoded;
using isa::ImmKind;
using isa::InsnDef;
using isa::Op;
using isa::RegFile;

constexpr unsigned kLength = 200;
// Registers that keep their values: addresses of loads and stores, of atomics; the stack pointer, since lanes with different
// call depths would not stay together.
constexpr unsigned kPlain = 8, kAtomic = 9, kStack = 2;
constexpr std::uint64_t kLaneBytes = 1024;

/// Which modes and flags a program may use: without access to fcsr the interpreter does not keep flags.
enum class Floats { flags_unseen, flags_seen };

bool takes_part(const InsnDef& row, Op op) {
  if (isa::chapters()[row.chapter].title.starts_with("Xcastor")) return false;
  if (op == Op::lr_w || op == Op::lr_d || op == Op::sc_w || op == Op::sc_d || op == Op::jalr) return false;
  if (row.imm == ImmKind::b || row.imm == ImmKind::j || row.imm == ImmKind::csr || row.imm == ImmKind::fence)
    return false;
  return row.d != RegFile::none || row.imm == ImmKind::s;
}

unsigned access_bytes(std::string_view mnemonic) {
  if (mnemonic.starts_with("amo")) return mnemonic.find(".d") != std::string_view::npos ? 8 : 4;
  const char size = mnemonic[mnemonic.size() - 1] == 'u' ? mnemonic[mnemonic.size() - 2] : mnemonic.back();
  return size == 'b' ? 1 : size == 'h' ? 2 : size == 'w' ? 4 : 8;
}

class Generator {
 public:
  Generator(std::uint64_t seed, Floats floats) : random_(seed), floats_(floats) {
    for (std::size_t i = 0; i < isa::kOpCount; ++i) {
      const Op op = isa::testing::op_at(i);
      if (takes_part(isa::def(op), op)) ops_.push_back(op);
    }
  }

  std::vector<std::uint32_t> program() {
    std::vector<std::uint32_t> words;
    for (unsigned i = 0; i < kLength; ++i) words.push_back(isa::encode(next()));
    // Somebody looks at the flags: that is what makes the interpreter keep them. After the end, never executed.
    words.push_back(*isa::assemble("ebreak"));
    if (floats_ == Floats::flags_seen) words.push_back(*isa::assemble("csrrs x5, fcsr, x0"));
    return words;
  }

 private:
  Decoded next() {
    const Op op = ops_[random_.bits() % ops_.size()];
    const InsnDef& row = isa::def(op);
    Decoded insn = random_(op);
    while (row.d == RegFile::x && (insn.d == kPlain || insn.d == kAtomic || insn.d == kStack)) {
      insn.d = static_cast<std::uint8_t>(random_.bits() % 32);
    }
    if (row.syntax.find('(') == std::string_view::npos) return insn;
    insn.a = row.imm == ImmKind::none ? kAtomic : kPlain;
    if (row.imm != ImmKind::none)
      insn.imm = static_cast<std::int64_t>(random_.bits() % (kLaneBytes / 8)) * access_bytes(row.mnemonic);
    return insn;
  }

  isa::testing::RandomInsn random_;
  Floats floats_;
  std::vector<Op> ops_;
};

/// Small numbers, edges of the formats, anything.
std::uint64_t interesting(std::mt19937_64& random) {
  static constexpr std::uint64_t kEdges[] = {0,
                                             1,
                                             ~0ull,
                                             1ull << 63,
                                             0x7fff'ffff,
                                             0xffff'ffff'8000'0000,
                                             0x8000'0000,
                                             0xffff'ffff,
                                             0xffff'ffff'7f80'0000,
                                             0xffff'ffff'ff80'0000,
                                             0xffff'ffff'7fc0'0000,
                                             0xffff'ffff'7f80'0001,
                                             0xffff'ffff'0000'0001,
                                             0xffff'ffff'3f80'0000,
                                             0xffff'ffff'bf80'0000,
                                             0xffff'ffff'7f7f'ffff,
                                             0xffff'ffff'0080'0000,
                                             0xffff'ffff'8000'0000,
                                             0xffff'ffff'ffff'3c00,
                                             0xffff'ffff'ffff'7c00,
                                             0xffff'ffff'ffff'7e00,
                                             0xffff'ffff'ffff'7c01,
                                             0xffff'ffff'ffff'0001,
                                             0x7ff0'0000'0000'0000,
                                             0xfff0'0000'0000'0000,
                                             0x7ff8'0000'0000'0000,
                                             0x7ff0'0000'0000'0001,
                                             0x3ff0'0000'0000'0000,
                                             0x41df'ffff'ffc0'0000,
                                             0x43e0'0000'0000'0000,
                                             0xffff'ffff'4f00'0000,
                                             0xffff'ffff'5f00'0000,
                                             0xffff'ffff'3fc0'0000};
  switch (random() % 5) {
    case 0: return kEdges[random() % std::size(kEdges)];
    case 1: return random() % 200;
    case 2: return 0xffff'ffff'0000'0000 | (0x3f00'0000 + random() % 0x0200'0000);  // singles around one
    case 3: return 0x3fe0'0000'0000'0000 + random() % 0x0040'0000'0000'0000;        // doubles around one
    default: return random();
  }
}

class NoBus : public Bus {
 public:
  Status read(BusAddr, std::span<std::byte>) override { return {StatusCode::not_found, "nothing there"}; }
  Status write(BusAddr, std::span<const std::byte>) override { return {StatusCode::not_found, "nothing there"}; }
};

struct Lane {
  std::uint64_t x[32], f[32];
  std::uint32_t fcsr;
};

class Comparison {
 public:
  Comparison(std::uint64_t seed, Floats floats, LaneMask present, CpuLevel level)
      : random_(seed), floats_(floats), present_(present), words_(Generator(seed, floats).program()) {
    for (std::byte& b : initial_) b = static_cast<std::byte>(random_());
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) lanes_[lane] = start(lane);
    run_warp_on(level);
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) compare(lane);
  }

 private:
  Lane start(unsigned lane) {
    Lane l{};
    for (unsigned n = 1; n < 32; ++n) l.x[n] = interesting(random_);
    for (unsigned n = 0; n < 32; ++n) l.f[n] = interesting(random_);
    l.x[kStack] = 0x1000;
    l.x[kPlain] = kOut + lane * kLaneBytes;
    l.x[kAtomic] = kOut + lane * kLaneBytes + 512;
    l.fcsr = floats_ == Floats::flags_seen ? static_cast<std::uint32_t>(random_() % 5) << 5 : 0;
    return l;
  }

  void run_warp_on(CpuLevel level) {
    std::memcpy(memory_.map(kCode, words_.size() * 4, "rx"), words_.data(), words_.size() * 4);
    std::memcpy(memory_.map(kOut, sizeof initial_, "rwa"), initial_, sizeof initial_);
    SmSpec spec;
    spec.cpu = level;
    sm_ = std::make_unique<Sm>(spec);
    CtaLaunch cta;
    cta.memory = &memory_;
    cta.block = {32, 1, 1};
    cta.entry = VirtAddr{kCode};
    REQUIRE(sm_->launch(cta).ok());
    WarpState& w = *sm_->warp(0).state;
    w.present = present_;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      for (unsigned n = 1; n < 32; ++n) w.set_x(n, lane, lanes_[lane].x[n]);
      for (unsigned n = 0; n < 32; ++n) w.set_f(n, lane, lanes_[lane].f[n]);
      w.fcsr[lane] = lanes_[lane].fcsr;
    }
    const RunReport report = sm_->run(10 * kLength);
    REQUIRE(report.fault);
    REQUIRE(castor::name(report.fault->fault.cause) == castor::name(FaultCause::breakpoint));
    REQUIRE(report.fault->lanes == present_);
  }

  /// What a hart makes of one lane's values.
  Lane expected(unsigned lane, std::byte* memory) {
    std::memcpy(memory, initial_, sizeof initial_);
    NoBus bus;
    hart::Hart hart(hart::Spec{}, bus);
    hart.add_ram(BusAddr{kCode}, std::as_writable_bytes(std::span(words_)));
    hart.add_ram(BusAddr{kOut}, {memory, sizeof initial_});
    hart.reset(kCode);
    hart::State& s = hart.state();
    s.mstatus |= 3u << 13;  // FS
    for (unsigned n = 0; n < 32; ++n) s.x[n] = lanes_[lane].x[n], s.f[n] = lanes_[lane].f[n];
    s.fcsr = lanes_[lane].fcsr;
    if ((present_ >> lane & 1) != 0) hart.run(kLength);
    Lane l{};
    for (unsigned n = 0; n < 32; ++n) l.x[n] = s.x[n], l.f[n] = s.f[n];
    l.fcsr = s.fcsr;
    return l;
  }

  void compare(unsigned lane) {
    static std::byte memory[sizeof initial_];
    const Lane want = expected(lane, memory);
    const WarpState& w = *sm_->warp(0).state;
    std::uint64_t differences = 0;
    for (unsigned n = 0; n < 32; ++n) {
      if (w.x[n][lane] != want.x[n]) note("x", n, lane, w.x[n][lane], want.x[n]), ++differences;
      if (w.f(n, lane) != want.f[n]) note("f", n, lane, w.f(n, lane), want.f[n]), ++differences;
    }
    if (floats_ == Floats::flags_seen && w.fcsr[lane] != want.fcsr)
      note("fcsr", 0, lane, w.fcsr[lane], want.fcsr), ++differences;
    const std::byte* mine = memory_.at(kOut) + lane * kLaneBytes;
    if (std::memcmp(mine, memory + lane * kLaneBytes, kLaneBytes) != 0) note("memory", 0, lane, 0, 0), ++differences;
    if (differences != 0) list();
    REQUIRE(differences == 0);
  }

  void note(const char* what, unsigned number, unsigned lane, std::uint64_t got, std::uint64_t want) {
    WARN(what << number << " of lane " << lane << ": " << std::hex << got << ", the hart has " << want);
  }
  void list() {
    std::string text;
    for (const std::uint32_t word : words_) text += isa::disassemble(word) + "\n";
    WARN(text);
  }

  std::mt19937_64 random_;
  Floats floats_;
  LaneMask present_;
  std::vector<std::uint32_t> words_;
  std::byte initial_[kWarpLanes * kLaneBytes];
  Lane lanes_[kWarpLanes];
  FlatMemory memory_;
  std::unique_ptr<Sm> sm_;
};

TEST_CASE("sm: the interpreter and the hart agree on random programs", "[sm][lockstep]") {
  constexpr CpuLevel kLevels[] = {CpuLevel::baseline, CpuLevel::v3, CpuLevel::v4};
  std::mt19937 masks(3);
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const Floats floats = seed % 2 == 0 ? Floats::flags_seen : Floats::flags_unseen;
    const LaneMask present = seed % 3 == 0 ? static_cast<LaneMask>(masks()) | 1 : kAllLanes;
    for (const CpuLevel level : kLevels) {
      if (!cpu_supports(level)) continue;
      INFO("seed " << seed << ", level " << static_cast<int>(level) << ", lanes " << std::hex << present);
      Comparison(seed, floats, present, level);
    }
  }
}

}  // namespace
}  // namespace castor::sm::test
