/* What a PC's firmware does with configuration space: numbers the buses, sizes and places the BARs, opens the bridges. */
#include "cxl/abi/config_space.h"
#include "runtime/kmd/core.h"

#define BRIDGE_WINDOW 0x100000ull /* granule of a bridge's memory windows */
#define COMMAND_ON \
  (CASTOR_CFG_MASK(CASTOR_PCI_HEADER_COMMAND_MEMORY) | CASTOR_CFG_MASK(CASTOR_PCI_HEADER_COMMAND_MASTER))

struct walk {
  const struct castor_kmd_port* port;
  struct castor_kmd_function* found;
  int count, room;
  uint8_t next_bus;
  uint64_t next32, end32, next64, end64;
};

static uint32_t config(const struct walk* walk, uint16_t bdf, uint32_t offset, uint32_t bytes) {
  return walk->port->config_read(walk->port->env, bdf, offset, bytes);
}
static void set_config(const struct walk* walk, uint16_t bdf, uint32_t offset, uint32_t bytes, uint32_t value) {
  walk->port->config_write(walk->port->env, bdf, offset, bytes, value);
}

static uint64_t align_up(uint64_t value, uint64_t align) { return (value + align - 1) & ~(align - 1); }

/* A BAR's size by the book: all ones in, decode the bits that stuck. `next` is the number of the BAR after this one. */
static uint64_t bar_bytes(const struct walk* walk, uint16_t bdf, int bar, uint32_t* flags, int* next) {
  const uint32_t offset = CASTOR_PCI_HEADER_BAR0 + 4u * (uint32_t)bar;
  const uint32_t old = config(walk, bdf, offset, 4);
  set_config(walk, bdf, offset, 4, 0xffffffffu);
  const uint32_t low = config(walk, bdf, offset, 4);
  set_config(walk, bdf, offset, 4, old);
  *flags = low & CASTOR_PCI_BAR_FLAGS;
  *next = bar + 1;
  if (low == 0 || low == 0xffffffffu || (low & 1) != 0) return 0; /* none, or an I/O BAR, which nothing here has */
  uint64_t mask = 0xffffffff00000000ull | (low & ~CASTOR_PCI_BAR_FLAGS);
  if ((*flags & CASTOR_PCI_BAR_64) != 0 && bar < 5) {
    *next = bar + 2;
    set_config(walk, bdf, offset + 4, 4, 0xffffffffu);
    mask = (uint64_t)config(walk, bdf, offset + 4, 4) << 32 | (low & ~CASTOR_PCI_BAR_FLAGS);
  }
  const uint64_t bytes = ~mask + 1;
  return (bytes & (bytes - 1)) == 0 ? bytes : 0;
}

static int place_bar(struct walk* walk, uint16_t bdf, int bar, uint64_t bytes, uint32_t flags,
                     struct castor_kmd_bar* out) {
  const bool wide = (flags & CASTOR_PCI_BAR_64) != 0 && (flags & CASTOR_PCI_BAR_PREFETCH) != 0 && walk->end64 != 0;
  uint64_t* cursor = wide ? &walk->next64 : &walk->next32;
  const uint64_t end = wide ? walk->end64 : walk->end32;
  const uint64_t base = align_up(*cursor, bytes);
  if (base < *cursor || base + bytes > end || base + bytes < base) {
    castor_kmd_say(walk->port, CASTOR_KMD_LOG_ERROR, "no room on the bus for BAR%d of function %x (0x%l bytes)", bar,
                   (unsigned)bdf, bytes);
    return CASTOR_KMD_ENOMEM;
  }
  *cursor = base + bytes;
  const uint32_t offset = CASTOR_PCI_HEADER_BAR0 + 4u * (uint32_t)bar;
  set_config(walk, bdf, offset, 4, (uint32_t)base);
  if ((flags & CASTOR_PCI_BAR_64) != 0) set_config(walk, bdf, offset + 4, 4, (uint32_t)(base >> 32));
  out->bus = base;
  out->bytes = bytes;
  return 0;
}

static int endpoint(struct walk* walk, uint16_t bdf) {
  struct castor_kmd_function function;
  castor_kmd_zero(&function, sizeof function);
  function.bdf = bdf;
  function.vendor = (uint16_t)config(walk, bdf, CASTOR_PCI_HEADER_VENDOR, 2);
  function.device = (uint16_t)config(walk, bdf, CASTOR_PCI_HEADER_DEVICE, 2);
  function.class_code = config(walk, bdf, CASTOR_PCI_HEADER_VENDOR + 8, 4) >> 8;
  set_config(walk, bdf, CASTOR_PCI_HEADER_COMMAND, 2, 0);
  for (int bar = 0, next; bar < 6; bar = next) {
    uint32_t flags;
    const uint64_t bytes = bar_bytes(walk, bdf, bar, &flags, &next);
    if (bytes == 0) continue;
    const int error = place_bar(walk, bdf, bar, bytes, flags, &function.bars[bar]);
    if (error != 0) return error;
  }
  set_config(walk, bdf, CASTOR_PCI_HEADER_COMMAND, 2, COMMAND_ON);
  if (walk->count < walk->room) walk->found[walk->count] = function;
  ++walk->count;
  return 0;
}

