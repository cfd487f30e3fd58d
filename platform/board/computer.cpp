#include "platform/board/computer.h"

namespace castor::board {
namespace {

cxl::EndpointSpec endpoint_spec(const MachineSpec& spec) {
  return {.bar0_bytes = spec.package.bar0_bytes(),
          .bar2_bytes = std::max<std::uint64_t>(spec.package.bar2_bytes(), 1u << 20),
          .bar4_bytes = spec.package.bar4_bytes(),
          .vectors = spec.package.vectors,
          .serial = spec.package.serial,
          .link = spec.link};
}

}  // namespace

Computer::Computer(sc_core::sc_module_name name, const MachineSpec& spec, std::vector<std::byte> firmware)
    : sc_module(name),
      memory(spec.host_ram_bytes),
      host_bridge("host_bridge", memory),
      root_complex("root_complex", spec.link, trace),
      link("link0", spec.link, trace),
      endpoint("endpoint", endpoint_spec(spec)),
      package_port(memory),
      package("package", spec.package, package_port),
      driver("driver", {host_bridge, memory, std::move(firmware)}),
      spec_(spec) {
  connect();
}

void Computer::connect() {
  driver.bus.bind(host_bridge.processor);
  host_bridge.root_complex.bind(root_complex.host);
  root_complex.memory.bind(host_bridge.devices);
  root_complex.port_down.bind(link.upper_in);
  link.upper_out.bind(root_complex.port_up);
  link.lower_out.bind(endpoint.link_in);
  endpoint.link_out.bind(link.lower_in);
  endpoint.bar0.bind(package.bar0);
  endpoint.bar2.bind(package.bar2);
  endpoint.bar4.bind(package.bar4);
  package.upstream.bind(endpoint.device);
  package_port.connect(endpoint);
  endpoint.on_reset([this] { package.reset(); });
  root_complex.on_bus_reset([this] { endpoint.reset(); });
}

}  // namespace castor::board
