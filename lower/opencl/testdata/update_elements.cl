#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void k0_k0_update_grouped(__global uchar *m0, long o0, __global const uchar *m1, long o1, __global const uchar *m2, long o2, __global const uchar *m3, long o3, __global const uchar *m4, long o4) {
  __global float *b0 = (__global float *)(m0 + o0);
  __global const float *b1 = (__global const float *)(m1 + o1);
  __global const int *b2 = (__global const int *)(m2 + o2);
  __global const uint *b3 = (__global const uint *)(m3 + o3);
  __global const int *b4 = (__global const int *)(m4 + o4);
  __local uint a0[529];
  __local float a1[512];
  uchar r12, r14, r18, r24, r27, r34, r49, r79, r81, r82, r83, r84, r109, r115, r122, r345;
  uchar r370, r373, r374, r375, r376, r377, r378, r380;
  int r0, r1, r2, r4, r6, r7, r9, r10, r20, r29, r32, r35, r39, r40, r42, r43;
  int r44, r46, r47, r50, r54, r55, r57, r58, r59, r61, r62, r65, r66, r70, r72, r74;
  int r76, r85, r86, r87, r88, r100, r102, r105, r107, r111, r112, r114, r116, r118, r120, r124;
  int r125, r126, r129, r132, r135, r138, r141, r144, r147, r150, r153, r156, r159, r162, r165, r168;
  int r171, r190, r192, r194, r197, r200, r203, r206, r209, r212, r215, r218, r221, r224, r227, r230;
  int r233, r236, r239, r337, r339, r340, r341, r343, r351, r363, r365, r372;
  long r89, r91, r92, r94, r96, r98, r99, r354, r355, r357, r359, r361, r362;
  uint r25, r30, r36, r37, r51, r52, r77, r78, r108, r121, r344, r367, r369, r379;
  float r63, r67, r103, r104, r127, r130, r133, r136, r139, r142, r145, r148, r151, r154, r157, r160;
  float r163, r166, r169, r172, r173, r174, r175, r176, r177, r178, r179, r180, r181, r182, r183, r184;
  float r185, r186, r187, r188, r195, r198, r201, r204, r207, r210, r213, r216, r219, r222, r225, r228;
  float r231, r234, r237, r240, r243, r246, r249, r252, r255, r258, r261, r264, r267, r270, r273, r276;
  float r279, r282, r285, r288, r291, r294, r297, r300, r303, r306, r309, r312, r315, r318, r321, r324;
  float r327, r330, r333, r336, r346, r349, r352;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  #pragma clang loop vectorize(disable)
  for (r4 = r1; r4 < 10; r4 += r2) {
    r6 = 1 == 0 ? r4 : 1 == -1 ? (int)0 : (int)(r4 % 1);
    r7 = 1 == 0 ? (int)-1 : 1 == -1 ? (int)(0 - (uint)r4) : (int)(r4 / 1);
    r9 = (int)((uint)r7 * (uint)512);
    r10 = r9;
    r12 = ((uchar)0x0u);
    r14 = ((uchar)0x1u);
    r18 = (uchar)(r0 < 16);
    if (r18) {
      r20 = (int)((uint)r0 + (uint)513);
      a0[r20] = 4294967295u;
    }
    #pragma clang loop vectorize(disable)
    for (;;) {
      if (!r14) break;
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r24 = (uchar)(r0 == 255);
      if (r24) {
        r25 = 4294967295u;
        r27 = (uchar)(0 < r10);
        if (r27) {
          r29 = (int)((uint)r10 + (uint)((int)0xffffffffu));
          r30 = b3[r29];
          r25 = r30;
        }
        a0[0] = r25;
      }
      r32 = (int)((uint)r10 + (uint)r0);
      r34 = (uchar)(r32 < 5000);
      r35 = r32 < 4999 ? r32 : 4999;
      r36 = b3[r35];
      r37 = r34 ? r36 : 4294967295u;
      r39 = (int)((uint)r0 + (uint)1);
      a0[r39] = r37;
      r42 = (int)(r0 >> ((uint)0 < 32 ? (uint)0 : (uint)31));
      r43 = (int)((uint)r10 + (uint)r42);
      r44 = r43 < 4999 ? r43 : 4999;
      r40 = b4[r44];
      r46 = (int)((uint)r0 + (uint)256);
      r47 = (int)((uint)r10 + (uint)r46);
      r49 = (uchar)(r47 < 5000);
      r50 = r47 < 4999 ? r47 : 4999;
      r51 = b3[r50];
      r52 = r49 ? r51 : 4294967295u;
      r54 = (int)((uint)r46 + (uint)1);
      a0[r54] = r52;
      r57 = (int)(r46 >> ((uint)0 < 32 ? (uint)0 : (uint)31));
      r58 = (int)((uint)r10 + (uint)r57);
      r59 = r58 < 4999 ? r58 : 4999;
      r55 = b4[r59];
      r61 = r0 & 0;
      r62 = (int)((uint)r6 + (uint)r61);
      r63 = b1[r40];
      r65 = r46 & 0;
      r66 = (int)((uint)r6 + (uint)r65);
      r67 = b1[r55];
      a1[r0] = r63;
      a1[r46] = r67;
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      #pragma clang loop vectorize(disable)
      for (r70 = r0; r70 < 512; r70 += 256) {
        r72 = (int)(r70 >> ((uint)0 < 32 ? (uint)0 : (uint)31));
        r74 = r70 & 0;
        r76 = (int)((uint)r72 + (uint)1);
        r77 = a0[r76];
        r78 = a0[r72];
        r79 = (uchar)(r77 != r78);
        r81 = (uchar)(r72 == 0);
        r82 = r12 ? r81 : r79;
        r83 = (uchar)(r77 != 4294967295u);
        r84 = r82 & r83;
        if (r84) {
          r85 = (int)((uint)r10 + (uint)r72);
          r86 = (int)((uint)r6 + (uint)r74);
          r87 = b4[r85];
          r88 = b2[r87];
          r89 = (long)r88;
          r91 = (long)0;
          r92 = (long)((ulong)r91 + (ulong)r89);
          r94 = (long)1000;
          r96 = r92 > ((long)0x0ul) ? r92 : ((long)0x0ul);
          r98 = (long)((ulong)r94 - (ulong)((long)0x1ul));
          r99 = r96 < r98 ? r96 : r98;
          r100 = (int)r99;
          r102 = (int)((uint)r100 + (uint)0);
          r103 = b0[r102];
          r104 = r103;
          r105 = r72;
          r107 = (int)((uint)r105 + (uint)16);
          r108 = a0[r107];
          r109 = (uchar)(r108 == r77);
          if (r109) {
            r111 = (int)((uint)r105 + (uint)16);
            r112 = r111;
            r114 = 512;
            #pragma clang loop vectorize(disable)
            for (;;) {
              r115 = (uchar)(r112 < r114);
              if (!r115) break;
              r116 = (int)((uint)r112 + (uint)r114);
              r118 = (int)((uint)r116 + (uint)1);
              r120 = (int)(r118 >> ((uint)1 < 32 ? (uint)1 : (uint)31));
              r121 = a0[r120];
              r122 = (uchar)(r121 == r77);
              r124 = (int)((uint)r120 + (uint)((int)0xffffffffu));
              r125 = r122 ? r114 : r124;
              r114 = r125;
              r126 = r122 ? r120 : r112;
              r112 = r126;
            }
            r127 = a1[r105];
            r129 = (int)((uint)r105 + (uint)1);
            r130 = a1[r129];
            r132 = (int)((uint)r105 + (uint)2);
            r133 = a1[r132];
            r135 = (int)((uint)r105 + (uint)3);
            r136 = a1[r135];
            r138 = (int)((uint)r105 + (uint)4);
            r139 = a1[r138];
            r141 = (int)((uint)r105 + (uint)5);
            r142 = a1[r141];
            r144 = (int)((uint)r105 + (uint)6);
            r145 = a1[r144];
            r147 = (int)((uint)r105 + (uint)7);
            r148 = a1[r147];
            r150 = (int)((uint)r105 + (uint)8);
            r151 = a1[r150];
            r153 = (int)((uint)r105 + (uint)9);
            r154 = a1[r153];
            r156 = (int)((uint)r105 + (uint)10);
            r157 = a1[r156];
            r159 = (int)((uint)r105 + (uint)11);
            r160 = a1[r159];
            r162 = (int)((uint)r105 + (uint)12);
            r163 = a1[r162];
            r165 = (int)((uint)r105 + (uint)13);
            r166 = a1[r165];
            r168 = (int)((uint)r105 + (uint)14);
            r169 = a1[r168];
            r171 = (int)((uint)r105 + (uint)15);
            r172 = a1[r171];
            r173 = r127;
            r174 = r130;
            r175 = r133;
            r176 = r136;
            r177 = r139;
            r178 = r142;
            r179 = r145;
            r180 = r148;
            r181 = r151;
            r182 = r154;
            r183 = r157;
            r184 = r160;
            r185 = r163;
            r186 = r166;
            r187 = r169;
            r188 = r172;
            r190 = (int)((uint)r105 + (uint)16);
            r192 = (int)((uint)r112 + (uint)((int)0xfffffff1u));
            #pragma clang loop vectorize(disable)
            for (r194 = r190; r194 < r192; r194 += 16) {
              r195 = a1[r194];
              r197 = (int)((uint)r194 + (uint)1);
              r198 = a1[r197];
              r200 = (int)((uint)r194 + (uint)2);
              r201 = a1[r200];
              r203 = (int)((uint)r194 + (uint)3);
              r204 = a1[r203];
              r206 = (int)((uint)r194 + (uint)4);
              r207 = a1[r206];
              r209 = (int)((uint)r194 + (uint)5);
              r210 = a1[r209];
              r212 = (int)((uint)r194 + (uint)6);
              r213 = a1[r212];
              r215 = (int)((uint)r194 + (uint)7);
              r216 = a1[r215];
              r218 = (int)((uint)r194 + (uint)8);
              r219 = a1[r218];
              r221 = (int)((uint)r194 + (uint)9);
              r222 = a1[r221];
              r224 = (int)((uint)r194 + (uint)10);
              r225 = a1[r224];
              r227 = (int)((uint)r194 + (uint)11);
              r228 = a1[r227];
              r230 = (int)((uint)r194 + (uint)12);
              r231 = a1[r230];
              r233 = (int)((uint)r194 + (uint)13);
              r234 = a1[r233];
              r236 = (int)((uint)r194 + (uint)14);
              r237 = a1[r236];
              r239 = (int)((uint)r194 + (uint)15);
              r240 = a1[r239];
              r243 = r104 + r173;
              r246 = r243 + r174;
              r249 = r246 + r175;
              r252 = r249 + r176;
              r255 = r252 + r177;
              r258 = r255 + r178;
              r261 = r258 + r179;
              r264 = r261 + r180;
              r267 = r264 + r181;
              r270 = r267 + r182;
              r273 = r270 + r183;
              r276 = r273 + r184;
              r279 = r276 + r185;
              r282 = r279 + r186;
              r285 = r282 + r187;
              r288 = r285 + r188;
              r104 = r288;
              r173 = r195;
              r174 = r198;
              r175 = r201;
              r176 = r204;
              r177 = r207;
              r178 = r210;
              r179 = r213;
              r180 = r216;
              r181 = r219;
              r182 = r222;
              r183 = r225;
              r184 = r228;
              r185 = r231;
              r186 = r234;
              r187 = r237;
              r188 = r240;
            }
            r291 = r104 + r173;
            r294 = r291 + r174;
            r297 = r294 + r175;
            r300 = r297 + r176;
            r303 = r300 + r177;
            r306 = r303 + r178;
            r309 = r306 + r179;
            r312 = r309 + r180;
            r315 = r312 + r181;
            r318 = r315 + r182;
            r321 = r318 + r183;
            r324 = r321 + r184;
            r327 = r324 + r185;
            r330 = r327 + r186;
            r333 = r330 + r187;
            r336 = r333 + r188;
            r104 = r336;
            r337 = (int)((uint)r112 - (uint)r105);
            r339 = r337 & 15;
            r340 = (int)((uint)r337 - (uint)r339);
            r341 = (int)((uint)r105 + (uint)r340);
            r105 = r341;
          }
          #pragma clang loop vectorize(disable)
          for (;;) {
            r343 = (int)((uint)r105 + (uint)1);
            r344 = a0[r343];
            r345 = (uchar)(r344 == r77);
            if (!r345) break;
            r346 = a1[r105];
            r349 = r104 + r346;
            r104 = r349;
            r351 = (int)((uint)r105 + (uint)1);
            r105 = r351;
          }
          r352 = r104 != r104 ? as_float(0x7fc00000u) : r104;
          r354 = (long)0;
          r355 = (long)((ulong)r354 + (ulong)r89);
          r357 = (long)1000;
          r359 = r355 > ((long)0x0ul) ? r355 : ((long)0x0ul);
          r361 = (long)((ulong)r357 - (ulong)((long)0x1ul));
          r362 = r359 < r361 ? r359 : r361;
          r363 = (int)r362;
          r365 = (int)((uint)r363 + (uint)0);
          b0[r365] = r352;
        }
      }
      r367 = a0[512];
      r369 = a0[0];
      r370 = (uchar)(r367 == r369);
      r372 = (int)((uint)r10 + (uint)512);
      r373 = r370 ^ r12;
      r374 = r373 ^ 1;
      r14 = r374;
      r375 = (uchar)(r372 < 5000);
      r376 = (uchar)(r367 != 4294967295u);
      r377 = r375 & r376;
      r378 = r14 & r377;
      r14 = r378;
      if (r14) {
        r379 = b3[r372];
        r380 = (uchar)(r367 == r379);
        r14 = r380;
      }
      r10 = r372;
      r12 = ((uchar)0x1u);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
