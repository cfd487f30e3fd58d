// Chapter: execution control.
#include "runtime/driver/execution.h"

#include <algorithm>
#include <cstring>

#include "runtime/driver/handles.h"
#include "runtime/driver/process.h"

namespace castor::driver {
namespace {

constexpr unsigned kSharedWithoutAsking = 48 * 1024;
constexpr unsigned kSharedGranule = 1024;  // what the hardware rounds a CTA's shared memory up to, for occupancy

unsigned threads_of(const LaunchShape& shape) { return shape.block[0] * shape.block[1] * shape.block[2]; }

CUresult check_shape(const castor_discovery_header& device, const Function& function, const LaunchShape& shape) {
  for (int i = 0; i < 3; ++i) {
    if (shape.grid[i] == 0 || shape.block[i] == 0) return CUDA_ERROR_INVALID_VALUE;
    if (shape.grid[i] > (i == 0 ? 2147483647u : 65535u) || shape.block[i] > (i == 2 ? 64u : 1024u)) {
      return CUDA_ERROR_INVALID_VALUE;
    }
  }
  const unsigned limit = function.facts.max_threads == 0 ? 1024 : std::min(function.facts.max_threads, 1024u);
  if (threads_of(shape) > 1024) return CUDA_ERROR_INVALID_VALUE;
  if (threads_of(shape) > limit) return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  const std::uint64_t shared = std::uint64_t{function.facts.shared_static} + shape.shared_dynamic;
  const std::uint64_t asked = static_cast<unsigned>(function.max_dynamic_shared.load());
  const std::uint64_t allowed = std::max<std::uint64_t>(kSharedWithoutAsking, function.facts.shared_static + asked);
  if (shared > std::min<std::uint64_t>(allowed, device.shared_per_cta)) return CUDA_ERROR_INVALID_VALUE;
  return CUDA_SUCCESS;
}

/// A cooperative grid must be resident as a whole.
CUresult check_cooperative(const castor_discovery_header& device, const Function& function, const LaunchShape& shape) {
  const std::uint64_t blocks = std::uint64_t{shape.grid[0]} * shape.grid[1] * shape.grid[2];
  const std::uint64_t room =
      std::uint64_t{device.sms} * resident_blocks(device, function, threads_of(shape), shape.shared_dynamic);
  return blocks > room ? CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE : CUDA_SUCCESS;
}

/// The buffer of an `extra` list; false if the list is wrong.
bool find_buffer(void** extra, const std::byte*& data, std::size_t& bytes) {
  data = nullptr;
  bytes = 0;
  for (int i = 0; i < 16 && extra[i] != CU_LAUNCH_PARAM_END; i += 2) {
    if (extra[i] == CU_LAUNCH_PARAM_BUFFER_POINTER) {
      data = static_cast<const std::byte*>(extra[i + 1]);
    } else if (extra[i] == CU_LAUNCH_PARAM_BUFFER_SIZE) {
      bytes = *static_cast<const std::size_t*>(extra[i + 1]);
    } else {
      return false;
    }
  }
  return data != nullptr || bytes == 0;
}

CUresult write_params(const Function& function, void** params, void** extra, std::byte* to) {
  if (extra != nullptr) {
    const std::byte* data = nullptr;
    std::size_t bytes = 0;
    if (params != nullptr || !find_buffer(extra, data, bytes)) return CUDA_ERROR_INVALID_VALUE;
    std::memcpy(to, data, std::min<std::size_t>(bytes, function.facts.param_bytes));
    return CUDA_SUCCESS;
  }
  if (params == nullptr && !function.params.empty()) return CUDA_ERROR_INVALID_VALUE;
  for (std::size_t i = 0; i < function.params.size(); ++i) {
    if (params[i] == nullptr) return CUDA_ERROR_INVALID_VALUE;
    std::memcpy(to + function.params[i].offset, params[i], function.params[i].size);
  }
  return CUDA_SUCCESS;
}

/// What the compiler knows is enough, unless the stack has no bound: then the program's limit decides.
std::uint32_t local_bytes(const Context& context, const Function& function) {
  std::size_t bytes = function.facts.local_bytes;
  if ((function.facts.flags & CASTOR_KERNEL_UNBOUNDED_STACK) != 0)
    bytes += std::max<std::size_t>(context.limits.stack, 4096);
  bytes = std::max<std::size_t>(bytes, 1024);
  return static_cast<std::uint32_t>(
      std::min<std::size_t>((bytes + 15) & ~std::size_t{15}, context.device_local_limit()));
}

Packet dispatch_packet(const Context& context, const Function& function, const LaunchShape& shape,
                       const std::byte* params) {
  Packet packet = make_packet(CASTOR_PACKET_DISPATCH, shape.cooperative ? CASTOR_PACKET_COOPERATIVE : 0u);
  for (int i = 0; i < 3; ++i) {
    packet.dispatch.block[i] = static_cast<std::uint16_t>(shape.block[i]);
    packet.dispatch.grid[i] = shape.grid[i];
  }
  packet.dispatch.shared_dynamic = shape.shared_dynamic;
  packet.dispatch.local_bytes = local_bytes(context, function);
  packet.dispatch.kernel = function.descriptor;
  packet.dispatch.params = reinterpret_cast<std::uint64_t>(params);
  return packet;
}

CUresult submit_launch(Context& context, Stream& stream, const Function& function, const LaunchShape& shape,
                       void** params, void** extra) {
  const std::scoped_lock lock(context.mutex());
  if (Status status = ready(stream); !status) return context.result(status);
  auto block = stream.queue->params(std::max<std::size_t>(function.facts.param_bytes, 8), stream.timeline);
  if (!block) return context.result(block.status());
  if (const CUresult result = write_params(function, params, extra, *block); result != CUDA_SUCCESS) return result;
  Status status = submit(stream, dispatch_packet(context, function, shape, *block));
  stream.queue->params_used_until(stream.submitted);
  return context.result(status);
}

CUresult set_max_dynamic_shared(Function& function, int value) {
  const auto limit = function.module.context.device().shared_per_cta;
  if (value < 0 || function.facts.shared_static + static_cast<unsigned>(value) > limit) return CUDA_ERROR_INVALID_VALUE;
  function.max_dynamic_shared.store(value);
  return CUDA_SUCCESS;
}

/// The function that a handle means in the current context.
CUresult find_function(CUfunction handle, Function*& function) {
  Context* context = nullptr;
  if (const CUresult result = use_current(context); result != CUDA_SUCCESS) return result;
  function = function_of(handle, *context);
  return function == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
}

}  // namespace

CUresult param_info(const std::vector<castor_note_param>& params, std::size_t index, std::size_t* offset,
                    std::size_t* bytes) {
  if (offset == nullptr || index >= params.size()) return CUDA_ERROR_INVALID_VALUE;
  *offset = params[index].offset;
  if (bytes != nullptr) *bytes = params[index].size;
  return CUDA_SUCCESS;
}

unsigned resident_blocks(const castor_discovery_header& device, const Function& function, unsigned threads,
                         std::size_t shared_dynamic) {
  if (threads == 0 || threads > 1024) return 0;
  if (function.facts.max_threads != 0 && threads > function.facts.max_threads) return 0;
  const unsigned warps = (threads + 31) / 32;
  const std::uint64_t shared = function.facts.shared_static + shared_dynamic;
  if (shared > device.shared_per_cta) return 0;
  std::uint64_t blocks = std::min<std::uint64_t>(device.cta_slots, device.warp_slots / warps);
  const std::uint64_t granules = (shared + kSharedGranule - 1) / kSharedGranule * kSharedGranule;
  if (granules != 0) blocks = std::min<std::uint64_t>(blocks, device.shared_per_sm / granules);
  const std::uint64_t registers = std::uint64_t{function.facts.registers} * warps * 32;
  if (registers != 0)
    blocks = std::min<std::uint64_t>(blocks, std::max<std::uint64_t>(device.registers_per_sm / registers, 1));
  return static_cast<unsigned>(blocks);
}

CUresult launch(CUfunction handle, const LaunchShape& shape, CUstream stream_handle, void** params, void** extra) {
  Context* context = nullptr;
  if (const CUresult result = use_current(context); result != CUDA_SUCCESS) return result;
  Stream* stream = context->stream(default_stream(stream_handle));
  Function* function = function_of(handle, *context);
  if (stream == nullptr || function == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (const CUresult result = check_shape(context->device(), *function, shape); result != CUDA_SUCCESS) return result;
  if (shape.cooperative) {
    const CUresult result = check_cooperative(context->device(), *function, shape);
    if (result != CUDA_SUCCESS) return result;
  }
  return submit_launch(*context, *stream, *function, shape, params, extra);
}

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                        unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared,
                        CUstream stream, void** params, void** extra) {
  return launch(function, {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared, false}, stream, params,
                extra);
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                                   unsigned int block_x, unsigned int block_y, unsigned int block_z,
                                   unsigned int shared, CUstream stream, void** params) {
  return launch(function, {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared, true}, stream, params,
                nullptr);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** params, void** extra) {
  if (config == nullptr || (config->numAttrs != 0 && config->attrs == nullptr)) return CUDA_ERROR_INVALID_VALUE;
  LaunchShape shape{{config->gridDimX, config->gridDimY, config->gridDimZ},
                    {config->blockDimX, config->blockDimY, config->blockDimZ},
                    config->sharedMemBytes,
                    false};
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    const CUlaunchAttribute& attribute = config->attrs[i];
    switch (attribute.id) {
      case CU_LAUNCH_ATTRIBUTE_COOPERATIVE: shape.cooperative = attribute.value.cooperative != 0; break;
      case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
        if (attribute.value.clusterDim.x * attribute.value.clusterDim.y * attribute.value.clusterDim.z > 1) {
          log(LogLevel::warn, "{}", not_built("a launch with clusters").message());
          return CUDA_ERROR_NOT_SUPPORTED;
        }
        break;
      case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT:
      case CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT:
      case CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE:
        log(LogLevel::warn, "{}", not_built("a launch with events or graph nodes attached").message());
        return CUDA_ERROR_NOT_SUPPORTED;
      default: break;  // hints
    }
  }
  return launch(function, shape, config->hStream, params, extra);
}

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction handle) {
  if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Function* function = nullptr;
  if (const CUresult result = find_function(handle, function); result != CUDA_SUCCESS) return result;
  const castor_kernel_desc& facts = function->facts;
  const auto as_int = [](std::uint32_t word) { return static_cast<int>(word); };
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *value = facts.max_threads == 0 ? 1024 : as_int(facts.max_threads);
      break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = as_int(facts.shared_static); break;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: *value = as_int(facts.const_bytes); break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = as_int(facts.local_bytes); break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = as_int(facts.registers); break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION: *value = as_int(facts.ptx_version); break;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = 10 * kComputeMajor + kComputeMinor; break;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA: *value = 0; break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *value =
          std::max(function->max_dynamic_shared.load(), as_int(kSharedWithoutAsking) - as_int(facts.shared_static));
      break;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: *value = function->carveout.load(); break;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE: *value = 0; break;
    default: return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

CUresult cuFuncSetAttribute(CUfunction handle, CUfunction_attribute attribute, int value) {
  Function* function = nullptr;
  if (const CUresult result = find_function(handle, function); result != CUDA_SUCCESS) return result;
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: return set_max_dynamic_shared(*function, value);
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      if (value < -1 || value > 100) return CUDA_ERROR_INVALID_VALUE;
      function->carveout.store(value);
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE: return CUDA_SUCCESS;
    default: return CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult cuFuncSetCacheConfig(CUfunction handle, CUfunc_cache) {
  Function* function = nullptr;
  return find_function(handle, function);
}

CUresult cuFuncSetSharedMemConfig(CUfunction handle, CUsharedconfig) {
  Function* function = nullptr;
  return find_function(handle, function);
}

CUresult cuFuncGetModule(CUmodule* out, CUfunction handle) {
  if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Function* function = nullptr;
  if (const CUresult result = find_function(handle, function); result != CUDA_SUCCESS) return result;
  *out = &function->module;
  return CUDA_SUCCESS;
}

CUresult cuFuncGetName(const char** name, CUfunction handle) {
  if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Function* function = nullptr;
  if (const CUresult result = find_function(handle, function); result != CUDA_SUCCESS) return result;
  *name = function->name.c_str();
  return CUDA_SUCCESS;
}

CUresult cuFuncGetParamInfo(CUfunction handle, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  Function* function = nullptr;
  if (const CUresult result = find_function(handle, function); result != CUDA_SUCCESS) return result;
  return param_info(function->params, index, offset, bytes);
}

CUresult cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction handle) {
  if (state == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Function* function = nullptr;
  if (const CUresult result = find_function(handle, function); result != CUDA_SUCCESS) return result;
  *state = CU_FUNCTION_LOADING_STATE_LOADED;
  return CUDA_SUCCESS;
}

CUresult cuFuncLoad(CUfunction handle) {
  Function* function = nullptr;
  return find_function(handle, function);
}

}  // namespace castor::driver
