// about: integer intrinsics; the values are computed from the definitions from the CUDA Math API
// buffer out: i32 zero 40
// launch ints 1 1: out i32=0x12345678 i32=-2 u32=0x9abcdef0
// expect out: i32 3 0 13 4 510274632 878082066 878082202 -1698898192 2014458966 -1 184609358 305419894 -610839792 64 32 61 -20 64 16909060 70 305419903 -3 2147483647 0 32
__global__ void ints(int* out, int a, int b, unsigned c) {
  int n = 0;
  out[n++] = __clz(a);
  out[n++] = __clz(b);
  out[n++] = __popc(a);
  out[n++] = __ffs(a);
  out[n++] = __brev(a);
  out[n++] = __byte_perm(a, c, 0x2103);
  out[n++] = __funnelshift_l(c, a, 8);
  out[n++] = __funnelshift_lc(c, a, 40);
  out[n++] = __funnelshift_r(a, a, 8);
  out[n++] = __mulhi(a, b);
  out[n++] = __umulhi(a, c);
  out[n++] = a + b;
  out[n++] = a * b;
  out[n++] = __clzll(0);
  out[n++] = __clz(0);
  out[n++] = __clzll(7);
  out[n++] = __dp4a(0x01020304, static_cast<int>(0xfefefefe), 0);
  out[n++] = __vadd4(0x20, 0x20);
  out[n++] = __byte_perm(0x04030201, 0, 0x0123);
  out[n++] = __sad(5, -60, 5u);
  out[n++] = __funnelshift_rc(a, 0, 0) | 7;
  out[n++] = __hadd(b, -4);
  out[n++] = __uhadd(0xffffffffu, 0xffffffffu) >> 1;
  out[n++] = __ffs(0);
  out[n++] = __popcll(0xffffffffull);
}
