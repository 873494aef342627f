#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void k0_k0_update_at_once(__global uchar *m0, long o0, __global const uchar *m1, long o1, __global const uchar *m2, long o2) {
  __global int *b0 = (__global int *)(m0 + o0);
  __global const int *b1 = (__global const int *)(m1 + o1);
  __global const int *b2 = (__global const int *)(m2 + o2);
  uchar r8, r10, r11;
  int r0, r1, r2, r4, r5, r16, r18, r19, r20, r22, r33, r35, r36;
  long r6, r24, r25, r27, r29, r31, r32;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  #pragma clang loop vectorize(disable)
  for (r4 = r1; r4 < 5000; r4 += r2) {
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
        r22 = (int)((uint)0 + (uint)r20);
        r24 = (long)0;
        r25 = (long)((ulong)r24 + (ulong)r6);
        r27 = (long)1000;
        r29 = r25 > ((long)0x0ul) ? r25 : ((long)0x0ul);
        r31 = (long)((ulong)r27 - (ulong)((long)0x1ul));
        r32 = r29 < r31 ? r29 : r31;
        r33 = (int)r32;
        r35 = (int)((uint)r33 * (uint)64);
        r36 = (int)((uint)r35 + (uint)r16);
        atomic_add(&b0[r36], r22);
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
