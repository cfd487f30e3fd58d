#include "gpu/firmware/control.h"

#include "gpu/firmware/hardware.h"
#include "gpu/firmware/log.h"

static uint32_t host, mmu, contexts, queues;

static uint64_t* const kContextTable = (uint64_t*)(CASTOR_GSP_MEMORY + CASTOR_GSP_CONTEXT_TABLE);

void control_open(void) {
  host = find_block(CASTOR_BLOCK_HOST);
  mmu = find_block(CASTOR_BLOCK_MMU);
  contexts = bar0_read(mmu + CASTOR_MMU_CONTEXTS);
  queues = bar0_read(host + CASTOR_HOST_QUEUES);
  for (uint32_t pasid = 0; pasid < contexts; ++pasid) kContextTable[pasid] = 0;
  bar0_write_pair(mmu + CASTOR_MMU_CONTEXT_TABLE_LO, CASTOR_GSP_CONTEXT_TABLE);
}

/* Sleeps until the interrupt cause has come; the doorbell stays pending for the main loop. */
static void await_irq(uint32_t cause, uint32_t busy_register, uint32_t busy_mask) {
  const uint32_t enabled = local_read(CASTOR_GSP_LOCAL_IRQ_ENABLE);
  local_write(CASTOR_GSP_LOCAL_IRQ_ENABLE, cause);
  while ((bar0_read(busy_register) & busy_mask) != 0) {
    __asm__ volatile("wfi");
    local_write(CASTOR_GSP_LOCAL_IRQ_PENDING, cause);
  }
  local_write(CASTOR_GSP_LOCAL_IRQ_PENDING, cause);
  local_write(CASTOR_GSP_LOCAL_IRQ_ENABLE, enabled);
}

static int host_command(uint32_t op) {
  bar0_write(host + CASTOR_HOST_COMMAND, op);
  await_irq(CASTOR_FIELD_MASK(CASTOR_GSP_LOCAL_IRQ_PENDING_HOST), host + CASTOR_HOST_RESULT,
            CASTOR_FIELD_MASK(CASTOR_HOST_RESULT_BUSY));
  switch (CASTOR_FIELD_GET(bar0_read(host + CASTOR_HOST_RESULT), CASTOR_HOST_RESULT_CODE)) {
    case CASTOR_HOST_OK: return 0;
    case CASTOR_HOST_BAD_QUEUE: return CASTOR_MSG_ENOENT;
    default: return CASTOR_MSG_EINVAL;
  }
}

static void invalidate(uint64_t pasid, uint64_t address, uint64_t bytes) {
  bar0_write(mmu + CASTOR_MMU_INVALIDATE_PASID, (uint32_t)pasid);
  bar0_write_pair(mmu + CASTOR_MMU_INVALIDATE_VA_LO, address);
  bar0_write_pair(mmu + CASTOR_MMU_INVALIDATE_BYTES_LO, bytes);
  bar0_write(mmu + CASTOR_MMU_INVALIDATE, 1);
  await_irq(CASTOR_FIELD_MASK(CASTOR_GSP_LOCAL_IRQ_PENDING_MMU), mmu + CASTOR_MMU_INVALIDATE_STATUS,
            CASTOR_FIELD_MASK(CASTOR_MMU_INVALIDATE_STATUS_BUSY));
}

static int context_create(const uint64_t* args) {
  if (args[0] >= contexts || args[1] == 0 || (args[1] & 4095) != 0) return CASTOR_MSG_EINVAL;
  if (kContextTable[args[0]] != 0) return CASTOR_MSG_EINVAL;
  kContextTable[args[0]] = args[1] | 1;
  invalidate(args[0], 0, 0);
  log_line("context %x created", args[0]);
  return 0;
}

static int context_command(const uint64_t* args, uint32_t op) {
  if (args[0] >= contexts || kContextTable[args[0]] == 0) return CASTOR_MSG_ENOENT;
  bar0_write(host + CASTOR_HOST_PASID, (uint32_t)args[0]);
  return host_command(op);
}

