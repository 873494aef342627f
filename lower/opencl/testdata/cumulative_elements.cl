#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void k0_k0_cumsum_elements(__global const uchar *m0, long o0, __global uchar *m1, long o1, __global const uchar *m2, long o2, __global const uchar *m3, long o3) {
  __global const float *b0 = (__global const float *)(m0 + o0);
  __global float *b1 = (__global float *)(m1 + o1);
  __global const float *b2 = (__global const float *)(m2 + o2);
  __global const float *b3 = (__global const float *)(m3 + o3);
  __local float a0[4608];
  __local float a1[128];
  uchar r15, r49, r347, r351, r355, r359, r363, r367, r371, r375, r379, r383, r387, r391, r395, r399;
  uchar r403, r407, r411, r415, r419, r423, r427, r431, r435, r439, r443, r447, r451, r455, r459, r463;
  uchar r467, r470, r472, r476, r480, r548, r607, r608, r620, r621, r633, r634, r646, r647, r659, r660;
  uchar r672, r673, r685, r686, r698, r699, r766, r767, r770, r771, r774, r775, r778, r779, r782, r783;
  uchar r786, r787, r790, r791, r794, r795;
  int r0, r1, r2, r4, r6, r8, r10, r12, r13, r17, r19, r21, r22, r24, r26, r29;
  int r31, r32, r34, r37, r39, r40, r42, r45, r47, r48, r51, r52, r54, r56, r58, r59;
  int r60, r62, r64, r66, r68, r70, r72, r74, r76, r82, r88, r94, r100, r106, r112, r118;
  int r124, r126, r128, r130, r132, r134, r136, r138, r140, r142, r144, r146, r148, r150, r152, r154;
  int r156, r158, r160, r162, r164, r166, r168, r170, r171, r173, r175, r177, r178, r179, r183, r185;
  int r186, r188, r189, r191, r193, r195, r197, r199, r201, r203, r205, r207, r209, r211, r213, r215;
  int r217, r219, r229, r231, r233, r235, r237, r239, r241, r243, r244, r312, r546, r547, r550, r551;
  int r553, r555, r557, r558, r559, r561, r563, r565, r567, r569, r571, r573, r611, r614, r617, r624;
  int r627, r630, r637, r640, r643, r650, r653, r656, r663, r666, r669, r676, r679, r682, r689, r692;
  int r695, r702, r705, r708, r710, r712, r714, r716, r717, r718, r722, r724, r725, r727, r728, r730;
  int r732, r734, r736, r738, r740, r742, r745, r748, r751, r754, r757, r760, r763;
  float r27, r35, r43, r77, r78, r79, r80, r83, r84, r85, r86, r89, r90, r91, r92, r95;
  float r96, r97, r98, r101, r102, r103, r104, r107, r108, r109, r110, r113, r114, r115, r116, r119;
  float r120, r121, r122, r220, r221, r222, r223, r224, r225, r226, r227, r245, r246, r247, r248, r249;
  float r250, r251, r252, r253, r254, r255, r256, r257, r258, r259, r260, r261, r262, r263, r264, r265;
  float r266, r267, r268, r269, r270, r271, r272, r273, r274, r275, r276, r278, r279, r280, r281, r282;
  float r283, r284, r285, r286, r287, r288, r289, r290, r291, r292, r293, r294, r295, r296, r297, r298;
  float r299, r300, r301, r302, r303, r304, r305, r306, r307, r308, r309, r313, r314, r315, r316, r317;
  float r318, r319, r320, r321, r322, r323, r324, r325, r326, r327, r328, r329, r330, r331, r332, r333;
  float r334, r335, r336, r337, r338, r339, r340, r341, r342, r343, r344, r345, r348, r349, r352, r353;
  float r356, r357, r360, r361, r364, r365, r368, r369, r372, r373, r376, r377, r380, r381, r384, r385;
  float r388, r389, r392, r393, r396, r397, r400, r401, r404, r405, r408, r409, r412, r413, r416, r417;
  float r420, r421, r424, r425, r428, r429, r432, r433, r436, r437, r440, r441, r444, r445, r448, r449;
  float r452, r453, r456, r457, r460, r461, r464, r465, r468, r473, r474, r477, r478, r479, r481, r482;
  float r483, r484, r485, r486, r487, r488, r489, r490, r491, r492, r493, r494, r495, r496, r497, r498;
  float r499, r500, r501, r502, r503, r504, r505, r506, r507, r508, r509, r510, r511, r512, r513, r514;
  float r515, r516, r517, r518, r519, r520, r521, r522, r523, r524, r525, r526, r527, r528, r529, r530;
  float r531, r532, r533, r534, r535, r536, r537, r538, r539, r540, r541, r542, r543, r544, r574, r575;
  float r576, r577, r578, r579, r580, r581, r582, r583, r584, r585, r586, r587, r588, r589, r590, r591;
  float r592, r593, r594, r595, r596, r597, r598, r599, r600, r601, r602, r603, r604, r605, r609, r612;
  float r615, r618, r622, r625, r628, r631, r635, r638, r641, r644, r648, r651, r654, r657, r661, r664;
  float r667, r670, r674, r677, r680, r683, r687, r690, r693, r696, r700, r703, r706, r709, r743, r746;
  float r749, r752, r755, r758, r761, r764, r768, r772, r776, r780, r784, r788, r792, r796;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  #pragma clang loop vectorize(disable)
  for (r4 = r1; r4 < 25; r4 += r2) {
    r6 = r0 & 31;
    r8 = (int)(r0 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
    r10 = (int)((uint)r8 * (uint)1152);
    r12 = (int)((uint)r4 * (uint)4);
    r13 = (int)((uint)r12 + (uint)r8);
    r15 = (uchar)(r13 < 98);
    r17 = r13 < 97 ? r13 : 97;
    r19 = 98 == 0 ? (int)-1 : 98 == -1 ? (int)(0 - (uint)r17) : (int)(r17 / 98);
    r21 = (int)((uint)r19 * (uint)98);
    r22 = (int)((uint)r17 - (uint)r21);
    r24 = (int)((uint)r22 * (uint)1024);
    r26 = (int)((uint)r22 + (uint)((int)0xffffffffu));
    r29 = (int)((uint)r19 * (uint)100);
    r31 = r26 > 0 ? r26 : 0;
    r32 = (int)((uint)r29 + (uint)r31);
    r27 = b2[r32];
    r34 = (int)((uint)r22 + (uint)((int)0xffffffffu));
    r37 = (int)((uint)r19 * (uint)100);
    r39 = r34 > 0 ? r34 : 0;
    r40 = (int)((uint)r37 + (uint)r39);
    r35 = b3[r40];
    r42 = (int)((uint)r22 + (uint)((int)0xfffffffeu));
    r45 = (int)((uint)r19 * (uint)100);
    r47 = r42 > 0 ? r42 : 0;
    r48 = (int)((uint)r45 + (uint)r47);
    r43 = b3[r48];
    r49 = (uchar)((ulong)b0 % 16 == 0);
    if (r49) {
      r51 = (int)((uint)r6 * (uint)4);
      r52 = (int)((uint)r24 + (uint)r51);
      r54 = (int)(r51 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
      r56 = (int)((uint)r54 * (uint)36);
      r58 = r51 & 31;
      r59 = (int)((uint)r56 + (uint)r58);
      r60 = (int)((uint)r10 + (uint)r59);
      r62 = (int)((uint)r52 + (uint)128);
      r64 = (int)((uint)r52 + (uint)256);
      r66 = (int)((uint)r52 + (uint)384);
      r68 = (int)((uint)r52 + (uint)512);
      r70 = (int)((uint)r52 + (uint)640);
      r72 = (int)((uint)r52 + (uint)768);
      r74 = (int)((uint)r52 + (uint)896);
      r76 = r52 < 99996 ? r52 : 99996;
      {
        float4 v = vload4(0, b0 + r76);
        r77 = v.s0;
        r78 = v.s1;
        r79 = v.s2;
        r80 = v.s3;
      }
      r82 = r62 < 99996 ? r62 : 99996;
      {
        float4 v = vload4(0, b0 + r82);
        r83 = v.s0;
        r84 = v.s1;
        r85 = v.s2;
        r86 = v.s3;
      }
      r88 = r64 < 99996 ? r64 : 99996;
      {
        float4 v = vload4(0, b0 + r88);
        r89 = v.s0;
        r90 = v.s1;
        r91 = v.s2;
        r92 = v.s3;
      }
      r94 = r66 < 99996 ? r66 : 99996;
      {
        float4 v = vload4(0, b0 + r94);
        r95 = v.s0;
        r96 = v.s1;
        r97 = v.s2;
        r98 = v.s3;
      }
      r100 = r68 < 99996 ? r68 : 99996;
      {
        float4 v = vload4(0, b0 + r100);
        r101 = v.s0;
        r102 = v.s1;
        r103 = v.s2;
        r104 = v.s3;
      }
      r106 = r70 < 99996 ? r70 : 99996;
      {
        float4 v = vload4(0, b0 + r106);
        r107 = v.s0;
        r108 = v.s1;
        r109 = v.s2;
        r110 = v.s3;
      }
      r112 = r72 < 99996 ? r72 : 99996;
      {
        float4 v = vload4(0, b0 + r112);
        r113 = v.s0;
        r114 = v.s1;
        r115 = v.s2;
        r116 = v.s3;
      }
      r118 = r74 < 99996 ? r74 : 99996;
      {
        float4 v = vload4(0, b0 + r118);
        r119 = v.s0;
        r120 = v.s1;
        r121 = v.s2;
        r122 = v.s3;
      }
      r124 = (int)((uint)r76 + (uint)1);
      r126 = (int)((uint)r76 + (uint)2);
      r128 = (int)((uint)r76 + (uint)3);
      r130 = (int)((uint)r82 + (uint)1);
      r132 = (int)((uint)r82 + (uint)2);
      r134 = (int)((uint)r82 + (uint)3);
      r136 = (int)((uint)r88 + (uint)1);
      r138 = (int)((uint)r88 + (uint)2);
      r140 = (int)((uint)r88 + (uint)3);
      r142 = (int)((uint)r94 + (uint)1);
      r144 = (int)((uint)r94 + (uint)2);
      r146 = (int)((uint)r94 + (uint)3);
      r148 = (int)((uint)r100 + (uint)1);
      r150 = (int)((uint)r100 + (uint)2);
      r152 = (int)((uint)r100 + (uint)3);
      r154 = (int)((uint)r106 + (uint)1);
      r156 = (int)((uint)r106 + (uint)2);
      r158 = (int)((uint)r106 + (uint)3);
      r160 = (int)((uint)r112 + (uint)1);
      r162 = (int)((uint)r112 + (uint)2);
      r164 = (int)((uint)r112 + (uint)3);
      r166 = (int)((uint)r118 + (uint)1);
      r168 = (int)((uint)r118 + (uint)2);
      r170 = (int)((uint)r118 + (uint)3);
      vstore4((float4)(r77, r78, r79, r80), 0, a0 + r60);
      vstore4((float4)(r83, r84, r85, r86), 0, a0 + (r60 + 144));
      vstore4((float4)(r89, r90, r91, r92), 0, a0 + (r60 + 288));
      vstore4((float4)(r95, r96, r97, r98), 0, a0 + (r60 + 432));
      vstore4((float4)(r101, r102, r103, r104), 0, a0 + (r60 + 576));
      vstore4((float4)(r107, r108, r109, r110), 0, a0 + (r60 + 720));
      vstore4((float4)(r113, r114, r115, r116), 0, a0 + (r60 + 864));
      vstore4((float4)(r119, r120, r121, r122), 0, a0 + (r60 + 1008));
    } else {
      r171 = (int)((uint)r24 + (uint)r6);
      r173 = (int)(r6 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
      r175 = (int)((uint)r173 * (uint)36);
      r177 = r6 & 31;
      r178 = (int)((uint)r175 + (uint)r177);
      r179 = (int)((uint)r10 + (uint)r178);
      #pragma clang loop vectorize(disable)
      for (r183 = 0; r183 < 32; r183 += 8) {
        r185 = (int)((uint)r183 * (uint)32);
        r186 = (int)((uint)r171 + (uint)r185);
        r188 = (int)((uint)r183 * (uint)36);
        r189 = (int)((uint)r179 + (uint)r188);
        r191 = (int)((uint)r186 + (uint)32);
        r193 = (int)((uint)r186 + (uint)64);
        r195 = (int)((uint)r186 + (uint)96);
        r197 = (int)((uint)r186 + (uint)128);
        r199 = (int)((uint)r186 + (uint)160);
        r201 = (int)((uint)r186 + (uint)192);
        r203 = (int)((uint)r186 + (uint)224);
        r205 = r186 < 99999 ? r186 : 99999;
        r207 = r191 < 99999 ? r191 : 99999;
        r209 = r193 < 99999 ? r193 : 99999;
        r211 = r195 < 99999 ? r195 : 99999;
        r213 = r197 < 99999 ? r197 : 99999;
        r215 = r199 < 99999 ? r199 : 99999;
        r217 = r201 < 99999 ? r201 : 99999;
        r219 = r203 < 99999 ? r203 : 99999;
        r220 = b0[r205];
        r221 = b0[r207];
        r222 = b0[r209];
        r223 = b0[r211];
        r224 = b0[r213];
        r225 = b0[r215];
        r226 = b0[r217];
        r227 = b0[r219];
        a0[r189] = r220;
        r229 = (int)((uint)r189 + (uint)36);
        a0[r229] = r221;
        r231 = (int)((uint)r189 + (uint)72);
        a0[r231] = r222;
        r233 = (int)((uint)r189 + (uint)108);
        a0[r233] = r223;
        r235 = (int)((uint)r189 + (uint)144);
        a0[r235] = r224;
        r237 = (int)((uint)r189 + (uint)180);
        a0[r237] = r225;
        r239 = (int)((uint)r189 + (uint)216);
        a0[r239] = r226;
        r241 = (int)((uint)r189 + (uint)252);
        a0[r241] = r227;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r243 = (int)((uint)r6 * (uint)36);
    r244 = (int)((uint)r10 + (uint)r243);
    {
      float4 v = vload4(0, a0 + r244);
      r245 = v.s0;
      r246 = v.s1;
      r247 = v.s2;
      r248 = v.s3;
    }
    {
      float4 v = vload4(0, a0 + (r244 + 4));
      r249 = v.s0;
      r250 = v.s1;
      r251 = v.s2;
      r252 = v.s3;
    }
    {
      float4 v = vload4(0, a0 + (r244 + 8));
      r253 = v.s0;
      r254 = v.s1;
      r255 = v.s2;
      r256 = v.s3;
    }
    {
      float4 v = vload4(0, a0 + (r244 + 12));
      r257 = v.s0;
      r258 = v.s1;
      r259 = v.s2;
      r260 = v.s3;
    }
    {
      float4 v = vload4(0, a0 + (r244 + 16));
      r261 = v.s0;
      r262 = v.s1;
      r263 = v.s2;
      r264 = v.s3;
    }
    {
      float4 v = vload4(0, a0 + (r244 + 20));
      r265 = v.s0;
      r266 = v.s1;
      r267 = v.s2;
      r268 = v.s3;
    }
    {
      float4 v = vload4(0, a0 + (r244 + 24));
      r269 = v.s0;
      r270 = v.s1;
      r271 = v.s2;
      r272 = v.s3;
    }
    {
      float4 v = vload4(0, a0 + (r244 + 28));
      r273 = v.s0;
      r274 = v.s1;
      r275 = v.s2;
      r276 = v.s3;
    }
    r278 = as_float(0x00000000u) + r245;
    r279 = r278 + r246;
    r280 = r279 + r247;
    r281 = r280 + r248;
    r282 = r281 + r249;
    r283 = r282 + r250;
    r284 = r283 + r251;
    r285 = r284 + r252;
    r286 = r285 + r253;
    r287 = r286 + r254;
    r288 = r287 + r255;
    r289 = r288 + r256;
    r290 = r289 + r257;
    r291 = r290 + r258;
    r292 = r291 + r259;
    r293 = r292 + r260;
    r294 = r293 + r261;
    r295 = r294 + r262;
    r296 = r295 + r263;
    r297 = r296 + r264;
    r298 = r297 + r265;
    r299 = r298 + r266;
    r300 = r299 + r267;
    r301 = r300 + r268;
    r302 = r301 + r269;
    r303 = r302 + r270;
    r304 = r303 + r271;
    r305 = r304 + r272;
    r306 = r305 + r273;
    r307 = r306 + r274;
    r308 = r307 + r275;
    r309 = r308 + r276;
    a1[r0] = r309;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r312 = (int)((uint)r0 - (uint)r6);
    {
      float4 v = vload4(0, a1 + r312);
      r313 = v.s0;
      r314 = v.s1;
      r315 = v.s2;
      r316 = v.s3;
    }
    {
      float4 v = vload4(0, a1 + (r312 + 4));
      r317 = v.s0;
      r318 = v.s1;
      r319 = v.s2;
      r320 = v.s3;
    }
    {
      float4 v = vload4(0, a1 + (r312 + 8));
      r321 = v.s0;
      r322 = v.s1;
      r323 = v.s2;
      r324 = v.s3;
    }
    {
      float4 v = vload4(0, a1 + (r312 + 12));
      r325 = v.s0;
      r326 = v.s1;
      r327 = v.s2;
      r328 = v.s3;
    }
    {
      float4 v = vload4(0, a1 + (r312 + 16));
      r329 = v.s0;
      r330 = v.s1;
      r331 = v.s2;
      r332 = v.s3;
    }
    {
      float4 v = vload4(0, a1 + (r312 + 20));
      r333 = v.s0;
      r334 = v.s1;
      r335 = v.s2;
      r336 = v.s3;
    }
    {
      float4 v = vload4(0, a1 + (r312 + 24));
      r337 = v.s0;
      r338 = v.s1;
      r339 = v.s2;
      r340 = v.s3;
    }
    {
      float4 v = vload4(0, a1 + (r312 + 28));
      r341 = v.s0;
      r342 = v.s1;
      r343 = v.s2;
      r344 = v.s3;
    }
    r345 = as_float(0x00000000u) + r313;
    r347 = (uchar)(r6 == 1);
    r348 = r347 ? r345 : as_float(0x00000000u);
    r349 = r345 + r314;
    r351 = (uchar)(r6 == 2);
    r352 = r351 ? r349 : r348;
    r353 = r349 + r315;
    r355 = (uchar)(r6 == 3);
    r356 = r355 ? r353 : r352;
    r357 = r353 + r316;
    r359 = (uchar)(r6 == 4);
    r360 = r359 ? r357 : r356;
    r361 = r357 + r317;
    r363 = (uchar)(r6 == 5);
    r364 = r363 ? r361 : r360;
    r365 = r361 + r318;
    r367 = (uchar)(r6 == 6);
    r368 = r367 ? r365 : r364;
    r369 = r365 + r319;
    r371 = (uchar)(r6 == 7);
    r372 = r371 ? r369 : r368;
    r373 = r369 + r320;
    r375 = (uchar)(r6 == 8);
    r376 = r375 ? r373 : r372;
    r377 = r373 + r321;
    r379 = (uchar)(r6 == 9);
    r380 = r379 ? r377 : r376;
    r381 = r377 + r322;
    r383 = (uchar)(r6 == 10);
    r384 = r383 ? r381 : r380;
    r385 = r381 + r323;
    r387 = (uchar)(r6 == 11);
    r388 = r387 ? r385 : r384;
    r389 = r385 + r324;
    r391 = (uchar)(r6 == 12);
    r392 = r391 ? r389 : r388;
    r393 = r389 + r325;
    r395 = (uchar)(r6 == 13);
    r396 = r395 ? r393 : r392;
    r397 = r393 + r326;
    r399 = (uchar)(r6 == 14);
    r400 = r399 ? r397 : r396;
    r401 = r397 + r327;
    r403 = (uchar)(r6 == 15);
    r404 = r403 ? r401 : r400;
    r405 = r401 + r328;
    r407 = (uchar)(r6 == 16);
    r408 = r407 ? r405 : r404;
    r409 = r405 + r329;
    r411 = (uchar)(r6 == 17);
    r412 = r411 ? r409 : r408;
    r413 = r409 + r330;
    r415 = (uchar)(r6 == 18);
    r416 = r415 ? r413 : r412;
    r417 = r413 + r331;
    r419 = (uchar)(r6 == 19);
    r420 = r419 ? r417 : r416;
    r421 = r417 + r332;
    r423 = (uchar)(r6 == 20);
    r424 = r423 ? r421 : r420;
    r425 = r421 + r333;
    r427 = (uchar)(r6 == 21);
    r428 = r427 ? r425 : r424;
    r429 = r425 + r334;
    r431 = (uchar)(r6 == 22);
    r432 = r431 ? r429 : r428;
    r433 = r429 + r335;
    r435 = (uchar)(r6 == 23);
    r436 = r435 ? r433 : r432;
    r437 = r433 + r336;
    r439 = (uchar)(r6 == 24);
    r440 = r439 ? r437 : r436;
    r441 = r437 + r337;
    r443 = (uchar)(r6 == 25);
    r444 = r443 ? r441 : r440;
    r445 = r441 + r338;
    r447 = (uchar)(r6 == 26);
    r448 = r447 ? r445 : r444;
    r449 = r445 + r339;
    r451 = (uchar)(r6 == 27);
    r452 = r451 ? r449 : r448;
    r453 = r449 + r340;
    r455 = (uchar)(r6 == 28);
    r456 = r455 ? r453 : r452;
    r457 = r453 + r341;
    r459 = (uchar)(r6 == 29);
    r460 = r459 ? r457 : r456;
    r461 = r457 + r342;
    r463 = (uchar)(r6 == 30);
    r464 = r463 ? r461 : r460;
    r465 = r461 + r343;
    r467 = (uchar)(r6 == 31);
    r468 = r467 ? r465 : r464;
    r470 = (uchar)(r6 == 0);
    r472 = (uchar)(r22 == 0);
    r473 = r35 + r468;
    r474 = r472 ? r468 : r473;
    r476 = (uchar)(r22 == 1);
    r477 = r43 + r27;
    r478 = r476 ? r27 : r477;
    r479 = r470 ? r478 : r474;
    r480 = r472 & r470;
    r481 = r479 + r278;
    r482 = r480 ? r278 : r481;
    r483 = r479 + r279;
    r484 = r480 ? r279 : r483;
    r485 = r479 + r280;
    r486 = r480 ? r280 : r485;
    r487 = r479 + r281;
    r488 = r480 ? r281 : r487;
    r489 = r479 + r282;
    r490 = r480 ? r282 : r489;
    r491 = r479 + r283;
    r492 = r480 ? r283 : r491;
    r493 = r479 + r284;
    r494 = r480 ? r284 : r493;
    r495 = r479 + r285;
    r496 = r480 ? r285 : r495;
    r497 = r479 + r286;
    r498 = r480 ? r286 : r497;
    r499 = r479 + r287;
    r500 = r480 ? r287 : r499;
    r501 = r479 + r288;
    r502 = r480 ? r288 : r501;
    r503 = r479 + r289;
    r504 = r480 ? r289 : r503;
    r505 = r479 + r290;
    r506 = r480 ? r290 : r505;
    r507 = r479 + r291;
    r508 = r480 ? r291 : r507;
    r509 = r479 + r292;
    r510 = r480 ? r292 : r509;
    r511 = r479 + r293;
    r512 = r480 ? r293 : r511;
    r513 = r479 + r294;
    r514 = r480 ? r294 : r513;
    r515 = r479 + r295;
    r516 = r480 ? r295 : r515;
    r517 = r479 + r296;
    r518 = r480 ? r296 : r517;
    r519 = r479 + r297;
    r520 = r480 ? r297 : r519;
    r521 = r479 + r298;
    r522 = r480 ? r298 : r521;
    r523 = r479 + r299;
    r524 = r480 ? r299 : r523;
    r525 = r479 + r300;
    r526 = r480 ? r300 : r525;
    r527 = r479 + r301;
    r528 = r480 ? r301 : r527;
    r529 = r479 + r302;
    r530 = r480 ? r302 : r529;
    r531 = r479 + r303;
    r532 = r480 ? r303 : r531;
    r533 = r479 + r304;
    r534 = r480 ? r304 : r533;
    r535 = r479 + r305;
    r536 = r480 ? r305 : r535;
    r537 = r479 + r306;
    r538 = r480 ? r306 : r537;
    r539 = r479 + r307;
    r540 = r480 ? r307 : r539;
    r541 = r479 + r308;
    r542 = r480 ? r308 : r541;
    r543 = r479 + r309;
    r544 = r480 ? r309 : r543;
    r546 = (int)((uint)r6 * (uint)36);
    r547 = (int)((uint)r10 + (uint)r546);
    vstore4((float4)(r482, r484, r486, r488), 0, a0 + r547);
    vstore4((float4)(r490, r492, r494, r496), 0, a0 + (r547 + 4));
    vstore4((float4)(r498, r500, r502, r504), 0, a0 + (r547 + 8));
    vstore4((float4)(r506, r508, r510, r512), 0, a0 + (r547 + 12));
    vstore4((float4)(r514, r516, r518, r520), 0, a0 + (r547 + 16));
    vstore4((float4)(r522, r524, r526, r528), 0, a0 + (r547 + 20));
    vstore4((float4)(r530, r532, r534, r536), 0, a0 + (r547 + 24));
    vstore4((float4)(r538, r540, r542, r544), 0, a0 + (r547 + 28));
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r548 = (uchar)((ulong)b1 % 16 == 0);
    if (r548) {
      r550 = (int)((uint)r6 * (uint)4);
      r551 = (int)((uint)r24 + (uint)r550);
      r553 = (int)(r550 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
      r555 = (int)((uint)r553 * (uint)36);
      r557 = r550 & 31;
      r558 = (int)((uint)r555 + (uint)r557);
      r559 = (int)((uint)r10 + (uint)r558);
      r561 = (int)((uint)r551 + (uint)128);
      r563 = (int)((uint)r551 + (uint)256);
      r565 = (int)((uint)r551 + (uint)384);
      r567 = (int)((uint)r551 + (uint)512);
      r569 = (int)((uint)r551 + (uint)640);
      r571 = (int)((uint)r551 + (uint)768);
      r573 = (int)((uint)r551 + (uint)896);
      {
        float4 v = vload4(0, a0 + r559);
        r574 = v.s0;
        r575 = v.s1;
        r576 = v.s2;
        r577 = v.s3;
      }
      {
        float4 v = vload4(0, a0 + (r559 + 144));
        r578 = v.s0;
        r579 = v.s1;
        r580 = v.s2;
        r581 = v.s3;
      }
      {
        float4 v = vload4(0, a0 + (r559 + 288));
        r582 = v.s0;
        r583 = v.s1;
        r584 = v.s2;
        r585 = v.s3;
      }
      {
        float4 v = vload4(0, a0 + (r559 + 432));
        r586 = v.s0;
        r587 = v.s1;
        r588 = v.s2;
        r589 = v.s3;
      }
      {
        float4 v = vload4(0, a0 + (r559 + 576));
        r590 = v.s0;
        r591 = v.s1;
        r592 = v.s2;
        r593 = v.s3;
      }
      {
        float4 v = vload4(0, a0 + (r559 + 720));
        r594 = v.s0;
        r595 = v.s1;
        r596 = v.s2;
        r597 = v.s3;
      }
      {
        float4 v = vload4(0, a0 + (r559 + 864));
        r598 = v.s0;
        r599 = v.s1;
        r600 = v.s2;
        r601 = v.s3;
      }
      {
        float4 v = vload4(0, a0 + (r559 + 1008));
        r602 = v.s0;
        r603 = v.s1;
        r604 = v.s2;
        r605 = v.s3;
      }
      r607 = (uchar)(r551 < 100000);
      r608 = r607 & r15;
      if (r608) {
        r609 = r574 != r574 ? as_float(0x7fc00000u) : r574;
        r611 = (int)((uint)r551 + (uint)1);
        r612 = r575 != r575 ? as_float(0x7fc00000u) : r575;
        r614 = (int)((uint)r551 + (uint)2);
        r615 = r576 != r576 ? as_float(0x7fc00000u) : r576;
        r617 = (int)((uint)r551 + (uint)3);
        r618 = r577 != r577 ? as_float(0x7fc00000u) : r577;
        vstore4((float4)(r609, r612, r615, r618), 0, b1 + r551);
      }
      r620 = (uchar)(r561 < 100000);
      r621 = r620 & r15;
      if (r621) {
        r622 = r578 != r578 ? as_float(0x7fc00000u) : r578;
        r624 = (int)((uint)r561 + (uint)1);
        r625 = r579 != r579 ? as_float(0x7fc00000u) : r579;
        r627 = (int)((uint)r561 + (uint)2);
        r628 = r580 != r580 ? as_float(0x7fc00000u) : r580;
        r630 = (int)((uint)r561 + (uint)3);
        r631 = r581 != r581 ? as_float(0x7fc00000u) : r581;
        vstore4((float4)(r622, r625, r628, r631), 0, b1 + r561);
      }
      r633 = (uchar)(r563 < 100000);
      r634 = r633 & r15;
      if (r634) {
        r635 = r582 != r582 ? as_float(0x7fc00000u) : r582;
        r637 = (int)((uint)r563 + (uint)1);
        r638 = r583 != r583 ? as_float(0x7fc00000u) : r583;
        r640 = (int)((uint)r563 + (uint)2);
        r641 = r584 != r584 ? as_float(0x7fc00000u) : r584;
        r643 = (int)((uint)r563 + (uint)3);
        r644 = r585 != r585 ? as_float(0x7fc00000u) : r585;
        vstore4((float4)(r635, r638, r641, r644), 0, b1 + r563);
      }
      r646 = (uchar)(r565 < 100000);
      r647 = r646 & r15;
      if (r647) {
        r648 = r586 != r586 ? as_float(0x7fc00000u) : r586;
        r650 = (int)((uint)r565 + (uint)1);
        r651 = r587 != r587 ? as_float(0x7fc00000u) : r587;
        r653 = (int)((uint)r565 + (uint)2);
        r654 = r588 != r588 ? as_float(0x7fc00000u) : r588;
        r656 = (int)((uint)r565 + (uint)3);
        r657 = r589 != r589 ? as_float(0x7fc00000u) : r589;
        vstore4((float4)(r648, r651, r654, r657), 0, b1 + r565);
      }
      r659 = (uchar)(r567 < 100000);
      r660 = r659 & r15;
      if (r660) {
        r661 = r590 != r590 ? as_float(0x7fc00000u) : r590;
        r663 = (int)((uint)r567 + (uint)1);
        r664 = r591 != r591 ? as_float(0x7fc00000u) : r591;
        r666 = (int)((uint)r567 + (uint)2);
        r667 = r592 != r592 ? as_float(0x7fc00000u) : r592;
        r669 = (int)((uint)r567 + (uint)3);
        r670 = r593 != r593 ? as_float(0x7fc00000u) : r593;
        vstore4((float4)(r661, r664, r667, r670), 0, b1 + r567);
      }
      r672 = (uchar)(r569 < 100000);
      r673 = r672 & r15;
      if (r673) {
        r674 = r594 != r594 ? as_float(0x7fc00000u) : r594;
        r676 = (int)((uint)r569 + (uint)1);
        r677 = r595 != r595 ? as_float(0x7fc00000u) : r595;
        r679 = (int)((uint)r569 + (uint)2);
        r680 = r596 != r596 ? as_float(0x7fc00000u) : r596;
        r682 = (int)((uint)r569 + (uint)3);
        r683 = r597 != r597 ? as_float(0x7fc00000u) : r597;
        vstore4((float4)(r674, r677, r680, r683), 0, b1 + r569);
      }
      r685 = (uchar)(r571 < 100000);
      r686 = r685 & r15;
      if (r686) {
        r687 = r598 != r598 ? as_float(0x7fc00000u) : r598;
        r689 = (int)((uint)r571 + (uint)1);
        r690 = r599 != r599 ? as_float(0x7fc00000u) : r599;
        r692 = (int)((uint)r571 + (uint)2);
        r693 = r600 != r600 ? as_float(0x7fc00000u) : r600;
        r695 = (int)((uint)r571 + (uint)3);
        r696 = r601 != r601 ? as_float(0x7fc00000u) : r601;
        vstore4((float4)(r687, r690, r693, r696), 0, b1 + r571);
      }
      r698 = (uchar)(r573 < 100000);
      r699 = r698 & r15;
      if (r699) {
        r700 = r602 != r602 ? as_float(0x7fc00000u) : r602;
        r702 = (int)((uint)r573 + (uint)1);
        r703 = r603 != r603 ? as_float(0x7fc00000u) : r603;
        r705 = (int)((uint)r573 + (uint)2);
        r706 = r604 != r604 ? as_float(0x7fc00000u) : r604;
        r708 = (int)((uint)r573 + (uint)3);
        r709 = r605 != r605 ? as_float(0x7fc00000u) : r605;
        vstore4((float4)(r700, r703, r706, r709), 0, b1 + r573);
      }
    } else {
      r710 = (int)((uint)r24 + (uint)r6);
      r712 = (int)(r6 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
      r714 = (int)((uint)r712 * (uint)36);
      r716 = r6 & 31;
      r717 = (int)((uint)r714 + (uint)r716);
      r718 = (int)((uint)r10 + (uint)r717);
      #pragma clang loop vectorize(disable)
      for (r722 = 0; r722 < 32; r722 += 8) {
        r724 = (int)((uint)r722 * (uint)32);
        r725 = (int)((uint)r710 + (uint)r724);
        r727 = (int)((uint)r722 * (uint)36);
        r728 = (int)((uint)r718 + (uint)r727);
        r730 = (int)((uint)r725 + (uint)32);
        r732 = (int)((uint)r725 + (uint)64);
        r734 = (int)((uint)r725 + (uint)96);
        r736 = (int)((uint)r725 + (uint)128);
        r738 = (int)((uint)r725 + (uint)160);
        r740 = (int)((uint)r725 + (uint)192);
        r742 = (int)((uint)r725 + (uint)224);
        r743 = a0[r728];
        r745 = (int)((uint)r728 + (uint)36);
        r746 = a0[r745];
        r748 = (int)((uint)r728 + (uint)72);
        r749 = a0[r748];
        r751 = (int)((uint)r728 + (uint)108);
        r752 = a0[r751];
        r754 = (int)((uint)r728 + (uint)144);
        r755 = a0[r754];
        r757 = (int)((uint)r728 + (uint)180);
        r758 = a0[r757];
        r760 = (int)((uint)r728 + (uint)216);
        r761 = a0[r760];
        r763 = (int)((uint)r728 + (uint)252);
        r764 = a0[r763];
        r766 = (uchar)(r725 < 100000);
        r767 = r766 & r15;
        if (r767) {
          r768 = r743 != r743 ? as_float(0x7fc00000u) : r743;
          b1[r725] = r768;
        }
        r770 = (uchar)(r730 < 100000);
        r771 = r770 & r15;
        if (r771) {
          r772 = r746 != r746 ? as_float(0x7fc00000u) : r746;
          b1[r730] = r772;
        }
        r774 = (uchar)(r732 < 100000);
        r775 = r774 & r15;
        if (r775) {
          r776 = r749 != r749 ? as_float(0x7fc00000u) : r749;
          b1[r732] = r776;
        }
        r778 = (uchar)(r734 < 100000);
        r779 = r778 & r15;
        if (r779) {
          r780 = r752 != r752 ? as_float(0x7fc00000u) : r752;
          b1[r734] = r780;
        }
        r782 = (uchar)(r736 < 100000);
        r783 = r782 & r15;
        if (r783) {
          r784 = r755 != r755 ? as_float(0x7fc00000u) : r755;
          b1[r736] = r784;
        }
        r786 = (uchar)(r738 < 100000);
        r787 = r786 & r15;
        if (r787) {
          r788 = r758 != r758 ? as_float(0x7fc00000u) : r758;
          b1[r738] = r788;
        }
        r790 = (uchar)(r740 < 100000);
        r791 = r790 & r15;
        if (r791) {
          r792 = r761 != r761 ? as_float(0x7fc00000u) : r761;
          b1[r740] = r792;
        }
        r794 = (uchar)(r742 < 100000);
        r795 = r794 & r15;
        if (r795) {
          r796 = r764 != r764 ? as_float(0x7fc00000u) : r764;
          b1[r742] = r796;
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
