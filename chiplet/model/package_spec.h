// PackageSpec: the whole package as a configuration file describes it. Filled in by platform/board from TOML.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/core/status.h"

namespace castor::chiplet {

struct PackageSpec {
  std::string name = "Castor C2";  // what cudaGetDeviceProperties reports
  std::uint64_t serial = 1;

  unsigned dies = 2;
  unsigned sms_per_die = 8;
  std::vector<std::uint64_t> sm_harvest;  // a die's SMs that are fused off, one mask a die; missing: none
  unsigned warp_slots = 48;               // of one SM
  unsigned cta_slots = 24;
  std::uint32_t shared_per_sm = 100u << 10;
  std::uint32_t shared_per_cta = 99u << 10;
  std::uint32_t local_bytes = 512u << 10;  // largest local memory of one thread
  std::uint32_t clock_khz = 1'800'000;

  std::uint64_t hbm_bytes_per_die = 8ull << 30;
  unsigned stacks_per_die = 4;
  std::uint32_t l2_bytes_per_die = 32u << 20;
  std::uint32_t memory_clock_khz = 2'600'000;
  std::uint32_t stack_bus_bits = 1024;
  std::uint64_t interleave_bytes = 4096;  // of device addresses over dies, then stacks; a power of two, at least 256
  std::uint32_t l2_latency_ns = 120;
  std::uint32_t hbm_latency_ns = 250;
  std::uint32_t link_latency_ns = 40;
  std::uint32_t link_bytes_per_ns = 512;   // each way
  std::uint32_t stack_bytes_per_ns = 600;  // one stack

  unsigned contexts = 256;  // PASIDs and doorbell pages
  unsigned queues = 256;
  unsigned vectors = 64;  // MSI-X vectors, 8 to 64
  unsigned copy_engines = 2;
  unsigned host_workers = 0;  // threads of the host that run SMs; 0: one for each processor of the host
  bool signed_firmware_only = false;
  bool test_hooks = true;

  std::uint64_t memory_bytes() const { return hbm_bytes_per_die * dies; }
  std::uint64_t bar0_bytes() const { return 16u << 20; }
  /// Sizes of the BARs, powers of two.
  std::uint64_t bar2_bytes() const;
  std::uint64_t bar4_bytes() const;

  /// Whether such a package can be built; the status names the field and what is wrong with it.
  Status check() const;
};

}  // namespace castor::chiplet
