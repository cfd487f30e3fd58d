/* Loads the GSP firmware: image in DMA pages, a list of the pages, then the boot ROM does the rest. */
#include "runtime/kmd/core.h"

#define BOOT_LIMIT_MS 2000u
#define LOG_BYTES 4096u /* of text, after the head */

struct image {
  struct castor_dma* pages;
  uint32_t count;
  struct castor_dma list;
};

static void drop_image(struct castor_kmd* kmd, struct image* image) {
  castor_dma_drop(kmd->port, &image->list);
  if (image->pages == NULL) return;
  for (uint32_t i = 0; i < image->count; ++i) castor_dma_drop(kmd->port, &image->pages[i]);
  kmd->port->free(kmd->port->env, image->pages, image->count * sizeof *image->pages);
}

/* Page by page, as a driver whose memory is not contiguous has to do it. */
static int stage_image(struct castor_kmd* kmd, const uint8_t* data, size_t bytes, struct image* image) {
  const struct castor_kmd_port* port = kmd->port;
  image->count = (uint32_t)((bytes + CASTOR_PAGE_4K - 1) / CASTOR_PAGE_4K);
  image->pages = port->alloc(port->env, image->count * sizeof *image->pages);
  if (image->pages == NULL) return CASTOR_KMD_ENOMEM;
  int error = castor_dma_take(port, image->count * sizeof(uint64_t), &image->list);
  for (uint32_t i = 0; error == 0 && i < image->count; ++i) {
    error = castor_dma_take(port, CASTOR_PAGE_4K, &image->pages[i]);
    if (error != 0) break;
    const size_t at = (size_t)i * CASTOR_PAGE_4K;
    castor_kmd_copy(image->pages[i].cpu, data + at, bytes - at < CASTOR_PAGE_4K ? bytes - at : CASTOR_PAGE_4K);
    ((uint64_t*)image->list.cpu)[i] = image->pages[i].bus;
  }
  return error;
}

static const char* failure_text(uint32_t failure) {
  switch (failure) {
    case CASTOR_GSP_FAIL_SIZE: return "image size";
    case CASTOR_GSP_FAIL_LIST: return "page list cannot be read";
    case CASTOR_GSP_FAIL_PAGE: return "a page cannot be read";
    case CASTOR_GSP_FAIL_CRC: return "checksum of the image";
    case CASTOR_GSP_FAIL_HEADER: return "not a firmware image";
    case CASTOR_GSP_FAIL_SIGNATURE: return "signature";
    case CASTOR_GSP_FAIL_ABI: return "an image for another device";
    case CASTOR_GSP_FAIL_TRAP: return "the firmware crashed";
    case CASTOR_GSP_FAIL_RING: return "a message ring cannot be reached";
    default: return "unknown reason";
  }
}

static int boot_failed(struct castor_kmd* kmd, uint32_t status) {
  const uint64_t info = (uint64_t)castor_kmd_read(kmd, kmd->gsp + CASTOR_GSP_FAILURE_INFO_HI) << 32 |
                        castor_kmd_read(kmd, kmd->gsp + CASTOR_GSP_FAILURE_INFO_LO);
  castor_kmd_say(kmd->port, CASTOR_KMD_LOG_ERROR, "firmware boot failed: %s (0x%l)",
                 failure_text(CASTOR_FIELD_GET(status, CASTOR_GSP_STATUS_FAILURE)), info);
  return CASTOR_KMD_EIO;
}

static int wait_ready(struct castor_kmd* kmd) {
  const struct castor_kmd_port* port = kmd->port;
  const uint64_t end = port->now_ns(port->env) + castor_kmd_limit(kmd, BOOT_LIMIT_MS);
  for (;;) {
    if (castor_kmd_read(kmd, kmd->gsp + CASTOR_GSP_READY) == CASTOR_GSP_READY_WORD) return 0;
    const uint32_t status = castor_kmd_read(kmd, kmd->gsp + CASTOR_GSP_STATUS);
    if (status == 0xffffffffu) return CASTOR_KMD_ELOST;
    if (CASTOR_FIELD_GET(status, CASTOR_GSP_STATUS_STATE) == CASTOR_GSP_STATE_FAILED) return boot_failed(kmd, status);
    if (port->now_ns(port->env) > end) {
      castor_kmd_say(port, CASTOR_KMD_LOG_ERROR, "firmware not ready in time; state %u",
                     CASTOR_FIELD_GET(status, CASTOR_GSP_STATUS_STATE));
      return CASTOR_KMD_ETIMEOUT;
    }
    port->relax(port->env);
  }
}

