// A program on the driver API alone. usage: driver_api_program MODULE
#include <cuda.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

namespace {

int failures = 0;
const char* module_path;

void expect(bool condition, const char* what, int line) {
  if (condition) return;
  std::fprintf(stderr, "driver_api_program.cpp:%d: %s\n", line, what);
  ++failures;
}
#define EXPECT(condition) expect(condition, #condition, __LINE__)
#define OK(call) expect((call) == CUDA_SUCCESS, #call, __LINE__)

CUmodule module;

CUfunction function(const char* name) {
  CUfunction out = nullptr;
  OK(cuModuleGetFunction(&out, module, name));
  return out;
}

void devices() {
  int count = 0, major = 0, warp = 0, version = 0;
  char name[64] = "";
  size_t bytes = 0;
  CUuuid uuid;
  OK(cuDeviceGetCount(&count));
  EXPECT(count == 1);
  OK(cuDeviceGetName(name, sizeof name, 0));
  EXPECT(std::strlen(name) > 0);
  OK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0));
  OK(cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
  EXPECT(major == 12 && warp == 32);
  OK(cuDeviceTotalMem(&bytes, 0));
  EXPECT(bytes > 0);
  OK(cuDeviceGetUuid(&uuid, 0));
  OK(cuDriverGetVersion(&version));
  EXPECT(version >= CUDA_VERSION);
  CUdevice device;
  EXPECT(cuDeviceGet(&device, 1) == CUDA_ERROR_INVALID_DEVICE);
  EXPECT(cuDeviceGetAttribute(&warp, static_cast<CUdevice_attribute>(9999), 0) == CUDA_ERROR_INVALID_VALUE);
  const char* text = nullptr;
  OK(cuGetErrorName(CUDA_ERROR_ILLEGAL_ADDRESS, &text));
  EXPECT(std::strcmp(text, "CUDA_ERROR_ILLEGAL_ADDRESS") == 0);
  EXPECT(cuGetErrorName(static_cast<CUresult>(12345), &text) == CUDA_ERROR_INVALID_VALUE && text == nullptr);
}

void contexts() {
  CUcontext first = nullptr, second = nullptr, current = nullptr;
  OK(cuCtxGetCurrent(&first));
  OK(cuCtxCreate(&second, 0, 0));
  OK(cuCtxGetCurrent(&current));
  EXPECT(current == second);
  CUdeviceptr memory = 0;
  OK(cuMemAlloc(&memory, 1000));
  OK(cuCtxPopCurrent(&current));
  EXPECT(current == second);
  OK(cuCtxGetCurrent(&current));
  EXPECT(current == first);
  EXPECT(cuMemFree(memory) == CUDA_ERROR_INVALID_VALUE);  // of the other context
  OK(cuCtxDestroy(second));
  EXPECT(cuCtxPushCurrent(second) == CUDA_ERROR_INVALID_CONTEXT);
  EXPECT(cuCtxSetCurrent(reinterpret_cast<CUcontext>(0x1234)) == CUDA_ERROR_INVALID_CONTEXT);
  std::thread([] {
    CUdeviceptr p;
    EXPECT(cuMemAlloc(&p, 4) == CUDA_ERROR_INVALID_CONTEXT);  // this thread has none
  }).join();
}

