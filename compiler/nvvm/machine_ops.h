// Xcastor instructions and CSRs in LLVM IR: inline assembly whose text and constraints come from the rows of gpu/isa.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <string_view>

#include "gpu/isa/csr.h"
#include "gpu/isa/insn.h"

namespace castor::compiler {

/// What an instruction does besides computing its result, as the optimiser must see it.
enum class Effect : std::uint8_t {
  pure,        // a function of its operands
  convergent,  // talks to other lanes; must keep its place in the control flow
  memory,      // orders or changes memory
  sync,        // both
};

/// The CSR's value, 64 bits. Those that change while a thread runs (clocks) are read each time.
llvm::CallInst* read_csr(llvm::IRBuilder<>& builder, isa::Csr csr);

/// One Xcastor instruction. Integer operands are 64 bits wide; `result` is void, i64, float or double.
llvm::CallInst* emit_op(llvm::IRBuilder<>& builder, isa::Op op, llvm::Type* result,
                        llvm::ArrayRef<llvm::Value*> operands);

/// One instruction of the base ISA, written out ("fadd.s $0, $1, $2, rtz").
llvm::CallInst* emit_asm(llvm::IRBuilder<>& builder, std::string_view text, std::string_view constraints,
                         llvm::Type* result, llvm::ArrayRef<llvm::Value*> operands, Effect effect);

}  // namespace castor::compiler
