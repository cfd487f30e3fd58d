/* Builds the page tables of one context in device memory, through the BAR4 window; keeps a copy of what it wrote. */
#include "runtime/kmd/core.h"

#define GROUP 16u /* level-0 entries of a 64 KiB page */

static void write_entries(struct castor_page_tables* tables, const struct castor_table* table, uint32_t first,
                          uint32_t count) {
  const struct castor_kmd_port* port = tables->kmd->port;
  port->mmio_write_block(port->env, tables->kmd->bar4 + table->device + first * 8ull, &table->entries[first],
                         count * 8ull);
}

static struct castor_table* new_table(struct castor_page_tables* tables) {
  struct castor_kmd* kmd = tables->kmd;
  uint64_t device;
  if (!castor_range_take(&kmd->memory, CASTOR_PT_TABLE_BYTES, CASTOR_PT_TABLE_BYTES, CASTOR_RANGE_LOW, &device))
    return NULL;
  struct castor_table* table = NULL;
  /* Tables must lie where the window reaches. */
  if (device + CASTOR_PT_TABLE_BYTES <= kmd->function.bars[4].bytes)
    table = kmd->port->alloc(kmd->port->env, sizeof *table);
  if (table == NULL) {
    castor_range_give(&kmd->memory, device, CASTOR_PT_TABLE_BYTES);
    return NULL;
  }
  table->device = device;
  write_entries(tables, table, 0, CASTOR_PT_ENTRIES);
  return table;
}

static void drop_table(struct castor_page_tables* tables, struct castor_table* table) {
  castor_range_give(&tables->kmd->memory, table->device, CASTOR_PT_TABLE_BYTES);
  tables->kmd->port->free(tables->kmd->port->env, table, sizeof *table);
}

static void drop_tree(struct castor_page_tables* tables, struct castor_table* table) {
  for (uint32_t i = 0; i < CASTOR_PT_ENTRIES; ++i) {
    if (table->children[i] != NULL) drop_tree(tables, table->children[i]);
  }
  drop_table(tables, table);
}

int castor_pt_init(struct castor_page_tables* tables, struct castor_kmd* kmd) {
  tables->kmd = kmd;
  tables->root = new_table(tables);
  return tables->root == NULL ? CASTOR_KMD_ENOMEM : 0;
}

void castor_pt_drop(struct castor_page_tables* tables) {
  if (tables->root != NULL) drop_tree(tables, tables->root);
  tables->root = NULL;
}

static void set_entry(struct castor_table* table, uint32_t index, uint64_t entry) {
  const bool was = (table->entries[index] & CASTOR_PTE_VALID) != 0, is = (entry & CASTOR_PTE_VALID) != 0;
  table->live = table->live + (is ? 1u : 0u) - (was ? 1u : 0u);
  table->entries[index] = entry;
}

static int link_child(struct castor_page_tables* tables, struct castor_table* table, uint32_t index) {
  struct castor_table* child = new_table(tables);
  if (child == NULL) return CASTOR_KMD_ENOMEM;
  table->children[index] = child;
  set_entry(table, index, child->device | CASTOR_PTE_VALID);
  write_entries(tables, table, index, 1);
  return 0;
}

/* The table of `level` that covers va; NULL if it is not there and `create` is false, or there is no memory. */
static struct castor_table* descend(struct castor_page_tables* tables, uint64_t va, int level, bool create) {
  struct castor_table* table = tables->root;
  for (int at = CASTOR_PT_LEVELS - 1; at > level; --at) {
    const uint32_t index = (uint32_t)CASTOR_PT_INDEX(va, at);
    if (table->children[index] == NULL && (!create || link_child(tables, table, index) != 0)) return NULL;
    table = table->children[index];
  }
  return table;
}

/* Removes the tables above va that hold nothing any more. */
static void prune(struct castor_page_tables* tables, uint64_t va) {
  for (int level = 0; level < CASTOR_PT_LEVELS - 1; ++level) {
    struct castor_table* parent = descend(tables, va, level + 1, false);
    if (parent == NULL) continue;
    const uint32_t index = (uint32_t)CASTOR_PT_INDEX(va, level + 1);
    struct castor_table* table = parent->children[index];
    if (table == NULL || table->live != 0) continue;
    parent->children[index] = NULL;
    set_entry(parent, index, 0);
    write_entries(tables, parent, index, 1);
    drop_table(tables, table);
  }
}

static uint64_t leaf_bits(enum castor_aperture aperture, uint32_t access) {
  return CASTOR_PTE_VALID | CASTOR_PTE_LEAF | (uint64_t)aperture << CASTOR_PTE_APERTURE_SHIFT |
         ((access & CASTOR_KMD_READ) != 0 ? CASTOR_PTE_READ : 0) |
         ((access & CASTOR_KMD_WRITE) != 0 ? CASTOR_PTE_WRITE : 0) |
         ((access & CASTOR_KMD_EXECUTE) != 0 ? CASTOR_PTE_EXECUTE : 0) |
         ((access & CASTOR_KMD_ATOMIC) != 0 ? CASTOR_PTE_ATOMIC : 0);
}

