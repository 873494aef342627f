#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void k0_long_sums_sum(__global const uchar *m0, long o0, __global uchar *m1, long o1, long s0) {
  __global const float *b0 = (__global const float *)(m0 + o0);
  __global float *b1 = (__global float *)(m1 + o1);
  uchar r19;
  int r0, r1, r2, r3, r5, r6, r9, r10, r12, r14, r15, r21, r22, r26, r28, r29;
  int r33, r36, r39, r42, r45, r48, r51;
  float r17, r30, r31, r34, r37, r40, r43, r46, r49, r52, r53, r54, r55, r56, r57, r58;
  float r59, r60;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  r3 = (int)s0;
  r5 = (int)((uint)r1 * (uint)128);
  r6 = (int)((uint)r5 + (uint)r0);
  r9 = (int)((uint)r2 * (uint)128);
  #pragma clang loop vectorize(disable)
  for (r10 = r6; r10 < 6; r10 += r9) {
    r12 = 6 == 0 ? (int)-1 : 6 == -1 ? (int)(0 - (uint)r10) : (int)(r10 / 6);
    r14 = (int)((uint)r12 * (uint)6);
    r15 = (int)((uint)r10 - (uint)r14);
    r17 = as_float(0x00000000u);
    r19 = (uchar)(0 < r3);
    if (r19) {
      r17 = b1[r10];
    }
    r21 = (int)((uint)r12 * (uint)576);
    r22 = (int)((uint)r21 + (uint)r15);
    #pragma clang loop vectorize(disable)
    for (r26 = 0; r26 < 96; r26 += 8) {
      r28 = (int)((uint)r26 * (uint)6);
      r29 = (int)((uint)r22 + (uint)r28);
      r30 = b0[r29];
      r33 = (int)((uint)r29 + (uint)6);
      r31 = b0[r33];
      r36 = (int)((uint)r29 + (uint)12);
      r34 = b0[r36];
      r39 = (int)((uint)r29 + (uint)18);
      r37 = b0[r39];
      r42 = (int)((uint)r29 + (uint)24);
      r40 = b0[r42];
      r45 = (int)((uint)r29 + (uint)30);
      r43 = b0[r45];
      r48 = (int)((uint)r29 + (uint)36);
      r46 = b0[r48];
      r51 = (int)((uint)r29 + (uint)42);
      r49 = b0[r51];
      r52 = r17 + r30;
      r17 = r52;
      r53 = r17 + r31;
      r17 = r53;
      r54 = r17 + r34;
      r17 = r54;
      r55 = r17 + r37;
      r17 = r55;
      r56 = r17 + r40;
      r17 = r56;
      r57 = r17 + r43;
      r17 = r57;
      r58 = r17 + r46;
      r17 = r58;
      r59 = r17 + r49;
      r17 = r59;
    }
    r60 = r17 != r17 ? as_float(0x7fc00000u) : r17;
    b1[r10] = r60;
  }
}
