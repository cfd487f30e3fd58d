#include "platform/sim/transaction_trace.h"

#include <fmt/format.h>

#include <cstring>

#include "platform/sim/tlp.h"

namespace castor::sim {
namespace {

std::string value_text(std::span<const std::byte> data) {
  if (data.empty() || data.size() > sizeof(std::uint64_t)) return {};
  std::uint64_t value = 0;
  std::memcpy(&value, data.data(), data.size());
  return fmt::format("= {:#x}", value);
}

}  // namespace

std::string_view name(TlpKind kind) {
  switch (kind) {
    case TlpKind::memory_read: return "MRd";
    case TlpKind::memory_write: return "MWr";
    case TlpKind::config_read: return "CfgRd";
    case TlpKind::config_write: return "CfgWr";
    case TlpKind::msix: return "MSI-X";
    case TlpKind::completion: return "Cpl";
    case TlpKind::completion_data: return "CplD";
  }
  return "?";
}

Transaction::Transaction(TlpKind kind, std::string_view initiator, std::uint64_t address, void* data,
                         std::size_t bytes) {
  tlp_.kind = kind;
  tlp_.initiator = initiator;
  set_command(sim::is_write(kind) ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  set_address(address);
  set_data_ptr(static_cast<unsigned char*>(data));
  set_data_length(static_cast<unsigned>(bytes));
  set_streaming_width(static_cast<unsigned>(bytes));
  set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  set_extension(&tlp_);
}

// The generic payload would free its extensions.
Transaction::~Transaction() { clear_extension(&tlp_); }

std::string config_address_text(std::uint64_t address) {
  return fmt::format("{:02x}:{:02x}.{}+{:#05x}", address >> 20 & 0xff, address >> 15 & 0x1f, address >> 12 & 7,
                     address & 0xfff);
}

void TransactionTrace::enable(Sink sink) {
  const std::lock_guard lock(mutex_);
  sink_ = std::move(sink);
  enabled_ = static_cast<bool>(sink_);
}

void TransactionTrace::add_namer(Namer namer) {
  const std::lock_guard lock(mutex_);
  namers_.push_back(std::move(namer));
}

void TransactionTrace::record(const TraceRecord& record) {
  if (!enabled()) return;
  const std::lock_guard lock(mutex_);
  if (!sink_) return;
  std::string meaning;
  for (const Namer& namer : namers_) {
    meaning = namer(record);
    if (!meaning.empty()) break;
  }
  const std::string where =
      record.config ? config_address_text(record.address) : fmt::format("{:#014x}", record.address);
  std::string line = fmt::format("{:>7} {:>14.3f} us  {:<12} {:<8} {:<5} {:<14} {:>5}  {:<20} {}", sequence_++,
                                 static_cast<double>(record.time_ps) / 1e6, record.route, record.from, record.kind,
                                 where, record.bytes, value_text(record.data), meaning);
  line.erase(line.find_last_not_of(' ') + 1);
  sink_(line);
}

}  // namespace castor::sim
