#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void k0_panel_product(__global const uchar *m0, long o0, __global const uchar *m1, long o1, __global uchar *m2, long o2, long s0, long s1, long s2, long s3, long s4, long s5, long s6, long s7) {
  __global const float *b0 = (__global const float *)(m0 + o0);
  __global const float *b1 = (__global const float *)(m1 + o1);
  __global float *b2 = (__global float *)(m2 + o2);
  __local float a0[1088];
  __local float a1[1088];
  uchar r115, r116, r117, r118, r123, r147, r148, r149, r210, r211, r212, r228, r229, r230, r246, r247;
  uchar r248, r264, r265, r266, r282, r283, r284, r302, r303, r304, r322, r323, r324, r342, r343, r344;
  uchar r360, r361, r362, r380, r381, r382, r400, r401, r402, r420, r421, r422, r438, r439, r440, r458;
  uchar r459, r460, r478, r479, r480, r498, r499, r500;
  int r0, r1, r2, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r16, r18;
  int r19, r20, r21, r23, r25, r27, r29, r30, r31, r66, r100, r101, r103, r106, r108, r110;
  int r111, r112, r125, r127, r128, r129, r130, r131, r134, r135, r138, r140, r142, r143, r144, r151;
  int r153, r154, r155, r156, r157, r160, r161, r165, r167, r168, r173, r214, r216, r217, r218, r219;
  int r220, r227, r232, r234, r235, r236, r237, r238, r245, r250, r252, r253, r254, r255, r256, r263;
  int r268, r270, r271, r272, r273, r274, r281, r286, r288, r289, r290, r291, r292, r299, r301, r306;
  int r308, r309, r310, r311, r312, r319, r321, r326, r328, r329, r330, r331, r332, r339, r341, r346;
  int r348, r349, r350, r351, r352, r359, r364, r366, r367, r368, r369, r370, r377, r379, r384, r386;
  int r387, r388, r389, r390, r397, r399, r404, r406, r407, r408, r409, r410, r417, r419, r424, r426;
  int r427, r428, r429, r430, r437, r442, r444, r445, r446, r447, r448, r455, r457, r462, r464, r465;
  int r466, r467, r468, r475, r477, r482, r484, r485, r486, r487, r488, r495, r497, r502, r504, r505;
  int r506, r507, r508;
  float r33, r35, r37, r39, r41, r43, r45, r47, r49, r51, r53, r55, r57, r59, r61, r63;
  float r68, r70, r72, r74, r76, r78, r80, r82, r84, r86, r88, r90, r92, r94, r96, r98;
  float r114, r121, r122, r132, r146, r158, r169, r170, r171, r172, r174, r175, r176, r177, r178, r179;
  float r180, r181, r182, r183, r184, r185, r186, r187, r188, r189, r190, r191, r192, r193, r194, r195;
  float r196, r197, r198, r199, r200, r201, r202, r203, r204, r205, r206, r207, r208, r209, r222, r223;
  float r224, r225, r240, r241, r242, r243, r258, r259, r260, r261, r276, r277, r278, r279, r294, r295;
  float r296, r297, r314, r315, r316, r317, r334, r335, r336, r337, r354, r355, r356, r357, r372, r373;
  float r374, r375, r392, r393, r394, r395, r412, r413, r414, r415, r432, r433, r434, r435, r450, r451;
  float r452, r453, r470, r471, r472, r473, r490, r491, r492, r493, r510, r511, r512, r513;
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
            r121 = r118 ? as_float(0x3f800000u) : as_float(0x00000000u);
            r122 = r121;
            r123 = (uchar)(r112 < r111);
            if (r123) {
              r125 = (int)((uint)r14 * (uint)4096);
              r127 = (int)((uint)r111 * (uint)64);
              r128 = (int)((uint)r125 + (uint)r127);
              r129 = (int)((uint)r128 + (uint)r112);
              r130 = (int)s0;
              r131 = (int)((uint)r129 + (uint)r130);
              r132 = b0[r131];
              r122 = r132;
            }
            r114 = r122;
          }
          r134 = (int)((uint)r110 * (uint)68);
          r135 = (int)((uint)r134 + (uint)r108);
          a0[r135] = r114;
        }
        #pragma clang loop vectorize(disable)
        for (r138 = r0; r138 < 1024; r138 += 256) {
          r140 = (int)(r138 >> ((uint)6 < 32 ? (uint)6 : (uint)31));
          r142 = r138 & 63;
          r143 = (int)((uint)r18 + (uint)r142);
          r144 = (int)((uint)r103 + (uint)r140);
          r146 = as_float(0x00000000u);
          r147 = (uchar)(r143 < r20);
          r148 = (uchar)(r144 < r21);
          r149 = r147 & r148;
          if (r149) {
            r151 = (int)((uint)r14 * (uint)2048);
            r153 = (int)((uint)r144 * (uint)64);
            r154 = (int)((uint)r151 + (uint)r153);
            r155 = (int)((uint)r154 + (uint)r143);
            r156 = (int)s1;
            r157 = (int)((uint)r155 + (uint)r156);
            r158 = b1[r157];
            r146 = r158;
          }
          r160 = (int)((uint)r140 * (uint)68);
          r161 = (int)((uint)r160 + (uint)r142);
          a1[r161] = r146;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        #pragma clang loop vectorize(disable)
        for (r165 = 0; r165 < 16; r165 += 1) {
          r167 = (int)((uint)r165 * (uint)68);
          r168 = (int)((uint)r167 + (uint)r25);
          {
            float4 v = vload4(0, a0 + r168);
            r169 = v.s0;
            r170 = v.s1;
            r171 = v.s2;
            r172 = v.s3;
          }
          r173 = (int)((uint)r167 + (uint)r29);
          {
            float4 v = vload4(0, a1 + r173);
            r174 = v.s0;
            r175 = v.s1;
            r176 = v.s2;
            r177 = v.s3;
          }
          r178 = fma(r169, r174, r68);
          r68 = r178;
          r179 = fma(r169, r175, r70);
          r70 = r179;
          r180 = fma(r169, r176, r72);
          r72 = r180;
          r181 = fma(r169, r177, r74);
          r74 = r181;
          r182 = fma(r170, r174, r76);
          r76 = r182;
          r183 = fma(r170, r175, r78);
          r78 = r183;
          r184 = fma(r170, r176, r80);
          r80 = r184;
          r185 = fma(r170, r177, r82);
          r82 = r185;
          r186 = fma(r171, r174, r84);
          r84 = r186;
          r187 = fma(r171, r175, r86);
          r86 = r187;
          r188 = fma(r171, r176, r88);
          r88 = r188;
          r189 = fma(r171, r177, r90);
          r90 = r189;
          r190 = fma(r172, r174, r92);
          r92 = r190;
          r191 = fma(r172, r175, r94);
          r94 = r191;
          r192 = fma(r172, r176, r96);
          r96 = r192;
          r193 = fma(r172, r177, r98);
          r98 = r193;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      }
      r194 = r33 + r68;
      r33 = r194;
      r195 = r35 + r70;
      r35 = r195;
      r196 = r37 + r72;
      r37 = r196;
      r197 = r39 + r74;
      r39 = r197;
      r198 = r41 + r76;
      r41 = r198;
      r199 = r43 + r78;
      r43 = r199;
      r200 = r45 + r80;
      r45 = r200;
      r201 = r47 + r82;
      r47 = r201;
      r202 = r49 + r84;
      r49 = r202;
      r203 = r51 + r86;
      r51 = r203;
      r204 = r53 + r88;
      r53 = r204;
      r205 = r55 + r90;
      r55 = r205;
      r206 = r57 + r92;
      r57 = r206;
      r207 = r59 + r94;
      r59 = r207;
      r208 = r61 + r96;
      r61 = r208;
      r209 = r63 + r98;
      r63 = r209;
    }
    r210 = (uchar)(r30 < r19);
    r211 = (uchar)(r31 < r20);
    r212 = r210 & r211;
    if (r212) {
      r214 = (int)((uint)r14 * (uint)4096);
      r216 = (int)((uint)r30 * (uint)64);
      r217 = (int)((uint)r214 + (uint)r216);
      r218 = (int)((uint)r217 + (uint)r31);
      r219 = (int)s2;
      r220 = (int)((uint)r218 + (uint)r219);
      r222 = b2[r220];
      r223 = as_float(as_uint(as_float(0x3f800000u)) ^ 0x80000000u);
      r224 = fma(r223, r33, r222);
      r225 = r224 != r224 ? as_float(0x7fc00000u) : r224;
      b2[r220] = r225;
    }
    r227 = (int)((uint)r31 + (uint)1);
    r228 = (uchar)(r30 < r19);
    r229 = (uchar)(r227 < r20);
    r230 = r228 & r229;
    if (r230) {
      r232 = (int)((uint)r14 * (uint)4096);
      r234 = (int)((uint)r30 * (uint)64);
      r235 = (int)((uint)r232 + (uint)r234);
      r236 = (int)((uint)r235 + (uint)r227);
      r237 = (int)s2;
      r238 = (int)((uint)r236 + (uint)r237);
      r240 = b2[r238];
      r241 = as_float(as_uint(as_float(0x3f800000u)) ^ 0x80000000u);
      r242 = fma(r241, r35, r240);
      r243 = r242 != r242 ? as_float(0x7fc00000u) : r242;
      b2[r238] = r243;
    }
    r245 = (int)((uint)r31 + (uint)2);
    r246 = (uchar)(r30 < r19);
    r247 = (uchar)(r245 < r20);
    r248 = r246 & r247;
    if (r248) {
      r250 = (int)((uint)r14 * (uint)4096);
      r252 = (int)((uint)r30 * (uint)64);
      r253 = (int)((uint)r250 + (uint)r252);
      r254 = (int)((uint)r253 + (uint)r245);
      r255 = (int)s2;
      r256 = (int)((uint)r254 + (uint)r255);
      r258 = b2[r256];
      r259 = as_float(as_uint(as_float(0x3f800000u)) ^ 0x80000000u);
      r260 = fma(r259, r37, r258);
      r261 = r260 != r260 ? as_float(0x7fc00000u) : r260;
      b2[r256] = r261;
    }
    r263 = (int)((uint)r31 + (uint)3);
    r264 = (uchar)(r30 < r19);
    r265 = (uchar)(r263 < r20);
    r266 = r264 & r265;
    if (r266) {
      r268 = (int)((uint)r14 * (uint)4096);
      r270 = (int)((uint)r30 * (uint)64);
      r271 = (int)((uint)r268 + (uint)r270);
      r272 = (int)((uint)r271 + (uint)r263);
      r273 = (int)s2;
      r274 = (int)((uint)r272 + (uint)r273);
      r276 = b2[r274];
      r277 = as_float(as_uint(as_float(0x3f800000u)) ^ 0x80000000u);
      r278 = fma(r277, r39, r276);
      r279 = r278 != r278 ? as_float(0x7fc00000u) : r278;
      b2[r274] = r279;
    }
    r281 = (int)((uint)r30 + (uint)1);
    r282 = (uchar)(r281 < r19);
    r283 = (uchar)(r31 < r20);
    r284 = r282 & r283;
    if (r284) {
      r286 = (int)((uint)r14 * (uint)4096);
      r288 = (int)((uint)r281 * (uint)64);
      r289 = (int)((uint)r286 + (uint)r288);
      r290 = (int)((uint)r289 + (uint)r31);
      r291 = (int)s2;
      r292 = (int)((uint)r290 + (uint)r291);
      r294 = b2[r292];
      r295 = as_float(as_uint(as_float(0x3f800000u)) ^ 0x80000000u);
      r296 = fma(r295, r41, r294);
      r297 = r296 != r296 ? as_float(0x7fc00000u) : r296;
      b2[r292] = r297;
    }
    r299 = (int)((uint)r30 + (uint)1);
    r301 = (int)((uint)r31 + (uint)1);
    r302 = (uchar)(r299 < r19);
    r303 = (uchar)(r301 < r20);
    r304 = r302 & r303;
    if (r304) {
      r306 = (int)((uint)r14 * (uint)4096);
      r308 = (int)((uint)r299 * (uint)64);
      r309 = (int)((uint)r306 + (uint)r308);
      r310 = (int)((uint)r309 + (uint)r301);
      r311 = (int)s2;
      r312 = (int)((uint)r310 + (uint)r311);
      r314 = b2[r312];
      r315 = as_float(as_uint(as_float(0x3f800000u)) ^ 0x80000000u);
      r316 = fma(r315, r43, r314);
      r317 = r316 != r316 ? as_float(0x7fc00000u) : r316;
      b2[r312] = r317;
    }
    r319 = (int)((uint)r30 + (uint)1);
    r321 = (int)((uint)r31 + (uint)2);
    r322 = (uchar)(r319 < r19);
    r323 = (uchar)(r321 < r20);
    r324 = r322 & r323;
    if (r324) {
      r326 = (int)((uint)r14 * (uint)4096);
      r328 = (int)((uint)r319 * (uint)64);
      r329 = (int)((uint)r326 + (uint)r328);
      r330 = (int)((uint)r329 + (uint)r321);
      r331 = (int)s2;
      r332 = (int)((uint)r330 + (uint)r331);
      r334 = b2[r332];
      r335 = as_float(as_uint(as_float(0x3f800000u)) ^ 0x80000000u);
      r336 = fma(r335, r45, r334);
      r337 = r336 != r336 ? as_float(0x7fc00000u) : r336;
      b2[r332] = r337;
    }
    r339 = (int)((uint)r30 + (uint)1);
    r341 = (int)((uint)r31 + (uint)3);
    r342 = (uchar)(r339 < r19);
    r343 = (uchar)(r341 < r20);
    r344 = r342 & r343;
    if (r344) {
      r346 = (int)((uint)r14 * (uint)4096);
      r348 = (int)((uint)r339 * (uint)64);
      r349 = (int)((uint)r346 + (uint)r348);
      r350 = (int)((uint)r349 + (uint)r341);
      r351 = (int)s2;
      r352 = (int)((uint)r350 + (uint)r351);
      r354 = b2[r352];
      r355 = as_float(as_uint(as_float(0x3f800000u)) ^ 0x80000000u);
      r356 = fma(r355, r47, r354);
      r357 = r356 != r356 ? as_float(0x7fc00000u) : r356;
      b2[r352] = r357;
    }
    r359 = (int)((uint)r30 + (uint)2);
    r360 = (uchar)(r359 < r19);
    r361 = (uchar)(r31 < r20);
    r362 = r360 & r361;
    if (r362) {
      r364 = (int)((uint)r14 * (uint)4096);
      r366 = (int)((uint)r359 * (uint)64);
      r367 = (int)((uint)r364 + (uint)r366);
      r368 = (int)((uint)r367 + (uint)r31);
      r369 = (int)s2;
      r370 = (int)((uint)r368 + (uint)r369);
      r372 = b2[r370];
      r373 = as_float(as_uint(as_float(0x3f800000u)) ^ 0x80000000u);
      r374 = fma(r373, r49, r372);
      r375 = r374 != r374 ? as_float(0x7fc00000u) : r374;
      b2[r370] = r375;
    }
    r377 = (int)((uint)r30 + (uint)2);
    r379 = (int)((uint)r31 + (uint)1);
    r380 = (uchar)(r377 < r19);
    r381 = (uchar)(r379 < r20);
    r382 = r380 & r381;
    if (r382) {
      r384 = (int)((uint)r14 * (uint)4096);
      r386 = (int)((uint)r377 * (uint)64);
      r387 = (int)((uint)r384 + (uint)r386);
      r388 = (int)((uint)r387 + (uint)r379);
      r389 = (int)s2;
      r390 = (int)((uint)r388 + (uint)r389);
      r392 = b2[r390];
      r393 = as_float(as_uint(as_float(0x3f800000u)) ^ 0x80000000u);
      r394 = fma(r393, r51, r392);
      r395 = r394 != r394 ? as_float(0x7fc00000u) : r394;
      b2[r390] = r395;
    }
    r397 = (int)((uint)r30 + (uint)2);
    r399 = (int)((uint)r31 + (uint)2);
    r400 = (uchar)(r397 < r19);
    r401 = (uchar)(r399 < r20);
    r402 = r400 & r401;
    if (r402) {
      r404 = (int)((uint)r14 * (uint)4096);
      r406 = (int)((uint)r397 * (uint)64);
      r407 = (int)((uint)r404 + (uint)r406);
      r408 = (int)((uint)r407 + (uint)r399);
      r409 = (int)s2;
      r410 = (int)((uint)r408 + (uint)r409);
      r412 = b2[r410];
      r413 = as_float(as_uint(as_float(0x3f800000u)) ^ 0x80000000u);
      r414 = fma(r413, r53, r412);
      r415 = r414 != r414 ? as_float(0x7fc00000u) : r414;
      b2[r410] = r415;
    }
    r417 = (int)((uint)r30 + (uint)2);
    r419 = (int)((uint)r31 + (uint)3);
    r420 = (uchar)(r417 < r19);
    r421 = (uchar)(r419 < r20);
    r422 = r420 & r421;
    if (r422) {
      r424 = (int)((uint)r14 * (uint)4096);
      r426 = (int)((uint)r417 * (uint)64);
      r427 = (int)((uint)r424 + (uint)r426);
      r428 = (int)((uint)r427 + (uint)r419);
      r429 = (int)s2;
      r430 = (int)((uint)r428 + (uint)r429);
      r432 = b2[r430];
      r433 = as_float(as_uint(as_float(0x3f800000u)) ^ 0x80000000u);
      r434 = fma(r433, r55, r432);
      r435 = r434 != r434 ? as_float(0x7fc00000u) : r434;
      b2[r430] = r435;
    }
    r437 = (int)((uint)r30 + (uint)3);
    r438 = (uchar)(r437 < r19);
    r439 = (uchar)(r31 < r20);
    r440 = r438 & r439;
    if (r440) {
      r442 = (int)((uint)r14 * (uint)4096);
      r444 = (int)((uint)r437 * (uint)64);
      r445 = (int)((uint)r442 + (uint)r444);
      r446 = (int)((uint)r445 + (uint)r31);
      r447 = (int)s2;
      r448 = (int)((uint)r446 + (uint)r447);
      r450 = b2[r448];
      r451 = as_float(as_uint(as_float(0x3f800000u)) ^ 0x80000000u);
      r452 = fma(r451, r57, r450);
      r453 = r452 != r452 ? as_float(0x7fc00000u) : r452;
      b2[r448] = r453;
    }
    r455 = (int)((uint)r30 + (uint)3);
    r457 = (int)((uint)r31 + (uint)1);
    r458 = (uchar)(r455 < r19);
    r459 = (uchar)(r457 < r20);
    r460 = r458 & r459;
    if (r460) {
      r462 = (int)((uint)r14 * (uint)4096);
      r464 = (int)((uint)r455 * (uint)64);
      r465 = (int)((uint)r462 + (uint)r464);
      r466 = (int)((uint)r465 + (uint)r457);
      r467 = (int)s2;
      r468 = (int)((uint)r466 + (uint)r467);
      r470 = b2[r468];
      r471 = as_float(as_uint(as_float(0x3f800000u)) ^ 0x80000000u);
      r472 = fma(r471, r59, r470);
      r473 = r472 != r472 ? as_float(0x7fc00000u) : r472;
      b2[r468] = r473;
    }
    r475 = (int)((uint)r30 + (uint)3);
    r477 = (int)((uint)r31 + (uint)2);
    r478 = (uchar)(r475 < r19);
    r479 = (uchar)(r477 < r20);
    r480 = r478 & r479;
    if (r480) {
      r482 = (int)((uint)r14 * (uint)4096);
      r484 = (int)((uint)r475 * (uint)64);
      r485 = (int)((uint)r482 + (uint)r484);
      r486 = (int)((uint)r485 + (uint)r477);
      r487 = (int)s2;
      r488 = (int)((uint)r486 + (uint)r487);
      r490 = b2[r488];
      r491 = as_float(as_uint(as_float(0x3f800000u)) ^ 0x80000000u);
      r492 = fma(r491, r61, r490);
      r493 = r492 != r492 ? as_float(0x7fc00000u) : r492;
      b2[r488] = r493;
    }
    r495 = (int)((uint)r30 + (uint)3);
    r497 = (int)((uint)r31 + (uint)3);
    r498 = (uchar)(r495 < r19);
    r499 = (uchar)(r497 < r20);
    r500 = r498 & r499;
    if (r500) {
      r502 = (int)((uint)r14 * (uint)4096);
      r504 = (int)((uint)r495 * (uint)64);
      r505 = (int)((uint)r502 + (uint)r504);
      r506 = (int)((uint)r505 + (uint)r497);
      r507 = (int)s2;
      r508 = (int)((uint)r506 + (uint)r507);
      r510 = b2[r508];
      r511 = as_float(as_uint(as_float(0x3f800000u)) ^ 0x80000000u);
      r512 = fma(r511, r63, r510);
      r513 = r512 != r512 ? as_float(0x7fc00000u) : r512;
      b2[r508] = r513;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
