#include "platform/board/machine.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <atomic>
#include <fstream>
#include <future>
#include <iterator>
#include <thread>
#include <utility>

#include "platform/board/computer.h"
#include "platform/board/trace_names.h"
#include "platform/sim/fresh_simulation.h"
#include "runtime/hal/server.h"

namespace castor::board {
namespace {

Result<std::vector<std::byte>> read_firmware(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::vector<char> bytes{std::istreambuf_iterator<char>(stream), {}};
  if (!stream || bytes.empty())
    return Status{StatusCode::not_found,
                  fmt::format("cannot read the GPU's firmware {}; is Castor built and installed whole?", path)};
  const auto* first = reinterpret_cast<const std::byte*>(bytes.data());
  return std::vector<std::byte>(first, first + bytes.size());
}

/// SystemC's own messages go where ours go; its errors are our mistakes and end the simulation as exceptions.
void report(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
  if (report.get_severity() == sc_core::SC_WARNING)
    spdlog::warn("SystemC: {}: {}", report.get_msg_type(), report.get_msg());
  if (report.get_severity() >= sc_core::SC_ERROR) sc_core::sc_report_handler::default_handler(report, actions);
}

/// The kernel-thread side of the clients' device, filled in once the driver is up.
struct Service {
  Service(HostedDriverModule& driver) : device(driver, driver, driver.kmd()), server(device) {}
  hal::KmdDevice device;
  hal::Server server;
};

}  // namespace

class Machine::Impl {
 public:
  Impl(const MachineSpec& spec, const MachineOptions& options, std::vector<std::byte> firmware)
      : spec_(spec), options_(options), firmware_(std::move(firmware)) {}
  ~Impl() { stop(); }

  Status start() {
    thread_ = std::thread([this] { simulate(); });
    const Status status = up_.get_future().get();
    if (!status.ok()) return status;
    service_ = std::make_unique<Service>(*driver_);
    serving_ = &service_->server;
    return {};
  }

  hal::Server& server() { return service_->server; }

  Statistics statistics() const {
    const chiplet::PackageModule::Statistics all = package_->statistics();
    return {all.kernels, all.blocks, all.warp_instructions, all.thread_instructions, all.kernel_seconds};
  }

  void stop() {
    if (service_) service_->server.stop();
    if (!thread_.joinable()) return;
    if (driver_ != nullptr) driver_->end();
    release_.set_value();
    thread_.join();
  }

 private:
  /// The thread of the simulation. The modules live until stop(), also when the simulation has ended before.
  void simulate() {
    sim::fresh_simulation();
    sc_core::sc_report_handler::set_handler(report);
    try {
      Computer computer("computer", spec_, std::move(firmware_));
      simulate(computer);
      computer.driver.ended();
      tell_up({StatusCode::device_lost, "the simulation has ended before the driver was up"});
      release_.get_future().wait();
      computer.package.shut_down();
    } catch (const sc_core::sc_report& failure) {
      tell_up({StatusCode::device_lost, fmt::format("the machine cannot be built: {}", failure.what())});
    }
  }

  void simulate(Computer& computer) {
    TraceNames names(computer);
    if (options_.trace) {
      computer.trace.add_namer([&names](const sim::TraceRecord& record) { return names.name(record); });
      computer.trace.enable(options_.trace);
    }
    driver_ = &computer.driver;
    package_ = &computer.package;
    computer.driver.on_up([this](const Status& status) { tell_up(status); });
    computer.driver.on_notice([this](hal::Notice notice, std::uint32_t context) { tell(notice, context); });
    try {
      sc_core::sc_start();
    } catch (const sc_core::sc_report& failure) {
      spdlog::critical("the simulation has failed: {}", failure.what());
      tell(hal::Notice::lost, 0);
    }
    computer.trace.enable({});
  }

  void tell_up(const Status& status) {
    if (!std::exchange(told_up_, true)) up_.set_value(status);
  }

  void tell(hal::Notice notice, std::uint32_t context) {
    if (hal::Server* server = serving_.load()) server->notice(notice, context);
  }

  MachineSpec spec_;
  MachineOptions options_;
  std::vector<std::byte> firmware_;
  std::thread thread_;
  std::promise<Status> up_;
  bool told_up_ = false;
  std::promise<void> release_;
  HostedDriverModule* driver_ = nullptr;
  const chiplet::PackageModule* package_ = nullptr;
  std::unique_ptr<Service> service_;
  std::atomic<hal::Server*> serving_ = nullptr;
};

Machine::Machine(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Machine::~Machine() = default;

Result<std::unique_ptr<Machine>> Machine::start(const MachineSpec& spec, const MachineOptions& options) {
  if (Status status = spec.check(); !status.ok()) return status;
  auto firmware = read_firmware(options.firmware);
  if (!firmware) return firmware.status();
  auto impl = std::make_unique<Impl>(spec, options, std::move(firmware).value());
  if (Status status = impl->start(); !status.ok()) return status;
  return std::unique_ptr<Machine>(new Machine(std::move(impl)));
}

Status Machine::listen(const std::string& socket_path) { return impl_->server().listen(socket_path); }
Status Machine::adopt(int socket) { return impl_->server().adopt(socket); }
void Machine::wait_until_unused() { impl_->server().wait_until_unused(); }
const char* Machine::socket_variable() { return hal::kSocketVariable; }
void Machine::stop() { impl_->stop(); }
Machine::Statistics Machine::statistics() const { return impl_->statistics(); }

}  // namespace castor::board
