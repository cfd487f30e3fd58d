// What the lanes of a warp do together (CUDA C++ Programming Guide, "Warp Vote", "Match", "Reduce", "Shuffle Functions").
// Lane masks name the lanes that take part; each waits for the others, wherever they are.
#pragma once

extern "C" {
// Whole 64-bit registers: the Xcastor instructions of these names (gpu/isa/xcastor.inc).
__device__ unsigned long long __castor_op_shfl_idx(unsigned long long value, unsigned int lane,
                                                   unsigned long long control);
__device__ unsigned long long __castor_op_shfl_up(unsigned long long value, unsigned int lane,
                                                  unsigned long long control);
__device__ unsigned long long __castor_op_shfl_down(unsigned long long value, unsigned int lane,
                                                    unsigned long long control);
__device__ unsigned long long __castor_op_shfl_bfly(unsigned long long value, unsigned int lane,
                                                    unsigned long long control);
}

/// Mask, and PTX's operand c: (segment mask << 8) | clamp.
CASTOR_DEVICE unsigned long long __castor_shfl_control(unsigned int mask, int width, unsigned int clamp) {
  const unsigned int c = (static_cast<unsigned int>(32 - width) << 8) | clamp;
  return (static_cast<unsigned long long>(c) << 32) | mask;
}

/// A value of up to eight bytes as a register.
template <class T>
CASTOR_DEVICE unsigned long long __castor_register(T value) {
  static_assert(sizeof(T) <= 8, "a shuffle moves one register");
  unsigned long long word = 0;
  __builtin_memcpy(&word, &value, sizeof value);
  return word;
}
template <class T>
CASTOR_DEVICE T __castor_value(unsigned long long word) {
  T value;
  __builtin_memcpy(&value, &word, sizeof value);
  return value;
}

// Customary code leaves the value of lanes that nobody reads unset. C++ would let the optimiser conclude that no such
// lane takes part; the attribute makes it an unspecified value instead.
#define CASTOR_UNSET __attribute__((maybe_undef))
#define CASTOR_SHUFFLE(type)                                                                                          \
  CASTOR_DEVICE type __shfl_sync(unsigned int mask, CASTOR_UNSET type value, int lane, int width = 32) {              \
    return __castor_value<type>(                                                                                      \
        __castor_op_shfl_idx(__castor_register(value), lane, __castor_shfl_control(mask, width, 31)));                \
  }                                                                                                                   \
  CASTOR_DEVICE type __shfl_up_sync(unsigned int mask, CASTOR_UNSET type value, unsigned int delta, int width = 32) { \
    return __castor_value<type>(                                                                                      \
        __castor_op_shfl_up(__castor_register(value), delta, __castor_shfl_control(mask, width, 0)));                 \
  }                                                                                                                   \
  CASTOR_DEVICE type __shfl_down_sync(unsigned int mask, CASTOR_UNSET type value, unsigned int delta,                 \
                                      int width = 32) {                                                               \
    return __castor_value<type>(                                                                                      \
        __castor_op_shfl_down(__castor_register(value), delta, __castor_shfl_control(mask, width, 31)));              \
  }                                                                                                                   \
  CASTOR_DEVICE type __shfl_xor_sync(unsigned int mask, CASTOR_UNSET type value, int lane_mask, int width = 32) {     \
    return __castor_value<type>(                                                                                      \
        __castor_op_shfl_bfly(__castor_register(value), lane_mask, __castor_shfl_control(mask, width, 31)));          \
  }
CASTOR_SHUFFLE(int)
CASTOR_SHUFFLE(unsigned int)
CASTOR_SHUFFLE(long)
CASTOR_SHUFFLE(unsigned long)
CASTOR_SHUFFLE(long long)
CASTOR_SHUFFLE(unsigned long long)
CASTOR_SHUFFLE(float)
CASTOR_SHUFFLE(double)
#undef CASTOR_SHUFFLE
#undef CASTOR_UNSET

CASTOR_DEVICE unsigned int __activemask() { return __nvvm_activemask(); }
CASTOR_DEVICE int __all_sync(unsigned int mask, int predicate) { return __nvvm_vote_all_sync(mask, predicate != 0); }
CASTOR_DEVICE int __any_sync(unsigned int mask, int predicate) { return __nvvm_vote_any_sync(mask, predicate != 0); }
CASTOR_DEVICE int __uni_sync(unsigned int mask, int predicate) { return __nvvm_vote_uni_sync(mask, predicate != 0); }
CASTOR_DEVICE unsigned int __ballot_sync(unsigned int mask, int predicate) {
  return __nvvm_vote_ballot_sync(mask, predicate != 0);
}

#define CASTOR_MATCH(type, word, suffix)                                                                       \
  CASTOR_DEVICE unsigned int __match_any_sync(unsigned int mask, type value) {                                 \
    return __nvvm_match_any_sync_##suffix(mask, __castor_value<word>(__castor_register(value)));               \
  }                                                                                                            \
  CASTOR_DEVICE unsigned int __match_all_sync(unsigned int mask, type value, int* predicate) {                 \
    return __nvvm_match_all_sync_##suffix##p(mask, __castor_value<word>(__castor_register(value)), predicate); \
  }
CASTOR_MATCH(int, unsigned int, i32)
CASTOR_MATCH(unsigned int, unsigned int, i32)
CASTOR_MATCH(float, unsigned int, i32)
CASTOR_MATCH(long, unsigned long long, i64)
CASTOR_MATCH(unsigned long, unsigned long long, i64)
CASTOR_MATCH(long long, unsigned long long, i64)
CASTOR_MATCH(unsigned long long, unsigned long long, i64)
CASTOR_MATCH(double, unsigned long long, i64)
#undef CASTOR_MATCH

CASTOR_DEVICE int __reduce_add_sync(unsigned int mask, int value) { return __nvvm_redux_sync_add(value, mask); }
CASTOR_DEVICE int __reduce_min_sync(unsigned int mask, int value) { return __nvvm_redux_sync_min(value, mask); }
CASTOR_DEVICE int __reduce_max_sync(unsigned int mask, int value) { return __nvvm_redux_sync_max(value, mask); }
#define CASTOR_REDUCE(name, operation)                                                       \
  CASTOR_DEVICE unsigned int __reduce_##name##_sync(unsigned int mask, unsigned int value) { \
    return __nvvm_redux_sync_##operation(value, mask);                                       \
  }
CASTOR_REDUCE(add, add)
CASTOR_REDUCE(min, umin)
CASTOR_REDUCE(max, umax)
CASTOR_REDUCE(and, and)
CASTOR_REDUCE(or, or)
CASTOR_REDUCE(xor, xor)
#undef CASTOR_REDUCE

/// The offset-th set bit of the mask from bit `base` on (downwards if offset is negative); ~0 if there is none.
CASTOR_DEVICE unsigned int __fns(unsigned int mask, unsigned int base, int offset) {
  int left = offset < 0 ? -offset : offset;
  if (offset == 0) return (mask >> base & 1) != 0 ? base : 0xffffffffu;
  for (int bit = static_cast<int>(base); bit >= 0 && bit < 32; bit += offset < 0 ? -1 : 1)
    if ((mask >> bit & 1) != 0 && --left == 0) return bit;
  return 0xffffffffu;
}
