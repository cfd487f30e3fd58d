// The implementations behind the exported names, declared from the rows. api::cudaFree(p) stays inside the library and
// leaves the caller's last error alone; without `api::` the types of the arguments would find the exported name too.
#pragma once

#include "runtime/include/cuda.h"
#include "runtime/include/cuda_runtime_api.h"

namespace castor::cudart::api {

#define __dv(value)
#define API(name, params, args) cudaError_t name params;
#define API_RETURNS(type, name, params, args) type name params;
#define API_PTSZ(name, params, args) API(name, params, args)
#define API_PTDS(name, params, args) API(name, params, args)
#define API_13(name, params, args) API(name, params, args)
#define API_13_PTSZ(name, params, args) API(name, params, args)
#define GAP(name, params, why)
#define GAP_PTSZ(name, params, why)
#define GAP_PTDS(name, params, why)
#include "castor/api/runtime.inc"
#undef API
#undef API_RETURNS
#undef API_PTSZ
#undef API_PTDS
#undef API_13
#undef API_13_PTSZ
#undef GAP
#undef GAP_PTSZ
#undef GAP_PTDS
#undef __dv

}  // namespace castor::cudart::api
