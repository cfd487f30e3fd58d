/* The kernel-mode driver of the Castor GPU: finds the device, boots its firmware, owns device memory and page tables, and gives
 * contexts and queues to clients. C11, freestanding: needs nothing but the functions of port.h. Not re-entrant.
 *
 * Order of calls: castor_kmd_enumerate → castor_kmd_open → contexts, memory, queues → castor_kmd_close. Functions that return int
 * answer 0 or a negative castor_kmd_error; the reason is also logged.
 */
#ifndef CASTOR_RUNTIME_KMD_KMD_H
#define CASTOR_RUNTIME_KMD_KMD_H

#include <stdint.h>

#include "gpu/abi/discovery.h"
#include "gpu/abi/fault_record.h"
#include "runtime/kmd/port.h"

#ifdef __cplusplus
extern "C" {
#endif

struct castor_kmd;         /* one device */
struct castor_kmd_context; /* one address space with its queues (PASID) */

/* ---- the bus --------------------------------------------------------------------------------------------------------- */

struct castor_kmd_bar {
  uint64_t bus, bytes; /* bytes = 0: no such BAR */
};
struct castor_kmd_function {
  uint16_t bdf;
  uint16_t vendor, device;
  uint32_t class_code; /* 24 bits: class, subclass, interface */
  struct castor_kmd_bar bars[6];
};

/* Walks configuration space from bus 0: numbers buses, sizes and places every BAR in the port's apertures, opens bridge windows,
 * enables memory and bus mastering. Fills `found` with the functions that are no bridges; returns their number or an error.
 * What a PC's firmware or Linux does; a Linux module skips it and fills in castor_kmd_function itself. */
int castor_kmd_enumerate(const struct castor_kmd_port* port, struct castor_kmd_function* found, int room);

/* ---- the device ------------------------------------------------------------------------------------------------------ */

/* Is this the GPU that the driver drives? */
bool castor_kmd_is_gpu(const struct castor_kmd_function* function);

/* Brings the device up: maps BARs, reads the discovery table, sets up MSI-X and rings, loads the firmware image and waits until it
 * is ready. The port must outlive the device; the image may go after the call. */
int castor_kmd_open(const struct castor_kmd_port* port, const struct castor_kmd_function* function,
                    const void* firmware, size_t firmware_bytes, struct castor_kmd** kmd);
/* Destroys all contexts, stops the firmware, frees everything. */
void castor_kmd_close(struct castor_kmd* kmd);

/* The discovery table's header, as the device gave it. */
const struct castor_discovery_header* castor_kmd_discovery(const struct castor_kmd* kmd);
/* Usable device memory. */
void castor_kmd_memory_info(const struct castor_kmd* kmd, uint64_t* free_bytes, uint64_t* total_bytes);
/* Host interrupt indices that the environment must watch (bit = index) and hand to castor_kmd_interrupt. */
uint64_t castor_kmd_interrupt_mask(const struct castor_kmd* kmd);
/* Interrupts of `pending` have come in: drains the status ring and the fault rings, then calls port->notify for what happened. */
void castor_kmd_interrupt(struct castor_kmd* kmd, uint64_t pending);
/* A word to the firmware and back: 0 if it is alive. */
int castor_kmd_ping(struct castor_kmd* kmd);
struct castor_kmd_telemetry {
  uint64_t clock_khz, temperature_millicelsius, power_milliwatt;
};
int castor_kmd_telemetry(struct castor_kmd* kmd, struct castor_kmd_telemetry* telemetry);
/* Device time in ns. */
uint64_t castor_kmd_time(struct castor_kmd* kmd);

/* ---- contexts -------------------------------------------------------------------------------------------------------- */

/* A new address space. Device memory gets addresses in [va_base, va_base + va_bytes), which the client keeps free of its own. */
int castor_kmd_context_create(struct castor_kmd* kmd, uint64_t va_base, uint64_t va_bytes,
                              struct castor_kmd_context** context);
/* Stops all work of the context and frees all it had. Never fails: a device that does not answer is marked lost. */
void castor_kmd_context_destroy(struct castor_kmd_context* context);
uint32_t castor_kmd_context_pasid(const struct castor_kmd_context* context);
/* Throws away all work and makes the queues usable again after a fault. */
int castor_kmd_context_reset(struct castor_kmd_context* context);
/* 0: no fault; 1: the first fault's record is in *record. */
int castor_kmd_context_fault(struct castor_kmd_context* context, struct castor_fault_record* record);

/* ---- memory ---------------------------------------------------------------------------------------------------------- */

#define CASTOR_KMD_READ 1u
#define CASTOR_KMD_WRITE 2u
#define CASTOR_KMD_EXECUTE 4u
#define CASTOR_KMD_ATOMIC 8u
#define CASTOR_KMD_DATA (CASTOR_KMD_READ | CASTOR_KMD_WRITE | CASTOR_KMD_ATOMIC)

/* Device memory: rounded up to pages (the largest that fit), mapped with `access`, an unmapped page after it. */
int castor_kmd_memory_alloc(struct castor_kmd_context* context, uint64_t bytes, uint32_t access, uint64_t* va);
/* Frees memory of castor_kmd_memory_alloc or unmaps a host mapping; when it returns no engine can reach it any more. */
int castor_kmd_memory_free(struct castor_kmd_context* context, uint64_t va);
/* Changes the access of whole pages inside one allocation. */
int castor_kmd_memory_protect(struct castor_kmd_context* context, uint64_t va, uint64_t bytes, uint32_t access);
/* Maps a client's pinned pages (handle `pin` of port->pin_page) at `va`, which is usually their address in the client. */
int castor_kmd_map_host(struct castor_kmd_context* context, uint64_t pin, uint64_t va, uint64_t bytes, uint32_t access);

/* ---- queues ---------------------------------------------------------------------------------------------------------- */

/* A user queue: ring and queue page (packet.h) are addresses of the context. *queue is the doorbell token. */
int castor_kmd_queue_create(struct castor_kmd_context* context, uint64_t ring, uint32_t entries, uint64_t page,
                            uint32_t* queue);
int castor_kmd_queue_destroy(struct castor_kmd_context* context, uint32_t queue);
/* Rings the doorbell for a client that has no mapping of BAR2 of its own. */
int castor_kmd_doorbell(struct castor_kmd_context* context, uint32_t queue);

const char* castor_kmd_error_text(int error);

#ifdef __cplusplus
}
#endif

#endif
