/* Contexts: address spaces and queues of one client, by PASID. PASID 0 is nobody's. */
#include "runtime/kmd/core.h"

static int free_pasid(const struct castor_kmd* kmd, uint32_t* pasid) {
  for (uint32_t i = 1; i < kmd->discovery.contexts; ++i) {
    if (kmd->contexts[i] != NULL) continue;
    *pasid = i;
    return 0;
  }
  return CASTOR_KMD_EBUSY;
}

static void drop_allocations(struct castor_kmd_context* context) {
  while (context->allocation_count != 0) {
    castor_kmd_memory_free(context, context->allocations[context->allocation_count - 1]->va);
  }
  if (context->allocations == NULL) return;
  context->kmd->port->free(context->kmd->port->env, context->allocations,
                           context->allocation_room * sizeof(struct castor_allocation*));
}

static void drop_context(struct castor_kmd_context* context) {
  const struct castor_kmd_port* port = context->kmd->port;
  while (context->queues != NULL) {
    struct castor_queue* queue = context->queues;
    context->queues = queue->next;
    port->free(port->env, queue, sizeof *queue);
  }
  drop_allocations(context);
  castor_pt_drop(&context->tables);
  castor_range_drop(&context->addresses);
  port->free(port->env, context, sizeof *context);
}

static bool address_range_is_usable(uint64_t base, uint64_t bytes) {
  const uint64_t limit = 1ull << 47; /* the shared and local windows lie above */
  return base % CASTOR_PAGE_2M == 0 && bytes % CASTOR_PAGE_2M == 0 && base != 0 && bytes != 0 && bytes <= limit &&
         base <= limit - bytes;
}

int castor_kmd_context_create(struct castor_kmd* kmd, uint64_t va_base, uint64_t va_bytes,
                              struct castor_kmd_context** out) {
  if (kmd->lost) return CASTOR_KMD_ELOST;
  if (!address_range_is_usable(va_base, va_bytes)) return CASTOR_KMD_EINVAL;
  uint32_t pasid;
  int error = free_pasid(kmd, &pasid);
  if (error != 0) return error;
  struct castor_kmd_context* context = kmd->port->alloc(kmd->port->env, sizeof *context);
  if (context == NULL) return CASTOR_KMD_ENOMEM;
  context->kmd = kmd;
  context->pasid = pasid;
  context->vector = CASTOR_VECTOR_FIRST_QUEUE + (pasid - 1) % (kmd->vectors - CASTOR_VECTOR_FIRST_QUEUE);
  castor_range_init(&context->addresses, kmd->port);
  error = castor_range_give(&context->addresses, va_base, va_bytes) ? castor_pt_init(&context->tables, kmd)
                                                                    : CASTOR_KMD_ENOMEM;
  if (error == 0) {
    const uint64_t args[2] = {pasid, context->tables.root->device};
    error = castor_kmd_message(kmd, CASTOR_MSG_CONTEXT_CREATE, args, 2, NULL);
  }
  if (error != 0) {
    drop_context(context);
    return error;
  }
  kmd->contexts[pasid] = context;
  *out = context;
  return 0;
}

void castor_kmd_context_destroy(struct castor_kmd_context* context) {
  struct castor_kmd* kmd = context->kmd;
  const uint64_t args[1] = {context->pasid};
  const int error = castor_kmd_message(kmd, CASTOR_MSG_CONTEXT_DESTROY, args, 1, NULL);
  if (error != 0 && error != CASTOR_KMD_ELOST) castor_kmd_lose(kmd, "a context cannot be stopped");
  kmd->contexts[context->pasid] = NULL;
  context->pasid = 0; /* the device knows it no more: no invalidations below */
  drop_context(context);
}

uint32_t castor_kmd_context_pasid(const struct castor_kmd_context* context) { return context->pasid; }

int castor_kmd_context_reset(struct castor_kmd_context* context) {
  castor_kmd_fault_drain(context->kmd); /* what happened before belongs to the past */
  const uint64_t args[1] = {context->pasid};
  const int error = castor_kmd_message(context->kmd, CASTOR_MSG_CONTEXT_RESET, args, 1, NULL);
  if (error == 0) context->faulted = false;
  return error;
}

int castor_kmd_context_fault(struct castor_kmd_context* context, struct castor_fault_record* record) {
  castor_kmd_fault_drain(context->kmd);
  if (!context->faulted) return 0;
  *record = context->fault;
  return 1;
}

int castor_kmd_queue_create(struct castor_kmd_context* context, uint64_t ring, uint32_t entries, uint64_t page,
                            uint32_t* out) {
  struct castor_kmd* kmd = context->kmd;
  if (entries == 0 || (entries & (entries - 1)) != 0 || entries > 65536 || ring % 64 != 0 || page % 8 != 0) {
    return CASTOR_KMD_EINVAL;
  }
  struct castor_queue* queue = kmd->port->alloc(kmd->port->env, sizeof *queue);
  if (queue == NULL) return CASTOR_KMD_ENOMEM;
  const uint64_t args[5] = {context->pasid, ring, entries, page, context->vector};
  uint64_t results[6];
  const int error = castor_kmd_message(kmd, CASTOR_MSG_QUEUE_CREATE, args, 5, results);
  if (error != 0) {
    kmd->port->free(kmd->port->env, queue, sizeof *queue);
    return error;
  }
  queue->number = (uint32_t)results[0];
  queue->next = context->queues;
  context->queues = queue;
  *out = queue->number;
  return 0;
}

static struct castor_queue** find_queue(struct castor_kmd_context* context, uint32_t number) {
  struct castor_queue** link = &context->queues;
  while (*link != NULL && (*link)->number != number) link = &(*link)->next;
  return link;
}

int castor_kmd_queue_destroy(struct castor_kmd_context* context, uint32_t number) {
  struct castor_queue** link = find_queue(context, number);
  if (*link == NULL) return CASTOR_KMD_ENOENT;
  const uint64_t args[1] = {number};
  const int error = castor_kmd_message(context->kmd, CASTOR_MSG_QUEUE_DESTROY, args, 1, NULL);
  if (error != 0) return error;
  struct castor_queue* queue = *link;
  *link = queue->next;
  context->kmd->port->free(context->kmd->port->env, queue, sizeof *queue);
  return 0;
}

int castor_kmd_doorbell(struct castor_kmd_context* context, uint32_t number) {
  struct castor_kmd* kmd = context->kmd;
  if (*find_queue(context, number) == NULL) return CASTOR_KMD_ENOENT;
  if (kmd->lost) return CASTOR_KMD_ELOST;
  kmd->port->barrier(kmd->port->env);
  const uint64_t page = (uint64_t)context->pasid * CASTOR_DOORBELL_PAGE;
  kmd->port->mmio_write32(kmd->port->env, kmd->bar2 + page + CASTOR_DOORBELL_OFFSET, number);
  return 0;
}
