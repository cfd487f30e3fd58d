/* Control messages: what each function does. */
#ifndef CASTOR_GPU_FIRMWARE_CONTROL_H
#define CASTOR_GPU_FIRMWARE_CONTROL_H

#include "gpu/abi/message.h"

void control_open(void);
/* Executes a message; its answer is in args. Returns 0 or CASTOR_MSG_E…. */
int control(struct castor_message* message);

#endif
