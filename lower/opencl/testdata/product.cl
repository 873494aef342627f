#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void k0_product(__global const uchar *m0, long o0, __global const uchar *m1, long o1, __global uchar *m2, long o2) {
  __global const float *b0 = (__global const float *)(m0 + o0);
  __global const float *b1 = (__global const float *)(m1 + o1);
  __global float *b2 = (__global float *)(m2 + o2);
  __local float a0[1024];
  __local float a1[1024];
  uchar r61, r63, r64, r88, r90, r91, r110, r112, r113, r132, r134, r135, r154, r156, r157, r174;
  uchar r176, r177, r196, r198, r199, r218, r220, r221, r240, r242, r243, r321, r327, r334, r341, r348;
  uchar r355, r361, r368, r375, r382, r389, r395, r402, r409, r416, r423, r429, r436, r443, r450;
  int r0, r1, r2, r4, r6, r8, r10, r11, r13, r14, r16, r18, r57, r59, r82, r84;
  int r85, r86, r95, r96, r97, r99, r100, r102, r104, r106, r107, r108, r117, r118, r119, r121;
  int r122, r124, r126, r128, r129, r130, r139, r140, r141, r143, r144, r146, r148, r150, r151, r152;
  int r161, r162, r163, r165, r166, r168, r170, r171, r172, r181, r182, r183, r185, r186, r188, r190;
  int r192, r193, r194, r203, r204, r205, r207, r208, r210, r212, r214, r215, r216, r225, r226, r227;
  int r229, r230, r232, r234, r236, r237, r238, r247, r248, r249, r251, r252, r255, r256, r258, r260;
  int r261, r264, r267, r270, r273, r274, r277, r280, r283, r318, r319, r323, r324, r325, r329, r330;
  int r332, r336, r337, r339, r343, r344, r346, r350, r351, r353, r357, r358, r359, r363, r364, r366;
  int r370, r371, r373, r377, r378, r380, r384, r385, r387, r391, r392, r393, r397, r398, r400, r404;
  int r405, r407, r411, r412, r414, r418, r419, r421, r425, r426, r427, r431, r432, r434, r438, r439;
  int r441, r445, r446, r448, r452;
  float r22, r23, r24, r25, r26, r27, r28, r29, r30, r31, r32, r33, r34, r35, r36, r37;
  float r38, r39, r40, r41, r42, r43, r44, r45, r46, r47, r48, r49, r50, r51, r52, r53;
  float r65, r66, r67, r68, r69, r70, r71, r72, r73, r74, r75, r76, r77, r78, r79, r80;
  float r93, r115, r137, r159, r179, r201, r223, r245, r262, r265, r268, r271, r275, r278, r281, r284;
  float r285, r286, r287, r288, r289, r290, r291, r292, r293, r294, r295, r296, r297, r298, r299, r300;
  float r301, r302, r303, r304, r305, r306, r307, r308, r309, r310, r311, r312, r313, r314, r315, r316;
  float r328, r335, r342, r349, r362, r369, r376, r383, r396, r403, r410, r417, r430, r437, r444, r451;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  r4 = r0 & 15;
  r6 = (int)(r0 >> ((uint)4 < 32 ? (uint)4 : (uint)31));
  for (r8 = r1; r8 < 256; r8 += r2) {
    r10 = 16 == 0 ? (int)-1 : 16 == -1 ? (int)(0 - (uint)r8) : (int)(r8 / 16);
    r11 = 16 == 0 ? r8 : 16 == -1 ? (int)0 : (int)(r8 % 16);
    r13 = 16 == 0 ? (int)-1 : 16 == -1 ? (int)(0 - (uint)r10) : (int)(r10 / 16);
    r14 = 16 == 0 ? r10 : 16 == -1 ? (int)0 : (int)(r10 % 16);
    r16 = (int)((uint)r14 * (uint)64);
    r18 = (int)((uint)r11 * (uint)64);
    r22 = as_float(0x00000000u);
    r23 = as_float(0x00000000u);
    r24 = as_float(0x00000000u);
    r25 = as_float(0x00000000u);
    r26 = as_float(0x00000000u);
    r27 = as_float(0x00000000u);
    r28 = as_float(0x00000000u);
    r29 = as_float(0x00000000u);
    r30 = as_float(0x00000000u);
    r31 = as_float(0x00000000u);
    r32 = as_float(0x00000000u);
    r33 = as_float(0x00000000u);
    r34 = as_float(0x00000000u);
    r35 = as_float(0x00000000u);
    r36 = as_float(0x00000000u);
    r37 = as_float(0x00000000u);
    r38 = as_float(0x00000000u);
    r39 = as_float(0x00000000u);
    r40 = as_float(0x00000000u);
    r41 = as_float(0x00000000u);
    r42 = as_float(0x00000000u);
    r43 = as_float(0x00000000u);
    r44 = as_float(0x00000000u);
    r45 = as_float(0x00000000u);
    r46 = as_float(0x00000000u);
    r47 = as_float(0x00000000u);
    r48 = as_float(0x00000000u);
    r49 = as_float(0x00000000u);
    r50 = as_float(0x00000000u);
    r51 = as_float(0x00000000u);
    r52 = as_float(0x00000000u);
    r53 = as_float(0x00000000u);
    for (r57 = 0; r57 < 1024; r57 += 16) {
      r59 = 128 == 0 ? r57 : 128 == -1 ? (int)0 : (int)(r57 % 128);
      r61 = (uchar)(r59 == 0);
      r63 = (uchar)(0 < r57);
      r64 = r61 & r63;
      if (r64) {
        r65 = r23 + r22;
        r23 = r65;
        r22 = as_float(0x00000000u);
        r66 = r25 + r24;
        r25 = r66;
        r24 = as_float(0x00000000u);
        r67 = r27 + r26;
        r27 = r67;
        r26 = as_float(0x00000000u);
        r68 = r29 + r28;
        r29 = r68;
        r28 = as_float(0x00000000u);
        r69 = r31 + r30;
        r31 = r69;
        r30 = as_float(0x00000000u);
        r70 = r33 + r32;
        r33 = r70;
        r32 = as_float(0x00000000u);
        r71 = r35 + r34;
        r35 = r71;
        r34 = as_float(0x00000000u);
        r72 = r37 + r36;
        r37 = r72;
        r36 = as_float(0x00000000u);
        r73 = r39 + r38;
        r39 = r73;
        r38 = as_float(0x00000000u);
        r74 = r41 + r40;
        r41 = r74;
        r40 = as_float(0x00000000u);
        r75 = r43 + r42;
        r43 = r75;
        r42 = as_float(0x00000000u);
        r76 = r45 + r44;
        r45 = r76;
        r44 = as_float(0x00000000u);
        r77 = r47 + r46;
        r47 = r77;
        r46 = as_float(0x00000000u);
        r78 = r49 + r48;
        r49 = r78;
        r48 = as_float(0x00000000u);
        r79 = r51 + r50;
        r51 = r79;
        r50 = as_float(0x00000000u);
        r80 = r53 + r52;
        r53 = r80;
        r52 = as_float(0x00000000u);
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r82 = (int)(r0 >> ((uint)4 < 32 ? (uint)4 : (uint)31));
      r84 = r0 & 15;
      r85 = (int)((uint)r16 + (uint)r82);
      r86 = (int)((uint)r57 + (uint)r84);
      r88 = (uchar)(r85 < 1024);
      r90 = (uchar)(r86 < 1024);
      r91 = r88 & r90;
      r93 = as_float(0x00000000u);
      if (r91) {
        r95 = (int)((uint)r85 * (uint)1024);
        r96 = (int)((uint)r95 + (uint)r86);
        r97 = (int)((uint)0 + (uint)r96);
        r93 = b0[r97];
      }
      r99 = (int)((uint)r84 * (uint)64);
      r100 = (int)((uint)r99 + (uint)r82);
      a0[r100] = r93;
      r102 = (int)((uint)r0 + (uint)256);
      r104 = (int)(r102 >> ((uint)4 < 32 ? (uint)4 : (uint)31));
      r106 = r102 & 15;
      r107 = (int)((uint)r16 + (uint)r104);
      r108 = (int)((uint)r57 + (uint)r106);
      r110 = (uchar)(r107 < 1024);
      r112 = (uchar)(r108 < 1024);
      r113 = r110 & r112;
      r115 = as_float(0x00000000u);
      if (r113) {
        r117 = (int)((uint)r107 * (uint)1024);
        r118 = (int)((uint)r117 + (uint)r108);
        r119 = (int)((uint)0 + (uint)r118);
        r115 = b0[r119];
      }
      r121 = (int)((uint)r106 * (uint)64);
      r122 = (int)((uint)r121 + (uint)r104);
      a0[r122] = r115;
      r124 = (int)((uint)r0 + (uint)512);
      r126 = (int)(r124 >> ((uint)4 < 32 ? (uint)4 : (uint)31));
      r128 = r124 & 15;
      r129 = (int)((uint)r16 + (uint)r126);
      r130 = (int)((uint)r57 + (uint)r128);
      r132 = (uchar)(r129 < 1024);
      r134 = (uchar)(r130 < 1024);
      r135 = r132 & r134;
      r137 = as_float(0x00000000u);
      if (r135) {
        r139 = (int)((uint)r129 * (uint)1024);
        r140 = (int)((uint)r139 + (uint)r130);
        r141 = (int)((uint)0 + (uint)r140);
        r137 = b0[r141];
      }
      r143 = (int)((uint)r128 * (uint)64);
      r144 = (int)((uint)r143 + (uint)r126);
      a0[r144] = r137;
      r146 = (int)((uint)r0 + (uint)768);
      r148 = (int)(r146 >> ((uint)4 < 32 ? (uint)4 : (uint)31));
      r150 = r146 & 15;
      r151 = (int)((uint)r16 + (uint)r148);
      r152 = (int)((uint)r57 + (uint)r150);
      r154 = (uchar)(r151 < 1024);
      r156 = (uchar)(r152 < 1024);
      r157 = r154 & r156;
      r159 = as_float(0x00000000u);
      if (r157) {
        r161 = (int)((uint)r151 * (uint)1024);
        r162 = (int)((uint)r161 + (uint)r152);
        r163 = (int)((uint)0 + (uint)r162);
        r159 = b0[r163];
      }
      r165 = (int)((uint)r150 * (uint)64);
      r166 = (int)((uint)r165 + (uint)r148);
      a0[r166] = r159;
      r168 = r0 & 63;
      r170 = (int)(r0 >> ((uint)6 < 32 ? (uint)6 : (uint)31));
      r171 = (int)((uint)r18 + (uint)r168);
      r172 = (int)((uint)r57 + (uint)r170);
      r174 = (uchar)(r171 < 1024);
      r176 = (uchar)(r172 < 1024);
      r177 = r174 & r176;
      r179 = as_float(0x00000000u);
      if (r177) {
        r181 = (int)((uint)r172 * (uint)1024);
        r182 = (int)((uint)r171 + (uint)r181);
        r183 = (int)((uint)0 + (uint)r182);
        r179 = b1[r183];
      }
      r185 = (int)((uint)r170 * (uint)64);
      r186 = (int)((uint)r185 + (uint)r168);
      a1[r186] = r179;
      r188 = (int)((uint)r0 + (uint)256);
      r190 = r188 & 63;
      r192 = (int)(r188 >> ((uint)6 < 32 ? (uint)6 : (uint)31));
      r193 = (int)((uint)r18 + (uint)r190);
      r194 = (int)((uint)r57 + (uint)r192);
      r196 = (uchar)(r193 < 1024);
      r198 = (uchar)(r194 < 1024);
      r199 = r196 & r198;
      r201 = as_float(0x00000000u);
      if (r199) {
        r203 = (int)((uint)r194 * (uint)1024);
        r204 = (int)((uint)r193 + (uint)r203);
        r205 = (int)((uint)0 + (uint)r204);
        r201 = b1[r205];
      }
      r207 = (int)((uint)r192 * (uint)64);
      r208 = (int)((uint)r207 + (uint)r190);
      a1[r208] = r201;
      r210 = (int)((uint)r0 + (uint)512);
      r212 = r210 & 63;
      r214 = (int)(r210 >> ((uint)6 < 32 ? (uint)6 : (uint)31));
      r215 = (int)((uint)r18 + (uint)r212);
      r216 = (int)((uint)r57 + (uint)r214);
      r218 = (uchar)(r215 < 1024);
      r220 = (uchar)(r216 < 1024);
      r221 = r218 & r220;
      r223 = as_float(0x00000000u);
      if (r221) {
        r225 = (int)((uint)r216 * (uint)1024);
        r226 = (int)((uint)r215 + (uint)r225);
        r227 = (int)((uint)0 + (uint)r226);
        r223 = b1[r227];
      }
      r229 = (int)((uint)r214 * (uint)64);
      r230 = (int)((uint)r229 + (uint)r212);
      a1[r230] = r223;
      r232 = (int)((uint)r0 + (uint)768);
      r234 = r232 & 63;
      r236 = (int)(r232 >> ((uint)6 < 32 ? (uint)6 : (uint)31));
      r237 = (int)((uint)r18 + (uint)r234);
      r238 = (int)((uint)r57 + (uint)r236);
      r240 = (uchar)(r237 < 1024);
      r242 = (uchar)(r238 < 1024);
      r243 = r240 & r242;
      r245 = as_float(0x00000000u);
      if (r243) {
        r247 = (int)((uint)r238 * (uint)1024);
        r248 = (int)((uint)r237 + (uint)r247);
        r249 = (int)((uint)0 + (uint)r248);
        r245 = b1[r249];
      }
      r251 = (int)((uint)r236 * (uint)64);
      r252 = (int)((uint)r251 + (uint)r234);
      a1[r252] = r245;
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r255 = (int)((uint)1024 - (uint)r57);
      r256 = 16 < r255 ? 16 : r255;
      for (r258 = 0; r258 < r256; r258 += 1) {
        r260 = (int)((uint)r258 * (uint)64);
        r261 = (int)((uint)r260 + (uint)r6);
        r262 = a0[r261];
        r264 = (int)((uint)r261 + (uint)16);
        r265 = a0[r264];
        r267 = (int)((uint)r261 + (uint)32);
        r268 = a0[r267];
        r270 = (int)((uint)r261 + (uint)48);
        r271 = a0[r270];
        r273 = (int)((uint)r258 * (uint)64);
        r274 = (int)((uint)r273 + (uint)r4);
        r275 = a1[r274];
        r277 = (int)((uint)r274 + (uint)16);
        r278 = a1[r277];
        r280 = (int)((uint)r274 + (uint)32);
        r281 = a1[r280];
        r283 = (int)((uint)r274 + (uint)48);
        r284 = a1[r283];
        r285 = fma(r262, r275, r22);
        r22 = r285;
        r286 = fma(r262, r278, r24);
        r24 = r286;
        r287 = fma(r262, r281, r26);
        r26 = r287;
        r288 = fma(r262, r284, r28);
        r28 = r288;
        r289 = fma(r265, r275, r30);
        r30 = r289;
        r290 = fma(r265, r278, r32);
        r32 = r290;
        r291 = fma(r265, r281, r34);
        r34 = r291;
        r292 = fma(r265, r284, r36);
        r36 = r292;
        r293 = fma(r268, r275, r38);
        r38 = r293;
        r294 = fma(r268, r278, r40);
        r40 = r294;
        r295 = fma(r268, r281, r42);
        r42 = r295;
        r296 = fma(r268, r284, r44);
        r44 = r296;
        r297 = fma(r271, r275, r46);
        r46 = r297;
        r298 = fma(r271, r278, r48);
        r48 = r298;
        r299 = fma(r271, r281, r50);
        r50 = r299;
        r300 = fma(r271, r284, r52);
        r52 = r300;
      }
    }
    r301 = r23 + r22;
    r23 = r301;
    r22 = as_float(0x00000000u);
    r302 = r25 + r24;
    r25 = r302;
    r24 = as_float(0x00000000u);
    r303 = r27 + r26;
    r27 = r303;
    r26 = as_float(0x00000000u);
    r304 = r29 + r28;
    r29 = r304;
    r28 = as_float(0x00000000u);
    r305 = r31 + r30;
    r31 = r305;
    r30 = as_float(0x00000000u);
    r306 = r33 + r32;
    r33 = r306;
    r32 = as_float(0x00000000u);
    r307 = r35 + r34;
    r35 = r307;
    r34 = as_float(0x00000000u);
    r308 = r37 + r36;
    r37 = r308;
    r36 = as_float(0x00000000u);
    r309 = r39 + r38;
    r39 = r309;
    r38 = as_float(0x00000000u);
    r310 = r41 + r40;
    r41 = r310;
    r40 = as_float(0x00000000u);
    r311 = r43 + r42;
    r43 = r311;
    r42 = as_float(0x00000000u);
    r312 = r45 + r44;
    r45 = r312;
    r44 = as_float(0x00000000u);
    r313 = r47 + r46;
    r47 = r313;
    r46 = as_float(0x00000000u);
    r314 = r49 + r48;
    r49 = r314;
    r48 = as_float(0x00000000u);
    r315 = r51 + r50;
    r51 = r315;
    r50 = as_float(0x00000000u);
    r316 = r53 + r52;
    r53 = r316;
    r52 = as_float(0x00000000u);
    r318 = (int)((uint)r13 * (uint)1048576);
    r319 = (int)((uint)r16 + (uint)r6);
    r321 = (uchar)(r319 < 1024);
    if (r321) {
      r323 = (int)((uint)r319 * (uint)1024);
      r324 = (int)((uint)r318 + (uint)r323);
      r325 = (int)((uint)r18 + (uint)r4);
      r327 = (uchar)(r325 < 1024);
      if (r327) {
        r328 = r23 != r23 ? as_float(0x7fc00000u) : r23;
        r329 = (int)((uint)r324 + (uint)r325);
        b2[r329] = r328;
      }
      r330 = (int)((uint)r18 + (uint)r4);
      r332 = (int)((uint)r330 + (uint)16);
      r334 = (uchar)(r332 < 1024);
      if (r334) {
        r335 = r25 != r25 ? as_float(0x7fc00000u) : r25;
        r336 = (int)((uint)r324 + (uint)r332);
        b2[r336] = r335;
      }
      r337 = (int)((uint)r18 + (uint)r4);
      r339 = (int)((uint)r337 + (uint)32);
      r341 = (uchar)(r339 < 1024);
      if (r341) {
        r342 = r27 != r27 ? as_float(0x7fc00000u) : r27;
        r343 = (int)((uint)r324 + (uint)r339);
        b2[r343] = r342;
      }
      r344 = (int)((uint)r18 + (uint)r4);
      r346 = (int)((uint)r344 + (uint)48);
      r348 = (uchar)(r346 < 1024);
      if (r348) {
        r349 = r29 != r29 ? as_float(0x7fc00000u) : r29;
        r350 = (int)((uint)r324 + (uint)r346);
        b2[r350] = r349;
      }
    }
    r351 = (int)((uint)r16 + (uint)r6);
    r353 = (int)((uint)r351 + (uint)16);
    r355 = (uchar)(r353 < 1024);
    if (r355) {
      r357 = (int)((uint)r353 * (uint)1024);
      r358 = (int)((uint)r318 + (uint)r357);
      r359 = (int)((uint)r18 + (uint)r4);
      r361 = (uchar)(r359 < 1024);
      if (r361) {
        r362 = r31 != r31 ? as_float(0x7fc00000u) : r31;
        r363 = (int)((uint)r358 + (uint)r359);
        b2[r363] = r362;
      }
      r364 = (int)((uint)r18 + (uint)r4);
      r366 = (int)((uint)r364 + (uint)16);
      r368 = (uchar)(r366 < 1024);
      if (r368) {
        r369 = r33 != r33 ? as_float(0x7fc00000u) : r33;
        r370 = (int)((uint)r358 + (uint)r366);
        b2[r370] = r369;
      }
      r371 = (int)((uint)r18 + (uint)r4);
      r373 = (int)((uint)r371 + (uint)32);
      r375 = (uchar)(r373 < 1024);
      if (r375) {
        r376 = r35 != r35 ? as_float(0x7fc00000u) : r35;
        r377 = (int)((uint)r358 + (uint)r373);
        b2[r377] = r376;
      }
      r378 = (int)((uint)r18 + (uint)r4);
      r380 = (int)((uint)r378 + (uint)48);
      r382 = (uchar)(r380 < 1024);
      if (r382) {
        r383 = r37 != r37 ? as_float(0x7fc00000u) : r37;
        r384 = (int)((uint)r358 + (uint)r380);
        b2[r384] = r383;
      }
    }
    r385 = (int)((uint)r16 + (uint)r6);
    r387 = (int)((uint)r385 + (uint)32);
    r389 = (uchar)(r387 < 1024);
    if (r389) {
      r391 = (int)((uint)r387 * (uint)1024);
      r392 = (int)((uint)r318 + (uint)r391);
      r393 = (int)((uint)r18 + (uint)r4);
      r395 = (uchar)(r393 < 1024);
      if (r395) {
        r396 = r39 != r39 ? as_float(0x7fc00000u) : r39;
        r397 = (int)((uint)r392 + (uint)r393);
        b2[r397] = r396;
      }
      r398 = (int)((uint)r18 + (uint)r4);
      r400 = (int)((uint)r398 + (uint)16);
      r402 = (uchar)(r400 < 1024);
      if (r402) {
        r403 = r41 != r41 ? as_float(0x7fc00000u) : r41;
        r404 = (int)((uint)r392 + (uint)r400);
        b2[r404] = r403;
      }
      r405 = (int)((uint)r18 + (uint)r4);
      r407 = (int)((uint)r405 + (uint)32);
      r409 = (uchar)(r407 < 1024);
      if (r409) {
        r410 = r43 != r43 ? as_float(0x7fc00000u) : r43;
        r411 = (int)((uint)r392 + (uint)r407);
        b2[r411] = r410;
      }
      r412 = (int)((uint)r18 + (uint)r4);
      r414 = (int)((uint)r412 + (uint)48);
      r416 = (uchar)(r414 < 1024);
      if (r416) {
        r417 = r45 != r45 ? as_float(0x7fc00000u) : r45;
        r418 = (int)((uint)r392 + (uint)r414);
        b2[r418] = r417;
      }
    }
    r419 = (int)((uint)r16 + (uint)r6);
    r421 = (int)((uint)r419 + (uint)48);
    r423 = (uchar)(r421 < 1024);
    if (r423) {
      r425 = (int)((uint)r421 * (uint)1024);
      r426 = (int)((uint)r318 + (uint)r425);
      r427 = (int)((uint)r18 + (uint)r4);
      r429 = (uchar)(r427 < 1024);
      if (r429) {
        r430 = r47 != r47 ? as_float(0x7fc00000u) : r47;
        r431 = (int)((uint)r426 + (uint)r427);
        b2[r431] = r430;
      }
      r432 = (int)((uint)r18 + (uint)r4);
      r434 = (int)((uint)r432 + (uint)16);
      r436 = (uchar)(r434 < 1024);
      if (r436) {
        r437 = r49 != r49 ? as_float(0x7fc00000u) : r49;
        r438 = (int)((uint)r426 + (uint)r434);
        b2[r438] = r437;
      }
      r439 = (int)((uint)r18 + (uint)r4);
      r441 = (int)((uint)r439 + (uint)32);
      r443 = (uchar)(r441 < 1024);
      if (r443) {
        r444 = r51 != r51 ? as_float(0x7fc00000u) : r51;
        r445 = (int)((uint)r426 + (uint)r441);
        b2[r445] = r444;
      }
      r446 = (int)((uint)r18 + (uint)r4);
      r448 = (int)((uint)r446 + (uint)48);
      r450 = (uchar)(r448 < 1024);
      if (r450) {
        r451 = r53 != r53 ? as_float(0x7fc00000u) : r53;
        r452 = (int)((uint)r426 + (uint)r448);
        b2[r452] = r451;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
