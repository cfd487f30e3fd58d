// What the interpreter's inner loop works on. Shared by the code that is compiled once for each level of the host's
// instruction set (simd_*.h) and the code around it that is compiled once; therefore plain data and declarations only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/isa/insn.h"
#include "gpu/sm/warp_state.h"
#include "platform/core/fault.h"

namespace castor::sm {

struct Exec;
struct CodeOp;
/// Executes one instruction and goes on with the next by a tail call; returns when the group of lanes has to stop.
using Handler = void (*)(Exec*, const CodeOp*);

/// A pre-decoded instruction.
struct CodeOp {
  Handler run[2];  // by whether only some lanes execute: [0] all 32, [1] those in Exec::mask
  isa::Decoded insn;
};

inline constexpr std::uint64_t kCodePageBytes = 4096;
inline constexpr unsigned kCodePageOps = kCodePageBytes / 4;

/// A run of guest addresses that are consecutive in host memory too: address + to_host is a host address.
struct HostRange {
  std::uint64_t base = 0, size = 0, to_host = 0;
  std::uint32_t permissions = 0;  // bit 1 << Access
};
constexpr std::uint32_t permission_bit(Access access) { return 1u << static_cast<unsigned>(access); }

/// Direct-mapped, by 64 KiB block; smaller pages share a line. The index is hashed: arrays that a kernel walks together tend
/// to lie a large power of two apart.
struct Tlb {
  static constexpr unsigned kBits = 6;
  HostRange line[1u << kBits];
};
constexpr std::uint64_t hash_index(std::uint64_t block, unsigned bits) {
  return block * 0x9e37'79b9'7f4a'7c15ull >> (64 - bits);
}

/// Why a group of lanes stopped executing.
enum class Stop : std::uint8_t {
  slice,    // its budget is used up
  yielded,  // it asked to let others run
  parked,   // lanes wait at an operation with a lane mask
  barrier,  // lanes have arrived at a CTA barrier (operands in Exec::barrier_*)
  exited,   // lanes have ended
  fault,    // Exec::fault; nothing was retired
  fence_i,  // decoded code must be looked at again
  blocked,  // no lane of the warp can run
};

struct alignas(64) Exec {
  // The warp. Registers are reached through pointers, so that an operation can be run on a scratch register file.
  WarpState* warp = nullptr;
  std::uint64_t (*x)[kWarpLanes] = nullptr;
  std::uint32_t (*f_low)[kWarpLanes] = nullptr;
  std::uint32_t (*f_high)[kWarpLanes] = nullptr;
  LaneMask mask = 0;            // lanes that execute
  LaneMask window = kAllLanes;  // lanes that may be chosen in this turn
  LaneMask ran = 0;             // lanes that have been chosen in this slice
  bool split = false;           // other lanes could run as well

  // Code.
  const CodeOp* page = nullptr;  // ops of the current page
  std::uint64_t page_pc = 0;
  const CodeOp* block = nullptr;    // first instruction not yet counted
  const CodeOp* wait_op = nullptr;  // where lanes of the same call depth wait: stop there and choose again
  std::uint64_t wait_pc = ~0ull;
  LaneMask taken = 0;  // operands of a diverging branch
  std::uint64_t target = 0;

  // Counters.
  std::int64_t budget = 0;
  std::uint64_t issued = 0, thread_instructions = 0, divergences = 0, tlb_misses = 0;

  // The way out.
  Stop stop = Stop::slice;
  Fault fault;
  LaneMask fault_lanes = 0;
  std::uint16_t fault_detail = 0;
  std::uint8_t barrier_op = 0, barrier_d = 0;
  std::uint64_t barrier_id[kWarpLanes];  // threads << 8 | id
  bool barrier_uniform = false;          // the same in all lanes that execute
  LaneMask barrier_predicate = 0;

  // Owners, known to the code around the loop only.
  struct Warp* owner = nullptr;
  struct Context* context = nullptr;
  const struct SmSpec* spec = nullptr;

  // Memory.
  Tlb* tlb = nullptr;
  HostRange shared;                // the CTA's own
  std::uint64_t local_window = 0;  // start of lane 0's local window
  std::uint32_t local_bytes = 0;   // at the end of each lane's window
  std::byte* local = nullptr;      // the warp's, 8-byte units interleaved by lane

