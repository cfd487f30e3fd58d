/* BAR0 registers for C11: CASTOR_<BLOCK>_<REGISTER> is an offset in the block, CASTOR_<BLOCK>_<REGISTER>_<FIELD>_SHIFT and
 * _WIDTH describe a field. Where the blocks lie says the discovery table (discovery.h). All registers are 32 bits, accessed
 * as aligned 32-bit words (an aligned 64-bit access is two, the lower offset first).
 * The rows are in registers/<block>.inc; C++ has a typed view of them in register_view.h.
 *
 * Access words: ro   writes have no effect
 *               rw   reads what was written
 *               w1c  writing one clears the bit
 *               w1s  writing one sets the bit
 *               wo   reads zero; a write has the stated effect
 *               rc   reading clears it; writes have no effect
 * Bits outside the fields read zero and ignore writes.
 */
#ifndef CASTOR_GPU_ABI_REGISTERS_H
#define CASTOR_GPU_ABI_REGISTERS_H

#define CASTOR_BAR0_BYTES 0x1000000u
#define CASTOR_BOOT_BASE 0x0u

/* CASTOR_FIELD_MASK(CASTOR_CE_CTRL_ENABLE), CASTOR_FIELD_GET(word, CASTOR_CE_CTRL_ENABLE), CASTOR_FIELD_PUT(…) */
#define CASTOR_FIELD_MASK(field) ((unsigned)((((1ull << field##_WIDTH) - 1) << field##_SHIFT)))
#define CASTOR_FIELD_GET(word, field) (((unsigned)(word) & CASTOR_FIELD_MASK(field)) >> field##_SHIFT)
#define CASTOR_FIELD_PUT(value, field) (((unsigned)(value) << field##_SHIFT) & CASTOR_FIELD_MASK(field))

#define REG(name, offset, access, reset, doc) CASTOR_BOOT_##name = offset,
#define FIELD(reg, name, shift, width, doc) \
  CASTOR_BOOT_##reg##_##name##_SHIFT = shift, CASTOR_BOOT_##reg##_##name##_WIDTH = width,
enum castor_boot_registers {
#include "gpu/abi/registers/boot.inc"
};
#undef REG
#undef FIELD

#define REG(name, offset, access, reset, doc) CASTOR_INTR_##name = offset,
#define FIELD(reg, name, shift, width, doc) \
  CASTOR_INTR_##reg##_##name##_SHIFT = shift, CASTOR_INTR_##reg##_##name##_WIDTH = width,
enum castor_intr_registers {
#include "gpu/abi/registers/intr.inc"
};
#undef REG
#undef FIELD

#define REG(name, offset, access, reset, doc) CASTOR_GSP_##name = offset,
#define FIELD(reg, name, shift, width, doc) \
  CASTOR_GSP_##reg##_##name##_SHIFT = shift, CASTOR_GSP_##reg##_##name##_WIDTH = width,
enum castor_gsp_registers {
#include "gpu/abi/registers/gsp.inc"
};
#undef REG
#undef FIELD

#define REG(name, offset, access, reset, doc) CASTOR_GSP_LOCAL_##name = offset,
#define FIELD(reg, name, shift, width, doc) \
  CASTOR_GSP_LOCAL_##reg##_##name##_SHIFT = shift, CASTOR_GSP_LOCAL_##reg##_##name##_WIDTH = width,
enum castor_gsp_local_registers {
#include "gpu/abi/registers/gsp_local.inc"
};
#undef REG
#undef FIELD

#define REG(name, offset, access, reset, doc) CASTOR_MMU_##name = offset,
#define FIELD(reg, name, shift, width, doc) \
  CASTOR_MMU_##reg##_##name##_SHIFT = shift, CASTOR_MMU_##reg##_##name##_WIDTH = width,
enum castor_mmu_registers {
#include "gpu/abi/registers/mmu.inc"
};
#undef REG
#undef FIELD

#define REG(name, offset, access, reset, doc) CASTOR_HOST_##name = offset,
#define FIELD(reg, name, shift, width, doc) \
  CASTOR_HOST_##reg##_##name##_SHIFT = shift, CASTOR_HOST_##reg##_##name##_WIDTH = width,
enum castor_host_registers {
#include "gpu/abi/registers/host.inc"
};
#undef REG
#undef FIELD

#define REG(name, offset, access, reset, doc) CASTOR_CE_##name = offset,
#define FIELD(reg, name, shift, width, doc) \
  CASTOR_CE_##reg##_##name##_SHIFT = shift, CASTOR_CE_##reg##_##name##_WIDTH = width,
enum castor_ce_registers {
#include "gpu/abi/registers/ce.inc"
};
#undef REG
#undef FIELD

#define REG(name, offset, access, reset, doc) CASTOR_DISPATCH_##name = offset,
#define FIELD(reg, name, shift, width, doc) \
  CASTOR_DISPATCH_##reg##_##name##_SHIFT = shift, CASTOR_DISPATCH_##reg##_##name##_WIDTH = width,
enum castor_dispatch_registers {
#include "gpu/abi/registers/dispatch.inc"
};
#undef REG
#undef FIELD

#define REG(name, offset, access, reset, doc) CASTOR_DIE_##name = offset,
#define FIELD(reg, name, shift, width, doc) \
  CASTOR_DIE_##reg##_##name##_SHIFT = shift, CASTOR_DIE_##reg##_##name##_WIDTH = width,
enum castor_die_registers {
#include "gpu/abi/registers/die.inc"
};
#undef REG
#undef FIELD

#define REG(name, offset, access, reset, doc) CASTOR_SM_##name = offset,
#define FIELD(reg, name, shift, width, doc) \
  CASTOR_SM_##reg##_##name##_SHIFT = shift, CASTOR_SM_##reg##_##name##_WIDTH = width,
enum castor_sm_registers {
#include "gpu/abi/registers/sm.inc"
};
#undef REG
#undef FIELD

#define REG(name, offset, access, reset, doc) CASTOR_TEST_##name = offset,
#define FIELD(reg, name, shift, width, doc) \
  CASTOR_TEST_##reg##_##name##_SHIFT = shift, CASTOR_TEST_##reg##_##name##_WIDTH = width,
enum castor_test_registers {
#include "gpu/abi/registers/test.inc"
};
#undef REG
#undef FIELD

#endif
