#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void k0_select_digit(__global uchar *m0, long o0, __global uchar *m1, long o1, __global uchar *m2, long o2) {
  __global int *b0 = (__global int *)(m0 + o0);
  __global uint *b1 = (__global uint *)(m1 + o1);
  __global int *b2 = (__global int *)(m2 + o2);
  __local int a0[256];
  __local int a1[256];
  __local int a2[256];
  uchar r12, r20, r28, r36, r44, r52, r60, r68, r78, r87, r92, r98;
  int r0, r1, r2, r4, r6, r7, r8, r9, r10, r14, r15, r16, r17, r18, r22, r23;
  int r24, r25, r26, r30, r31, r32, r33, r34, r38, r39, r40, r41, r42, r46, r47, r48;
  int r49, r50, r54, r55, r56, r57, r58, r62, r63, r64, r65, r66, r70, r71, r72, r73;
  int r74, r75, r82, r84, r86, r88, r90, r91, r93, r95, r96, r100, r102, r103, r105, r110;
  uint r81, r107, r108, r109;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  #pragma clang loop vectorize(disable)
  for (r4 = r1; r4 < 2; r4 += r2) {
    r6 = (int)((uint)r4 * (uint)256);
    r7 = (int)((uint)r6 + (uint)r0);
    r8 = b0[r7];
    a0[r0] = r8;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r9 = a0[r0];
    r10 = r9;
    r12 = (uchar)(1 <= r0);
    if (r12) {
      r14 = (int)((uint)r0 + (uint)((int)0xffffffffu));
      r15 = a0[r14];
      r16 = (int)((uint)r10 + (uint)r15);
      r10 = r16;
    }
    a1[r0] = r10;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r17 = a1[r0];
    r18 = r17;
    r20 = (uchar)(2 <= r0);
    if (r20) {
      r22 = (int)((uint)r0 + (uint)((int)0xfffffffeu));
      r23 = a1[r22];
      r24 = (int)((uint)r18 + (uint)r23);
      r18 = r24;
    }
    a0[r0] = r18;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r25 = a0[r0];
    r26 = r25;
    r28 = (uchar)(4 <= r0);
    if (r28) {
      r30 = (int)((uint)r0 + (uint)((int)0xfffffffcu));
      r31 = a0[r30];
      r32 = (int)((uint)r26 + (uint)r31);
      r26 = r32;
    }
    a1[r0] = r26;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r33 = a1[r0];
    r34 = r33;
    r36 = (uchar)(8 <= r0);
    if (r36) {
      r38 = (int)((uint)r0 + (uint)((int)0xfffffff8u));
      r39 = a1[r38];
      r40 = (int)((uint)r34 + (uint)r39);
      r34 = r40;
    }
    a0[r0] = r34;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r41 = a0[r0];
    r42 = r41;
    r44 = (uchar)(16 <= r0);
    if (r44) {
      r46 = (int)((uint)r0 + (uint)((int)0xfffffff0u));
      r47 = a0[r46];
      r48 = (int)((uint)r42 + (uint)r47);
      r42 = r48;
    }
    a1[r0] = r42;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r49 = a1[r0];
    r50 = r49;
    r52 = (uchar)(32 <= r0);
    if (r52) {
      r54 = (int)((uint)r0 + (uint)((int)0xffffffe0u));
      r55 = a1[r54];
      r56 = (int)((uint)r50 + (uint)r55);
      r50 = r56;
    }
    a0[r0] = r50;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r57 = a0[r0];
    r58 = r57;
    r60 = (uchar)(64 <= r0);
    if (r60) {
      r62 = (int)((uint)r0 + (uint)((int)0xffffffc0u));
      r63 = a0[r62];
      r64 = (int)((uint)r58 + (uint)r63);
      r58 = r64;
    }
    a1[r0] = r58;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r65 = a1[r0];
    r66 = r65;
    r68 = (uchar)(128 <= r0);
    if (r68) {
      r70 = (int)((uint)r0 + (uint)((int)0xffffff80u));
      r71 = a1[r70];
      r72 = (int)((uint)r66 + (uint)r71);
      r66 = r72;
    }
    a0[r0] = r66;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r73 = a0[r0];
    r74 = (int)((uint)r73 - (uint)r8);
    r75 = (int)((uint)r74 + (uint)r8);
    a2[r0] = r75;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    b0[r7] = 0;
    r78 = (uchar)(r0 == 255);
    if (r78) {
      r81 = b1[r4];
      r82 = b2[r4];
      r84 = 0;
      r86 = 255;
      #pragma clang loop vectorize(disable)
      for (;;) {
        r87 = (uchar)(r84 < r86);
        if (!r87) break;
        r88 = (int)((uint)r84 + (uint)r86);
        r90 = (int)(r88 >> ((uint)1 < 32 ? (uint)1 : (uint)31));
        r91 = a2[r90];
        r92 = (uchar)(r82 <= r91);
        r93 = r92 ? r90 : r86;
        r86 = r93;
        r95 = (int)((uint)r90 + (uint)1);
        r96 = r92 ? r84 : r95;
        r84 = r96;
      }
      r98 = (uchar)(0 < r84);
      r100 = (int)((uint)r84 + (uint)((int)0xffffffffu));
      r102 = r100 > 0 ? r100 : 0;
      r103 = a2[r102];
      r105 = r98 ? r103 : 0;
      r107 = (uint)8u < 32 ? (uint)((uint)r81 << (uint)8u) : (uint)0;
      r108 = (uint)r84;
      r109 = r107 | r108;
      b1[r4] = r109;
      r110 = (int)((uint)r82 - (uint)r105);
      b2[r4] = r110;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
