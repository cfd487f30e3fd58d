// A Device in memory: contexts, allocations, pins and queues are counted, nothing runs.
#pragma once

#include <fmt/format.h>

#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "runtime/hal/device.h"

namespace castor::test {

class FakeDevice final : public hal::Device {
 public:
  struct Context {
    std::map<std::uint64_t, std::uint64_t> allocations;
    std::map<std::uint64_t, std::uint64_t> hosts;  // address → pin
    std::set<std::uint32_t> queues;
  };

  castor_discovery_header discovery() override {
    castor_discovery_header header{};
    std::strcpy(header.name, "Fake");
    header.sms = 4;
    return header;
  }
  Status ping() override { return lost ? gone() : Status{}; }
  Result<hal::MemoryInfo> memory_info() override { return hal::MemoryInfo{100, 200}; }
  Result<hal::Telemetry> telemetry() override { return hal::Telemetry{1, 2, 3}; }

  Result<std::uint32_t> create_context(std::uint64_t base, std::uint64_t bytes) override {
    const std::scoped_lock lock(mutex);
    if (lost) return gone();
    if (base == 0 || bytes == 0) return Status{StatusCode::invalid_value, "new context: invalid argument"};
    contexts[++next_context];
    return next_context;
  }
  Status destroy_context(std::uint32_t context) override {
    const std::scoped_lock lock(mutex);
    contexts.erase(context);
    return lost ? gone() : Status{};
  }
  Status reset_context(std::uint32_t) override { return {}; }
  Result<hal::FaultReply> context_fault(std::uint32_t) override {
    hal::FaultReply reply{};
    reply.faulted = 1;
    reply.record.address = 0xabc;
    return reply;
  }
  Result<std::uint64_t> alloc(std::uint32_t context, std::uint64_t bytes, std::uint32_t) override {
    const std::scoped_lock lock(mutex);
    if (bytes > 1000000) return Status{StatusCode::out_of_memory, "out of memory"};
    const std::uint64_t va = next_va += 0x1000;
    contexts.at(context).allocations[va] = bytes;
    return va;
  }
  Status free(std::uint32_t context, std::uint64_t va) override {
    const std::scoped_lock lock(mutex);
    Context& found = contexts.at(context);
    if (found.allocations.erase(va) + found.hosts.erase(va) == 0) return {StatusCode::not_found, "no such memory"};
    return {};
  }
  Status protect(std::uint32_t, std::uint64_t, std::uint64_t, std::uint32_t) override { return {}; }
  Result<std::uint64_t> pin(std::span<std::byte> memory) override {
    const std::scoped_lock lock(mutex);
    pins[++next_pin] = memory;
    return next_pin;
  }
  Status unpin(std::uint64_t pin) override {
    const std::scoped_lock lock(mutex);
    pins.erase(pin);
    return {};
  }
  Status map_host(std::uint32_t context, std::uint64_t pin, std::uint64_t va, std::uint64_t, std::uint32_t) override {
    const std::scoped_lock lock(mutex);
    contexts.at(context).hosts[va] = pin;
    return {};
  }
  Result<std::uint32_t> create_queue(std::uint32_t context, std::uint64_t, std::uint32_t, std::uint64_t) override {
    const std::scoped_lock lock(mutex);
    contexts.at(context).queues.insert(++next_queue);
    return next_queue;
  }
  Status destroy_queue(std::uint32_t context, std::uint32_t queue) override {
    const std::scoped_lock lock(mutex);
    contexts.at(context).queues.erase(queue);
    return {};
  }
  void doorbell(std::uint32_t context, std::uint32_t queue) override {
    const std::scoped_lock lock(mutex);
    doorbells.emplace_back(context, queue);
  }

  std::size_t count_contexts() {
    const std::scoped_lock lock(mutex);
    return contexts.size();
  }
  std::size_t count_pins() {
    const std::scoped_lock lock(mutex);
    return pins.size();
  }
  std::size_t count_doorbells() {
    const std::scoped_lock lock(mutex);
    return doorbells.size();
  }

  std::mutex mutex;
  std::map<std::uint32_t, Context> contexts;
  std::map<std::uint64_t, std::span<std::byte>> pins;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> doorbells;
  std::uint32_t next_context = 0, next_queue = 100;
  std::uint64_t next_va = 0x10000, next_pin = 50;
  std::atomic<bool> lost = false;

 private:
  static Status gone() { return {StatusCode::device_lost, "the machine has stopped"}; }
};

}  // namespace castor::test
