#include "gpu/sm/code_cache.h"

#include <cstring>

#include "gpu/abi/address_space.h"
#include "gpu/isa/csr.h"
#include "gpu/isa/decoder.h"

namespace castor::sm {

namespace {

/// Host address of the 4 KiB page of code at `pc`, null if it is none.
const std::byte* executable(std::uint64_t pc, MemoryPort& memory) {
  if (pc >= CASTOR_GLOBAL_LIMIT) return nullptr;
  const Translation t = memory.translate(VirtAddr{pc}, Access::execute);
  if (t.fault != FaultCause::none || !t.execute) return nullptr;
  return t.host + (pc - t.page.value);
}

bool accesses_float_csr(std::uint32_t word) {
  const unsigned csr = word >> 20;
  const bool zicsr = (word & 0x7f) == 0x73 && (word >> 12 & 3) != 0;
  return zicsr && csr >= static_cast<unsigned>(isa::Csr::fflags) && csr <= static_cast<unsigned>(isa::Csr::fcsr);
}

bool any_accesses_float_csr(const std::byte* page) {
  std::uint32_t words[kCodePageOps];
  std::memcpy(words, page, sizeof words);
  for (const std::uint32_t word : words) {
    if (accesses_float_csr(word)) return true;
  }
  return false;
}

/// Vector code rounds to nearest; conversions to integers and to integral values know the static modes too.
bool needs_exact(const isa::Decoded& insn) {
  constexpr unsigned kNearest = 0, kDynamic = 7;
  const isa::InsnDef& row = isa::def(insn.op);
  if (!row.rounding || insn.rm == kNearest || insn.rm == kDynamic) return false;
  const bool integral = insn.op == isa::Op::fround_s || insn.op == isa::Op::fround_d ||
                        insn.op == isa::Op::froundnx_s || insn.op == isa::Op::froundnx_d;
  return row.d == isa::RegFile::f && !integral;
}

}  // namespace

std::unique_ptr<CodePage> CodeCache::copy(std::uint64_t pc, const std::byte* host) const {
  auto page = std::make_unique<CodePage>();
  page->pc = pc;
  page->host = host;
  std::memcpy(page->words, host, sizeof page->words);
  for (CodeOp& op : page->ops) op.run[0] = engine_.undecoded[0], op.run[1] = engine_.undecoded[1];
  page->ops[kCodePageOps].run[0] = engine_.page_end[0];
  page->ops[kCodePageOps].run[1] = engine_.page_end[1];
  return page;
}

CodePage* CodeCache::page(std::uint64_t pc, MemoryPort& memory) {
  const std::uint64_t start = pc & ~(kCodePageBytes - 1);
  if (last_ != nullptr && last_->pc == start) return last_;
  auto found = pages_.find(start);
  if (found == pages_.end()) {
    const std::byte* host = executable(start, memory);
    if (host == nullptr) return nullptr;
    found = pages_.emplace(start, copy(start, host)).first;
  }
  return last_ = found->second.get();
}

void CodeCache::decode(const CodePage& page, CodeOp& op, bool exact) {
  op.insn = isa::decode(page.words[&op - page.ops]);
  if (op.insn.op == isa::Op::illegal) {
    op.run[0] = engine_.illegal[0];
    op.run[1] = engine_.illegal[1];
    return;
  }
  const auto index = static_cast<std::size_t>(op.insn.op);
  const isa::RegFile file = isa::def(op.insn.op).d;
  if (file == isa::RegFile::x) written_x_ |= 1u << op.insn.d;
  if (file == isa::RegFile::f) written_f_ |= 1u << op.insn.d;
  exact = exact || needs_exact(op.insn);
  op.run[0] = (exact ? engine_.all_exact : engine_.all)[index];
  op.run[1] = (exact ? engine_.some_exact : engine_.some)[index];
}

bool CodeCache::revalidate() {
  for (const auto& [pc, page] : pages_) {
    if (std::memcmp(page->words, page->host, sizeof page->words) == 0) continue;
    clear();
    return true;
  }
  return false;
}

void CodeCache::clear() {
  pages_.clear();
  last_ = nullptr;
  scanned_from_ = scanned_to_ = 0;
  scan_result_ = false;
}

bool CodeCache::sees_float_state(std::uint64_t entry, MemoryPort& memory) {
  constexpr std::uint64_t kReach = 64u << 20;
  if (entry >= scanned_from_ && entry < scanned_to_) return scan_result_;
  const std::uint64_t start = entry & ~(kCodePageBytes - 1);
  scanned_from_ = scanned_to_ = start;
  scan_result_ = false;
  const auto scan = [&](std::uint64_t pc) {
    const std::byte* host = executable(pc, memory);
    if (host != nullptr && any_accesses_float_csr(host)) scan_result_ = true;
    return host != nullptr;
  };
  while (scanned_to_ - start < kReach && scan(scanned_to_)) scanned_to_ += kCodePageBytes;
  while (start - scanned_from_ < kReach && scanned_from_ >= kCodePageBytes && scan(scanned_from_ - kCodePageBytes)) {
    scanned_from_ -= kCodePageBytes;
  }
  return scan_result_;
}

}  // namespace castor::sm
