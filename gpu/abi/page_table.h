/* The GPU's page tables: 57-bit virtual addresses, five levels of 512 eight-byte entries in 4 KiB tables. C11.
 *
 * Index of level n (4 = root) is bits 12+9n+8 .. 12+9n of the address. An entry with LEAF maps: at level 0 a 4 KiB page, or,
 * with BIG set in all sixteen entries of an aligned group, one 64 KiB page; at level 1 a 2 MiB page. Without LEAF it points to
 * the next table. Reserved bits must be 0. The walker writes nothing.
 */
#ifndef CASTOR_GPU_ABI_PAGE_TABLE_H
#define CASTOR_GPU_ABI_PAGE_TABLE_H

#include <stdint.h>

#define CASTOR_PT_LEVELS 5
#define CASTOR_PT_ENTRIES 512
#define CASTOR_PT_TABLE_BYTES 4096u
#define CASTOR_PT_INDEX(address, level) (((uint64_t)(address) >> (12 + 9 * (level))) & 511u)
#define CASTOR_PAGE_4K 0x1000ull
#define CASTOR_PAGE_64K 0x10000ull
#define CASTOR_PAGE_2M 0x200000ull

#define CASTOR_PTE_VALID (1ull << 0)
#define CASTOR_PTE_LEAF (1ull << 1)
#define CASTOR_PTE_APERTURE_SHIFT 2
#define CASTOR_PTE_APERTURE_MASK (7ull << 2)
#define CASTOR_PTE_READ (1ull << 5)
#define CASTOR_PTE_WRITE (1ull << 6)
#define CASTOR_PTE_EXECUTE (1ull << 7)
#define CASTOR_PTE_ATOMIC (1ull << 8)
#define CASTOR_PTE_ATS (1ull << 9)
#define CASTOR_PTE_SPARSE (1ull << 10)
#define CASTOR_PTE_POISON (1ull << 11)
#define CASTOR_PTE_ADDRESS_MASK 0x000ffffffffff000ull
#define CASTOR_PTE_BIG (1ull << 52)

enum castor_aperture {
  CASTOR_APERTURE_DEVICE = 0,        /* device memory: a DevAddr */
  CASTOR_APERTURE_OTHER_DIE = 1,     /* split presentation: the other die's memory */
  CASTOR_APERTURE_HOST_COHERENT = 2, /* host memory: a bus address, snooped */
  CASTOR_APERTURE_HOST_NONCOHERENT = 3,
  CASTOR_APERTURE_PEER = 4,
};

#endif
