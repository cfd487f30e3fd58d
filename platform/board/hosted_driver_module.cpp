#include "platform/board/hosted_driver_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "platform/board/kmd_port.h"
#include "platform/core/check.h"
#include "platform/sim/time.h"
#include "platform/sim/tlp.h"

namespace castor::board {
namespace {

constexpr std::uint64_t kBurst = 4096;    // a request neither exceeds nor crosses this
constexpr std::size_t kStack = 1u << 20;  // jobs of the HAL server run on it, logging included
constexpr std::uint64_t kLongestWaitNs = 3'600'000'000'000;

}  // namespace

HostedDriverModule::HostedDriverModule(sc_core::sc_module_name name, Parts parts)
    : sc_module(name), bus("bus"), parts_(std::move(parts)), port_(std::make_unique<Port>(*this)) {
  SC_THREAD(process);
  set_stack_size(kStack);
}

HostedDriverModule::~HostedDriverModule() = default;

void HostedDriverModule::process() {
  const Status up = bring_up();
  if (up_handler_) up_handler_(up);
  const std::uint64_t mask = up.ok() ? castor_kmd_interrupt_mask(kmd_) : 0;
  while (up.ok()) {
    if (const std::uint64_t pending = parts_.bridge.take_interrupts(mask)) {
      castor_kmd_interrupt(kmd_, pending);
      continue;
    }
    if (run_jobs()) continue;
    {
      const std::lock_guard lock(mutex_);
      if (ending_) break;
    }
    wait(job_arrived_.event() | parts_.bridge.interrupt_event());
  }
  if (kmd_ != nullptr) castor_kmd_close(std::exchange(kmd_, nullptr));
  sc_core::sc_stop();
}

Status HostedDriverModule::bring_up() {
  std::array<castor_kmd_function, 8> functions{};
  const int count = castor_kmd_enumerate(&port_->table, functions.data(), static_cast<int>(functions.size()));
  if (count < 0)
    return {StatusCode::io_error,
            fmt::format("the driver cannot enumerate the bus: {} ({})", castor_kmd_error_text(count), reasons_)};
  const auto end = functions.begin() + count;
  const auto gpu = std::find_if(functions.begin(), end, [](const auto& f) { return castor_kmd_is_gpu(&f); });
  if (gpu == end) return {StatusCode::not_found, "the driver finds no GPU on the bus"};
  const int result = castor_kmd_open(&port_->table, &*gpu, parts_.firmware.data(), parts_.firmware.size(), &kmd_);
  if (result == 0) return {};
  return {StatusCode::device_lost,
          fmt::format("the driver cannot bring the GPU up: {} ({})", castor_kmd_error_text(result), reasons_)};
}

void HostedDriverModule::note_error(const char* text) {
  if (kmd_ != nullptr) return;
  if (!reasons_.empty()) reasons_ += "; ";
  reasons_ += text;
}

bool HostedDriverModule::run_jobs() {
  std::deque<Job> jobs;
  {
    const std::lock_guard lock(mutex_);
    jobs.swap(jobs_);
  }
  for (Job& job : jobs) {
    job.work();
    if (job.done != nullptr) job.done->set_value(true);
  }
  return !jobs.empty();
}

bool HostedDriverModule::push(Job job) {
  {
    const std::lock_guard lock(mutex_);
    if (ending_) return false;
    jobs_.push_back(std::move(job));
  }
  job_arrived_.notify();
  return true;
}

bool HostedDriverModule::run(const std::function<void()>& work) {
  auto done = std::make_shared<std::promise<bool>>();
  auto outcome = done->get_future();
  return push({work, std::move(done)}) && outcome.get();
}

void HostedDriverModule::post(std::function<void()> work) { (void)push({std::move(work), nullptr}); }

void HostedDriverModule::end() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  job_arrived_.notify();
}

void HostedDriverModule::ended() {
  std::deque<Job> jobs;
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    jobs.swap(jobs_);
  }
  for (Job& job : jobs)
    if (job.done != nullptr) job.done->set_value(false);
}

void HostedDriverModule::access(bool write, std::uint64_t address, void* data, std::size_t bytes) {
  sim::Transaction transaction(write ? sim::TlpKind::memory_write : sim::TlpKind::memory_read, "kmd", address, data,
                               bytes);
  sc_core::sc_time ahead;
  bus->b_transport(transaction, ahead);
  sim::synchronize(ahead);
}

void HostedDriverModule::burst(bool write, std::uint64_t address, void* data, std::size_t bytes) {
  auto* at = static_cast<std::byte*>(data);
  while (bytes != 0) {
    const std::size_t piece = std::min<std::uint64_t>(bytes, kBurst - address % kBurst);
    access(write, address, at, piece);
    address += piece;
    at += piece;
    bytes -= piece;
  }
}

std::uint64_t HostedDriverModule::wait_for_interrupt(std::uint64_t mask, std::uint64_t timeout_ns) {
  using std::chrono::nanoseconds;
  const auto deadline = WallTimer::Clock::now() + nanoseconds(std::min(timeout_ns, kLongestWaitNs));
  if (timeout_ns != 0) timer_.arm(deadline);
  std::uint64_t taken = 0;
  while ((taken = parts_.bridge.take_interrupts(mask)) == 0 && timeout_ns != 0 && WallTimer::Clock::now() < deadline)
    wait(parts_.bridge.interrupt_event() | time_over_.event());
  timer_.disarm();
  return taken;
}

void HostedDriverModule::notify(castor_kmd_notice notice, std::uint32_t context) {
  if (!notice_handler_) return;
  switch (notice) {
    case CASTOR_KMD_NOTICE_QUEUE: return notice_handler_(hal::Notice::queue, context);
    case CASTOR_KMD_NOTICE_FAULT: return notice_handler_(hal::Notice::fault, context);
    case CASTOR_KMD_NOTICE_LOST: return notice_handler_(hal::Notice::lost, context);
  }
}

}  // namespace castor::board
