/* What a compiled module looks like, to compiler, driver and hardware alike. C11.
 *
 * A module ("cubin") is one ELF64 RISC-V file, position-independent (ET_DYN, R_RISCV_RELATIVE only, static TLS local-exec).
 * The driver maps its PT_LOAD segments in the context and applies the relocations. Every __global__ function `k` (its
 * symbol, mangled, in .symtab) has a descriptor in section `.castor.kernels`, whose symbol is `k.kd`; the hardware
 * reads the descriptor through the address in the dispatch packet. `__device__`/`__constant__` variables are the
 * symbols of their names in .symtab. Names and layouts of kernel parameters are in note section `.note.castor.params`.
 */
#ifndef CASTOR_GPU_ABI_MODULE_H
#define CASTOR_GPU_ABI_MODULE_H

#include <stdint.h>

#define CASTOR_KERNEL_MAGIC 0x4b524e43u /* "CNRK" */
#define CASTOR_KERNEL_SECTION ".castor.kernels"
#define CASTOR_KERNEL_SUFFIX ".kd"

/* One kernel's fixed facts. 64 bytes, 64-byte aligned. */
struct castor_kernel_desc {
  uint32_t magic;         /* CASTOR_KERNEL_MAGIC */
  uint32_t flags;         /* CASTOR_KERNEL_* below */
  int64_t entry;          /* address of the first instruction, relative to this descriptor */
  uint32_t param_bytes;   /* size of the parameter block */
  uint32_t shared_static; /* bytes of statically declared shared memory reachable from this kernel */
  uint32_t local_bytes;   /* stack a thread needs, as far as the compiler can tell */
  uint32_t max_threads;   /* __launch_bounds__ maximum, 0 if not given */
  uint32_t min_blocks;    /* __launch_bounds__ minimum blocks per SM, 0 if not given */
  uint32_t registers;     /* what cudaFuncGetAttributes reports as numRegs */
  uint32_t const_bytes;   /* constant memory of the module */
  uint32_t ptx_version;   /* 10 * major + minor compute capability the source was compiled for (__CUDA_ARCH__ / 10) */
  uint32_t reserved[4];
};

#define CASTOR_KERNEL_UNBOUNDED_STACK 0x1u /* recursion or an indirect call: local_bytes is a lower bound */

/* Note `.note.castor.params`: owner "Castor", type CASTOR_NOTE_PARAMS, one note a kernel. Descriptor:
 *   u32 parameter count, then count x {u32 offset, u32 size, u32 align, u32 zero}, then the kernel's symbol name, NUL. */
#define CASTOR_NOTE_OWNER "Castor"
#define CASTOR_NOTE_PARAMS 1u
struct castor_note_param {
  uint32_t offset, size, align, zero;
};

/* Fat binary: what `__cudaRegisterFatBinary` and `cuModuleLoadFatBinary` get. The wrapper is the public host ABI. */
#define CASTOR_FATBIN_WRAPPER_MAGIC 0x466243b1u
struct castor_fatbin_wrapper {
  uint32_t magic;   /* CASTOR_FATBIN_WRAPPER_MAGIC */
  uint32_t version; /* 1 */
  const void* data; /* struct castor_fatbin_header */
  void* filename_or_fatbins;
};

#define CASTOR_FATBIN_MAGIC 0xba55ed50u
struct castor_fatbin_header {
  uint32_t magic;       /* CASTOR_FATBIN_MAGIC */
  uint16_t version;     /* 1 */
  uint16_t header_size; /* 16 */
  uint64_t size;        /* bytes of all entries after this header */
};

enum castor_fatbin_kind {
  CASTOR_FATBIN_PTX = 1,     /* PTX text */
  CASTOR_FATBIN_ELF = 2,     /* a module as above */
  CASTOR_FATBIN_BITCODE = 3, /* relocatable device code: LLVM bitcode */
};

/* Each entry: this header, then `size` bytes, padded so that the next entry is 8-byte aligned. */
struct castor_fatbin_entry {
  uint16_t kind;        /* enum castor_fatbin_kind */
  uint16_t version;     /* 1 */
  uint32_t header_size; /* bytes from this header to the payload */
  uint64_t size;        /* bytes of the payload, padding not counted */
  uint32_t arch;        /* 10 * major + minor, e.g. 120 */
  uint32_t flags;       /* 0 */
  uint64_t reserved[2];
};

#endif
