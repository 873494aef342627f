#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void k0_k0_update_at_once(__global uchar *m0, long o0, __global const uchar *m1, long o1, __global const uchar *m2, long o2) {
  __global int *b0 = (__global int *)(m0 + o0);
  __global const int *b1 = (__global const int *)(m1 + o1);
  __global const int *b2 = (__global const int *)(m2 + o2);
  __local int a0[1000];
  uchar r18, r20, r21, r41;
  int r0, r1, r2, r4, r7, r10, r11, r14, r15, r22, r24, r35, r37, r38, r39;
  long r16, r26, r27, r29, r31, r33, r34;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  #pragma clang loop vectorize(disable)
  for (r4 = r1; r4 < 12; r4 += r2) {
    #pragma clang loop vectorize(disable)
    for (r7 = r0; r7 < 1000; r7 += 256) {
      a0[r7] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r10 = (int)((uint)r4 * (uint)256);
    r11 = (int)((uint)r10 + (uint)r0);
    #pragma clang loop vectorize(disable)
    for (r14 = r11; r14 < 50000; r14 += 3072) {
      r15 = b2[r14];
      r16 = (long)r15;
      r18 = (uchar)(((long)0x0ul) <= r16);
      r20 = (uchar)(r16 < ((long)0x3e8ul));
      r21 = r18 & r20;
      if (r21) {
        r22 = b1[r14];
        r24 = (int)((uint)0 + (uint)r22);
        r26 = (long)0;
        r27 = (long)((ulong)r26 + (ulong)r16);
        r29 = (long)1000;
        r31 = r27 > ((long)0x0ul) ? r27 : ((long)0x0ul);
        r33 = (long)((ulong)r29 - (ulong)((long)0x1ul));
        r34 = r31 < r33 ? r31 : r33;
        r35 = (int)r34;
        r37 = (int)((uint)r35 + (uint)0);
        atomic_add(&a0[r37], r24);
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    #pragma clang loop vectorize(disable)
    for (r38 = r0; r38 < 1000; r38 += 256) {
      r39 = a0[r38];
      r41 = (uchar)(r39 != 0);
      if (r41) {
        atomic_add(&b0[r38], r39);
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
