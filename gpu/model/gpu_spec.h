// GpuSpec: what the GPU's front end (everything but the dies) is built with. Filled in by chiplet/model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace castor::gpu {

/// One SM that takes CTAs.
struct SmPlace {
  unsigned die = 0;
  unsigned number_in_die = 0;
};

struct GpuSpec {
  std::string name = "Castor C2";
  std::uint64_t serial = 1;
  std::vector<SmPlace> sms;  // index = SM number in the device
  unsigned warp_slots = 48;  // of one SM
  unsigned cta_slots = 24;
  std::uint32_t shared_per_sm = 100u << 10;
  std::uint32_t shared_per_cta = 99u << 10;
  std::uint32_t local_bytes = 512u << 10;  // largest local memory of a thread
  std::uint32_t clock_khz = 1'800'000;
  std::uint64_t memory_bytes = 0;  // all dies
  unsigned contexts = 256;         // PASIDs and doorbell pages
  unsigned queues = 256;
  unsigned vectors = 64;  // MSI-X vectors = interrupt sources, at most 64
  unsigned copy_engines = 2;
  unsigned host_workers = 0;  // threads of the host that run SMs; 0: one for each processor of the host
  bool signed_firmware_only = false;
  bool test_hooks = true;
};

}  // namespace castor::gpu
