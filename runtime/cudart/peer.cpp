// Chapter "Peer Device Memory Access".
#include "runtime/cudart/call.h"
#include "runtime/cudart/context.h"

namespace castor::cudart::api {
namespace {

cudaError_t check_pair(int device, int peer) {
  CUDART_CHECK(check_device(device));
  return check_device(peer);
}

}  // namespace

cudaError_t cudaDeviceCanAccessPeer(int* canAccessPeer, int device, int peerDevice) {
  if (!canAccessPeer) return cudaErrorInvalidValue;
  CUDART_CHECK(check_pair(device, peerDevice));
  return to_runtime(cuDeviceCanAccessPeer(canAccessPeer, device, peerDevice));
}

// Devices of one machine do not map each other's memory yet, which cudaDeviceCanAccessPeer tells.
cudaError_t cudaDeviceEnablePeerAccess(int peerDevice, unsigned int flags) {
  if (flags != 0) return cudaErrorInvalidValue;
  CUDART_CHECK(check_pair(current_device(), peerDevice));
  return peerDevice == current_device() ? cudaErrorInvalidDevice : cudaErrorPeerAccessUnsupported;
}

cudaError_t cudaDeviceDisablePeerAccess(int peerDevice) {
  CUDART_CHECK(check_pair(current_device(), peerDevice));
  return peerDevice == current_device() ? cudaErrorInvalidDevice : cudaErrorPeerAccessNotEnabled;
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attr, int srcDevice, int dstDevice) {
  if (!value || attr < cudaDevP2PAttrPerformanceRank || attr > cudaDevP2PAttrOnlyPartialNativeAtomicSupported)
    return cudaErrorInvalidValue;
  CUDART_CHECK(check_pair(srcDevice, dstDevice));
  if (srcDevice == dstDevice) return cudaErrorInvalidDevice;
  *value = 0;
  return cudaSuccess;
}

}  // namespace castor::cudart::api
