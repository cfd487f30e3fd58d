// about: memcpy and memset of constant and variable size become loops, not calls of a C library
// check-not: <memcpy>|<memset>
// buffer in: u8 iota 64 1
// buffer out: u8 zero 64
// launch copy 1 1: in out i32=40
// expect out: u8 iota 40 1
struct Big {
  char bytes[40];
};
__global__ void copy(const char* in, char* out, int n) {
  memset(out, 9, n + 8);
  memcpy(out, in, n);
  memmove(out + 1, out, n - 1);
  Big big = *reinterpret_cast<const Big*>(in);
  *reinterpret_cast<Big*>(out) = big;
}
