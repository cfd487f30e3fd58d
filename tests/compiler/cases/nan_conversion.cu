// about: conversions saturate, and NaN becomes 0, as PTX's cvt does
// buffer out: i32 zero 8
// launch convert 1 1: out f32=nan f32=1e20 f32=-5
// expect out: i32 0 2147483647 0 -5 0 -2147483648 -1 -5
__global__ void convert(int* out, float nan, float big, float negative) {
  out[0] = __float2int_rn(nan);
  out[1] = __float2int_rz(big);
  out[2] = __float2uint_rz(negative);
  out[3] = __float2int_rn(negative);
  out[4] = __double2int_rz(nan);
  out[5] = __double2int_rz(-static_cast<double>(big));
  out[6] = __float2uint_rn(big);
  out[7] = static_cast<int>(__float2ll_rd(negative));
}
