#include "gpu/firmware/ring.h"

#include "gpu/firmware/hardware.h"

struct ring {
  uint64_t bus;
  uint64_t own; /* the index that we advance */
  uint32_t entries;
};

static uint32_t gsp_block;
static struct ring command, status;
static struct castor_message_ring head; /* DMA works on SRAM, so nothing of this lives on the bus */
static struct castor_message element;

static void read_head(const struct ring* ring) {
  if (!dma(ring->bus, &head, sizeof head, false)) fail(gsp_block, CASTOR_GSP_FAIL_RING, ring->bus);
}

static uint64_t slot(const struct ring* ring) {
  return ring->bus + CASTOR_RING_ELEMENTS + (ring->own & (ring->entries - 1)) * CASTOR_MESSAGE_BYTES;
}

static void open(struct ring* ring, uint32_t reg, uint64_t* own) {
  ring->bus = bar0_read_pair(gsp_block + reg);
  read_head(ring);
  ring->own = *own;
  ring->entries = head.entries;
  if (ring->entries == 0 || (ring->entries & (ring->entries - 1)) != 0)
    fail(gsp_block, CASTOR_GSP_FAIL_RING, ring->bus);
}

void rings_open(uint32_t gsp) {
  gsp_block = gsp;
  open(&command, CASTOR_GSP_COMMAND_RING_LO, &head.read);
  open(&status, CASTOR_GSP_STATUS_RING_LO, &head.write);
}

static void store_index(uint64_t bus, const uint64_t* index) {
  if (!dma(bus, (void*)(uintptr_t)index, sizeof *index, true)) fail(gsp_block, CASTOR_GSP_FAIL_RING, bus);
}

bool command_take(struct castor_message* message) {
  read_head(&command);
  if (head.write == command.own) return false;
  if (!dma(slot(&command), &element, sizeof element, false)) fail(gsp_block, CASTOR_GSP_FAIL_RING, slot(&command));
  *message = element;
  ++command.own;
  store_index(command.bus + offsetof(struct castor_message_ring, read), &command.own);
  return true;
}

bool checksum_right(struct castor_message* message) {
  element = *message;
  element.crc = 0;
  return crc32c(&element, sizeof element) == message->crc;
}

static bool has_room(void) {
  read_head(&status);
  return status.own - head.read < status.entries;
}

static void append(const struct castor_message* message) {
  element = *message;
  element.version = CASTOR_MESSAGE_VERSION;
  element.crc = 0;
  element.crc = crc32c(&element, sizeof element);
  if (!dma(slot(&status), &element, sizeof element, true)) fail(gsp_block, CASTOR_GSP_FAIL_RING, slot(&status));
  ++status.own;
  store_index(status.bus + offsetof(struct castor_message_ring, write), &status.own);
  local_write(CASTOR_GSP_LOCAL_RAISE, CASTOR_VECTOR_MESSAGE);
}

void status_send(struct castor_message* message) {
  while (!has_room()) {
  }
  append(message);
}

void status_offer(struct castor_message* message) {
  if (has_room()) append(message);
}
