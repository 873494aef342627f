#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void k0_transpose(__global const uchar *m0, long o0, __global uchar *m1, long o1) {
  __global const uint *b0 = (__global const uint *)(m0 + o0);
  __global uint *b1 = (__global uint *)(m1 + o1);
  __local uint a0[4160];
  uchar r40, r43, r48, r49, r56, r57, r66, r67, r76, r77, r86, r87, r96, r97, r106, r107;
  uchar r116, r117, r126, r127, r136, r137, r146, r147, r156, r157, r166, r167, r176, r177, r186, r187;
  uchar r196, r197, r233, r234, r242, r243, r253, r254, r264, r265, r275, r276, r286, r287, r297, r298;
  uchar r308, r309, r319, r320, r330, r331, r341, r342, r352, r353, r363, r364, r374, r375, r385, r386;
  uchar r396, r397;
  int r0, r1, r2, r4, r6, r8, r12, r14, r15, r17, r19, r20, r22, r23, r24, r25;
  int r26, r28, r29, r30, r31, r33, r34, r36, r37, r38, r41, r46, r52, r54, r59, r62;
  int r64, r69, r72, r74, r79, r82, r84, r89, r92, r94, r99, r102, r104, r109, r112, r114;
  int r119, r122, r124, r129, r132, r134, r139, r142, r144, r149, r152, r154, r159, r162, r164, r169;
  int r172, r174, r179, r182, r184, r189, r192, r194, r199, r201, r203, r205, r207, r209, r211, r213;
  int r215, r217, r219, r221, r223, r225, r227, r229, r231, r236, r238, r240, r245, r247, r249, r251;
  int r256, r258, r260, r262, r267, r269, r271, r273, r278, r280, r282, r284, r289, r291, r293, r295;
  int r300, r302, r304, r306, r311, r313, r315, r317, r322, r324, r326, r328, r333, r335, r337, r339;
  int r344, r346, r348, r350, r355, r357, r359, r361, r366, r368, r370, r372, r377, r379, r381, r383;
  int r388, r390, r392, r394, r399;
  uint r44, r50, r60, r70, r80, r90, r100, r110, r120, r130, r140, r150, r160, r170, r180, r190;
  uint r230, r237, r248, r259, r270, r281, r292, r303, r314, r325, r336, r347, r358, r369, r380, r391;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  r4 = (int)(r0 >> ((uint)6 < 32 ? (uint)6 : (uint)31));
  r6 = r0 & 63;
  #pragma clang loop vectorize(disable)
  for (r8 = r1; r8 < 192; r8 += r2) {
    r12 = 12 == 0 ? (int)-1 : 12 == -1 ? (int)(0 - (uint)r8) : (int)(r8 / 12);
    r14 = (int)((uint)r12 * (uint)12);
    r15 = (int)((uint)r8 - (uint)r14);
    r17 = (int)((uint)r12 * (uint)64);
    r19 = (int)((uint)r15 * (uint)64);
    r20 = (int)((uint)r17 + (uint)r4);
    r22 = (int)((uint)r20 * (uint)768);
    r23 = (int)((uint)r19 + (uint)r6);
    r24 = (int)((uint)r22 + (uint)r23);
    r25 = (int)((uint)0 + (uint)r24);
    r26 = (int)((uint)r19 + (uint)r4);
    r28 = (int)((uint)r26 * (uint)1000);
    r29 = (int)((uint)r17 + (uint)r6);
    r30 = (int)((uint)r28 + (uint)r29);
    r31 = (int)((uint)0 + (uint)r30);
    r33 = (int)((uint)r4 * (uint)65);
    r34 = (int)((uint)r33 + (uint)r6);
    r36 = (int)((uint)r6 * (uint)65);
    r37 = (int)((uint)r36 + (uint)r4);
    r38 = (int)((uint)r19 + (uint)r6);
    r40 = (uchar)(r38 < 768);
    r41 = (int)((uint)r17 + (uint)r6);
    r43 = (uchar)(r41 < 1000);
    r44 = 0u;
    r46 = (int)((uint)r17 + (uint)r4);
    r48 = (uchar)(r46 < 1000);
    r49 = r40 & r48;
    if (r49) {
      r44 = b0[r25];
    }
    r50 = 0u;
    r52 = (int)((uint)r17 + (uint)r4);
    r54 = (int)((uint)r52 + (uint)4);
    r56 = (uchar)(r54 < 1000);
    r57 = r40 & r56;
    if (r57) {
      r59 = (int)((uint)r25 + (uint)3072);
      r50 = b0[r59];
    }
    r60 = 0u;
    r62 = (int)((uint)r17 + (uint)r4);
    r64 = (int)((uint)r62 + (uint)8);
    r66 = (uchar)(r64 < 1000);
    r67 = r40 & r66;
    if (r67) {
      r69 = (int)((uint)r25 + (uint)6144);
      r60 = b0[r69];
    }
    r70 = 0u;
    r72 = (int)((uint)r17 + (uint)r4);
    r74 = (int)((uint)r72 + (uint)12);
    r76 = (uchar)(r74 < 1000);
    r77 = r40 & r76;
    if (r77) {
      r79 = (int)((uint)r25 + (uint)9216);
      r70 = b0[r79];
    }
    r80 = 0u;
    r82 = (int)((uint)r17 + (uint)r4);
    r84 = (int)((uint)r82 + (uint)16);
    r86 = (uchar)(r84 < 1000);
    r87 = r40 & r86;
    if (r87) {
      r89 = (int)((uint)r25 + (uint)12288);
      r80 = b0[r89];
    }
    r90 = 0u;
    r92 = (int)((uint)r17 + (uint)r4);
    r94 = (int)((uint)r92 + (uint)20);
    r96 = (uchar)(r94 < 1000);
    r97 = r40 & r96;
    if (r97) {
      r99 = (int)((uint)r25 + (uint)15360);
      r90 = b0[r99];
    }
    r100 = 0u;
    r102 = (int)((uint)r17 + (uint)r4);
    r104 = (int)((uint)r102 + (uint)24);
    r106 = (uchar)(r104 < 1000);
    r107 = r40 & r106;
    if (r107) {
      r109 = (int)((uint)r25 + (uint)18432);
      r100 = b0[r109];
    }
    r110 = 0u;
    r112 = (int)((uint)r17 + (uint)r4);
    r114 = (int)((uint)r112 + (uint)28);
    r116 = (uchar)(r114 < 1000);
    r117 = r40 & r116;
    if (r117) {
      r119 = (int)((uint)r25 + (uint)21504);
      r110 = b0[r119];
    }
    r120 = 0u;
    r122 = (int)((uint)r17 + (uint)r4);
    r124 = (int)((uint)r122 + (uint)32);
    r126 = (uchar)(r124 < 1000);
    r127 = r40 & r126;
    if (r127) {
      r129 = (int)((uint)r25 + (uint)24576);
      r120 = b0[r129];
    }
    r130 = 0u;
    r132 = (int)((uint)r17 + (uint)r4);
    r134 = (int)((uint)r132 + (uint)36);
    r136 = (uchar)(r134 < 1000);
    r137 = r40 & r136;
    if (r137) {
      r139 = (int)((uint)r25 + (uint)27648);
      r130 = b0[r139];
    }
    r140 = 0u;
    r142 = (int)((uint)r17 + (uint)r4);
    r144 = (int)((uint)r142 + (uint)40);
    r146 = (uchar)(r144 < 1000);
    r147 = r40 & r146;
    if (r147) {
      r149 = (int)((uint)r25 + (uint)30720);
      r140 = b0[r149];
    }
    r150 = 0u;
    r152 = (int)((uint)r17 + (uint)r4);
    r154 = (int)((uint)r152 + (uint)44);
    r156 = (uchar)(r154 < 1000);
    r157 = r40 & r156;
    if (r157) {
      r159 = (int)((uint)r25 + (uint)33792);
      r150 = b0[r159];
    }
    r160 = 0u;
    r162 = (int)((uint)r17 + (uint)r4);
    r164 = (int)((uint)r162 + (uint)48);
    r166 = (uchar)(r164 < 1000);
    r167 = r40 & r166;
    if (r167) {
      r169 = (int)((uint)r25 + (uint)36864);
      r160 = b0[r169];
    }
    r170 = 0u;
    r172 = (int)((uint)r17 + (uint)r4);
    r174 = (int)((uint)r172 + (uint)52);
    r176 = (uchar)(r174 < 1000);
    r177 = r40 & r176;
    if (r177) {
      r179 = (int)((uint)r25 + (uint)39936);
      r170 = b0[r179];
    }
    r180 = 0u;
    r182 = (int)((uint)r17 + (uint)r4);
    r184 = (int)((uint)r182 + (uint)56);
    r186 = (uchar)(r184 < 1000);
    r187 = r40 & r186;
    if (r187) {
      r189 = (int)((uint)r25 + (uint)43008);
      r180 = b0[r189];
    }
    r190 = 0u;
    r192 = (int)((uint)r17 + (uint)r4);
    r194 = (int)((uint)r192 + (uint)60);
    r196 = (uchar)(r194 < 1000);
    r197 = r40 & r196;
    if (r197) {
      r199 = (int)((uint)r25 + (uint)46080);
      r190 = b0[r199];
    }
    a0[r34] = r44;
    r201 = (int)((uint)r34 + (uint)260);
    a0[r201] = r50;
    r203 = (int)((uint)r34 + (uint)520);
    a0[r203] = r60;
    r205 = (int)((uint)r34 + (uint)780);
    a0[r205] = r70;
    r207 = (int)((uint)r34 + (uint)1040);
    a0[r207] = r80;
    r209 = (int)((uint)r34 + (uint)1300);
    a0[r209] = r90;
    r211 = (int)((uint)r34 + (uint)1560);
    a0[r211] = r100;
    r213 = (int)((uint)r34 + (uint)1820);
    a0[r213] = r110;
    r215 = (int)((uint)r34 + (uint)2080);
    a0[r215] = r120;
    r217 = (int)((uint)r34 + (uint)2340);
    a0[r217] = r130;
    r219 = (int)((uint)r34 + (uint)2600);
    a0[r219] = r140;
    r221 = (int)((uint)r34 + (uint)2860);
    a0[r221] = r150;
    r223 = (int)((uint)r34 + (uint)3120);
    a0[r223] = r160;
    r225 = (int)((uint)r34 + (uint)3380);
    a0[r225] = r170;
    r227 = (int)((uint)r34 + (uint)3640);
    a0[r227] = r180;
    r229 = (int)((uint)r34 + (uint)3900);
    a0[r229] = r190;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r230 = a0[r37];
    r231 = (int)((uint)r19 + (uint)r4);
    r233 = (uchar)(r231 < 768);
    r234 = r43 & r233;
    if (r234) {
      b1[r31] = r230;
    }
    r236 = (int)((uint)r37 + (uint)4);
    r237 = a0[r236];
    r238 = (int)((uint)r19 + (uint)r4);
    r240 = (int)((uint)r238 + (uint)4);
    r242 = (uchar)(r240 < 768);
    r243 = r43 & r242;
    if (r243) {
      r245 = (int)((uint)r31 + (uint)4000);
      b1[r245] = r237;
    }
    r247 = (int)((uint)r37 + (uint)8);
    r248 = a0[r247];
    r249 = (int)((uint)r19 + (uint)r4);
    r251 = (int)((uint)r249 + (uint)8);
    r253 = (uchar)(r251 < 768);
    r254 = r43 & r253;
    if (r254) {
      r256 = (int)((uint)r31 + (uint)8000);
      b1[r256] = r248;
    }
    r258 = (int)((uint)r37 + (uint)12);
    r259 = a0[r258];
    r260 = (int)((uint)r19 + (uint)r4);
    r262 = (int)((uint)r260 + (uint)12);
    r264 = (uchar)(r262 < 768);
    r265 = r43 & r264;
    if (r265) {
      r267 = (int)((uint)r31 + (uint)12000);
      b1[r267] = r259;
    }
    r269 = (int)((uint)r37 + (uint)16);
    r270 = a0[r269];
    r271 = (int)((uint)r19 + (uint)r4);
    r273 = (int)((uint)r271 + (uint)16);
    r275 = (uchar)(r273 < 768);
    r276 = r43 & r275;
    if (r276) {
      r278 = (int)((uint)r31 + (uint)16000);
      b1[r278] = r270;
    }
    r280 = (int)((uint)r37 + (uint)20);
    r281 = a0[r280];
    r282 = (int)((uint)r19 + (uint)r4);
    r284 = (int)((uint)r282 + (uint)20);
    r286 = (uchar)(r284 < 768);
    r287 = r43 & r286;
    if (r287) {
      r289 = (int)((uint)r31 + (uint)20000);
      b1[r289] = r281;
    }
    r291 = (int)((uint)r37 + (uint)24);
    r292 = a0[r291];
    r293 = (int)((uint)r19 + (uint)r4);
    r295 = (int)((uint)r293 + (uint)24);
    r297 = (uchar)(r295 < 768);
    r298 = r43 & r297;
    if (r298) {
      r300 = (int)((uint)r31 + (uint)24000);
      b1[r300] = r292;
    }
    r302 = (int)((uint)r37 + (uint)28);
    r303 = a0[r302];
    r304 = (int)((uint)r19 + (uint)r4);
    r306 = (int)((uint)r304 + (uint)28);
    r308 = (uchar)(r306 < 768);
    r309 = r43 & r308;
    if (r309) {
      r311 = (int)((uint)r31 + (uint)28000);
      b1[r311] = r303;
    }
    r313 = (int)((uint)r37 + (uint)32);
    r314 = a0[r313];
    r315 = (int)((uint)r19 + (uint)r4);
    r317 = (int)((uint)r315 + (uint)32);
    r319 = (uchar)(r317 < 768);
    r320 = r43 & r319;
    if (r320) {
      r322 = (int)((uint)r31 + (uint)32000);
      b1[r322] = r314;
    }
    r324 = (int)((uint)r37 + (uint)36);
    r325 = a0[r324];
    r326 = (int)((uint)r19 + (uint)r4);
    r328 = (int)((uint)r326 + (uint)36);
    r330 = (uchar)(r328 < 768);
    r331 = r43 & r330;
    if (r331) {
      r333 = (int)((uint)r31 + (uint)36000);
      b1[r333] = r325;
    }
    r335 = (int)((uint)r37 + (uint)40);
    r336 = a0[r335];
    r337 = (int)((uint)r19 + (uint)r4);
    r339 = (int)((uint)r337 + (uint)40);
    r341 = (uchar)(r339 < 768);
    r342 = r43 & r341;
    if (r342) {
      r344 = (int)((uint)r31 + (uint)40000);
      b1[r344] = r336;
    }
    r346 = (int)((uint)r37 + (uint)44);
    r347 = a0[r346];
    r348 = (int)((uint)r19 + (uint)r4);
    r350 = (int)((uint)r348 + (uint)44);
    r352 = (uchar)(r350 < 768);
    r353 = r43 & r352;
    if (r353) {
      r355 = (int)((uint)r31 + (uint)44000);
      b1[r355] = r347;
    }
    r357 = (int)((uint)r37 + (uint)48);
    r358 = a0[r357];
    r359 = (int)((uint)r19 + (uint)r4);
    r361 = (int)((uint)r359 + (uint)48);
    r363 = (uchar)(r361 < 768);
    r364 = r43 & r363;
    if (r364) {
      r366 = (int)((uint)r31 + (uint)48000);
      b1[r366] = r358;
    }
    r368 = (int)((uint)r37 + (uint)52);
    r369 = a0[r368];
    r370 = (int)((uint)r19 + (uint)r4);
    r372 = (int)((uint)r370 + (uint)52);
    r374 = (uchar)(r372 < 768);
    r375 = r43 & r374;
    if (r375) {
      r377 = (int)((uint)r31 + (uint)52000);
      b1[r377] = r369;
    }
    r379 = (int)((uint)r37 + (uint)56);
    r380 = a0[r379];
    r381 = (int)((uint)r19 + (uint)r4);
    r383 = (int)((uint)r381 + (uint)56);
    r385 = (uchar)(r383 < 768);
    r386 = r43 & r385;
    if (r386) {
      r388 = (int)((uint)r31 + (uint)56000);
      b1[r388] = r380;
    }
    r390 = (int)((uint)r37 + (uint)60);
    r391 = a0[r390];
    r392 = (int)((uint)r19 + (uint)r4);
    r394 = (int)((uint)r392 + (uint)60);
    r396 = (uchar)(r394 < 768);
    r397 = r43 & r396;
    if (r397) {
      r399 = (int)((uint)r31 + (uint)60000);
      b1[r399] = r391;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
