// about: operations with a rounding of their own; 1 + 2^-30 and its neighbours in single precision
// buffer out: f32 zero 12
// launch rounds 1 1: out f32=1 f32=9.31322574615478515625e-10 f32=3
// expect out: f32 1 1 1.00000011920928955078125 1 0.333333313465118408203125 0.3333333432674407958984375 0.3333333432674407958984375 2 -1 1.00000011920928955078125 0.999999940395355224609375 1
__global__ void rounds(float* out, float one, float tiny, float three) {
  out[0] = __fadd_rn(one, tiny);
  out[1] = __fadd_rz(one, tiny);
  out[2] = __fadd_ru(one, tiny);
  out[3] = __fadd_rd(one, tiny);
  out[4] = __fdiv_rz(one, three);
  out[5] = __fdiv_ru(one, three);
  out[6] = __frcp_rn(three);
  out[7] = static_cast<float>(__float2int_ru(one + tiny + 0.5f));
  out[8] = static_cast<float>(__float2int_rd(-0.5f * one));
  out[9] = __fmaf_ru(one, one, tiny);
  out[10] = __fsub_rz(one, tiny);
  out[11] = __fsub_rn(one, tiny);
}
