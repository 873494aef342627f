#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void k0_cholesky_end(__global const uchar *m0, long o0, __global const uchar *m1, long o1, __global uchar *m2, long o2) {
  __global const float *b0 = (__global const float *)(m0 + o0);
  __global const int *b1 = (__global const int *)(m1 + o1);
  __global float *b2 = (__global float *)(m2 + o2);
  uchar r18, r40;
  int r0, r1, r2, r5, r6, r8, r9, r11, r12, r14, r15, r16, r20, r22, r23, r24;
  int r26, r28, r29, r30, r34, r36, r37, r38;
  float r31, r32, r39, r42;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  r5 = (int)((uint)r1 * (uint)128);
  r6 = (int)((uint)r5 + (uint)r0);
  r8 = (int)((uint)r2 * (uint)128);
  #pragma clang loop vectorize(disable)
  for (r9 = r6; r9 < 40000; r9 += r8) {
    r11 = 200 == 0 ? r9 : 200 == -1 ? (int)0 : (int)(r9 % 200);
    r12 = 200 == 0 ? (int)-1 : 200 == -1 ? (int)(0 - (uint)r9) : (int)(r9 / 200);
    r14 = 200 == 0 ? r12 : 200 == -1 ? (int)0 : (int)(r12 % 200);
    r15 = 200 == 0 ? (int)-1 : 200 == -1 ? (int)(0 - (uint)r12) : (int)(r12 / 200);
    r16 = b1[r15];
    r18 = (uchar)(r16 == 0);
    r20 = (int)((uint)r15 * (uint)40000);
    r22 = (int)((uint)r14 * (uint)200);
    r23 = (int)((uint)r20 + (uint)r22);
    r24 = (int)((uint)r23 + (uint)r11);
    if (r18) {
      r40 = (uchar)(r11 <= r14);
      if (r40) {
        r26 = (int)((uint)r15 * (uint)40000);
        r28 = (int)((uint)r14 * (uint)200);
        r29 = (int)((uint)r26 + (uint)r28);
        r30 = (int)((uint)r29 + (uint)r11);
        r31 = b2[r30];
        r32 = r31 != r31 ? as_float(0x7fc00000u) : r31;
        b2[r24] = r32;
      } else {
        r34 = (int)((uint)r15 * (uint)40000);
        r36 = (int)((uint)r14 * (uint)200);
        r37 = (int)((uint)r34 + (uint)r36);
        r38 = (int)((uint)r37 + (uint)r11);
        r39 = b0[r38];
        b2[r24] = r39;
      }
    } else {
      r42 = as_float(0x7fc00000u) != as_float(0x7fc00000u) ? as_float(0x7fc00000u) : as_float(0x7fc00000u);
      b2[r24] = r42;
    }
  }
}
