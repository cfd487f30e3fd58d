// The interpreter's inner loop. Compiled once for each level of the host's instruction set with CASTOR_LEVEL set to the
// level's namespace. The meanings' templates get a name of their own too, so that none of their helpers is shared by levels.
#define CASTOR_JOIN2(a, b) a##b
#define CASTOR_JOIN(a, b) CASTOR_JOIN2(a, b)
#define semantics CASTOR_JOIN(semantics_, CASTOR_LEVEL)

#include "gpu/sm/simd.h"
// After the emitter, whose headers say what the compiler need not warn about.
#include "gpu/semantics/execute.h"

namespace castor::sm::CASTOR_LEVEL {

namespace {

#define CASTOR_TAIL [[clang::musttail]] return

CASTOR_INLINE void account(Exec* x, const CodeOp* end) {
  const std::int64_t done = end - x->block;
  x->issued += static_cast<std::uint64_t>(done);
  x->thread_instructions += static_cast<std::uint64_t>(done) * count(x->mask);
  x->budget -= done;
}

CASTOR_INLINE void set_pc(Exec* x, std::uint64_t pc) {
  U64 row = load_row<U64>(x->warp->pc);
  store_row(x->warp->pc, choose(from_bits(x->mask), splat<U64>(pc), row));
}

CASTOR_INLINE void refresh_wait(Exec* x) {
  const std::uint64_t offset = x->wait_pc - x->page_pc;
  x->wait_op = offset < kCodePageBytes ? x->page + offset / 4 : nullptr;
}

/// Op at a PC in the current page or another one; null after setting the stop.
CASTOR_INLINE const CodeOp* op_at(Exec* x, std::uint64_t pc) {
  const std::uint64_t offset = pc - x->page_pc;
  if (offset < kCodePageBytes && pc % 4 == 0) return x->page + offset / 4;
  const CodeOp* op = find_code(*x, pc);
  if (op != nullptr) refresh_wait(x);
  return op;
}

/// Chooses the lanes that go on: deepest call first (smallest stack pointer), then smallest PC.
CASTOR_INLINE bool choose_lanes(Exec* x) {
  const WarpState& w = *x->warp;
  LaneMask able = w.runnable() & x->window;
  if (able == 0) {
    x->window = kAllLanes;
    able = w.runnable();
    if (able == 0) return false;
  }
  const U64 depth = ((load_row<U64>(w.x[2]) - 1) & (CASTOR_LOCAL_STRIDE - 1)) >> 4;
  const U64 key =
      choose(from_bits(able), (depth << 46) | ((load_row<U64>(w.pc) >> 2) & ((1ull << 46) - 1)), splat<U64>(~0ull));
  const std::uint64_t best = __builtin_reduce_min(key);
  const Bool chosen = truth(key == best);
  const std::uint64_t other = __builtin_reduce_min(choose(chosen, splat<U64>(~0ull), key));
  x->mask = to_bits(chosen) & able;
  x->ran |= x->mask;
  x->split = x->mask != w.runnable();
  x->wait_pc = other >> 46 == best >> 46 ? (other & ((1ull << 46) - 1)) << 2 : ~0ull;
  return true;
}

/// All lanes' PCs are stored: go on with some of them.
void dispatch(Exec* x, const CodeOp*) {
  if (x->budget <= 0) {
    x->stop = Stop::slice;
    return;
  }
  if (!choose_lanes(x)) {
    x->stop = Stop::blocked;
    return;
  }
  const std::uint64_t pc = x->warp->pc[lowest(x->mask)];
  const CodeOp* op = x->page != nullptr ? op_at(x, pc) : find_code(*x, pc);
  if (op == nullptr) return;
  refresh_wait(x);
  x->block = op;
  CASTOR_TAIL op->run[x->mask == kAllLanes ? 0 : 1](x, op);
}

/// The executing lanes have reached `op`, where others may wait.
void meet(Exec* x, const CodeOp* op) {
  account(x, op);
  set_pc(x, x->pc_of(op));
  CASTOR_TAIL dispatch(x, op);
}

/// Lanes in x->taken go to x->target, the others to the next instruction. Usually one of the two sides comes first of all
/// lanes at this call depth, as `choose_lanes` would find.
void diverge(Exec* x, const CodeOp* op) {
  account(x, op + 1);
  ++x->divergences;
  const std::uint64_t next = x->pc_of(op + 1), target = x->target;
  U64 row = choose(from_bits(x->mask), splat<U64>(next), load_row<U64>(x->warp->pc));
  store_row(x->warp->pc, choose(from_bits(x->taken), splat<U64>(target), row));
  const std::uint64_t low = next < target ? next : target, high = next < target ? target : next;
  if (x->budget <= 0 || low >= x->wait_pc || low == high) CASTOR_TAIL dispatch(x, op);
  x->mask = low == target ? x->taken : x->mask & ~x->taken;
  x->wait_pc = high < x->wait_pc ? high : x->wait_pc;
  x->split = true;
  const CodeOp* first = op_at(x, low);
  if (first == nullptr) return;
  refresh_wait(x);
  x->block = first;
  CASTOR_TAIL first->run[1](x, first);
}

/// Jumps whose lanes have stored their own PCs.
void scatter_lanes(Exec* x, const CodeOp* op) {
  account(x, op + 1);
  ++x->divergences;
  CASTOR_TAIL dispatch(x, op);
}

/// The instruction at `op` did not end in the usual way.
void leave(Exec* x, const CodeOp* op) {
  const bool retired = x->stop == Stop::yielded || x->stop == Stop::fence_i;
  account(x, x->stop == Stop::fault ? op : op + 1);
  set_pc(x, x->pc_of(op) + (retired ? 4 : 0));
}

template <bool All>
void go_to(Exec* x, const CodeOp* op) {
  account(x, op + 1);
  const std::uint64_t pc = x->target;
  const CodeOp* next = op_at(x, pc);
  if (next == nullptr || x->budget <= 0) {
    set_pc(x, pc);
    if (next != nullptr) x->stop = Stop::slice;
    return;
  }
  x->block = next;
  if (!All && pc >= x->wait_pc) {
    set_pc(x, pc);
    CASTOR_TAIL dispatch(x, next);
  }
  CASTOR_TAIL next->run[All ? 0 : 1](x, next);
}

template <bool All>
CASTOR_INLINE bool has_to_meet(Exec* x, const CodeOp* next, const isa::Decoded& insn) {
  if constexpr (All) return false;
  return next == x->wait_op || (insn.d == 2 && x->split);  // 2: the stack pointer, and with it the call depth, changes
}

template <class Meaning, bool All, bool Exact>
void handler(Exec* x, const CodeOp* op) {
  Simd<All, Exact> e(*x, op);
  Meaning::apply(e, op->insn);
  if (e.stopped) [[unlikely]]
    CASTOR_TAIL leave(x, op);
  if (e.flow == Flow::jump_lanes) CASTOR_TAIL scatter_lanes(x, op);
  if (e.flow == Flow::jump) {
    x->target = e.target;
    CASTOR_TAIL go_to<All>(x, op);
  }
  if (e.flow == Flow::branch && e.taken != 0) {
    x->target = e.target;
    if (e.taken == e.mask()) CASTOR_TAIL go_to<All>(x, op);
    x->taken = e.taken;
    CASTOR_TAIL diverge(x, op);
  }
  const CodeOp* next = op + 1;
  if (has_to_meet<All>(x, next, op->insn)) CASTOR_TAIL meet(x, next);
  CASTOR_TAIL next->run[All ? 0 : 1](x, next);
}

template <bool All>
void undecoded(Exec* x, const CodeOp* op) {
  decode_op(*x, const_cast<CodeOp&>(*op));  // ops live in the code cache, which is the engine's own
  CASTOR_TAIL op->run[All ? 0 : 1](x, op);
}

template <bool All>
void page_end(Exec* x, const CodeOp* op) {
  account(x, op);
  const std::uint64_t pc = x->pc_of(op);
  const CodeOp* next = find_code(*x, pc);
  if (next == nullptr) return set_pc(x, pc);
  refresh_wait(x);
  x->block = next;
  if (!All && next == x->wait_op) CASTOR_TAIL meet(x, next);
  CASTOR_TAIL next->run[All ? 0 : 1](x, next);
}

void illegal(Exec* x, const CodeOp* op) {
  set_fault(*x, FaultCause::illegal_instruction, x->mask);
  CASTOR_TAIL leave(x, op);
}

void run(Exec* x) { dispatch(x, nullptr); }

#define INSN(id, mnemonic, bits, syntax, doc)                         \
  struct meaning_##id {                                               \
    template <class E>                                                \
    CASTOR_INLINE static void apply(E& e, const isa::Decoded& insn) { \
      [[clang::always_inline]] semantics::id(e, insn);                \
    }                                                                 \
  };
#include "gpu/isa/insns.inc"

/// Rows that name a floating-point register (written "fd", "fa", …) have an exact kind; the others share one.
constexpr bool touches_floats(const char* syntax) {
  for (; *syntax != 0; ++syntax) {
    if (*syntax == 'f') return true;
  }
  return false;
}

void run_sync(Exec* x, const isa::Decoded& insn) {
  Simd<false, false> e(*x, insn);
  switch (insn.op) {
    // clang-format off
#define SYNC(id) \
  case isa::Op::id: return semantics::id(e, insn);
    SYNC(warp_sync) SYNC(shfl_idx) SYNC(shfl_up) SYNC(shfl_down) SYNC(shfl_bfly) SYNC(vote_all) SYNC(vote_any)
    SYNC(vote_uni) SYNC(vote_ballot) SYNC(match_any) SYNC(match_all) SYNC(elect) SYNC(redux_add) SYNC(redux_min)
    SYNC(redux_max) SYNC(redux_minu) SYNC(redux_maxu) SYNC(redux_and) SYNC(redux_or) SYNC(redux_xor)
#undef SYNC
        // clang-format on
        default : return;
  }
}

}  // namespace

#define CASTOR_STRING2(name) #name
#define CASTOR_STRING(name) CASTOR_STRING2(name)

extern const Engine kEngine = {
    CASTOR_STRING(CASTOR_LEVEL),
    {
#define INSN(id, mnemonic, bits, syntax, doc) &handler<meaning_##id, true, false>,
#include "gpu/isa/insns.inc"
    },
    {
#define INSN(id, mnemonic, bits, syntax, doc) &handler<meaning_##id, false, false>,
#include "gpu/isa/insns.inc"
    },
    {
#define INSN(id, mnemonic, bits, syntax, doc) &handler<meaning_##id, true, touches_floats(syntax)>,
#include "gpu/isa/insns.inc"
    },
    {
#define INSN(id, mnemonic, bits, syntax, doc) &handler<meaning_##id, false, touches_floats(syntax)>,
#include "gpu/isa/insns.inc"
    },
    {&undecoded<true>, &undecoded<false>},
    {&page_end<true>, &page_end<false>},
    {&illegal, &illegal},
    &run,
    &run_sync,
};

}  // namespace castor::sm::CASTOR_LEVEL