/* Largest page that may start at va. A table that hangs below level 1 stays: its pages are small. */
static uint64_t page_at(struct castor_page_tables* tables, uint64_t va, uint64_t target, uint64_t bytes) {
  if ((va | target) % CASTOR_PAGE_2M == 0 && bytes >= CASTOR_PAGE_2M) {
    const struct castor_table* table = descend(tables, va, 1, false);
    if (table == NULL || table->children[CASTOR_PT_INDEX(va, 1)] == NULL) return CASTOR_PAGE_2M;
  }
  return (va | target) % CASTOR_PAGE_64K == 0 && bytes >= CASTOR_PAGE_64K ? CASTOR_PAGE_64K : CASTOR_PAGE_4K;
}

/* Maps pages of one size from va on, to the end of their table at most; the bytes mapped, or 0. */
static uint64_t map_run(struct castor_page_tables* tables, uint64_t va, uint64_t target, uint64_t bytes,
                        uint64_t leaf) {
  const uint64_t page = page_at(tables, va, target, bytes);
  const int level = page == CASTOR_PAGE_2M ? 1 : 0;
  struct castor_table* table = descend(tables, va, level, true);
  if (table == NULL) return 0;
  const uint32_t first = (uint32_t)CASTOR_PT_INDEX(va, level);
  const uint64_t step = level == 1 ? CASTOR_PAGE_2M : CASTOR_PAGE_4K;
  uint64_t done = 0;
  uint32_t index = first;
  while (index < CASTOR_PT_ENTRIES && done < bytes && page_at(tables, va + done, target + done, bytes - done) == page) {
    for (uint64_t end = done + page; done < end; done += step) {
      set_entry(table, index++, (target + done) | leaf | (page == CASTOR_PAGE_64K ? CASTOR_PTE_BIG : 0));
    }
  }
  write_entries(tables, table, first, index - first);
  return done;
}

int castor_pt_map(struct castor_page_tables* tables, uint64_t va, uint64_t target, uint64_t bytes,
                  enum castor_aperture aperture, uint32_t access) {
  const uint64_t leaf = leaf_bits(aperture, access);
  for (uint64_t at = 0; at < bytes;) {
    const uint64_t done = map_run(tables, va + at, target + at, bytes - at, leaf);
    if (done == 0) {
      castor_pt_unmap(tables, va, at);
      prune(tables, va + at); /* tables on the way to the one that could not be had */
      return CASTOR_KMD_ENOMEM;
    }
    at += done;
  }
  return 0;
}

static uint64_t unmap_run(struct castor_page_tables* tables, uint64_t va, uint64_t bytes) {
  struct castor_table* upper = descend(tables, va, 1, false);
  const uint64_t to_next = CASTOR_PAGE_2M - va % CASTOR_PAGE_2M;
  const uint64_t span = bytes < to_next ? bytes : to_next;
  if (upper == NULL) return span;
  const uint32_t index = (uint32_t)CASTOR_PT_INDEX(va, 1);
  struct castor_table* lower = upper->children[index];
  if (lower != NULL) {
    const uint32_t first = (uint32_t)CASTOR_PT_INDEX(va, 0), count = (uint32_t)(span / CASTOR_PAGE_4K);
    for (uint32_t i = 0; i < count; ++i) set_entry(lower, first + i, 0);
    write_entries(tables, lower, first, count);
  } else if (span == CASTOR_PAGE_2M) {
    set_entry(upper, index, 0);
    write_entries(tables, upper, index, 1);
  }
  prune(tables, va);
  return span;
}

void castor_pt_unmap(struct castor_page_tables* tables, uint64_t va, uint64_t bytes) {
  for (uint64_t at = 0; at < bytes;) at += unmap_run(tables, va + at, bytes - at);
}

static int split_2m(struct castor_page_tables* tables, struct castor_table* table, uint32_t index) {
  struct castor_table* child = new_table(tables);
  if (child == NULL) return CASTOR_KMD_ENOMEM;
  const uint64_t leaf = table->entries[index];
  for (uint32_t i = 0; i < CASTOR_PT_ENTRIES; ++i) set_entry(child, i, leaf + i * CASTOR_PAGE_4K);
  write_entries(tables, child, 0, CASTOR_PT_ENTRIES);
  table->children[index] = child;
  set_entry(table, index, child->device | CASTOR_PTE_VALID);
  write_entries(tables, table, index, 1);
  return 0;
}

int castor_pt_split(struct castor_page_tables* tables, uint64_t va) {
  struct castor_table* upper = descend(tables, va, 1, false);
  if (upper == NULL) return 0;
  const uint32_t index = (uint32_t)CASTOR_PT_INDEX(va, 1);
  if ((upper->entries[index] & CASTOR_PTE_LEAF) != 0)
    return va % CASTOR_PAGE_2M == 0 ? 0 : split_2m(tables, upper, index);
  struct castor_table* lower = upper->children[index];
  if (lower == NULL || va % CASTOR_PAGE_64K == 0) return 0;
  const uint32_t first = (uint32_t)CASTOR_PT_INDEX(va, 0) & ~(GROUP - 1);
  if ((lower->entries[first] & CASTOR_PTE_BIG) == 0) return 0;
  for (uint32_t i = 0; i < GROUP; ++i) lower->entries[first + i] &= ~CASTOR_PTE_BIG;
  write_entries(tables, lower, first, GROUP);
  return 0;
}
