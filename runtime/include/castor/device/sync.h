// Barriers and fences (CUDA C++ Programming Guide, "Synchronization Functions" and "Memory Fence Functions").
#pragma once

// __syncthreads itself is a builtin of the compiler.
#define CASTOR_DEVICE static __device__ __inline__ __attribute__((always_inline))

CASTOR_DEVICE int __syncthreads_count(int predicate) { return __nvvm_bar0_popc(predicate); }
CASTOR_DEVICE int __syncthreads_and(int predicate) { return __nvvm_bar0_and(predicate); }
CASTOR_DEVICE int __syncthreads_or(int predicate) { return __nvvm_bar0_or(predicate); }
CASTOR_DEVICE void __syncwarp(unsigned int mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }
CASTOR_DEVICE void __barrier_sync(unsigned int id) { __nvvm_barrier_sync(id); }
CASTOR_DEVICE void __barrier_sync_count(unsigned int id, unsigned int count) { __nvvm_barrier_sync_cnt(id, count); }
CASTOR_DEVICE void __threadfence_block() { __nvvm_membar_cta(); }
CASTOR_DEVICE void __threadfence() { __nvvm_membar_gl(); }
CASTOR_DEVICE void __threadfence_system() { __nvvm_membar_sys(); }
