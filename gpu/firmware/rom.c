/* Boot ROM: gathers the firmware image from host memory, checks it, and jumps to it. Its verdict is in GSP.STATUS. */
#include "gpu/abi/message.h"
#include "gpu/firmware/hardware.h"

#define PAGE 4096u
/* The stack and the page list's window are above the largest image. */
#define IMAGE_LIMIT (CASTOR_GSP_SRAM_BYTES - 4 * PAGE)

static uint64_t* const kListWindow = (uint64_t*)(CASTOR_GSP_SRAM + IMAGE_LIMIT);

_Noreturn void rom_crashed(uint64_t pc, uint64_t cause) {
  const uint32_t gsp = find_block(CASTOR_BLOCK_GSP);
  bar0_write(gsp + CASTOR_GSP_FAILURE_CAUSE, (uint32_t)cause);
  fail(gsp, CASTOR_GSP_FAIL_TRAP, pc);
}

static void load_image(uint32_t gsp, uint32_t bytes) {
  const uint64_t list = bar0_read_pair(gsp + CASTOR_GSP_IMAGE_LIST_LO);
  const uint32_t pages = (bytes + PAGE - 1) / PAGE;
  for (uint32_t page = 0; page < pages; ++page) {
    const uint32_t slot = page % (PAGE / 8);
    if (slot == 0) { /* the next piece of the list */
      const uint32_t left = (pages - page) * 8;
      const uint64_t from = list + 8ull * page;
      if (!dma(from, kListWindow, left < PAGE ? left : PAGE, false)) fail(gsp, CASTOR_GSP_FAIL_LIST, from);
    }
    const uint32_t at = page * PAGE;
    const uint32_t size = bytes - at < PAGE ? bytes - at : PAGE;
    const uint64_t from = kListWindow[slot];
    if (!dma(from, (void*)(CASTOR_GSP_SRAM + at), size, false)) fail(gsp, CASTOR_GSP_FAIL_PAGE, from);
  }
}

static uint64_t fnv(uint64_t hash, const uint8_t* data, uint64_t bytes) {
  for (uint64_t i = 0; i < bytes; ++i) hash = (hash ^ data[i]) * 0x100000001b3ull;
  return hash;
}

static uint64_t signature_of(struct castor_gsp_image* image) {
  const uint64_t key = CASTOR_GSP_SIGNING_KEY;
  const uint64_t claimed = image->signature;
  image->signature = 0;
  uint64_t hash = fnv(0xcbf29ce484222325ull, (const uint8_t*)&key, sizeof key);
  hash = fnv(hash, (const uint8_t*)image, image->bytes);
  image->signature = claimed;
  return hash;
}

static void check_image(uint32_t gsp, uint32_t bytes) {
  struct castor_gsp_image* image = (struct castor_gsp_image*)CASTOR_GSP_SRAM;
  const uint32_t crc = crc32c(image, bytes);
  if (crc != bar0_read(gsp + CASTOR_GSP_IMAGE_CRC)) fail(gsp, CASTOR_GSP_FAIL_CRC, crc);
  const bool inside = image->entry >= CASTOR_GSP_SRAM + sizeof *image && image->entry < CASTOR_GSP_SRAM + bytes;
  if (bytes < sizeof *image || image->magic != CASTOR_GSP_IMAGE_MAGIC || image->bytes != bytes || !inside) {
    fail(gsp, CASTOR_GSP_FAIL_HEADER, image->magic);
  }
  if (image->abi != CASTOR_MESSAGE_VERSION) fail(gsp, CASTOR_GSP_FAIL_ABI, image->abi);
  if (CASTOR_FIELD_GET(bar0_read(gsp + CASTOR_GSP_FUSES), CASTOR_GSP_FUSES_SIGNED_ONLY) != 0) {
    const uint64_t signature = signature_of(image);
    if (signature != image->signature) fail(gsp, CASTOR_GSP_FAIL_SIGNATURE, image->signature);
  }
}

void rom_main(void) {
  const uint32_t gsp = find_block(CASTOR_BLOCK_GSP);
  const uint32_t bytes = bar0_read(gsp + CASTOR_GSP_IMAGE_BYTES);
  if (bytes == 0 || bytes > IMAGE_LIMIT) fail(gsp, CASTOR_GSP_FAIL_SIZE, bytes);
  enter_state(gsp, CASTOR_GSP_STATE_LOADING);
  load_image(gsp, bytes);
  enter_state(gsp, CASTOR_GSP_STATE_CHECKING);
  check_image(gsp, bytes);
  enter_state(gsp, CASTOR_GSP_STATE_STARTING);
  const struct castor_gsp_image* image = (const struct castor_gsp_image*)CASTOR_GSP_SRAM;
  __asm__ volatile("fence.i" ::: "memory");
  ((void (*)(void))image->entry)();
}
