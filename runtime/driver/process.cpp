#include "runtime/driver/process.h"

#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "runtime/driver/handles.h"

namespace castor::driver {
namespace {

thread_local unsigned per_thread_default = 0;

/// `castor` as it lies beside this library (toolkit/lib64/libcuda.so.1 → bin/castor), else on PATH.
std::string find_machine() {
  namespace fs = std::filesystem;
  Dl_info info{};
  std::error_code error;
  if (::dladdr(reinterpret_cast<void*>(&find_machine), &info) != 0 && info.dli_fname != nullptr) {
    const fs::path library = fs::canonical(info.dli_fname, error);
    const fs::path beside = library.parent_path().parent_path().parent_path() / "bin" / "castor";
    if (!error && ::access(beside.c_str(), X_OK) == 0) return beside.string();
  }
  const char* path = std::getenv("PATH");
  for (std::string_view rest = path == nullptr ? "" : path; !rest.empty();) {
    const auto colon = rest.find(':');
    const fs::path candidate = fs::path(rest.substr(0, colon)) / "castor";
    if (::access(candidate.c_str(), X_OK) == 0) return candidate.string();
    rest = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
  }
  return {};
}

/// CUDA_VISIBLE_DEVICES: a list of numbers or names; the first that names no device ends it.
bool device_visible() {
  const char* text = std::getenv("CUDA_VISIBLE_DEVICES");
  if (text == nullptr) return true;
  const std::string_view first = std::string_view(text).substr(0, std::string_view(text).find(','));
  return first == "0" || first.starts_with("GPU-");
}

}  // namespace

Process& Process::get() {
  static Process* const process = new Process;  // never destroyed: static destructors of the program may still call us
  return *process;
}

Status Process::connect() {
  const char* path = std::getenv(hal::kSocketVariable);
  std::optional<Result<std::unique_ptr<hal::Client>>> client;
  if (path != nullptr && *path != 0) {
    client = hal::Client::connect(path);
  } else {
    const std::string machine = find_machine();
    if (machine.empty()) {
      return {StatusCode::not_found,
              "no CASTOR_SOCKET is set and the program 'castor' is neither beside libcuda nor on PATH"};
    }
    client = hal::Client::spawn(machine);
  }
  if (!*client) return client->status();
  client_ = std::move(**client);
  return {};
}

void Process::forked() {
  Process& process = get();
  if (process.client_ != nullptr) process.client_->abandon();
}

CUresult Process::init() {
  const std::scoped_lock lock(mutex_);
  const pid_t self = ::getpid();
  if (owner_.load() == self) return init_result_;
  if (owner_.load() != 0) return CUDA_ERROR_NOT_INITIALIZED;  // a fork's child: nothing of the parent's works here
  if (!device_visible()) return CUDA_ERROR_NO_DEVICE;
  const Status status = connect();
  if (!status) log(LogLevel::error, "{}", status.message());
  init_result_ = status ? CUDA_SUCCESS : CUDA_ERROR_NO_DEVICE;
  if (status) {
    ::pthread_atfork(nullptr, nullptr, &Process::forked);
    owner_.store(self);
  }
  return init_result_;
}

CUresult Process::check() const { return owner_.load() == ::getpid() ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED; }

CUresult Process::retain_primary(Context*& out) {
  const std::scoped_lock lock(mutex_);
  if (primary_ == nullptr) {
    auto context = Context::create(*client_, primary_flags_);
    if (!context) return result_of(context.status());
    primary_ = std::move(*context);
    Live<Context>::add(primary_.get());
  }
  ++primary_users_;
  out = primary_.get();
  return CUDA_SUCCESS;
}

/// Under the mutex.
std::unique_ptr<Context> Process::take_primary() {
  primary_users_ = 0;
  if (primary_ != nullptr) Live<Context>::remove(primary_.get());
  return std::move(primary_);
}

void Process::close(std::unique_ptr<Context> context) {
  if (context != nullptr && context->error() == CUDA_SUCCESS) (void)context->synchronize();
}

CUresult Process::release_primary() {
  std::unique_ptr<Context> last;
  {
    const std::scoped_lock lock(mutex_);
    if (primary_users_ == 0) return CUDA_ERROR_INVALID_CONTEXT;
    if (--primary_users_ == 0) last = take_primary();
  }
  close(std::move(last));
  return CUDA_SUCCESS;
}

CUresult Process::reset_primary() {
  std::unique_ptr<Context> last;
  {
    const std::scoped_lock lock(mutex_);
    last = take_primary();
  }
  close(std::move(last));
  return CUDA_SUCCESS;
}

CUresult Process::set_primary_flags(unsigned flags) {
  const std::scoped_lock lock(mutex_);
  primary_flags_ = flags;
  if (primary_ != nullptr) primary_->flags = flags;
  return CUDA_SUCCESS;
}

void Process::primary_state(unsigned& flags, bool& active) {
  const std::scoped_lock lock(mutex_);
  flags = primary_flags_;
  active = primary_ != nullptr;
}

CUresult Process::create(unsigned flags, Context*& out) {
  auto context = Context::create(*client_, flags);
  if (!context) return result_of(context.status());
  const std::scoped_lock lock(mutex_);
  out = context->get();
  Live<Context>::add(out);
  contexts_.push_back(std::move(*context));
  return CUDA_SUCCESS;
}

CUresult Process::destroy(Context* context) {
  std::unique_ptr<Context> gone;
  {
    const std::scoped_lock lock(mutex_);
    const auto found = std::ranges::find_if(contexts_, [&](const auto& each) { return each.get() == context; });
    if (found == contexts_.end()) return CUDA_ERROR_INVALID_CONTEXT;
    Live<Context>::remove(context);
    gone = std::move(*found);
    contexts_.erase(found);
  }
  std::erase(context_stack(), context);
  close(std::move(gone));
  return CUDA_SUCCESS;
}

std::vector<Context*>& context_stack() {
  thread_local std::vector<Context*> stack;
  return stack;
}

Context* current_context() {
  const auto& stack = context_stack();
  return !stack.empty() && Live<Context>::contains(stack.back()) ? stack.back() : nullptr;
}

CUresult use_current(Context*& context) {
  context = current_context();
  if (context != nullptr) return context->error();
  const auto& stack = context_stack();
  return stack.empty() || stack.back() == nullptr ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

Context* context_of(CUcontext handle) {
  return Live<Context>::contains(handle) ? static_cast<Context*>(handle) : nullptr;
}

PerThreadDefault::PerThreadDefault() { ++per_thread_default; }
PerThreadDefault::~PerThreadDefault() { --per_thread_default; }
bool PerThreadDefault::active() { return per_thread_default != 0; }

CUstream default_stream(CUstream handle) {
  return handle == nullptr && PerThreadDefault::active() ? CU_STREAM_PER_THREAD : handle;
}

}  // namespace castor::driver
