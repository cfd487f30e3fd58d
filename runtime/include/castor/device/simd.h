// SIMD intrinsics on bytes and halfwords packed in a word (CUDA Math API, "SIMD Intrinsics"). Each is written for one
// element; the loop over elements is unrolled.
#pragma once

#define CASTOR_SIMD(name, lanes, element, expression)                         \
  CASTOR_DEVICE unsigned int name(unsigned int x, unsigned int y) {           \
    unsigned int result = 0;                                                  \
    _Pragma("unroll") for (int i = 0; i < lanes; ++i) {                       \
      const int a = static_cast<element>(x >> (32 / lanes * i));              \
      const int b = static_cast<element>(y >> (32 / lanes * i));              \
      const unsigned int r = static_cast<unsigned int>(expression);           \
      result |= (r & (0xffffffffu >> (32 - 32 / lanes))) << (32 / lanes * i); \
    }                                                                         \
    return result;                                                            \
  }
#define CASTOR_SIMD_SIGNED(name, expression) \
  CASTOR_SIMD(name##2, 2, short, expression) \
  CASTOR_SIMD(name##4, 4, signed char, expression)
#define CASTOR_SIMD_UNSIGNED(name, expression)        \
  CASTOR_SIMD(name##2, 2, unsigned short, expression) \
  CASTOR_SIMD(name##4, 4, unsigned char, expression)

CASTOR_SIMD_UNSIGNED(__vadd, a + b)
CASTOR_SIMD_UNSIGNED(__vsub, a - b)
CASTOR_SIMD_UNSIGNED(__vavgu, (a + b + 1) >> 1)
CASTOR_SIMD_SIGNED(__vavgs, (a + b + (a + b >= 0)) >> 1)
CASTOR_SIMD_SIGNED(__vabsdiffs, a > b ? a - b : b - a)
CASTOR_SIMD_UNSIGNED(__vabsdiffu, a > b ? a - b : b - a)
CASTOR_SIMD_SIGNED(__vmaxs, a > b ? a : b)
CASTOR_SIMD_UNSIGNED(__vmaxu, a > b ? a : b)
CASTOR_SIMD_SIGNED(__vmins, a < b ? a : b)
CASTOR_SIMD_UNSIGNED(__vminu, a < b ? a : b)
CASTOR_SIMD_UNSIGNED(__vcmpeq, a == b ? -1 : 0)
CASTOR_SIMD_UNSIGNED(__vcmpne, a != b ? -1 : 0)
CASTOR_SIMD_SIGNED(__vcmpgts, a > b ? -1 : 0)
CASTOR_SIMD_UNSIGNED(__vcmpgtu, a > b ? -1 : 0)
CASTOR_SIMD_SIGNED(__vcmpges, a >= b ? -1 : 0)
CASTOR_SIMD_UNSIGNED(__vcmpgeu, a >= b ? -1 : 0)
CASTOR_SIMD_SIGNED(__vcmplts, a < b ? -1 : 0)
CASTOR_SIMD_UNSIGNED(__vcmpltu, a < b ? -1 : 0)
CASTOR_SIMD_SIGNED(__vcmples, a <= b ? -1 : 0)
CASTOR_SIMD_UNSIGNED(__vcmpleu, a <= b ? -1 : 0)
CASTOR_SIMD_UNSIGNED(__vseteq, a == b)
CASTOR_SIMD_UNSIGNED(__vsetne, a != b)
CASTOR_SIMD_SIGNED(__vsetgts, a > b)
CASTOR_SIMD_UNSIGNED(__vsetgtu, a > b)
CASTOR_SIMD_SIGNED(__vsetlts, a < b)
CASTOR_SIMD_UNSIGNED(__vsetltu, a < b)
CASTOR_SIMD(__vaddss2, 2, short, a + b > 32767 ? 32767 : a + b < -32768 ? -32768 : a + b)
CASTOR_SIMD(__vaddss4, 4, signed char, a + b > 127 ? 127 : a + b < -128 ? -128 : a + b)
CASTOR_SIMD(__vaddus2, 2, unsigned short, a + b > 65535 ? 65535 : a + b)
CASTOR_SIMD(__vaddus4, 4, unsigned char, a + b > 255 ? 255 : a + b)
CASTOR_SIMD(__vsubss2, 2, short, a - b > 32767 ? 32767 : a - b < -32768 ? -32768 : a - b)
CASTOR_SIMD(__vsubss4, 4, signed char, a - b > 127 ? 127 : a - b < -128 ? -128 : a - b)
CASTOR_SIMD_UNSIGNED(__vsubus, a < b ? 0 : a - b)
#undef CASTOR_SIMD_SIGNED
#undef CASTOR_SIMD_UNSIGNED
#undef CASTOR_SIMD

#define CASTOR_SIMD_SUM(name, lanes, element)                       \
  CASTOR_DEVICE unsigned int name(unsigned int x, unsigned int y) { \
    unsigned int sum = 0;                                           \
    _Pragma("unroll") for (int i = 0; i < lanes; ++i) {             \
      const int a = static_cast<element>(x >> (32 / lanes * i));    \
      const int b = static_cast<element>(y >> (32 / lanes * i));    \
      sum += a > b ? a - b : b - a;                                 \
    }                                                               \
    return sum;                                                     \
  }
CASTOR_SIMD_SUM(__vsads2, 2, short)
CASTOR_SIMD_SUM(__vsads4, 4, signed char)
CASTOR_SIMD_SUM(__vsadu2, 2, unsigned short)
CASTOR_SIMD_SUM(__vsadu4, 4, unsigned char)
#undef CASTOR_SIMD_SUM
