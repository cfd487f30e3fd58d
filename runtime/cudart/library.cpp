// Chapter "Library Management".
#include "runtime/cudart/call.h"
#include "runtime/cudart/context.h"
#include "runtime/cudart/copy.h"
#include "runtime/cudart/registry.h"

namespace castor::cudart::api {

// The options of the two interfaces have the same numbers.
cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* code, cudaJitOption* jitOptions,
                                void** jitOptionsValues, unsigned int numJitOptions, cudaLibraryOption* libraryOptions,
                                void** libraryOptionValues, unsigned int numLibraryOptions) {
  if (!library || !code) return cudaErrorInvalidValue;
  CUDART_CHECK(ensure_context());
  return to_runtime(cuLibraryLoadData(library, code, reinterpret_cast<CUjit_option*>(jitOptions), jitOptionsValues,
                                      numJitOptions, reinterpret_cast<CUlibraryOption*>(libraryOptions),
                                      libraryOptionValues, numLibraryOptions));
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* fileName, cudaJitOption* jitOptions,
                                    void** jitOptionsValues, unsigned int numJitOptions,
                                    cudaLibraryOption* libraryOptions, void** libraryOptionValues,
                                    unsigned int numLibraryOptions) {
  if (!library || !fileName) return cudaErrorInvalidValue;
  CUDART_CHECK(ensure_context());
  return to_runtime(cuLibraryLoadFromFile(
      library, fileName, reinterpret_cast<CUjit_option*>(jitOptions), jitOptionsValues, numJitOptions,
      reinterpret_cast<CUlibraryOption*>(libraryOptions), libraryOptionValues, numLibraryOptions));
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
  if (!library) return cudaErrorInvalidResourceHandle;
  CUDART_CHECK(ensure_context());
  return to_runtime(cuLibraryUnload(library));
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t* pKernel, cudaLibrary_t library, const char* name) {
  if (!pKernel || !name) return cudaErrorInvalidValue;
  CUDART_CHECK(ensure_context());
  CUDART_TRY(cuLibraryGetKernel(pKernel, library, name));
  remember_kernel(*pKernel);
  return cudaSuccess;
}

cudaError_t cudaLibraryGetGlobal(void** dptr, size_t* bytes, cudaLibrary_t library, const char* name) {
  if (!name || (!dptr && !bytes)) return cudaErrorInvalidValue;
  CUDART_CHECK(ensure_context());
  CUdeviceptr address = 0;
  CUDART_TRY(cuLibraryGetGlobal(&address, bytes, library, name));
  if (dptr) *dptr = host_view(address);
  return cudaSuccess;
}

cudaError_t cudaLibraryGetKernelCount(unsigned int* count, cudaLibrary_t lib) {
  if (!count) return cudaErrorInvalidValue;
  CUDART_CHECK(ensure_context());
  return to_runtime(cuLibraryGetKernelCount(count, lib));
}

cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t* kernels, unsigned int numKernels, cudaLibrary_t lib) {
  if (!kernels) return cudaErrorInvalidValue;
  CUDART_CHECK(ensure_context());
  CUDART_TRY(cuLibraryEnumerateKernels(kernels, numKernels, lib));
  unsigned count = 0;
  CUDART_TRY(cuLibraryGetKernelCount(&count, lib));
  for (unsigned i = 0; i < count && i < numKernels; ++i) remember_kernel(kernels[i]);
  return cudaSuccess;
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attr, int value, int device) {
  CUDART_CHECK(ensure_context());
  return to_runtime(cuKernelSetAttribute(static_cast<CUfunction_attribute>(attr), value, kernel, device));
}

}  // namespace castor::cudart::api
