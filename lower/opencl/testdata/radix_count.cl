#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void k0_sort_count(__global const uchar *m0, long o0, __global uchar *m1, long o1) {
  __global const uint *b0 = (__global const uint *)(m0 + o0);
  __global int *b1 = (__global int *)(m1 + o1);
  __local int a0[2048];
  uchar r46;
  int r0, r1, r2, r4, r6, r7, r9, r12, r14, r16, r18, r20, r22, r24, r26, r28;
  int r30, r32, r34, r35, r37, r38, r44, r48, r49, r53, r54, r55, r57, r59, r60, r61;
  int r63, r65, r66, r67, r69, r71, r72, r73, r75, r77, r78, r79, r81, r83, r84, r85;
  int r87, r89, r90, r91, r93, r95, r96, r97, r99, r100, r102, r103;
  uint r39, r41, r43;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  #pragma clang loop vectorize(disable)
  for (r4 = r1; r4 < 79; r4 += r2) {
    r6 = 79 == 0 ? r4 : 79 == -1 ? (int)0 : (int)(r4 % 79);
    r7 = 79 == 0 ? (int)-1 : 79 == -1 ? (int)(0 - (uint)r4) : (int)(r4 / 79);
    r9 = (int)((uint)r7 * (uint)20000);
    a0[r0] = 0;
    r12 = (int)((uint)r0 + (uint)256);
    a0[r12] = 0;
    r14 = (int)((uint)r0 + (uint)512);
    a0[r14] = 0;
    r16 = (int)((uint)r0 + (uint)768);
    a0[r16] = 0;
    r18 = (int)((uint)r0 + (uint)1024);
    a0[r18] = 0;
    r20 = (int)((uint)r0 + (uint)1280);
    a0[r20] = 0;
    r22 = (int)((uint)r0 + (uint)1536);
    a0[r22] = 0;
    r24 = (int)((uint)r0 + (uint)1792);
    a0[r24] = 0;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r26 = r0 & 7;
    r28 = (int)((uint)r6 + (uint)1);
    r30 = r28 < 79 ? r28 : 79;
    #pragma clang loop vectorize(disable)
    for (r32 = r6; r32 < r30; r32 += 1) {
      r34 = (int)((uint)r32 * (uint)256);
      r35 = (int)((uint)r34 + (uint)r0);
      r37 = r35 < 19999 ? r35 : 19999;
      r38 = (int)((uint)r9 + (uint)r37);
      r39 = b0[r38];
      r41 = 8u < 32 ? (uint)(r39 >> 8u) : (uint)0;
      r43 = r41 & 255u;
      r44 = (int)r43;
      r46 = (uchar)(r35 < 20000);
      r48 = (int)((uint)r44 * (uint)8);
      r49 = (int)((uint)r48 + (uint)r26);
      if (r46) {
        atomic_add(&a0[r49], 1);
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r53 = (int)((uint)r0 * (uint)8);
    r54 = a0[r53];
    r55 = (int)((uint)0 + (uint)r54);
    r57 = (int)((uint)r0 * (uint)8);
    r59 = (int)((uint)r57 + (uint)1);
    r60 = a0[r59];
    r61 = (int)((uint)r55 + (uint)r60);
    r63 = (int)((uint)r0 * (uint)8);
    r65 = (int)((uint)r63 + (uint)2);
    r66 = a0[r65];
    r67 = (int)((uint)r61 + (uint)r66);
    r69 = (int)((uint)r0 * (uint)8);
    r71 = (int)((uint)r69 + (uint)3);
    r72 = a0[r71];
    r73 = (int)((uint)r67 + (uint)r72);
    r75 = (int)((uint)r0 * (uint)8);
    r77 = (int)((uint)r75 + (uint)4);
    r78 = a0[r77];
    r79 = (int)((uint)r73 + (uint)r78);
    r81 = (int)((uint)r0 * (uint)8);
    r83 = (int)((uint)r81 + (uint)5);
    r84 = a0[r83];
    r85 = (int)((uint)r79 + (uint)r84);
    r87 = (int)((uint)r0 * (uint)8);
    r89 = (int)((uint)r87 + (uint)6);
    r90 = a0[r89];
    r91 = (int)((uint)r85 + (uint)r90);
    r93 = (int)((uint)r0 * (uint)8);
    r95 = (int)((uint)r93 + (uint)7);
    r96 = a0[r95];
    r97 = (int)((uint)r91 + (uint)r96);
    r99 = (int)((uint)r7 * (uint)256);
    r100 = (int)((uint)r99 + (uint)r0);
    r102 = (int)((uint)r100 * (uint)79);
    r103 = (int)((uint)r102 + (uint)r6);
    b1[r103] = r97;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
