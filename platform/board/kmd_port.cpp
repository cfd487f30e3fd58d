#include "platform/board/kmd_port.h"

#include <spdlog/spdlog.h>

#include <atomic>
#include <cstdlib>
#include <thread>

#include "platform/board/host_map.h"
#include "platform/core/check.h"
#include "platform/sim/time.h"

namespace castor::board {
namespace {

constexpr double kPollNs = 1000;  // simulated time of one turn of a polling loop

spdlog::level::level_enum level_of(castor_kmd_log_level level) {
  switch (level) {
    case CASTOR_KMD_LOG_ERROR: return spdlog::level::err;
    case CASTOR_KMD_LOG_WARNING: return spdlog::level::warn;
    case CASTOR_KMD_LOG_INFO: return spdlog::level::info;
    case CASTOR_KMD_LOG_DEBUG: return spdlog::level::debug;
  }
  return spdlog::level::info;
}

}  // namespace

HostedDriverModule::Port::Port(HostedDriverModule& owner) {
  using Self = HostedDriverModule;
  table.env = &owner;
  table.mmio32 = {kMmio32Base, kMmio32Bytes};
  table.mmio64 = {kMmio64Base, kMmio64Bytes};

  table.config_read = [](void* env, std::uint16_t bdf, std::uint32_t offset, std::uint32_t bytes) {
    std::uint32_t value = 0;
    static_cast<Self*>(env)->access(false, kEcamBase + (std::uint64_t{bdf} << 12) + offset, &value, bytes);
    return value;
  };
  table.config_write = [](void* env, std::uint16_t bdf, std::uint32_t offset, std::uint32_t bytes,
                          std::uint32_t value) {
    static_cast<Self*>(env)->access(true, kEcamBase + (std::uint64_t{bdf} << 12) + offset, &value, bytes);
  };

  table.mmio_map = [](void*, std::uint64_t bus, std::uint64_t, std::uint64_t* cookie) {
    *cookie = bus;
    return 0;
  };
  table.mmio_unmap = [](void*, std::uint64_t, std::uint64_t) {};
  table.mmio_read32 = [](void* env, std::uint64_t address) {
    std::uint32_t value = 0;
    static_cast<Self*>(env)->access(false, address, &value, sizeof value);
    return value;
  };
  table.mmio_write32 = [](void* env, std::uint64_t address, std::uint32_t value) {
    static_cast<Self*>(env)->access(true, address, &value, sizeof value);
  };
  table.mmio_read64 = [](void* env, std::uint64_t address) {
    std::uint64_t value = 0;
    static_cast<Self*>(env)->access(false, address, &value, sizeof value);
    return value;
  };
  table.mmio_write64 = [](void* env, std::uint64_t address, std::uint64_t value) {
    static_cast<Self*>(env)->access(true, address, &value, sizeof value);
  };
  table.mmio_read_block = [](void* env, std::uint64_t address, void* data, std::size_t bytes) {
    static_cast<Self*>(env)->burst(false, address, data, bytes);
  };
  table.mmio_write_block = [](void* env, std::uint64_t address, const void* data, std::size_t bytes) {
    static_cast<Self*>(env)->burst(true, address, const_cast<void*>(data), bytes);
  };

  table.alloc = [](void*, std::size_t bytes) { return std::calloc(1, bytes); };
  table.free = [](void*, void* memory, std::size_t) { std::free(memory); };
  table.dma_alloc = [](void* env, std::size_t bytes, std::uint64_t* bus) -> void* {
    auto block = static_cast<Self*>(env)->parts_.memory.allocate(bytes);
    if (!block) {
      spdlog::error("{}", block.status().message());
      return nullptr;
    }
    *bus = block->bus.value;
    return block->host;
  };
  table.dma_free = [](void* env, void*, std::size_t bytes, std::uint64_t bus) {
    static_cast<Self*>(env)->parts_.memory.release(BusAddr{bus}, bytes);
  };
  table.pin_page = [](void* env, std::uint64_t pin, std::uint64_t page, std::uint64_t* bus) -> int {
    auto address = static_cast<Self*>(env)->parts_.memory.pinned_page(pin, page);
    if (!address) return CASTOR_KMD_ENOENT;
    *bus = address->value;
    return 0;
  };

  table.msi_message = [](void*, std::uint32_t index, std::uint64_t* address, std::uint32_t* data) -> int {
    if (index >= kHostInterrupts) return CASTOR_KMD_EINVAL;
    *address = kMsiBase;
    *data = index;
    return 0;
  };
  table.interrupt_wait = [](void* env, std::uint64_t mask, std::uint64_t timeout_ns) {
    return static_cast<Self*>(env)->wait_for_interrupt(mask, timeout_ns);
  };
  table.now_ns = [](void*) {
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(WallTimer::Clock::now().time_since_epoch()).count());
  };
  table.relax = [](void*) {
    std::this_thread::yield();  // what it waits for may be in the hands of a worker thread
    sc_core::wait(sim::nanoseconds(kPollNs));
  };
  table.barrier = [](void*) { std::atomic_thread_fence(std::memory_order_seq_cst); };

  table.notify = [](void* env, castor_kmd_notice notice, std::uint32_t pasid) {
    static_cast<Self*>(env)->notify(notice, pasid);
  };
  table.log = [](void* env, castor_kmd_log_level level, const char* text) {
    if (level == CASTOR_KMD_LOG_ERROR) static_cast<Self*>(env)->note_error(text);
    spdlog::log(level_of(level), "driver: {}", text);
  };
}

}  // namespace castor::board
