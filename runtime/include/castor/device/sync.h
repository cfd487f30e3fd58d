// Barriers, fences, time (CUDA C++ Programming Guide, "Synchronization Functions", "Memory Fence Functions", "Time
// Function"). __syncthreads itself is a builtin of the compiler.
#pragma once

CASTOR_DEVICE int __syncthreads_count(int predicate) { return __nvvm_bar0_popc(predicate); }
CASTOR_DEVICE int __syncthreads_and(int predicate) { return __nvvm_bar0_and(predicate); }
CASTOR_DEVICE int __syncthreads_or(int predicate) { return __nvvm_bar0_or(predicate); }
CASTOR_DEVICE void __syncwarp(unsigned int mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }
CASTOR_DEVICE void __barrier_sync(unsigned int id) { __nvvm_barrier_sync(id); }
CASTOR_DEVICE void __barrier_sync_count(unsigned int id, unsigned int count) { __nvvm_barrier_sync_cnt(id, count); }
CASTOR_DEVICE void __threadfence_block() { __nvvm_membar_cta(); }
CASTOR_DEVICE void __threadfence() { __nvvm_membar_gl(); }
CASTOR_DEVICE void __threadfence_system() { __nvvm_membar_sys(); }

CASTOR_DEVICE void __nanosleep(unsigned int ns) { __nvvm_nanosleep(ns); }
CASTOR_DEVICE long long clock64() { return __nvvm_read_ptx_sreg_clock64(); }
CASTOR_DEVICE long clock() { return static_cast<long>(__nvvm_read_ptx_sreg_clock64()); }

CASTOR_DEVICE void __trap() { __builtin_trap(); }
CASTOR_DEVICE void __brkpt() { __builtin_debugtrap(); }
