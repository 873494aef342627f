#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void k0_fetches(__global const uchar *m0, long o0, __global uchar *m1, long o1) {
  __global const float *b0 = (__global const float *)(m0 + o0);
  __global float *b1 = (__global float *)(m1 + o1);
  __local float a0[256];
  __local float a1[64];
  uchar r4;
  int r0, r2, r6, r11, r13;
  float r7, r8, r9;
  r0 = (int)get_local_id(0);
  r2 = (int)((uint)r0 * (uint)4);
  a0[r2] = b0[r2];
  a0[(r2 + 1)] = b0[(r2 + 1)];
  a0[(r2 + 2)] = b0[(r2 + 2)];
  a0[(r2 + 3)] = b0[(r2 + 3)];
  r4 = (uchar)(r0 < 32);
  a1[r0] = r4 ? b0[(r2 + 2)] : 0;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  r6 = r0 ^ 1;
  r11 = (int)((uint)r6 * (uint)4);
  {
    float2 v = vload2(0, a0 + (r11 + 2));
    r7 = v.s0;
    r8 = v.s1;
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  r9 = a1[r6];
  r13 = (int)((uint)r0 * (uint)2);
  vstore2((float2)(r8, r9), 0, b1 + r13);
}
