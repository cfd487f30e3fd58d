// Cases for GuestProgram, made from the rows: every instruction of a chapter with the operands that suit it.
#pragma once

#include <set>
#include <string_view>

#include "tests/gpu/hart/guest_program.h"

namespace castor::hart::testing {

/// Chapters are named as -march writes them.
using Chapters = std::set<std::string_view>;

/// Instructions from x registers to an x register, with several immediates where they have one.
void add_integer_cases(GuestProgram& program, const Chapters& chapters);
/// Branches of every kind, forwards and backwards; jumps whose result does not tell where the code lies.
void add_branch_cases(GuestProgram& program);
/// Instructions whose result is an address of code.
void add_pc_cases(GuestProgram& program);
/// Loads and stores of all sizes, floating-point ones too.
void add_memory_cases(GuestProgram& program);
/// The A extension: register and memory afterwards; lr and sc.
void add_atomic_cases(GuestProgram& program);
void add_float_csr_cases(GuestProgram& program);

/// `all`: static modes and frm. `nearest`: rne alone, with no access to a floating-point CSR.
enum class Modes { all, nearest };

/// Instructions on one format (but no conversions among formats), of its own chapter and, if asked, of Zfa. The number of
/// instructions.
template <class F>
std::size_t add_format_cases(GuestProgram& program, Modes modes, bool zfa);
/// Conversions among formats; the number of instructions.
std::size_t add_conversion_cases(GuestProgram& program, Modes modes, bool bfloat);

}  // namespace castor::hart::testing
