#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void k0_row_sums(__global const uchar *m0, long o0, __global uchar *m1, long o1) {
  __global const float *b0 = (__global const float *)(m0 + o0);
  __global float *b1 = (__global float *)(m1 + o1);
  __local float a0[256];
  float a1[48];
  uchar r25, r50, r51, r52, r61, r62, r63, r72, r73, r74, r83, r84, r85, r94, r95, r96;
  uchar r105, r106, r107, r119, r122, r123, r125, r126, r135, r138, r139, r141, r142, r149, r161, r171;
  uchar r176, r181, r191;
  int r0, r1, r2, r5, r6, r9, r11, r13, r14, r16, r19, r21, r22, r27, r29, r30;
  int r31, r35, r37, r38, r42, r43, r45, r46, r48, r55, r59, r66, r70, r77, r81, r88;
  int r92, r99, r103, r110, r113, r115, r117, r121, r129, r133, r137, r145, r151, r156, r157, r159;
  int r163, r167, r169, r178, r183;
  float r24, r34, r39, r40, r53, r56, r57, r64, r67, r68, r75, r78, r79, r86, r89, r90;
  float r97, r100, r101, r108, r111, r112, r127, r130, r131, r143, r146, r147, r153, r154, r164, r165;
  float r174, r179, r184, r185, r187, r188, r189;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  r5 = (int)((uint)1 * (uint)64);
  #pragma clang loop vectorize(disable)
  for (r6 = r1; r6 < r5; r6 += r2) {
    r9 = (int)((uint)100000 + (uint)1023);
    r11 = (int)(r9 >> ((uint)10 < 32 ? (uint)10 : (uint)31));
    r13 = r0 & 63;
    r14 = (int)((uint)r0 - (uint)r13);
    r16 = 0;
    #pragma clang loop vectorize(disable)
    for (r19 = 0; r19 < r11; r19 += 4) {
      r21 = (int)(r0 >> ((uint)6 < 32 ? (uint)6 : (uint)31));
      r22 = (int)((uint)r19 + (uint)r21);
      r24 = as_float(0x00000000u);
      r25 = (uchar)(r22 < r11);
      if (r25) {
        r27 = (int)((uint)r22 * (uint)1024);
        r29 = (int)((uint)r27 + (uint)1024);
        r30 = r29 < 100000 ? r29 : 100000;
        r31 = (int)((uint)r27 + (uint)r13);
        r34 = as_float(0x00000000u);
        #pragma clang loop vectorize(disable)
        for (r35 = r31; r35 < r30; r35 += 64) {
          r37 = (int)((uint)r6 * (uint)100000);
          r38 = (int)((uint)r35 + (uint)r37);
          r39 = b0[r38];
          r40 = r34 + r39;
          r34 = r40;
        }
        r24 = r34;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      a0[r0] = r24;
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r42 = (int)((uint)r22 * (uint)1024);
      r43 = (int)((uint)100000 - (uint)r42);
      r45 = 64 < r43 ? 64 : r43;
      r46 = (int)((uint)r14 + (uint)r13);
      r48 = (int)((uint)r13 + (uint)32);
      r50 = (uchar)(r13 < 32);
      r51 = (uchar)(r48 < r45);
      r52 = r50 & r51;
      if (r52) {
        r53 = a0[r46];
        r55 = (int)((uint)r46 + (uint)32);
        r56 = a0[r55];
        r57 = r53 + r56;
        a0[r46] = r57;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r59 = (int)((uint)r13 + (uint)16);
      r61 = (uchar)(r13 < 16);
      r62 = (uchar)(r59 < r45);
      r63 = r61 & r62;
      if (r63) {
        r64 = a0[r46];
        r66 = (int)((uint)r46 + (uint)16);
        r67 = a0[r66];
        r68 = r64 + r67;
        a0[r46] = r68;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r70 = (int)((uint)r13 + (uint)8);
      r72 = (uchar)(r13 < 8);
      r73 = (uchar)(r70 < r45);
      r74 = r72 & r73;
      if (r74) {
        r75 = a0[r46];
        r77 = (int)((uint)r46 + (uint)8);
        r78 = a0[r77];
        r79 = r75 + r78;
        a0[r46] = r79;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r81 = (int)((uint)r13 + (uint)4);
      r83 = (uchar)(r13 < 4);
      r84 = (uchar)(r81 < r45);
      r85 = r83 & r84;
      if (r85) {
        r86 = a0[r46];
        r88 = (int)((uint)r46 + (uint)4);
        r89 = a0[r88];
        r90 = r86 + r89;
        a0[r46] = r90;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r92 = (int)((uint)r13 + (uint)2);
      r94 = (uchar)(r13 < 2);
      r95 = (uchar)(r92 < r45);
      r96 = r94 & r95;
      if (r96) {
        r97 = a0[r46];
        r99 = (int)((uint)r46 + (uint)2);
        r100 = a0[r99];
        r101 = r97 + r100;
        a0[r46] = r101;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r103 = (int)((uint)r13 + (uint)1);
      r105 = (uchar)(r13 < 1);
      r106 = (uchar)(r103 < r45);
      r107 = r105 & r106;
      if (r107) {
        r108 = a0[r46];
        r110 = (int)((uint)r46 + (uint)1);
        r111 = a0[r110];
        r112 = r108 + r111;
        a0[r46] = r112;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r113 = (int)((uint)r11 - (uint)r19);
      r115 = (int)(r0 >> ((uint)6 < 32 ? (uint)6 : (uint)31));
      r117 = r115 & 1;
      r119 = (uchar)(r117 == 0);
      r121 = (int)((uint)r115 + (uint)1);
      r122 = (uchar)(r121 < r113);
      r123 = r119 & r122;
      r125 = (uchar)(r13 == 0);
      r126 = r123 & r125;
      if (r126) {
        r127 = a0[r0];
        r129 = (int)((uint)r0 + (uint)64);
        r130 = a0[r129];
        r131 = r127 + r130;
        a0[r0] = r131;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r133 = r115 & 3;
      r135 = (uchar)(r133 == 0);
      r137 = (int)((uint)r115 + (uint)2);
      r138 = (uchar)(r137 < r113);
      r139 = r135 & r138;
      r141 = (uchar)(r13 == 0);
      r142 = r139 & r141;
      if (r142) {
        r143 = a0[r0];
        r145 = (int)((uint)r0 + (uint)128);
        r146 = a0[r145];
        r147 = r143 + r146;
        a0[r0] = r147;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r149 = (uchar)(r0 == 255);
      if (r149) {
        r151 = (int)(r19 >> ((uint)2 < 32 ? (uint)2 : (uint)31));
        r153 = a0[0];
        r154 = r153;
        r156 = (int)((uint)r151 + (uint)1);
        r157 = r156;
        #pragma clang loop vectorize(disable)
        for (;;) {
          r159 = r157 & 1;
          r161 = (uchar)(r159 == 0);
          if (!r161) break;
          r163 = (int)((uint)r16 + (uint)((int)0xffffffffu));
          r16 = r163;
          r164 = a1[r16];
          r165 = r164 + r154;
          r154 = r165;
          r167 = (int)(r157 >> ((uint)1 < 32 ? (uint)1 : (uint)31));
          r157 = r167;
        }
        a1[r16] = r154;
        r169 = (int)((uint)r16 + (uint)1);
        r16 = r169;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r171 = (uchar)(r0 == 255);
    if (r171) {
      r174 = as_float(0x00000000u);
      r176 = (uchar)(0 < r16);
      if (r176) {
        r178 = (int)((uint)r16 + (uint)((int)0xffffffffu));
        r16 = r178;
        r179 = a1[r16];
        r174 = r179;
        #pragma clang loop vectorize(disable)
        for (;;) {
          r181 = (uchar)(0 < r16);
          if (!r181) break;
          r183 = (int)((uint)r16 + (uint)((int)0xffffffffu));
          r16 = r183;
          r184 = a1[r16];
          r185 = r184 + r174;
          r174 = r185;
        }
      }
      a0[0] = r174;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r187 = a0[0];
    r188 = r187;
    r189 = r188 != r188 ? as_float(0x7fc00000u) : r188;
    r191 = (uchar)(r0 == 255);
    if (r191) {
      b1[r6] = r189;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