void copies() {
  constexpr size_t kBytes = 5 * 1024 * 1024 + 77;
  std::vector<unsigned char> in(kBytes), out(kBytes);
  for (size_t i = 0; i < kBytes; ++i) in[i] = static_cast<unsigned char>(i * 31 + i / 999);
  CUdeviceptr a = 0, b = 0;
  OK(cuMemAlloc(&a, kBytes));
  OK(cuMemAlloc(&b, kBytes));
  OK(cuMemcpyHtoD(a, in.data(), kBytes));
  OK(cuMemcpyDtoD(b, a, kBytes));
  OK(cuMemcpyDtoH(out.data(), b, kBytes));
  EXPECT(in == out);
  OK(cuMemcpyHtoD(a + 3, in.data(), 11));
  OK(cuMemcpyDtoH(out.data(), a, 20));
  EXPECT(std::memcmp(out.data() + 3, in.data(), 11) == 0 && out[14] == in[14]);
  EXPECT(cuMemcpyHtoD(a, in.data(), kBytes + 1) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuMemcpyDtoH(out.data(), a + kBytes, 1) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuMemcpyHtoD(reinterpret_cast<CUdeviceptr>(out.data()), in.data(), 4) == CUDA_ERROR_INVALID_VALUE);

  OK(cuMemsetD8(a, 0xab, kBytes));
  OK(cuMemsetD16(a + 2, 0x1234, 3));
  OK(cuMemsetD32(a + 8, 0xdeadbeef, 1));
  OK(cuMemcpyDtoH(out.data(), a, 16));
  const unsigned char expected[16] = {0xab, 0xab, 0x34, 0x12, 0x34, 0x12, 0x34, 0x12,
                                      0xef, 0xbe, 0xad, 0xde, 0xab, 0xab, 0xab, 0xab};
  EXPECT(std::memcmp(out.data(), expected, 16) == 0);
  EXPECT(cuMemsetD32(a + 1, 0, 1) == CUDA_ERROR_INVALID_VALUE);

  // A box of 10 x 4 x 3 out of one volume into another.
  std::vector<unsigned char> volume(20 * 6 * 5), target(16 * 8 * 4, 0);
  for (size_t i = 0; i < volume.size(); ++i) volume[i] = static_cast<unsigned char>(i);
  OK(cuMemcpyHtoD(a, volume.data(), volume.size()));
  CUDA_MEMCPY3D box{};
  box.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  box.srcDevice = a;
  box.srcPitch = 20;
  box.srcHeight = 6;
  box.srcXInBytes = 5;
  box.srcY = 1;
  box.srcZ = 2;
  box.dstMemoryType = CU_MEMORYTYPE_HOST;
  box.dstHost = target.data();
  box.dstPitch = 16;
  box.dstHeight = 8;
  box.dstXInBytes = 2;
  box.dstY = 3;
  box.dstZ = 1;
  box.WidthInBytes = 10;
  box.Height = 4;
  box.Depth = 3;
  OK(cuMemcpy3D(&box));
  bool same = true;
  for (int z = 0; z < 4; ++z) {
    for (int y = 0; y < 8; ++y) {
      for (int x = 0; x < 16; ++x) {
        const bool inside = x >= 2 && x < 12 && y >= 3 && y < 7 && z >= 1;
        const int from = inside ? (z + 1) * 120 + (y - 2) * 20 + x + 3 : 0;
        same = same &&
               target[static_cast<size_t>(z * 128 + y * 16 + x)] == (inside ? volume[static_cast<size_t>(from)] : 0);
      }
    }
  }
  EXPECT(same);
  OK(cuMemFree(a));
  OK(cuMemFree(b));
  EXPECT(cuMemFree(a) == CUDA_ERROR_INVALID_VALUE);
  OK(cuMemFree(0));
  size_t before = 0, after = 0, total = 0;
  OK(cuMemGetInfo(&before, &total));
  OK(cuMemAlloc(&a, 10 << 20));
  OK(cuMemGetInfo(&after, &total));
  EXPECT(before - after >= 10u << 20);
  OK(cuMemFree(a));
  EXPECT(cuMemAlloc(&a, total * 2) == CUDA_ERROR_OUT_OF_MEMORY);
}

