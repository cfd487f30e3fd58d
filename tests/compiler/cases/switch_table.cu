// about: a dense switch becomes a jump table, taken by each lane for itself; small parameter types keep their value
// params pick: 0:8:8 8:1:1 9:1:1
// descriptor pick: flags=0
// check: jr\s+a
// buffer out: i32 iota 16
// launch pick 1 16: out u8=1 u8=200
// expect out: i32 -56 -13 -104 1 -16 -250 -46 -7 7 -56 -13 -104 1 -16 -250 -46
__global__ void pick(int* out, bool negate, signed char small) {
  int i = threadIdx.x, r;
  switch (i % 9) {
    case 0: r = -small; break;
    case 1: r = i * 0 + 13; break;
    case 2: r = small + 160; break;
    case 3: r = -1; break;
    case 4: r = 16; break;
    case 5: r = out[0] * 0 + 250; break;
    case 6: r = 46; break;
    case 7: r = 7; break;
    default: r = -7; break;
  }
  out[i] = negate ? -r : r;
}
