// Machine: the whole computer, built from a MachineSpec. The simulation runs on a thread of its own. One at a time in a process.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "platform/board/machine_spec.h"
#include "platform/core/result.h"

namespace castor::board {

struct MachineOptions {
  std::string firmware;                           // path of the GSP's firmware image
  std::function<void(const std::string&)> trace;  // gets a line a transaction; empty: no trace
};

class Machine {
 public:
  /// Builds the machine and brings it up: the driver has found the GPU and its firmware answers.
  static Result<std::unique_ptr<Machine>> start(const MachineSpec& spec, const MachineOptions& options);
  ~Machine();

  /// Lets clients in: at a socket of this path, or the peer of an open socket (whose descriptor it takes).
  Status listen(const std::string& socket_path);
  Status adopt(int socket);
  /// What the GPU has executed so far.
  struct Statistics {
    std::uint64_t kernels = 0, blocks = 0, warp_instructions = 0, thread_instructions = 0;
    double kernel_seconds = 0;  // of the computer's own time, while a kernel was running
  };
  Statistics statistics() const;
  /// Blocks until a client has been there and the last one has gone.
  void wait_until_unused();
  /// Environment variable that tells clients the path.
  static const char* socket_variable();

  /// Ends the connections, the guest's work and the simulation. Safe to call twice.
  void stop();

 private:
  class Impl;
  explicit Machine(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

/// What the machine consists of, drawn as a tree, from the modules as they are connected (nothing is simulated).
Result<std::string> draw_topology(const MachineSpec& spec);

}  // namespace castor::board
