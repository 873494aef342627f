#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void k0_matrix_copy(__global const uchar *m0, long o0, __global uchar *m1, long o1) {
  __global const float *b0 = (__global const float *)(m0 + o0);
  __global float *b1 = (__global float *)(m1 + o1);
  uchar r22;
  int r0, r1, r2, r5, r6, r8, r9, r11, r12, r14, r15, r17, r19, r20, r21, r26;
  int r28, r29, r30;
  float r24, r31, r32;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  r5 = (int)((uint)r1 * (uint)128);
  r6 = (int)((uint)r5 + (uint)r0);
  r8 = (int)((uint)r2 * (uint)128);
  #pragma clang loop vectorize(disable)
  for (r9 = r6; r9 < 4096; r9 += r8) {
    r11 = 64 == 0 ? r9 : 64 == -1 ? (int)0 : (int)(r9 % 64);
    r12 = 64 == 0 ? (int)-1 : 64 == -1 ? (int)(0 - (uint)r9) : (int)(r9 / 64);
    r14 = 64 == 0 ? r12 : 64 == -1 ? (int)0 : (int)(r12 % 64);
    r15 = 64 == 0 ? (int)-1 : 64 == -1 ? (int)(0 - (uint)r12) : (int)(r12 / 64);
    r17 = (int)((uint)r15 * (uint)4096);
    r19 = (int)((uint)r14 * (uint)64);
    r20 = (int)((uint)r17 + (uint)r19);
    r21 = (int)((uint)r20 + (uint)r11);
    r22 = (uchar)(r14 <= r11);
    r24 = as_float(0x00000000u);
    if (r22) {
      r26 = (int)((uint)r15 * (uint)4096);
      r28 = (int)((uint)r14 * (uint)64);
      r29 = (int)((uint)r26 + (uint)r28);
      r30 = (int)((uint)r29 + (uint)r11);
      r31 = b0[r30];
      r24 = r31;
    }
    r32 = r24 != r24 ? as_float(0x7fc00000u) : r24;
    b1[r21] = r32;
  }
}