static int context_destroy(const uint64_t* args) {
  const int error = context_command(args, CASTOR_HOST_CONTEXT_STOP);
  if (error != 0) return error;
  kContextTable[args[0]] = 0;
  invalidate(args[0], 0, 0);
  log_line("context %x destroyed", args[0]);
  return 0;
}

static int free_queue(void) {
  for (uint32_t queue = 0; queue < queues; ++queue) {
    bar0_write(host + CASTOR_HOST_SELECT, queue);
    const uint32_t state = bar0_read(host + CASTOR_HOST_QUEUE_STATUS);
    if ((state & (CASTOR_FIELD_MASK(CASTOR_HOST_QUEUE_STATUS_ENABLED) |
                  CASTOR_FIELD_MASK(CASTOR_HOST_QUEUE_STATUS_STOPPED))) == 0) {
      return (int)queue;
    }
  }
  return CASTOR_MSG_ENOSPC;
}

/* in: pasid, ring VA, entries, queue page VA, vector; out: queue number */
static int queue_create(uint64_t* args) {
  if (args[0] >= contexts || kContextTable[args[0]] == 0) return CASTOR_MSG_ENOENT;
  if (args[2] > 0xffffffffu || args[4] > 0xffffffffu) return CASTOR_MSG_EINVAL;
  const int queue = free_queue();
  if (queue < 0) return queue;
  bar0_write(host + CASTOR_HOST_SELECT, (uint32_t)queue);
  bar0_write(host + CASTOR_HOST_PASID, (uint32_t)args[0]);
  bar0_write_pair(host + CASTOR_HOST_RING_LO, args[1]);
  bar0_write(host + CASTOR_HOST_ENTRIES, (uint32_t)args[2]);
  bar0_write_pair(host + CASTOR_HOST_PAGE_LO, args[3]);
  bar0_write(host + CASTOR_HOST_VECTOR, (uint32_t)args[4]);
  const int error = host_command(CASTOR_HOST_QUEUE_ENABLE);
  if (error != 0) return error;
  args[0] = (uint64_t)queue;
  log_line("queue %x created", args[0]);
  return 0;
}

static int queue_destroy(const uint64_t* args) {
  if (args[0] >= queues) return CASTOR_MSG_ENOENT;
  bar0_write(host + CASTOR_HOST_SELECT, (uint32_t)args[0]);
  return host_command(CASTOR_HOST_QUEUE_DISABLE);
}

static int tlb_invalidate(const uint64_t* args) {
  if (args[0] >= contexts) return CASTOR_MSG_ENOENT;
  invalidate(args[0], args[1], args[2]);
  return 0;
}

/* The emulated device runs cool: a fixed temperature, and power by the clock. */
static int telemetry(uint64_t* args) {
  args[0] = discovery_word(offsetof(struct castor_discovery_header, clock_khz));
  args[1] = 45000;
  args[2] = 50000 + args[0] / 20;
  return 0;
}

int control(struct castor_message* message) {
  if (message->version != CASTOR_MESSAGE_VERSION) return CASTOR_MSG_ENOSYS;
  uint64_t* args = message->args;
  switch (message->function) {
    case CASTOR_MSG_PING: return 0;
    case CASTOR_MSG_CONTEXT_CREATE: return context_create(args);
    case CASTOR_MSG_CONTEXT_DESTROY: return context_destroy(args);
    case CASTOR_MSG_CONTEXT_RESET: return context_command(args, CASTOR_HOST_CONTEXT_RESET);
    case CASTOR_MSG_QUEUE_CREATE: return queue_create(args);
    case CASTOR_MSG_QUEUE_DESTROY: return queue_destroy(args);
    case CASTOR_MSG_TLB_INVALIDATE: return tlb_invalidate(args);
    case CASTOR_MSG_TELEMETRY: return telemetry(args);
    default: return CASTOR_MSG_ENOSYS;
  }
}
