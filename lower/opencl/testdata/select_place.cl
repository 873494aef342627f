#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void k0_select_place(__global const uchar *m0, long o0, __global const uchar *m1, long o1, __global const uchar *m2, long o2, __global const uchar *m3, long o3, __global uchar *m4, long o4, __global uchar *m5, long o5) {
  __global const uint *b0 = (__global const uint *)(m0 + o0);
  __global const uint *b1 = (__global const uint *)(m1 + o1);
  __global const int *b2 = (__global const int *)(m2 + o2);
  __global const int *b3 = (__global const int *)(m3 + o3);
  __global uint *b4 = (__global uint *)(m4 + o4);
  __global int *b5 = (__global int *)(m5 + o5);
  __local int a0[256];
  __local int a1[256];
  __local int a2[256];
  uchar r47, r49, r51, r52, r53, r92, r94, r96, r98, r100, r101, r102, r103, r110, r111, r112;
  uchar r113, r120, r121, r122, r123, r130, r131, r132, r133, r143, r151, r159, r167, r175, r183, r191;
  uchar r199, r221, r222, r232, r233, r243, r244, r254, r255;
  int r0, r1, r2, r4, r6, r7, r9, r12, r15, r17, r19, r20, r22, r23, r25, r26;
  int r27, r28, r32, r34, r36, r37, r38, r39, r41, r42, r44, r45, r55, r57, r59, r61;
  int r63, r65, r67, r68, r70, r71, r74, r76, r77, r80, r82, r83, r86, r88, r89, r104;
  int r105, r107, r108, r109, r114, r115, r117, r118, r119, r124, r125, r127, r128, r129, r134, r135;
  int r137, r138, r139, r140, r141, r145, r146, r147, r148, r149, r153, r154, r155, r156, r157, r161;
  int r162, r163, r164, r165, r169, r170, r171, r172, r173, r177, r178, r179, r180, r181, r185, r186;
  int r187, r188, r189, r193, r194, r195, r196, r197, r201, r202, r203, r204, r205, r207, r209, r210;
  int r211, r213, r214, r215, r216, r217, r219, r223, r224, r226, r227, r228, r230, r234, r235, r237;
  int r238, r239, r241, r245, r246, r248, r249, r250, r252, r256, r257, r259, r261, r262, r264, r265;
  uint r10, r72, r78, r84, r90;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  #pragma clang loop vectorize(disable)
  for (r4 = r1; r4 < 978; r4 += r2) {
    r6 = 489 == 0 ? r4 : 489 == -1 ? (int)0 : (int)(r4 % 489);
    r7 = 489 == 0 ? (int)-1 : 489 == -1 ? (int)(0 - (uint)r4) : (int)(r4 / 489);
    r9 = (int)((uint)r7 * (uint)1000000);
    r10 = b1[r7];
    r12 = (int)((uint)r7 * (uint)489);
    a0[r0] = 0;
    r15 = 0;
    r17 = 0;
    #pragma clang loop vectorize(disable)
    for (r19 = r0; r19 < r6; r19 += 256) {
      r20 = (int)((uint)r12 + (uint)r19);
      r22 = (int)((uint)r20 * (uint)2);
      r23 = b3[r22];
      r25 = (int)((uint)r22 + (uint)1);
      r26 = b3[r25];
      r27 = (int)((uint)r15 + (uint)r23);
      r15 = r27;
      r28 = (int)((uint)r17 + (uint)r26);
      r17 = r28;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    atomic_add(&a0[0], r15);
    atomic_add(&a0[1], r17);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r32 = a0[0];
    r15 = r32;
    r34 = a0[1];
    r36 = b2[r7];
    r37 = (int)((uint)100 - (uint)r36);
    r38 = (int)((uint)r34 + (uint)r37);
    r17 = r38;
    r39 = (int)((uint)r12 + (uint)r6);
    r41 = (int)((uint)r39 * (uint)2);
    r42 = b3[r41];
    r44 = (int)((uint)r41 + (uint)1);
    r45 = b3[r44];
    r47 = (uchar)(0 < r42);
    r49 = (uchar)(0 < r45);
    r51 = (uchar)(r17 < 100);
    r52 = r49 & r51;
    r53 = r47 | r52;
    r55 = (int)((uint)r7 * (uint)100);
    if (r53) {
      r57 = (int)((uint)r6 * (uint)2);
      r59 = (int)((uint)r57 + (uint)2);
      r61 = r59 < 977 ? r59 : 977;
      #pragma clang loop vectorize(disable)
      for (r63 = r57; r63 < r61; r63 += 1) {
        r65 = (int)((uint)r63 * (uint)1024);
        r67 = (int)((uint)r0 * (uint)4);
        r68 = (int)((uint)r65 + (uint)r67);
        r70 = r68 < 999999 ? r68 : 999999;
        r71 = (int)((uint)r9 + (uint)r70);
        r72 = b0[r71];
        r74 = (int)((uint)r68 + (uint)1);
        r76 = r74 < 999999 ? r74 : 999999;
        r77 = (int)((uint)r9 + (uint)r76);
        r78 = b0[r77];
        r80 = (int)((uint)r68 + (uint)2);
        r82 = r80 < 999999 ? r80 : 999999;
        r83 = (int)((uint)r9 + (uint)r82);
        r84 = b0[r83];
        r86 = (int)((uint)r68 + (uint)3);
        r88 = r86 < 999999 ? r86 : 999999;
        r89 = (int)((uint)r9 + (uint)r88);
        r90 = b0[r89];
        r92 = (uchar)(r68 < 1000000);
        r94 = (uchar)(r74 < 1000000);
        r96 = (uchar)(r80 < 1000000);
        r98 = (uchar)(r86 < 1000000);
        r100 = (uchar)(r72 < r10);
        r101 = r92 & r100;
        r102 = (uchar)(r72 == r10);
        r103 = r92 & r102;
        r104 = (int)r101;
        r105 = (int)r103;
        r107 = (int)((uint)r105 * (uint)65536);
        r108 = (int)((uint)r104 + (uint)r107);
        r109 = (int)((uint)0 + (uint)r108);
        r110 = (uchar)(r78 < r10);
        r111 = r94 & r110;
        r112 = (uchar)(r78 == r10);
        r113 = r94 & r112;
        r114 = (int)r111;
        r115 = (int)r113;
        r117 = (int)((uint)r115 * (uint)65536);
        r118 = (int)((uint)r114 + (uint)r117);
        r119 = (int)((uint)r109 + (uint)r118);
        r120 = (uchar)(r84 < r10);
        r121 = r96 & r120;
        r122 = (uchar)(r84 == r10);
        r123 = r96 & r122;
        r124 = (int)r121;
        r125 = (int)r123;
        r127 = (int)((uint)r125 * (uint)65536);
        r128 = (int)((uint)r124 + (uint)r127);
        r129 = (int)((uint)r119 + (uint)r128);
        r130 = (uchar)(r90 < r10);
        r131 = r98 & r130;
        r132 = (uchar)(r90 == r10);
        r133 = r98 & r132;
        r134 = (int)r131;
        r135 = (int)r133;
        r137 = (int)((uint)r135 * (uint)65536);
        r138 = (int)((uint)r134 + (uint)r137);
        r139 = (int)((uint)r129 + (uint)r138);
        a1[r0] = r139;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        r140 = a1[r0];
        r141 = r140;
        r143 = (uchar)(1 <= r0);
        if (r143) {
          r145 = (int)((uint)r0 + (uint)((int)0xffffffffu));
          r146 = a1[r145];
          r147 = (int)((uint)r141 + (uint)r146);
          r141 = r147;
        }
        a2[r0] = r141;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        r148 = a2[r0];
        r149 = r148;
        r151 = (uchar)(2 <= r0);
        if (r151) {
          r153 = (int)((uint)r0 + (uint)((int)0xfffffffeu));
          r154 = a2[r153];
          r155 = (int)((uint)r149 + (uint)r154);
          r149 = r155;
        }
        a1[r0] = r149;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        r156 = a1[r0];
        r157 = r156;
        r159 = (uchar)(4 <= r0);
        if (r159) {
          r161 = (int)((uint)r0 + (uint)((int)0xfffffffcu));
          r162 = a1[r161];
          r163 = (int)((uint)r157 + (uint)r162);
          r157 = r163;
        }
        a2[r0] = r157;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        r164 = a2[r0];
        r165 = r164;
        r167 = (uchar)(8 <= r0);
        if (r167) {
          r169 = (int)((uint)r0 + (uint)((int)0xfffffff8u));
          r170 = a2[r169];
          r171 = (int)((uint)r165 + (uint)r170);
          r165 = r171;
        }
        a1[r0] = r165;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        r172 = a1[r0];
        r173 = r172;
        r175 = (uchar)(16 <= r0);
        if (r175) {
          r177 = (int)((uint)r0 + (uint)((int)0xfffffff0u));
          r178 = a1[r177];
          r179 = (int)((uint)r173 + (uint)r178);
          r173 = r179;
        }
        a2[r0] = r173;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        r180 = a2[r0];
        r181 = r180;
        r183 = (uchar)(32 <= r0);
        if (r183) {
          r185 = (int)((uint)r0 + (uint)((int)0xffffffe0u));
          r186 = a2[r185];
          r187 = (int)((uint)r181 + (uint)r186);
          r181 = r187;
        }
        a1[r0] = r181;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        r188 = a1[r0];
        r189 = r188;
        r191 = (uchar)(64 <= r0);
        if (r191) {
          r193 = (int)((uint)r0 + (uint)((int)0xffffffc0u));
          r194 = a1[r193];
          r195 = (int)((uint)r189 + (uint)r194);
          r189 = r195;
        }
        a2[r0] = r189;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        r196 = a2[r0];
        r197 = r196;
        r199 = (uchar)(128 <= r0);
        if (r199) {
          r201 = (int)((uint)r0 + (uint)((int)0xffffff80u));
          r202 = a2[r201];
          r203 = (int)((uint)r197 + (uint)r202);
          r197 = r203;
        }
        a1[r0] = r197;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        r204 = a1[r0];
        r205 = (int)((uint)r204 - (uint)r139);
        r207 = a1[255];
        r209 = r205 & 65535;
        r210 = (int)((uint)r15 + (uint)r209);
        r211 = r210;
        r213 = (int)(r205 >> ((uint)16 < 32 ? (uint)16 : (uint)31));
        r214 = (int)((uint)r17 + (uint)r213);
        r215 = r214;
        if (r101) {
          r216 = (int)((uint)r55 + (uint)r211);
          b4[r216] = r72;
          r217 = (int)((uint)r55 + (uint)r211);
          b5[r217] = r68;
          r219 = (int)((uint)r211 + (uint)1);
          r211 = r219;
        }
        r221 = (uchar)(r215 < 100);
        r222 = r103 & r221;
        if (r222) {
          r223 = (int)((uint)r55 + (uint)r215);
          b4[r223] = r72;
          r224 = (int)((uint)r55 + (uint)r215);
          b5[r224] = r68;
          r226 = (int)((uint)r215 + (uint)1);
          r215 = r226;
        }
        if (r111) {
          r227 = (int)((uint)r55 + (uint)r211);
          b4[r227] = r78;
          r228 = (int)((uint)r55 + (uint)r211);
          b5[r228] = r74;
          r230 = (int)((uint)r211 + (uint)1);
          r211 = r230;
        }
        r232 = (uchar)(r215 < 100);
        r233 = r113 & r232;
        if (r233) {
          r234 = (int)((uint)r55 + (uint)r215);
          b4[r234] = r78;
          r235 = (int)((uint)r55 + (uint)r215);
          b5[r235] = r74;
          r237 = (int)((uint)r215 + (uint)1);
          r215 = r237;
        }
        if (r121) {
          r238 = (int)((uint)r55 + (uint)r211);
          b4[r238] = r84;
          r239 = (int)((uint)r55 + (uint)r211);
          b5[r239] = r80;
          r241 = (int)((uint)r211 + (uint)1);
          r211 = r241;
        }
        r243 = (uchar)(r215 < 100);
        r244 = r123 & r243;
        if (r244) {
          r245 = (int)((uint)r55 + (uint)r215);
          b4[r245] = r84;
          r246 = (int)((uint)r55 + (uint)r215);
          b5[r246] = r80;
          r248 = (int)((uint)r215 + (uint)1);
          r215 = r248;
        }
        if (r131) {
          r249 = (int)((uint)r55 + (uint)r211);
          b4[r249] = r90;
          r250 = (int)((uint)r55 + (uint)r211);
          b5[r250] = r86;
          r252 = (int)((uint)r211 + (uint)1);
          r211 = r252;
        }
        r254 = (uchar)(r215 < 100);
        r255 = r133 & r254;
        if (r255) {
          r256 = (int)((uint)r55 + (uint)r215);
          b4[r256] = r90;
          r257 = (int)((uint)r55 + (uint)r215);
          b5[r257] = r86;
          r259 = (int)((uint)r215 + (uint)1);
          r215 = r259;
        }
        r261 = r207 & 65535;
        r262 = (int)((uint)r15 + (uint)r261);
        r15 = r262;
        r264 = (int)(r207 >> ((uint)16 < 32 ? (uint)16 : (uint)31));
        r265 = (int)((uint)r17 + (uint)r264);
        r17 = r265;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