static int scan_bus(struct walk* walk, uint8_t bus);

/* Opens a window over what was placed between the two marks; an empty window has its base above its limit. */
static void open_windows(struct walk* walk, uint16_t bdf, uint64_t base32, uint64_t base64) {
  const bool any32 = walk->next32 > base32, any64 = walk->next64 > base64;
  walk->next32 = align_up(walk->next32, BRIDGE_WINDOW);
  walk->next64 = align_up(walk->next64, BRIDGE_WINDOW);
  const uint64_t limit32 = walk->next32 - 1, limit64 = walk->next64 - 1;
  set_config(walk, bdf, CASTOR_PCI_BRIDGE_MEMORY_BASE, 2, any32 ? (uint32_t)(base32 >> 16) & 0xfff0u : 0xfff0u);
  set_config(walk, bdf, CASTOR_PCI_BRIDGE_MEMORY_LIMIT, 2, any32 ? (uint32_t)(limit32 >> 16) & 0xfff0u : 0);
  set_config(walk, bdf, CASTOR_PCI_BRIDGE_PREFETCH_BASE, 2, any64 ? (uint32_t)(base64 >> 16) & 0xfff0u : 0xfff0u);
  set_config(walk, bdf, CASTOR_PCI_BRIDGE_PREFETCH_LIMIT, 2, any64 ? (uint32_t)(limit64 >> 16) & 0xfff0u : 0);
  set_config(walk, bdf, CASTOR_PCI_BRIDGE_PREFETCH_BASE_UPPER, 4, any64 ? (uint32_t)(base64 >> 32) : 0);
  set_config(walk, bdf, CASTOR_PCI_BRIDGE_PREFETCH_LIMIT_UPPER, 4, any64 ? (uint32_t)(limit64 >> 32) : 0);
}

static int bridge(struct walk* walk, uint16_t bdf) {
  if (walk->next_bus == 0xff) return CASTOR_KMD_ENOMEM;
  const uint8_t secondary = ++walk->next_bus;
  set_config(walk, bdf, CASTOR_PCI_BRIDGE_PRIMARY_BUS, 1, bdf >> 8);
  set_config(walk, bdf, CASTOR_PCI_BRIDGE_SECONDARY_BUS, 1, secondary);
  set_config(walk, bdf, CASTOR_PCI_BRIDGE_SUBORDINATE_BUS, 1, 0xff);
  walk->next32 = align_up(walk->next32, BRIDGE_WINDOW);
  walk->next64 = align_up(walk->next64, BRIDGE_WINDOW);
  const uint64_t base32 = walk->next32, base64 = walk->next64;
  const int error = scan_bus(walk, secondary);
  set_config(walk, bdf, CASTOR_PCI_BRIDGE_SUBORDINATE_BUS, 1, walk->next_bus);
  open_windows(walk, bdf, base32, base64);
  set_config(walk, bdf, CASTOR_PCI_BRIDGE_COMMAND, 2, COMMAND_ON);
  return error;
}

static int scan_function(struct walk* walk, uint16_t bdf, bool* many) {
  const uint32_t id = config(walk, bdf, CASTOR_PCI_HEADER_VENDOR, 4);
  if ((id & 0xffffu) == 0xffffu) return CASTOR_KMD_ENOENT;
  const uint32_t type = config(walk, bdf, CASTOR_PCI_HEADER_HEADER_TYPE, 1);
  *many = (type & 0x80u) != 0;
  if ((type & 0x7fu) == CASTOR_PCI_HEADER_TYPE_BRIDGE) return bridge(walk, bdf);
  return (type & 0x7fu) == 0 ? endpoint(walk, bdf) : 0;
}

static int scan_bus(struct walk* walk, uint8_t bus) {
  for (unsigned device = 0; device < 32; ++device) {
    bool many = false;
    for (unsigned function = 0; function < 8; ++function) {
      const int error = scan_function(walk, CASTOR_KMD_BDF(bus, device, function), &many);
      if (error == CASTOR_KMD_ENOENT && function == 0) break;
      if (error != 0 && error != CASTOR_KMD_ENOENT) return error;
      if (!many && function == 0) break;
    }
  }
  return 0;
}

int castor_kmd_enumerate(const struct castor_kmd_port* port, struct castor_kmd_function* found, int room) {
  struct walk walk = {port,
                      found,
                      0,
                      room,
                      0,
                      port->mmio32.base,
                      port->mmio32.base + port->mmio32.bytes,
                      port->mmio64.base,
                      port->mmio64.base + port->mmio64.bytes};
  const int error = scan_bus(&walk, 0);
  if (error != 0) return error;
  return walk.count < room ? walk.count : room;
}

bool castor_kmd_is_gpu(const struct castor_kmd_function* function) {
  return function->vendor == CASTOR_PCI_VENDOR_ID && function->device == CASTOR_PCI_GPU_DEVICE_ID &&
         function->class_code == CASTOR_PCI_CLASS_GPU && function->bars[0].bytes != 0 && function->bars[2].bytes != 0 &&
         function->bars[4].bytes != 0;
}
