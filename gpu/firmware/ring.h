/* The two message rings in host memory, seen from the firmware. */
#ifndef CASTOR_GPU_FIRMWARE_RING_H
#define CASTOR_GPU_FIRMWARE_RING_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/abi/message.h"

/* Reads where the driver has put them; does not return if they are unusable. */
void rings_open(uint32_t gsp);
/* The next command; false: none. Its checksum has not been looked at. */
bool command_take(struct castor_message* message);
bool checksum_right(struct castor_message* message);
/* Appends to the status ring and interrupts the driver; waits for room. */
void status_send(struct castor_message* message);
/* The same, but drops it when there is no room: for events nobody asked for. */
void status_offer(struct castor_message* message);

#endif
