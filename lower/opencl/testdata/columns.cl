#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void k0_column_sums(__global const uchar *m0, long o0, __global uchar *m1, long o1) {
  __global const double *b0 = (__global const double *)(m0 + o0);
  __global double *b1 = (__global double *)(m1 + o1);
  double a0[48];
  uchar r43, r55, r60;
  int r0, r1, r2, r5, r7, r8, r10, r11, r14, r17, r19, r21, r23, r25, r26, r30;
  int r32, r33, r38, r39, r41, r45, r49, r51, r57, r62;
  double r29, r34, r35, r36, r46, r47, r53, r58, r63, r64;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  r5 = (int)((uint)1 * (uint)1000);
  r7 = (int)((uint)r1 * (uint)128);
  r8 = (int)((uint)r7 + (uint)r0);
  r10 = (int)((uint)r2 * (uint)128);
  #pragma clang loop vectorize(disable)
  for (r11 = r8; r11 < r5; r11 += r10) {
    r14 = 0;
    r17 = (int)((uint)64 + (uint)15);
    r19 = (int)(r17 >> ((uint)4 < 32 ? (uint)4 : (uint)31));
    #pragma clang loop vectorize(disable)
    for (r21 = 0; r21 < r19; r21 += 1) {
      r23 = (int)((uint)r21 * (uint)16);
      r25 = (int)((uint)r23 + (uint)16);
      r26 = r25 < 64 ? r25 : 64;
      r29 = as_double(0x0000000000000000ul);
      #pragma clang loop vectorize(disable)
      for (r30 = r23; r30 < r26; r30 += 1) {
        r32 = (int)((uint)r30 * (uint)1000);
        r33 = (int)((uint)r11 + (uint)r32);
        r34 = b0[r33];
        r35 = r29 + r34;
        r29 = r35;
      }
      r36 = r29;
      r38 = (int)((uint)r21 + (uint)1);
      r39 = r38;
      #pragma clang loop vectorize(disable)
      for (;;) {
        r41 = r39 & 1;
        r43 = (uchar)(r41 == 0);
        if (!r43) break;
        r45 = (int)((uint)r14 + (uint)((int)0xffffffffu));
        r14 = r45;
        r46 = a0[r14];
        r47 = r46 + r36;
        r36 = r47;
        r49 = (int)(r39 >> ((uint)1 < 32 ? (uint)1 : (uint)31));
        r39 = r49;
      }
      a0[r14] = r36;
      r51 = (int)((uint)r14 + (uint)1);
      r14 = r51;
    }
    r53 = as_double(0x0000000000000000ul);
    r55 = (uchar)(0 < r14);
    if (r55) {
      r57 = (int)((uint)r14 + (uint)((int)0xffffffffu));
      r14 = r57;
      r58 = a0[r14];
      r53 = r58;
      #pragma clang loop vectorize(disable)
      for (;;) {
        r60 = (uchar)(0 < r14);
        if (!r60) break;
        r62 = (int)((uint)r14 + (uint)((int)0xffffffffu));
        r14 = r62;
        r63 = a0[r14];
        r64 = r63 + r53;
        r53 = r64;
      }
    }
    b1[r11] = r53;
  }
}
