#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void k0_panel_product(__global const uchar *m0, long o0, __global const uchar *m1, long o1, __global uchar *m2, long o2) {
  __global const double *b0 = (__global const double *)(m0 + o0);
  __global const double *b1 = (__global const double *)(m1 + o1);
  __global double *b2 = (__global double *)(m2 + o2);
  __local double a0[1088];
  __local double a1[1088];
  uchar r111, r113, r114, r115, r121, r144, r146, r147, r207, r209, r210, r223, r225, r226, r239, r241;
  uchar r242, r255, r257, r258, r271, r273, r274, r289, r291, r292, r307, r309, r310, r325, r327, r328;
  uchar r341, r343, r344, r359, r361, r362, r377, r379, r380, r395, r397, r398, r411, r413, r414, r429;
  uchar r431, r432, r447, r449, r450, r465, r467, r468;
  int r0, r1, r2, r4, r6, r7, r9, r10, r12, r14, r16, r18, r20, r22, r23, r24;
  int r60, r95, r96, r98, r101, r103, r105, r106, r107, r123, r125, r126, r127, r130, r131, r134;
  int r136, r138, r139, r140, r149, r151, r152, r153, r156, r157, r161, r163, r164, r169, r212, r214;
  int r215, r216, r221, r228, r230, r231, r232, r237, r244, r246, r247, r248, r253, r260, r262, r263;
  int r264, r269, r276, r278, r279, r280, r285, r287, r294, r296, r297, r298, r303, r305, r312, r314;
  int r315, r316, r321, r323, r330, r332, r333, r334, r339, r346, r348, r349, r350, r355, r357, r364;
  int r366, r367, r368, r373, r375, r382, r384, r385, r386, r391, r393, r400, r402, r403, r404, r409;
  int r416, r418, r419, r420, r425, r427, r434, r436, r437, r438, r443, r445, r452, r454, r455, r456;
  int r461, r463, r470, r472, r473, r474;
  double r26, r28, r30, r32, r34, r36, r38, r40, r42, r44, r46, r48, r50, r52, r54, r56;
  double r62, r64, r66, r68, r70, r72, r74, r76, r78, r80, r82, r84, r86, r88, r90, r92;
  double r109, r117, r119, r120, r128, r142, r154, r165, r166, r167, r168, r170, r171, r172, r173, r174;
  double r175, r176, r177, r178, r179, r180, r181, r182, r183, r184, r185, r186, r187, r188, r189, r190;
  double r191, r192, r193, r194, r195, r196, r197, r198, r199, r200, r201, r202, r203, r204, r205, r217;
  double r218, r219, r233, r234, r235, r249, r250, r251, r265, r266, r267, r281, r282, r283, r299, r300;
  double r301, r317, r318, r319, r335, r336, r337, r351, r352, r353, r369, r370, r371, r387, r388, r389;
  double r405, r406, r407, r421, r422, r423, r439, r440, r441, r457, r458, r459, r475, r476, r477;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  #pragma clang loop vectorize(disable)
  for (r4 = r1; r4 < 1; r4 += r2) {
    r6 = 1 == 0 ? r4 : 1 == -1 ? (int)0 : (int)(r4 % 1);
    r7 = 1 == 0 ? (int)-1 : 1 == -1 ? (int)(0 - (uint)r4) : (int)(r4 / 1);
    r9 = 1 == 0 ? r7 : 1 == -1 ? (int)0 : (int)(r7 % 1);
    r10 = 1 == 0 ? (int)-1 : 1 == -1 ? (int)(0 - (uint)r7) : (int)(r7 / 1);
    r12 = (int)((uint)r9 * (uint)64);
    r14 = (int)((uint)r6 * (uint)64);
    r16 = (int)(r0 >> ((uint)4 < 32 ? (uint)4 : (uint)31));
    r18 = (int)((uint)r16 * (uint)4);
    r20 = r0 & 15;
    r22 = (int)((uint)r20 * (uint)4);
    r23 = (int)((uint)r12 + (uint)r18);
    r24 = (int)((uint)r14 + (uint)r22);
    r26 = as_double(0x0000000000000000ul);
    r28 = as_double(0x0000000000000000ul);
    r30 = as_double(0x0000000000000000ul);
    r32 = as_double(0x0000000000000000ul);
    r34 = as_double(0x0000000000000000ul);
    r36 = as_double(0x0000000000000000ul);
    r38 = as_double(0x0000000000000000ul);
    r40 = as_double(0x0000000000000000ul);
    r42 = as_double(0x0000000000000000ul);
    r44 = as_double(0x0000000000000000ul);
    r46 = as_double(0x0000000000000000ul);
    r48 = as_double(0x0000000000000000ul);
    r50 = as_double(0x0000000000000000ul);
    r52 = as_double(0x0000000000000000ul);
    r54 = as_double(0x0000000000000000ul);
    r56 = as_double(0x0000000000000000ul);
    #pragma clang loop vectorize(disable)
    for (r60 = 0; r60 < 32; r60 += 128) {
      r62 = as_double(0x0000000000000000ul);
      r64 = as_double(0x0000000000000000ul);
      r66 = as_double(0x0000000000000000ul);
      r68 = as_double(0x0000000000000000ul);
      r70 = as_double(0x0000000000000000ul);
      r72 = as_double(0x0000000000000000ul);
      r74 = as_double(0x0000000000000000ul);
      r76 = as_double(0x0000000000000000ul);
      r78 = as_double(0x0000000000000000ul);
      r80 = as_double(0x0000000000000000ul);
      r82 = as_double(0x0000000000000000ul);
      r84 = as_double(0x0000000000000000ul);
      r86 = as_double(0x0000000000000000ul);
      r88 = as_double(0x0000000000000000ul);
      r90 = as_double(0x0000000000000000ul);
      r92 = as_double(0x0000000000000000ul);
      r95 = (int)((uint)r60 + (uint)128);
      r96 = 32 < r95 ? 32 : r95;
      #pragma clang loop vectorize(disable)
      for (r98 = r60; r98 < r96; r98 += 16) {
        #pragma clang loop vectorize(disable)
        for (r101 = r0; r101 < 1024; r101 += 256) {
          r103 = (int)(r101 >> ((uint)4 < 32 ? (uint)4 : (uint)31));
          r105 = r101 & 15;
          r106 = (int)((uint)r12 + (uint)r103);
          r107 = (int)((uint)r98 + (uint)r105);
          r109 = as_double(0x0000000000000000ul);
          r111 = (uchar)(r106 < 64);
          r113 = (uchar)(r107 < 32);
          r114 = r111 & r113;
          if (r114) {
            r115 = (uchar)(r106 == r107);
            r117 = convert_double_rte(1);
            r119 = r115 ? r117 : as_double(0x0000000000000000ul);
            r120 = r119;
            r121 = (uchar)(r107 < r106);
            if (r121) {
              r123 = (int)((uint)r10 * (uint)4096);
              r125 = (int)((uint)r106 * (uint)64);
              r126 = (int)((uint)r123 + (uint)r125);
              r127 = (int)((uint)r126 + (uint)r107);
              r128 = b0[r127];
              r120 = r128;
            }
            r109 = r120;
          }
          r130 = (int)((uint)r105 * (uint)68);
          r131 = (int)((uint)r130 + (uint)r103);
          a0[r131] = r109;
        }
        #pragma clang loop vectorize(disable)
        for (r134 = r0; r134 < 1024; r134 += 256) {
          r136 = (int)(r134 >> ((uint)6 < 32 ? (uint)6 : (uint)31));
          r138 = r134 & 63;
          r139 = (int)((uint)r14 + (uint)r138);
          r140 = (int)((uint)r98 + (uint)r136);
          r142 = as_double(0x0000000000000000ul);
          r144 = (uchar)(r139 < 64);
          r146 = (uchar)(r140 < 32);
          r147 = r144 & r146;
          if (r147) {
            r149 = (int)((uint)r10 * (uint)2048);
            r151 = (int)((uint)r140 * (uint)64);
            r152 = (int)((uint)r149 + (uint)r151);
            r153 = (int)((uint)r152 + (uint)r139);
            r154 = b1[r153];
            r142 = r154;
          }
          r156 = (int)((uint)r136 * (uint)68);
          r157 = (int)((uint)r156 + (uint)r138);
          a1[r157] = r142;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        #pragma clang loop vectorize(disable)
        for (r161 = 0; r161 < 16; r161 += 1) {
          r163 = (int)((uint)r161 * (uint)68);
          r164 = (int)((uint)r163 + (uint)r18);
          {
            double2 v = vload2(0, a0 + r164);
            r165 = v.s0;
            r166 = v.s1;
          }
          {
            double2 v = vload2(0, a0 + (r164 + 2));
            r167 = v.s0;
            r168 = v.s1;
          }
          r169 = (int)((uint)r163 + (uint)r22);
          {
            double2 v = vload2(0, a1 + r169);
            r170 = v.s0;
            r171 = v.s1;
          }
          {
            double2 v = vload2(0, a1 + (r169 + 2));
            r172 = v.s0;
            r173 = v.s1;
          }
          r174 = fma(r165, r170, r62);
          r62 = r174;
          r175 = fma(r165, r171, r64);
          r64 = r175;
          r176 = fma(r165, r172, r66);
          r66 = r176;
          r177 = fma(r165, r173, r68);
          r68 = r177;
          r178 = fma(r166, r170, r70);
          r70 = r178;
          r179 = fma(r166, r171, r72);
          r72 = r179;
          r180 = fma(r166, r172, r74);
          r74 = r180;
          r181 = fma(r166, r173, r76);
          r76 = r181;
          r182 = fma(r167, r170, r78);
          r78 = r182;
          r183 = fma(r167, r171, r80);
          r80 = r183;
          r184 = fma(r167, r172, r82);
          r82 = r184;
          r185 = fma(r167, r173, r84);
          r84 = r185;
          r186 = fma(r168, r170, r86);
          r86 = r186;
          r187 = fma(r168, r171, r88);
          r88 = r187;
          r188 = fma(r168, r172, r90);
          r90 = r188;
          r189 = fma(r168, r173, r92);
          r92 = r189;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      }
      r190 = r26 + r62;
      r26 = r190;
      r191 = r28 + r64;
      r28 = r191;
      r192 = r30 + r66;
      r30 = r192;
      r193 = r32 + r68;
      r32 = r193;
      r194 = r34 + r70;
      r34 = r194;
      r195 = r36 + r72;
      r36 = r195;
      r196 = r38 + r74;
      r38 = r196;
      r197 = r40 + r76;
      r40 = r197;
      r198 = r42 + r78;
      r42 = r198;
      r199 = r44 + r80;
      r44 = r199;
      r200 = r46 + r82;
      r46 = r200;
      r201 = r48 + r84;
      r48 = r201;
      r202 = r50 + r86;
      r50 = r202;
      r203 = r52 + r88;
      r52 = r203;
      r204 = r54 + r90;
      r54 = r204;
      r205 = r56 + r92;
      r56 = r205;
    }
    r207 = (uchar)(r23 < 64);
    r209 = (uchar)(r24 < 64);
    r210 = r207 & r209;
    if (r210) {
      r212 = (int)((uint)r10 * (uint)4096);
      r214 = (int)((uint)r23 * (uint)64);
      r215 = (int)((uint)r212 + (uint)r214);
      r216 = (int)((uint)r215 + (uint)r24);
      r217 = b2[r216];
      r218 = r217 - r26;
      r219 = r218 != r218 ? as_double(0x7ff8000000000000ul) : r218;
      b2[r216] = r219;
    }
    r221 = (int)((uint)r24 + (uint)1);
    r223 = (uchar)(r23 < 64);
    r225 = (uchar)(r221 < 64);
    r226 = r223 & r225;
    if (r226) {
      r228 = (int)((uint)r10 * (uint)4096);
      r230 = (int)((uint)r23 * (uint)64);
      r231 = (int)((uint)r228 + (uint)r230);
      r232 = (int)((uint)r231 + (uint)r221);
      r233 = b2[r232];
      r234 = r233 - r28;
      r235 = r234 != r234 ? as_double(0x7ff8000000000000ul) : r234;
      b2[r232] = r235;
    }
    r237 = (int)((uint)r24 + (uint)2);
    r239 = (uchar)(r23 < 64);
    r241 = (uchar)(r237 < 64);
    r242 = r239 & r241;
    if (r242) {
      r244 = (int)((uint)r10 * (uint)4096);
      r246 = (int)((uint)r23 * (uint)64);
      r247 = (int)((uint)r244 + (uint)r246);
      r248 = (int)((uint)r247 + (uint)r237);
      r249 = b2[r248];
      r250 = r249 - r30;
      r251 = r250 != r250 ? as_double(0x7ff8000000000000ul) : r250;
      b2[r248] = r251;
    }
    r253 = (int)((uint)r24 + (uint)3);
    r255 = (uchar)(r23 < 64);
    r257 = (uchar)(r253 < 64);
    r258 = r255 & r257;
    if (r258) {
      r260 = (int)((uint)r10 * (uint)4096);
      r262 = (int)((uint)r23 * (uint)64);
      r263 = (int)((uint)r260 + (uint)r262);
      r264 = (int)((uint)r263 + (uint)r253);
      r265 = b2[r264];
      r266 = r265 - r32;
      r267 = r266 != r266 ? as_double(0x7ff8000000000000ul) : r266;
      b2[r264] = r267;
    }
    r269 = (int)((uint)r23 + (uint)1);
    r271 = (uchar)(r269 < 64);
    r273 = (uchar)(r24 < 64);
    r274 = r271 & r273;
    if (r274) {
      r276 = (int)((uint)r10 * (uint)4096);
      r278 = (int)((uint)r269 * (uint)64);
      r279 = (int)((uint)r276 + (uint)r278);
      r280 = (int)((uint)r279 + (uint)r24);
      r281 = b2[r280];
      r282 = r281 - r34;
      r283 = r282 != r282 ? as_double(0x7ff8000000000000ul) : r282;
      b2[r280] = r283;
    }
    r285 = (int)((uint)r23 + (uint)1);
    r287 = (int)((uint)r24 + (uint)1);
    r289 = (uchar)(r285 < 64);
    r291 = (uchar)(r287 < 64);
    r292 = r289 & r291;
    if (r292) {
      r294 = (int)((uint)r10 * (uint)4096);
      r296 = (int)((uint)r285 * (uint)64);
      r297 = (int)((uint)r294 + (uint)r296);
      r298 = (int)((uint)r297 + (uint)r287);
      r299 = b2[r298];
      r300 = r299 - r36;
      r301 = r300 != r300 ? as_double(0x7ff8000000000000ul) : r300;
      b2[r298] = r301;
    }
    r303 = (int)((uint)r23 + (uint)1);
    r305 = (int)((uint)r24 + (uint)2);
    r307 = (uchar)(r303 < 64);
    r309 = (uchar)(r305 < 64);
    r310 = r307 & r309;
    if (r310) {
      r312 = (int)((uint)r10 * (uint)4096);
      r314 = (int)((uint)r303 * (uint)64);
      r315 = (int)((uint)r312 + (uint)r314);
      r316 = (int)((uint)r315 + (uint)r305);
      r317 = b2[r316];
      r318 = r317 - r38;
      r319 = r318 != r318 ? as_double(0x7ff8000000000000ul) : r318;
      b2[r316] = r319;
    }
    r321 = (int)((uint)r23 + (uint)1);
    r323 = (int)((uint)r24 + (uint)3);
    r325 = (uchar)(r321 < 64);
    r327 = (uchar)(r323 < 64);
    r328 = r325 & r327;
    if (r328) {
      r330 = (int)((uint)r10 * (uint)4096);
      r332 = (int)((uint)r321 * (uint)64);
      r333 = (int)((uint)r330 + (uint)r332);
      r334 = (int)((uint)r333 + (uint)r323);
      r335 = b2[r334];
      r336 = r335 - r40;
      r337 = r336 != r336 ? as_double(0x7ff8000000000000ul) : r336;
      b2[r334] = r337;
    }
    r339 = (int)((uint)r23 + (uint)2);
    r341 = (uchar)(r339 < 64);
    r343 = (uchar)(r24 < 64);
    r344 = r341 & r343;
    if (r344) {
      r346 = (int)((uint)r10 * (uint)4096);
      r348 = (int)((uint)r339 * (uint)64);
      r349 = (int)((uint)r346 + (uint)r348);
      r350 = (int)((uint)r349 + (uint)r24);
      r351 = b2[r350];
      r352 = r351 - r42;
      r353 = r352 != r352 ? as_double(0x7ff8000000000000ul) : r352;
      b2[r350] = r353;
    }
    r355 = (int)((uint)r23 + (uint)2);
    r357 = (int)((uint)r24 + (uint)1);
    r359 = (uchar)(r355 < 64);
    r361 = (uchar)(r357 < 64);
    r362 = r359 & r361;
    if (r362) {
      r364 = (int)((uint)r10 * (uint)4096);
      r366 = (int)((uint)r355 * (uint)64);
      r367 = (int)((uint)r364 + (uint)r366);
      r368 = (int)((uint)r367 + (uint)r357);
      r369 = b2[r368];
      r370 = r369 - r44;
      r371 = r370 != r370 ? as_double(0x7ff8000000000000ul) : r370;
      b2[r368] = r371;
    }
    r373 = (int)((uint)r23 + (uint)2);
    r375 = (int)((uint)r24 + (uint)2);
    r377 = (uchar)(r373 < 64);
    r379 = (uchar)(r375 < 64);
    r380 = r377 & r379;
    if (r380) {
      r382 = (int)((uint)r10 * (uint)4096);
      r384 = (int)((uint)r373 * (uint)64);
      r385 = (int)((uint)r382 + (uint)r384);
      r386 = (int)((uint)r385 + (uint)r375);
      r387 = b2[r386];
      r388 = r387 - r46;
      r389 = r388 != r388 ? as_double(0x7ff8000000000000ul) : r388;
      b2[r386] = r389;
    }
    r391 = (int)((uint)r23 + (uint)2);
    r393 = (int)((uint)r24 + (uint)3);
    r395 = (uchar)(r391 < 64);
    r397 = (uchar)(r393 < 64);
    r398 = r395 & r397;
    if (r398) {
      r400 = (int)((uint)r10 * (uint)4096);
      r402 = (int)((uint)r391 * (uint)64);
      r403 = (int)((uint)r400 + (uint)r402);
      r404 = (int)((uint)r403 + (uint)r393);
      r405 = b2[r404];
      r406 = r405 - r48;
      r407 = r406 != r406 ? as_double(0x7ff8000000000000ul) : r406;
      b2[r404] = r407;
    }
    r409 = (int)((uint)r23 + (uint)3);
    r411 = (uchar)(r409 < 64);
    r413 = (uchar)(r24 < 64);
    r414 = r411 & r413;
    if (r414) {
      r416 = (int)((uint)r10 * (uint)4096);
      r418 = (int)((uint)r409 * (uint)64);
      r419 = (int)((uint)r416 + (uint)r418);
      r420 = (int)((uint)r419 + (uint)r24);
      r421 = b2[r420];
      r422 = r421 - r50;
      r423 = r422 != r422 ? as_double(0x7ff8000000000000ul) : r422;
      b2[r420] = r423;
    }
    r425 = (int)((uint)r23 + (uint)3);
    r427 = (int)((uint)r24 + (uint)1);
    r429 = (uchar)(r425 < 64);
    r431 = (uchar)(r427 < 64);
    r432 = r429 & r431;
    if (r432) {
      r434 = (int)((uint)r10 * (uint)4096);
      r436 = (int)((uint)r425 * (uint)64);
      r437 = (int)((uint)r434 + (uint)r436);
      r438 = (int)((uint)r437 + (uint)r427);
      r439 = b2[r438];
      r440 = r439 - r52;
      r441 = r440 != r440 ? as_double(0x7ff8000000000000ul) : r440;
      b2[r438] = r441;
    }
    r443 = (int)((uint)r23 + (uint)3);
    r445 = (int)((uint)r24 + (uint)2);
    r447 = (uchar)(r443 < 64);
    r449 = (uchar)(r445 < 64);
    r450 = r447 & r449;
    if (r450) {
      r452 = (int)((uint)r10 * (uint)4096);
      r454 = (int)((uint)r443 * (uint)64);
      r455 = (int)((uint)r452 + (uint)r454);
      r456 = (int)((uint)r455 + (uint)r445);
      r457 = b2[r456];
      r458 = r457 - r54;
      r459 = r458 != r458 ? as_double(0x7ff8000000000000ul) : r458;
      b2[r456] = r459;
    }
    r461 = (int)((uint)r23 + (uint)3);
    r463 = (int)((uint)r24 + (uint)3);
    r465 = (uchar)(r461 < 64);
    r467 = (uchar)(r463 < 64);
    r468 = r465 & r467;
    if (r468) {
      r470 = (int)((uint)r10 * (uint)4096);
      r472 = (int)((uint)r461 * (uint)64);
      r473 = (int)((uint)r470 + (uint)r472);
      r474 = (int)((uint)r473 + (uint)r463);
      r475 = b2[r474];
      r476 = r475 - r56;
      r477 = r476 != r476 ? as_double(0x7ff8000000000000ul) : r476;
      b2[r474] = r477;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
