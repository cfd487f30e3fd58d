/* What the kernel-mode driver needs of the place it runs in: a table of functions, given once at castor_kmd_open. C11, freestanding.
 *
 * Places: hosted (a SystemC thread on the emulated host bridge, platform/board), a Linux module, bare metal, VFIO. The
 * driver is not re-entrant: whoever calls it holds one lock, or calls from one thread. It never holds a pointer into the device.
 * Functions that return int answer 0 or a negative CASTOR_KMD_E….
 */
#ifndef CASTOR_RUNTIME_KMD_PORT_H
#define CASTOR_RUNTIME_KMD_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum castor_kmd_error {
  CASTOR_KMD_EINVAL = -1,   /* the caller's argument is wrong */
  CASTOR_KMD_ENOENT = -2,   /* no such device, context, queue or allocation */
  CASTOR_KMD_ENOMEM = -3,   /* device memory, host memory or address space is full */
  CASTOR_KMD_EBUSY = -4,    /* in use, or too many of them */
  CASTOR_KMD_EIO = -5,      /* the bus refused, or the device answered nonsense */
  CASTOR_KMD_ETIMEOUT = -6, /* no answer within the time limit */
  CASTOR_KMD_ELOST = -7,    /* the device is gone or failed; only a new open helps */
  CASTOR_KMD_EFAULT = -8,   /* the context has been stopped by a fault */
  CASTOR_KMD_ENOSYS = -9,   /* the device or this driver cannot do that */
};

enum castor_kmd_log_level {
  CASTOR_KMD_LOG_ERROR = 0,
  CASTOR_KMD_LOG_WARNING = 1,
  CASTOR_KMD_LOG_INFO = 2,
  CASTOR_KMD_LOG_DEBUG = 3
};

/* Bus, device, function as PCI writes them: bus << 8 | device << 3 | function. */
#define CASTOR_KMD_BDF(bus, device, function) ((uint16_t)((bus) << 8 | (device) << 3 | (function)))

/* A window of the host's address map that BARs may be placed in. */
struct castor_kmd_aperture {
  uint64_t base, bytes;
};

enum castor_kmd_notice {
  CASTOR_KMD_NOTICE_QUEUE = 0, /* a queue of the context raised its interrupt */
  CASTOR_KMD_NOTICE_FAULT = 1, /* the context has been stopped; castor_kmd_context_fault tells why */
  CASTOR_KMD_NOTICE_LOST = 2,  /* the device failed (all contexts, pasid is 0) */
};

struct castor_kmd_port {
  void* env; /* first argument of every function */

  /* Configuration space. Reads of what is not there answer all ones. bytes is 1, 2 or 4; offset up to 4095. */
  uint32_t (*config_read)(void* env, uint16_t bdf, uint32_t offset, uint32_t bytes);
  void (*config_write)(void* env, uint16_t bdf, uint32_t offset, uint32_t bytes, uint32_t value);
  struct castor_kmd_aperture mmio32; /* below 4 GiB, for 32-bit BARs */
  struct castor_kmd_aperture mmio64; /* for 64-bit BARs */

  /* Device registers: a cookie for a mapped BAR (in the hosted place the bus address itself), then accesses at cookie + offset. */
  int (*mmio_map)(void* env, uint64_t bus, uint64_t bytes, uint64_t* cookie);
  void (*mmio_unmap)(void* env, uint64_t cookie, uint64_t bytes);
  uint32_t (*mmio_read32)(void* env, uint64_t address);
  void (*mmio_write32)(void* env, uint64_t address, uint32_t value);
  uint64_t (*mmio_read64)(void* env, uint64_t address);
  void (*mmio_write64)(void* env, uint64_t address, uint64_t value);
  /* Bursts to and from a memory window (BAR4), write-combined: any length, any alignment. */
  void (*mmio_read_block)(void* env, uint64_t address, void* data, size_t bytes);
  void (*mmio_write_block)(void* env, uint64_t address, const void* data, size_t bytes);

  /* The driver's own memory; zeroed. */
  void* (*alloc)(void* env, size_t bytes);
  void (*free)(void* env, void* memory, size_t bytes);
  /* Memory the device may reach by DMA: zeroed, whole 4 KiB pages, contiguous on the bus. */
  void* (*dma_alloc)(void* env, size_t bytes, uint64_t* bus);
  void (*dma_free)(void* env, void* memory, size_t bytes, uint64_t bus);
  /* A client's pinned memory (the handle comes with castor_kmd_map_host): bus address of its page `page` (4 KiB each). */
  int (*pin_page)(void* env, uint64_t pin, uint64_t page, uint64_t* bus);

  /* Message that the device must write to raise host interrupt number `index`. */
  int (*msi_message)(void* env, uint32_t index, uint64_t* address, uint32_t* data);
  /* Waits until an interrupt of `mask` (bit = index) is pending or the time is over; returns and forgets the pending ones of mask.
   * Others stay pending for castor_kmd_interrupt. timeout 0 only looks. */
  uint64_t (*interrupt_wait)(void* env, uint64_t mask, uint64_t timeout_ns);

  uint64_t (*now_ns)(void* env); /* monotonic */
  void (*relax)(void* env);      /* lets the device make progress; called in every polling loop */
  void (*barrier)(void* env);    /* memory written before is visible to the device before what follows */

  void (*notify)(void* env, enum castor_kmd_notice notice, uint32_t pasid);
  void (*log)(void* env, enum castor_kmd_log_level level, const char* text);
};

#endif
