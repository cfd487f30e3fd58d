// What a fabric transaction is, beyond what TLM's generic payload says: kind and requester, carried as its extension.
#pragma once

#include <cstdint>
#include <string_view>

#include "platform/sim/systemc.h"

namespace castor::sim {

enum class TlpKind : std::uint8_t {
  memory_read,
  memory_write,
  config_read,
  config_write,
  msix,        // a memory write that raises an interrupt of the host
  completion,  // without data
  completion_data,
};
/// "MRd", "MWr", … as PCI Express writes them.
std::string_view name(TlpKind kind);

/// Address of configuration requests: bus, device, function in bits 27..12 as ECAM has them, register below.
struct Tlp : tlm::tlm_extension<Tlp> {
  TlpKind kind = TlpKind::memory_read;
  std::uint16_t requester = 0;       // bus << 8 | device << 3 | function
  std::string_view initiator;        // who began it, as the trace names it; a literal
  const char* refused_by = nullptr;  // set by the hop that answers "unsupported request"

  tlm::tlm_extension_base* clone() const override { return new Tlp(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const Tlp&>(other); }
};

/// A payload with its extension, on the stack of the initiator for as long as the call lasts.
class Transaction : public tlm::tlm_generic_payload {
 public:
  Transaction(TlpKind kind, std::string_view initiator, std::uint64_t address, void* data, std::size_t bytes);
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction() override;

  Tlp& tlp() { return tlp_; }
  bool ok() const { return get_response_status() == tlm::TLM_OK_RESPONSE; }

 private:
  Tlp tlp_;
};

inline bool is_write(TlpKind kind) {
  return kind == TlpKind::memory_write || kind == TlpKind::config_write || kind == TlpKind::msix;
}
/// Posted: no completion comes back.
inline bool is_posted(TlpKind kind) { return kind == TlpKind::memory_write || kind == TlpKind::msix; }

}  // namespace castor::sim
