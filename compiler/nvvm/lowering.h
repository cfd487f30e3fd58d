// What the handlers of nvvm_ops.inc work with.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <string_view>

#include "compiler/nvvm/machine_ops.h"

namespace castor::compiler {

struct NvvmRow;

/// One call of an NVVM intrinsic being replaced: the builder stands in front of it.
struct Lowering {
  llvm::IRBuilder<>& builder;
  llvm::CallInst& call;
  std::string_view name;  // without "llvm.nvvm."
  const NvvmRow& row;

  llvm::Value* arg(unsigned i) const { return call.getArgOperand(i); }
  /// Operand i as an instruction takes it: 64 bits, floats by their bits.
  llvm::Value* word(unsigned i) const;
  /// An instruction's 64-bit result in the shape of the call's type.
  llvm::Value* as(llvm::Type* type, llvm::Value* word) const;
};

/// Returns what the call's uses become; null for a call without result.
using NvvmHandler = llvm::Value* (*)(const Lowering&);

struct NvvmRow {
  std::string_view name;
  NvvmHandler handler;
  isa::Op op = isa::Op::illegal;
  isa::Csr csr{};
  unsigned fixed = 0;
};

/// The row whose name is the longest dotted prefix of `name`; null if there is none.
const NvvmRow* find_nvvm_row(std::string_view name);

#define HANDLER(name) llvm::Value* name(const Lowering& l)
namespace lower {
// special registers, barriers, warp: lower_warp.cpp
HANDLER(sreg);
HANDLER(fixed);
HANDLER(no_operands);
HANDLER(barrier_all);
HANDLER(barrier_id);
HANDLER(barrier_count);
HANDLER(barrier_reduce);
HANDLER(warp_barrier);
HANDLER(shuffle);
HANDLER(vote);
HANDLER(match_any_lanes);
HANDLER(match_all_lanes);
HANDLER(reduce);
HANDLER(atomic_wrap);
// arithmetic: lower_arithmetic.cpp
HANDLER(integer);
HANDLER(multiply_high_signed);
HANDLER(multiply_high_unsigned);
HANDLER(multiply_24_signed);
HANDLER(multiply_24_unsigned);
HANDLER(sad_signed);
HANDLER(sad_unsigned);
HANDLER(float_unary);
HANDLER(divide);
HANDLER(divide_one);
HANDLER(rsqrt_double);
HANDLER(square_root);
HANDLER(rounded);
HANDLER(rounded_reciprocal);
HANDLER(minimum);
HANDLER(maximum);
HANDLER(absolute);
HANDLER(round_up);
HANDLER(round_down);
HANDLER(round_to_zero);
HANDLER(round_to_even);
// conversions: lower_conversion.cpp
HANDLER(float_to_int);
HANDLER(int_to_float);
HANDLER(double_to_float);
HANDLER(double_high);
HANDLER(double_low);
HANDLER(double_of_words);
HANDLER(bit_cast);
HANDLER(float_to_half);
// memory: lower_memory.cpp
HANDLER(fence);
HANDLER(load_constant);
HANDLER(pointer_cast);
HANDLER(same_value);
HANDLER(in_global);
HANDLER(in_shared);
HANDLER(in_local);
}  // namespace lower
#undef HANDLER

}  // namespace castor::compiler
