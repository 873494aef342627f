#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void k0_k0_update_keys(__global uchar *m0, long o0, __global const uchar *m1, long o1, __global const uchar *m2, long o2, __global uchar *m3, long o3, __global uchar *m4, long o4, __global const uchar *m5, long o5) {
  __global float *b0 = (__global float *)(m0 + o0);
  __global const float *b1 = (__global const float *)(m1 + o1);
  __global const int *b2 = (__global const int *)(m2 + o2);
  __global uint *b3 = (__global uint *)(m3 + o3);
  __global int *b4 = (__global int *)(m4 + o4);
  __global const uchar *b5 = (__global const uchar *)(m5 + o5);
  uchar r13, r15, r16, r36;
  int r0, r1, r2, r5, r6, r8, r9, r10, r27, r29, r31;
  long r11, r18, r19, r21, r23, r25, r26;
  uint r32, r34;
  r36 = b5[0];
  if (r36) {
    r0 = (int)get_local_id(0);
    r1 = (int)get_group_id(0);
    r2 = (int)get_num_groups(0);
    r5 = (int)((uint)r1 * (uint)128);
    r6 = (int)((uint)r5 + (uint)r0);
    r8 = (int)((uint)r2 * (uint)128);
    #pragma clang loop vectorize(disable)
    for (r9 = r6; r9 < 5000; r9 += r8) {
      r10 = b2[r9];
      r11 = (long)r10;
      r13 = (uchar)(((long)0x0ul) <= r11);
      r15 = (uchar)(r11 < ((long)0x3e8ul));
      r16 = r13 & r15;
      r18 = (long)0;
      r19 = (long)((ulong)r18 + (ulong)r11);
      r21 = (long)1000;
      r23 = r19 > ((long)0x0ul) ? r19 : ((long)0x0ul);
      r25 = (long)((ulong)r21 - (ulong)((long)0x1ul));
      r26 = r23 < r25 ? r23 : r25;
      r27 = (int)r26;
      r29 = (int)((uint)r27 * (uint)64);
      r31 = (int)((uint)r29 + (uint)0);
      r32 = (uint)r31;
      r34 = r16 ? r32 : 4294967295u;
      b3[r9] = r34;
      b4[r9] = r9;
    }
  }
}
