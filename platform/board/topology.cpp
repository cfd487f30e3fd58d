#include <fmt/format.h>

#include "platform/board/computer.h"
#include "platform/board/host_map.h"
#include "platform/board/machine.h"
#include "platform/sim/fresh_simulation.h"

namespace castor::board {
namespace {

std::string size_text(std::uint64_t bytes) {
  static constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  unsigned unit = 0;
  while (bytes >= 1024 && bytes % 1024 == 0 && unit + 1 < std::size(kUnits)) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{} {}", bytes, kUnits[unit]);
}

std::string indented(const std::string& text, const std::string& by) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    result += by + text.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return result;
}

std::string draw(const Computer& computer) {
  const cxl::Endpoint& function = computer.endpoint.function();
  const cxl::LinkSpec& link = computer.link.spec();
  std::string text = fmt::format("{}\n", computer.spec().name);
  text += "└─ host: one processor that runs the driver\n";
  text += fmt::format("   ├─ RAM {} at {:#x}, pinned client memory from {:#x}\n",
                      size_text(computer.spec().host_ram_bytes), kRamBase, kPinnedBase);
  text += fmt::format("   ├─ interrupts: {} messages at {:#x}\n", kHostInterrupts, kMsiBase);
  text += fmt::format("   └─ host bridge: ECAM {:#x}, 32-bit window {} at {:#x}, 64-bit window {} at {:#x}\n",
                      kEcamBase, size_text(kMmio32Bytes), kMmio32Base, size_text(kMmio64Bytes), kMmio64Base);
  text += "      └─ root port 00:01.0\n";
  text += fmt::format("         └─ link: PCI Express generation {}, {} lanes, {:.1f} GB/s each way, {} ns\n",
                      link.generation, link.lanes, link.bytes_per_ns(), link.latency_ns);
  text += fmt::format("            └─ endpoint {:04x}:{:04x} class {:06x}, MSI-X {} vectors\n", function.spec().vendor,
                      function.spec().device, function.spec().class_code, function.spec().vectors);
  text += fmt::format("               ├─ BAR0 {:>8}  registers\n", size_text(function.bar_bytes(0)));
  text += fmt::format("               ├─ BAR2 {:>8}  doorbells\n", size_text(function.bar_bytes(2)));
  text += fmt::format("               ├─ BAR4 {:>8}  device memory, 64-bit prefetchable, resizable\n",
                      size_text(function.bar_bytes(4)));
  text += "               └─ package\n";
  text += indented(computer.package.describe(), "                  ");
  return text;
}

}  // namespace

Result<std::string> draw_topology(const MachineSpec& spec) {
  if (Status status = spec.check(); !status.ok()) return status;
  sim::fresh_simulation();
  try {
    const Computer computer("computer", spec, {});
    return draw(computer);
  } catch (const sc_core::sc_report& failure) {
    return Status{StatusCode::io_error, fmt::format("the machine cannot be built: {}", failure.what())};
  }
}

}  // namespace castor::board
