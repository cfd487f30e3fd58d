// about: votes, matches, reductions and masks
// buffer out: i32 zero 16
// launch vote 1 32: out
// expect out: i32 1 0 1 0 0x55555555 -1 496 0 31 0x0f 0x0f 0 31 1 0x55555555 4
__global__ void vote(int* out) {
  int lane = threadIdx.x, all = ~0;
  int r[16];
  r[0] = __all_sync(all, lane < 32);
  r[1] = __all_sync(all, lane != 7);
  r[2] = __any_sync(all, lane == 7);
  r[3] = __any_sync(all, lane > 40);
  r[4] = __ballot_sync(all, lane % 2 == 0);
  r[5] = __activemask();
  r[6] = __reduce_add_sync(all, lane);
  r[7] = __reduce_min_sync(all, lane);
  r[8] = __reduce_max_sync(all, static_cast<unsigned>(lane));
  r[9] = __match_any_sync(all, lane / 4);
  r[10] = __shfl_sync(all, r[9], 0);
  int same;
  r[11] = __match_all_sync(all, lane, &same) + same;
  r[12] = __reduce_or_sync(all, static_cast<unsigned>(lane));
  r[13] = __uni_sync(all, 5);
  r[14] = 0;
  if (lane % 2 == 0) r[14] = __ballot_sync(0x55555555, 1);
  r[15] = __fns(0x15, 0, 3);
  if (lane == 0)
    for (int i = 0; i < 16; ++i) out[i] = r[i];
}
