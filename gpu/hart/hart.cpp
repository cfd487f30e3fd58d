#include "gpu/hart/hart.h"

#include <cstring>
#include <vector>

#include "gpu/hart/csr_file.h"
#include "gpu/hart/memory.h"
#include "gpu/hart/scalar_emitter.h"
#include "gpu/isa/decoder.h"
#include "gpu/semantics/base.h"

namespace castor::hart {
namespace {

using Meaning = semantics::Meaning<ScalarEmitter>;

/// A decoded instruction, found by its address.
struct Cached {
  std::uint64_t pc = ~std::uint64_t{0};
  isa::Decoded insn;
  std::uint32_t word = 0;
  bool floats = false;  // needs the floating-point unit on
  Meaning meaning = nullptr;
};

bool uses_floats(isa::Op op) {
  if (op == isa::Op::illegal) return false;
  const isa::InsnDef& row = isa::def(op);
  return row.d == isa::RegFile::f || row.a == isa::RegFile::f || row.b == isa::RegFile::f;
}

}  // namespace

struct Hart::Impl {
  Impl(const Spec& its_spec, Bus& mmio) : spec(its_spec), memory(mmio) {}

  /// The instruction at pc, or nullptr when nothing answers there.
  const Cached* fetch() {
    Cached& entry = cache[state.pc / 4 % cache.size()];
    if (entry.pc == state.pc) [[likely]]
      return &entry;
    const auto word = memory.load<std::uint32_t>(state.pc);
    if (!word) return nullptr;
    entry.insn = isa::decode(*word);
    entry.word = *word;
    entry.floats = uses_floats(entry.insn.op);
    entry.meaning = semantics::kBaseMeanings<ScalarEmitter>[static_cast<std::size_t>(entry.insn.op)];
    entry.pc = state.pc;
    return &entry;
  }

  void take_interrupt() {
    // Privileged manual, 3.1.9: external, software, timer.
    for (Line line : {Line::external, Line::software, Line::timer}) {
      const auto number = static_cast<unsigned>(line);
      if ((csrs.pending() >> number & 1) == 0) continue;
      csrs.enter_trap(CsrFile::kInterrupt | number, 0);
      return;
    }
  }

  /// A handler that cannot be fetched would trap for ever.
  StopReason fetch_trap() {
    const bool in_handler = state.pc == (state.mtvec & ~std::uint64_t{3});
    csrs.enter_trap(static_cast<std::uint64_t>(Trap::fetch_fault), state.pc);
    return in_handler ? StopReason::locked_up : StopReason::budget;
  }

  void execute(const Cached& entry) {
    emitter.begin();
    if (entry.floats && !csrs.floats_on()) {
      emitter.illegal();
    } else {
      entry.meaning(emitter, entry.insn);
    }
    if (emitter.trapped()) {
      const Trap trap = emitter.trap();
      csrs.enter_trap(static_cast<std::uint64_t>(trap), trap == Trap::illegal ? entry.word : emitter.trap_value());
      return;
    }
    emitter.commit();
    ++state.instret;
    if (emitter.flushes()) flush();
    if (emitter.waits()) state.waiting = true;
  }

  void flush() {
    for (Cached& entry : cache) entry.pc = ~std::uint64_t{0};
  }

  const Spec spec;
  State state;
  Memory memory;
  CsrFile csrs{spec, state};
  ScalarEmitter emitter{state, csrs, memory};
  std::vector<Cached> cache = std::vector<Cached>(4096);
  bool halted = false;
};

Hart::Hart(const Spec& spec, Bus& mmio) : impl_(std::make_unique<Impl>(spec, mmio)) {}
Hart::~Hart() = default;
Hart::Hart(Hart&&) noexcept = default;

void Hart::add_ram(BusAddr base, std::span<std::byte> bytes, bool writable) {
  impl_->memory.add_ram(base, bytes, writable);
}

void Hart::reset(std::uint64_t pc) {
  const std::uint64_t lines = impl_->state.mip;
  impl_->state = State{};
  impl_->state.pc = pc;
  impl_->state.mip = lines;  // levels from outside
  impl_->flush();
}

StopReason Hart::run(std::uint64_t max_instructions) {
  Impl& m = *impl_;
  m.halted = false;
  for (std::uint64_t n = 0; n < max_instructions; ++n) {
    if (m.csrs.pending() != 0) [[unlikely]] {
      m.state.waiting = false;
      if (m.csrs.interrupts_on()) m.take_interrupt();
    }
    if (m.state.waiting) return StopReason::wfi;
    const Cached* entry = m.fetch();
    if (entry == nullptr) [[unlikely]] {
      if (m.fetch_trap() == StopReason::locked_up) return StopReason::locked_up;
      continue;
    }
    m.execute(*entry);
    if (m.halted) return StopReason::halted;
  }
  return m.state.waiting && !wakes() ? StopReason::wfi : StopReason::budget;
}

void Hart::set_interrupt(Line line, bool level) {
  const std::uint64_t bit = std::uint64_t{1} << static_cast<unsigned>(line);
  impl_->state.mip = level ? impl_->state.mip | bit : impl_->state.mip & ~bit;
}

void Hart::halt() { impl_->halted = true; }
bool Hart::wakes() const { return impl_->csrs.pending() != 0; }
State& Hart::state() { return impl_->state; }
const State& Hart::state() const { return impl_->state; }
void Hart::flush_code() { impl_->flush(); }

}  // namespace castor::hart
