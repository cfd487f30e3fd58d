// Loads and stores with cache hints, address spaces (CUDA C++ Programming Guide, "Read-Only Data Cache Load Function", "Load
// Functions Using Cache Hints", "Address Space Predicate and Conversion Functions"). Hints have no effect here.
#pragma once

#define CASTOR_LOAD(name)                  \
  template <class T>                       \
  CASTOR_DEVICE T name(const T* address) { \
    return *address;                       \
  }
CASTOR_LOAD(__ldg)
CASTOR_LOAD(__ldca)
CASTOR_LOAD(__ldcs)
CASTOR_LOAD(__ldlu)
CASTOR_LOAD(__ldcg)
#undef CASTOR_LOAD
// These two must see what others wrote.
template <class T>
CASTOR_DEVICE T __ldcv(const T* address) {
  return *const_cast<const volatile T*>(address);
}
template <class T>
CASTOR_DEVICE void __stwt(T* address, T value) {
  *address = value;
}
template <class T>
CASTOR_DEVICE void __stwb(T* address, T value) {
  *address = value;
}
template <class T>
CASTOR_DEVICE void __stcg(T* address, T value) {
  *address = value;
}
template <class T>
CASTOR_DEVICE void __stcs(T* address, T value) {
  *address = value;
}

CASTOR_DEVICE unsigned int __isGlobal(const void* p) { return __nvvm_isspacep_global(p); }
CASTOR_DEVICE unsigned int __isShared(const void* p) { return __nvvm_isspacep_shared(p); }
CASTOR_DEVICE unsigned int __isLocal(const void* p) { return __nvvm_isspacep_local(p); }

// A shared address in PTX's sense is an offset in the CTA's window, so that it fits in 32 bits.
extern "C" __device__ __attribute__((const)) unsigned long long __castor_csr_shared_base();
CASTOR_DEVICE __SIZE_TYPE__ __cvta_generic_to_shared(const void* p) {
  return reinterpret_cast<__SIZE_TYPE__>(p) - __castor_csr_shared_base();
}
CASTOR_DEVICE void* __cvta_shared_to_generic(__SIZE_TYPE__ offset) {
  return reinterpret_cast<void*>(offset + __castor_csr_shared_base());
}
CASTOR_DEVICE __SIZE_TYPE__ __cvta_generic_to_global(const void* p) { return reinterpret_cast<__SIZE_TYPE__>(p); }
CASTOR_DEVICE void* __cvta_global_to_generic(__SIZE_TYPE__ address) { return reinterpret_cast<void*>(address); }
CASTOR_DEVICE __SIZE_TYPE__ __cvta_generic_to_local(const void* p) { return reinterpret_cast<__SIZE_TYPE__>(p); }
CASTOR_DEVICE void* __cvta_local_to_generic(__SIZE_TYPE__ address) { return reinterpret_cast<void*>(address); }
CASTOR_DEVICE __SIZE_TYPE__ __cvta_generic_to_constant(const void* p) { return reinterpret_cast<__SIZE_TYPE__>(p); }
CASTOR_DEVICE void* __cvta_constant_to_generic(__SIZE_TYPE__ address) { return reinterpret_cast<void*>(address); }
