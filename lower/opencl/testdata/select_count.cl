#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void k0_select_count(__global const uchar *m0, long o0, __global const uchar *m1, long o1, __global uchar *m2, long o2) {
  __global const uint *b0 = (__global const uint *)(m0 + o0);
  __global const uint *b1 = (__global const uint *)(m1 + o1);
  __global int *b2 = (__global int *)(m2 + o2);
  __local int a0[2048];
  uchar r62, r64, r66, r68, r71, r72, r84, r85, r97, r98, r110, r111, r169;
  int r0, r1, r2, r4, r6, r7, r9, r13, r15, r17, r19, r21, r23, r25, r27, r29;
  int r31, r33, r35, r37, r38, r40, r41, r44, r46, r47, r50, r52, r53, r56, r58, r59;
  int r77, r79, r80, r90, r92, r93, r103, r105, r106, r116, r118, r119, r123, r124, r125, r127;
  int r129, r130, r131, r133, r135, r136, r137, r139, r141, r142, r143, r145, r147, r148, r149, r151;
  int r153, r154, r155, r157, r159, r160, r161, r163, r165, r166, r167, r171, r172;
  uint r10, r42, r48, r54, r60, r70, r74, r76, r83, r87, r89, r96, r100, r102, r109, r113;
  uint r115;
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
    r13 = (int)((uint)r0 + (uint)256);
    a0[r13] = 0;
    r15 = (int)((uint)r0 + (uint)512);
    a0[r15] = 0;
    r17 = (int)((uint)r0 + (uint)768);
    a0[r17] = 0;
    r19 = (int)((uint)r0 + (uint)1024);
    a0[r19] = 0;
    r21 = (int)((uint)r0 + (uint)1280);
    a0[r21] = 0;
    r23 = (int)((uint)r0 + (uint)1536);
    a0[r23] = 0;
    r25 = (int)((uint)r0 + (uint)1792);
    a0[r25] = 0;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r27 = r0 & 7;
    r29 = (int)((uint)r6 * (uint)2);
    r31 = (int)((uint)r29 + (uint)2);
    r33 = r31 < 977 ? r31 : 977;
    #pragma clang loop vectorize(disable)
    for (r35 = r29; r35 < r33; r35 += 1) {
      r37 = (int)((uint)r35 * (uint)1024);
      r38 = (int)((uint)r37 + (uint)r0);
      r40 = r38 < 999999 ? r38 : 999999;
      r41 = (int)((uint)r9 + (uint)r40);
      r42 = b0[r41];
      r44 = (int)((uint)r38 + (uint)256);
      r46 = r44 < 999999 ? r44 : 999999;
      r47 = (int)((uint)r9 + (uint)r46);
      r48 = b0[r47];
      r50 = (int)((uint)r38 + (uint)512);
      r52 = r50 < 999999 ? r50 : 999999;
      r53 = (int)((uint)r9 + (uint)r52);
      r54 = b0[r53];
      r56 = (int)((uint)r38 + (uint)768);
      r58 = r56 < 999999 ? r56 : 999999;
      r59 = (int)((uint)r9 + (uint)r58);
      r60 = b0[r59];
      r62 = (uchar)(r38 < 1000000);
      r64 = (uchar)(r44 < 1000000);
      r66 = (uchar)(r50 < 1000000);
      r68 = (uchar)(r56 < 1000000);
      r70 = 24u < 32 ? (uint)(r42 >> 24u) : (uint)0;
      r71 = (uchar)(r70 == r10);
      r72 = r62 & r71;
      r74 = 16u < 32 ? (uint)(r42 >> 16u) : (uint)0;
      r76 = r74 & 255u;
      r77 = (int)r76;
      r79 = (int)((uint)r77 * (uint)8);
      r80 = (int)((uint)r79 + (uint)r27);
      if (r72) {
        atomic_add(&a0[r80], 1);
      }
      r83 = 24u < 32 ? (uint)(r48 >> 24u) : (uint)0;
      r84 = (uchar)(r83 == r10);
      r85 = r64 & r84;
      r87 = 16u < 32 ? (uint)(r48 >> 16u) : (uint)0;
      r89 = r87 & 255u;
      r90 = (int)r89;
      r92 = (int)((uint)r90 * (uint)8);
      r93 = (int)((uint)r92 + (uint)r27);
      if (r85) {
        atomic_add(&a0[r93], 1);
      }
      r96 = 24u < 32 ? (uint)(r54 >> 24u) : (uint)0;
      r97 = (uchar)(r96 == r10);
      r98 = r66 & r97;
      r100 = 16u < 32 ? (uint)(r54 >> 16u) : (uint)0;
      r102 = r100 & 255u;
      r103 = (int)r102;
      r105 = (int)((uint)r103 * (uint)8);
      r106 = (int)((uint)r105 + (uint)r27);
      if (r98) {
        atomic_add(&a0[r106], 1);
      }
      r109 = 24u < 32 ? (uint)(r60 >> 24u) : (uint)0;
      r110 = (uchar)(r109 == r10);
      r111 = r68 & r110;
      r113 = 16u < 32 ? (uint)(r60 >> 16u) : (uint)0;
      r115 = r113 & 255u;
      r116 = (int)r115;
      r118 = (int)((uint)r116 * (uint)8);
      r119 = (int)((uint)r118 + (uint)r27);
      if (r111) {
        atomic_add(&a0[r119], 1);
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r123 = (int)((uint)r0 * (uint)8);
    r124 = a0[r123];
    r125 = (int)((uint)0 + (uint)r124);
    r127 = (int)((uint)r0 * (uint)8);
    r129 = (int)((uint)r127 + (uint)1);
    r130 = a0[r129];
    r131 = (int)((uint)r125 + (uint)r130);
    r133 = (int)((uint)r0 * (uint)8);
    r135 = (int)((uint)r133 + (uint)2);
    r136 = a0[r135];
    r137 = (int)((uint)r131 + (uint)r136);
    r139 = (int)((uint)r0 * (uint)8);
    r141 = (int)((uint)r139 + (uint)3);
    r142 = a0[r141];
    r143 = (int)((uint)r137 + (uint)r142);
    r145 = (int)((uint)r0 * (uint)8);
    r147 = (int)((uint)r145 + (uint)4);
    r148 = a0[r147];
    r149 = (int)((uint)r143 + (uint)r148);
    r151 = (int)((uint)r0 * (uint)8);
    r153 = (int)((uint)r151 + (uint)5);
    r154 = a0[r153];
    r155 = (int)((uint)r149 + (uint)r154);
    r157 = (int)((uint)r0 * (uint)8);
    r159 = (int)((uint)r157 + (uint)6);
    r160 = a0[r159];
    r161 = (int)((uint)r155 + (uint)r160);
    r163 = (int)((uint)r0 * (uint)8);
    r165 = (int)((uint)r163 + (uint)7);
    r166 = a0[r165];
    r167 = (int)((uint)r161 + (uint)r166);
    r169 = (uchar)(0 < r167);
    if (r169) {
      r171 = (int)((uint)r7 * (uint)256);
      r172 = (int)((uint)r171 + (uint)r0);
      atomic_add(&b2[r172], r167);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