static int start(struct castor_kmd* kmd, const void* data, size_t bytes, const struct image* image) {
  castor_kmd_write(kmd, kmd->gsp + CASTOR_GSP_CTRL, 0);
  castor_kmd_write_pair(kmd, kmd->gsp + CASTOR_GSP_IMAGE_LIST_LO, image->list.bus);
  castor_kmd_write(kmd, kmd->gsp + CASTOR_GSP_IMAGE_BYTES, (uint32_t)bytes);
  castor_kmd_write(kmd, kmd->gsp + CASTOR_GSP_IMAGE_CRC, castor_kmd_crc32c(data, bytes));
  castor_kmd_write_pair(kmd, kmd->gsp + CASTOR_GSP_COMMAND_RING_LO, kmd->command.memory.bus);
  castor_kmd_write_pair(kmd, kmd->gsp + CASTOR_GSP_STATUS_RING_LO, kmd->status.memory.bus);
  castor_kmd_write_pair(kmd, kmd->gsp + CASTOR_GSP_LOG_RING_LO, kmd->gsp_log.bus);
  castor_kmd_write(kmd, kmd->gsp + CASTOR_GSP_LOG_RING_BYTES, LOG_BYTES);
  kmd->port->barrier(kmd->port->env);
  castor_kmd_write(kmd, kmd->gsp + CASTOR_GSP_CTRL, CASTOR_FIELD_MASK(CASTOR_GSP_CTRL_RUN));
  return wait_ready(kmd);
}

int castor_kmd_boot(struct castor_kmd* kmd, const void* data, size_t bytes) {
  if (data == NULL || bytes == 0 || bytes > 0xfffffff0u) {
    castor_kmd_say(kmd->port, CASTOR_KMD_LOG_ERROR, "no firmware image");
    return CASTOR_KMD_EINVAL;
  }
  int error = castor_dma_take(kmd->port, sizeof(struct castor_gsp_log) + LOG_BYTES, &kmd->gsp_log);
  if (error != 0) return error;
  struct image image = {NULL, 0, {NULL, 0, 0}};
  error = stage_image(kmd, data, bytes, &image);
  if (error == 0) error = start(kmd, data, bytes, &image);
  castor_kmd_log_drain(kmd);
  if (error != 0) castor_kmd_write(kmd, kmd->gsp + CASTOR_GSP_CTRL, 0); /* before its pages go */
  drop_image(kmd, &image);
  return error;
}

/* Hands complete lines of the firmware's log to the port. */
void castor_kmd_log_drain(struct castor_kmd* kmd) {
  if (kmd->gsp_log.cpu == NULL) return;
  const volatile struct castor_gsp_log* head = kmd->gsp_log.cpu;
  const volatile char* text = (const volatile char*)kmd->gsp_log.cpu + sizeof(struct castor_gsp_log);
  const uint64_t written = head->written;
  if (written < kmd->gsp_log_read || written - kmd->gsp_log_read > LOG_BYTES) kmd->gsp_log_read = written;
  char line[160];
  size_t used = 0;
  for (uint64_t at = kmd->gsp_log_read; at < written; ++at) {
    const char c = text[at % LOG_BYTES];
    if (c != '\n' && used + 1 < sizeof line) line[used++] = c;
    if (c != '\n' && used + 1 < sizeof line) continue;
    line[used] = 0;
    castor_kmd_say(kmd->port, CASTOR_KMD_LOG_DEBUG, "firmware: %s", line);
    used = 0;
    kmd->gsp_log_read = at + 1;
  }
}
