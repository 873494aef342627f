#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void k0_lower(__global uchar *m0, long o0) {
  __global float *b0 = (__global float *)(m0 + o0);
  __local float a0[1088];
  __local float a1[1088];
  uchar r16, r30, r32, r33, r34, r35, r50, r52, r53, r54, r55, r72, r74, r75, r76, r77;
  uchar r94, r96, r97, r98, r99, r116, r118, r119, r120, r121, r140, r142, r143, r144, r145, r166;
  uchar r168, r169, r170, r171, r192, r194, r195, r196, r197, r216, r218, r219, r220, r221, r240, r242;
  uchar r243, r244, r245, r266, r268, r269, r270, r271, r292, r294, r295, r296, r297, r316, r318, r319;
  uchar r320, r321, r340, r342, r343, r344, r345, r366, r368, r369, r370, r371, r392, r394, r395, r396;
  uchar r397, r428, r429, r430, r456, r457, r458, r523, r525, r526, r527, r528, r541, r543, r544, r545;
  uchar r546, r561, r563, r564, r565, r566, r581, r583, r584, r585, r586, r601, r603, r604, r605, r606;
  uchar r623, r625, r626, r627, r628, r647, r649, r650, r651, r652, r671, r673, r674, r675, r676, r693;
  uchar r695, r696, r697, r698, r715, r717, r718, r719, r720, r739, r741, r742, r743, r744, r763, r765;
  uchar r766, r767, r768, r785, r787, r788, r789, r790, r807, r809, r810, r811, r812, r831, r833, r834;
  uchar r835, r836, r855, r857, r858, r859, r860;
  int r0, r1, r2, r4, r6, r7, r9, r10, r12, r14, r18, r20, r22, r23, r25, r27;
  int r28, r39, r41, r42, r43, r45, r48, r57, r61, r63, r64, r65, r67, r70, r79, r83;
  int r85, r86, r87, r89, r92, r101, r105, r107, r108, r109, r111, r114, r123, r127, r129, r130;
  int r131, r133, r136, r138, r147, r149, r153, r155, r156, r157, r159, r162, r164, r173, r175, r179;
  int r181, r182, r183, r185, r188, r190, r199, r201, r205, r207, r208, r209, r211, r214, r223, r227;
  int r229, r230, r231, r233, r236, r238, r247, r249, r253, r255, r256, r257, r259, r262, r264, r273;
  int r275, r279, r281, r282, r283, r285, r288, r290, r299, r301, r305, r307, r308, r309, r311, r314;
  int r323, r327, r329, r330, r331, r333, r336, r338, r347, r349, r353, r355, r356, r357, r359, r362;
  int r364, r373, r375, r379, r381, r382, r383, r385, r388, r390, r399, r401, r405, r407, r408, r409;
  int r411, r415, r419, r421, r423, r424, r427, r431, r433, r435, r436, r437, r439, r442, r443, r447;
  int r449, r451, r452, r455, r459, r461, r463, r464, r465, r467, r470, r471, r475, r477, r478, r479;
  int r484, r485, r530, r532, r533, r534, r536, r539, r548, r550, r552, r553, r554, r556, r559, r568;
  int r570, r572, r573, r574, r576, r579, r588, r590, r592, r593, r594, r596, r599, r608, r610, r612;
  int r613, r614, r616, r619, r621, r630, r632, r634, r636, r637, r638, r640, r643, r645, r654, r656;
  int r658, r660, r661, r662, r664, r667, r669, r678, r680, r682, r684, r685, r686, r688, r691, r700;
  int r702, r704, r705, r706, r708, r711, r713, r722, r724, r726, r728, r729, r730, r732, r735, r737;
  int r746, r748, r750, r752, r753, r754, r756, r759, r761, r770, r772, r774, r776, r777, r778, r780;
  int r783, r792, r794, r796, r797, r798, r800, r803, r805, r814, r816, r818, r820, r821, r822, r824;
  int r827, r829, r838, r840, r842, r844, r845, r846, r848, r851, r853, r862, r864, r866, r868, r869;
  int r870, r872;
  float r37, r46, r59, r68, r81, r90, r103, r112, r125, r134, r151, r160, r177, r186, r203, r212;
  float r225, r234, r251, r260, r277, r286, r303, r312, r325, r334, r351, r360, r377, r386, r403, r412;
  float r426, r440, r454, r468, r480, r481, r482, r483, r486, r487, r488, r489, r490, r491, r492, r493;
  float r494, r495, r496, r497, r498, r499, r500, r501, r502, r503, r504, r505, r506, r507, r508, r509;
  float r510, r511, r512, r513, r514, r515, r516, r517, r518, r519, r520, r521, r537, r557, r577, r597;
  float r617, r641, r665, r689, r709, r733, r757, r781, r801, r825, r849, r873;
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
    r16 = (uchar)(r14 <= r12);
    r18 = r16 ? 64 : 0;
    r20 = (int)(r0 >> ((uint)4 < 32 ? (uint)4 : (uint)31));
    r22 = (int)((uint)r20 * (uint)4);
    r23 = (int)((uint)r12 + (uint)r22);
    r25 = r0 & 15;
    r27 = (int)((uint)r25 * (uint)4);
    r28 = (int)((uint)r14 + (uint)r27);
    r30 = (uchar)(r23 < 8);
    r32 = (uchar)(r28 < 8);
    r33 = r30 & r32;
    r34 = (uchar)(r28 <= r23);
    r35 = r33 & r34;
    r37 = as_float(0x00000000u);
    if (r35) {
      r39 = (int)((uint)r10 * (uint)40000);
      r41 = (int)((uint)r23 * (uint)200);
      r42 = (int)((uint)r39 + (uint)r41);
      r43 = (int)((uint)r42 + (uint)r28);
      r45 = (int)((uint)r43 + (uint)38592);
      r46 = b0[r45];
      r37 = r46;
    }
    r48 = (int)((uint)r28 + (uint)1);
    r50 = (uchar)(r23 < 8);
    r52 = (uchar)(r48 < 8);
    r53 = r50 & r52;
    r54 = (uchar)(r48 <= r23);
    r55 = r53 & r54;
    r57 = (int)((uint)r28 + (uint)1);
    r59 = as_float(0x00000000u);
    if (r55) {
      r61 = (int)((uint)r10 * (uint)40000);
      r63 = (int)((uint)r23 * (uint)200);
      r64 = (int)((uint)r61 + (uint)r63);
      r65 = (int)((uint)r64 + (uint)r57);
      r67 = (int)((uint)r65 + (uint)38592);
      r68 = b0[r67];
      r59 = r68;
    }
    r70 = (int)((uint)r28 + (uint)2);
    r72 = (uchar)(r23 < 8);
    r74 = (uchar)(r70 < 8);
    r75 = r72 & r74;
    r76 = (uchar)(r70 <= r23);
    r77 = r75 & r76;
    r79 = (int)((uint)r28 + (uint)2);
    r81 = as_float(0x00000000u);
    if (r77) {
      r83 = (int)((uint)r10 * (uint)40000);
      r85 = (int)((uint)r23 * (uint)200);
      r86 = (int)((uint)r83 + (uint)r85);
      r87 = (int)((uint)r86 + (uint)r79);
      r89 = (int)((uint)r87 + (uint)38592);
      r90 = b0[r89];
      r81 = r90;
    }
    r92 = (int)((uint)r28 + (uint)3);
    r94 = (uchar)(r23 < 8);
    r96 = (uchar)(r92 < 8);
    r97 = r94 & r96;
    r98 = (uchar)(r92 <= r23);
    r99 = r97 & r98;
    r101 = (int)((uint)r28 + (uint)3);
    r103 = as_float(0x00000000u);
    if (r99) {
      r105 = (int)((uint)r10 * (uint)40000);
      r107 = (int)((uint)r23 * (uint)200);
      r108 = (int)((uint)r105 + (uint)r107);
      r109 = (int)((uint)r108 + (uint)r101);
      r111 = (int)((uint)r109 + (uint)38592);
      r112 = b0[r111];
      r103 = r112;
    }
    r114 = (int)((uint)r23 + (uint)1);
    r116 = (uchar)(r114 < 8);
    r118 = (uchar)(r28 < 8);
    r119 = r116 & r118;
    r120 = (uchar)(r28 <= r114);
    r121 = r119 & r120;
    r123 = (int)((uint)r23 + (uint)1);
    r125 = as_float(0x00000000u);
    if (r121) {
      r127 = (int)((uint)r10 * (uint)40000);
      r129 = (int)((uint)r123 * (uint)200);
      r130 = (int)((uint)r127 + (uint)r129);
      r131 = (int)((uint)r130 + (uint)r28);
      r133 = (int)((uint)r131 + (uint)38592);
      r134 = b0[r133];
      r125 = r134;
    }
    r136 = (int)((uint)r23 + (uint)1);
    r138 = (int)((uint)r28 + (uint)1);
    r140 = (uchar)(r136 < 8);
    r142 = (uchar)(r138 < 8);
    r143 = r140 & r142;
    r144 = (uchar)(r138 <= r136);
    r145 = r143 & r144;
    r147 = (int)((uint)r23 + (uint)1);
    r149 = (int)((uint)r28 + (uint)1);
    r151 = as_float(0x00000000u);
    if (r145) {
      r153 = (int)((uint)r10 * (uint)40000);
      r155 = (int)((uint)r147 * (uint)200);
      r156 = (int)((uint)r153 + (uint)r155);
      r157 = (int)((uint)r156 + (uint)r149);
      r159 = (int)((uint)r157 + (uint)38592);
      r160 = b0[r159];
      r151 = r160;
    }
    r162 = (int)((uint)r23 + (uint)1);
    r164 = (int)((uint)r28 + (uint)2);
    r166 = (uchar)(r162 < 8);
    r168 = (uchar)(r164 < 8);
    r169 = r166 & r168;
    r170 = (uchar)(r164 <= r162);
    r171 = r169 & r170;
    r173 = (int)((uint)r23 + (uint)1);
    r175 = (int)((uint)r28 + (uint)2);
    r177 = as_float(0x00000000u);
    if (r171) {
      r179 = (int)((uint)r10 * (uint)40000);
      r181 = (int)((uint)r173 * (uint)200);
      r182 = (int)((uint)r179 + (uint)r181);
      r183 = (int)((uint)r182 + (uint)r175);
      r185 = (int)((uint)r183 + (uint)38592);
      r186 = b0[r185];
      r177 = r186;
    }
    r188 = (int)((uint)r23 + (uint)1);
    r190 = (int)((uint)r28 + (uint)3);
    r192 = (uchar)(r188 < 8);
    r194 = (uchar)(r190 < 8);
    r195 = r192 & r194;
    r196 = (uchar)(r190 <= r188);
    r197 = r195 & r196;
    r199 = (int)((uint)r23 + (uint)1);
    r201 = (int)((uint)r28 + (uint)3);
    r203 = as_float(0x00000000u);
    if (r197) {
      r205 = (int)((uint)r10 * (uint)40000);
      r207 = (int)((uint)r199 * (uint)200);
      r208 = (int)((uint)r205 + (uint)r207);
      r209 = (int)((uint)r208 + (uint)r201);
      r211 = (int)((uint)r209 + (uint)38592);
      r212 = b0[r211];
      r203 = r212;
    }
    r214 = (int)((uint)r23 + (uint)2);
    r216 = (uchar)(r214 < 8);
    r218 = (uchar)(r28 < 8);
    r219 = r216 & r218;
    r220 = (uchar)(r28 <= r214);
    r221 = r219 & r220;
    r223 = (int)((uint)r23 + (uint)2);
    r225 = as_float(0x00000000u);
    if (r221) {
      r227 = (int)((uint)r10 * (uint)40000);
      r229 = (int)((uint)r223 * (uint)200);
      r230 = (int)((uint)r227 + (uint)r229);
      r231 = (int)((uint)r230 + (uint)r28);
      r233 = (int)((uint)r231 + (uint)38592);
      r234 = b0[r233];
      r225 = r234;
    }
    r236 = (int)((uint)r23 + (uint)2);
    r238 = (int)((uint)r28 + (uint)1);
    r240 = (uchar)(r236 < 8);
    r242 = (uchar)(r238 < 8);
    r243 = r240 & r242;
    r244 = (uchar)(r238 <= r236);
    r245 = r243 & r244;
    r247 = (int)((uint)r23 + (uint)2);
    r249 = (int)((uint)r28 + (uint)1);
    r251 = as_float(0x00000000u);
    if (r245) {
      r253 = (int)((uint)r10 * (uint)40000);
      r255 = (int)((uint)r247 * (uint)200);
      r256 = (int)((uint)r253 + (uint)r255);
      r257 = (int)((uint)r256 + (uint)r249);
      r259 = (int)((uint)r257 + (uint)38592);
      r260 = b0[r259];
      r251 = r260;
    }
    r262 = (int)((uint)r23 + (uint)2);
    r264 = (int)((uint)r28 + (uint)2);
    r266 = (uchar)(r262 < 8);
    r268 = (uchar)(r264 < 8);
    r269 = r266 & r268;
    r270 = (uchar)(r264 <= r262);
    r271 = r269 & r270;
    r273 = (int)((uint)r23 + (uint)2);
    r275 = (int)((uint)r28 + (uint)2);
    r277 = as_float(0x00000000u);
    if (r271) {
      r279 = (int)((uint)r10 * (uint)40000);
      r281 = (int)((uint)r273 * (uint)200);
      r282 = (int)((uint)r279 + (uint)r281);
      r283 = (int)((uint)r282 + (uint)r275);
      r285 = (int)((uint)r283 + (uint)38592);
      r286 = b0[r285];
      r277 = r286;
    }
    r288 = (int)((uint)r23 + (uint)2);
    r290 = (int)((uint)r28 + (uint)3);
    r292 = (uchar)(r288 < 8);
    r294 = (uchar)(r290 < 8);
    r295 = r292 & r294;
    r296 = (uchar)(r290 <= r288);
    r297 = r295 & r296;
    r299 = (int)((uint)r23 + (uint)2);
    r301 = (int)((uint)r28 + (uint)3);
    r303 = as_float(0x00000000u);
    if (r297) {
      r305 = (int)((uint)r10 * (uint)40000);
      r307 = (int)((uint)r299 * (uint)200);
      r308 = (int)((uint)r305 + (uint)r307);
      r309 = (int)((uint)r308 + (uint)r301);
      r311 = (int)((uint)r309 + (uint)38592);
      r312 = b0[r311];
      r303 = r312;
    }
    r314 = (int)((uint)r23 + (uint)3);
    r316 = (uchar)(r314 < 8);
    r318 = (uchar)(r28 < 8);
    r319 = r316 & r318;
    r320 = (uchar)(r28 <= r314);
    r321 = r319 & r320;
    r323 = (int)((uint)r23 + (uint)3);
    r325 = as_float(0x00000000u);
    if (r321) {
      r327 = (int)((uint)r10 * (uint)40000);
      r329 = (int)((uint)r323 * (uint)200);
      r330 = (int)((uint)r327 + (uint)r329);
      r331 = (int)((uint)r330 + (uint)r28);
      r333 = (int)((uint)r331 + (uint)38592);
      r334 = b0[r333];
      r325 = r334;
    }
    r336 = (int)((uint)r23 + (uint)3);
    r338 = (int)((uint)r28 + (uint)1);
    r340 = (uchar)(r336 < 8);
    r342 = (uchar)(r338 < 8);
    r343 = r340 & r342;
    r344 = (uchar)(r338 <= r336);
    r345 = r343 & r344;
    r347 = (int)((uint)r23 + (uint)3);
    r349 = (int)((uint)r28 + (uint)1);
    r351 = as_float(0x00000000u);
    if (r345) {
      r353 = (int)((uint)r10 * (uint)40000);
      r355 = (int)((uint)r347 * (uint)200);
      r356 = (int)((uint)r353 + (uint)r355);
      r357 = (int)((uint)r356 + (uint)r349);
      r359 = (int)((uint)r357 + (uint)38592);
      r360 = b0[r359];
      r351 = r360;
    }
    r362 = (int)((uint)r23 + (uint)3);
    r364 = (int)((uint)r28 + (uint)2);
    r366 = (uchar)(r362 < 8);
    r368 = (uchar)(r364 < 8);
    r369 = r366 & r368;
    r370 = (uchar)(r364 <= r362);
    r371 = r369 & r370;
    r373 = (int)((uint)r23 + (uint)3);
    r375 = (int)((uint)r28 + (uint)2);
    r377 = as_float(0x00000000u);
    if (r371) {
      r379 = (int)((uint)r10 * (uint)40000);
      r381 = (int)((uint)r373 * (uint)200);
      r382 = (int)((uint)r379 + (uint)r381);
      r383 = (int)((uint)r382 + (uint)r375);
      r385 = (int)((uint)r383 + (uint)38592);
      r386 = b0[r385];
      r377 = r386;
    }
    r388 = (int)((uint)r23 + (uint)3);
    r390 = (int)((uint)r28 + (uint)3);
    r392 = (uchar)(r388 < 8);
    r394 = (uchar)(r390 < 8);
    r395 = r392 & r394;
    r396 = (uchar)(r390 <= r388);
    r397 = r395 & r396;
    r399 = (int)((uint)r23 + (uint)3);
    r401 = (int)((uint)r28 + (uint)3);
    r403 = as_float(0x00000000u);
    if (r397) {
      r405 = (int)((uint)r10 * (uint)40000);
      r407 = (int)((uint)r399 * (uint)200);
      r408 = (int)((uint)r405 + (uint)r407);
      r409 = (int)((uint)r408 + (uint)r401);
      r411 = (int)((uint)r409 + (uint)38592);
      r412 = b0[r411];
      r403 = r412;
    }
    #pragma clang loop vectorize(disable)
    for (r415 = 0; r415 < r18; r415 += 16) {
      #pragma clang loop vectorize(disable)
      for (r419 = r0; r419 < 1024; r419 += 256) {
        r421 = (int)(r419 >> ((uint)4 < 32 ? (uint)4 : (uint)31));
        r423 = r419 & 15;
        r424 = (int)((uint)r415 + (uint)r423);
        r426 = as_float(0x00000000u);
        r427 = (int)((uint)r12 + (uint)r421);
        r428 = (uchar)(r427 < 8);
        r429 = (uchar)(r424 < r18);
        r430 = r428 & r429;
        if (r430) {
          r431 = (int)((uint)r12 + (uint)r421);
          r433 = (int)((uint)r10 * (uint)40000);
          r435 = (int)((uint)r431 * (uint)200);
          r436 = (int)((uint)r433 + (uint)r435);
          r437 = (int)((uint)r436 + (uint)r424);
          r439 = (int)((uint)r437 + (uint)38528);
          r440 = b0[r439];
          r426 = r440;
        }
        r442 = (int)((uint)r423 * (uint)68);
        r443 = (int)((uint)r442 + (uint)r421);
        a0[r443] = r426;
      }
      #pragma clang loop vectorize(disable)
      for (r447 = r0; r447 < 1024; r447 += 256) {
        r449 = (int)(r447 >> ((uint)4 < 32 ? (uint)4 : (uint)31));
        r451 = r447 & 15;
        r452 = (int)((uint)r415 + (uint)r451);
        r454 = as_float(0x00000000u);
        r455 = (int)((uint)r14 + (uint)r449);
        r456 = (uchar)(r455 < 8);
        r457 = (uchar)(r452 < r18);
        r458 = r456 & r457;
        if (r458) {
          r459 = (int)((uint)r14 + (uint)r449);
          r461 = (int)((uint)r10 * (uint)40000);
          r463 = (int)((uint)r459 * (uint)200);
          r464 = (int)((uint)r461 + (uint)r463);
          r465 = (int)((uint)r464 + (uint)r452);
          r467 = (int)((uint)r465 + (uint)38528);
          r468 = b0[r467];
          r454 = r468;
        }
        r470 = (int)((uint)r451 * (uint)68);
        r471 = (int)((uint)r470 + (uint)r449);
        a1[r471] = r454;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      #pragma clang loop vectorize(disable)
      for (r475 = 0; r475 < 16; r475 += 1) {
        r477 = (int)((uint)r475 * (uint)68);
        r478 = (int)((uint)r23 - (uint)r12);
        r479 = (int)((uint)r477 + (uint)r478);
        {
          float4 v = vload4(0, a0 + r479);
          r480 = v.s0;
          r481 = v.s1;
          r482 = v.s2;
          r483 = v.s3;
        }
        r484 = (int)((uint)r28 - (uint)r14);
        r485 = (int)((uint)r477 + (uint)r484);
        {
          float4 v = vload4(0, a1 + r485);
          r486 = v.s0;
          r487 = v.s1;
          r488 = v.s2;
          r489 = v.s3;
        }
        r490 = as_float(as_uint(r480) ^ 0x80000000u);
        r491 = fma(r490, r486, r37);
        r37 = r491;
        r492 = as_float(as_uint(r480) ^ 0x80000000u);
        r493 = fma(r492, r487, r59);
        r59 = r493;
        r494 = as_float(as_uint(r480) ^ 0x80000000u);
        r495 = fma(r494, r488, r81);
        r81 = r495;
        r496 = as_float(as_uint(r480) ^ 0x80000000u);
        r497 = fma(r496, r489, r103);
        r103 = r497;
        r498 = as_float(as_uint(r481) ^ 0x80000000u);
        r499 = fma(r498, r486, r125);
        r125 = r499;
        r500 = as_float(as_uint(r481) ^ 0x80000000u);
        r501 = fma(r500, r487, r151);
        r151 = r501;
        r502 = as_float(as_uint(r481) ^ 0x80000000u);
        r503 = fma(r502, r488, r177);
        r177 = r503;
        r504 = as_float(as_uint(r481) ^ 0x80000000u);
        r505 = fma(r504, r489, r203);
        r203 = r505;
        r506 = as_float(as_uint(r482) ^ 0x80000000u);
        r507 = fma(r506, r486, r225);
        r225 = r507;
        r508 = as_float(as_uint(r482) ^ 0x80000000u);
        r509 = fma(r508, r487, r251);
        r251 = r509;
        r510 = as_float(as_uint(r482) ^ 0x80000000u);
        r511 = fma(r510, r488, r277);
        r277 = r511;
        r512 = as_float(as_uint(r482) ^ 0x80000000u);
        r513 = fma(r512, r489, r303);
        r303 = r513;
        r514 = as_float(as_uint(r483) ^ 0x80000000u);
        r515 = fma(r514, r486, r325);
        r325 = r515;
        r516 = as_float(as_uint(r483) ^ 0x80000000u);
        r517 = fma(r516, r487, r351);
        r351 = r517;
        r518 = as_float(as_uint(r483) ^ 0x80000000u);
        r519 = fma(r518, r488, r377);
        r377 = r519;
        r520 = as_float(as_uint(r483) ^ 0x80000000u);
        r521 = fma(r520, r489, r403);
        r403 = r521;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    r523 = (uchar)(r23 < 8);
    r525 = (uchar)(r28 < 8);
    r526 = r523 & r525;
    r527 = (uchar)(r28 <= r23);
    r528 = r526 & r527;
    if (r528) {
      r530 = (int)((uint)r10 * (uint)40000);
      r532 = (int)((uint)r23 * (uint)200);
      r533 = (int)((uint)r530 + (uint)r532);
      r534 = (int)((uint)r533 + (uint)r28);
      r536 = (int)((uint)r534 + (uint)38592);
      r537 = r37 != r37 ? as_float(0x7fc00000u) : r37;
      b0[r536] = r537;
    }
    r539 = (int)((uint)r28 + (uint)1);
    r541 = (uchar)(r23 < 8);
    r543 = (uchar)(r539 < 8);
    r544 = r541 & r543;
    r545 = (uchar)(r539 <= r23);
    r546 = r544 & r545;
    if (r546) {
      r548 = (int)((uint)r28 + (uint)1);
      r550 = (int)((uint)r10 * (uint)40000);
      r552 = (int)((uint)r23 * (uint)200);
      r553 = (int)((uint)r550 + (uint)r552);
      r554 = (int)((uint)r553 + (uint)r548);
      r556 = (int)((uint)r554 + (uint)38592);
      r557 = r59 != r59 ? as_float(0x7fc00000u) : r59;
      b0[r556] = r557;
    }
    r559 = (int)((uint)r28 + (uint)2);
    r561 = (uchar)(r23 < 8);
    r563 = (uchar)(r559 < 8);
    r564 = r561 & r563;
    r565 = (uchar)(r559 <= r23);
    r566 = r564 & r565;
    if (r566) {
      r568 = (int)((uint)r28 + (uint)2);
      r570 = (int)((uint)r10 * (uint)40000);
      r572 = (int)((uint)r23 * (uint)200);
      r573 = (int)((uint)r570 + (uint)r572);
      r574 = (int)((uint)r573 + (uint)r568);
      r576 = (int)((uint)r574 + (uint)38592);
      r577 = r81 != r81 ? as_float(0x7fc00000u) : r81;
      b0[r576] = r577;
    }
    r579 = (int)((uint)r28 + (uint)3);
    r581 = (uchar)(r23 < 8);
    r583 = (uchar)(r579 < 8);
    r584 = r581 & r583;
    r585 = (uchar)(r579 <= r23);
    r586 = r584 & r585;
    if (r586) {
      r588 = (int)((uint)r28 + (uint)3);
      r590 = (int)((uint)r10 * (uint)40000);
      r592 = (int)((uint)r23 * (uint)200);
      r593 = (int)((uint)r590 + (uint)r592);
      r594 = (int)((uint)r593 + (uint)r588);
      r596 = (int)((uint)r594 + (uint)38592);
      r597 = r103 != r103 ? as_float(0x7fc00000u) : r103;
      b0[r596] = r597;
    }
    r599 = (int)((uint)r23 + (uint)1);
    r601 = (uchar)(r599 < 8);
    r603 = (uchar)(r28 < 8);
    r604 = r601 & r603;
    r605 = (uchar)(r28 <= r599);
    r606 = r604 & r605;
    if (r606) {
      r608 = (int)((uint)r23 + (uint)1);
      r610 = (int)((uint)r10 * (uint)40000);
      r612 = (int)((uint)r608 * (uint)200);
      r613 = (int)((uint)r610 + (uint)r612);
      r614 = (int)((uint)r613 + (uint)r28);
      r616 = (int)((uint)r614 + (uint)38592);
      r617 = r125 != r125 ? as_float(0x7fc00000u) : r125;
      b0[r616] = r617;
    }
    r619 = (int)((uint)r23 + (uint)1);
    r621 = (int)((uint)r28 + (uint)1);
    r623 = (uchar)(r619 < 8);
    r625 = (uchar)(r621 < 8);
    r626 = r623 & r625;
    r627 = (uchar)(r621 <= r619);
    r628 = r626 & r627;
    if (r628) {
      r630 = (int)((uint)r23 + (uint)1);
      r632 = (int)((uint)r28 + (uint)1);
      r634 = (int)((uint)r10 * (uint)40000);
      r636 = (int)((uint)r630 * (uint)200);
      r637 = (int)((uint)r634 + (uint)r636);
      r638 = (int)((uint)r637 + (uint)r632);
      r640 = (int)((uint)r638 + (uint)38592);
      r641 = r151 != r151 ? as_float(0x7fc00000u) : r151;
      b0[r640] = r641;
    }
    r643 = (int)((uint)r23 + (uint)1);
    r645 = (int)((uint)r28 + (uint)2);
    r647 = (uchar)(r643 < 8);
    r649 = (uchar)(r645 < 8);
    r650 = r647 & r649;
    r651 = (uchar)(r645 <= r643);
    r652 = r650 & r651;
    if (r652) {
      r654 = (int)((uint)r23 + (uint)1);
      r656 = (int)((uint)r28 + (uint)2);
      r658 = (int)((uint)r10 * (uint)40000);
      r660 = (int)((uint)r654 * (uint)200);
      r661 = (int)((uint)r658 + (uint)r660);
      r662 = (int)((uint)r661 + (uint)r656);
      r664 = (int)((uint)r662 + (uint)38592);
      r665 = r177 != r177 ? as_float(0x7fc00000u) : r177;
      b0[r664] = r665;
    }
    r667 = (int)((uint)r23 + (uint)1);
    r669 = (int)((uint)r28 + (uint)3);
    r671 = (uchar)(r667 < 8);
    r673 = (uchar)(r669 < 8);
    r674 = r671 & r673;
    r675 = (uchar)(r669 <= r667);
    r676 = r674 & r675;
    if (r676) {
      r678 = (int)((uint)r23 + (uint)1);
      r680 = (int)((uint)r28 + (uint)3);
      r682 = (int)((uint)r10 * (uint)40000);
      r684 = (int)((uint)r678 * (uint)200);
      r685 = (int)((uint)r682 + (uint)r684);
      r686 = (int)((uint)r685 + (uint)r680);
      r688 = (int)((uint)r686 + (uint)38592);
      r689 = r203 != r203 ? as_float(0x7fc00000u) : r203;
      b0[r688] = r689;
    }
    r691 = (int)((uint)r23 + (uint)2);
    r693 = (uchar)(r691 < 8);
    r695 = (uchar)(r28 < 8);
    r696 = r693 & r695;
    r697 = (uchar)(r28 <= r691);
    r698 = r696 & r697;
    if (r698) {
      r700 = (int)((uint)r23 + (uint)2);
      r702 = (int)((uint)r10 * (uint)40000);
      r704 = (int)((uint)r700 * (uint)200);
      r705 = (int)((uint)r702 + (uint)r704);
      r706 = (int)((uint)r705 + (uint)r28);
      r708 = (int)((uint)r706 + (uint)38592);
      r709 = r225 != r225 ? as_float(0x7fc00000u) : r225;
      b0[r708] = r709;
    }
    r711 = (int)((uint)r23 + (uint)2);
    r713 = (int)((uint)r28 + (uint)1);
    r715 = (uchar)(r711 < 8);
    r717 = (uchar)(r713 < 8);
    r718 = r715 & r717;
    r719 = (uchar)(r713 <= r711);
    r720 = r718 & r719;
    if (r720) {
      r722 = (int)((uint)r23 + (uint)2);
      r724 = (int)((uint)r28 + (uint)1);
      r726 = (int)((uint)r10 * (uint)40000);
      r728 = (int)((uint)r722 * (uint)200);
      r729 = (int)((uint)r726 + (uint)r728);
      r730 = (int)((uint)r729 + (uint)r724);
      r732 = (int)((uint)r730 + (uint)38592);
      r733 = r251 != r251 ? as_float(0x7fc00000u) : r251;
      b0[r732] = r733;
    }
    r735 = (int)((uint)r23 + (uint)2);
    r737 = (int)((uint)r28 + (uint)2);
    r739 = (uchar)(r735 < 8);
    r741 = (uchar)(r737 < 8);
    r742 = r739 & r741;
    r743 = (uchar)(r737 <= r735);
    r744 = r742 & r743;
    if (r744) {
      r746 = (int)((uint)r23 + (uint)2);
      r748 = (int)((uint)r28 + (uint)2);
      r750 = (int)((uint)r10 * (uint)40000);
      r752 = (int)((uint)r746 * (uint)200);
      r753 = (int)((uint)r750 + (uint)r752);
      r754 = (int)((uint)r753 + (uint)r748);
      r756 = (int)((uint)r754 + (uint)38592);
      r757 = r277 != r277 ? as_float(0x7fc00000u) : r277;
      b0[r756] = r757;
    }
    r759 = (int)((uint)r23 + (uint)2);
    r761 = (int)((uint)r28 + (uint)3);
    r763 = (uchar)(r759 < 8);
    r765 = (uchar)(r761 < 8);
    r766 = r763 & r765;
    r767 = (uchar)(r761 <= r759);
    r768 = r766 & r767;
    if (r768) {
      r770 = (int)((uint)r23 + (uint)2);
      r772 = (int)((uint)r28 + (uint)3);
      r774 = (int)((uint)r10 * (uint)40000);
      r776 = (int)((uint)r770 * (uint)200);
      r777 = (int)((uint)r774 + (uint)r776);
      r778 = (int)((uint)r777 + (uint)r772);
      r780 = (int)((uint)r778 + (uint)38592);
      r781 = r303 != r303 ? as_float(0x7fc00000u) : r303;
      b0[r780] = r781;
    }
    r783 = (int)((uint)r23 + (uint)3);
    r785 = (uchar)(r783 < 8);
    r787 = (uchar)(r28 < 8);
    r788 = r785 & r787;
    r789 = (uchar)(r28 <= r783);
    r790 = r788 & r789;
    if (r790) {
      r792 = (int)((uint)r23 + (uint)3);
      r794 = (int)((uint)r10 * (uint)40000);
      r796 = (int)((uint)r792 * (uint)200);
      r797 = (int)((uint)r794 + (uint)r796);
      r798 = (int)((uint)r797 + (uint)r28);
      r800 = (int)((uint)r798 + (uint)38592);
      r801 = r325 != r325 ? as_float(0x7fc00000u) : r325;
      b0[r800] = r801;
    }
    r803 = (int)((uint)r23 + (uint)3);
    r805 = (int)((uint)r28 + (uint)1);
    r807 = (uchar)(r803 < 8);
    r809 = (uchar)(r805 < 8);
    r810 = r807 & r809;
    r811 = (uchar)(r805 <= r803);
    r812 = r810 & r811;
    if (r812) {
      r814 = (int)((uint)r23 + (uint)3);
      r816 = (int)((uint)r28 + (uint)1);
      r818 = (int)((uint)r10 * (uint)40000);
      r820 = (int)((uint)r814 * (uint)200);
      r821 = (int)((uint)r818 + (uint)r820);
      r822 = (int)((uint)r821 + (uint)r816);
      r824 = (int)((uint)r822 + (uint)38592);
      r825 = r351 != r351 ? as_float(0x7fc00000u) : r351;
      b0[r824] = r825;
    }
    r827 = (int)((uint)r23 + (uint)3);
    r829 = (int)((uint)r28 + (uint)2);
    r831 = (uchar)(r827 < 8);
    r833 = (uchar)(r829 < 8);
    r834 = r831 & r833;
    r835 = (uchar)(r829 <= r827);
    r836 = r834 & r835;
    if (r836) {
      r838 = (int)((uint)r23 + (uint)3);
      r840 = (int)((uint)r28 + (uint)2);
      r842 = (int)((uint)r10 * (uint)40000);
      r844 = (int)((uint)r838 * (uint)200);
      r845 = (int)((uint)r842 + (uint)r844);
      r846 = (int)((uint)r845 + (uint)r840);
      r848 = (int)((uint)r846 + (uint)38592);
      r849 = r377 != r377 ? as_float(0x7fc00000u) : r377;
      b0[r848] = r849;
    }
    r851 = (int)((uint)r23 + (uint)3);
    r853 = (int)((uint)r28 + (uint)3);
    r855 = (uchar)(r851 < 8);
    r857 = (uchar)(r853 < 8);
    r858 = r855 & r857;
    r859 = (uchar)(r853 <= r851);
    r860 = r858 & r859;
    if (r860) {
      r862 = (int)((uint)r23 + (uint)3);
      r864 = (int)((uint)r28 + (uint)3);
      r866 = (int)((uint)r10 * (uint)40000);
      r868 = (int)((uint)r862 * (uint)200);
      r869 = (int)((uint)r866 + (uint)r868);
      r870 = (int)((uint)r869 + (uint)r864);
      r872 = (int)((uint)r870 + (uint)38592);
      r873 = r403 != r403 ? as_float(0x7fc00000u) : r403;
      b0[r872] = r873;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
