/* The generic address space of a GPU thread: 48 bits, zero-extended. Shared by compiler, driver and engines; C11.
 *
 *   bit 47 = 0                global memory: whatever the page tables map (so a host pointer can be mapped at its own value)
 *   bit 47 = 1, bit 46 = 0    shared window: one slot of CASTOR_SHARED_STRIDE bytes per resident CTA
 *   bit 47 = 1, bit 46 = 1    local window: one slot of CASTOR_LOCAL_STRIDE bytes per resident thread
 */
#ifndef CASTOR_GPU_ABI_ADDRESS_SPACE_H
#define CASTOR_GPU_ABI_ADDRESS_SPACE_H

#define CASTOR_GENERIC_BITS 48
#define CASTOR_GLOBAL_LIMIT 0x800000000000ull
#define CASTOR_SHARED_WINDOW 0x800000000000ull
#define CASTOR_LOCAL_WINDOW 0xc00000000000ull
#define CASTOR_WINDOW_LIMIT 0x1000000000000ull

/* Slot numbers are those of the CTA's place in the device: SM number * CTA slots per SM + slot. A thread's local slot is
 * CTA slot * 1024 + thread number in the CTA. */
#define CASTOR_SHARED_STRIDE 0x100000ull /* 1 MiB */
#define CASTOR_LOCAL_STRIDE 0x100000ull  /* 1 MiB: CUDA's largest local memory is 512 KiB a thread */
#define CASTOR_CTA_MAX_THREADS 1024u

/* ra at kernel entry: a thread whose PC becomes this value ends, as with castor.exit. Inside no window that holds code. */
#define CASTOR_EXIT_PC 0xfffffffffff0ull

/* Dynamic shared memory starts at the static size rounded up to this. */
#define CASTOR_DYNAMIC_SHARED_ALIGN 16u

#endif
