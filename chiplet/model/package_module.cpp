#include "chiplet/model/package_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "chiplet/model/memory_router.h"
#include "gpu/model/gpu_module.h"
#include "platform/core/check.h"

namespace castor::chiplet {
namespace {

gpu::GpuSpec front_end_spec(const PackageSpec& spec) {
  gpu::GpuSpec out{.name = spec.name,
                   .serial = spec.serial,
                   .sms = {},
                   .warp_slots = spec.warp_slots,
                   .cta_slots = spec.cta_slots,
                   .shared_per_sm = spec.shared_per_sm,
                   .shared_per_cta = spec.shared_per_cta,
                   .local_bytes = spec.local_bytes,
                   .clock_khz = spec.clock_khz,
                   .memory_bytes = spec.memory_bytes(),
                   .contexts = spec.contexts,
                   .queues = spec.queues,
                   .vectors = spec.vectors,
                   .copy_engines = spec.copy_engines,
                   .host_workers = spec.host_workers,
                   .signed_firmware_only = spec.signed_firmware_only,
                   .test_hooks = spec.test_hooks};
  for (unsigned number = 0; number < spec.sms_per_die; ++number) {  // neighbours in number are on different dies
    for (unsigned die = 0; die < spec.dies; ++die) {
      const std::uint64_t harvest = die < spec.sm_harvest.size() ? spec.sm_harvest[die] : 0;
      if ((harvest >> number & 1) == 0) out.sms.push_back({die, number});
    }
  }
  return out;
}

gpu::PackageFacts facts(const PackageSpec& spec) {
  return {.dies = spec.dies,
          .l2_bytes = spec.l2_bytes_per_die * spec.dies,
          .memory_clock_khz = spec.memory_clock_khz,
          .memory_bus_bits = spec.stack_bus_bits * spec.stacks_per_die * spec.dies,
          .sm_harvest = spec.sm_harvest};
}

std::string size_text(std::uint64_t bytes) {
  if (bytes >= 1ull << 30 && bytes % (1ull << 30) == 0) return fmt::format("{} GiB", bytes >> 30);
  if (bytes >= 1ull << 20 && bytes % (1ull << 20) == 0) return fmt::format("{} MiB", bytes >> 20);
  return fmt::format("{} KiB", bytes >> 10);
}

}  // namespace

struct PackageModule::Impl {
  Impl(const PackageSpec& s, gpu::HostPort& host)
      : spec(s),
        map(s.dies, s.stacks_per_die, s.interleave_bytes),
        memory(s.memory_bytes()),
        dies(make_dies()),
        router("noc", spec, map, memory, pointers()),
        gpu("gpu", front_end_spec(s), facts(s), {memory, host, die_blocks()}) {
    gpu.memory.bind(router.in);
  }

  std::vector<std::unique_ptr<DieModule>> make_dies() {
    std::vector<std::unique_ptr<DieModule>> out;
    for (unsigned die = 0; die < spec.dies; ++die) {
      out.push_back(std::make_unique<DieModule>(fmt::format("die{}", die).c_str(), spec, die, map, memory));
    }
    return out;
  }

  std::vector<DieModule*> pointers() const {
    std::vector<DieModule*> out;
    for (const auto& die : dies) out.push_back(die.get());
    return out;
  }

  std::vector<gpu::GpuModule::ExtraBlock> die_blocks() {
    const auto* block = std::ranges::find(gpu::reg::kBlocks, CASTOR_BLOCK_DIE, &gpu::reg::BlockDef::type);
    std::vector<gpu::GpuModule::ExtraBlock> out;
    for (std::uint16_t die = 0; die < dies.size(); ++die) {
      out.push_back({block, {.base = gpu::GpuModule::die_base(die), .instance = die, .die = die}, &dies[die]->bank()});
    }
    return out;
  }

  PackageSpec spec;
  AddressMap map;
  gpu::DeviceMemory memory;
  std::vector<std::unique_ptr<DieModule>> dies;
  MemoryRouter router;
  gpu::GpuModule gpu;
};

PackageModule::PackageModule(sc_core::sc_module_name name, const PackageSpec& spec, gpu::HostPort& host)
    : sc_module(name), bar0("bar0"), bar2("bar2"), bar4("bar4"), upstream("upstream") {
  CHECK(spec.check().ok(), "a package needs a specification that has been checked");
  impl_ = std::make_unique<Impl>(spec, host);
  bar0.bind(impl_->gpu.bar0);
  bar2.bind(impl_->gpu.bar2);
  bar4.bind(impl_->router.in);
  impl_->gpu.upstream.bind(upstream);
}

PackageModule::~PackageModule() { shut_down(); }

void PackageModule::shut_down() { impl_->gpu.shut_down(); }

void PackageModule::reset() {
  impl_->gpu.request_reset();
  for (const auto& die : impl_->dies) die->reset();
}

PackageModule::Statistics PackageModule::statistics() const {
  const gpu::Dispatcher::Stats stats = impl_->gpu.statistics();
  return {stats.grids, stats.ctas, stats.warp_instructions, stats.thread_instructions,
          static_cast<double>(stats.busy_ns) / 1e9};
}

const PackageSpec& PackageModule::spec() const { return impl_->spec; }

std::string PackageModule::describe() const { return chiplet::describe(impl_->spec); }

std::string describe(const PackageSpec& s) {
  const gpu::GpuSpec front = front_end_spec(s);
  std::string text = fmt::format("{}: {} {}, {} SMs, {} device memory\n", s.name, s.dies, s.dies == 1 ? "die" : "dies",
                                 front.sms.size(), size_text(s.memory_bytes()));
  text += fmt::format(
      "  front end (die 0): GSP, host interface ({} queues, {} contexts, {} vectors), MMU, {} copy engine{}\n",
      s.queues, s.contexts, s.vectors, s.copy_engines, s.copy_engines == 1 ? "" : "s");
  for (unsigned die = 0; die < s.dies; ++die) {
    const auto sms = std::ranges::count(front.sms, die, &gpu::SmPlace::die);
    text += fmt::format("  die {}\n", die);
    text += fmt::format("    {} SMs at {} MHz: {} warps, {} CTAs, {} shared memory each\n", sms, s.clock_khz / 1000,
                        s.warp_slots, s.cta_slots, size_text(s.shared_per_sm));
    text += fmt::format("    L2 {}\n", size_text(s.l2_bytes_per_die));
    text += fmt::format("    {} HBM stack{}, {} each\n", s.stacks_per_die, s.stacks_per_die == 1 ? "" : "s",
                        size_text(s.hbm_bytes_per_die / s.stacks_per_die));
  }
  if (s.dies > 1) {
    text += fmt::format("  die-to-die link: {} GB/s each way, {} ns; memory interleaved every {} bytes\n",
                        s.link_bytes_per_ns, s.link_latency_ns, s.interleave_bytes);
  }
  return text;
}

}  // namespace castor::chiplet
