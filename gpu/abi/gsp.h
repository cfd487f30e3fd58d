/* The GSP firmware hart: boot states, image, its address space, and the commands it gives to the HOST block. C11. */
#ifndef CASTOR_GPU_ABI_GSP_H
#define CASTOR_GPU_ABI_GSP_H

#include <stdint.h>

enum castor_gsp_state {
  CASTOR_GSP_STATE_RESET = 0,   /* held in reset */
  CASTOR_GSP_STATE_ROM = 1,     /* the boot ROM runs */
  CASTOR_GSP_STATE_LOADING = 2, /* the image is being gathered from host memory */
  CASTOR_GSP_STATE_CHECKING = 3,
  CASTOR_GSP_STATE_STARTING = 4, /* the firmware runs, but answers no message yet */
  CASTOR_GSP_STATE_READY = 5,
  CASTOR_GSP_STATE_FAILED = 0x80, /* STATUS.FAILURE says why; only CTRL.RUN = 0 leads out */
};

enum castor_gsp_failure {
  CASTOR_GSP_FAIL_NONE = 0,
  CASTOR_GSP_FAIL_SIZE = 1,      /* IMAGE_BYTES is zero or more than SRAM holds; info: IMAGE_BYTES */
  CASTOR_GSP_FAIL_LIST = 2,      /* the page list cannot be read; info: bus address */
  CASTOR_GSP_FAIL_PAGE = 3,      /* a page of the image cannot be read; info: bus address */
  CASTOR_GSP_FAIL_CRC = 4,       /* the image does not match IMAGE_CRC; info: the CRC found */
  CASTOR_GSP_FAIL_HEADER = 5,    /* not a GSP image; info: the magic found */
  CASTOR_GSP_FAIL_SIGNATURE = 6, /* the fuses want a signature and it is wrong; info: the signature found */
  CASTOR_GSP_FAIL_ABI = 7,       /* an image for another device; info: its ABI version */
  CASTOR_GSP_FAIL_TRAP = 8,      /* the firmware crashed; info: PC; GSP.FAILURE_CAUSE: mcause */
  CASTOR_GSP_FAIL_RING = 9,      /* a message ring cannot be read or written; info: bus address */
};

#define CASTOR_GSP_READY_WORD 0x59444552u /* "REDY" */

/* Head of the firmware image; the code is linked to run at CASTOR_GSP_SRAM with this header first. */
#define CASTOR_GSP_IMAGE_MAGIC 0x46505347u /* "GSPF" */
struct castor_gsp_image {
  uint32_t magic;
  uint32_t abi;   /* CASTOR_MESSAGE_VERSION */
  uint64_t entry; /* hart address */
  uint32_t bytes; /* of the whole image */
  uint32_t version;
  uint64_t signature; /* keyed hash of the image with this word zero: FNV-1a 64 over the key's bytes, then the image */
};
#define CASTOR_GSP_SIGNING_KEY 0x656b20726f747361ull /* the simulated vendor's key; no secret */

/* The hart's address space. */
#define CASTOR_GSP_ROM_BASE 0x00010000ull
#define CASTOR_GSP_ROM_BYTES 0x00010000ull
#define CASTOR_GSP_LOCAL 0x00100000ull /* block GSP_LOCAL */
#define CASTOR_GSP_BAR0 0x10000000ull  /* the registers, as in BAR0 */
#define CASTOR_GSP_SRAM 0x80000000ull
#define CASTOR_GSP_SRAM_BYTES 0x00100000ull
#define CASTOR_GSP_MEMORY 0x8000000000ull /* device memory: address 0 of it is here */

/* Where the firmware keeps the context table in device memory (region CASTOR_REGION_FIRMWARE). */
#define CASTOR_GSP_CONTEXT_TABLE 0x10000ull

/* HOST.COMMAND.OP */
enum castor_host_command {
  CASTOR_HOST_QUEUE_ENABLE = 1, /* queue SELECT takes the descriptor registers and begins to fetch */
  CASTOR_HOST_QUEUE_DISABLE =
      2, /* queue SELECT stops: what has not started is dropped, what runs ends without signal */
  CASTOR_HOST_CONTEXT_STOP =
      3, /* all queues of PASID are disabled, its running work is cancelled; RESULT.BUSY until done */
  CASTOR_HOST_CONTEXT_RESET =
      4, /* as STOP, then the queues of PASID are enabled again, empty, and its fault is forgotten */
};

/* HOST.RESULT.CODE */
enum castor_host_result {
  CASTOR_HOST_OK = 0,
  CASTOR_HOST_BAD_QUEUE = 1,      /* no such queue, or (enable) it is in use, or (disable) it is not */
  CASTOR_HOST_BAD_DESCRIPTOR = 2, /* PASID, vector, entries or alignment */
  CASTOR_HOST_BAD_COMMAND = 3,
  CASTOR_HOST_PENDING = 4, /* another command is still executing */
};

/* Log ring in host memory: this head, then LOG_RING_BYTES of text written in a circle. */
struct castor_gsp_log {
  uint64_t written; /* bytes written so far */
  uint64_t reserved[7];
};

#endif
