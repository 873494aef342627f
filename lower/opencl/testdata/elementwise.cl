#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void k0_axpy(__global const uchar *m0, long o0, __global const uchar *m1, long o1, __global uchar *m2, long o2) {
  __global const float *b0 = (__global const float *)(m0 + o0);
  __global const float *b1 = (__global const float *)(m1 + o1);
  __global float *b2 = (__global float *)(m2 + o2);
  int r0, r1, r2, r5, r7, r9, r10, r12, r13, r15, r16, r18, r19, r25, r26;
  float r20, r21, r22, r23;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  r5 = (int)((uint)1 * (uint)64);
  r7 = (int)((uint)r5 * (uint)1000);
  r9 = (int)((uint)r1 * (uint)128);
  r10 = (int)((uint)r9 + (uint)r0);
  r12 = (int)((uint)r2 * (uint)128);
  for (r13 = r10; r13 < r7; r13 += r12) {
    r15 = 1000 == 0 ? r13 : 1000 == -1 ? (int)0 : (int)(r13 % 1000);
    r16 = 1000 == 0 ? (int)-1 : 1000 == -1 ? (int)(0 - (uint)r13) : (int)(r13 / 1000);
    r18 = (int)((uint)r16 * (uint)1000);
    r19 = (int)((uint)r15 + (uint)r18);
    r20 = b0[r19];
    r21 = b1[r15];
    r22 = fma(r20, r21, r21);
    r23 = r22 != r22 ? as_float(0x7fc00000u) : r22;
    r25 = (int)((uint)r16 * (uint)1000);
    r26 = (int)((uint)r15 + (uint)r25);
    b2[r26] = r23;
  }
}
