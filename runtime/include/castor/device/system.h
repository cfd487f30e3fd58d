// Functions of the C library that device code may call.
#pragma once

extern "C" {
__device__ int printf(const char*, ...);
__device__ int vprintf(const char*, const char*);
__device__ void* malloc(__SIZE_TYPE__) __attribute__((nothrow, malloc));
__device__ void free(void*) __attribute__((nothrow));
__device__ void __castor_assert_fail(const char* message, const char* file, unsigned int line, const char* function);

// What the assert macro of <assert.h> calls.
__device__ static __inline__ void __assert_fail(const char* message, const char* file, unsigned int line,
                                                const char* function) {
  __castor_assert_fail(message, file, line, function);
}
}

// Static, so that they stand beside the C library's functions of these names.
CASTOR_DEVICE void* memcpy(void* to, const void* from, __SIZE_TYPE__ size) { return __builtin_memcpy(to, from, size); }
CASTOR_DEVICE void* memmove(void* to, const void* from, __SIZE_TYPE__ size) {
  return __builtin_memmove(to, from, size);
}
CASTOR_DEVICE void* memset(void* to, int value, __SIZE_TYPE__ size) { return __builtin_memset(to, value, size); }
