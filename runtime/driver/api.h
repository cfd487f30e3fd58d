// The functions that do the work of the exported API: castor::driver::<name>, declared from the rows. The exported symbols
// (exports.cpp) check that cuInit has been called, choose the default stream and trace.
#pragma once

#define CASTOR_DRIVER_ABI_NAMES
#include "runtime/include/cuda.h"

namespace castor::driver {

#define API(name, parameters, arguments) CUresult name parameters;
#define API_BARE(name, parameters, arguments) CUresult name parameters;
#define API_AS(name, implementation, parameters, arguments)
#define API_PER_THREAD(name, implementation, parameters, arguments)
#include "runtime/include/castor/api/driver.inc"
#undef API
#undef API_BARE
#undef API_AS
#undef API_PER_THREAD

}  // namespace castor::driver
