// cudaCreateChannelDesc<T>(): the channel format of a C++ type.
#ifndef __CHANNEL_DESCRIPTOR_H__
#define __CHANNEL_DESCRIPTOR_H__

#if defined(__cplusplus)

#include "cuda_runtime_api.h"

template <class T>
__inline__ __host__ cudaChannelFormatDesc cudaCreateChannelDesc() {
  return ::cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}

#define CASTOR_CHANNEL(type, x, y, z, w, kind)                              \
  template <>                                                               \
  __inline__ __host__ cudaChannelFormatDesc cudaCreateChannelDesc<type>() { \
    return ::cudaCreateChannelDesc(x, y, z, w, kind);                       \
  }
#define CASTOR_CHANNELS(scalar, vector, bits, kind) \
  CASTOR_CHANNEL(scalar, bits, 0, 0, 0, kind)       \
  CASTOR_CHANNEL(vector##1, bits, 0, 0, 0, kind)    \
  CASTOR_CHANNEL(vector##2, bits, bits, 0, 0, kind) \
  CASTOR_CHANNEL(vector##4, bits, bits, bits, bits, kind)

CASTOR_CHANNEL(char, 8, 0, 0, 0, cudaChannelFormatKindSigned)
CASTOR_CHANNELS(signed char, char, 8, cudaChannelFormatKindSigned)
CASTOR_CHANNELS(unsigned char, uchar, 8, cudaChannelFormatKindUnsigned)
CASTOR_CHANNELS(short, short, 16, cudaChannelFormatKindSigned)
CASTOR_CHANNELS(unsigned short, ushort, 16, cudaChannelFormatKindUnsigned)
CASTOR_CHANNELS(int, int, 32, cudaChannelFormatKindSigned)
CASTOR_CHANNELS(unsigned int, uint, 32, cudaChannelFormatKindUnsigned)
CASTOR_CHANNELS(float, float, 32, cudaChannelFormatKindFloat)
#undef CASTOR_CHANNELS
#undef CASTOR_CHANNEL

#endif
#endif
