#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void k0_row_max(__global const uchar *m0, long o0, __global uchar *m1, long o1) {
  __global const int *b0 = (__global const int *)(m0 + o0);
  __global int *b1 = (__global int *)(m1 + o1);
  __local int x_int[128];
  uchar r9, r90, r210, r214, r218, r222, r286, r290, r294, r298, r337;
  int r0, r1, r2, r4, r6, r8, r11, r13, r15, r16, r18, r19, r20, r21, r22, r23;
  int r24, r25, r26, r27, r28, r29, r30, r31, r32, r33, r34, r35, r36, r37, r38, r39;
  int r40, r41, r42, r43, r44, r45, r46, r47, r48, r49, r50, r51, r52, r53, r54, r55;
  int r56, r57, r58, r59, r60, r61, r62, r63, r64, r65, r66, r67, r68, r69, r70, r71;
  int r72, r73, r74, r75, r76, r77, r78, r79, r80, r81, r83, r84, r92, r94, r96, r98;
  int r100, r102, r104, r106, r108, r110, r112, r114, r116, r118, r120, r122, r124, r126, r128, r130;
  int r132, r134, r136, r138, r140, r142, r144, r146, r148, r150, r152, r154, r156, r158, r160, r162;
  int r164, r166, r168, r170, r172, r174, r176, r178, r180, r182, r184, r186, r188, r190, r192, r194;
  int r196, r198, r200, r202, r204, r206, r208, r212, r216, r220, r224, r225, r226, r227, r228, r229;
  int r230, r231, r232, r233, r234, r235, r236, r237, r238, r239, r240, r241, r242, r243, r244, r245;
  int r246, r247, r248, r249, r250, r251, r252, r253, r254, r255, r256, r257, r258, r259, r260, r261;
  int r262, r263, r264, r265, r266, r267, r268, r269, r270, r271, r272, r273, r274, r275, r276, r277;
  int r278, r279, r280, r281, r282, r283, r284, r287, r288, r291, r292, r295, r296, r299, r300, r301;
  int r302, r303, r304, r305, r306, r307, r308, r309, r310, r311, r312, r313, r314, r315, r316, r317;
  int r318, r319, r320, r321, r322, r323, r324, r325, r326, r327, r328, r329, r330, r331, r332, r333;
  int r334, r335;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  r4 = (int)(r0 >> ((uint)4 < 32 ? (uint)4 : (uint)31));
  r6 = r0 & 15;
  r8 = (int)((uint)r6 * (uint)4);
  r9 = (uchar)((ulong)b0 % 16 == 0);
  r11 = (int)((uint)1000 - (uint)r8);
  #pragma clang loop vectorize(disable)
  for (r13 = r1; r13 < 8; r13 += r2) {
    r15 = (int)((uint)r13 * (uint)8);
    r16 = (int)((uint)r15 + (uint)r4);
    r83 = (int)((uint)r16 * (uint)1000);
    r84 = (int)((uint)r8 + (uint)r83);
    r78 = 0;
    r79 = 0;
    r80 = 0;
    r81 = 0;
    if (r9) {
      {
        int4 v = vload4(0, b0 + r84);
        r18 = v.s0;
        r19 = v.s1;
        r20 = v.s2;
        r21 = v.s3;
      }
      {
        int4 v = vload4(0, b0 + (r84 + 64));
        r22 = v.s0;
        r23 = v.s1;
        r24 = v.s2;
        r25 = v.s3;
      }
      {
        int4 v = vload4(0, b0 + (r84 + 128));
        r26 = v.s0;
        r27 = v.s1;
        r28 = v.s2;
        r29 = v.s3;
      }
      {
        int4 v = vload4(0, b0 + (r84 + 192));
        r30 = v.s0;
        r31 = v.s1;
        r32 = v.s2;
        r33 = v.s3;
      }
      {
        int4 v = vload4(0, b0 + (r84 + 256));
        r34 = v.s0;
        r35 = v.s1;
        r36 = v.s2;
        r37 = v.s3;
      }
      {
        int4 v = vload4(0, b0 + (r84 + 320));
        r38 = v.s0;
        r39 = v.s1;
        r40 = v.s2;
        r41 = v.s3;
      }
      {
        int4 v = vload4(0, b0 + (r84 + 384));
        r42 = v.s0;
        r43 = v.s1;
        r44 = v.s2;
        r45 = v.s3;
      }
      {
        int4 v = vload4(0, b0 + (r84 + 448));
        r46 = v.s0;
        r47 = v.s1;
        r48 = v.s2;
        r49 = v.s3;
      }
      {
        int4 v = vload4(0, b0 + (r84 + 512));
        r50 = v.s0;
        r51 = v.s1;
        r52 = v.s2;
        r53 = v.s3;
      }
      {
        int4 v = vload4(0, b0 + (r84 + 576));
        r54 = v.s0;
        r55 = v.s1;
        r56 = v.s2;
        r57 = v.s3;
      }
      {
        int4 v = vload4(0, b0 + (r84 + 640));
        r58 = v.s0;
        r59 = v.s1;
        r60 = v.s2;
        r61 = v.s3;
      }
      {
        int4 v = vload4(0, b0 + (r84 + 704));
        r62 = v.s0;
        r63 = v.s1;
        r64 = v.s2;
        r65 = v.s3;
      }
      {
        int4 v = vload4(0, b0 + (r84 + 768));
        r66 = v.s0;
        r67 = v.s1;
        r68 = v.s2;
        r69 = v.s3;
      }
      {
        int4 v = vload4(0, b0 + (r84 + 832));
        r70 = v.s0;
        r71 = v.s1;
        r72 = v.s2;
        r73 = v.s3;
      }
      {
        int4 v = vload4(0, b0 + (r84 + 896));
        r74 = v.s0;
        r75 = v.s1;
        r76 = v.s2;
        r77 = v.s3;
      }
      r90 = (uchar)(960 < r11);
      if (r90) {
        {
          int4 v = vload4(0, b0 + (r84 + 960));
          r78 = v.s0;
          r79 = v.s1;
          r80 = v.s2;
          r81 = v.s3;
        }
      }
    } else {
      r18 = b0[r84];
      r92 = (int)((uint)r84 + (uint)1);
      r19 = b0[r92];
      r94 = (int)((uint)r84 + (uint)2);
      r20 = b0[r94];
      r96 = (int)((uint)r84 + (uint)3);
      r21 = b0[r96];
      r98 = (int)((uint)r84 + (uint)64);
      r22 = b0[r98];
      r100 = (int)((uint)r84 + (uint)65);
      r23 = b0[r100];
      r102 = (int)((uint)r84 + (uint)66);
      r24 = b0[r102];
      r104 = (int)((uint)r84 + (uint)67);
      r25 = b0[r104];
      r106 = (int)((uint)r84 + (uint)128);
      r26 = b0[r106];
      r108 = (int)((uint)r84 + (uint)129);
      r27 = b0[r108];
      r110 = (int)((uint)r84 + (uint)130);
      r28 = b0[r110];
      r112 = (int)((uint)r84 + (uint)131);
      r29 = b0[r112];
      r114 = (int)((uint)r84 + (uint)192);
      r30 = b0[r114];
      r116 = (int)((uint)r84 + (uint)193);
      r31 = b0[r116];
      r118 = (int)((uint)r84 + (uint)194);
      r32 = b0[r118];
      r120 = (int)((uint)r84 + (uint)195);
      r33 = b0[r120];
      r122 = (int)((uint)r84 + (uint)256);
      r34 = b0[r122];
      r124 = (int)((uint)r84 + (uint)257);
      r35 = b0[r124];
      r126 = (int)((uint)r84 + (uint)258);
      r36 = b0[r126];
      r128 = (int)((uint)r84 + (uint)259);
      r37 = b0[r128];
      r130 = (int)((uint)r84 + (uint)320);
      r38 = b0[r130];
      r132 = (int)((uint)r84 + (uint)321);
      r39 = b0[r132];
      r134 = (int)((uint)r84 + (uint)322);
      r40 = b0[r134];
      r136 = (int)((uint)r84 + (uint)323);
      r41 = b0[r136];
      r138 = (int)((uint)r84 + (uint)384);
      r42 = b0[r138];
      r140 = (int)((uint)r84 + (uint)385);
      r43 = b0[r140];
      r142 = (int)((uint)r84 + (uint)386);
      r44 = b0[r142];
      r144 = (int)((uint)r84 + (uint)387);
      r45 = b0[r144];
      r146 = (int)((uint)r84 + (uint)448);
      r46 = b0[r146];
      r148 = (int)((uint)r84 + (uint)449);
      r47 = b0[r148];
      r150 = (int)((uint)r84 + (uint)450);
      r48 = b0[r150];
      r152 = (int)((uint)r84 + (uint)451);
      r49 = b0[r152];
      r154 = (int)((uint)r84 + (uint)512);
      r50 = b0[r154];
      r156 = (int)((uint)r84 + (uint)513);
      r51 = b0[r156];
      r158 = (int)((uint)r84 + (uint)514);
      r52 = b0[r158];
      r160 = (int)((uint)r84 + (uint)515);
      r53 = b0[r160];
      r162 = (int)((uint)r84 + (uint)576);
      r54 = b0[r162];
      r164 = (int)((uint)r84 + (uint)577);
      r55 = b0[r164];
      r166 = (int)((uint)r84 + (uint)578);
      r56 = b0[r166];
      r168 = (int)((uint)r84 + (uint)579);
      r57 = b0[r168];
      r170 = (int)((uint)r84 + (uint)640);
      r58 = b0[r170];
      r172 = (int)((uint)r84 + (uint)641);
      r59 = b0[r172];
      r174 = (int)((uint)r84 + (uint)642);
      r60 = b0[r174];
      r176 = (int)((uint)r84 + (uint)643);
      r61 = b0[r176];
      r178 = (int)((uint)r84 + (uint)704);
      r62 = b0[r178];
      r180 = (int)((uint)r84 + (uint)705);
      r63 = b0[r180];
      r182 = (int)((uint)r84 + (uint)706);
      r64 = b0[r182];
      r184 = (int)((uint)r84 + (uint)707);
      r65 = b0[r184];
      r186 = (int)((uint)r84 + (uint)768);
      r66 = b0[r186];
      r188 = (int)((uint)r84 + (uint)769);
      r67 = b0[r188];
      r190 = (int)((uint)r84 + (uint)770);
      r68 = b0[r190];
      r192 = (int)((uint)r84 + (uint)771);
      r69 = b0[r192];
      r194 = (int)((uint)r84 + (uint)832);
      r70 = b0[r194];
      r196 = (int)((uint)r84 + (uint)833);
      r71 = b0[r196];
      r198 = (int)((uint)r84 + (uint)834);
      r72 = b0[r198];
      r200 = (int)((uint)r84 + (uint)835);
      r73 = b0[r200];
      r202 = (int)((uint)r84 + (uint)896);
      r74 = b0[r202];
      r204 = (int)((uint)r84 + (uint)897);
      r75 = b0[r204];
      r206 = (int)((uint)r84 + (uint)898);
      r76 = b0[r206];
      r208 = (int)((uint)r84 + (uint)899);
      r77 = b0[r208];
      r210 = (uchar)(960 < r11);
      if (r210) {
        r212 = (int)((uint)r84 + (uint)960);
        r78 = b0[r212];
      }
      r214 = (uchar)(961 < r11);
      if (r214) {
        r216 = (int)((uint)r84 + (uint)961);
        r79 = b0[r216];
      }
      r218 = (uchar)(962 < r11);
      if (r218) {
        r220 = (int)((uint)r84 + (uint)962);
        r80 = b0[r220];
      }
      r222 = (uchar)(963 < r11);
      if (r222) {
        r224 = (int)((uint)r84 + (uint)963);
        r81 = b0[r224];
      }
    }
    r225 = ((int)0x80000000u) > r18 ? ((int)0x80000000u) : r18;
    r226 = ((int)0x80000000u) > r19 ? ((int)0x80000000u) : r19;
    r227 = ((int)0x80000000u) > r20 ? ((int)0x80000000u) : r20;
    r228 = ((int)0x80000000u) > r21 ? ((int)0x80000000u) : r21;
    r229 = r225 > r22 ? r225 : r22;
    r230 = r226 > r23 ? r226 : r23;
    r231 = r227 > r24 ? r227 : r24;
    r232 = r228 > r25 ? r228 : r25;
    r233 = r229 > r26 ? r229 : r26;
    r234 = r230 > r27 ? r230 : r27;
    r235 = r231 > r28 ? r231 : r28;
    r236 = r232 > r29 ? r232 : r29;
    r237 = r233 > r30 ? r233 : r30;
    r238 = r234 > r31 ? r234 : r31;
    r239 = r235 > r32 ? r235 : r32;
    r240 = r236 > r33 ? r236 : r33;
    r241 = r237 > r34 ? r237 : r34;
    r242 = r238 > r35 ? r238 : r35;
    r243 = r239 > r36 ? r239 : r36;
    r244 = r240 > r37 ? r240 : r37;
    r245 = r241 > r38 ? r241 : r38;
    r246 = r242 > r39 ? r242 : r39;
    r247 = r243 > r40 ? r243 : r40;
    r248 = r244 > r41 ? r244 : r41;
    r249 = r245 > r42 ? r245 : r42;
    r250 = r246 > r43 ? r246 : r43;
    r251 = r247 > r44 ? r247 : r44;
    r252 = r248 > r45 ? r248 : r45;
    r253 = r249 > r46 ? r249 : r46;
    r254 = r250 > r47 ? r250 : r47;
    r255 = r251 > r48 ? r251 : r48;
    r256 = r252 > r49 ? r252 : r49;
    r257 = r253 > r50 ? r253 : r50;
    r258 = r254 > r51 ? r254 : r51;
    r259 = r255 > r52 ? r255 : r52;
    r260 = r256 > r53 ? r256 : r53;
    r261 = r257 > r54 ? r257 : r54;
    r262 = r258 > r55 ? r258 : r55;
    r263 = r259 > r56 ? r259 : r56;
    r264 = r260 > r57 ? r260 : r57;
    r265 = r261 > r58 ? r261 : r58;
    r266 = r262 > r59 ? r262 : r59;
    r267 = r263 > r60 ? r263 : r60;
    r268 = r264 > r61 ? r264 : r61;
    r269 = r265 > r62 ? r265 : r62;
    r270 = r266 > r63 ? r266 : r63;
    r271 = r267 > r64 ? r267 : r64;
    r272 = r268 > r65 ? r268 : r65;
    r273 = r269 > r66 ? r269 : r66;
    r274 = r270 > r67 ? r270 : r67;
    r275 = r271 > r68 ? r271 : r68;
    r276 = r272 > r69 ? r272 : r69;
    r277 = r273 > r70 ? r273 : r70;
    r278 = r274 > r71 ? r274 : r71;
    r279 = r275 > r72 ? r275 : r72;
    r280 = r276 > r73 ? r276 : r73;
    r281 = r277 > r74 ? r277 : r74;
    r282 = r278 > r75 ? r278 : r75;
    r283 = r279 > r76 ? r279 : r76;
    r284 = r280 > r77 ? r280 : r77;
    r286 = (uchar)(960 < r11);
    r287 = r286 ? r78 : ((int)0x80000000u);
    r288 = r281 > r287 ? r281 : r287;
    r290 = (uchar)(961 < r11);
    r291 = r290 ? r79 : ((int)0x80000000u);
    r292 = r282 > r291 ? r282 : r291;
    r294 = (uchar)(962 < r11);
    r295 = r294 ? r80 : ((int)0x80000000u);
    r296 = r283 > r295 ? r283 : r295;
    r298 = (uchar)(963 < r11);
    r299 = r298 ? r81 : ((int)0x80000000u);
    r300 = r284 > r299 ? r284 : r299;
    barrier(CLK_LOCAL_MEM_FENCE);
    x_int[get_local_id(0)] = r288;
    barrier(CLK_LOCAL_MEM_FENCE);
    r301 = x_int[get_local_id(0) ^ 8];
    r302 = r288 > r301 ? r288 : r301;
    barrier(CLK_LOCAL_MEM_FENCE);
    x_int[get_local_id(0)] = r292;
    barrier(CLK_LOCAL_MEM_FENCE);
    r303 = x_int[get_local_id(0) ^ 8];
    r304 = r292 > r303 ? r292 : r303;
    barrier(CLK_LOCAL_MEM_FENCE);
    x_int[get_local_id(0)] = r296;
    barrier(CLK_LOCAL_MEM_FENCE);
    r305 = x_int[get_local_id(0) ^ 8];
    r306 = r296 > r305 ? r296 : r305;
    barrier(CLK_LOCAL_MEM_FENCE);
    x_int[get_local_id(0)] = r300;
    barrier(CLK_LOCAL_MEM_FENCE);
    r307 = x_int[get_local_id(0) ^ 8];
    r308 = r300 > r307 ? r300 : r307;
    barrier(CLK_LOCAL_MEM_FENCE);
    x_int[get_local_id(0)] = r302;
    barrier(CLK_LOCAL_MEM_FENCE);
    r309 = x_int[get_local_id(0) ^ 4];
    r310 = r302 > r309 ? r302 : r309;
    barrier(CLK_LOCAL_MEM_FENCE);
    x_int[get_local_id(0)] = r304;
    barrier(CLK_LOCAL_MEM_FENCE);
    r311 = x_int[get_local_id(0) ^ 4];
    r312 = r304 > r311 ? r304 : r311;
    barrier(CLK_LOCAL_MEM_FENCE);
    x_int[get_local_id(0)] = r306;
    barrier(CLK_LOCAL_MEM_FENCE);
    r313 = x_int[get_local_id(0) ^ 4];
    r314 = r306 > r313 ? r306 : r313;
    barrier(CLK_LOCAL_MEM_FENCE);
    x_int[get_local_id(0)] = r308;
    barrier(CLK_LOCAL_MEM_FENCE);
    r315 = x_int[get_local_id(0) ^ 4];
    r316 = r308 > r315 ? r308 : r315;
    barrier(CLK_LOCAL_MEM_FENCE);
    x_int[get_local_id(0)] = r310;
    barrier(CLK_LOCAL_MEM_FENCE);
    r317 = x_int[get_local_id(0) ^ 2];
    r318 = r310 > r317 ? r310 : r317;
    barrier(CLK_LOCAL_MEM_FENCE);
    x_int[get_local_id(0)] = r312;
    barrier(CLK_LOCAL_MEM_FENCE);
    r319 = x_int[get_local_id(0) ^ 2];
    r320 = r312 > r319 ? r312 : r319;
    barrier(CLK_LOCAL_MEM_FENCE);
    x_int[get_local_id(0)] = r314;
    barrier(CLK_LOCAL_MEM_FENCE);
    r321 = x_int[get_local_id(0) ^ 2];
    r322 = r314 > r321 ? r314 : r321;
    barrier(CLK_LOCAL_MEM_FENCE);
    x_int[get_local_id(0)] = r316;
    barrier(CLK_LOCAL_MEM_FENCE);
    r323 = x_int[get_local_id(0) ^ 2];
    r324 = r316 > r323 ? r316 : r323;
    barrier(CLK_LOCAL_MEM_FENCE);
    x_int[get_local_id(0)] = r318;
    barrier(CLK_LOCAL_MEM_FENCE);
    r325 = x_int[get_local_id(0) ^ 1];
    r326 = r318 > r325 ? r318 : r325;
    barrier(CLK_LOCAL_MEM_FENCE);
    x_int[get_local_id(0)] = r320;
    barrier(CLK_LOCAL_MEM_FENCE);
    r327 = x_int[get_local_id(0) ^ 1];
    r328 = r320 > r327 ? r320 : r327;
    barrier(CLK_LOCAL_MEM_FENCE);
    x_int[get_local_id(0)] = r322;
    barrier(CLK_LOCAL_MEM_FENCE);
    r329 = x_int[get_local_id(0) ^ 1];
    r330 = r322 > r329 ? r322 : r329;
    barrier(CLK_LOCAL_MEM_FENCE);
    x_int[get_local_id(0)] = r324;
    barrier(CLK_LOCAL_MEM_FENCE);
    r331 = x_int[get_local_id(0) ^ 1];
    r332 = r324 > r331 ? r324 : r331;
    r333 = r326 > r330 ? r326 : r330;
    r334 = r328 > r332 ? r328 : r332;
    r335 = r333 > r334 ? r333 : r334;
    r337 = (uchar)(r8 == 0);
    if (r337) {
      b1[r16] = r335;
    }
  }
}
