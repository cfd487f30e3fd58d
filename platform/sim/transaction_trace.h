// TransactionTrace: the ordered log of what went over the fabric, as a protocol analyser would show it. No SystemC types.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace castor::sim {

/// One packet. `data` is what it carries (empty for read requests), valid during the call only.
struct TraceRecord {
  std::uint64_t time_ps = 0;
  std::string_view from;       // "kmd", "gpu", …
  std::string_view kind = {};  // "CfgRd0", "MWr", "CplD", "MSI-X", …
  bool config = false;         // address is that of Tlp
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::span<const std::byte> data = {};
  std::string_view route = {};  // where: "link0", "rc"
};

class TransactionTrace {
 public:
  /// Gets every line, without newline, in order.
  using Sink = std::function<void(const std::string& line)>;
  /// Says what a packet means ("BAR0 gsp.DOORBELL", "doorbell"); empty if it does not know.
  using Namer = std::function<std::string(const TraceRecord& record)>;

  /// On from now on; an empty sink turns it off.
  void enable(Sink sink);
  /// Cheap: ask before filling in a record.
  bool enabled() const { return enabled_.load(std::memory_order_relaxed); }

  /// Namers are asked in order until one knows. Add them before the simulation starts.
  void add_namer(Namer namer);
  /// From any thread; ignored when off.
  void record(const TraceRecord& record);

 private:
  std::atomic<bool> enabled_ = false;
  std::mutex mutex_;
  Sink sink_;
  std::vector<Namer> namers_;
  std::uint64_t sequence_ = 0;
};

/// "bb:dd.f+0x123" of a configuration request.
std::string config_address_text(std::uint64_t address);

}  // namespace castor::sim
