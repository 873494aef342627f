#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void k0_convolution(__global const uchar *m0, long o0, __global const uchar *m1, long o1, __global uchar *m2, long o2) {
  __global const float *b0 = (__global const float *)(m0 + o0);
  __global const float *b1 = (__global const float *)(m1 + o1);
  __global float *b2 = (__global float *)(m2 + o2);
  __local float a0[4608];
  __local float a1[4608];
  uchar r94, r96, r97, r103, r104, r106, r107, r116, r118, r119, r125, r126, r128, r129, r141, r143;
  uchar r144, r150, r151, r153, r154, r166, r168, r169, r175, r176, r178, r179, r191, r193, r194, r200;
  uchar r201, r203, r204, r216, r218, r219, r225, r226, r228, r229, r241, r243, r244, r250, r251, r253;
  uchar r254, r266, r268, r269, r275, r276, r278, r279, r291, r293, r294, r300, r301, r303, r304, r316;
  uchar r318, r319, r325, r326, r328, r329, r397, r446, r495, r520, r557, r763, r764, r765, r766, r767;
  uchar r768, r769, r822, r851, r853, r854, r860, r861, r863, r864;
  int r0, r1, r2, r5, r7, r9, r11, r13, r14, r16, r18, r20, r22, r24, r25, r27;
  int r29, r30, r32, r34, r36, r37, r40, r42, r44, r47, r48, r49, r50, r51, r52, r54;
  int r56, r58, r60, r62, r64, r66, r68, r69, r70, r72, r74, r75, r77, r79, r81, r82;
  int r84, r86, r88, r89, r92, r99, r100, r101, r109, r110, r114, r121, r122, r123, r131, r132;
  int r139, r146, r147, r148, r156, r157, r164, r171, r172, r173, r181, r182, r189, r196, r197, r198;
  int r206, r207, r214, r221, r222, r223, r231, r232, r239, r246, r247, r248, r256, r257, r264, r271;
  int r272, r273, r281, r282, r289, r296, r297, r298, r306, r307, r314, r321, r322, r323, r331, r332;
  int r338, r340, r342, r344, r345, r346, r348, r349, r350, r362, r364, r366, r367, r369, r370, r372;
  int r374, r375, r377, r379, r380, r382, r384, r385, r387, r388, r390, r391, r398, r400, r401, r403;
  int r404, r406, r407, r408, r411, r413, r415, r416, r418, r419, r421, r423, r424, r426, r428, r429;
  int r431, r433, r434, r436, r437, r439, r440, r447, r449, r450, r452, r453, r455, r456, r457, r460;
  int r462, r464, r465, r467, r468, r470, r472, r473, r475, r477, r478, r480, r482, r483, r485, r486;
  int r488, r489, r496, r498, r499, r501, r502, r504, r505, r506, r510, r512, r514, r516, r518, r522;
  int r524, r526, r527, r529, r530, r532, r534, r535, r537, r539, r540, r542, r544, r545, r547, r548;
  int r550, r551, r558, r560, r561, r563, r564, r566, r567, r568, r570, r572, r573, r575, r577, r578;
  int r580, r581, r583, r585, r586, r751, r753, r754, r760, r761, r762, r773, r775, r777, r779, r780;
  int r781, r782, r784, r786, r787, r789, r791, r793, r794, r796, r798, r800, r801, r805, r807, r809;
  int r811, r812, r813, r815, r816, r818, r819, r820, r828, r831, r832, r834, r836, r838, r840, r842;
  int r843, r845, r847, r848, r849, r856, r857, r858, r866, r867, r870, r872, r873, r874;
  uint r135, r136, r160, r161, r185, r186, r210, r211, r235, r236, r260, r261, r285, r286, r310, r311;
  uint r335, r336, r392, r393, r395, r441, r442, r444, r490, r491, r493, r552, r553, r555;
  float r352, r353, r354, r355, r356, r357, r358, r359, r587, r588, r589, r590, r591, r592, r593, r594;
  float r595, r596, r597, r598, r599, r600, r601, r602, r603, r604, r605, r606, r607, r608, r609, r610;
  float r611, r612, r613, r614, r615, r616, r617, r618, r619, r620, r621, r622, r623, r624, r625, r626;
  float r627, r628, r629, r630, r631, r632, r633, r634, r635, r636, r637, r638, r639, r640, r641, r642;
  float r643, r644, r645, r646, r647, r648, r649, r650, r651, r652, r653, r654, r655, r656, r657, r658;
  float r659, r660, r661, r662, r663, r664, r665, r666, r667, r668, r669, r670, r671, r672, r673, r674;
  float r675, r676, r677, r678, r679, r680, r681, r682, r683, r684, r685, r686, r687, r688, r689, r690;
  float r691, r692, r693, r694, r695, r696, r697, r698, r699, r700, r701, r702, r703, r704, r705, r706;
  float r707, r708, r709, r710, r711, r712, r713, r714, r715, r716, r717, r718, r719, r720, r721, r722;
  float r723, r724, r725, r726, r727, r728, r729, r730, r731, r732, r733, r734, r735, r736, r737, r738;
  float r739, r740, r741, r742, r743, r744, r745, r746, r747, r748, r749, r750, r755, r756, r757, r758;
  float r821, r824, r829, r868, r869, r875, r876, r877;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  r5 = (int)(r0 >> ((uint)0 < 32 ? (uint)0 : (uint)31));
  r7 = r5 & 1;
  r9 = (int)(r0 >> ((uint)4 < 32 ? (uint)4 : (uint)31));
  r11 = r9 & 1;
  r13 = (int)((uint)r11 * (uint)2);
  r14 = (int)((uint)r7 + (uint)r13);
  r16 = (int)(r0 >> ((uint)1 < 32 ? (uint)1 : (uint)31));
  r18 = r16 & 7;
  r20 = (int)(r0 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
  r22 = r20 & 1;
  r24 = (int)((uint)r22 * (uint)4);
  r25 = (int)((uint)r14 + (uint)r24);
  r27 = (int)(r20 >> ((uint)1 < 32 ? (uint)1 : (uint)31));
  r29 = (int)((uint)r27 * (uint)8);
  r30 = (int)((uint)r18 + (uint)r29);
  #pragma clang loop vectorize(disable)
  for (r32 = r1; r32 < 98; r32 += r2) {
    r34 = 98 == 0 ? (int)-1 : 98 == -1 ? (int)(0 - (uint)r32) : (int)(r32 / 98);
    r36 = (int)((uint)r34 * (uint)98);
    r37 = (int)((uint)r32 - (uint)r36);
    r40 = (int)(r37 >> ((uint)4 < 32 ? (uint)4 : (uint)31));
    r42 = r37 & 15;
    r44 = (int)((uint)r40 * (uint)8);
    r47 = (int)((uint)49 - (uint)r44);
    r48 = 8 < r47 ? 8 : r47;
    r49 = r48 == 0 ? (int)-1 : r48 == -1 ? (int)(0 - (uint)r42) : (int)(r42 / r48);
    r50 = (int)((uint)r49 * (uint)r48);
    r51 = (int)((uint)r42 - (uint)r50);
    r52 = (int)((uint)r44 + (uint)r51);
    r54 = (int)((uint)r52 * (uint)32);
    r56 = (int)((uint)r49 * (uint)32);
    r58 = (int)((uint)r34 * (uint)64);
    r60 = (int)((uint)0 + (uint)r58);
    r62 = r0 & 7;
    r64 = (int)((uint)r62 * (uint)4);
    r66 = (int)(r0 >> ((uint)3 < 32 ? (uint)3 : (uint)31));
    r68 = (int)((uint)r66 * (uint)36);
    r69 = (int)((uint)r68 + (uint)r64);
    r70 = (int)((uint)r54 + (uint)r66);
    r72 = 28 == 0 ? (int)-1 : 28 == -1 ? (int)(0 - (uint)r70) : (int)(r70 / 28);
    r74 = (int)((uint)r72 * (uint)28);
    r75 = (int)((uint)r70 - (uint)r74);
    r77 = (int)((uint)r75 + (uint)((int)0xffffffffu));
    r79 = 28 == 0 ? (int)-1 : 28 == -1 ? (int)(0 - (uint)r72) : (int)(r72 / 28);
    r81 = (int)((uint)r79 * (uint)28);
    r82 = (int)((uint)r72 - (uint)r81);
    r84 = (int)((uint)r82 + (uint)((int)0xffffffffu));
    r86 = (int)((uint)r79 * (uint)25088);
    r88 = (int)((uint)r34 * (uint)32);
    r89 = (int)((uint)r86 + (uint)r88);
    r92 = (int)((uint)r77 + (uint)0);
    r94 = (uchar)(0 <= r92);
    r96 = (uchar)(r92 < 28);
    r97 = r94 & r96;
    r99 = (int)((uint)r92 * (uint)32);
    r100 = (int)((uint)r89 + (uint)r99);
    r101 = (int)((uint)r84 + (uint)0);
    r103 = (uchar)(0 <= r101);
    r104 = r97 & r103;
    r106 = (uchar)(r101 < 28);
    r107 = r104 & r106;
    r109 = (int)((uint)r101 * (uint)896);
    r110 = (int)((uint)r100 + (uint)r109);
    r114 = (int)((uint)r77 + (uint)0);
    r116 = (uchar)(0 <= r114);
    r118 = (uchar)(r114 < 28);
    r119 = r116 & r118;
    r121 = (int)((uint)r114 * (uint)32);
    r122 = (int)((uint)r89 + (uint)r121);
    r123 = (int)((uint)r84 + (uint)0);
    r125 = (uchar)(0 <= r123);
    r126 = r119 & r125;
    r128 = (uchar)(r123 < 28);
    r129 = r126 & r128;
    r131 = (int)((uint)r123 * (uint)896);
    r132 = (int)((uint)r122 + (uint)r131);
    r135 = r129 ? 1u : 0u;
    r136 = 0u | r135;
    r139 = (int)((uint)r77 + (uint)1);
    r141 = (uchar)(0 <= r139);
    r143 = (uchar)(r139 < 28);
    r144 = r141 & r143;
    r146 = (int)((uint)r139 * (uint)32);
    r147 = (int)((uint)r89 + (uint)r146);
    r148 = (int)((uint)r84 + (uint)0);
    r150 = (uchar)(0 <= r148);
    r151 = r144 & r150;
    r153 = (uchar)(r148 < 28);
    r154 = r151 & r153;
    r156 = (int)((uint)r148 * (uint)896);
    r157 = (int)((uint)r147 + (uint)r156);
    r160 = r154 ? 2u : 0u;
    r161 = r136 | r160;
    r164 = (int)((uint)r77 + (uint)2);
    r166 = (uchar)(0 <= r164);
    r168 = (uchar)(r164 < 28);
    r169 = r166 & r168;
    r171 = (int)((uint)r164 * (uint)32);
    r172 = (int)((uint)r89 + (uint)r171);
    r173 = (int)((uint)r84 + (uint)0);
    r175 = (uchar)(0 <= r173);
    r176 = r169 & r175;
    r178 = (uchar)(r173 < 28);
    r179 = r176 & r178;
    r181 = (int)((uint)r173 * (uint)896);
    r182 = (int)((uint)r172 + (uint)r181);
    r185 = r179 ? 4u : 0u;
    r186 = r161 | r185;
    r189 = (int)((uint)r77 + (uint)0);
    r191 = (uchar)(0 <= r189);
    r193 = (uchar)(r189 < 28);
    r194 = r191 & r193;
    r196 = (int)((uint)r189 * (uint)32);
    r197 = (int)((uint)r89 + (uint)r196);
    r198 = (int)((uint)r84 + (uint)1);
    r200 = (uchar)(0 <= r198);
    r201 = r194 & r200;
    r203 = (uchar)(r198 < 28);
    r204 = r201 & r203;
    r206 = (int)((uint)r198 * (uint)896);
    r207 = (int)((uint)r197 + (uint)r206);
    r210 = r204 ? 8u : 0u;
    r211 = r186 | r210;
    r214 = (int)((uint)r77 + (uint)1);
    r216 = (uchar)(0 <= r214);
    r218 = (uchar)(r214 < 28);
    r219 = r216 & r218;
    r221 = (int)((uint)r214 * (uint)32);
    r222 = (int)((uint)r89 + (uint)r221);
    r223 = (int)((uint)r84 + (uint)1);
    r225 = (uchar)(0 <= r223);
    r226 = r219 & r225;
    r228 = (uchar)(r223 < 28);
    r229 = r226 & r228;
    r231 = (int)((uint)r223 * (uint)896);
    r232 = (int)((uint)r222 + (uint)r231);
    r235 = r229 ? 16u : 0u;
    r236 = r211 | r235;
    r239 = (int)((uint)r77 + (uint)2);
    r241 = (uchar)(0 <= r239);
    r243 = (uchar)(r239 < 28);
    r244 = r241 & r243;
    r246 = (int)((uint)r239 * (uint)32);
    r247 = (int)((uint)r89 + (uint)r246);
    r248 = (int)((uint)r84 + (uint)1);
    r250 = (uchar)(0 <= r248);
    r251 = r244 & r250;
    r253 = (uchar)(r248 < 28);
    r254 = r251 & r253;
    r256 = (int)((uint)r248 * (uint)896);
    r257 = (int)((uint)r247 + (uint)r256);
    r260 = r254 ? 32u : 0u;
    r261 = r236 | r260;
    r264 = (int)((uint)r77 + (uint)0);
    r266 = (uchar)(0 <= r264);
    r268 = (uchar)(r264 < 28);
    r269 = r266 & r268;
    r271 = (int)((uint)r264 * (uint)32);
    r272 = (int)((uint)r89 + (uint)r271);
    r273 = (int)((uint)r84 + (uint)2);
    r275 = (uchar)(0 <= r273);
    r276 = r269 & r275;
    r278 = (uchar)(r273 < 28);
    r279 = r276 & r278;
    r281 = (int)((uint)r273 * (uint)896);
    r282 = (int)((uint)r272 + (uint)r281);
    r285 = r279 ? 64u : 0u;
    r286 = r261 | r285;
    r289 = (int)((uint)r77 + (uint)1);
    r291 = (uchar)(0 <= r289);
    r293 = (uchar)(r289 < 28);
    r294 = r291 & r293;
    r296 = (int)((uint)r289 * (uint)32);
    r297 = (int)((uint)r89 + (uint)r296);
    r298 = (int)((uint)r84 + (uint)2);
    r300 = (uchar)(0 <= r298);
    r301 = r294 & r300;
    r303 = (uchar)(r298 < 28);
    r304 = r301 & r303;
    r306 = (int)((uint)r298 * (uint)896);
    r307 = (int)((uint)r297 + (uint)r306);
    r310 = r304 ? 128u : 0u;
    r311 = r286 | r310;
    r314 = (int)((uint)r77 + (uint)2);
    r316 = (uchar)(0 <= r314);
    r318 = (uchar)(r314 < 28);
    r319 = r316 & r318;
    r321 = (int)((uint)r314 * (uint)32);
    r322 = (int)((uint)r89 + (uint)r321);
    r323 = (int)((uint)r84 + (uint)2);
    r325 = (uchar)(0 <= r323);
    r326 = r319 & r325;
    r328 = (uchar)(r323 < 28);
    r329 = r326 & r328;
    r331 = (int)((uint)r323 * (uint)896);
    r332 = (int)((uint)r322 + (uint)r331);
    r335 = r329 ? 256u : 0u;
    r336 = r311 | r335;
    r338 = r0 & 7;
    r340 = (int)((uint)r338 * (uint)4);
    r342 = (int)(r0 >> ((uint)3 < 32 ? (uint)3 : (uint)31));
    r344 = (int)((uint)r342 * (uint)36);
    r345 = (int)((uint)r344 + (uint)r340);
    r346 = (int)((uint)r56 + (uint)r340);
    r348 = (int)((uint)r342 * (uint)64);
    r349 = (int)((uint)r346 + (uint)r348);
    r350 = (int)((uint)r60 + (uint)r349);
    r352 = as_float(0x00000000u);
    r353 = as_float(0x00000000u);
    r354 = as_float(0x00000000u);
    r355 = as_float(0x00000000u);
    r356 = as_float(0x00000000u);
    r357 = as_float(0x00000000u);
    r358 = as_float(0x00000000u);
    r359 = as_float(0x00000000u);
    r362 = (int)((uint)0 * (uint)32);
    r364 = 0 & 3;
    r366 = (int)((uint)0 * (uint)4);
    r367 = (int)((uint)r366 + (uint)r364);
    r369 = (int)((uint)r367 * (uint)1152);
    r370 = (int)((uint)r369 + (uint)r69);
    r372 = (int)(r362 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
    r374 = r362 & 31;
    r375 = (int)((uint)r374 + (uint)r64);
    r377 = 3 == 0 ? (int)-1 : 3 == -1 ? (int)(0 - (uint)r372) : (int)(r372 / 3);
    r379 = (int)((uint)r377 * (uint)3);
    r380 = (int)((uint)r372 - (uint)r379);
    r382 = 3 == 0 ? (int)-1 : 3 == -1 ? (int)(0 - (uint)r377) : (int)(r377 / 3);
    r384 = (int)((uint)r382 * (uint)3);
    r385 = (int)((uint)r377 - (uint)r384);
    r387 = (int)((uint)r380 * (uint)32);
    r388 = (int)((uint)r375 + (uint)r387);
    r390 = (int)((uint)r385 * (uint)896);
    r391 = (int)((uint)r388 + (uint)r390);
    r392 = (uint)r372;
    r393 = r392 < 32 ? (uint)(r336 >> r392) : (uint)0;
    r395 = r393 & 1u;
    r397 = (uchar)(r395 == 1u);
    r398 = (int)((uint)r110 + (uint)r391);
    a0[r370] = r397 ? b0[r398] : 0;
    a0[(r370 + 1)] = r397 ? b0[(r398 + 1)] : 0;
    a0[(r370 + 2)] = r397 ? b0[(r398 + 2)] : 0;
    a0[(r370 + 3)] = r397 ? b0[(r398 + 3)] : 0;
    r400 = (int)((uint)0 * (uint)4);
    r401 = (int)((uint)r400 + (uint)r364);
    r403 = (int)((uint)r401 * (uint)1152);
    r404 = (int)((uint)r403 + (uint)r345);
    r406 = (int)((uint)r362 * (uint)64);
    r407 = (int)((uint)r406 + (uint)r350);
    r408 = (int)((uint)r362 + (uint)r342);
    a1[r404] = b1[r407];
    a1[(r404 + 1)] = b1[(r407 + 1)];
    a1[(r404 + 2)] = b1[(r407 + 2)];
    a1[(r404 + 3)] = b1[(r407 + 3)];
    r411 = (int)((uint)1 * (uint)32);
    r413 = 1 & 3;
    r415 = (int)((uint)0 * (uint)4);
    r416 = (int)((uint)r415 + (uint)r413);
    r418 = (int)((uint)r416 * (uint)1152);
    r419 = (int)((uint)r418 + (uint)r69);
    r421 = (int)(r411 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
    r423 = r411 & 31;
    r424 = (int)((uint)r423 + (uint)r64);
    r426 = 3 == 0 ? (int)-1 : 3 == -1 ? (int)(0 - (uint)r421) : (int)(r421 / 3);
    r428 = (int)((uint)r426 * (uint)3);
    r429 = (int)((uint)r421 - (uint)r428);
    r431 = 3 == 0 ? (int)-1 : 3 == -1 ? (int)(0 - (uint)r426) : (int)(r426 / 3);
    r433 = (int)((uint)r431 * (uint)3);
    r434 = (int)((uint)r426 - (uint)r433);
    r436 = (int)((uint)r429 * (uint)32);
    r437 = (int)((uint)r424 + (uint)r436);
    r439 = (int)((uint)r434 * (uint)896);
    r440 = (int)((uint)r437 + (uint)r439);
    r441 = (uint)r421;
    r442 = r441 < 32 ? (uint)(r336 >> r441) : (uint)0;
    r444 = r442 & 1u;
    r446 = (uchar)(r444 == 1u);
    r447 = (int)((uint)r110 + (uint)r440);
    a0[r419] = r446 ? b0[r447] : 0;
    a0[(r419 + 1)] = r446 ? b0[(r447 + 1)] : 0;
    a0[(r419 + 2)] = r446 ? b0[(r447 + 2)] : 0;
    a0[(r419 + 3)] = r446 ? b0[(r447 + 3)] : 0;
    r449 = (int)((uint)0 * (uint)4);
    r450 = (int)((uint)r449 + (uint)r413);
    r452 = (int)((uint)r450 * (uint)1152);
    r453 = (int)((uint)r452 + (uint)r345);
    r455 = (int)((uint)r411 * (uint)64);
    r456 = (int)((uint)r455 + (uint)r350);
    r457 = (int)((uint)r411 + (uint)r342);
    a1[r453] = b1[r456];
    a1[(r453 + 1)] = b1[(r456 + 1)];
    a1[(r453 + 2)] = b1[(r456 + 2)];
    a1[(r453 + 3)] = b1[(r456 + 3)];
    r460 = (int)((uint)2 * (uint)32);
    r462 = 2 & 3;
    r464 = (int)((uint)0 * (uint)4);
    r465 = (int)((uint)r464 + (uint)r462);
    r467 = (int)((uint)r465 * (uint)1152);
    r468 = (int)((uint)r467 + (uint)r69);
    r470 = (int)(r460 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
    r472 = r460 & 31;
    r473 = (int)((uint)r472 + (uint)r64);
    r475 = 3 == 0 ? (int)-1 : 3 == -1 ? (int)(0 - (uint)r470) : (int)(r470 / 3);
    r477 = (int)((uint)r475 * (uint)3);
    r478 = (int)((uint)r470 - (uint)r477);
    r480 = 3 == 0 ? (int)-1 : 3 == -1 ? (int)(0 - (uint)r475) : (int)(r475 / 3);
    r482 = (int)((uint)r480 * (uint)3);
    r483 = (int)((uint)r475 - (uint)r482);
    r485 = (int)((uint)r478 * (uint)32);
    r486 = (int)((uint)r473 + (uint)r485);
    r488 = (int)((uint)r483 * (uint)896);
    r489 = (int)((uint)r486 + (uint)r488);
    r490 = (uint)r470;
    r491 = r490 < 32 ? (uint)(r336 >> r490) : (uint)0;
    r493 = r491 & 1u;
    r495 = (uchar)(r493 == 1u);
    r496 = (int)((uint)r110 + (uint)r489);
    a0[r468] = r495 ? b0[r496] : 0;
    a0[(r468 + 1)] = r495 ? b0[(r496 + 1)] : 0;
    a0[(r468 + 2)] = r495 ? b0[(r496 + 2)] : 0;
    a0[(r468 + 3)] = r495 ? b0[(r496 + 3)] : 0;
    r498 = (int)((uint)0 * (uint)4);
    r499 = (int)((uint)r498 + (uint)r462);
    r501 = (int)((uint)r499 * (uint)1152);
    r502 = (int)((uint)r501 + (uint)r345);
    r504 = (int)((uint)r460 * (uint)64);
    r505 = (int)((uint)r504 + (uint)r350);
    r506 = (int)((uint)r460 + (uint)r342);
    a1[r502] = b1[r505];
    a1[(r502 + 1)] = b1[(r505 + 1)];
    a1[(r502 + 2)] = b1[(r505 + 2)];
    a1[(r502 + 3)] = b1[(r505 + 3)];
    #pragma clang loop vectorize(disable)
    for (r510 = 0; r510 < 9; r510 += 4) {
      r512 = (int)((uint)r510 + (uint)4);
      r514 = r512 < 9 ? r512 : 9;
      #pragma clang loop vectorize(disable)
      for (r516 = r510; r516 < r514; r516 += 1) {
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        r518 = (int)((uint)r516 + (uint)3);
        r520 = (uchar)(r518 < 9);
        if (r520) {
          r522 = (int)((uint)r518 * (uint)32);
          r524 = r518 & 3;
          r526 = (int)((uint)0 * (uint)4);
          r527 = (int)((uint)r526 + (uint)r524);
          r529 = (int)((uint)r527 * (uint)1152);
          r530 = (int)((uint)r529 + (uint)r69);
          r532 = (int)(r522 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
          r534 = r522 & 31;
          r535 = (int)((uint)r534 + (uint)r64);
          r537 = 3 == 0 ? (int)-1 : 3 == -1 ? (int)(0 - (uint)r532) : (int)(r532 / 3);
          r539 = (int)((uint)r537 * (uint)3);
          r540 = (int)((uint)r532 - (uint)r539);
          r542 = 3 == 0 ? (int)-1 : 3 == -1 ? (int)(0 - (uint)r537) : (int)(r537 / 3);
          r544 = (int)((uint)r542 * (uint)3);
          r545 = (int)((uint)r537 - (uint)r544);
          r547 = (int)((uint)r540 * (uint)32);
          r548 = (int)((uint)r535 + (uint)r547);
          r550 = (int)((uint)r545 * (uint)896);
          r551 = (int)((uint)r548 + (uint)r550);
          r552 = (uint)r532;
          r553 = r552 < 32 ? (uint)(r336 >> r552) : (uint)0;
          r555 = r553 & 1u;
          r557 = (uchar)(r555 == 1u);
          r558 = (int)((uint)r110 + (uint)r551);
          a0[r530] = r557 ? b0[r558] : 0;
          a0[(r530 + 1)] = r557 ? b0[(r558 + 1)] : 0;
          a0[(r530 + 2)] = r557 ? b0[(r558 + 2)] : 0;
          a0[(r530 + 3)] = r557 ? b0[(r558 + 3)] : 0;
          r560 = (int)((uint)0 * (uint)4);
          r561 = (int)((uint)r560 + (uint)r524);
          r563 = (int)((uint)r561 * (uint)1152);
          r564 = (int)((uint)r563 + (uint)r345);
          r566 = (int)((uint)r522 * (uint)64);
          r567 = (int)((uint)r566 + (uint)r350);
          r568 = (int)((uint)r522 + (uint)r342);
          a1[r564] = b1[r567];
          a1[(r564 + 1)] = b1[(r567 + 1)];
          a1[(r564 + 2)] = b1[(r567 + 2)];
          a1[(r564 + 3)] = b1[(r567 + 3)];
        }
        r570 = r516 & 3;
        r572 = (int)((uint)0 * (uint)4);
        r573 = (int)((uint)r572 + (uint)r570);
        r575 = (int)((uint)r573 * (uint)1152);
        r577 = (int)((uint)r30 * (uint)36);
        r578 = (int)((uint)r575 + (uint)r577);
        r580 = (int)((uint)0 * (uint)4);
        r581 = (int)((uint)r580 + (uint)r570);
        r583 = (int)((uint)r581 * (uint)1152);
        r585 = (int)((uint)r25 * (uint)4);
        r586 = (int)((uint)r583 + (uint)r585);
        {
          float4 v = vload4(0, a0 + r578);
          r587 = v.s0;
          r588 = v.s1;
          r589 = v.s2;
          r590 = v.s3;
        }
        {
          float4 v = vload4(0, a1 + r586);
          r591 = v.s0;
          r592 = v.s1;
          r593 = v.s2;
          r594 = v.s3;
        }
        {
          float4 v = vload4(0, a1 + (r586 + 36));
          r595 = v.s0;
          r596 = v.s1;
          r597 = v.s2;
          r598 = v.s3;
        }
        r352 = fma(r587, r591, r352);
        r354 = fma(r587, r592, r354);
        r356 = fma(r587, r593, r356);
        r358 = fma(r587, r594, r358);
        {
          float4 v = vload4(0, a1 + (r586 + 72));
          r599 = v.s0;
          r600 = v.s1;
          r601 = v.s2;
          r602 = v.s3;
        }
        r352 = fma(r588, r595, r352);
        r354 = fma(r588, r596, r354);
        r356 = fma(r588, r597, r356);
        r358 = fma(r588, r598, r358);
        {
          float4 v = vload4(0, a1 + (r586 + 108));
          r603 = v.s0;
          r604 = v.s1;
          r605 = v.s2;
          r606 = v.s3;
        }
        r352 = fma(r589, r599, r352);
        r354 = fma(r589, r600, r354);
        r356 = fma(r589, r601, r356);
        r358 = fma(r589, r602, r358);
        {
          float4 v = vload4(0, a0 + (r578 + 4));
          r607 = v.s0;
          r608 = v.s1;
          r609 = v.s2;
          r610 = v.s3;
        }
        {
          float4 v = vload4(0, a1 + (r586 + 144));
          r611 = v.s0;
          r612 = v.s1;
          r613 = v.s2;
          r614 = v.s3;
        }
        r352 = fma(r590, r603, r352);
        r354 = fma(r590, r604, r354);
        r356 = fma(r590, r605, r356);
        r358 = fma(r590, r606, r358);
        {
          float4 v = vload4(0, a1 + (r586 + 180));
          r615 = v.s0;
          r616 = v.s1;
          r617 = v.s2;
          r618 = v.s3;
        }
        r352 = fma(r607, r611, r352);
        r354 = fma(r607, r612, r354);
        r356 = fma(r607, r613, r356);
        r358 = fma(r607, r614, r358);
        {
          float4 v = vload4(0, a1 + (r586 + 216));
          r619 = v.s0;
          r620 = v.s1;
          r621 = v.s2;
          r622 = v.s3;
        }
        r352 = fma(r608, r615, r352);
        r354 = fma(r608, r616, r354);
        r356 = fma(r608, r617, r356);
        r358 = fma(r608, r618, r358);
        {
          float4 v = vload4(0, a1 + (r586 + 252));
          r623 = v.s0;
          r624 = v.s1;
          r625 = v.s2;
          r626 = v.s3;
        }
        r352 = fma(r609, r619, r352);
        r354 = fma(r609, r620, r354);
        r356 = fma(r609, r621, r356);
        r358 = fma(r609, r622, r358);
        {
          float4 v = vload4(0, a0 + (r578 + 8));
          r627 = v.s0;
          r628 = v.s1;
          r629 = v.s2;
          r630 = v.s3;
        }
        {
          float4 v = vload4(0, a1 + (r586 + 288));
          r631 = v.s0;
          r632 = v.s1;
          r633 = v.s2;
          r634 = v.s3;
        }
        r352 = fma(r610, r623, r352);
        r354 = fma(r610, r624, r354);
        r356 = fma(r610, r625, r356);
        r358 = fma(r610, r626, r358);
        {
          float4 v = vload4(0, a1 + (r586 + 324));
          r635 = v.s0;
          r636 = v.s1;
          r637 = v.s2;
          r638 = v.s3;
        }
        r352 = fma(r627, r631, r352);
        r354 = fma(r627, r632, r354);
        r356 = fma(r627, r633, r356);
        r358 = fma(r627, r634, r358);
        {
          float4 v = vload4(0, a1 + (r586 + 360));
          r639 = v.s0;
          r640 = v.s1;
          r641 = v.s2;
          r642 = v.s3;
        }
        r352 = fma(r628, r635, r352);
        r354 = fma(r628, r636, r354);
        r356 = fma(r628, r637, r356);
        r358 = fma(r628, r638, r358);
        {
          float4 v = vload4(0, a1 + (r586 + 396));
          r643 = v.s0;
          r644 = v.s1;
          r645 = v.s2;
          r646 = v.s3;
        }
        r352 = fma(r629, r639, r352);
        r354 = fma(r629, r640, r354);
        r356 = fma(r629, r641, r356);
        r358 = fma(r629, r642, r358);
        {
          float4 v = vload4(0, a0 + (r578 + 12));
          r647 = v.s0;
          r648 = v.s1;
          r649 = v.s2;
          r650 = v.s3;
        }
        {
          float4 v = vload4(0, a1 + (r586 + 432));
          r651 = v.s0;
          r652 = v.s1;
          r653 = v.s2;
          r654 = v.s3;
        }
        r352 = fma(r630, r643, r352);
        r354 = fma(r630, r644, r354);
        r356 = fma(r630, r645, r356);
        r358 = fma(r630, r646, r358);
        {
          float4 v = vload4(0, a1 + (r586 + 468));
          r655 = v.s0;
          r656 = v.s1;
          r657 = v.s2;
          r658 = v.s3;
        }
        r352 = fma(r647, r651, r352);
        r354 = fma(r647, r652, r354);
        r356 = fma(r647, r653, r356);
        r358 = fma(r647, r654, r358);
        {
          float4 v = vload4(0, a1 + (r586 + 504));
          r659 = v.s0;
          r660 = v.s1;
          r661 = v.s2;
          r662 = v.s3;
        }
        r352 = fma(r648, r655, r352);
        r354 = fma(r648, r656, r354);
        r356 = fma(r648, r657, r356);
        r358 = fma(r648, r658, r358);
        {
          float4 v = vload4(0, a1 + (r586 + 540));
          r663 = v.s0;
          r664 = v.s1;
          r665 = v.s2;
          r666 = v.s3;
        }
        r352 = fma(r649, r659, r352);
        r354 = fma(r649, r660, r354);
        r356 = fma(r649, r661, r356);
        r358 = fma(r649, r662, r358);
        {
          float4 v = vload4(0, a0 + (r578 + 16));
          r667 = v.s0;
          r668 = v.s1;
          r669 = v.s2;
          r670 = v.s3;
        }
        {
          float4 v = vload4(0, a1 + (r586 + 576));
          r671 = v.s0;
          r672 = v.s1;
          r673 = v.s2;
          r674 = v.s3;
        }
        r352 = fma(r650, r663, r352);
        r354 = fma(r650, r664, r354);
        r356 = fma(r650, r665, r356);
        r358 = fma(r650, r666, r358);
        {
          float4 v = vload4(0, a1 + (r586 + 612));
          r675 = v.s0;
          r676 = v.s1;
          r677 = v.s2;
          r678 = v.s3;
        }
        r352 = fma(r667, r671, r352);
        r354 = fma(r667, r672, r354);
        r356 = fma(r667, r673, r356);
        r358 = fma(r667, r674, r358);
        {
          float4 v = vload4(0, a1 + (r586 + 648));
          r679 = v.s0;
          r680 = v.s1;
          r681 = v.s2;
          r682 = v.s3;
        }
        r352 = fma(r668, r675, r352);
        r354 = fma(r668, r676, r354);
        r356 = fma(r668, r677, r356);
        r358 = fma(r668, r678, r358);
        {
          float4 v = vload4(0, a1 + (r586 + 684));
          r683 = v.s0;
          r684 = v.s1;
          r685 = v.s2;
          r686 = v.s3;
        }
        r352 = fma(r669, r679, r352);
        r354 = fma(r669, r680, r354);
        r356 = fma(r669, r681, r356);
        r358 = fma(r669, r682, r358);
        {
          float4 v = vload4(0, a0 + (r578 + 20));
          r687 = v.s0;
          r688 = v.s1;
          r689 = v.s2;
          r690 = v.s3;
        }
        {
          float4 v = vload4(0, a1 + (r586 + 720));
          r691 = v.s0;
          r692 = v.s1;
          r693 = v.s2;
          r694 = v.s3;
        }
        r352 = fma(r670, r683, r352);
        r354 = fma(r670, r684, r354);
        r356 = fma(r670, r685, r356);
        r358 = fma(r670, r686, r358);
        {
          float4 v = vload4(0, a1 + (r586 + 756));
          r695 = v.s0;
          r696 = v.s1;
          r697 = v.s2;
          r698 = v.s3;
        }
        r352 = fma(r687, r691, r352);
        r354 = fma(r687, r692, r354);
        r356 = fma(r687, r693, r356);
        r358 = fma(r687, r694, r358);
        {
          float4 v = vload4(0, a1 + (r586 + 792));
          r699 = v.s0;
          r700 = v.s1;
          r701 = v.s2;
          r702 = v.s3;
        }
        r352 = fma(r688, r695, r352);
        r354 = fma(r688, r696, r354);
        r356 = fma(r688, r697, r356);
        r358 = fma(r688, r698, r358);
        {
          float4 v = vload4(0, a1 + (r586 + 828));
          r703 = v.s0;
          r704 = v.s1;
          r705 = v.s2;
          r706 = v.s3;
        }
        r352 = fma(r689, r699, r352);
        r354 = fma(r689, r700, r354);
        r356 = fma(r689, r701, r356);
        r358 = fma(r689, r702, r358);
        {
          float4 v = vload4(0, a0 + (r578 + 24));
          r707 = v.s0;
          r708 = v.s1;
          r709 = v.s2;
          r710 = v.s3;
        }
        {
          float4 v = vload4(0, a1 + (r586 + 864));
          r711 = v.s0;
          r712 = v.s1;
          r713 = v.s2;
          r714 = v.s3;
        }
        r352 = fma(r690, r703, r352);
        r354 = fma(r690, r704, r354);
        r356 = fma(r690, r705, r356);
        r358 = fma(r690, r706, r358);
        {
          float4 v = vload4(0, a1 + (r586 + 900));
          r715 = v.s0;
          r716 = v.s1;
          r717 = v.s2;
          r718 = v.s3;
        }
        r352 = fma(r707, r711, r352);
        r354 = fma(r707, r712, r354);
        r356 = fma(r707, r713, r356);
        r358 = fma(r707, r714, r358);
        {
          float4 v = vload4(0, a1 + (r586 + 936));
          r719 = v.s0;
          r720 = v.s1;
          r721 = v.s2;
          r722 = v.s3;
        }
        r352 = fma(r708, r715, r352);
        r354 = fma(r708, r716, r354);
        r356 = fma(r708, r717, r356);
        r358 = fma(r708, r718, r358);
        {
          float4 v = vload4(0, a1 + (r586 + 972));
          r723 = v.s0;
          r724 = v.s1;
          r725 = v.s2;
          r726 = v.s3;
        }
        r352 = fma(r709, r719, r352);
        r354 = fma(r709, r720, r354);
        r356 = fma(r709, r721, r356);
        r358 = fma(r709, r722, r358);
        {
          float4 v = vload4(0, a0 + (r578 + 28));
          r727 = v.s0;
          r728 = v.s1;
          r729 = v.s2;
          r730 = v.s3;
        }
        {
          float4 v = vload4(0, a1 + (r586 + 1008));
          r731 = v.s0;
          r732 = v.s1;
          r733 = v.s2;
          r734 = v.s3;
        }
        r352 = fma(r710, r723, r352);
        r354 = fma(r710, r724, r354);
        r356 = fma(r710, r725, r356);
        r358 = fma(r710, r726, r358);
        {
          float4 v = vload4(0, a1 + (r586 + 1044));
          r735 = v.s0;
          r736 = v.s1;
          r737 = v.s2;
          r738 = v.s3;
        }
        r352 = fma(r727, r731, r352);
        r354 = fma(r727, r732, r354);
        r356 = fma(r727, r733, r356);
        r358 = fma(r727, r734, r358);
        {
          float4 v = vload4(0, a1 + (r586 + 1080));
          r739 = v.s0;
          r740 = v.s1;
          r741 = v.s2;
          r742 = v.s3;
        }
        r352 = fma(r728, r735, r352);
        r354 = fma(r728, r736, r354);
        r356 = fma(r728, r737, r356);
        r358 = fma(r728, r738, r358);
        {
          float4 v = vload4(0, a1 + (r586 + 1116));
          r743 = v.s0;
          r744 = v.s1;
          r745 = v.s2;
          r746 = v.s3;
        }
        r352 = fma(r729, r739, r352);
        r354 = fma(r729, r740, r354);
        r356 = fma(r729, r741, r356);
        r358 = fma(r729, r742, r358);
        r352 = fma(r730, r743, r352);
        r354 = fma(r730, r744, r354);
        r356 = fma(r730, r745, r356);
        r358 = fma(r730, r746, r358);
      }
      r747 = r353 + r352;
      r353 = r747;
      r748 = r355 + r354;
      r355 = r748;
      r749 = r357 + r356;
      r357 = r749;
      r750 = r359 + r358;
      r359 = r750;
      r352 = as_float(0x00000000u);
      r354 = as_float(0x00000000u);
      r356 = as_float(0x00000000u);
      r358 = as_float(0x00000000u);
    }
    r751 = (int)((uint)r54 + (uint)r30);
    r753 = (int)((uint)r751 * (uint)64);
    r754 = (int)((uint)r58 + (uint)r753);
    r755 = r353 != r353 ? as_float(0x7fc00000u) : r353;
    r756 = r355 != r355 ? as_float(0x7fc00000u) : r355;
    r757 = r357 != r357 ? as_float(0x7fc00000u) : r357;
    r758 = r359 != r359 ? as_float(0x7fc00000u) : r359;
    r760 = (int)((uint)r25 * (uint)4);
    r761 = (int)((uint)r56 + (uint)r760);
    r762 = (int)((uint)r754 + (uint)r761);
    vstore4((float4)(r755, r756, r757, r758), 0, b2 + r762);
    r763 = (uchar)(r353 != r353);
    r764 = (uchar)(r355 != r355);
    r765 = r763 | r764;
    r766 = (uchar)(r357 != r357);
    r767 = r765 | r766;
    r768 = (uchar)(r359 != r359);
    r769 = r767 | r768;
    if (r769) {
      #pragma clang loop vectorize(disable)
      for (r773 = 0; r773 < 1; r773 += 1) {
        r775 = (int)(r773 >> ((uint)0 < 32 ? (uint)0 : (uint)31));
        r777 = (int)((uint)r775 * (uint)32);
        r779 = r773 & 0;
        r780 = (int)((uint)r777 + (uint)r779);
        r781 = (int)((uint)r54 + (uint)r780);
        r782 = (int)((uint)r781 + (uint)r30);
        r784 = 28 == 0 ? (int)-1 : 28 == -1 ? (int)(0 - (uint)r782) : (int)(r782 / 28);
        r786 = (int)((uint)r784 * (uint)28);
        r787 = (int)((uint)r782 - (uint)r786);
        r789 = (int)((uint)r787 + (uint)((int)0xffffffffu));
        r791 = 28 == 0 ? (int)-1 : 28 == -1 ? (int)(0 - (uint)r784) : (int)(r784 / 28);
        r793 = (int)((uint)r791 * (uint)28);
        r794 = (int)((uint)r784 - (uint)r793);
        r796 = (int)((uint)r794 + (uint)((int)0xffffffffu));
        r798 = (int)((uint)r791 * (uint)25088);
        r800 = (int)((uint)r34 * (uint)32);
        r801 = (int)((uint)r798 + (uint)r800);
        #pragma clang loop vectorize(disable)
        for (r805 = 0; r805 < 4; r805 += 1) {
          r807 = (int)(r805 >> ((uint)2 < 32 ? (uint)2 : (uint)31));
          r809 = (int)((uint)r807 * (uint)32);
          r811 = r805 & 3;
          r812 = (int)((uint)r809 + (uint)r811);
          r813 = (int)((uint)r56 + (uint)r812);
          r815 = (int)((uint)r25 * (uint)4);
          r816 = (int)((uint)r813 + (uint)r815);
          r818 = (int)((uint)r782 * (uint)64);
          r819 = (int)((uint)r58 + (uint)r818);
          r820 = (int)((uint)r819 + (uint)r816);
          r821 = b2[r820];
          r822 = (uchar)(r821 != r821);
          if (r822) {
            r824 = as_float(0x00000000u);
            #pragma clang loop vectorize(disable)
            for (r828 = 0; r828 < 288; r828 += 128) {
              r829 = as_float(0x00000000u);
              r831 = (int)((uint)r828 + (uint)128);
              r832 = 288 < r831 ? 288 : r831;
              #pragma clang loop vectorize(disable)
              for (r834 = r828; r834 < r832; r834 += 1) {
                r836 = (int)(r834 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
                r838 = r834 & 31;
                r840 = 3 == 0 ? (int)-1 : 3 == -1 ? (int)(0 - (uint)r836) : (int)(r836 / 3);
                r842 = (int)((uint)r840 * (uint)3);
                r843 = (int)((uint)r836 - (uint)r842);
                r845 = 3 == 0 ? (int)-1 : 3 == -1 ? (int)(0 - (uint)r840) : (int)(r840 / 3);
                r847 = (int)((uint)r845 * (uint)3);
                r848 = (int)((uint)r840 - (uint)r847);
                r849 = (int)((uint)r789 + (uint)r843);
                r851 = (uchar)(0 <= r849);
                r853 = (uchar)(r849 < 28);
                r854 = r851 & r853;
                r856 = (int)((uint)r849 * (uint)32);
                r857 = (int)((uint)r801 + (uint)r856);
                r858 = (int)((uint)r796 + (uint)r848);
                r860 = (uchar)(0 <= r858);
                r861 = r854 & r860;
                r863 = (uchar)(r858 < 28);
                r864 = r861 & r863;
                r866 = (int)((uint)r858 * (uint)896);
                r867 = (int)((uint)r857 + (uint)r866);
                if (r864) {
                  r870 = (int)((uint)r867 + (uint)r838);
                  r868 = b0[r870];
                  r872 = (int)((uint)r834 * (uint)64);
                  r873 = (int)((uint)r816 + (uint)r872);
                  r874 = (int)((uint)r60 + (uint)r873);
                  r869 = b1[r874];
                  r875 = fma(r868, r869, r829);
                  r829 = r875;
                }
              }
              r876 = r824 + r829;
              r824 = r876;
            }
            r877 = r824 != r824 ? as_float(0x7fc00000u) : r824;
            b2[r820] = r877;
          }
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
