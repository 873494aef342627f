#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void k0_convolution(__global const uchar *m0, long o0, __global const uchar *m1, long o1, __global uchar *m2, long o2) {
  __global const float *b0 = (__global const float *)(m0 + o0);
  __global const float *b1 = (__global const float *)(m1 + o1);
  __global float *b2 = (__global float *)(m2 + o2);
  __local float a0[2560];
  __local float a1[2560];
  __local float a2[768];
  uchar r98, r100, r101, r107, r108, r110, r111, r120, r122, r123, r129, r130, r132, r133, r145, r147;
  uchar r148, r154, r155, r157, r158, r170, r172, r173, r179, r180, r182, r183, r195, r197, r198, r204;
  uchar r205, r207, r208, r220, r222, r223, r229, r230, r232, r233, r245, r247, r248, r254, r255, r257;
  uchar r258, r270, r272, r273, r279, r280, r282, r283, r295, r297, r298, r304, r305, r307, r308, r320;
  uchar r322, r323, r329, r330, r332, r333, r391, r413, r414, r427, r435, r462, r484, r485, r498, r598;
  uchar r661, r674, r675, r676, r677, r678, r679, r680, r682, r683, r736, r765, r767, r768, r774, r775;
  uchar r777, r778;
  int r0, r1, r2, r5, r7, r9, r11, r13, r15, r17, r18, r20, r22, r24, r26, r28;
  int r29, r31, r33, r34, r36, r38, r40, r41, r44, r46, r48, r51, r52, r53, r54, r55;
  int r56, r58, r60, r62, r64, r66, r68, r70, r72, r73, r74, r76, r78, r79, r81, r83;
  int r85, r86, r88, r90, r92, r93, r96, r103, r104, r105, r113, r114, r118, r125, r126, r127;
  int r135, r136, r143, r150, r151, r152, r160, r161, r168, r175, r176, r177, r185, r186, r193, r200;
  int r201, r202, r210, r211, r218, r225, r226, r227, r235, r236, r243, r250, r251, r252, r260, r261;
  int r268, r275, r276, r277, r285, r286, r293, r300, r301, r302, r310, r311, r318, r325, r326, r327;
  int r335, r336, r342, r344, r346, r348, r349, r350, r352, r353, r354, r366, r368, r370, r371, r373;
  int r375, r376, r378, r380, r381, r383, r384, r386, r388, r389, r393, r395, r396, r398, r400, r401;
  int r403, r404, r406, r407, r415, r417, r418, r420, r421, r423, r424, r425, r431, r433, r437, r439;
  int r441, r442, r444, r446, r447, r449, r451, r452, r454, r455, r457, r459, r460, r464, r466, r467;
  int r469, r471, r472, r474, r475, r477, r478, r486, r488, r489, r491, r492, r494, r495, r496, r500;
  int r502, r503, r505, r507, r508, r510, r511, r513, r515, r516, r600, r602, r603, r609, r611, r613;
  int r617, r621, r625, r629, r633, r637, r641, r645, r649, r653, r657, r662, r664, r665, r671, r672;
  int r673, r687, r689, r691, r693, r694, r695, r696, r698, r700, r701, r703, r705, r707, r708, r710;
  int r712, r714, r715, r719, r721, r723, r725, r726, r727, r729, r730, r732, r733, r734, r742, r745;
  int r746, r748, r750, r752, r754, r756, r757, r759, r761, r762, r763, r770, r771, r772, r780, r781;
  int r784, r786, r787, r788;
  uint r139, r140, r164, r165, r189, r190, r214, r215, r239, r240, r264, r265, r289, r290, r314, r315;
  uint r339, r340, r408, r409, r411, r479, r480, r482;
  float r356, r357, r358, r359, r360, r361, r362, r363, r517, r518, r519, r520, r521, r522, r523, r524;
  float r525, r526, r527, r528, r529, r530, r531, r532, r533, r534, r535, r536, r537, r538, r539, r540;
  float r541, r542, r543, r544, r545, r546, r547, r548, r549, r550, r551, r552, r553, r554, r555, r556;
  float r557, r558, r559, r560, r561, r562, r563, r564, r565, r566, r567, r568, r569, r570, r571, r572;
  float r573, r574, r575, r576, r577, r578, r579, r580, r581, r582, r583, r584, r585, r586, r587, r588;
  float r589, r590, r591, r592, r593, r594, r595, r596, r604, r605, r606, r607, r614, r615, r618, r619;
  float r622, r623, r626, r627, r630, r631, r634, r635, r638, r639, r642, r643, r646, r647, r650, r651;
  float r654, r655, r658, r659, r666, r667, r668, r669, r735, r738, r743, r782, r783, r789, r790, r791;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  r5 = r0 & 63;
  r7 = (int)(r0 >> ((uint)6 < 32 ? (uint)6 : (uint)31));
  r9 = (int)(r5 >> ((uint)0 < 32 ? (uint)0 : (uint)31));
  r11 = r9 & 1;
  r13 = (int)(r5 >> ((uint)4 < 32 ? (uint)4 : (uint)31));
  r15 = r13 & 1;
  r17 = (int)((uint)r15 * (uint)2);
  r18 = (int)((uint)r11 + (uint)r17);
  r20 = (int)(r5 >> ((uint)1 < 32 ? (uint)1 : (uint)31));
  r22 = r20 & 7;
  r24 = (int)(r5 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
  r26 = r24 & 0;
  r28 = (int)((uint)r26 * (uint)4);
  r29 = (int)((uint)r18 + (uint)r28);
  r31 = (int)(r24 >> ((uint)0 < 32 ? (uint)0 : (uint)31));
  r33 = (int)((uint)r31 * (uint)8);
  r34 = (int)((uint)r22 + (uint)r33);
  #pragma clang loop vectorize(disable)
  for (r36 = r1; r36 < 392; r36 += r2) {
    r38 = 392 == 0 ? (int)-1 : 392 == -1 ? (int)(0 - (uint)r36) : (int)(r36 / 392);
    r40 = (int)((uint)r38 * (uint)392);
    r41 = (int)((uint)r36 - (uint)r40);
    r44 = (int)(r41 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
    r46 = r41 & 31;
    r48 = (int)((uint)r44 * (uint)8);
    r51 = (int)((uint)98 - (uint)r48);
    r52 = 8 < r51 ? 8 : r51;
    r53 = r52 == 0 ? (int)-1 : r52 == -1 ? (int)(0 - (uint)r46) : (int)(r46 / r52);
    r54 = (int)((uint)r53 * (uint)r52);
    r55 = (int)((uint)r46 - (uint)r54);
    r56 = (int)((uint)r48 + (uint)r55);
    r58 = (int)((uint)r56 * (uint)16);
    r60 = (int)((uint)r53 * (uint)16);
    r62 = (int)((uint)r38 * (uint)64);
    r64 = (int)((uint)0 + (uint)r62);
    r66 = r5 & 3;
    r68 = (int)((uint)r66 * (uint)4);
    r70 = (int)(r5 >> ((uint)2 < 32 ? (uint)2 : (uint)31));
    r72 = (int)((uint)r70 * (uint)20);
    r73 = (int)((uint)r72 + (uint)r68);
    r74 = (int)((uint)r58 + (uint)r70);
    r76 = 28 == 0 ? (int)-1 : 28 == -1 ? (int)(0 - (uint)r74) : (int)(r74 / 28);
    r78 = (int)((uint)r76 * (uint)28);
    r79 = (int)((uint)r74 - (uint)r78);
    r81 = (int)((uint)r79 + (uint)((int)0xffffffffu));
    r83 = 28 == 0 ? (int)-1 : 28 == -1 ? (int)(0 - (uint)r76) : (int)(r76 / 28);
    r85 = (int)((uint)r83 * (uint)28);
    r86 = (int)((uint)r76 - (uint)r85);
    r88 = (int)((uint)r86 + (uint)((int)0xffffffffu));
    r90 = (int)((uint)r83 * (uint)25088);
    r92 = (int)((uint)r38 * (uint)32);
    r93 = (int)((uint)r90 + (uint)r92);
    r96 = (int)((uint)r81 + (uint)0);
    r98 = (uchar)(0 <= r96);
    r100 = (uchar)(r96 < 28);
    r101 = r98 & r100;
    r103 = (int)((uint)r96 * (uint)32);
    r104 = (int)((uint)r93 + (uint)r103);
    r105 = (int)((uint)r88 + (uint)0);
    r107 = (uchar)(0 <= r105);
    r108 = r101 & r107;
    r110 = (uchar)(r105 < 28);
    r111 = r108 & r110;
    r113 = (int)((uint)r105 * (uint)896);
    r114 = (int)((uint)r104 + (uint)r113);
    r118 = (int)((uint)r81 + (uint)0);
    r120 = (uchar)(0 <= r118);
    r122 = (uchar)(r118 < 28);
    r123 = r120 & r122;
    r125 = (int)((uint)r118 * (uint)32);
    r126 = (int)((uint)r93 + (uint)r125);
    r127 = (int)((uint)r88 + (uint)0);
    r129 = (uchar)(0 <= r127);
    r130 = r123 & r129;
    r132 = (uchar)(r127 < 28);
    r133 = r130 & r132;
    r135 = (int)((uint)r127 * (uint)896);
    r136 = (int)((uint)r126 + (uint)r135);
    r139 = r133 ? 1u : 0u;
    r140 = 0u | r139;
    r143 = (int)((uint)r81 + (uint)1);
    r145 = (uchar)(0 <= r143);
    r147 = (uchar)(r143 < 28);
    r148 = r145 & r147;
    r150 = (int)((uint)r143 * (uint)32);
    r151 = (int)((uint)r93 + (uint)r150);
    r152 = (int)((uint)r88 + (uint)0);
    r154 = (uchar)(0 <= r152);
    r155 = r148 & r154;
    r157 = (uchar)(r152 < 28);
    r158 = r155 & r157;
    r160 = (int)((uint)r152 * (uint)896);
    r161 = (int)((uint)r151 + (uint)r160);
    r164 = r158 ? 2u : 0u;
    r165 = r140 | r164;
    r168 = (int)((uint)r81 + (uint)2);
    r170 = (uchar)(0 <= r168);
    r172 = (uchar)(r168 < 28);
    r173 = r170 & r172;
    r175 = (int)((uint)r168 * (uint)32);
    r176 = (int)((uint)r93 + (uint)r175);
    r177 = (int)((uint)r88 + (uint)0);
    r179 = (uchar)(0 <= r177);
    r180 = r173 & r179;
    r182 = (uchar)(r177 < 28);
    r183 = r180 & r182;
    r185 = (int)((uint)r177 * (uint)896);
    r186 = (int)((uint)r176 + (uint)r185);
    r189 = r183 ? 4u : 0u;
    r190 = r165 | r189;
    r193 = (int)((uint)r81 + (uint)0);
    r195 = (uchar)(0 <= r193);
    r197 = (uchar)(r193 < 28);
    r198 = r195 & r197;
    r200 = (int)((uint)r193 * (uint)32);
    r201 = (int)((uint)r93 + (uint)r200);
    r202 = (int)((uint)r88 + (uint)1);
    r204 = (uchar)(0 <= r202);
    r205 = r198 & r204;
    r207 = (uchar)(r202 < 28);
    r208 = r205 & r207;
    r210 = (int)((uint)r202 * (uint)896);
    r211 = (int)((uint)r201 + (uint)r210);
    r214 = r208 ? 8u : 0u;
    r215 = r190 | r214;
    r218 = (int)((uint)r81 + (uint)1);
    r220 = (uchar)(0 <= r218);
    r222 = (uchar)(r218 < 28);
    r223 = r220 & r222;
    r225 = (int)((uint)r218 * (uint)32);
    r226 = (int)((uint)r93 + (uint)r225);
    r227 = (int)((uint)r88 + (uint)1);
    r229 = (uchar)(0 <= r227);
    r230 = r223 & r229;
    r232 = (uchar)(r227 < 28);
    r233 = r230 & r232;
    r235 = (int)((uint)r227 * (uint)896);
    r236 = (int)((uint)r226 + (uint)r235);
    r239 = r233 ? 16u : 0u;
    r240 = r215 | r239;
    r243 = (int)((uint)r81 + (uint)2);
    r245 = (uchar)(0 <= r243);
    r247 = (uchar)(r243 < 28);
    r248 = r245 & r247;
    r250 = (int)((uint)r243 * (uint)32);
    r251 = (int)((uint)r93 + (uint)r250);
    r252 = (int)((uint)r88 + (uint)1);
    r254 = (uchar)(0 <= r252);
    r255 = r248 & r254;
    r257 = (uchar)(r252 < 28);
    r258 = r255 & r257;
    r260 = (int)((uint)r252 * (uint)896);
    r261 = (int)((uint)r251 + (uint)r260);
    r264 = r258 ? 32u : 0u;
    r265 = r240 | r264;
    r268 = (int)((uint)r81 + (uint)0);
    r270 = (uchar)(0 <= r268);
    r272 = (uchar)(r268 < 28);
    r273 = r270 & r272;
    r275 = (int)((uint)r268 * (uint)32);
    r276 = (int)((uint)r93 + (uint)r275);
    r277 = (int)((uint)r88 + (uint)2);
    r279 = (uchar)(0 <= r277);
    r280 = r273 & r279;
    r282 = (uchar)(r277 < 28);
    r283 = r280 & r282;
    r285 = (int)((uint)r277 * (uint)896);
    r286 = (int)((uint)r276 + (uint)r285);
    r289 = r283 ? 64u : 0u;
    r290 = r265 | r289;
    r293 = (int)((uint)r81 + (uint)1);
    r295 = (uchar)(0 <= r293);
    r297 = (uchar)(r293 < 28);
    r298 = r295 & r297;
    r300 = (int)((uint)r293 * (uint)32);
    r301 = (int)((uint)r93 + (uint)r300);
    r302 = (int)((uint)r88 + (uint)2);
    r304 = (uchar)(0 <= r302);
    r305 = r298 & r304;
    r307 = (uchar)(r302 < 28);
    r308 = r305 & r307;
    r310 = (int)((uint)r302 * (uint)896);
    r311 = (int)((uint)r301 + (uint)r310);
    r314 = r308 ? 128u : 0u;
    r315 = r290 | r314;
    r318 = (int)((uint)r81 + (uint)2);
    r320 = (uchar)(0 <= r318);
    r322 = (uchar)(r318 < 28);
    r323 = r320 & r322;
    r325 = (int)((uint)r318 * (uint)32);
    r326 = (int)((uint)r93 + (uint)r325);
    r327 = (int)((uint)r88 + (uint)2);
    r329 = (uchar)(0 <= r327);
    r330 = r323 & r329;
    r332 = (uchar)(r327 < 28);
    r333 = r330 & r332;
    r335 = (int)((uint)r327 * (uint)896);
    r336 = (int)((uint)r326 + (uint)r335);
    r339 = r333 ? 256u : 0u;
    r340 = r315 | r339;
    r342 = r5 & 3;
    r344 = (int)((uint)r342 * (uint)4);
    r346 = (int)(r5 >> ((uint)2 < 32 ? (uint)2 : (uint)31));
    r348 = (int)((uint)r346 * (uint)20);
    r349 = (int)((uint)r348 + (uint)r344);
    r350 = (int)((uint)r60 + (uint)r344);
    r352 = (int)((uint)r346 * (uint)64);
    r353 = (int)((uint)r350 + (uint)r352);
    r354 = (int)((uint)r64 + (uint)r353);
    r356 = as_float(0x00000000u);
    r357 = as_float(0x00000000u);
    r358 = as_float(0x00000000u);
    r359 = as_float(0x00000000u);
    r360 = as_float(0x00000000u);
    r361 = as_float(0x00000000u);
    r362 = as_float(0x00000000u);
    r363 = as_float(0x00000000u);
    r366 = (int)(0 >> ((uint)3 < 32 ? (uint)3 : (uint)31));
    r368 = (int)((uint)r366 * (uint)512);
    r370 = (int)((uint)r7 * (uint)128);
    r371 = (int)((uint)r368 + (uint)r370);
    r373 = 0 & 7;
    r375 = (int)((uint)r373 * (uint)16);
    r376 = (int)((uint)r371 + (uint)r375);
    r378 = 0 & 1;
    r380 = (int)((uint)r7 * (uint)2);
    r381 = (int)((uint)r380 + (uint)r378);
    r383 = (int)((uint)r381 * (uint)320);
    r384 = (int)((uint)r383 + (uint)r73);
    r386 = (int)(r376 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
    r388 = r376 & 31;
    r389 = (int)((uint)r388 + (uint)r68);
    r391 = (uchar)(r376 < 288);
    r393 = 3 == 0 ? (int)-1 : 3 == -1 ? (int)(0 - (uint)r386) : (int)(r386 / 3);
    r395 = (int)((uint)r393 * (uint)3);
    r396 = (int)((uint)r386 - (uint)r395);
    r398 = 3 == 0 ? (int)-1 : 3 == -1 ? (int)(0 - (uint)r393) : (int)(r393 / 3);
    r400 = (int)((uint)r398 * (uint)3);
    r401 = (int)((uint)r393 - (uint)r400);
    r403 = (int)((uint)r396 * (uint)32);
    r404 = (int)((uint)r389 + (uint)r403);
    r406 = (int)((uint)r401 * (uint)896);
    r407 = (int)((uint)r404 + (uint)r406);
    r408 = (uint)r386;
    r409 = r408 < 32 ? (uint)(r340 >> r408) : (uint)0;
    r411 = r409 & 1u;
    r413 = (uchar)(r411 == 1u);
    r414 = r391 & r413;
    r415 = (int)((uint)r114 + (uint)r407);
    a0[r384] = r414 ? b0[r415] : 0;
    a0[(r384 + 1)] = r414 ? b0[(r415 + 1)] : 0;
    a0[(r384 + 2)] = r414 ? b0[(r415 + 2)] : 0;
    a0[(r384 + 3)] = r414 ? b0[(r415 + 3)] : 0;
    r417 = (int)((uint)r7 * (uint)2);
    r418 = (int)((uint)r417 + (uint)r378);
    r420 = (int)((uint)r418 * (uint)320);
    r421 = (int)((uint)r420 + (uint)r349);
    r423 = (int)((uint)r376 * (uint)64);
    r424 = (int)((uint)r423 + (uint)r354);
    r425 = (int)((uint)r376 + (uint)r346);
    r427 = (uchar)(r425 < 288);
    a1[r421] = r427 ? b1[r424] : 0;
    a1[(r421 + 1)] = r427 ? b1[(r424 + 1)] : 0;
    a1[(r421 + 2)] = r427 ? b1[(r424 + 2)] : 0;
    a1[(r421 + 3)] = r427 ? b1[(r424 + 3)] : 0;
    #pragma clang loop vectorize(disable)
    for (r431 = 0; r431 < 8; r431 += 1) {
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r433 = (int)((uint)r431 + (uint)1);
      r435 = (uchar)(r433 < 8);
      if (r435) {
        r437 = (int)(r433 >> ((uint)3 < 32 ? (uint)3 : (uint)31));
        r439 = (int)((uint)r437 * (uint)512);
        r441 = (int)((uint)r7 * (uint)128);
        r442 = (int)((uint)r439 + (uint)r441);
        r444 = r433 & 7;
        r446 = (int)((uint)r444 * (uint)16);
        r447 = (int)((uint)r442 + (uint)r446);
        r449 = r433 & 1;
        r451 = (int)((uint)r7 * (uint)2);
        r452 = (int)((uint)r451 + (uint)r449);
        r454 = (int)((uint)r452 * (uint)320);
        r455 = (int)((uint)r454 + (uint)r73);
        r457 = (int)(r447 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
        r459 = r447 & 31;
        r460 = (int)((uint)r459 + (uint)r68);
        r462 = (uchar)(r447 < 288);
        r464 = 3 == 0 ? (int)-1 : 3 == -1 ? (int)(0 - (uint)r457) : (int)(r457 / 3);
        r466 = (int)((uint)r464 * (uint)3);
        r467 = (int)((uint)r457 - (uint)r466);
        r469 = 3 == 0 ? (int)-1 : 3 == -1 ? (int)(0 - (uint)r464) : (int)(r464 / 3);
        r471 = (int)((uint)r469 * (uint)3);
        r472 = (int)((uint)r464 - (uint)r471);
        r474 = (int)((uint)r467 * (uint)32);
        r475 = (int)((uint)r460 + (uint)r474);
        r477 = (int)((uint)r472 * (uint)896);
        r478 = (int)((uint)r475 + (uint)r477);
        r479 = (uint)r457;
        r480 = r479 < 32 ? (uint)(r340 >> r479) : (uint)0;
        r482 = r480 & 1u;
        r484 = (uchar)(r482 == 1u);
        r485 = r462 & r484;
        r486 = (int)((uint)r114 + (uint)r478);
        a0[r455] = r485 ? b0[r486] : 0;
        a0[(r455 + 1)] = r485 ? b0[(r486 + 1)] : 0;
        a0[(r455 + 2)] = r485 ? b0[(r486 + 2)] : 0;
        a0[(r455 + 3)] = r485 ? b0[(r486 + 3)] : 0;
        r488 = (int)((uint)r7 * (uint)2);
        r489 = (int)((uint)r488 + (uint)r449);
        r491 = (int)((uint)r489 * (uint)320);
        r492 = (int)((uint)r491 + (uint)r349);
        r494 = (int)((uint)r447 * (uint)64);
        r495 = (int)((uint)r494 + (uint)r354);
        r496 = (int)((uint)r447 + (uint)r346);
        r498 = (uchar)(r496 < 288);
        a1[r492] = r498 ? b1[r495] : 0;
        a1[(r492 + 1)] = r498 ? b1[(r495 + 1)] : 0;
        a1[(r492 + 2)] = r498 ? b1[(r495 + 2)] : 0;
        a1[(r492 + 3)] = r498 ? b1[(r495 + 3)] : 0;
      }
      r500 = r431 & 1;
      r502 = (int)((uint)r7 * (uint)2);
      r503 = (int)((uint)r502 + (uint)r500);
      r505 = (int)((uint)r503 * (uint)320);
      r507 = (int)((uint)r34 * (uint)20);
      r508 = (int)((uint)r505 + (uint)r507);
      r510 = (int)((uint)r7 * (uint)2);
      r511 = (int)((uint)r510 + (uint)r500);
      r513 = (int)((uint)r511 * (uint)320);
      r515 = (int)((uint)r29 * (uint)4);
      r516 = (int)((uint)r513 + (uint)r515);
      {
        float4 v = vload4(0, a0 + r508);
        r517 = v.s0;
        r518 = v.s1;
        r519 = v.s2;
        r520 = v.s3;
      }
      {
        float4 v = vload4(0, a1 + r516);
        r521 = v.s0;
        r522 = v.s1;
        r523 = v.s2;
        r524 = v.s3;
      }
      {
        float4 v = vload4(0, a1 + (r516 + 20));
        r525 = v.s0;
        r526 = v.s1;
        r527 = v.s2;
        r528 = v.s3;
      }
      r356 = fma(r517, r521, r356);
      r358 = fma(r517, r522, r358);
      r360 = fma(r517, r523, r360);
      r362 = fma(r517, r524, r362);
      {
        float4 v = vload4(0, a1 + (r516 + 40));
        r529 = v.s0;
        r530 = v.s1;
        r531 = v.s2;
        r532 = v.s3;
      }
      r356 = fma(r518, r525, r356);
      r358 = fma(r518, r526, r358);
      r360 = fma(r518, r527, r360);
      r362 = fma(r518, r528, r362);
      {
        float4 v = vload4(0, a1 + (r516 + 60));
        r533 = v.s0;
        r534 = v.s1;
        r535 = v.s2;
        r536 = v.s3;
      }
      r356 = fma(r519, r529, r356);
      r358 = fma(r519, r530, r358);
      r360 = fma(r519, r531, r360);
      r362 = fma(r519, r532, r362);
      {
        float4 v = vload4(0, a0 + (r508 + 4));
        r537 = v.s0;
        r538 = v.s1;
        r539 = v.s2;
        r540 = v.s3;
      }
      {
        float4 v = vload4(0, a1 + (r516 + 80));
        r541 = v.s0;
        r542 = v.s1;
        r543 = v.s2;
        r544 = v.s3;
      }
      r356 = fma(r520, r533, r356);
      r358 = fma(r520, r534, r358);
      r360 = fma(r520, r535, r360);
      r362 = fma(r520, r536, r362);
      {
        float4 v = vload4(0, a1 + (r516 + 100));
        r545 = v.s0;
        r546 = v.s1;
        r547 = v.s2;
        r548 = v.s3;
      }
      r356 = fma(r537, r541, r356);
      r358 = fma(r537, r542, r358);
      r360 = fma(r537, r543, r360);
      r362 = fma(r537, r544, r362);
      {
        float4 v = vload4(0, a1 + (r516 + 120));
        r549 = v.s0;
        r550 = v.s1;
        r551 = v.s2;
        r552 = v.s3;
      }
      r356 = fma(r538, r545, r356);
      r358 = fma(r538, r546, r358);
      r360 = fma(r538, r547, r360);
      r362 = fma(r538, r548, r362);
      {
        float4 v = vload4(0, a1 + (r516 + 140));
        r553 = v.s0;
        r554 = v.s1;
        r555 = v.s2;
        r556 = v.s3;
      }
      r356 = fma(r539, r549, r356);
      r358 = fma(r539, r550, r358);
      r360 = fma(r539, r551, r360);
      r362 = fma(r539, r552, r362);
      {
        float4 v = vload4(0, a0 + (r508 + 8));
        r557 = v.s0;
        r558 = v.s1;
        r559 = v.s2;
        r560 = v.s3;
      }
      {
        float4 v = vload4(0, a1 + (r516 + 160));
        r561 = v.s0;
        r562 = v.s1;
        r563 = v.s2;
        r564 = v.s3;
      }
      r356 = fma(r540, r553, r356);
      r358 = fma(r540, r554, r358);
      r360 = fma(r540, r555, r360);
      r362 = fma(r540, r556, r362);
      {
        float4 v = vload4(0, a1 + (r516 + 180));
        r565 = v.s0;
        r566 = v.s1;
        r567 = v.s2;
        r568 = v.s3;
      }
      r356 = fma(r557, r561, r356);
      r358 = fma(r557, r562, r358);
      r360 = fma(r557, r563, r360);
      r362 = fma(r557, r564, r362);
      {
        float4 v = vload4(0, a1 + (r516 + 200));
        r569 = v.s0;
        r570 = v.s1;
        r571 = v.s2;
        r572 = v.s3;
      }
      r356 = fma(r558, r565, r356);
      r358 = fma(r558, r566, r358);
      r360 = fma(r558, r567, r360);
      r362 = fma(r558, r568, r362);
      {
        float4 v = vload4(0, a1 + (r516 + 220));
        r573 = v.s0;
        r574 = v.s1;
        r575 = v.s2;
        r576 = v.s3;
      }
      r356 = fma(r559, r569, r356);
      r358 = fma(r559, r570, r358);
      r360 = fma(r559, r571, r360);
      r362 = fma(r559, r572, r362);
      {
        float4 v = vload4(0, a0 + (r508 + 12));
        r577 = v.s0;
        r578 = v.s1;
        r579 = v.s2;
        r580 = v.s3;
      }
      {
        float4 v = vload4(0, a1 + (r516 + 240));
        r581 = v.s0;
        r582 = v.s1;
        r583 = v.s2;
        r584 = v.s3;
      }
      r356 = fma(r560, r573, r356);
      r358 = fma(r560, r574, r358);
      r360 = fma(r560, r575, r360);
      r362 = fma(r560, r576, r362);
      {
        float4 v = vload4(0, a1 + (r516 + 260));
        r585 = v.s0;
        r586 = v.s1;
        r587 = v.s2;
        r588 = v.s3;
      }
      r356 = fma(r577, r581, r356);
      r358 = fma(r577, r582, r358);
      r360 = fma(r577, r583, r360);
      r362 = fma(r577, r584, r362);
      {
        float4 v = vload4(0, a1 + (r516 + 280));
        r589 = v.s0;
        r590 = v.s1;
        r591 = v.s2;
        r592 = v.s3;
      }
      r356 = fma(r578, r585, r356);
      r358 = fma(r578, r586, r358);
      r360 = fma(r578, r587, r360);
      r362 = fma(r578, r588, r362);
      {
        float4 v = vload4(0, a1 + (r516 + 300));
        r593 = v.s0;
        r594 = v.s1;
        r595 = v.s2;
        r596 = v.s3;
      }
      r356 = fma(r579, r589, r356);
      r358 = fma(r579, r590, r358);
      r360 = fma(r579, r591, r360);
      r362 = fma(r579, r592, r362);
      r356 = fma(r580, r593, r356);
      r358 = fma(r580, r594, r358);
      r360 = fma(r580, r595, r360);
      r362 = fma(r580, r596, r362);
    }
    r598 = (uchar)(r7 == 0);
    r600 = (int)((uint)r7 + (uint)((int)0xffffffffu));
    r602 = (int)((uint)r600 * (uint)256);
    r603 = (int)((uint)r602 + (uint)r5);
    if (r598) {
      r604 = r357 + r356;
      r357 = r604;
      r605 = r359 + r358;
      r359 = r605;
      r606 = r361 + r360;
      r361 = r606;
      r607 = r363 + r362;
      r363 = r607;
    } else {
      a2[r603] = r356;
      r609 = (int)((uint)r603 + (uint)64);
      a2[r609] = r358;
      r611 = (int)((uint)r603 + (uint)128);
      a2[r611] = r360;
      r613 = (int)((uint)r603 + (uint)192);
      a2[r613] = r362;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (r598) {
      r614 = a2[r5];
      r615 = r357 + r614;
      r357 = r615;
      r617 = (int)((uint)r5 + (uint)64);
      r618 = a2[r617];
      r619 = r359 + r618;
      r359 = r619;
      r621 = (int)((uint)r5 + (uint)128);
      r622 = a2[r621];
      r623 = r361 + r622;
      r361 = r623;
      r625 = (int)((uint)r5 + (uint)192);
      r626 = a2[r625];
      r627 = r363 + r626;
      r363 = r627;
      r629 = (int)((uint)r5 + (uint)256);
      r630 = a2[r629];
      r631 = r357 + r630;
      r357 = r631;
      r633 = (int)((uint)r5 + (uint)320);
      r634 = a2[r633];
      r635 = r359 + r634;
      r359 = r635;
      r637 = (int)((uint)r5 + (uint)384);
      r638 = a2[r637];
      r639 = r361 + r638;
      r361 = r639;
      r641 = (int)((uint)r5 + (uint)448);
      r642 = a2[r641];
      r643 = r363 + r642;
      r363 = r643;
      r645 = (int)((uint)r5 + (uint)512);
      r646 = a2[r645];
      r647 = r357 + r646;
      r357 = r647;
      r649 = (int)((uint)r5 + (uint)576);
      r650 = a2[r649];
      r651 = r359 + r650;
      r359 = r651;
      r653 = (int)((uint)r5 + (uint)640);
      r654 = a2[r653];
      r655 = r361 + r654;
      r361 = r655;
      r657 = (int)((uint)r5 + (uint)704);
      r658 = a2[r657];
      r659 = r363 + r658;
      r363 = r659;
    }
    r356 = as_float(0x00000000u);
    r358 = as_float(0x00000000u);
    r360 = as_float(0x00000000u);
    r362 = as_float(0x00000000u);
    r661 = (uchar)(r7 == 0);
    if (r661) {
      r662 = (int)((uint)r58 + (uint)r34);
      r664 = (int)((uint)r662 * (uint)64);
      r665 = (int)((uint)r62 + (uint)r664);
      r666 = r357 != r357 ? as_float(0x7fc00000u) : r357;
      r667 = r359 != r359 ? as_float(0x7fc00000u) : r359;
      r668 = r361 != r361 ? as_float(0x7fc00000u) : r361;
      r669 = r363 != r363 ? as_float(0x7fc00000u) : r363;
      r671 = (int)((uint)r29 * (uint)4);
      r672 = (int)((uint)r60 + (uint)r671);
      r673 = (int)((uint)r665 + (uint)r672);
      vstore4((float4)(r666, r667, r668, r669), 0, b2 + r673);
    }
    r674 = (uchar)(r357 != r357);
    r675 = (uchar)(r359 != r359);
    r676 = r674 | r675;
    r677 = (uchar)(r361 != r361);
    r678 = r676 | r677;
    r679 = (uchar)(r363 != r363);
    r680 = r678 | r679;
    r682 = (uchar)(r7 == 0);
    r683 = r680 & r682;
    if (r683) {
      #pragma clang loop vectorize(disable)
      for (r687 = 0; r687 < 1; r687 += 1) {
        r689 = (int)(r687 >> ((uint)0 < 32 ? (uint)0 : (uint)31));
        r691 = (int)((uint)r689 * (uint)16);
        r693 = r687 & 0;
        r694 = (int)((uint)r691 + (uint)r693);
        r695 = (int)((uint)r58 + (uint)r694);
        r696 = (int)((uint)r695 + (uint)r34);
        r698 = 28 == 0 ? (int)-1 : 28 == -1 ? (int)(0 - (uint)r696) : (int)(r696 / 28);
        r700 = (int)((uint)r698 * (uint)28);
        r701 = (int)((uint)r696 - (uint)r700);
        r703 = (int)((uint)r701 + (uint)((int)0xffffffffu));
        r705 = 28 == 0 ? (int)-1 : 28 == -1 ? (int)(0 - (uint)r698) : (int)(r698 / 28);
        r707 = (int)((uint)r705 * (uint)28);
        r708 = (int)((uint)r698 - (uint)r707);
        r710 = (int)((uint)r708 + (uint)((int)0xffffffffu));
        r712 = (int)((uint)r705 * (uint)25088);
        r714 = (int)((uint)r38 * (uint)32);
        r715 = (int)((uint)r712 + (uint)r714);
        #pragma clang loop vectorize(disable)
        for (r719 = 0; r719 < 4; r719 += 1) {
          r721 = (int)(r719 >> ((uint)2 < 32 ? (uint)2 : (uint)31));
          r723 = (int)((uint)r721 * (uint)16);
          r725 = r719 & 3;
          r726 = (int)((uint)r723 + (uint)r725);
          r727 = (int)((uint)r60 + (uint)r726);
          r729 = (int)((uint)r29 * (uint)4);
          r730 = (int)((uint)r727 + (uint)r729);
          r732 = (int)((uint)r696 * (uint)64);
          r733 = (int)((uint)r62 + (uint)r732);
          r734 = (int)((uint)r733 + (uint)r730);
          r735 = b2[r734];
          r736 = (uchar)(r735 != r735);
          if (r736) {
            r738 = as_float(0x00000000u);
            #pragma clang loop vectorize(disable)
            for (r742 = 0; r742 < 288; r742 += 128) {
              r743 = as_float(0x00000000u);
              r745 = (int)((uint)r742 + (uint)128);
              r746 = 288 < r745 ? 288 : r745;
              #pragma clang loop vectorize(disable)
              for (r748 = r742; r748 < r746; r748 += 1) {
                r750 = (int)(r748 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
                r752 = r748 & 31;
                r754 = 3 == 0 ? (int)-1 : 3 == -1 ? (int)(0 - (uint)r750) : (int)(r750 / 3);
                r756 = (int)((uint)r754 * (uint)3);
                r757 = (int)((uint)r750 - (uint)r756);
                r759 = 3 == 0 ? (int)-1 : 3 == -1 ? (int)(0 - (uint)r754) : (int)(r754 / 3);
                r761 = (int)((uint)r759 * (uint)3);
                r762 = (int)((uint)r754 - (uint)r761);
                r763 = (int)((uint)r703 + (uint)r757);
                r765 = (uchar)(0 <= r763);
                r767 = (uchar)(r763 < 28);
                r768 = r765 & r767;
                r770 = (int)((uint)r763 * (uint)32);
                r771 = (int)((uint)r715 + (uint)r770);
                r772 = (int)((uint)r710 + (uint)r762);
                r774 = (uchar)(0 <= r772);
                r775 = r768 & r774;
                r777 = (uchar)(r772 < 28);
                r778 = r775 & r777;
                r780 = (int)((uint)r772 * (uint)896);
                r781 = (int)((uint)r771 + (uint)r780);
                if (r778) {
                  r784 = (int)((uint)r781 + (uint)r752);
                  r782 = b0[r784];
                  r786 = (int)((uint)r748 * (uint)64);
                  r787 = (int)((uint)r730 + (uint)r786);
                  r788 = (int)((uint)r64 + (uint)r787);
                  r783 = b1[r788];
                  r789 = fma(r782, r783, r743);
                  r743 = r789;
                }
              }
              r790 = r738 + r743;
              r738 = r790;
            }
            r791 = r738 != r738 ? as_float(0x7fc00000u) : r738;
            b2[r734] = r791;
          }
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
