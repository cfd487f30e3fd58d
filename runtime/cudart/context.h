// The primary context of the thread's device: made on first use, shared by all threads, remade after cudaDeviceReset.
#pragma once

#include "runtime/cudart/api.h"

namespace castor::cudart {

inline constexpr int kMaxDevices = 64;

/// Ordinal of the device that the calling thread uses.
int current_device();
/// Chooses it; the context follows with ensure_context().
cudaError_t choose_device(int device);
/// The device that threads start with.
void set_first_device(int device);

/// The driver is up and the thread has a current context.
cudaError_t ensure_context();
/// The driver is up, as device queries need it.
cudaError_t ensure_driver();
/// Number of devices; cudaErrorNoDevice if there is none.
cudaError_t device_count(int* count);
cudaError_t check_device(int device);
/// True if the device's primary context exists already.
bool context_exists(int device);
/// Ends the primary context of the thread's device, with everything in it.
cudaError_t reset_context();

/// Counts the contexts that a device has had: what was loaded in an earlier one is gone.
unsigned context_generation(int device);

}  // namespace castor::cudart
