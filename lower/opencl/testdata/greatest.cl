#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void k0_row_max(__global const uchar *m0, long o0, __global uchar *m1, long o1) {
  __global const int *b0 = (__global const int *)(m0 + o0);
  __global int *b1 = (__global int *)(m1 + o1);
  __local int a0[256];
  uchar r22, r23, r24, r33, r34, r35, r44, r45, r46, r55, r56, r57, r66, r67, r68, r77;
  uchar r78, r79, r88, r89, r90, r99, r100, r101, r111;
  int r0, r1, r2, r5, r6, r10, r11, r13, r14, r15, r16, r18, r20, r25, r27, r28;
  int r29, r31, r36, r38, r39, r40, r42, r47, r49, r50, r51, r53, r58, r60, r61, r62;
  int r64, r69, r71, r72, r73, r75, r80, r82, r83, r84, r86, r91, r93, r94, r95, r97;
  int r102, r104, r105, r106, r108, r109;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  r5 = (int)((uint)1 * (uint)64);
  for (r6 = r1; r6 < r5; r6 += r2) {
    r10 = ((int)0x80000000u);
    for (r11 = r0; r11 < 1000; r11 += 256) {
      r13 = (int)((uint)r6 * (uint)1000);
      r14 = (int)((uint)r11 + (uint)r13);
      r15 = b0[r14];
      r16 = r10 > r15 ? r10 : r15;
      r10 = r16;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    a0[r0] = r10;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r18 = 256 < 1000 ? 256 : 1000;
    r20 = (int)((uint)r0 + (uint)128);
    r22 = (uchar)(r0 < 128);
    r23 = (uchar)(r20 < r18);
    r24 = r22 & r23;
    if (r24) {
      r25 = a0[r0];
      r27 = (int)((uint)r0 + (uint)128);
      r28 = a0[r27];
      r29 = r25 > r28 ? r25 : r28;
      a0[r0] = r29;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r31 = (int)((uint)r0 + (uint)64);
    r33 = (uchar)(r0 < 64);
    r34 = (uchar)(r31 < r18);
    r35 = r33 & r34;
    if (r35) {
      r36 = a0[r0];
      r38 = (int)((uint)r0 + (uint)64);
      r39 = a0[r38];
      r40 = r36 > r39 ? r36 : r39;
      a0[r0] = r40;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r42 = (int)((uint)r0 + (uint)32);
    r44 = (uchar)(r0 < 32);
    r45 = (uchar)(r42 < r18);
    r46 = r44 & r45;
    if (r46) {
      r47 = a0[r0];
      r49 = (int)((uint)r0 + (uint)32);
      r50 = a0[r49];
      r51 = r47 > r50 ? r47 : r50;
      a0[r0] = r51;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r53 = (int)((uint)r0 + (uint)16);
    r55 = (uchar)(r0 < 16);
    r56 = (uchar)(r53 < r18);
    r57 = r55 & r56;
    if (r57) {
      r58 = a0[r0];
      r60 = (int)((uint)r0 + (uint)16);
      r61 = a0[r60];
      r62 = r58 > r61 ? r58 : r61;
      a0[r0] = r62;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r64 = (int)((uint)r0 + (uint)8);
    r66 = (uchar)(r0 < 8);
    r67 = (uchar)(r64 < r18);
    r68 = r66 & r67;
    if (r68) {
      r69 = a0[r0];
      r71 = (int)((uint)r0 + (uint)8);
      r72 = a0[r71];
      r73 = r69 > r72 ? r69 : r72;
      a0[r0] = r73;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r75 = (int)((uint)r0 + (uint)4);
    r77 = (uchar)(r0 < 4);
    r78 = (uchar)(r75 < r18);
    r79 = r77 & r78;
    if (r79) {
      r80 = a0[r0];
      r82 = (int)((uint)r0 + (uint)4);
      r83 = a0[r82];
      r84 = r80 > r83 ? r80 : r83;
      a0[r0] = r84;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r86 = (int)((uint)r0 + (uint)2);
    r88 = (uchar)(r0 < 2);
    r89 = (uchar)(r86 < r18);
    r90 = r88 & r89;
    if (r90) {
      r91 = a0[r0];
      r93 = (int)((uint)r0 + (uint)2);
      r94 = a0[r93];
      r95 = r91 > r94 ? r91 : r94;
      a0[r0] = r95;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r97 = (int)((uint)r0 + (uint)1);
    r99 = (uchar)(r0 < 1);
    r100 = (uchar)(r97 < r18);
    r101 = r99 & r100;
    if (r101) {
      r102 = a0[r0];
      r104 = (int)((uint)r0 + (uint)1);
      r105 = a0[r104];
      r106 = r102 > r105 ? r102 : r105;
      a0[r0] = r106;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r108 = a0[0];
    r109 = r108;
    r111 = (uchar)(r0 == 0);
    if (r111) {
      b1[r6] = r109;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
