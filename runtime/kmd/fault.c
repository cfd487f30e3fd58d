/* Interrupts: fault rings, the firmware's events, completions of queues. */
#include "runtime/kmd/core.h"

#define FAULT_ENTRIES 64u

int castor_kmd_fault_rings(struct castor_kmd* kmd) {
  const int error = castor_dma_take(kmd->port, FAULT_ENTRIES * sizeof(struct castor_fault_record), &kmd->faults);
  if (error != 0) return error;
  kmd->fault_entries = FAULT_ENTRIES;
  castor_kmd_write_pair(kmd, kmd->mmu + CASTOR_MMU_FATAL_BASE_LO, kmd->faults.bus);
  castor_kmd_write(kmd, kmd->mmu + CASTOR_MMU_FATAL_ENTRIES, FAULT_ENTRIES);
  castor_kmd_write(kmd, kmd->mmu + CASTOR_MMU_FATAL_GET, castor_kmd_read(kmd, kmd->mmu + CASTOR_MMU_FATAL_PUT));
  return 0;
}

static void take_record(struct castor_kmd* kmd, const struct castor_fault_record* record) {
  struct castor_kmd_context* context =
      record->context < kmd->discovery.contexts ? kmd->contexts[record->context] : NULL;
  if (context == NULL) {
    castor_kmd_say(kmd->port, CASTOR_KMD_LOG_WARNING, "fault of context %u, which does not exist",
                   (unsigned)record->context);
    return;
  }
  castor_kmd_say(kmd->port, CASTOR_KMD_LOG_DEBUG, "context %u: fault %u at 0x%l, pc 0x%l", (unsigned)record->context,
                 (unsigned)record->cause, record->address, record->pc);
  if (context->faulted) return; /* the first one counts */
  context->faulted = true;
  context->fault = *record;
  kmd->port->notify(kmd->port->env, CASTOR_KMD_NOTICE_FAULT, context->pasid);
}

void castor_kmd_fault_drain(struct castor_kmd* kmd) {
  if (kmd->faults.cpu == NULL || kmd->lost) return;
  const struct castor_fault_record* records = kmd->faults.cpu;
  const uint32_t put = castor_kmd_read(kmd, kmd->mmu + CASTOR_MMU_FATAL_PUT);
  uint32_t get = castor_kmd_read(kmd, kmd->mmu + CASTOR_MMU_FATAL_GET);
  if (put - get > kmd->fault_entries) {
    castor_kmd_lose(kmd, "the fault ring is corrupt");
    return;
  }
  if (put == get) return;
  while (get != put) {
    const struct castor_fault_record record = records[get % kmd->fault_entries];
    ++get;
    take_record(kmd, &record);
  }
  castor_kmd_write(kmd, kmd->mmu + CASTOR_MMU_FATAL_GET, get);
  const uint32_t status = castor_kmd_read(kmd, kmd->mmu + CASTOR_MMU_FATAL_STATUS);
  if ((status & CASTOR_FIELD_MASK(CASTOR_MMU_FATAL_STATUS_LOST)) == 0) return;
  castor_kmd_say(kmd->port, CASTOR_KMD_LOG_WARNING, "fault records were lost");
  castor_kmd_write(kmd, kmd->mmu + CASTOR_MMU_FATAL_STATUS, status);
}

static void check_device(struct castor_kmd* kmd) {
  const uint32_t status = castor_kmd_read(kmd, kmd->gsp + CASTOR_GSP_STATUS);
  castor_kmd_log_drain(kmd);
  if (CASTOR_FIELD_GET(status, CASTOR_GSP_STATUS_STATE) == CASTOR_GSP_STATE_FAILED) {
    castor_kmd_lose(kmd, "its firmware has crashed");
    return;
  }
  const uint32_t hole = castor_kmd_read(kmd, CASTOR_BOOT_BASE + CASTOR_BOOT_HOLE);
  if ((hole & 1u) == 0) return;
  castor_kmd_say(kmd->port, CASTOR_KMD_LOG_WARNING, "an access hit no register: BAR0 offset 0x%x",
                 castor_kmd_read(kmd, CASTOR_BOOT_BASE + CASTOR_BOOT_HOLE_OFFSET));
  castor_kmd_write(kmd, CASTOR_BOOT_BASE + CASTOR_BOOT_HOLE, hole);
}

void castor_kmd_interrupt(struct castor_kmd* kmd, uint64_t pending) {
  if (kmd->lost) return;
  if ((pending & 1ull << CASTOR_VECTOR_MESSAGE) != 0) {
    do {
      kmd->answered = false; /* nobody waits for an answer here */
      castor_kmd_status_drain(kmd);
    } while (kmd->answered && !kmd->lost);
  }
  if ((pending & 1ull << CASTOR_VECTOR_FATAL_FAULT) != 0) castor_kmd_fault_drain(kmd);
  if ((pending & 1ull << CASTOR_VECTOR_DEVICE) != 0) check_device(kmd);
  if (pending >> CASTOR_VECTOR_FIRST_QUEUE == 0) return;
  for (uint32_t i = 0; i < kmd->discovery.contexts; ++i) {
    const struct castor_kmd_context* context = kmd->contexts[i];
    if (context == NULL || (pending >> context->vector & 1) == 0) continue;
    kmd->port->notify(kmd->port->env, CASTOR_KMD_NOTICE_QUEUE, context->pasid);
  }
}
