/* GSP firmware: answers the driver's control messages, reports faults, sleeps. */
#include "gpu/abi/message.h"
#include "gpu/firmware/control.h"
#include "gpu/firmware/hardware.h"
#include "gpu/firmware/log.h"
#include "gpu/firmware/ring.h"

#define VERSION 0x00000100u

static uint32_t gsp;

_Noreturn void firmware_crashed(uint64_t pc, uint64_t cause) {
  bar0_write(gsp + CASTOR_GSP_FAILURE_CAUSE, (uint32_t)cause);
  fail(gsp, CASTOR_GSP_FAIL_TRAP, pc);
}

static void report_fault(void) {
  struct castor_message event = {.function = CASTOR_MSG_EVENT_FAULT};
  event.args[0] = local_read(CASTOR_GSP_LOCAL_FAULTED_PASID);
  event.args[1] = local_read(CASTOR_GSP_LOCAL_FAULTED_INDEX);
  log_line("context %x stopped by a fault", event.args[0]);
  status_offer(&event);
}

static void serve_commands(void) {
  struct castor_message message;
  while (command_take(&message)) {
    message.status = checksum_right(&message) ? control(&message) : CASTOR_MSG_ECRC;
    status_send(&message);
  }
}

void firmware_main(void) {
  gsp = find_block(CASTOR_BLOCK_GSP);
  log_open(gsp);
  rings_open(gsp);
  control_open();
  local_write(CASTOR_GSP_LOCAL_IRQ_ENABLE, CASTOR_FIELD_MASK(CASTOR_GSP_LOCAL_IRQ_ENABLE_DOORBELL) |
                                               CASTOR_FIELD_MASK(CASTOR_GSP_LOCAL_IRQ_ENABLE_FAULT));
  bar0_write(gsp + CASTOR_GSP_FIRMWARE_VERSION, VERSION);
  log_line("GSP firmware %x is ready", VERSION);
  enter_state(gsp, CASTOR_GSP_STATE_READY);
  bar0_write(gsp + CASTOR_GSP_READY, CASTOR_GSP_READY_WORD);
  for (uint32_t turn = 1;; ++turn) {
    const uint32_t pending = local_read(CASTOR_GSP_LOCAL_IRQ_PENDING);
    local_write(CASTOR_GSP_LOCAL_IRQ_PENDING, pending);
    if ((pending & CASTOR_FIELD_MASK(CASTOR_GSP_LOCAL_IRQ_PENDING_FAULT)) != 0) report_fault();
    serve_commands();
    bar0_write(gsp + CASTOR_GSP_HEARTBEAT, turn);
    __asm__ volatile("wfi");
  }
}
