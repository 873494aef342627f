#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void k0_axpy(__global const uchar *m0, long o0, __global const uchar *m1, long o1, __global uchar *m2, long o2) {
  __global const float *b0 = (__global const float *)(m0 + o0);
  __global const float *b1 = (__global const float *)(m1 + o1);
  __global float *b2 = (__global float *)(m2 + o2);
  uchar r3, r4, r5, r6, r7;
  int r0, r1, r2, r9, r11, r12, r14, r16, r17, r19, r21, r22, r40, r41, r43, r44;
  int r47, r48, r50, r52, r53, r55, r56, r62, r63;
  float r23, r24, r25, r26, r27, r28, r29, r30, r31, r32, r33, r34, r35, r36, r37, r38;
  float r57, r58, r59, r60;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  r3 = (uchar)((ulong)b0 % 16 == 0);
  r4 = (uchar)((ulong)b1 % 16 == 0);
  r5 = r3 & r4;
  r6 = (uchar)((ulong)b2 % 16 == 0);
  r7 = r5 & r6;
  if (r7) {
    #pragma clang loop vectorize(disable)
    for (r9 = r1; r9 < 125; r9 += r2) {
      r11 = (int)((uint)r9 * (uint)128);
      r12 = (int)((uint)r11 + (uint)r0);
      r14 = 250 == 0 ? (int)-1 : 250 == -1 ? (int)(0 - (uint)r12) : (int)(r12 / 250);
      r16 = (int)((uint)r14 * (uint)250);
      r17 = (int)((uint)r12 - (uint)r16);
      r19 = (int)((uint)r17 * (uint)4);
      r21 = (int)((uint)r14 * (uint)1000);
      r22 = (int)((uint)r19 + (uint)r21);
      {
        float4 v = vload4(0, b0 + r22);
        r23 = v.s0;
        r24 = v.s1;
        r25 = v.s2;
        r26 = v.s3;
      }
      {
        float4 v = vload4(0, b1 + r19);
        r27 = v.s0;
        r28 = v.s1;
        r29 = v.s2;
        r30 = v.s3;
      }
      r31 = fma(r23, r27, r27);
      r32 = r31 != r31 ? as_float(0x7fc00000u) : r31;
      r33 = fma(r24, r28, r28);
      r34 = r33 != r33 ? as_float(0x7fc00000u) : r33;
      r35 = fma(r25, r29, r29);
      r36 = r35 != r35 ? as_float(0x7fc00000u) : r35;
      r37 = fma(r26, r30, r30);
      r38 = r37 != r37 ? as_float(0x7fc00000u) : r37;
      r40 = (int)((uint)r14 * (uint)1000);
      r41 = (int)((uint)r19 + (uint)r40);
      vstore4((float4)(r32, r34, r36, r38), 0, b2 + r41);
    }
  } else {
    r43 = (int)((uint)r1 * (uint)128);
    r44 = (int)((uint)r43 + (uint)r0);
    r47 = (int)((uint)r2 * (uint)128);
    #pragma clang loop vectorize(disable)
    for (r48 = r44; r48 < 64000; r48 += r47) {
      r50 = 1000 == 0 ? (int)-1 : 1000 == -1 ? (int)(0 - (uint)r48) : (int)(r48 / 1000);
      r52 = (int)((uint)r50 * (uint)1000);
      r53 = (int)((uint)r48 - (uint)r52);
      r55 = (int)((uint)r50 * (uint)1000);
      r56 = (int)((uint)r53 + (uint)r55);
      r57 = b0[r56];
      r58 = b1[r53];
      r59 = fma(r57, r58, r58);
      r60 = r59 != r59 ? as_float(0x7fc00000u) : r59;
      r62 = (int)((uint)r50 * (uint)1000);
      r63 = (int)((uint)r53 + (uint)r62);
      b2[r63] = r60;
    }
  }
}