void modules() {
  EXPECT(cuModuleGetFunction(nullptr, module, "scale") == CUDA_ERROR_INVALID_VALUE);
  CUfunction none = nullptr;
  EXPECT(cuModuleGetFunction(&none, module, "nothing") == CUDA_ERROR_NOT_FOUND);
  EXPECT(cuModuleGetFunction(&none, reinterpret_cast<CUmodule>(&none), "scale") == CUDA_ERROR_INVALID_HANDLE);
  unsigned functions = 0;
  OK(cuModuleGetFunctionCount(&functions, module));
  EXPECT(functions == 7);
  CUmodule damaged;
  std::vector<char> garbage(8192, 0x5a);
  EXPECT(cuModuleLoadData(&damaged, garbage.data()) == CUDA_ERROR_INVALID_IMAGE);
  EXPECT(cuModuleLoad(&damaged, "/nonexistent") == CUDA_ERROR_FILE_NOT_FOUND);

  // Relocated pointers, constants with initial values, variables by name.
  OK(cuLaunchKernel(function("count"), 4, 1, 1, 64, 1, 1, 0, nullptr, nullptr, nullptr));
  CUdeviceptr counter = 0;
  size_t bytes = 0;
  OK(cuModuleGetGlobal(&counter, &bytes, module, "counter"));
  EXPECT(bytes == 4);
  int value = 0;
  OK(cuMemcpyDtoH(&value, counter, 4));
  EXPECT(value == 4 * 64 * 3);
  int factor = 10;
  CUdeviceptr constant = 0;
  OK(cuModuleGetGlobal(&constant, nullptr, module, "factor"));
  OK(cuMemcpyHtoD(constant, &factor, 4));
  OK(cuMemsetD32(counter, 0, 1));
  OK(cuLaunchKernel(function("count"), 1, 1, 1, 5, 1, 1, 0, nullptr, nullptr, nullptr));
  OK(cuMemcpyDtoH(&value, counter, 4));
  EXPECT(value == 50);
}

struct Point {
  float x, y;
  char tag;
};

void launches() {
  constexpr int kCount = 1000;
  std::vector<float> in(kCount), out(kCount);
  for (int i = 0; i < kCount; ++i) in[static_cast<size_t>(i)] = static_cast<float>(i);
  CUdeviceptr a = 0, b = 0;
  OK(cuMemAlloc(&a, kCount * 4));
  OK(cuMemAlloc(&b, kCount * 4));
  OK(cuMemcpyHtoD(a, in.data(), kCount * 4));
  int n = kCount;
  float by = 2.5f;
  void* params[] = {&b, &a, &n, &by};
  OK(cuLaunchKernel(function("scale"), 4, 1, 1, 256, 1, 1, 0, nullptr, params, nullptr));
  OK(cuMemcpyDtoH(out.data(), b, kCount * 4));
  bool right = true;
  for (int i = 0; i < kCount; ++i) right = right && out[static_cast<size_t>(i)] == static_cast<float>(i) * 2.5f;
  EXPECT(right);

  // The same by one buffer.
  struct {
    CUdeviceptr out, in;
    int n;
    float by;
  } buffer{b, a, kCount, -1.0f};
  size_t size = sizeof buffer;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  OK(cuLaunchKernel(function("scale"), 4, 1, 1, 256, 1, 1, 0, nullptr, nullptr, extra));
  OK(cuMemcpyDtoH(out.data(), b, kCount * 4));
  EXPECT(out[999] == -999.0f);

  // Parameters of every size, and what the module says about them.
  char c = 1;
  Point point{2.0f, 3.0f, 4};
  double d = 5.5, result = 0;
  short s = 6;
  void* mixed[] = {&c, &point, &d, &s, &b};
  OK(cuLaunchKernel(function("mixed"), 1, 1, 1, 1, 1, 1, 0, nullptr, mixed, nullptr));
  OK(cuMemcpyDtoH(&result, b, 8));
  EXPECT(result == 21.5);
  size_t offset = 0, bytes = 0;
  OK(cuFuncGetParamInfo(function("mixed"), 1, &offset, &bytes));
  EXPECT(offset == 4 && bytes == 12);
  EXPECT(cuFuncGetParamInfo(function("mixed"), 5, &offset, &bytes) == CUDA_ERROR_INVALID_VALUE);

  // Dynamic shared memory, up to what has been asked for.
  void* sum_params[] = {&b};
  int sum = 0;
  OK(cuLaunchKernel(function("shared_sum"), 1, 1, 1, 512, 1, 1, 2048, nullptr, sum_params, nullptr));
  OK(cuMemcpyDtoH(&sum, b, 4));
  EXPECT(sum == 511 * 512 / 2);
  EXPECT(cuLaunchKernel(function("shared_sum"), 1, 1, 1, 32, 1, 1, 1 << 20, nullptr, sum_params, nullptr) ==
         CUDA_ERROR_INVALID_VALUE);
  int most = 0;
  OK(cuDeviceGetAttribute(&most, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 0));
  EXPECT(cuFuncSetAttribute(function("shared_sum"), CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, most + 1) ==
         CUDA_ERROR_INVALID_VALUE);
  OK(cuFuncSetAttribute(function("shared_sum"), CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, most));
  OK(cuLaunchKernel(function("shared_sum"), 1, 1, 1, 32, 1, 1, static_cast<unsigned>(most), nullptr, sum_params,
                    nullptr));
  OK(cuCtxSynchronize());

  EXPECT(cuLaunchKernel(function("scale"), 0, 1, 1, 32, 1, 1, 0, nullptr, params, nullptr) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuLaunchKernel(function("scale"), 1, 1, 1, 2048, 1, 1, 0, nullptr, params, nullptr) ==
         CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuLaunchKernel(function("scale"), 1, 1, 1, 1, 1, 65, 0, nullptr, params, nullptr) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuLaunchKernel(reinterpret_cast<CUfunction>(0x10), 1, 1, 1, 1, 1, 1, 0, nullptr, params, nullptr) ==
         CUDA_ERROR_INVALID_HANDLE);
  EXPECT(cuLaunchKernel(function("scale"), 1, 1, 1, 1, 1, 1, 0, reinterpret_cast<CUstream>(0x10), params, nullptr) ==
         CUDA_ERROR_INVALID_HANDLE);
  int blocks = 0;
  OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function("scale"), 256, 0));
  EXPECT(blocks >= 1);
  OK(cuMemFree(a));
  OK(cuMemFree(b));
}

