// min and max of the global namespace, on both sides (CUDA Math API, "Integer Mathematical Functions").
#pragma once

#define CASTOR_MIN_MAX(type, first, second)                                                           \
  static __host__ __device__ __inline__ constexpr type min(first a, second b) {                       \
    return static_cast<type>(a) < static_cast<type>(b) ? static_cast<type>(a) : static_cast<type>(b); \
  }                                                                                                   \
  static __host__ __device__ __inline__ constexpr type max(first a, second b) {                       \
    return static_cast<type>(a) < static_cast<type>(b) ? static_cast<type>(b) : static_cast<type>(a); \
  }
#define CASTOR_MIN_MAX_INT(s, u) \
  CASTOR_MIN_MAX(s, s, s) CASTOR_MIN_MAX(u, u, u) CASTOR_MIN_MAX(u, s, u) CASTOR_MIN_MAX(u, u, s)
CASTOR_MIN_MAX_INT(int, unsigned int)
CASTOR_MIN_MAX_INT(long, unsigned long)
CASTOR_MIN_MAX_INT(long long, unsigned long long)
#undef CASTOR_MIN_MAX_INT
#undef CASTOR_MIN_MAX

// A NaN loses against a number.
#define CASTOR_MIN_MAX_FLOAT(type, first, second, suffix)                                                    \
  static __host__ __device__ __inline__ type min(first a, second b) { return __builtin_fmin##suffix(a, b); } \
  static __host__ __device__ __inline__ type max(first a, second b) { return __builtin_fmax##suffix(a, b); }
CASTOR_MIN_MAX_FLOAT(float, float, float, f)
CASTOR_MIN_MAX_FLOAT(double, double, double, )
CASTOR_MIN_MAX_FLOAT(double, float, double, )
CASTOR_MIN_MAX_FLOAT(double, double, float, )
#undef CASTOR_MIN_MAX_FLOAT

static __host__ __device__ __inline__ constexpr unsigned int umin(unsigned int a, unsigned int b) {
  return a < b ? a : b;
}
static __host__ __device__ __inline__ constexpr unsigned int umax(unsigned int a, unsigned int b) {
  return a < b ? b : a;
}
static __host__ __device__ __inline__ constexpr long long llmin(long long a, long long b) { return a < b ? a : b; }
static __host__ __device__ __inline__ constexpr long long llmax(long long a, long long b) { return a < b ? b : a; }
static __host__ __device__ __inline__ constexpr unsigned long long ullmin(unsigned long long a, unsigned long long b) {
  return a < b ? a : b;
}
static __host__ __device__ __inline__ constexpr unsigned long long ullmax(unsigned long long a, unsigned long long b) {
  return a < b ? b : a;
}
