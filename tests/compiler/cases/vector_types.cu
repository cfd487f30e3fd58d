// about: vector loads and stores, vector arithmetic by element
// buffer in: f32 iota 16
// buffer out: f32 zero 16
// launch scale 1 4: in out
// expect out: f32 iota 16 0 2
__global__ void scale(const float4* in, float4* out) {
  float4 v = in[threadIdx.x];
  v.x *= 2, v.y *= 2, v.z *= 2, v.w *= 2;
  out[threadIdx.x] = v;
}