void streams_and_events() {
  int* flags = nullptr;  // host memory that both sides see
  OK(cuMemHostAlloc(reinterpret_cast<void**>(&flags), 4096, 0));
  volatile int* gate = flags;
  *gate = 0;
  CUdeviceptr gate_va = 0, data = 0;
  OK(cuMemHostGetDevicePointer(&gate_va, flags, 0));
  OK(cuMemAlloc(&data, 64));
  OK(cuMemsetD32(data, 0, 16));
  CUstream blocking, free;
  OK(cuStreamCreate(&blocking, CU_STREAM_DEFAULT));
  OK(cuStreamCreate(&free, CU_STREAM_NON_BLOCKING));
  CUevent before, after;
  OK(cuEventCreate(&before, CU_EVENT_DEFAULT));
  OK(cuEventCreate(&after, CU_EVENT_DEFAULT));
  OK(cuEventRecord(before, blocking));
  void* spin_params[] = {&gate_va};
  OK(cuLaunchKernel(function("spin"), 1, 1, 1, 1, 1, 1, 0, blocking, spin_params, nullptr));
  OK(cuEventRecord(after, blocking));
  EXPECT(cuEventQuery(after) == CUDA_ERROR_NOT_READY);
  EXPECT(cuStreamQuery(blocking) == CUDA_ERROR_NOT_READY);
  float time = -1;
  EXPECT(cuEventElapsedTime(&time, before, after) == CUDA_ERROR_NOT_READY);

  // The legacy stream waits for the blocking one, the other does not.
  int one = 1, two = 2;
  CUdeviceptr second = data + 4;
  void* set_legacy[] = {&data, &one};
  void* set_free[] = {&second, &two};
  OK(cuLaunchKernel(function("set"), 1, 1, 1, 1, 1, 1, 0, nullptr, set_legacy, nullptr));
  OK(cuLaunchKernel(function("set"), 1, 1, 1, 1, 1, 1, 0, free, set_free, nullptr));
  OK(cuStreamSynchronize(free));
  int seen[2] = {-1, -1};
  OK(cuMemcpyDtoHAsync(seen, data, 8, free));
  OK(cuStreamSynchronize(free));
  EXPECT(seen[0] == 0 && seen[1] == 2);
  std::atomic<int> called{0};
  OK(cuStreamWaitEvent(free, after, 0));
  OK(cuLaunchHostFunc(
      free, [](void* data_pointer) { static_cast<std::atomic<int>*>(data_pointer)->store(7); }, &called));
  EXPECT(called.load() == 0);
  *gate = 1;
  OK(cuStreamSynchronize(free));
  EXPECT(called.load() == 7);
  OK(cuEventSynchronize(after));
  OK(cuEventElapsedTime(&time, before, after));
  EXPECT(time > 0);
  OK(cuMemcpyDtoH(seen, data, 8));
  EXPECT(seen[0] == 1);

  OK(cuStreamDestroy(blocking));
  EXPECT(cuStreamQuery(blocking) == CUDA_ERROR_INVALID_HANDLE);
  OK(cuEventDestroy(after));
  EXPECT(cuEventQuery(after) == CUDA_ERROR_INVALID_HANDLE);
  OK(cuStreamDestroy(free));
  for (int i = 0; i < 200; ++i) {  // more than the device has queues
    CUstream stream;
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuLaunchKernel(function("set"), 1, 1, 1, 1, 1, 1, 0, stream, set_legacy, nullptr));
    OK(cuStreamDestroy(stream));
  }
  OK(cuCtxSynchronize());
  OK(cuMemFreeHost(flags));
  OK(cuMemFree(data));
}

