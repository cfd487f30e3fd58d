#include "tests/chiplet/bench.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <exception>
#include <utility>

#include "platform/sim/time.h"

// A process that the end of the program finds inside a transaction is not unwound: its payload stays on its stack.
extern "C" [[gnu::visibility("default")]] const char* __lsan_default_suppressions() {
  return "leak:tlm_generic_payload";
}

namespace castor::test {

Bench& Bench::get() {
  static Bench* bench = new Bench("bench");  // SystemC's own objects end after main
  return *bench;
}

chiplet::PackageSpec Bench::spec() {
  chiplet::PackageSpec spec;
  spec.sms_per_die = 2;
  spec.sm_harvest = {0, 0};
  spec.hbm_bytes_per_die = 1u << 30;
  spec.host_workers = 2;
  spec.contexts = 16;
  spec.queues = 16;
  return spec;
}

Bench::Bench(sc_core::sc_module_name name)
    : sc_module(name),
      package("package", spec(), *this),
      bar0_("bar0"),
      bar2_("bar2"),
      bar4_("bar4"),
      upstream_("upstream"),
      host_(kHostBytes) {
  bar0_.bind(package.bar0);
  bar2_.bind(package.bar2);
  bar4_.bind(package.bar4);
  package.upstream.bind(upstream_);
  upstream_.register_b_transport(this, &Bench::upstream);
  SC_HAS_PROCESS(Bench);
  SC_THREAD(serve);
  set_stack_size(1u << 20);  // failed checks format their text here
}

void Bench::serve() {
  while (true) {
    while (!body_) wait(start_);
    try {
      body_();
    } catch (...) {  // a failed REQUIRE, which the kernel must not see
      failure_ = std::current_exception();
    }
    body_ = nullptr;
    sc_core::sc_pause();
    wait(sc_core::SC_ZERO_TIME);
  }
}

void Bench::run(std::function<void()> body) {
  body_ = std::move(body);
  start_.notify(sc_core::SC_ZERO_TIME);
  while (body_) sc_core::sc_start();
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

bool Bench::access(unsigned bar, bool write, std::uint64_t offset, void* data, std::size_t bytes) {
  tlm::tlm_generic_payload payload;
  payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  payload.set_address(offset);
  payload.set_data_ptr(static_cast<unsigned char*>(data));
  payload.set_data_length(static_cast<unsigned>(bytes));
  payload.set_streaming_width(static_cast<unsigned>(bytes));
  sc_core::sc_time delay;
  auto& socket = bar == 0 ? bar0_ : bar == 2 ? bar2_ : bar4_;
  socket->b_transport(payload, delay);
  sim::synchronize(delay);
  return payload.is_response_ok();
}

std::uint32_t Bench::read32(std::uint64_t offset) {
  std::uint32_t value = 0;
  access(0, false, offset, &value, sizeof value);
  return value;
}

void Bench::write32(std::uint64_t offset, std::uint32_t value) { access(0, true, offset, &value, sizeof value); }

void Bench::wait_ns(double ns) { wait(sim::nanoseconds(ns)); }

bool Bench::wait_interrupt(unsigned vector, double limit_ns) {
  return wait_until([&] { return std::erase(interrupts, vector) != 0; }, limit_ns / 1e6);
}

// Time of the host, since worker threads are waited for; the kernel turns over in steps of a microsecond.
bool Bench::wait_until(const std::function<bool()>& condition, double limit_ms) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double, std::milli>(limit_ms);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    wait(1, sc_core::SC_US);
  }
  return true;
}

std::uint64_t Bench::take(std::uint64_t bytes) {
  const std::uint64_t at = kHostBase + taken_;
  taken_ += (bytes + 4095) / 4096 * 4096;
  if (taken_ > kHostBytes) std::abort();
  return at;
}

std::byte* Bench::direct(BusAddr address, std::uint64_t bytes) {
  if (address.value < kHostBase || address.value - kHostBase > kHostBytes ||
      bytes > kHostBytes - (address.value - kHostBase))
    return nullptr;
  return host(address.value);
}

void Bench::interrupt(unsigned vector) { interrupts.push_back(vector); }

void Bench::upstream(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const std::uint64_t bytes = payload.get_data_length();
  std::byte* memory = direct(BusAddr{payload.get_address()}, bytes);
  const bool one_page = payload.get_address() / 4096 == (payload.get_address() + bytes - 1) / 4096;
  if (memory == nullptr || bytes > 4096 || !one_page) {
    return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }
  if (payload.is_write()) {
    ++upstream_writes;
    if (bytes == 8 && payload.get_address() % 8 == 0) {
      std::uint64_t value;
      std::memcpy(&value, payload.get_data_ptr(), 8);
      __atomic_store_n(reinterpret_cast<std::uint64_t*>(memory), value, __ATOMIC_RELEASE);
    } else {
      std::memcpy(memory, payload.get_data_ptr(), bytes);
    }
  } else {
    ++upstream_reads;
    std::memcpy(payload.get_data_ptr(), memory, bytes);
  }
  delay += sim::nanoseconds(300);
  wait(delay);  // a real fabric may make its caller wait
  delay = sc_core::SC_ZERO_TIME;
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

}  // namespace castor::test
