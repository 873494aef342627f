#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void k0_select_sides(__global const uchar *m0, long o0, __global const uchar *m1, long o1, __global uchar *m2, long o2) {
  __global const uint *b0 = (__global const uint *)(m0 + o0);
  __global const uint *b1 = (__global const uint *)(m1 + o1);
  __global int *b2 = (__global int *)(m2 + o2);
  __local int a0[256];
  uchar r50, r52, r54, r56, r57, r58, r59, r60, r65, r66, r67, r68, r73, r74, r75, r76;
  uchar r81, r82, r83, r84, r92;
  int r0, r1, r2, r4, r6, r7, r9, r13, r15, r17, r19, r21, r23, r25, r26, r28;
  int r29, r32, r34, r35, r38, r40, r41, r44, r46, r47, r61, r62, r63, r64, r69, r70;
  int r71, r72, r77, r78, r79, r80, r85, r86, r87, r88, r94, r95, r97, r99, r101, r103;
  uint r10, r30, r36, r42, r48;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  #pragma clang loop vectorize(disable)
  for (r4 = r1; r4 < 978; r4 += r2) {
    r6 = 489 == 0 ? r4 : 489 == -1 ? (int)0 : (int)(r4 % 489);
    r7 = 489 == 0 ? (int)-1 : 489 == -1 ? (int)(0 - (uint)r4) : (int)(r4 / 489);
    r9 = (int)((uint)r7 * (uint)1000000);
    r10 = b1[r7];
    a0[r0] = 0;
    r13 = 0;
    r15 = 0;
    r17 = (int)((uint)r6 * (uint)2);
    r19 = (int)((uint)r17 + (uint)2);
    r21 = r19 < 977 ? r19 : 977;
    #pragma clang loop vectorize(disable)
    for (r23 = r17; r23 < r21; r23 += 1) {
      r25 = (int)((uint)r23 * (uint)1024);
      r26 = (int)((uint)r25 + (uint)r0);
      r28 = r26 < 999999 ? r26 : 999999;
      r29 = (int)((uint)r9 + (uint)r28);
      r30 = b0[r29];
      r32 = (int)((uint)r26 + (uint)256);
      r34 = r32 < 999999 ? r32 : 999999;
      r35 = (int)((uint)r9 + (uint)r34);
      r36 = b0[r35];
      r38 = (int)((uint)r26 + (uint)512);
      r40 = r38 < 999999 ? r38 : 999999;
      r41 = (int)((uint)r9 + (uint)r40);
      r42 = b0[r41];
      r44 = (int)((uint)r26 + (uint)768);
      r46 = r44 < 999999 ? r44 : 999999;
      r47 = (int)((uint)r9 + (uint)r46);
      r48 = b0[r47];
      r50 = (uchar)(r26 < 1000000);
      r52 = (uchar)(r32 < 1000000);
      r54 = (uchar)(r38 < 1000000);
      r56 = (uchar)(r44 < 1000000);
      r57 = (uchar)(r30 < r10);
      r58 = r50 & r57;
      r59 = (uchar)(r30 == r10);
      r60 = r50 & r59;
      r61 = (int)r58;
      r62 = (int)((uint)r13 + (uint)r61);
      r13 = r62;
      r63 = (int)r60;
      r64 = (int)((uint)r15 + (uint)r63);
      r15 = r64;
      r65 = (uchar)(r36 < r10);
      r66 = r52 & r65;
      r67 = (uchar)(r36 == r10);
      r68 = r52 & r67;
      r69 = (int)r66;
      r70 = (int)((uint)r13 + (uint)r69);
      r13 = r70;
      r71 = (int)r68;
      r72 = (int)((uint)r15 + (uint)r71);
      r15 = r72;
      r73 = (uchar)(r42 < r10);
      r74 = r54 & r73;
      r75 = (uchar)(r42 == r10);
      r76 = r54 & r75;
      r77 = (int)r74;
      r78 = (int)((uint)r13 + (uint)r77);
      r13 = r78;
      r79 = (int)r76;
      r80 = (int)((uint)r15 + (uint)r79);
      r15 = r80;
      r81 = (uchar)(r48 < r10);
      r82 = r56 & r81;
      r83 = (uchar)(r48 == r10);
      r84 = r56 & r83;
      r85 = (int)r82;
      r86 = (int)((uint)r13 + (uint)r85);
      r13 = r86;
      r87 = (int)r84;
      r88 = (int)((uint)r15 + (uint)r87);
      r15 = r88;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    atomic_add(&a0[0], r13);
    atomic_add(&a0[1], r15);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r92 = (uchar)(r0 == 255);
    if (r92) {
      r94 = (int)((uint)r7 * (uint)489);
      r95 = (int)((uint)r94 + (uint)r6);
      r97 = (int)((uint)r95 * (uint)2);
      r99 = a0[0];
      b2[r97] = r99;
      r101 = (int)((uint)r97 + (uint)1);
      r103 = a0[1];
      b2[r101] = r103;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
