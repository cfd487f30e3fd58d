/* The firmware's log: lines into the driver's log ring and to the console register. */
#ifndef CASTOR_GPU_FIRMWARE_LOG_H
#define CASTOR_GPU_FIRMWARE_LOG_H

#include <stdint.h>

void log_open(uint32_t gsp);
/* `%x` stands for the number. */
void log_line(const char* text, uint64_t number);

#endif
