// about: 128-bit arithmetic, with division by the device library
// buffer out: u64 zero 8
// launch wide 1 1: out u64=0xffffffffffffffff u64=10 i64=-7
// expect out: u64 0x9 0xfffffffffffffff6 0x1999999999999999 5 0xffffffffffffffff 0xfffffffffffffffb
__global__ void wide(unsigned long long* out, unsigned long long a, unsigned long long b, long long c) {
  unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  out[0] = static_cast<unsigned long long>(product >> 64);
  out[1] = static_cast<unsigned long long>(product);
  out[2] = static_cast<unsigned long long>(product / (static_cast<unsigned __int128>(b) * b));
  out[3] = static_cast<unsigned long long>((static_cast<unsigned __int128>(a)) % 10);
  __int128 negative = static_cast<__int128>(c) * 3;
  out[4] = static_cast<unsigned long long>((negative / 4) >> 64);
  out[5] = static_cast<unsigned long long>(negative / 4);
}
