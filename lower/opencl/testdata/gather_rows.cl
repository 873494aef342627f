#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void k0_gather_rows(__global const uchar *m0, long o0, __global const uchar *m1, long o1, __global uchar *m2, long o2) {
  __global const int *b0 = (__global const int *)(m0 + o0);
  __global const float *b1 = (__global const float *)(m1 + o1);
  __global float *b2 = (__global float *)(m2 + o2);
  uchar r3, r4, r5, r19, r28, r30, r31, r114, r123, r125, r126;
  int r0, r1, r2, r7, r9, r10, r12, r14, r16, r17, r21, r22, r24, r25, r34, r36;
  int r38, r50, r52, r53, r59, r61, r63, r66, r68, r70, r72, r75, r77, r79, r81, r84;
  int r86, r88, r90, r93, r95, r97, r99, r100, r102, r103, r106, r107, r109, r111, r112, r116;
  int r117, r119, r120, r129, r131, r143, r145, r146, r149, r151, r154, r156, r158, r159;
  long r26, r40, r41, r42, r44, r46, r48, r49, r121, r133, r134, r135, r137, r139, r141, r142;
  float r54, r55, r56, r57, r64, r73, r82, r91, r147, r152;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  r3 = (uchar)((ulong)b1 % 16 == 0);
  r4 = (uchar)((ulong)b2 % 16 == 0);
  r5 = r3 & r4;
  if (r5) {
    #pragma clang loop vectorize(disable)
    for (r7 = r1; r7 < 300; r7 += r2) {
      r9 = (int)((uint)r7 * (uint)256);
      r10 = (int)((uint)r9 + (uint)r0);
      r12 = (int)(r10 >> ((uint)8 < 32 ? (uint)8 : (uint)31));
      r14 = r10 & 255;
      r16 = (int)((uint)r14 * (uint)4);
      r17 = b0[r12];
      r19 = (uchar)(r17 < 0);
      r21 = (int)((uint)r17 + (uint)1000);
      r22 = r19 ? r21 : r17;
      r24 = r22 > 0 ? r22 : 0;
      r25 = r24 < 999 ? r24 : 999;
      r26 = (long)r22;
      r28 = (uchar)(((long)0x0ul) <= r26);
      r30 = (uchar)(r26 < ((long)0x3e8ul));
      r31 = r28 & r30;
      r34 = (int)(r10 >> ((uint)8 < 32 ? (uint)8 : (uint)31));
      r36 = r10 & 255;
      r38 = (int)((uint)r36 * (uint)4);
      r40 = (long)0;
      r41 = (long)r25;
      r42 = (long)((ulong)r40 + (ulong)r41);
      r44 = (long)1000;
      r46 = r42 > ((long)0x0ul) ? r42 : ((long)0x0ul);
      r48 = (long)((ulong)r44 - (ulong)((long)0x1ul));
      r49 = r46 < r48 ? r46 : r48;
      r50 = (int)r49;
      r52 = (int)((uint)r50 * (uint)1024);
      r53 = (int)((uint)r52 + (uint)r38);
      {
        float4 v = vload4(0, b1 + r53);
        r54 = v.s0;
        r55 = v.s1;
        r56 = v.s2;
        r57 = v.s3;
      }
      r59 = (int)(r10 >> ((uint)8 < 32 ? (uint)8 : (uint)31));
      r61 = r10 & 255;
      r63 = (int)((uint)r61 * (uint)4);
      r64 = r31 ? r54 : as_float(0x7fc00000u);
      r66 = (int)(r10 >> ((uint)8 < 32 ? (uint)8 : (uint)31));
      r68 = r10 & 255;
      r70 = (int)((uint)r68 * (uint)4);
      r72 = (int)((uint)r70 + (uint)1);
      r73 = r31 ? r55 : as_float(0x7fc00000u);
      r75 = (int)(r10 >> ((uint)8 < 32 ? (uint)8 : (uint)31));
      r77 = r10 & 255;
      r79 = (int)((uint)r77 * (uint)4);
      r81 = (int)((uint)r79 + (uint)2);
      r82 = r31 ? r56 : as_float(0x7fc00000u);
      r84 = (int)(r10 >> ((uint)8 < 32 ? (uint)8 : (uint)31));
      r86 = r10 & 255;
      r88 = (int)((uint)r86 * (uint)4);
      r90 = (int)((uint)r88 + (uint)3);
      r91 = r31 ? r57 : as_float(0x7fc00000u);
      r93 = (int)(r10 >> ((uint)8 < 32 ? (uint)8 : (uint)31));
      r95 = r10 & 255;
      r97 = (int)((uint)r95 * (uint)4);
      r99 = (int)((uint)r93 * (uint)1024);
      r100 = (int)((uint)r97 + (uint)r99);
      vstore4((float4)(r64, r73, r82, r91), 0, b2 + r100);
    }
  } else {
    r102 = (int)((uint)r1 * (uint)256);
    r103 = (int)((uint)r102 + (uint)r0);
    r106 = (int)((uint)r2 * (uint)256);
    #pragma clang loop vectorize(disable)
    for (r107 = r103; r107 < 307200; r107 += r106) {
      r109 = (int)(r107 >> ((uint)10 < 32 ? (uint)10 : (uint)31));
      r111 = r107 & 1023;
      r112 = b0[r109];
      r114 = (uchar)(r112 < 0);
      r116 = (int)((uint)r112 + (uint)1000);
      r117 = r114 ? r116 : r112;
      r119 = r117 > 0 ? r117 : 0;
      r120 = r119 < 999 ? r119 : 999;
      r121 = (long)r117;
      r123 = (uchar)(((long)0x0ul) <= r121);
      r125 = (uchar)(r121 < ((long)0x3e8ul));
      r126 = r123 & r125;
      r129 = (int)(r107 >> ((uint)10 < 32 ? (uint)10 : (uint)31));
      r131 = r107 & 1023;
      r133 = (long)0;
      r134 = (long)r120;
      r135 = (long)((ulong)r133 + (ulong)r134);
      r137 = (long)1000;
      r139 = r135 > ((long)0x0ul) ? r135 : ((long)0x0ul);
      r141 = (long)((ulong)r137 - (ulong)((long)0x1ul));
      r142 = r139 < r141 ? r139 : r141;
      r143 = (int)r142;
      r145 = (int)((uint)r143 * (uint)1024);
      r146 = (int)((uint)r145 + (uint)r131);
      r147 = b1[r146];
      r149 = (int)(r107 >> ((uint)10 < 32 ? (uint)10 : (uint)31));
      r151 = r107 & 1023;
      r152 = r126 ? r147 : as_float(0x7fc00000u);
      r154 = (int)(r107 >> ((uint)10 < 32 ? (uint)10 : (uint)31));
      r156 = r107 & 1023;
      r158 = (int)((uint)r154 * (uint)1024);
      r159 = (int)((uint)r156 + (uint)r158);
      b2[r159] = r152;
    }
  }
}