/// A stream waits for a value of another that is destroyed, and whose place others take, before it gets to the wait.
void waits_outlive_streams() {
  int* gates = nullptr;
  OK(cuMemHostAlloc(reinterpret_cast<void**>(&gates), 4096, 0));
  volatile int* gate = gates;
  gate[0] = 0;
  gate[1] = 0;
  CUdeviceptr first = reinterpret_cast<CUdeviceptr>(gates), second = first + 4, target = first + 64;
  void* spin_first[] = {&first};
  void* spin_second[] = {&second};
  int value = 3;
  void* set_params[] = {&target, &value};
  CUstream waited_for, waiting, later;
  CUevent event;
  OK(cuStreamCreate(&waited_for, CU_STREAM_NON_BLOCKING));
  OK(cuStreamCreate(&waiting, CU_STREAM_NON_BLOCKING));
  OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  OK(cuLaunchKernel(function("spin"), 1, 1, 1, 1, 1, 1, 0, waited_for, spin_first, nullptr));
  OK(cuEventRecord(event, waited_for));
  OK(cuLaunchKernel(function("spin"), 1, 1, 1, 1, 1, 1, 0, waiting, spin_second, nullptr));
  OK(cuStreamWaitEvent(waiting, event, 0));
  OK(cuLaunchKernel(function("set"), 1, 1, 1, 1, 1, 1, 0, waiting, set_params, nullptr));
  gate[0] = 1;
  OK(cuStreamSynchronize(waited_for));
  OK(cuStreamDestroy(waited_for));
  OK(cuEventDestroy(event));
  for (int i = 0; i < 4; ++i) {
    OK(cuStreamCreate(&later, CU_STREAM_NON_BLOCKING));
    OK(cuStreamSynchronize(later));
    OK(cuStreamDestroy(later));
  }
  gate[1] = 1;
  OK(cuStreamSynchronize(waiting));
  EXPECT(gates[16] == 3);
  OK(cuStreamDestroy(waiting));
  OK(cuMemFreeHost(gates));
}

