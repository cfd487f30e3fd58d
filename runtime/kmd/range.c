#include "runtime/kmd/core.h"

void castor_range_init(struct castor_range_pool* pool, const struct castor_kmd_port* port) {
  pool->port = port;
  pool->first = NULL;
  pool->spare = NULL;
  pool->free_bytes = 0;
}

static void drop_node(struct castor_range_pool* pool, struct castor_range* node) {
  node->next = pool->spare;
  pool->spare = node;
}

static void drop_list(struct castor_range_pool* pool, struct castor_range* node) {
  while (node != NULL) {
    struct castor_range* next = node->next;
    pool->port->free(pool->port->env, node, sizeof *node);
    node = next;
  }
}

void castor_range_drop(struct castor_range_pool* pool) {
  drop_list(pool, pool->first);
  drop_list(pool, pool->spare);
  pool->first = pool->spare = NULL;
  pool->free_bytes = 0;
}

static struct castor_range* new_node(struct castor_range_pool* pool, uint64_t base, uint64_t bytes,
                                     struct castor_range* next) {
  struct castor_range* node = pool->spare;
  if (node != NULL) {
    pool->spare = node->next;
  } else {
    node = pool->port->alloc(pool->port->env, sizeof *node);
  }
  if (node == NULL) return NULL;
  node->base = base;
  node->bytes = bytes;
  node->next = next;
  return node;
}

/* Where in the range `bytes` would go; false if they do not fit. */
static bool place(const struct castor_range* range, uint64_t bytes, uint64_t align, enum castor_range_end end,
                  uint64_t* base) {
  const uint64_t low = (range->base + align - 1) & ~(align - 1);
  if (low < range->base || low - range->base > range->bytes || range->bytes - (low - range->base) < bytes) return false;
  *base = end == CASTOR_RANGE_LOW ? low : (range->base + range->bytes - bytes) & ~(align - 1);
  return true;
}

/* Cuts [base, base + bytes) out of the range at *link. */
static bool cut(struct castor_range_pool* pool, struct castor_range** link, uint64_t base, uint64_t bytes) {
  struct castor_range* range = *link;
  const uint64_t before = base - range->base;
  const uint64_t after = range->bytes - before - bytes;
  if (before != 0 && after != 0) {
    struct castor_range* rest = new_node(pool, base + bytes, after, range->next);
    if (rest == NULL) return false;
    range->next = rest;
    range->bytes = before;
  } else if (before != 0) {
    range->bytes = before;
  } else if (after != 0) {
    range->base = base + bytes;
    range->bytes = after;
  } else {
    *link = range->next;
    drop_node(pool, range);
  }
  pool->free_bytes -= bytes;
  return true;
}

bool castor_range_take(struct castor_range_pool* pool, uint64_t bytes, uint64_t align, enum castor_range_end end,
                       uint64_t* base) {
  struct castor_range** best = NULL;
  for (struct castor_range** link = &pool->first; *link != NULL; link = &(*link)->next) {
    uint64_t at;
    if (!place(*link, bytes, align, end, &at)) continue;
    best = link;
    *base = at;
    if (end == CASTOR_RANGE_LOW) break;
  }
  return best != NULL && cut(pool, best, *base, bytes);
}

bool castor_range_give(struct castor_range_pool* pool, uint64_t base, uint64_t bytes) {
  if (bytes == 0) return true;
  struct castor_range* previous = NULL;
  struct castor_range* next = pool->first;
  while (next != NULL && next->base < base) {
    previous = next;
    next = next->next;
  }
  const bool joins_previous = previous != NULL && previous->base + previous->bytes == base;
  const bool joins_next = next != NULL && base + bytes == next->base;
  if (joins_previous && joins_next) {
    previous->bytes += bytes + next->bytes;
    previous->next = next->next;
    drop_node(pool, next);
  } else if (joins_previous) {
    previous->bytes += bytes;
  } else if (joins_next) {
    next->base = base;
    next->bytes += bytes;
  } else {
    struct castor_range* node = new_node(pool, base, bytes, next);
    if (node == NULL) {
      castor_kmd_say(pool->port, CASTOR_KMD_LOG_ERROR, "out of host memory: range 0x%l is lost", base);
      return false;
    }
    if (previous != NULL) {
      previous->next = node;
    } else {
      pool->first = node;
    }
  }
  pool->free_bytes += bytes;
  return true;
}
