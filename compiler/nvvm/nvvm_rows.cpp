#include <algorithm>
#include <map>

#include "compiler/nvvm/lowering.h"

namespace castor::compiler {
namespace {

constexpr NvvmRow kRows[] = {
#define SREG(name, csr) {name, lower::sreg, isa::Op::illegal, isa::Csr::csr, 0},
#define FIXED(name, value) {name, lower::fixed, isa::Op::illegal, {}, value},
#define OP(name, handler, op) {name, lower::handler, isa::Op::op, {}, 0},
#define EXPAND(name, handler) {name, lower::handler, isa::Op::illegal, {}, 0},
#include "compiler/nvvm/nvvm_ops.inc"
#undef SREG
#undef FIXED
#undef OP
#undef EXPAND
};

}  // namespace

const NvvmRow* find_nvvm_row(std::string_view name) {
  static const auto rows = [] {
    std::map<std::string_view, const NvvmRow*> map;
    for (const auto& row : kRows) map.emplace(row.name, &row);
    return map;
  }();
  for (;;) {
    const auto place = rows.find(name);
    if (place != rows.end()) return place->second;
    const auto dot = name.rfind('.');
    if (dot == std::string_view::npos) return nullptr;
    name = name.substr(0, dot);
  }
}

}  // namespace castor::compiler
