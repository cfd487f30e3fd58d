// Decoded code of one context. A page is copied when it is first executed and its instructions decoded one by one as they
// are reached. The copies are compared with memory at the start of each grid, so that a module loaded over another one is
// never mistaken for it even if nobody invalidated anything.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "gpu/sm/exec.h"
#include "gpu/sm/memory_port.h"

namespace castor::sm {

struct CodePage {
  std::uint64_t pc = 0;             // of its first instruction
  const std::byte* host = nullptr;  // where it was copied from
  std::uint32_t words[kCodePageOps];
  CodeOp ops[kCodePageOps + 1];  // the last one leads to the next page
};

class CodeCache {
 public:
  explicit CodeCache(const Engine& engine) : engine_(engine) {}

  /// The page that holds `pc`, or null if it cannot be executed.
  CodePage* page(std::uint64_t pc, MemoryPort& memory);
  /// Fills in an undecoded op of a page. `exact`: keep floating-point flags and take any rounding mode.
  void decode(const CodePage& page, CodeOp& op, bool exact);

  /// Registers that some instruction decoded so far may have written, one bit each.
  std::uint32_t written_x() const { return written_x_; }
  std::uint32_t written_f() const { return written_f_; }

  /// Forgets everything if any copied page differs from memory; true if so.
  bool revalidate();
  void clear();

  /// Whether the stretch of executable pages around `entry` has an instruction that reads or writes fflags, frm or fcsr:
  /// only then can the program see flags, or round dynamically in another way than to nearest.
  bool sees_float_state(std::uint64_t entry, MemoryPort& memory);

 private:
  std::unique_ptr<CodePage> copy(std::uint64_t pc, const std::byte* host) const;

  const Engine& engine_;
  std::unordered_map<std::uint64_t, std::unique_ptr<CodePage>> pages_;
  CodePage* last_ = nullptr;
  std::uint32_t written_x_ = 0, written_f_ = 0;      // survive `clear`: the registers do too
  std::uint64_t scanned_from_ = 0, scanned_to_ = 0;  // stretch that sees_float_state has looked at
  bool scan_result_ = false;
};

}  // namespace castor::sm