void host_memory() {
  CUdeviceptr managed = 0;
  OK(cuMemAllocManaged(&managed, 4096, CU_MEM_ATTACH_GLOBAL));
  int value = 77;
  void* params[] = {&managed, &value};
  OK(cuLaunchKernel(function("set"), 1, 1, 1, 1, 1, 1, 0, nullptr, params, nullptr));
  OK(cuCtxSynchronize());
  EXPECT(*reinterpret_cast<int*>(managed) == 77);
  unsigned is_managed = 0, type = 0;
  OK(cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, managed));
  OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, managed));
  EXPECT(is_managed == 1 && type == CU_MEMORYTYPE_DEVICE);
  OK(cuMemFree(managed));
  int local = 0;
  EXPECT(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, reinterpret_cast<CUdeviceptr>(&local)) ==
         CUDA_ERROR_INVALID_VALUE);

  std::vector<int> mine(10000, 5);
  OK(cuMemHostRegister(mine.data(), mine.size() * 4, 0));
  EXPECT(cuMemHostRegister(mine.data(), 4, 0) == CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  CUdeviceptr element = reinterpret_cast<CUdeviceptr>(&mine[5000]);
  void* register_params[] = {&element, &value};
  OK(cuLaunchKernel(function("set"), 1, 1, 1, 1, 1, 1, 0, nullptr, register_params, nullptr));
  OK(cuCtxSynchronize());
  EXPECT(mine[5000] == 77 && mine[4999] == 5);
  OK(cuMemHostUnregister(mine.data()));
  EXPECT(mine[5000] == 77 && mine[9999] == 5);
  EXPECT(cuMemHostUnregister(mine.data()) == CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
}

void libraries(const char* path) {
  CUlibrary library;
  CUkernel kernel;
  CUfunction in_context;
  OK(cuLibraryLoadFromFile(&library, path, nullptr, nullptr, 0, nullptr, nullptr, 0));
  OK(cuLibraryGetKernel(&kernel, library, "set"));
  const char* name = nullptr;
  OK(cuKernelGetName(&name, kernel));
  EXPECT(std::strcmp(name, "set") == 0);
  OK(cuKernelGetFunction(&in_context, kernel));
  CUdeviceptr data = 0;
  OK(cuMemAlloc(&data, 4));
  int value = 9, seen = 0;
  void* params[] = {&data, &value};
  OK(cuLaunchKernel(in_context, 1, 1, 1, 1, 1, 1, 0, nullptr, params, nullptr));
  value = 10;
  OK(cuLaunchKernel(reinterpret_cast<CUfunction>(kernel), 1, 1, 1, 1, 1, 1, 0, nullptr, params, nullptr));
  OK(cuMemcpyDtoH(&seen, data, 4));
  EXPECT(seen == 10);
  OK(cuLibraryUnload(library));
  EXPECT(cuLibraryUnload(library) == CUDA_ERROR_INVALID_HANDLE);
  OK(cuMemFree(data));
}

void forks() {
  const pid_t child = fork();
  if (child == 0) {
    int count = 0;
    const bool right =
        cuInit(0) == CUDA_ERROR_NOT_INITIALIZED && cuDeviceGetCount(&count) == CUDA_ERROR_NOT_INITIALIZED;
    _exit(right ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  OK(cuCtxSynchronize());
}

/// A fault ends its context and no other.
void faults() {
  CUcontext good = nullptr, bad = nullptr;
  OK(cuCtxGetCurrent(&good));
  OK(cuCtxCreate(&bad, 0, 0));
  CUdeviceptr memory = 0, wrong = 0x10;
  OK(cuMemAlloc(&memory, 4));
  CUmodule other;
  CUfunction store;

  OK(cuModuleLoad(&other, module_path));
  OK(cuModuleGetFunction(&store, other, "store_at"));
  void* params[] = {&wrong};
  OK(cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, nullptr, params, nullptr));
  EXPECT(cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT(cuMemAlloc(&memory, 4) == CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT(cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, nullptr, params, nullptr) == CUDA_ERROR_ILLEGAL_ADDRESS);
  OK(cuCtxSetCurrent(good));
  OK(cuCtxSynchronize());
  OK(cuMemAlloc(&memory, 4));
  OK(cuMemFree(memory));
  OK(cuCtxDestroy(bad));
}

}  // namespace

int main(int count, char** arguments) {
  CUdevice device;
  EXPECT(cuDeviceGet(&device, 0) == CUDA_ERROR_NOT_INITIALIZED);
  OK(cuInit(0));
  EXPECT(cuInit(1) == CUDA_ERROR_INVALID_VALUE);
  if (count != 2 || failures != 0) return 1;
  module_path = arguments[1];
  CUcontext context;
  OK(cuDeviceGet(&device, 0));
  OK(cuDevicePrimaryCtxRetain(&context, device));
  OK(cuCtxSetCurrent(context));
  OK(cuModuleLoad(&module, module_path));
  devices();
  contexts();
  copies();
  modules();
  launches();
  streams_and_events();
  waits_outlive_streams();
  host_memory();
  libraries(module_path);
  forks();
  faults();
  OK(cuModuleUnload(module));
  EXPECT(cuModuleUnload(module) == CUDA_ERROR_INVALID_HANDLE);
  OK(cuDevicePrimaryCtxRelease(device));
  return failures == 0 ? 0 : 1;
}