  std::uint64_t pc_of(const CodeOp* op) const { return page_pc + 4 * static_cast<std::uint64_t>(op - page); }
};

// Called by the inner loop, compiled once (exec.cpp, exec_memory.cpp). All of them may set Exec::stop and its operands.
/// Replaces a not yet decoded instruction in place.
void decode_op(Exec& x, CodeOp& op);
/// Makes `pc` current; null after setting stop to fault or exited.
const CodeOp* find_code(Exec& x, std::uint64_t pc);
/// Host range of a global address with the permission, from the page tables; null if there is none.
const HostRange* fill_tlb(Exec& x, std::uint64_t address, Access access);
/// Host addresses of all lanes in `mask`; false after setting the fault. Checks everything.
bool resolve(Exec& x, const std::uint64_t* address, LaneMask mask, unsigned bytes, Access access, std::byte** host);
/// Loads (zero-extended) and stores lane by lane, each lane where it likes; false after a fault.
bool load_lanes(Exec& x, unsigned bytes, LaneMask mask, const std::uint64_t* address, std::uint64_t* value);
bool store_lanes(Exec& x, unsigned bytes, LaneMask mask, const std::uint64_t* address, const std::uint64_t* value);
/// Atomics, in the order of the lanes. Old values are zero-extended. `op` is a semantics::AmoOp.
bool amo_lanes(Exec& x, unsigned op, unsigned bytes, LaneMask mask, const std::uint64_t* address,
               const std::uint64_t* operand, std::uint64_t* old);
bool cas_lanes(Exec& x, unsigned bytes, LaneMask mask, const std::uint64_t* address, const std::uint64_t* expected,
               const std::uint64_t* desired, std::uint64_t* old);
bool lr_lanes(Exec& x, unsigned bytes, LaneMask mask, const std::uint64_t* address, std::uint64_t* value);
bool sc_lanes(Exec& x, unsigned bytes, LaneMask mask, const std::uint64_t* address, const std::uint64_t* value,
              std::uint64_t* failed);
bool read_csr(Exec& x, unsigned number, LaneMask mask, std::uint64_t* value);
bool write_csr(Exec& x, unsigned number, LaneMask mask, const std::uint64_t* value);
/// Whether all lanes of Exec::mask can execute an operation with these lane masks now. If not they are parked, or have faulted.
bool converge_lanes(Exec& x, const isa::Decoded& insn, const std::uint64_t* mask_operand);
void set_fault(Exec& x, FaultCause cause, LaneMask lanes, std::uint16_t detail = 0);

/// Floating point in any rounding mode with flags, lane by lane (exec_float.cpp). Values are bits, zero-extended.
enum class FloatOp : std::uint8_t {
  add,
  sub,
  mul,
  div,
  sqrt,
  fma,
  min,
  max,
  minm,
  maxm,
  eq,
  lt,
  le,
  ltq,
  leq,
  round,
  round_inexact,
  to_s32,
  to_u32,
  to_s64,
  to_u64,
  to_s32_modular,
  from_s32,
  from_u32,
  from_s64,
  from_u64,
  to_f16,
  to_f32,
  to_f64,
  to_bf16,
};
enum class FloatFormat : std::uint8_t { f16, f32, f64, bf16 };
struct FloatOperands {
  alignas(64) std::uint64_t a[kWarpLanes], b[kWarpLanes], c[kWarpLanes], result[kWarpLanes];
};
/// False after setting the fault: a reserved rounding mode. With `quiet`, no flags are kept.
bool exact_float(Exec& x, FloatOp op, FloatFormat format, unsigned rm, LaneMask mask, FloatOperands& v, bool quiet);

/// The inner loop for one level of the host's instruction set.
struct Engine {
  const char* name;
  Handler all[isa::kOpCount], some[isa::kOpCount];              // round to nearest, flags not kept
  Handler all_exact[isa::kOpCount], some_exact[isa::kOpCount];  // any rounding, flags kept
  Handler undecoded[2], page_end[2], illegal[2];
  /// Chooses lanes and executes them until something has to be done outside.
  void (*run)(Exec*);
  /// Executes an operation with a lane mask for the lanes in Exec::mask, which are complete, on Exec's register pointers.
  void (*run_sync)(Exec*, const isa::Decoded&);
};

namespace baseline {
extern const Engine kEngine;
}
namespace v3 {
extern const Engine kEngine;
}
namespace v4 {
extern const Engine kEngine;
}

}  // namespace castor::sm
