/* Memory of a context: device memory with addresses of its own, host memory at the client's addresses. */
#include "runtime/kmd/core.h"

static uint64_t round_up(uint64_t value, uint64_t to) { return (value + to - 1) & ~(to - 1); }

/* Index of the first allocation that ends after va. */
static uint32_t position(const struct castor_kmd_context* context, uint64_t va) {
  uint32_t low = 0, high = context->allocation_count;
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    if (context->allocations[middle]->va + context->allocations[middle]->bytes <= va) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

static struct castor_allocation* containing(struct castor_kmd_context* context, uint64_t va, uint64_t bytes) {
  const uint32_t at = position(context, va);
  if (at == context->allocation_count) return NULL;
  struct castor_allocation* allocation = context->allocations[at];
  return allocation->va <= va && bytes <= allocation->bytes && va - allocation->va <= allocation->bytes - bytes
             ? allocation
             : NULL;
}

static int grow(struct castor_kmd_context* context) {
  const struct castor_kmd_port* port = context->kmd->port;
  const uint32_t room = context->allocation_room == 0 ? 64 : 2 * context->allocation_room;
  struct castor_allocation** list = port->alloc(port->env, room * sizeof *list);
  if (list == NULL) return CASTOR_KMD_ENOMEM;
  if (context->allocations != NULL) {
    castor_kmd_copy(list, context->allocations, context->allocation_count * sizeof *list);
    port->free(port->env, context->allocations, context->allocation_room * sizeof *list);
  }
  context->allocations = list;
  context->allocation_room = room;
  return 0;
}

static int insert(struct castor_kmd_context* context, struct castor_allocation* allocation) {
  if (context->allocation_count == context->allocation_room && grow(context) != 0) return CASTOR_KMD_ENOMEM;
  const uint32_t at = position(context, allocation->va);
  for (uint32_t i = context->allocation_count; i > at; --i) context->allocations[i] = context->allocations[i - 1];
  context->allocations[at] = allocation;
  ++context->allocation_count;
  return 0;
}

static void drop_extents(struct castor_kmd* kmd, struct castor_allocation* allocation) {
  while (allocation->extents != NULL) {
    struct castor_extent* extent = allocation->extents;
    allocation->extents = extent->next;
    castor_range_give(&kmd->memory, extent->device, extent->bytes);
    kmd->port->free(kmd->port->env, extent, sizeof *extent);
  }
}

/* Largest page that an allocation of this size is made of. */
static uint64_t page_for(uint64_t bytes) {
  return bytes >= CASTOR_PAGE_2M ? CASTOR_PAGE_2M : bytes >= CASTOR_PAGE_64K ? CASTOR_PAGE_64K : CASTOR_PAGE_4K;
}

/* One piece of at most `bytes`, as large as there is; 0 if there is none. */
static uint64_t take_piece(struct castor_kmd* kmd, uint64_t bytes, uint64_t* device) {
  for (uint64_t piece = bytes; piece != 0;) {
    const uint64_t page = page_for(piece);
    if (castor_range_take(&kmd->memory, piece, page, CASTOR_RANGE_HIGH, device)) return piece;
    if (piece <= CASTOR_PAGE_4K) return 0;
    const uint64_t half = piece / 2, smaller = page_for(half);
    piece = half & ~(smaller - 1);
  }
  return 0;
}

static int take_extents(struct castor_kmd* kmd, struct castor_allocation* allocation) {
  if (allocation->bytes > kmd->memory.free_bytes) return CASTOR_KMD_ENOMEM;
  struct castor_extent** tail = &allocation->extents;
  for (uint64_t left = allocation->bytes; left != 0;) {
    struct castor_extent* extent = kmd->port->alloc(kmd->port->env, sizeof *extent);
    if (extent == NULL) return CASTOR_KMD_ENOMEM;
    extent->bytes = take_piece(kmd, left, &extent->device);
    if (extent->bytes == 0) {
      kmd->port->free(kmd->port->env, extent, sizeof *extent);
      return CASTOR_KMD_ENOMEM;
    }
    left -= extent->bytes;
    *tail = extent;
    tail = &extent->next;
  }
  return 0;
}

/* Maps, with `access`, the part of the allocation that [va, va + bytes) names. */
static int map_part(struct castor_kmd_context* context, const struct castor_allocation* allocation, uint64_t va,
                    uint64_t bytes, uint32_t access) {
  uint64_t at = allocation->va;
  for (const struct castor_extent* extent = allocation->extents; extent != NULL;
       at += extent->bytes, extent = extent->next) {
    const uint64_t from = va > at ? va : at;
    const uint64_t to = va + bytes < at + extent->bytes ? va + bytes : at + extent->bytes;
    if (from >= to) continue;
    const int error =
        castor_pt_map(&context->tables, from, extent->device + (from - at), to - from, CASTOR_APERTURE_DEVICE, access);
    if (error != 0) return error;
  }
  return 0;
}

static int invalidate(struct castor_kmd_context* context, uint64_t va, uint64_t bytes) {
  if (context->pasid == 0) return 0;
  const uint64_t args[3] = {context->pasid, va, bytes};
  return castor_kmd_message(context->kmd, CASTOR_MSG_TLB_INVALIDATE, args, 3, NULL);
}

static void drop_allocation(struct castor_kmd_context* context, struct castor_allocation* allocation) {
  if (allocation->va != 0) { /* else it never got as far as an address */
    castor_pt_unmap(&context->tables, allocation->va, allocation->bytes);
    if (invalidate(context, allocation->va, allocation->bytes) != 0 && !context->kmd->lost) {
      castor_kmd_lose(context->kmd, "translations cannot be invalidated"); /* the pages must not be given to others */
    }
  }
  drop_extents(context->kmd, allocation);
  if (allocation->reserved != 0) castor_range_give(&context->addresses, allocation->va, allocation->reserved);
  context->kmd->port->free(context->kmd->port->env, allocation, sizeof *allocation);
}

static bool overlaps(const struct castor_kmd_context* context, uint64_t va, uint64_t bytes) {
  const uint32_t at = position(context, va);
  return at != context->allocation_count && context->allocations[at]->va < va + bytes;
}

static int fill_allocation(struct castor_kmd_context* context, struct castor_allocation* allocation, uint64_t bytes) {
  const uint64_t page = page_for(bytes);
  allocation->bytes = round_up(bytes, page == CASTOR_PAGE_2M ? CASTOR_PAGE_64K : CASTOR_PAGE_4K);
  const uint64_t reserve = round_up(allocation->bytes + CASTOR_PAGE_4K, page);
  int error = take_extents(context->kmd, allocation);
  if (error != 0) return error;
  if (!castor_range_take(&context->addresses, reserve, page, CASTOR_RANGE_LOW, &allocation->va))
    return CASTOR_KMD_ENOMEM;
  allocation->reserved = reserve;
  if (overlaps(context, allocation->va, allocation->bytes)) { /* the client has put host memory there */
    castor_range_give(&context->addresses, allocation->va, reserve);
    allocation->va = allocation->reserved = 0;
    return CASTOR_KMD_EBUSY;
  }
  error = map_part(context, allocation, allocation->va, allocation->bytes, allocation->access);
  return error != 0 ? error : insert(context, allocation);
}

int castor_kmd_memory_alloc(struct castor_kmd_context* context, uint64_t bytes, uint32_t access, uint64_t* va) {
  struct castor_kmd* kmd = context->kmd;
  if (bytes == 0 || access == 0 || (access & ~15u) != 0) return CASTOR_KMD_EINVAL;
  if (bytes > kmd->memory_total) return CASTOR_KMD_ENOMEM;
  if (kmd->lost) return CASTOR_KMD_ELOST;
  struct castor_allocation* allocation = kmd->port->alloc(kmd->port->env, sizeof *allocation);
  if (allocation == NULL) return CASTOR_KMD_ENOMEM;
  allocation->access = access;
  const int error = fill_allocation(context, allocation, bytes);
  if (error != 0) {
    drop_allocation(context, allocation);
    return error;
  }
  *va = allocation->va;
  return 0;
}

int castor_kmd_memory_free(struct castor_kmd_context* context, uint64_t va) {
  const uint32_t at = position(context, va);
  if (at == context->allocation_count || context->allocations[at]->va != va) return CASTOR_KMD_ENOENT;
  struct castor_allocation* allocation = context->allocations[at];
  for (uint32_t i = at; i + 1 < context->allocation_count; ++i) context->allocations[i] = context->allocations[i + 1];
  --context->allocation_count;
  drop_allocation(context, allocation);
  return context->kmd->lost ? CASTOR_KMD_ELOST : 0;
}

int castor_kmd_memory_protect(struct castor_kmd_context* context, uint64_t va, uint64_t bytes, uint32_t access) {
  if (va % CASTOR_PAGE_4K != 0 || bytes % CASTOR_PAGE_4K != 0 || bytes == 0 || (access & ~15u) != 0)
    return CASTOR_KMD_EINVAL;
  struct castor_allocation* allocation = containing(context, va, bytes);
  if (allocation == NULL) return CASTOR_KMD_ENOENT;
  if (allocation->extents == NULL) return CASTOR_KMD_ENOSYS; /* host memory keeps the access it was mapped with */
  int error = castor_pt_split(&context->tables, va);
  if (error == 0) error = castor_pt_split(&context->tables, va + bytes);
  if (error == 0) error = map_part(context, allocation, va, bytes, access);
  return error != 0 ? error : invalidate(context, va, bytes);
}

static int map_pages(struct castor_kmd_context* context, struct castor_allocation* allocation) {
  const struct castor_kmd_port* port = context->kmd->port;
  const uint64_t pages = allocation->bytes / CASTOR_PAGE_4K;
  for (uint64_t page = 0; page < pages;) {
    uint64_t bus, next;
    int error = port->pin_page(port->env, allocation->pin, page, &bus);
    if (error != 0) return error;
    uint64_t run = 1; /* pages that are neighbours on the bus too */
    while (page + run < pages && port->pin_page(port->env, allocation->pin, page + run, &next) == 0 &&
           next == bus + run * CASTOR_PAGE_4K) {
      ++run;
    }
    error = castor_pt_map(&context->tables, allocation->va + page * CASTOR_PAGE_4K, bus, run * CASTOR_PAGE_4K,
                          CASTOR_APERTURE_HOST_COHERENT, allocation->access);
    if (error != 0) return error;
    page += run;
  }
  return 0;
}

int castor_kmd_map_host(struct castor_kmd_context* context, uint64_t pin, uint64_t va, uint64_t bytes,
                        uint32_t access) {
  struct castor_kmd* kmd = context->kmd;
  const uint64_t limit = 1ull << 47;
  if (va == 0 || va % CASTOR_PAGE_4K != 0 || bytes % CASTOR_PAGE_4K != 0 || bytes == 0 || bytes > limit ||
      va > limit - bytes || access == 0 || (access & ~15u) != 0) {
    return CASTOR_KMD_EINVAL;
  }
  if (overlaps(context, va, bytes)) return CASTOR_KMD_EBUSY;
  if (kmd->lost) return CASTOR_KMD_ELOST;
  struct castor_allocation* allocation = kmd->port->alloc(kmd->port->env, sizeof *allocation);
  if (allocation == NULL) return CASTOR_KMD_ENOMEM;
  allocation->va = va;
  allocation->bytes = bytes;
  allocation->access = access;
  allocation->pin = pin;
  int error = map_pages(context, allocation);
  if (error == 0) error = insert(context, allocation);
  if (error != 0) drop_allocation(context, allocation);
  return error;
}
