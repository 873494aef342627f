#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void k0_permutation(__global uchar *m0, long o0, __global const uchar *m1, long o1) {
  __global int *b0 = (__global int *)(m0 + o0);
  __global const int *b1 = (__global const int *)(m1 + o1);
  __local int a0[64];
  uchar r11, r21, r31;
  int r0, r1, r2, r4, r6, r9, r15, r17, r18, r19, r23, r24, r26, r28, r29, r30;
  int r34, r35, r36;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  #pragma clang loop vectorize(disable)
  for (r4 = r1; r4 < 1; r4 += r2) {
    r6 = (int)((uint)r4 * (uint)64);
    #pragma clang loop vectorize(disable)
    for (r9 = r0; r9 < 64; r9 += 64) {
      a0[r9] = r9;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r11 = (uchar)(r0 == 63);
    if (r11) {
      #pragma clang loop vectorize(disable)
      for (r15 = 0; r15 < 64; r15 += 1) {
        r17 = (int)((uint)r4 * (uint)64);
        r18 = (int)((uint)r17 + (uint)r15);
        r19 = b1[r18];
        r21 = (uchar)(r19 < 0);
        r23 = (int)((uint)r19 + (uint)64);
        r24 = r21 ? r23 : r19;
        r26 = r24 > 0 ? r24 : 0;
        r28 = r26 < 63 ? r26 : 63;
        r29 = a0[r15];
        r30 = a0[r28];
        a0[r15] = r30;
        r31 = (uchar)(r28 == r24);
        if (r31) {
          a0[r28] = r29;
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    #pragma clang loop vectorize(disable)
    for (r34 = r0; r34 < 64; r34 += 64) {
      r35 = (int)((uint)r6 + (uint)r34);
      r36 = a0[r34];
      b0[r35] = r36;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
