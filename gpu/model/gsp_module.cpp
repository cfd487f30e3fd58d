#include "gpu/model/gsp_module.h"

#include "platform/sim/time.h"

namespace castor::gpu {
namespace {
constexpr std::uint64_t kTurn = 2000;  // instructions between two looks of the kernel, at one a nanosecond
}

GspModule::GspModule(sc_core::sc_module_name name, const Gsp::Spec& spec, Ports ports)
    : sc_module(name),
      bus("gsp", nullptr),
      gsp_(spec, {.registers = ports.registers,
                  .memory = std::span(ports.memory.at(DevAddr{0}), ports.memory.bytes()),
                  .dma =
                      [this](BusAddr address, std::span<std::byte> data, bool to_host) {
                        sc_core::sc_time ahead;
                        const Place place{true, address.value};
                        const bool moved = to_host ? bus.write(place, data, ahead) : bus.read(place, data, ahead);
                        sim::synchronize(ahead);
                        return moved;
                      },
                  .raise = [&interrupts = ports.interrupts](unsigned source) { interrupts.raise(source); },
                  .wake = [this] { wake_.notify(sc_core::SC_ZERO_TIME); },
                  .console = [](char) {}}) {
  SC_HAS_PROCESS(GspModule);
  SC_THREAD(serve);
  set_stack_size(sim::kStackBytes);
}

void GspModule::serve() {
  while (true) {
    while (!gsp_.runnable()) wait(wake_);
    gsp_.run(kTurn);
    wait(sim::nanoseconds(kTurn));
  }
}

}  // namespace castor::gpu
