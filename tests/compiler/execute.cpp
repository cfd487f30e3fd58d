#include "tests/compiler/execute.h"

#include <algorithm>
#include <cstring>
#include <list>

#include "gpu/abi/address_space.h"
#include "gpu/sm/sm.h"

namespace castor::compiler::test {
namespace {

constexpr std::uint64_t kModuleBase = 0x10000000, kBufferBase = 0x20000000, kParamBase = 0x40000000;

/// Global memory: a few mapped ranges.
class Memory : public sm::MemoryPort {
 public:
  std::byte* map(std::uint64_t base, std::uint64_t bytes) {
    const auto size = (bytes + 4095) / 4096 * 4096;
    regions_.push_back({base, size, std::vector<std::byte>(size + 4096)});
    auto* aligned = regions_.back().content.data();
    return aligned;
  }
  sm::Translation translate(VirtAddr address, Access) override {
    sm::Translation t;
    for (auto& region : regions_) {
      if (address.value - region.base >= region.bytes) continue;
      const auto page = address.value & ~std::uint64_t{4095};
      t.page = VirtAddr{page};
      t.page_bytes = 4096;
      t.host = region.content.data() + (page - region.base);
      t.read = t.write = t.execute = t.atomic = true;
      return t;
    }
    t.fault = FaultCause::illegal_address;
    return t;
  }

 private:
  struct Region {
    std::uint64_t base, bytes;
    std::vector<std::byte> content;
  };
  std::list<Region> regions_;
};

class Machine {
 public:
  Machine(const ModuleView& module, const CaseFile& file) : module_(module), file_(file), sm_(sm::SmSpec{}) {
    load_module();
    map_buffers();
  }

  Execution run() {
    for (const auto& launch : file_.launches) {
      if (!run_launch(launch)) break;
    }
    for (const auto& [name, place] : buffers_) {
      const auto* first = reinterpret_cast<const std::uint8_t*>(place.host);
      result_.buffers[name] = {first, first + place.bytes};
    }
    return result_;
  }

 private:
  struct Place {
    std::uint64_t address;
    std::byte* host;
    std::size_t bytes;
  };

  void load_module() {
    std::uint64_t end = 0;
    for (const auto& segment : module_.segments) end = std::max(end, segment.address + segment.memory_bytes);
    auto* image = memory_.map(kModuleBase, end);
    for (const auto& segment : module_.segments)
      std::transform(segment.content.begin(), segment.content.end(), image + segment.address,
                     [](std::uint8_t byte) { return std::byte{byte}; });
    for (const auto& [place, addend] : module_.relative) {
      const std::uint64_t value = kModuleBase + static_cast<std::uint64_t>(addend);
      std::memcpy(image + place, &value, sizeof value);
    }
  }

  void map_buffers() {
    std::uint64_t address = kBufferBase;
    for (const auto& buffer : file_.buffers) {
      const auto content = buffer.values.bytes();
      auto* host = memory_.map(address, content.size());
      std::memcpy(host, content.data(), content.size());
      buffers_[buffer.name] = {address, host, content.size()};
      address += 0x1000000;
    }
    params_ = memory_.map(kParamBase, 4096);
  }

  bool put_arguments(const Launch& launch, const std::vector<castor_note_param>& params) {
    if (params.size() != launch.arguments.size()) {
      result_.problem = "launch " + launch.kernel + " has the wrong number of arguments";
      return false;
    }
    for (std::size_t i = 0; i < params.size(); ++i) {
      const auto& text = launch.arguments[i];
      const auto equals = text.find('=');
      std::vector<std::uint8_t> bytes;
      if (equals != std::string::npos) {
        bytes = parse_values(text.substr(0, equals) + " " + text.substr(equals + 1)).bytes();
      } else if (buffers_.contains(text)) {
        const auto* first = reinterpret_cast<const std::uint8_t*>(&buffers_[text].address);
        bytes.assign(first, first + 8);
      }
      if (bytes.size() != params[i].size) {
        result_.problem = "argument " + text + " of " + launch.kernel + " has the wrong size";
        return false;
      }
      std::memcpy(params_ + params[i].offset, bytes.data(), bytes.size());
    }
    return true;
  }

  bool run_launch(const Launch& launch) {
    const auto kernel = module_.find_kernel(launch.kernel);
    if (kernel.empty() || !module_.params.contains(kernel)) {
      result_.problem = "no kernel " + launch.kernel;
      return false;
    }
    if (!put_arguments(launch, module_.params.at(kernel))) return false;
    const auto& desc = module_.kernels.at(kernel);
    const auto place = kModuleBase + module_.symbols.at(kernel + CASTOR_KERNEL_SUFFIX);
    const auto before = sm_.stats();
    for (std::uint32_t z = 0; z < launch.grid[2]; ++z)
      for (std::uint32_t y = 0; y < launch.grid[1]; ++y)
        for (std::uint32_t x = 0; x < launch.grid[0]; ++x) {
          sm::CtaLaunch cta;
          cta.memory = &memory_;
          cta.grid = {launch.grid[0], launch.grid[1], launch.grid[2]};
          cta.block = {launch.block[0], launch.block[1], launch.block[2]};
          cta.index = {x, y, z};
          cta.kernel = VirtAddr{place};
          cta.entry = VirtAddr{place + static_cast<std::uint64_t>(desc.entry)};
          cta.params = VirtAddr{kParamBase};
          cta.shared_static = desc.shared_static;
          cta.shared_dynamic = launch.dynamic;
          // What a driver gives a kernel whose need is not known.
          cta.local_bytes = (desc.flags & CASTOR_KERNEL_UNBOUNDED_STACK) != 0 ? 16384 : desc.local_bytes;
          if (!run_cta(cta)) return false;
        }
    const auto& after = sm_.stats();
    result_.simd_percent = 100.0 * static_cast<double>(after.thread_instructions - before.thread_instructions) /
                           (32.0 * static_cast<double>(after.issued - before.issued));
    return true;
  }

  bool run_cta(const sm::CtaLaunch& cta) {
    if (const auto status = sm_.launch(cta); !status) {
      result_.problem = status.message();
      return false;
    }
    std::uint64_t issued = 0;
    for (;;) {
      const auto report = sm_.run(1'000'000);
      issued += report.issued;
      if (report.fault) {
        result_.fault = std::string(name(report.fault->fault.cause));
        result_.explanation = report.fault->explanation;
        return false;
      }
      if (report.idle) return true;
      if (issued > 200'000'000) {
        result_.problem = "the kernel does not end";
        return false;
      }
    }
  }

  const ModuleView& module_;
  const CaseFile& file_;
  Memory memory_;
  std::map<std::string, Place> buffers_;
  std::byte* params_ = nullptr;
  sm::Sm sm_;
  Execution result_;
};

}  // namespace

Execution execute(const ModuleView& module, const CaseFile& file) { return Machine(module, file).run(); }

}  // namespace castor::compiler::test
