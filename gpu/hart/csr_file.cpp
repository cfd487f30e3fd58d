#include "gpu/hart/csr_file.h"

#include "gpu/isa/csr.h"

namespace castor::hart {
namespace {

constexpr std::uint64_t kInterrupts = 1 << 3 | 1 << 7 | 1 << 11;

constexpr std::uint64_t letters(std::string_view extensions) {
  std::uint64_t bits = 0;
  for (char c : extensions) bits |= std::uint64_t{1} << (c - 'A');
  return bits;
}

}  // namespace

/// Machine mode is the only one, so MPP reads 3. SD summarises a dirty FS.
std::uint64_t CsrFile::mstatus() const {
  const std::uint64_t dirty = (state_.mstatus & kFs) == kFs ? std::uint64_t{1} << 63 : 0;
  return state_.mstatus | kMpp | dirty;
}

std::optional<std::uint64_t> CsrFile::read(unsigned number) const {
  using isa::Csr;
  switch (static_cast<Csr>(number)) {
    case Csr::fflags: return floats_on() ? std::optional<std::uint64_t>(state_.fcsr & 31) : std::nullopt;
    case Csr::frm: return floats_on() ? std::optional<std::uint64_t>(state_.fcsr >> 5) : std::nullopt;
    case Csr::fcsr: return floats_on() ? std::optional<std::uint64_t>(state_.fcsr) : std::nullopt;
    case Csr::cycle:
    case Csr::mcycle:
    case Csr::instret:
    case Csr::minstret: return state_.instret;
    case Csr::time: return state_.time;
    case Csr::mstatus: return mstatus();
    case Csr::misa: return std::uint64_t{2} << 62 | letters(spec_.floats ? "ADFIM" : "AIM");
    case Csr::mie: return state_.mie;
    case Csr::mip: return state_.mip;
    case Csr::mtvec: return state_.mtvec;
    case Csr::mscratch: return state_.mscratch;
    case Csr::mepc: return state_.mepc;
    case Csr::mcause: return state_.mcause;
    case Csr::mtval: return state_.mtval;
    case Csr::mvendorid:
    case Csr::marchid:
    case Csr::mimpid: return 0;
    case Csr::mhartid: return spec_.hart_id;
    default: return std::nullopt;
  }
}

bool CsrFile::write(unsigned number, std::uint64_t value) {
  using isa::Csr;
  if (isa::csr_read_only(number) || !read(number)) return false;
  switch (static_cast<Csr>(number)) {
    case Csr::fflags: state_.fcsr = (state_.fcsr & 0xe0) | (value & 31); break;
    case Csr::frm: state_.fcsr = (state_.fcsr & 31) | (value & 7) << 5; break;
    case Csr::fcsr: state_.fcsr = value & 0xff; break;
    case Csr::mcycle:
    case Csr::minstret: state_.instret = value; break;
    case Csr::mstatus: state_.mstatus = value & (kMie | kMpie | (spec_.floats ? kFs : 0)); break;
    case Csr::mie: state_.mie = value & kInterrupts; break;
    case Csr::mtvec: state_.mtvec = value & ~std::uint64_t{2}; break;
    case Csr::mscratch: state_.mscratch = value; break;
    case Csr::mepc: state_.mepc = value & ~std::uint64_t{3}; break;
    case Csr::mcause: state_.mcause = value; break;
    case Csr::mtval: state_.mtval = value; break;
    default: break;  // misa and mip: no bit of them sticks
  }
  return true;
}

void CsrFile::enter_trap(std::uint64_t cause, std::uint64_t value) {
  state_.mepc = state_.pc;
  state_.mcause = cause;
  state_.mtval = value;
  const bool enabled = interrupts_on();
  state_.mstatus = (state_.mstatus & ~(kMie | kMpie)) | (enabled ? kMpie : 0);
  const bool vectored = (state_.mtvec & 1) != 0 && (cause & kInterrupt) != 0;
  state_.pc = (state_.mtvec & ~std::uint64_t{3}) + (vectored ? 4 * (cause & 0xff) : 0);
}

void CsrFile::trap_return() {
  const bool enabled = (state_.mstatus & kMpie) != 0;
  state_.mstatus = (state_.mstatus & ~kMie) | kMpie | (enabled ? kMie : 0);
}

}  // namespace castor::hart
