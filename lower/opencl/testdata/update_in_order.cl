#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void k0_k0_update(__global uchar *m0, long o0, __global const uchar *m1, long o1, __global const uchar *m2, long o2) {
  __global float *b0 = (__global float *)(m0 + o0);
  __global const float *b1 = (__global const float *)(m1 + o1);
  __global const int *b2 = (__global const int *)(m2 + o2);
  uchar r8, r10, r11;
  int r0, r4, r5, r16, r18, r19, r31, r33, r34, r48, r50, r51;
  long r6, r22, r23, r25, r27, r29, r30, r39, r40, r42, r44, r46, r47;
  float r20, r35, r36, r37;
  r0 = (int)get_local_id(0);
  #pragma clang loop vectorize(disable)
  for (r4 = 0; r4 < 5000; r4 += 1) {
    r5 = b2[r4];
    r6 = (long)r5;
    r8 = (uchar)(((long)0x0ul) <= r6);
    r10 = (uchar)(r6 < ((long)0x3e8ul));
    r11 = r8 & r10;
    if (r11) {
      #pragma clang loop vectorize(disable)
      for (r16 = r0; r16 < 64; r16 += 64) {
        r18 = (int)((uint)r4 * (uint)64);
        r19 = (int)((uint)r18 + (uint)r16);
        r20 = b1[r19];
        r22 = (long)0;
        r23 = (long)((ulong)r22 + (ulong)r6);
        r25 = (long)1000;
        r27 = r23 > ((long)0x0ul) ? r23 : ((long)0x0ul);
        r29 = (long)((ulong)r25 - (ulong)((long)0x1ul));
        r30 = r27 < r29 ? r27 : r29;
        r31 = (int)r30;
        r33 = (int)((uint)r31 * (uint)64);
        r34 = (int)((uint)r33 + (uint)r16);
        r35 = b0[r34];
        r36 = r35 + r20;
        r37 = r36 != r36 ? as_float(0x7fc00000u) : r36;
        r39 = (long)0;
        r40 = (long)((ulong)r39 + (ulong)r6);
        r42 = (long)1000;
        r44 = r40 > ((long)0x0ul) ? r40 : ((long)0x0ul);
        r46 = (long)((ulong)r42 - (ulong)((long)0x1ul));
        r47 = r44 < r46 ? r44 : r46;
        r48 = (int)r47;
        r50 = (int)((uint)r48 * (uint)64);
        r51 = (int)((uint)r50 + (uint)r16);
        b0[r51] = r37;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
