// What a failed assert() ends in. The message is not carried yet: the fault names kernel, block, thread and source line.
#include "compiler/devicelib/device.h"
#include "gpu/abi/fault_record.h"

FUNCTION(void, __castor_op_trap)(unsigned code);

FUNCTION(void, __castor_assert_fail)(const char*, const char*, unsigned, const char*) {
  __castor_op_trap(CASTOR_TRAP_ASSERT);
}
