// CopyEngine: block CE. Cuts one COPY or FILL packet into pieces that lie within one page on either side. Moves no data itself.
//
// The model that other blocks follow: Spec is fixed when built, State is all that changes (reset is one assignment), the
// register bank shows it, handlers change State and call update(). copy_engine_module.h adds sockets and time.
#pragma once

#include <cstdint>

#include "gpu/model/mmu.h"
#include "gpu/model/packet.h"
#include "platform/core/register_bank.h"

namespace castor::gpu {

/// A place in the device's own memory or on the host's bus.
struct Place {
  bool host = false;
  std::uint64_t address = 0;
};

class CopyEngine {
 public:
  struct Spec {
    std::uint64_t host_piece = 4096;     // a bus transaction neither exceeds nor crosses this
    std::uint64_t device_piece = 65536;  // longest piece between two places in device memory
  };

  struct Piece {
    enum class Kind { done, copy, fill, fault } kind = Kind::done;
    Place source{}, destination{};
    std::uint64_t bytes = 0;
    std::uint32_t pattern = 0;  // fill: four bytes as they stand in memory at the destination's start
    Fault fault{};
  };

  explicit CopyEngine(const Spec& spec);

  RegisterBank& bank() { return bank_; }
  bool enabled() const;
  bool busy() const { return state_.busy; }

  /// Takes a packet; the engine is not busy.
  void begin(std::uint16_t pasid, const Packet& packet);
  /// What to move next, translated now. After `done` and `fault` the engine is free again.
  Piece next(const Mmu& mmu);
  /// The last piece has been moved.
  void moved(std::uint64_t bytes);
  /// Gives the packet up.
  void abort();
  void reset();

 private:
  struct State {
    bool busy = false, is_fill = false;
    std::uint16_t pasid = 0;
    std::uint64_t source = 0, destination = 0;  // of the first row
    std::uint64_t row_bytes = 0, source_pitch = 0, destination_pitch = 0;
    std::uint64_t rows = 0, row = 0, offset = 0;  // offset in the row
    std::uint32_t pattern = 0;
    std::uint64_t bytes_moved = 0;
    std::uint32_t packets = 0;
  };

  Piece end(Piece::Kind kind, const Fault& fault = {});
  void update();

  Spec spec_;
  RegisterBank bank_;
  State state_;
};

}  // namespace castor::gpu
