// about: structures by value: read in place with a dynamic index, changed by the kernel, and beside small types
// params read: 0:8:8 8:24:8 32:4:4 36:1:1
// descriptor read: param_bytes=37 local_bytes=0
// params change: 0:8:8 8:8:4
// params halves: 0:8:8 16:16:16 32:2:2 34:1:1 36:12:4
// buffer out: i32 zero 8
__constant__ int unused;
struct Table {
  double scale;
  int values[4];
};
struct Two {
  int a, b;
};
__global__ void read(int* out, Table table, int n, bool negate) {
  int i = threadIdx.x;
  if (i < n) out[i] = negate ? -table.values[i] : table.values[i];
}
__global__ void change(int* out, Two two) {
  two.a += threadIdx.x;
  int* p = threadIdx.x & 1 ? &two.a : &two.b;
  *p += 100;
  out[threadIdx.x] = two.a + 1000 * two.b;
}
__global__ void halves(int* out, float4 v, short s, char c, float3 w) {
  out[threadIdx.x] = static_cast<int>(v.x + v.y + v.z + v.w + s + c + w.x + w.y + w.z);
}
