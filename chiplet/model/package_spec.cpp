#include "chiplet/model/package_spec.h"

#include <fmt/format.h>

#include <bit>

#include "gpu/abi/address_space.h"
#include "gpu/abi/discovery.h"
#include "gpu/abi/packet.h"

namespace castor::chiplet {
namespace {

struct Limit {
  const char* field;
  std::uint64_t value, least, most;
};

Status check_limits(const PackageSpec& s) {
  const Limit limits[] = {
      {"dies", s.dies, 1, CASTOR_MAX_DIES},
      {"sms_per_die", s.sms_per_die, 1, 64},
      {"warp_slots", s.warp_slots, 32, 128},
      {"cta_slots", s.cta_slots, 1, 64},
      {"shared_per_cta", s.shared_per_cta, 16u << 10, CASTOR_SHARED_STRIDE},
      {"shared_per_sm", s.shared_per_sm, s.shared_per_cta, 16u << 20},
      {"local_bytes", s.local_bytes, 4096, CASTOR_LOCAL_STRIDE},
      {"clock_khz", s.clock_khz, 1000, 100'000'000},
      {"hbm_bytes_per_die", s.hbm_bytes_per_die, 16u << 20, 1ull << 42},
      {"stacks_per_die", s.stacks_per_die, 1, 32},
      {"l2_bytes_per_die", s.l2_bytes_per_die, 0, 1u << 30},
      {"memory_clock_khz", s.memory_clock_khz, 1000, 100'000'000},
      {"stack_bus_bits", s.stack_bus_bits, 8, 1u << 16},
      {"interleave_bytes", s.interleave_bytes, 256, 1u << 21},
      {"link_bytes_per_ns", s.link_bytes_per_ns, 1, 1u << 20},
      {"stack_bytes_per_ns", s.stack_bytes_per_ns, 1, 1u << 20},
      {"contexts", s.contexts, 2, 4096},
      {"queues", s.queues, 1, 4096},
      {"vectors", s.vectors, 8, 64},
      {"copy_engines", s.copy_engines, 1, 16},
      {"host_workers", s.host_workers, 0, 256},
  };
  for (const Limit& limit : limits) {
    if (limit.value < limit.least || limit.value > limit.most) {
      return {StatusCode::invalid_value,
              fmt::format("{} is {}, which is not within {} to {}", limit.field, limit.value, limit.least, limit.most)};
    }
  }
  return {};
}

}  // namespace

std::uint64_t PackageSpec::bar2_bytes() const { return std::bit_ceil(std::uint64_t{contexts} * CASTOR_DOORBELL_PAGE); }

std::uint64_t PackageSpec::bar4_bytes() const { return std::bit_ceil(memory_bytes()); }

Status PackageSpec::check() const {
  if (Status status = check_limits(*this); !status) return status;
  if (!std::has_single_bit(interleave_bytes)) {
    return {StatusCode::invalid_value, "interleave_bytes must be a power of two"};
  }
  if (hbm_bytes_per_die % (std::uint64_t{stacks_per_die} << 21) != 0) {
    return {StatusCode::invalid_value, "hbm_bytes_per_die must be a multiple of 2 MiB for each of its stacks"};
  }
  for (std::size_t die = 0; die < sm_harvest.size(); ++die) {
    const std::uint64_t all = sms_per_die == 64 ? ~0ull : (1ull << sms_per_die) - 1;
    if (die >= dies) return {StatusCode::invalid_value, "sm_harvest has more entries than there are dies"};
    if ((sm_harvest[die] & all) == all) {
      return {StatusCode::invalid_value, fmt::format("sm_harvest leaves die {} no SM", die)};
    }
  }
  if (name.empty() || name.size() > 63) return {StatusCode::invalid_value, "name must have 1 to 63 characters"};
  return {};
}

}  // namespace castor::chiplet
