// Atomic functions (CUDA C++ Programming Guide, "Atomic Functions"). They are relaxed; the _block and _system forms differ
// only in how far the effect must be seen, and memory here is coherent everywhere.
#pragma once

#define CASTOR_ATOMIC_SCOPES(make, ...) make(, __VA_ARGS__) make(_block, __VA_ARGS__) make(_system, __VA_ARGS__)

#define CASTOR_FETCH(scope, name, operation, type)                       \
  CASTOR_DEVICE type name##scope(type* address, type value) {            \
    return __atomic_fetch_##operation(address, value, __ATOMIC_RELAXED); \
  }
#define CASTOR_FETCH_INT(name, operation)                            \
  CASTOR_ATOMIC_SCOPES(CASTOR_FETCH, name, operation, int)           \
  CASTOR_ATOMIC_SCOPES(CASTOR_FETCH, name, operation, unsigned int)  \
  CASTOR_ATOMIC_SCOPES(CASTOR_FETCH, name, operation, unsigned long) \
  CASTOR_ATOMIC_SCOPES(CASTOR_FETCH, name, operation, unsigned long long)
#define CASTOR_FETCH_LONG(name, operation)                  \
  CASTOR_ATOMIC_SCOPES(CASTOR_FETCH, name, operation, long) \
  CASTOR_ATOMIC_SCOPES(CASTOR_FETCH, name, operation, long long)

CASTOR_FETCH_INT(atomicAdd, add)
CASTOR_FETCH_INT(atomicSub, sub)
CASTOR_FETCH_INT(atomicAnd, and)
CASTOR_FETCH_INT(atomicOr, or)
CASTOR_FETCH_INT(atomicXor, xor)
CASTOR_FETCH_INT(atomicMin, min)
CASTOR_FETCH_INT(atomicMax, max)
CASTOR_FETCH_LONG(atomicAnd, and)
CASTOR_FETCH_LONG(atomicOr, or)
CASTOR_FETCH_LONG(atomicXor, xor)
CASTOR_FETCH_LONG(atomicMin, min)
CASTOR_FETCH_LONG(atomicMax, max)
CASTOR_ATOMIC_SCOPES(CASTOR_FETCH, atomicAdd, add, float)
CASTOR_ATOMIC_SCOPES(CASTOR_FETCH, atomicAdd, add, double)
#undef CASTOR_FETCH
#undef CASTOR_FETCH_INT
#undef CASTOR_FETCH_LONG

#define CASTOR_EXCHANGE(scope, type)                                \
  CASTOR_DEVICE type atomicExch##scope(type* address, type value) { \
    return __atomic_exchange_n(address, value, __ATOMIC_RELAXED);   \
  }
CASTOR_ATOMIC_SCOPES(CASTOR_EXCHANGE, int)
CASTOR_ATOMIC_SCOPES(CASTOR_EXCHANGE, unsigned int)
CASTOR_ATOMIC_SCOPES(CASTOR_EXCHANGE, unsigned long)
CASTOR_ATOMIC_SCOPES(CASTOR_EXCHANGE, unsigned long long)
#undef CASTOR_EXCHANGE

#define CASTOR_EXCHANGE_FLOAT(scope, type, word)                                                             \
  CASTOR_DEVICE type atomicExch##scope(type* address, type value) {                                          \
    return __builtin_bit_cast(type, __atomic_exchange_n(reinterpret_cast<word*>(address),                    \
                                                        __builtin_bit_cast(word, value), __ATOMIC_RELAXED)); \
  }
CASTOR_ATOMIC_SCOPES(CASTOR_EXCHANGE_FLOAT, float, unsigned int)
CASTOR_ATOMIC_SCOPES(CASTOR_EXCHANGE_FLOAT, double, unsigned long long)
#undef CASTOR_EXCHANGE_FLOAT

#define CASTOR_CAS(scope, type)                                                                       \
  CASTOR_DEVICE type atomicCAS##scope(type* address, type compare, type value) {                      \
    __atomic_compare_exchange_n(address, &compare, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
    return compare;                                                                                   \
  }
CASTOR_ATOMIC_SCOPES(CASTOR_CAS, int)
CASTOR_ATOMIC_SCOPES(CASTOR_CAS, unsigned int)
CASTOR_ATOMIC_SCOPES(CASTOR_CAS, unsigned long)
CASTOR_ATOMIC_SCOPES(CASTOR_CAS, unsigned long long)
CASTOR_ATOMIC_SCOPES(CASTOR_CAS, unsigned short)
#undef CASTOR_CAS

#define CASTOR_WRAP(scope, name, builtin) \
  CASTOR_DEVICE unsigned int name##scope(unsigned int* address, unsigned int bound) { return builtin(address, bound); }
CASTOR_ATOMIC_SCOPES(CASTOR_WRAP, atomicInc, __nvvm_atom_inc_gen_ui)
CASTOR_ATOMIC_SCOPES(CASTOR_WRAP, atomicDec, __nvvm_atom_dec_gen_ui)
#undef CASTOR_WRAP

// Vectors are added element by element; the whole is not one transaction.
#define CASTOR_ADD_VECTOR2(scope)                                                                  \
  CASTOR_DEVICE float2 atomicAdd##scope(float2* address, float2 value) {                           \
    return float2{atomicAdd##scope(&address->x, value.x), atomicAdd##scope(&address->y, value.y)}; \
  }                                                                                                \
  CASTOR_DEVICE float4 atomicAdd##scope(float4* address, float4 value) {                           \
    return float4{atomicAdd##scope(&address->x, value.x), atomicAdd##scope(&address->y, value.y),  \
                  atomicAdd##scope(&address->z, value.z), atomicAdd##scope(&address->w, value.w)}; \
  }
CASTOR_ADD_VECTOR2()
CASTOR_ADD_VECTOR2(_block)
CASTOR_ADD_VECTOR2(_system)
#undef CASTOR_ADD_VECTOR2
#undef CASTOR_ATOMIC_SCOPES
