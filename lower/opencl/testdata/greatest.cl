#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void k0_row_max(__global const uchar *m0, long o0, __global uchar *m1, long o1) {
  __global const int *b0 = (__global const int *)(m0 + o0);
  __global int *b1 = (__global int *)(m1 + o1);
  __local int x_int[128];
  uchar r9, r89, r211, r217, r223, r229, r296, r302, r308, r314, r353;
  int r0, r1, r2, r4, r6, r8, r11, r13, r14, r16, r17, r18, r19, r20, r21, r22;
  int r23, r24, r25, r26, r27, r28, r29, r30, r31, r32, r33, r34, r35, r36, r37, r38;
  int r39, r40, r41, r42, r43, r44, r45, r46, r47, r48, r49, r50, r51, r52, r53, r54;
  int r55, r56, r57, r58, r59, r60, r61, r62, r63, r64, r65, r66, r67, r68, r69, r70;
  int r71, r72, r73, r74, r75, r76, r77, r78, r80, r82, r84, r87, r91, r93, r95, r97;
  int r99, r101, r103, r105, r107, r109, r111, r113, r115, r117, r119, r121, r123, r125, r127, r129;
  int r131, r133, r135, r137, r139, r141, r143, r145, r147, r149, r151, r153, r155, r157, r159, r161;
  int r163, r165, r167, r169, r171, r173, r175, r177, r179, r181, r183, r185, r187, r189, r191, r193;
  int r195, r197, r199, r201, r203, r205, r207, r209, r213, r215, r219, r221, r225, r227, r231, r233;
  int r234, r235, r236, r237, r238, r239, r240, r241, r242, r243, r244, r245, r246, r247, r248, r249;
  int r250, r251, r252, r253, r254, r255, r256, r257, r258, r259, r260, r261, r262, r263, r264, r265;
  int r266, r267, r268, r269, r270, r271, r272, r273, r274, r275, r276, r277, r278, r279, r280, r281;
  int r282, r283, r284, r285, r286, r287, r288, r289, r290, r291, r292, r294, r297, r298, r300, r303;
  int r304, r306, r309, r310, r312, r315, r316, r317, r318, r319, r320, r321, r322, r323, r324, r325;
  int r326, r327, r328, r329, r330, r331, r332, r333, r334, r335, r336, r337, r338, r339, r340, r341;
  int r342, r343, r344, r345, r346, r347, r348, r349, r350, r351;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  r4 = (int)(r0 >> ((uint)4 < 32 ? (uint)4 : (uint)31));
  r6 = r0 & 15;
  r8 = (int)((uint)r6 * (uint)4);
  r9 = (uchar)((ulong)b0 % 16 == 0);
  #pragma clang loop vectorize(disable)
  for (r11 = r1; r11 < 8; r11 += r2) {
    r13 = (int)((uint)r11 * (uint)8);
    r14 = (int)((uint)r13 + (uint)r4);
    r16 = (int)((uint)r14 * (uint)1000);
    r17 = (int)((uint)r8 + (uint)r16);
    r78 = 0;
    r80 = 0;
    r82 = 0;
    r84 = 0;
    if (r9) {
      {
        int4 v = vload4(0, b0 + r17);
        r18 = v.s0;
        r19 = v.s1;
        r20 = v.s2;
        r21 = v.s3;
      }
      {
        int4 v = vload4(0, b0 + (r17 + 64));
        r22 = v.s0;
        r23 = v.s1;
        r24 = v.s2;
        r25 = v.s3;
      }
      {
        int4 v = vload4(0, b0 + (r17 + 128));
        r26 = v.s0;
        r27 = v.s1;
        r28 = v.s2;
        r29 = v.s3;
      }
      {
        int4 v = vload4(0, b0 + (r17 + 192));
        r30 = v.s0;
        r31 = v.s1;
        r32 = v.s2;
        r33 = v.s3;
      }
      {
        int4 v = vload4(0, b0 + (r17 + 256));
        r34 = v.s0;
        r35 = v.s1;
        r36 = v.s2;
        r37 = v.s3;
      }
      {
        int4 v = vload4(0, b0 + (r17 + 320));
        r38 = v.s0;
        r39 = v.s1;
        r40 = v.s2;
        r41 = v.s3;
      }
      {
        int4 v = vload4(0, b0 + (r17 + 384));
        r42 = v.s0;
        r43 = v.s1;
        r44 = v.s2;
        r45 = v.s3;
      }
      {
        int4 v = vload4(0, b0 + (r17 + 448));
        r46 = v.s0;
        r47 = v.s1;
        r48 = v.s2;
        r49 = v.s3;
      }
      {
        int4 v = vload4(0, b0 + (r17 + 512));
        r50 = v.s0;
        r51 = v.s1;
        r52 = v.s2;
        r53 = v.s3;
      }
      {
        int4 v = vload4(0, b0 + (r17 + 576));
        r54 = v.s0;
        r55 = v.s1;
        r56 = v.s2;
        r57 = v.s3;
      }
      {
        int4 v = vload4(0, b0 + (r17 + 640));
        r58 = v.s0;
        r59 = v.s1;
        r60 = v.s2;
        r61 = v.s3;
      }
      {
        int4 v = vload4(0, b0 + (r17 + 704));
        r62 = v.s0;
        r63 = v.s1;
        r64 = v.s2;
        r65 = v.s3;
      }
      {
        int4 v = vload4(0, b0 + (r17 + 768));
        r66 = v.s0;
        r67 = v.s1;
        r68 = v.s2;
        r69 = v.s3;
      }
      {
        int4 v = vload4(0, b0 + (r17 + 832));
        r70 = v.s0;
        r71 = v.s1;
        r72 = v.s2;
        r73 = v.s3;
      }
      {
        int4 v = vload4(0, b0 + (r17 + 896));
        r74 = v.s0;
        r75 = v.s1;
        r76 = v.s2;
        r77 = v.s3;
      }
      r87 = (int)((uint)r8 + (uint)960);
      r89 = (uchar)(r87 < 1000);
      if (r89) {
        {
          int4 v = vload4(0, b0 + (r17 + 960));
          r78 = v.s0;
          r80 = v.s1;
          r82 = v.s2;
          r84 = v.s3;
        }
      }
    } else {
      r18 = b0[r17];
      r91 = (int)((uint)r17 + (uint)1);
      r19 = b0[r91];
      r93 = (int)((uint)r17 + (uint)2);
      r20 = b0[r93];
      r95 = (int)((uint)r17 + (uint)3);
      r21 = b0[r95];
      r97 = (int)((uint)r17 + (uint)64);
      r22 = b0[r97];
      r99 = (int)((uint)r17 + (uint)65);
      r23 = b0[r99];
      r101 = (int)((uint)r17 + (uint)66);
      r24 = b0[r101];
      r103 = (int)((uint)r17 + (uint)67);
      r25 = b0[r103];
      r105 = (int)((uint)r17 + (uint)128);
      r26 = b0[r105];
      r107 = (int)((uint)r17 + (uint)129);
      r27 = b0[r107];
      r109 = (int)((uint)r17 + (uint)130);
      r28 = b0[r109];
      r111 = (int)((uint)r17 + (uint)131);
      r29 = b0[r111];
      r113 = (int)((uint)r17 + (uint)192);
      r30 = b0[r113];
      r115 = (int)((uint)r17 + (uint)193);
      r31 = b0[r115];
      r117 = (int)((uint)r17 + (uint)194);
      r32 = b0[r117];
      r119 = (int)((uint)r17 + (uint)195);
      r33 = b0[r119];
      r121 = (int)((uint)r17 + (uint)256);
      r34 = b0[r121];
      r123 = (int)((uint)r17 + (uint)257);
      r35 = b0[r123];
      r125 = (int)((uint)r17 + (uint)258);
      r36 = b0[r125];
      r127 = (int)((uint)r17 + (uint)259);
      r37 = b0[r127];
      r129 = (int)((uint)r17 + (uint)320);
      r38 = b0[r129];
      r131 = (int)((uint)r17 + (uint)321);
      r39 = b0[r131];
      r133 = (int)((uint)r17 + (uint)322);
      r40 = b0[r133];
      r135 = (int)((uint)r17 + (uint)323);
      r41 = b0[r135];
      r137 = (int)((uint)r17 + (uint)384);
      r42 = b0[r137];
      r139 = (int)((uint)r17 + (uint)385);
      r43 = b0[r139];
      r141 = (int)((uint)r17 + (uint)386);
      r44 = b0[r141];
      r143 = (int)((uint)r17 + (uint)387);
      r45 = b0[r143];
      r145 = (int)((uint)r17 + (uint)448);
      r46 = b0[r145];
      r147 = (int)((uint)r17 + (uint)449);
      r47 = b0[r147];
      r149 = (int)((uint)r17 + (uint)450);
      r48 = b0[r149];
      r151 = (int)((uint)r17 + (uint)451);
      r49 = b0[r151];
      r153 = (int)((uint)r17 + (uint)512);
      r50 = b0[r153];
      r155 = (int)((uint)r17 + (uint)513);
      r51 = b0[r155];
      r157 = (int)((uint)r17 + (uint)514);
      r52 = b0[r157];
      r159 = (int)((uint)r17 + (uint)515);
      r53 = b0[r159];
      r161 = (int)((uint)r17 + (uint)576);
      r54 = b0[r161];
      r163 = (int)((uint)r17 + (uint)577);
      r55 = b0[r163];
      r165 = (int)((uint)r17 + (uint)578);
      r56 = b0[r165];
      r167 = (int)((uint)r17 + (uint)579);
      r57 = b0[r167];
      r169 = (int)((uint)r17 + (uint)640);
      r58 = b0[r169];
      r171 = (int)((uint)r17 + (uint)641);
      r59 = b0[r171];
      r173 = (int)((uint)r17 + (uint)642);
      r60 = b0[r173];
      r175 = (int)((uint)r17 + (uint)643);
      r61 = b0[r175];
      r177 = (int)((uint)r17 + (uint)704);
      r62 = b0[r177];
      r179 = (int)((uint)r17 + (uint)705);
      r63 = b0[r179];
      r181 = (int)((uint)r17 + (uint)706);
      r64 = b0[r181];
      r183 = (int)((uint)r17 + (uint)707);
      r65 = b0[r183];
      r185 = (int)((uint)r17 + (uint)768);
      r66 = b0[r185];
      r187 = (int)((uint)r17 + (uint)769);
      r67 = b0[r187];
      r189 = (int)((uint)r17 + (uint)770);
      r68 = b0[r189];
      r191 = (int)((uint)r17 + (uint)771);
      r69 = b0[r191];
      r193 = (int)((uint)r17 + (uint)832);
      r70 = b0[r193];
      r195 = (int)((uint)r17 + (uint)833);
      r71 = b0[r195];
      r197 = (int)((uint)r17 + (uint)834);
      r72 = b0[r197];
      r199 = (int)((uint)r17 + (uint)835);
      r73 = b0[r199];
      r201 = (int)((uint)r17 + (uint)896);
      r74 = b0[r201];
      r203 = (int)((uint)r17 + (uint)897);
      r75 = b0[r203];
      r205 = (int)((uint)r17 + (uint)898);
      r76 = b0[r205];
      r207 = (int)((uint)r17 + (uint)899);
      r77 = b0[r207];
      r209 = (int)((uint)r8 + (uint)960);
      r211 = (uchar)(r209 < 1000);
      if (r211) {
        r213 = (int)((uint)r17 + (uint)960);
        r78 = b0[r213];
      }
      r215 = (int)((uint)r8 + (uint)961);
      r217 = (uchar)(r215 < 1000);
      if (r217) {
        r219 = (int)((uint)r17 + (uint)961);
        r80 = b0[r219];
      }
      r221 = (int)((uint)r8 + (uint)962);
      r223 = (uchar)(r221 < 1000);
      if (r223) {
        r225 = (int)((uint)r17 + (uint)962);
        r82 = b0[r225];
      }
      r227 = (int)((uint)r8 + (uint)963);
      r229 = (uchar)(r227 < 1000);
      if (r229) {
        r231 = (int)((uint)r17 + (uint)963);
        r84 = b0[r231];
      }
    }
    r233 = ((int)0x80000000u) > r18 ? ((int)0x80000000u) : r18;
    r234 = ((int)0x80000000u) > r19 ? ((int)0x80000000u) : r19;
    r235 = ((int)0x80000000u) > r20 ? ((int)0x80000000u) : r20;
    r236 = ((int)0x80000000u) > r21 ? ((int)0x80000000u) : r21;
    r237 = r233 > r22 ? r233 : r22;
    r238 = r234 > r23 ? r234 : r23;
    r239 = r235 > r24 ? r235 : r24;
    r240 = r236 > r25 ? r236 : r25;
    r241 = r237 > r26 ? r237 : r26;
    r242 = r238 > r27 ? r238 : r27;
    r243 = r239 > r28 ? r239 : r28;
    r244 = r240 > r29 ? r240 : r29;
    r245 = r241 > r30 ? r241 : r30;
    r246 = r242 > r31 ? r242 : r31;
    r247 = r243 > r32 ? r243 : r32;
    r248 = r244 > r33 ? r244 : r33;
    r249 = r245 > r34 ? r245 : r34;
    r250 = r246 > r35 ? r246 : r35;
    r251 = r247 > r36 ? r247 : r36;
    r252 = r248 > r37 ? r248 : r37;
    r253 = r249 > r38 ? r249 : r38;
    r254 = r250 > r39 ? r250 : r39;
    r255 = r251 > r40 ? r251 : r40;
    r256 = r252 > r41 ? r252 : r41;
    r257 = r253 > r42 ? r253 : r42;
    r258 = r254 > r43 ? r254 : r43;
    r259 = r255 > r44 ? r255 : r44;
    r260 = r256 > r45 ? r256 : r45;
    r261 = r257 > r46 ? r257 : r46;
    r262 = r258 > r47 ? r258 : r47;
    r263 = r259 > r48 ? r259 : r48;
    r264 = r260 > r49 ? r260 : r49;
    r265 = r261 > r50 ? r261 : r50;
    r266 = r262 > r51 ? r262 : r51;
    r267 = r263 > r52 ? r263 : r52;
    r268 = r264 > r53 ? r264 : r53;
    r269 = r265 > r54 ? r265 : r54;
    r270 = r266 > r55 ? r266 : r55;
    r271 = r267 > r56 ? r267 : r56;
    r272 = r268 > r57 ? r268 : r57;
    r273 = r269 > r58 ? r269 : r58;
    r274 = r270 > r59 ? r270 : r59;
    r275 = r271 > r60 ? r271 : r60;
    r276 = r272 > r61 ? r272 : r61;
    r277 = r273 > r62 ? r273 : r62;
    r278 = r274 > r63 ? r274 : r63;
    r279 = r275 > r64 ? r275 : r64;
    r280 = r276 > r65 ? r276 : r65;
    r281 = r277 > r66 ? r277 : r66;
    r282 = r278 > r67 ? r278 : r67;
    r283 = r279 > r68 ? r279 : r68;
    r284 = r280 > r69 ? r280 : r69;
    r285 = r281 > r70 ? r281 : r70;
    r286 = r282 > r71 ? r282 : r71;
    r287 = r283 > r72 ? r283 : r72;
    r288 = r284 > r73 ? r284 : r73;
    r289 = r285 > r74 ? r285 : r74;
    r290 = r286 > r75 ? r286 : r75;
    r291 = r287 > r76 ? r287 : r76;
    r292 = r288 > r77 ? r288 : r77;
    r294 = (int)((uint)r8 + (uint)960);
    r296 = (uchar)(r294 < 1000);
    r297 = r296 ? r78 : ((int)0x80000000u);
    r298 = r289 > r297 ? r289 : r297;
    r300 = (int)((uint)r8 + (uint)961);
    r302 = (uchar)(r300 < 1000);
    r303 = r302 ? r80 : ((int)0x80000000u);
    r304 = r290 > r303 ? r290 : r303;
    r306 = (int)((uint)r8 + (uint)962);
    r308 = (uchar)(r306 < 1000);
    r309 = r308 ? r82 : ((int)0x80000000u);
    r310 = r291 > r309 ? r291 : r309;
    r312 = (int)((uint)r8 + (uint)963);
    r314 = (uchar)(r312 < 1000);
    r315 = r314 ? r84 : ((int)0x80000000u);
    r316 = r292 > r315 ? r292 : r315;
    barrier(CLK_LOCAL_MEM_FENCE);
    x_int[get_local_id(0)] = r298;
    barrier(CLK_LOCAL_MEM_FENCE);
    r317 = x_int[get_local_id(0) ^ 8];
    r318 = r298 > r317 ? r298 : r317;
    barrier(CLK_LOCAL_MEM_FENCE);
    x_int[get_local_id(0)] = r304;
    barrier(CLK_LOCAL_MEM_FENCE);
    r319 = x_int[get_local_id(0) ^ 8];
    r320 = r304 > r319 ? r304 : r319;
    barrier(CLK_LOCAL_MEM_FENCE);
    x_int[get_local_id(0)] = r310;
    barrier(CLK_LOCAL_MEM_FENCE);
    r321 = x_int[get_local_id(0) ^ 8];
    r322 = r310 > r321 ? r310 : r321;
    barrier(CLK_LOCAL_MEM_FENCE);
    x_int[get_local_id(0)] = r316;
    barrier(CLK_LOCAL_MEM_FENCE);
    r323 = x_int[get_local_id(0) ^ 8];
    r324 = r316 > r323 ? r316 : r323;
    barrier(CLK_LOCAL_MEM_FENCE);
    x_int[get_local_id(0)] = r318;
    barrier(CLK_LOCAL_MEM_FENCE);
    r325 = x_int[get_local_id(0) ^ 4];
    r326 = r318 > r325 ? r318 : r325;
    barrier(CLK_LOCAL_MEM_FENCE);
    x_int[get_local_id(0)] = r320;
    barrier(CLK_LOCAL_MEM_FENCE);
    r327 = x_int[get_local_id(0) ^ 4];
    r328 = r320 > r327 ? r320 : r327;
    barrier(CLK_LOCAL_MEM_FENCE);
    x_int[get_local_id(0)] = r322;
    barrier(CLK_LOCAL_MEM_FENCE);
    r329 = x_int[get_local_id(0) ^ 4];
    r330 = r322 > r329 ? r322 : r329;
    barrier(CLK_LOCAL_MEM_FENCE);
    x_int[get_local_id(0)] = r324;
    barrier(CLK_LOCAL_MEM_FENCE);
    r331 = x_int[get_local_id(0) ^ 4];
    r332 = r324 > r331 ? r324 : r331;
    barrier(CLK_LOCAL_MEM_FENCE);
    x_int[get_local_id(0)] = r326;
    barrier(CLK_LOCAL_MEM_FENCE);
    r333 = x_int[get_local_id(0) ^ 2];
    r334 = r326 > r333 ? r326 : r333;
    barrier(CLK_LOCAL_MEM_FENCE);
    x_int[get_local_id(0)] = r328;
    barrier(CLK_LOCAL_MEM_FENCE);
    r335 = x_int[get_local_id(0) ^ 2];
    r336 = r328 > r335 ? r328 : r335;
    barrier(CLK_LOCAL_MEM_FENCE);
    x_int[get_local_id(0)] = r330;
    barrier(CLK_LOCAL_MEM_FENCE);
    r337 = x_int[get_local_id(0) ^ 2];
    r338 = r330 > r337 ? r330 : r337;
    barrier(CLK_LOCAL_MEM_FENCE);
    x_int[get_local_id(0)] = r332;
    barrier(CLK_LOCAL_MEM_FENCE);
    r339 = x_int[get_local_id(0) ^ 2];
    r340 = r332 > r339 ? r332 : r339;
    barrier(CLK_LOCAL_MEM_FENCE);
    x_int[get_local_id(0)] = r334;
    barrier(CLK_LOCAL_MEM_FENCE);
    r341 = x_int[get_local_id(0) ^ 1];
    r342 = r334 > r341 ? r334 : r341;
    barrier(CLK_LOCAL_MEM_FENCE);
    x_int[get_local_id(0)] = r336;
    barrier(CLK_LOCAL_MEM_FENCE);
    r343 = x_int[get_local_id(0) ^ 1];
    r344 = r336 > r343 ? r336 : r343;
    barrier(CLK_LOCAL_MEM_FENCE);
    x_int[get_local_id(0)] = r338;
    barrier(CLK_LOCAL_MEM_FENCE);
    r345 = x_int[get_local_id(0) ^ 1];
    r346 = r338 > r345 ? r338 : r345;
    barrier(CLK_LOCAL_MEM_FENCE);
    x_int[get_local_id(0)] = r340;
    barrier(CLK_LOCAL_MEM_FENCE);
    r347 = x_int[get_local_id(0) ^ 1];
    r348 = r340 > r347 ? r340 : r347;
    r349 = r342 > r346 ? r342 : r346;
    r350 = r344 > r348 ? r344 : r348;
    r351 = r349 > r350 ? r349 : r350;
    r353 = (uchar)(r8 == 0);
    if (r353) {
      b1[r14] = r351;
    }
  }
}
