#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void k0_vectors(__global const uchar *m0, long o0, __global uchar *m1, long o1, __global uchar *m2, long o2, __global uchar *m3, long o3, __global uchar *m4, long o4) {
  __global const float *b0 = (__global const float *)(m0 + o0);
  __global float *b1 = (__global float *)(m1 + o1);
  __global double *b2 = (__global double *)(m2 + o2);
  __global uchar *b3 = (__global uchar *)(m3 + o3);
  __global uchar *b4 = (__global uchar *)(m4 + o4);
  __local float a0[256];
  __local float x_float[64];
  __local double x_double[64];
  __local uchar x_uchar[64];
  uchar r21, r22, r23;
  int r0, r2, r8, r10, r18;
  float r3, r4, r5, r6, r11, r12, r13, r14, r15, r16;
  double r19, r20;
  r0 = (int)get_local_id(0);
  r2 = (int)((uint)r0 * (uint)4);
  {
    float4 v = vload4(0, b0 + r2);
    r3 = v.s0;
    r4 = v.s1;
    r5 = v.s2;
    r6 = v.s3;
  }
  vstore4((float4)(r3, r4, r5, r6), 0, a0 + r2);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  r8 = r0 ^ 1;
  r10 = (int)((uint)r8 * (uint)4);
  {
    float2 v = vload2(0, a0 + (r10 + 2));
    r11 = v.s0;
    r12 = v.s1;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  x_float[get_local_id(0)] = r11;
  barrier(CLK_LOCAL_MEM_FENCE);
  r13 = x_float[get_local_id(0) ^ 5];
  r14 = r11 + r13;
  barrier(CLK_LOCAL_MEM_FENCE);
  x_float[get_local_id(0)] = r12;
  barrier(CLK_LOCAL_MEM_FENCE);
  r15 = x_float[get_local_id(0) ^ 5];
  r16 = r12 + r15;
  r18 = (int)((uint)r0 * (uint)2);
  vstore2((float2)(r14, r16), 0, b1 + r18);
  r19 = convert_double_rte(r3);
  barrier(CLK_LOCAL_MEM_FENCE);
  x_double[get_local_id(0)] = r19;
  barrier(CLK_LOCAL_MEM_FENCE);
  r20 = x_double[get_local_id(0) ^ 16];
  vstore2((double2)(r20, r19), 0, b2 + r18);
  r21 = (uchar)(r3 < r4);
  barrier(CLK_LOCAL_MEM_FENCE);
  x_uchar[get_local_id(0)] = r21;
  barrier(CLK_LOCAL_MEM_FENCE);
  r22 = x_uchar[get_local_id(0) ^ 1];
  b3[r0] = r22;
  r23 = (uchar)((ulong)b0 % 16 == 0);
  b4[r0] = r23;
}
