// lay_out_shared
//   before: __shared__ variables are globals of address space 3, `extern __shared__` ones without a definition
//   after:  none is left. A static one is a fixed offset in the module's one thread-local arena (tp + offset); variables
//           that no kernel uses together overlay each other. Dynamic ones are the address in CSR dynshared.
//           Each kernel's need is in its descriptor's shared_static
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "compiler/module/source_location.h"
#include "compiler/nvvm/call_graph.h"
#include "compiler/nvvm/machine_ops.h"
#include "compiler/nvvm/passes.h"

namespace castor::compiler {
namespace {

using namespace llvm;

struct Variable {
  GlobalVariable* global;
  std::uint64_t size;
  Align align;
  std::set<std::size_t> kernels;  // indices of the kernels that can reach it
  std::uint64_t offset = 0;
};

bool is_dynamic(const GlobalVariable& global) {
  return global.isDeclaration() ||
         (global.getValueType()->isArrayTy() && global.getValueType()->getArrayNumElements() == 0);
}

/// Functions in whose code `value` is used, through constant expressions too.
void using_functions(const Value& value, std::set<const Function*>& functions) {
  for (const auto* user : value.users()) {
    if (const auto* instruction = dyn_cast<Instruction>(user)) {
      functions.insert(instruction->getFunction());
    } else if (llvm::isa<Constant>(user)) {
      using_functions(*user, functions);
    }
  }
}

bool used_together(const Variable& a, const Variable& b) {
  return std::any_of(a.kernels.begin(), a.kernels.end(),
                     [&b](std::size_t kernel) { return b.kernels.contains(kernel); });
}

/// The lowest offset at which `variable` hits nothing placed that it is used together with.
std::uint64_t first_fit(const Variable& variable, const std::vector<Variable*>& placed) {
  std::vector<const Variable*> conflicts;
  for (const auto* other : placed)
    if (used_together(variable, *other)) conflicts.push_back(other);
  std::sort(conflicts.begin(), conflicts.end(), [](auto* a, auto* b) { return a->offset < b->offset; });
  std::uint64_t offset = 0;
  for (const auto* other : conflicts) {
    if (offset + variable.size <= other->offset) break;
    offset = std::max(offset, alignTo(other->offset + other->size, variable.align));
  }
  return offset;
}

void place(std::vector<Variable>& variables) {
  std::vector<Variable*> order, placed;
  for (auto& variable : variables) order.push_back(&variable);
  // Pointers into one vector: equal alignments keep the order of declaration.
  std::sort(order.begin(), order.end(),
            [](auto* a, auto* b) { return a->align != b->align ? a->align > b->align : a < b; });
  for (auto* variable : order) {
    variable->offset = first_fit(*variable, placed);
    placed.push_back(variable);
  }
}

GlobalVariable* create_arena(Module& module, const std::vector<Variable>& variables) {
  std::uint64_t size = 0;
  Align align(16);
  for (const auto& variable : variables) {
    size = std::max(size, variable.offset + variable.size);
    align = std::max(align, variable.align);
  }
  auto* type = ArrayType::get(Type::getInt8Ty(module.getContext()), size);
  auto* arena = new GlobalVariable(module, type, false, GlobalValue::InternalLinkage, ConstantAggregateZero::get(type),
                                   "__castor_shared", nullptr, GlobalValue::LocalExecTLSModel);
  arena->setAlignment(align);
  arena->setDSOLocal(true);
  return arena;
}

void move_debug_info(const Variable& variable, GlobalVariable& arena) {
  SmallVector<DIGlobalVariableExpression*> expressions;
  variable.global->getDebugInfo(expressions);
  auto& context = arena.getContext();
  for (auto* expression : expressions) {
    // clang says with a leading DW_OP_constu/swap/xderef that the variable lies in NVPTX's shared space.
    auto* moved = DIExpression::get(context, {dwarf::DW_OP_plus_uconst, variable.offset});
    arena.addDebugInfo(DIGlobalVariableExpression::get(context, expression->getVariable(), moved));
  }
}

void replace_static(const Variable& variable, GlobalVariable& arena) {
  auto& context = arena.getContext();
  move_debug_info(variable, arena);
  auto* place = ConstantExpr::getInBoundsGetElementPtr(Type::getInt8Ty(context), &arena,
                                                       ConstantInt::get(Type::getInt64Ty(context), variable.offset));
  variable.global->replaceAllUsesWith(ConstantExpr::getAddrSpaceCast(place, variable.global->getType()));
  variable.global->eraseFromParent();
}

/// Every use becomes an instruction that reads the CSR in the entry block of the function.
void replace_dynamic(GlobalVariable& global) {
  SmallVector<Constant*> constants{&global};
  convertUsersOfConstantsToInstructions(constants);
  std::map<Function*, Value*> addresses;
  for (auto& use : make_early_inc_range(global.uses())) {
    auto* instruction = cast<Instruction>(use.getUser());
    auto& address = addresses[instruction->getFunction()];
    if (address == nullptr) {
      auto& entry = instruction->getFunction()->getEntryBlock();
      IRBuilder<> builder(&entry, entry.begin());
      auto* number = read_csr(builder, isa::Csr::dynshared);
      address = builder.CreateIntToPtr(number, global.getType(), global.getName());
    }
    use.set(address);
  }
  global.eraseFromParent();
}

/// As much as CUDA lets a kernel declare; more has to be dynamic and opted in to.
constexpr std::uint32_t kStaticSharedMax = 48u << 10;

Status check_size(const DeviceModule& module) {
  for (const auto& kernel : module.kernels)
    if (kernel.desc.shared_static > kStaticSharedMax)
      return {StatusCode::invalid_value,
              fmt::format("error: kernel {} uses too much static shared memory ({} bytes, {} at most)",
                          demangled(kernel.name), kernel.desc.shared_static, kStaticSharedMax)};
  return {};
}

}  // namespace

Status lay_out_shared(DeviceModule& module) {
  const auto& layout = module.ir->getDataLayout();
  std::vector<Variable> variables;
  std::vector<GlobalVariable*> dynamic;
  for (auto& global : module.ir->globals()) {
    if (global.getAddressSpace() != 3) continue;
    global.removeDeadConstantUsers();
    if (is_dynamic(global)) {
      dynamic.push_back(&global);
    } else {
      variables.push_back({&global,
                           layout.getTypeAllocSize(global.getValueType()),
                           layout.getValueOrABITypeAlignment(global.getAlign(), global.getValueType()),
                           {}});
    }
  }
  const CallGraph graph(*module.ir);
  std::vector<std::set<const Function*>> users(variables.size());
  for (std::size_t v = 0; v < variables.size(); ++v) using_functions(*variables[v].global, users[v]);
  for (std::size_t k = 0; k < module.kernels.size(); ++k) {
    const auto reached = graph.reachable(module.function(module.kernels[k]));
    for (std::size_t v = 0; v < variables.size(); ++v)
      if (std::any_of(users[v].begin(), users[v].end(), [&](auto* user) { return reached.contains(user); }))
        variables[v].kernels.insert(k);
  }
  place(variables);
  if (!variables.empty()) {
    auto* arena = create_arena(*module.ir, variables);
    for (const auto& variable : variables) {
      for (const auto k : variable.kernels) {
        auto& need = module.kernels[k].desc.shared_static;
        need = std::max(need, static_cast<std::uint32_t>(variable.offset + variable.size));
      }
      replace_static(variable, *arena);
    }
  }
  for (auto* global : dynamic) replace_dynamic(*global);
  return check_size(module);
}

}  // namespace castor::compiler
