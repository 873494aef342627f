#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void k0_panel_product(__global const uchar *m0, long o0, __global const uchar *m1, long o1, __global uchar *m2, long o2, long s0, long s1, long s2, long s3, long s4, long s5, long s6, long s7) {
  __global const float *b0 = (__global const float *)(m0 + o0);
  __global const float *b1 = (__global const float *)(m1 + o1);
  __global float *b2 = (__global float *)(m2 + o2);
  __local float a0[1088];
  __local float a1[1088];
  uchar r115, r116, r117, r118, r124, r148, r149, r150, r211, r212, r213, r227, r228, r229, r243, r244;
  uchar r245, r259, r260, r261, r275, r276, r277, r293, r294, r295, r311, r312, r313, r329, r330, r331;
  uchar r345, r346, r347, r363, r364, r365, r381, r382, r383, r399, r400, r401, r415, r416, r417, r433;
  uchar r434, r435, r451, r452, r453, r469, r470, r471;
  int r0, r1, r2, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r16, r18;
  int r19, r20, r21, r23, r25, r27, r29, r30, r31, r66, r100, r101, r103, r106, r108, r110;
  int r111, r112, r126, r128, r129, r130, r131, r132, r135, r136, r139, r141, r143, r144, r145, r152;
  int r154, r155, r156, r157, r158, r161, r162, r166, r168, r169, r174, r215, r217, r218, r219, r220;
  int r221, r226, r231, r233, r234, r235, r236, r237, r242, r247, r249, r250, r251, r252, r253, r258;
  int r263, r265, r266, r267, r268, r269, r274, r279, r281, r282, r283, r284, r285, r290, r292, r297;
  int r299, r300, r301, r302, r303, r308, r310, r315, r317, r318, r319, r320, r321, r326, r328, r333;
  int r335, r336, r337, r338, r339, r344, r349, r351, r352, r353, r354, r355, r360, r362, r367, r369;
  int r370, r371, r372, r373, r378, r380, r385, r387, r388, r389, r390, r391, r396, r398, r403, r405;
  int r406, r407, r408, r409, r414, r419, r421, r422, r423, r424, r425, r430, r432, r437, r439, r440;
  int r441, r442, r443, r448, r450, r455, r457, r458, r459, r460, r461, r466, r468, r473, r475, r476;
  int r477, r478, r479;
  float r33, r35, r37, r39, r41, r43, r45, r47, r49, r51, r53, r55, r57, r59, r61, r63;
  float r68, r70, r72, r74, r76, r78, r80, r82, r84, r86, r88, r90, r92, r94, r96, r98;
  float r114, r120, r122, r123, r133, r147, r159, r170, r171, r172, r173, r175, r176, r177, r178, r179;
  float r180, r181, r182, r183, r184, r185, r186, r187, r188, r189, r190, r191, r192, r193, r194, r195;
  float r196, r197, r198, r199, r200, r201, r202, r203, r204, r205, r206, r207, r208, r209, r210, r222;
  float r223, r224, r238, r239, r240, r254, r255, r256, r270, r271, r272, r286, r287, r288, r304, r305;
  float r306, r322, r323, r324, r340, r341, r342, r356, r357, r358, r374, r375, r376, r392, r393, r394;
  float r410, r411, r412, r426, r427, r428, r444, r445, r446, r462, r463, r464, r480, r481, r482;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  r4 = (int)s6;
  r5 = (int)((uint)1 * (uint)r4);
  r6 = (int)s7;
  r7 = (int)((uint)r5 * (uint)r6);
  #pragma clang loop vectorize(disable)
  for (r8 = r1; r8 < r7; r8 += r2) {
    r9 = (int)s7;
    r10 = r9 == 0 ? r8 : r9 == -1 ? (int)0 : (int)(r8 % r9);
    r11 = r9 == 0 ? (int)-1 : r9 == -1 ? (int)(0 - (uint)r8) : (int)(r8 / r9);
    r12 = (int)s6;
    r13 = r12 == 0 ? r11 : r12 == -1 ? (int)0 : (int)(r11 % r12);
    r14 = r12 == 0 ? (int)-1 : r12 == -1 ? (int)(0 - (uint)r11) : (int)(r11 / r12);
    r16 = (int)((uint)r13 * (uint)64);
    r18 = (int)((uint)r10 * (uint)64);
    r19 = (int)s3;
    r20 = (int)s4;
    r21 = (int)s5;
    r23 = (int)(r0 >> ((uint)4 < 32 ? (uint)4 : (uint)31));
    r25 = (int)((uint)r23 * (uint)4);
    r27 = r0 & 15;
    r29 = (int)((uint)r27 * (uint)4);
    r30 = (int)((uint)r16 + (uint)r25);
    r31 = (int)((uint)r18 + (uint)r29);
    r33 = as_float(0x00000000u);
    r35 = as_float(0x00000000u);
    r37 = as_float(0x00000000u);
    r39 = as_float(0x00000000u);
    r41 = as_float(0x00000000u);
    r43 = as_float(0x00000000u);
    r45 = as_float(0x00000000u);
    r47 = as_float(0x00000000u);
    r49 = as_float(0x00000000u);
    r51 = as_float(0x00000000u);
    r53 = as_float(0x00000000u);
    r55 = as_float(0x00000000u);
    r57 = as_float(0x00000000u);
    r59 = as_float(0x00000000u);
    r61 = as_float(0x00000000u);
    r63 = as_float(0x00000000u);
    #pragma clang loop vectorize(disable)
    for (r66 = 0; r66 < r21; r66 += 128) {
      r68 = as_float(0x00000000u);
      r70 = as_float(0x00000000u);
      r72 = as_float(0x00000000u);
      r74 = as_float(0x00000000u);
      r76 = as_float(0x00000000u);
      r78 = as_float(0x00000000u);
      r80 = as_float(0x00000000u);
      r82 = as_float(0x00000000u);
      r84 = as_float(0x00000000u);
      r86 = as_float(0x00000000u);
      r88 = as_float(0x00000000u);
      r90 = as_float(0x00000000u);
      r92 = as_float(0x00000000u);
      r94 = as_float(0x00000000u);
      r96 = as_float(0x00000000u);
      r98 = as_float(0x00000000u);
      r100 = (int)((uint)r66 + (uint)128);
      r101 = r21 < r100 ? r21 : r100;
      #pragma clang loop vectorize(disable)
      for (r103 = r66; r103 < r101; r103 += 16) {
        #pragma clang loop vectorize(disable)
        for (r106 = r0; r106 < 1024; r106 += 256) {
          r108 = (int)(r106 >> ((uint)4 < 32 ? (uint)4 : (uint)31));
          r110 = r106 & 15;
          r111 = (int)((uint)r16 + (uint)r108);
          r112 = (int)((uint)r103 + (uint)r110);
          r114 = as_float(0x00000000u);
          r115 = (uchar)(r111 < r19);
          r116 = (uchar)(r112 < r21);
          r117 = r115 & r116;
          if (r117) {
            r118 = (uchar)(r111 == r112);
            r120 = convert_float_rte(1);
            r122 = r118 ? r120 : as_float(0x00000000u);
            r123 = r122;
            r124 = (uchar)(r112 < r111);
            if (r124) {
              r126 = (int)((uint)r14 * (uint)4096);
              r128 = (int)((uint)r111 * (uint)64);
              r129 = (int)((uint)r126 + (uint)r128);
              r130 = (int)((uint)r129 + (uint)r112);
              r131 = (int)s0;
              r132 = (int)((uint)r130 + (uint)r131);
              r133 = b0[r132];
              r123 = r133;
            }
            r114 = r123;
          }
          r135 = (int)((uint)r110 * (uint)68);
          r136 = (int)((uint)r135 + (uint)r108);
          a0[r136] = r114;
        }
        #pragma clang loop vectorize(disable)
        for (r139 = r0; r139 < 1024; r139 += 256) {
          r141 = (int)(r139 >> ((uint)6 < 32 ? (uint)6 : (uint)31));
          r143 = r139 & 63;
          r144 = (int)((uint)r18 + (uint)r143);
          r145 = (int)((uint)r103 + (uint)r141);
          r147 = as_float(0x00000000u);
          r148 = (uchar)(r144 < r20);
          r149 = (uchar)(r145 < r21);
          r150 = r148 & r149;
          if (r150) {
            r152 = (int)((uint)r14 * (uint)2048);
            r154 = (int)((uint)r145 * (uint)64);
            r155 = (int)((uint)r152 + (uint)r154);
            r156 = (int)((uint)r155 + (uint)r144);
            r157 = (int)s1;
            r158 = (int)((uint)r156 + (uint)r157);
            r159 = b1[r158];
            r147 = r159;
          }
          r161 = (int)((uint)r141 * (uint)68);
          r162 = (int)((uint)r161 + (uint)r143);
          a1[r162] = r147;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        #pragma clang loop vectorize(disable)
        for (r166 = 0; r166 < 16; r166 += 1) {
          r168 = (int)((uint)r166 * (uint)68);
          r169 = (int)((uint)r168 + (uint)r25);
          {
            float4 v = vload4(0, a0 + r169);
            r170 = v.s0;
            r171 = v.s1;
            r172 = v.s2;
            r173 = v.s3;
          }
          r174 = (int)((uint)r168 + (uint)r29);
          {
            float4 v = vload4(0, a1 + r174);
            r175 = v.s0;
            r176 = v.s1;
            r177 = v.s2;
            r178 = v.s3;
          }
          r179 = fma(r170, r175, r68);
          r68 = r179;
          r180 = fma(r170, r176, r70);
          r70 = r180;
          r181 = fma(r170, r177, r72);
          r72 = r181;
          r182 = fma(r170, r178, r74);
          r74 = r182;
          r183 = fma(r171, r175, r76);
          r76 = r183;
          r184 = fma(r171, r176, r78);
          r78 = r184;
          r185 = fma(r171, r177, r80);
          r80 = r185;
          r186 = fma(r171, r178, r82);
          r82 = r186;
          r187 = fma(r172, r175, r84);
          r84 = r187;
          r188 = fma(r172, r176, r86);
          r86 = r188;
          r189 = fma(r172, r177, r88);
          r88 = r189;
          r190 = fma(r172, r178, r90);
          r90 = r190;
          r191 = fma(r173, r175, r92);
          r92 = r191;
          r192 = fma(r173, r176, r94);
          r94 = r192;
          r193 = fma(r173, r177, r96);
          r96 = r193;
          r194 = fma(r173, r178, r98);
          r98 = r194;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      }
      r195 = r33 + r68;
      r33 = r195;
      r196 = r35 + r70;
      r35 = r196;
      r197 = r37 + r72;
      r37 = r197;
      r198 = r39 + r74;
      r39 = r198;
      r199 = r41 + r76;
      r41 = r199;
      r200 = r43 + r78;
      r43 = r200;
      r201 = r45 + r80;
      r45 = r201;
      r202 = r47 + r82;
      r47 = r202;
      r203 = r49 + r84;
      r49 = r203;
      r204 = r51 + r86;
      r51 = r204;
      r205 = r53 + r88;
      r53 = r205;
      r206 = r55 + r90;
      r55 = r206;
      r207 = r57 + r92;
      r57 = r207;
      r208 = r59 + r94;
      r59 = r208;
      r209 = r61 + r96;
      r61 = r209;
      r210 = r63 + r98;
      r63 = r210;
    }
    r211 = (uchar)(r30 < r19);
    r212 = (uchar)(r31 < r20);
    r213 = r211 & r212;
    if (r213) {
      r215 = (int)((uint)r14 * (uint)4096);
      r217 = (int)((uint)r30 * (uint)64);
      r218 = (int)((uint)r215 + (uint)r217);
      r219 = (int)((uint)r218 + (uint)r31);
      r220 = (int)s2;
      r221 = (int)((uint)r219 + (uint)r220);
      r222 = b2[r221];
      r223 = r222 - r33;
      r224 = r223 != r223 ? as_float(0x7fc00000u) : r223;
      b2[r221] = r224;
    }
    r226 = (int)((uint)r31 + (uint)1);
    r227 = (uchar)(r30 < r19);
    r228 = (uchar)(r226 < r20);
    r229 = r227 & r228;
    if (r229) {
      r231 = (int)((uint)r14 * (uint)4096);
      r233 = (int)((uint)r30 * (uint)64);
      r234 = (int)((uint)r231 + (uint)r233);
      r235 = (int)((uint)r234 + (uint)r226);
      r236 = (int)s2;
      r237 = (int)((uint)r235 + (uint)r236);
      r238 = b2[r237];
      r239 = r238 - r35;
      r240 = r239 != r239 ? as_float(0x7fc00000u) : r239;
      b2[r237] = r240;
    }
    r242 = (int)((uint)r31 + (uint)2);
    r243 = (uchar)(r30 < r19);
    r244 = (uchar)(r242 < r20);
    r245 = r243 & r244;
    if (r245) {
      r247 = (int)((uint)r14 * (uint)4096);
      r249 = (int)((uint)r30 * (uint)64);
      r250 = (int)((uint)r247 + (uint)r249);
      r251 = (int)((uint)r250 + (uint)r242);
      r252 = (int)s2;
      r253 = (int)((uint)r251 + (uint)r252);
      r254 = b2[r253];
      r255 = r254 - r37;
      r256 = r255 != r255 ? as_float(0x7fc00000u) : r255;
      b2[r253] = r256;
    }
    r258 = (int)((uint)r31 + (uint)3);
    r259 = (uchar)(r30 < r19);
    r260 = (uchar)(r258 < r20);
    r261 = r259 & r260;
    if (r261) {
      r263 = (int)((uint)r14 * (uint)4096);
      r265 = (int)((uint)r30 * (uint)64);
      r266 = (int)((uint)r263 + (uint)r265);
      r267 = (int)((uint)r266 + (uint)r258);
      r268 = (int)s2;
      r269 = (int)((uint)r267 + (uint)r268);
      r270 = b2[r269];
      r271 = r270 - r39;
      r272 = r271 != r271 ? as_float(0x7fc00000u) : r271;
      b2[r269] = r272;
    }
    r274 = (int)((uint)r30 + (uint)1);
    r275 = (uchar)(r274 < r19);
    r276 = (uchar)(r31 < r20);
    r277 = r275 & r276;
    if (r277) {
      r279 = (int)((uint)r14 * (uint)4096);
      r281 = (int)((uint)r274 * (uint)64);
      r282 = (int)((uint)r279 + (uint)r281);
      r283 = (int)((uint)r282 + (uint)r31);
      r284 = (int)s2;
      r285 = (int)((uint)r283 + (uint)r284);
      r286 = b2[r285];
      r287 = r286 - r41;
      r288 = r287 != r287 ? as_float(0x7fc00000u) : r287;
      b2[r285] = r288;
    }
    r290 = (int)((uint)r30 + (uint)1);
    r292 = (int)((uint)r31 + (uint)1);
    r293 = (uchar)(r290 < r19);
    r294 = (uchar)(r292 < r20);
    r295 = r293 & r294;
    if (r295) {
      r297 = (int)((uint)r14 * (uint)4096);
      r299 = (int)((uint)r290 * (uint)64);
      r300 = (int)((uint)r297 + (uint)r299);
      r301 = (int)((uint)r300 + (uint)r292);
      r302 = (int)s2;
      r303 = (int)((uint)r301 + (uint)r302);
      r304 = b2[r303];
      r305 = r304 - r43;
      r306 = r305 != r305 ? as_float(0x7fc00000u) : r305;
      b2[r303] = r306;
    }
    r308 = (int)((uint)r30 + (uint)1);
    r310 = (int)((uint)r31 + (uint)2);
    r311 = (uchar)(r308 < r19);
    r312 = (uchar)(r310 < r20);
    r313 = r311 & r312;
    if (r313) {
      r315 = (int)((uint)r14 * (uint)4096);
      r317 = (int)((uint)r308 * (uint)64);
      r318 = (int)((uint)r315 + (uint)r317);
      r319 = (int)((uint)r318 + (uint)r310);
      r320 = (int)s2;
      r321 = (int)((uint)r319 + (uint)r320);
      r322 = b2[r321];
      r323 = r322 - r45;
      r324 = r323 != r323 ? as_float(0x7fc00000u) : r323;
      b2[r321] = r324;
    }
    r326 = (int)((uint)r30 + (uint)1);
    r328 = (int)((uint)r31 + (uint)3);
    r329 = (uchar)(r326 < r19);
    r330 = (uchar)(r328 < r20);
    r331 = r329 & r330;
    if (r331) {
      r333 = (int)((uint)r14 * (uint)4096);
      r335 = (int)((uint)r326 * (uint)64);
      r336 = (int)((uint)r333 + (uint)r335);
      r337 = (int)((uint)r336 + (uint)r328);
      r338 = (int)s2;
      r339 = (int)((uint)r337 + (uint)r338);
      r340 = b2[r339];
      r341 = r340 - r47;
      r342 = r341 != r341 ? as_float(0x7fc00000u) : r341;
      b2[r339] = r342;
    }
    r344 = (int)((uint)r30 + (uint)2);
    r345 = (uchar)(r344 < r19);
    r346 = (uchar)(r31 < r20);
    r347 = r345 & r346;
    if (r347) {
      r349 = (int)((uint)r14 * (uint)4096);
      r351 = (int)((uint)r344 * (uint)64);
      r352 = (int)((uint)r349 + (uint)r351);
      r353 = (int)((uint)r352 + (uint)r31);
      r354 = (int)s2;
      r355 = (int)((uint)r353 + (uint)r354);
      r356 = b2[r355];
      r357 = r356 - r49;
      r358 = r357 != r357 ? as_float(0x7fc00000u) : r357;
      b2[r355] = r358;
    }
    r360 = (int)((uint)r30 + (uint)2);
    r362 = (int)((uint)r31 + (uint)1);
    r363 = (uchar)(r360 < r19);
    r364 = (uchar)(r362 < r20);
    r365 = r363 & r364;
    if (r365) {
      r367 = (int)((uint)r14 * (uint)4096);
      r369 = (int)((uint)r360 * (uint)64);
      r370 = (int)((uint)r367 + (uint)r369);
      r371 = (int)((uint)r370 + (uint)r362);
      r372 = (int)s2;
      r373 = (int)((uint)r371 + (uint)r372);
      r374 = b2[r373];
      r375 = r374 - r51;
      r376 = r375 != r375 ? as_float(0x7fc00000u) : r375;
      b2[r373] = r376;
    }
    r378 = (int)((uint)r30 + (uint)2);
    r380 = (int)((uint)r31 + (uint)2);
    r381 = (uchar)(r378 < r19);
    r382 = (uchar)(r380 < r20);
    r383 = r381 & r382;
    if (r383) {
      r385 = (int)((uint)r14 * (uint)4096);
      r387 = (int)((uint)r378 * (uint)64);
      r388 = (int)((uint)r385 + (uint)r387);
      r389 = (int)((uint)r388 + (uint)r380);
      r390 = (int)s2;
      r391 = (int)((uint)r389 + (uint)r390);
      r392 = b2[r391];
      r393 = r392 - r53;
      r394 = r393 != r393 ? as_float(0x7fc00000u) : r393;
      b2[r391] = r394;
    }
    r396 = (int)((uint)r30 + (uint)2);
    r398 = (int)((uint)r31 + (uint)3);
    r399 = (uchar)(r396 < r19);
    r400 = (uchar)(r398 < r20);
    r401 = r399 & r400;
    if (r401) {
      r403 = (int)((uint)r14 * (uint)4096);
      r405 = (int)((uint)r396 * (uint)64);
      r406 = (int)((uint)r403 + (uint)r405);
      r407 = (int)((uint)r406 + (uint)r398);
      r408 = (int)s2;
      r409 = (int)((uint)r407 + (uint)r408);
      r410 = b2[r409];
      r411 = r410 - r55;
      r412 = r411 != r411 ? as_float(0x7fc00000u) : r411;
      b2[r409] = r412;
    }
    r414 = (int)((uint)r30 + (uint)3);
    r415 = (uchar)(r414 < r19);
    r416 = (uchar)(r31 < r20);
    r417 = r415 & r416;
    if (r417) {
      r419 = (int)((uint)r14 * (uint)4096);
      r421 = (int)((uint)r414 * (uint)64);
      r422 = (int)((uint)r419 + (uint)r421);
      r423 = (int)((uint)r422 + (uint)r31);
      r424 = (int)s2;
      r425 = (int)((uint)r423 + (uint)r424);
      r426 = b2[r425];
      r427 = r426 - r57;
      r428 = r427 != r427 ? as_float(0x7fc00000u) : r427;
      b2[r425] = r428;
    }
    r430 = (int)((uint)r30 + (uint)3);
    r432 = (int)((uint)r31 + (uint)1);
    r433 = (uchar)(r430 < r19);
    r434 = (uchar)(r432 < r20);
    r435 = r433 & r434;
    if (r435) {
      r437 = (int)((uint)r14 * (uint)4096);
      r439 = (int)((uint)r430 * (uint)64);
      r440 = (int)((uint)r437 + (uint)r439);
      r441 = (int)((uint)r440 + (uint)r432);
      r442 = (int)s2;
      r443 = (int)((uint)r441 + (uint)r442);
      r444 = b2[r443];
      r445 = r444 - r59;
      r446 = r445 != r445 ? as_float(0x7fc00000u) : r445;
      b2[r443] = r446;
    }
    r448 = (int)((uint)r30 + (uint)3);
    r450 = (int)((uint)r31 + (uint)2);
    r451 = (uchar)(r448 < r19);
    r452 = (uchar)(r450 < r20);
    r453 = r451 & r452;
    if (r453) {
      r455 = (int)((uint)r14 * (uint)4096);
      r457 = (int)((uint)r448 * (uint)64);
      r458 = (int)((uint)r455 + (uint)r457);
      r459 = (int)((uint)r458 + (uint)r450);
      r460 = (int)s2;
      r461 = (int)((uint)r459 + (uint)r460);
      r462 = b2[r461];
      r463 = r462 - r61;
      r464 = r463 != r463 ? as_float(0x7fc00000u) : r463;
      b2[r461] = r464;
    }
    r466 = (int)((uint)r30 + (uint)3);
    r468 = (int)((uint)r31 + (uint)3);
    r469 = (uchar)(r466 < r19);
    r470 = (uchar)(r468 < r20);
    r471 = r469 & r470;
    if (r471) {
      r473 = (int)((uint)r14 * (uint)4096);
      r475 = (int)((uint)r466 * (uint)64);
      r476 = (int)((uint)r473 + (uint)r475);
      r477 = (int)((uint)r476 + (uint)r468);
      r478 = (int)s2;
      r479 = (int)((uint)r477 + (uint)r478);
      r480 = b2[r479];
      r481 = r480 - r63;
      r482 = r481 != r481 ? as_float(0x7fc00000u) : r481;
      b2[r479] = r482;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
