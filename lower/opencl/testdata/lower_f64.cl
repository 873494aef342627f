#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void k0_lower(__global uchar *m0, long o0, long s0, long s1, long s2, long s3, long s4, long s5, long s6) {
  __global double *b0 = (__global double *)(m0 + o0);
  __local double a0[1088];
  __local double a1[1088];
  uchar r22, r35, r36, r37, r38, r39, r53, r54, r55, r56, r57, r73, r74, r75, r76, r77;
  uchar r93, r94, r95, r96, r97, r113, r114, r115, r116, r117, r135, r136, r137, r138, r139, r159;
  uchar r160, r161, r162, r163, r183, r184, r185, r186, r187, r205, r206, r207, r208, r209, r227, r228;
  uchar r229, r230, r231, r251, r252, r253, r254, r255, r275, r276, r277, r278, r279, r297, r298, r299;
  uchar r300, r301, r319, r320, r321, r322, r323, r343, r344, r345, r346, r347, r367, r368, r369, r370;
  uchar r371, r401, r402, r403, r428, r429, r430, r494, r495, r496, r497, r498, r510, r511, r512, r513;
  uchar r514, r528, r529, r530, r531, r532, r546, r547, r548, r549, r550, r564, r565, r566, r567, r568;
  uchar r584, r585, r586, r587, r588, r606, r607, r608, r609, r610, r628, r629, r630, r631, r632, r648;
  uchar r649, r650, r651, r652, r668, r669, r670, r671, r672, r690, r691, r692, r693, r694, r712, r713;
  uchar r714, r715, r716, r732, r733, r734, r735, r736, r752, r753, r754, r755, r756, r774, r775, r776;
  uchar r777, r778, r796, r797, r798, r799, r800;
  int r0, r1, r2, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r16, r18;
  int r19, r20, r21, r24, r26, r28, r29, r31, r33, r34, r43, r45, r46, r47, r48, r49;
  int r52, r59, r63, r65, r66, r67, r68, r69, r72, r79, r83, r85, r86, r87, r88, r89;
  int r92, r99, r103, r105, r106, r107, r108, r109, r112, r119, r123, r125, r126, r127, r128, r129;
  int r132, r134, r141, r143, r147, r149, r150, r151, r152, r153, r156, r158, r165, r167, r171, r173;
  int r174, r175, r176, r177, r180, r182, r189, r191, r195, r197, r198, r199, r200, r201, r204, r211;
  int r215, r217, r218, r219, r220, r221, r224, r226, r233, r235, r239, r241, r242, r243, r244, r245;
  int r248, r250, r257, r259, r263, r265, r266, r267, r268, r269, r272, r274, r281, r283, r287, r289;
  int r290, r291, r292, r293, r296, r303, r307, r309, r310, r311, r312, r313, r316, r318, r325, r327;
  int r331, r333, r334, r335, r336, r337, r340, r342, r349, r351, r355, r357, r358, r359, r360, r361;
  int r364, r366, r373, r375, r379, r381, r382, r383, r384, r385, r389, r392, r394, r396, r397, r400;
  int r404, r406, r408, r409, r410, r411, r412, r415, r416, r419, r421, r423, r424, r427, r431, r433;
  int r435, r436, r437, r438, r439, r442, r443, r447, r449, r450, r451, r456, r457, r500, r502, r503;
  int r504, r505, r506, r509, r516, r518, r520, r521, r522, r523, r524, r527, r534, r536, r538, r539;
  int r540, r541, r542, r545, r552, r554, r556, r557, r558, r559, r560, r563, r570, r572, r574, r575;
  int r576, r577, r578, r581, r583, r590, r592, r594, r596, r597, r598, r599, r600, r603, r605, r612;
  int r614, r616, r618, r619, r620, r621, r622, r625, r627, r634, r636, r638, r640, r641, r642, r643;
  int r644, r647, r654, r656, r658, r659, r660, r661, r662, r665, r667, r674, r676, r678, r680, r681;
  int r682, r683, r684, r687, r689, r696, r698, r700, r702, r703, r704, r705, r706, r709, r711, r718;
  int r720, r722, r724, r725, r726, r727, r728, r731, r738, r740, r742, r743, r744, r745, r746, r749;
  int r751, r758, r760, r762, r764, r765, r766, r767, r768, r771, r773, r780, r782, r784, r786, r787;
  int r788, r789, r790, r793, r795, r802, r804, r806, r808, r809, r810, r811, r812;
  double r41, r50, r61, r70, r81, r90, r101, r110, r121, r130, r145, r154, r169, r178, r193, r202;
  double r213, r222, r237, r246, r261, r270, r285, r294, r305, r314, r329, r338, r353, r362, r377, r386;
  double r399, r413, r426, r440, r452, r453, r454, r455, r458, r459, r460, r461, r462, r463, r464, r465;
  double r466, r467, r468, r469, r470, r471, r472, r473, r474, r475, r476, r477, r478, r479, r480, r481;
  double r482, r483, r484, r485, r486, r487, r488, r489, r490, r491, r492, r493, r507, r525, r543, r561;
  double r579, r601, r623, r645, r663, r685, r707, r729, r747, r769, r791, r813;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  r4 = (int)s4;
  r5 = (int)((uint)1 * (uint)r4);
  r6 = (int)s5;
  r7 = (int)((uint)r5 * (uint)r6);
  #pragma clang loop vectorize(disable)
  for (r8 = r1; r8 < r7; r8 += r2) {
    r9 = (int)s5;
    r10 = r9 == 0 ? r8 : r9 == -1 ? (int)0 : (int)(r8 % r9);
    r11 = r9 == 0 ? (int)-1 : r9 == -1 ? (int)(0 - (uint)r8) : (int)(r8 / r9);
    r12 = (int)s4;
    r13 = r12 == 0 ? r11 : r12 == -1 ? (int)0 : (int)(r11 % r12);
    r14 = r12 == 0 ? (int)-1 : r12 == -1 ? (int)(0 - (uint)r11) : (int)(r11 / r12);
    r16 = (int)((uint)r13 * (uint)64);
    r18 = (int)((uint)r10 * (uint)64);
    r19 = (int)s1;
    r20 = (int)s2;
    r21 = (int)s3;
    r22 = (uchar)(r18 <= r16);
    r24 = r22 ? r21 : 0;
    r26 = (int)(r0 >> ((uint)4 < 32 ? (uint)4 : (uint)31));
    r28 = (int)((uint)r26 * (uint)4);
    r29 = (int)((uint)r16 + (uint)r28);
    r31 = r0 & 15;
    r33 = (int)((uint)r31 * (uint)4);
    r34 = (int)((uint)r18 + (uint)r33);
    r35 = (uchar)(r29 < r19);
    r36 = (uchar)(r34 < r20);
    r37 = r35 & r36;
    r38 = (uchar)(r34 <= r29);
    r39 = r37 & r38;
    r41 = as_double(0x0000000000000000ul);
    if (r39) {
      r43 = (int)((uint)r14 * (uint)40000);
      r45 = (int)((uint)r29 * (uint)200);
      r46 = (int)((uint)r43 + (uint)r45);
      r47 = (int)((uint)r46 + (uint)r34);
      r48 = (int)s6;
      r49 = (int)((uint)r47 + (uint)r48);
      r50 = b0[r49];
      r41 = r50;
    }
    r52 = (int)((uint)r34 + (uint)1);
    r53 = (uchar)(r29 < r19);
    r54 = (uchar)(r52 < r20);
    r55 = r53 & r54;
    r56 = (uchar)(r52 <= r29);
    r57 = r55 & r56;
    r59 = (int)((uint)r34 + (uint)1);
    r61 = as_double(0x0000000000000000ul);
    if (r57) {
      r63 = (int)((uint)r14 * (uint)40000);
      r65 = (int)((uint)r29 * (uint)200);
      r66 = (int)((uint)r63 + (uint)r65);
      r67 = (int)((uint)r66 + (uint)r59);
      r68 = (int)s6;
      r69 = (int)((uint)r67 + (uint)r68);
      r70 = b0[r69];
      r61 = r70;
    }
    r72 = (int)((uint)r34 + (uint)2);
    r73 = (uchar)(r29 < r19);
    r74 = (uchar)(r72 < r20);
    r75 = r73 & r74;
    r76 = (uchar)(r72 <= r29);
    r77 = r75 & r76;
    r79 = (int)((uint)r34 + (uint)2);
    r81 = as_double(0x0000000000000000ul);
    if (r77) {
      r83 = (int)((uint)r14 * (uint)40000);
      r85 = (int)((uint)r29 * (uint)200);
      r86 = (int)((uint)r83 + (uint)r85);
      r87 = (int)((uint)r86 + (uint)r79);
      r88 = (int)s6;
      r89 = (int)((uint)r87 + (uint)r88);
      r90 = b0[r89];
      r81 = r90;
    }
    r92 = (int)((uint)r34 + (uint)3);
    r93 = (uchar)(r29 < r19);
    r94 = (uchar)(r92 < r20);
    r95 = r93 & r94;
    r96 = (uchar)(r92 <= r29);
    r97 = r95 & r96;
    r99 = (int)((uint)r34 + (uint)3);
    r101 = as_double(0x0000000000000000ul);
    if (r97) {
      r103 = (int)((uint)r14 * (uint)40000);
      r105 = (int)((uint)r29 * (uint)200);
      r106 = (int)((uint)r103 + (uint)r105);
      r107 = (int)((uint)r106 + (uint)r99);
      r108 = (int)s6;
      r109 = (int)((uint)r107 + (uint)r108);
      r110 = b0[r109];
      r101 = r110;
    }
    r112 = (int)((uint)r29 + (uint)1);
    r113 = (uchar)(r112 < r19);
    r114 = (uchar)(r34 < r20);
    r115 = r113 & r114;
    r116 = (uchar)(r34 <= r112);
    r117 = r115 & r116;
    r119 = (int)((uint)r29 + (uint)1);
    r121 = as_double(0x0000000000000000ul);
    if (r117) {
      r123 = (int)((uint)r14 * (uint)40000);
      r125 = (int)((uint)r119 * (uint)200);
      r126 = (int)((uint)r123 + (uint)r125);
      r127 = (int)((uint)r126 + (uint)r34);
      r128 = (int)s6;
      r129 = (int)((uint)r127 + (uint)r128);
      r130 = b0[r129];
      r121 = r130;
    }
    r132 = (int)((uint)r29 + (uint)1);
    r134 = (int)((uint)r34 + (uint)1);
    r135 = (uchar)(r132 < r19);
    r136 = (uchar)(r134 < r20);
    r137 = r135 & r136;
    r138 = (uchar)(r134 <= r132);
    r139 = r137 & r138;
    r141 = (int)((uint)r29 + (uint)1);
    r143 = (int)((uint)r34 + (uint)1);
    r145 = as_double(0x0000000000000000ul);
    if (r139) {
      r147 = (int)((uint)r14 * (uint)40000);
      r149 = (int)((uint)r141 * (uint)200);
      r150 = (int)((uint)r147 + (uint)r149);
      r151 = (int)((uint)r150 + (uint)r143);
      r152 = (int)s6;
      r153 = (int)((uint)r151 + (uint)r152);
      r154 = b0[r153];
      r145 = r154;
    }
    r156 = (int)((uint)r29 + (uint)1);
    r158 = (int)((uint)r34 + (uint)2);
    r159 = (uchar)(r156 < r19);
    r160 = (uchar)(r158 < r20);
    r161 = r159 & r160;
    r162 = (uchar)(r158 <= r156);
    r163 = r161 & r162;
    r165 = (int)((uint)r29 + (uint)1);
    r167 = (int)((uint)r34 + (uint)2);
    r169 = as_double(0x0000000000000000ul);
    if (r163) {
      r171 = (int)((uint)r14 * (uint)40000);
      r173 = (int)((uint)r165 * (uint)200);
      r174 = (int)((uint)r171 + (uint)r173);
      r175 = (int)((uint)r174 + (uint)r167);
      r176 = (int)s6;
      r177 = (int)((uint)r175 + (uint)r176);
      r178 = b0[r177];
      r169 = r178;
    }
    r180 = (int)((uint)r29 + (uint)1);
    r182 = (int)((uint)r34 + (uint)3);
    r183 = (uchar)(r180 < r19);
    r184 = (uchar)(r182 < r20);
    r185 = r183 & r184;
    r186 = (uchar)(r182 <= r180);
    r187 = r185 & r186;
    r189 = (int)((uint)r29 + (uint)1);
    r191 = (int)((uint)r34 + (uint)3);
    r193 = as_double(0x0000000000000000ul);
    if (r187) {
      r195 = (int)((uint)r14 * (uint)40000);
      r197 = (int)((uint)r189 * (uint)200);
      r198 = (int)((uint)r195 + (uint)r197);
      r199 = (int)((uint)r198 + (uint)r191);
      r200 = (int)s6;
      r201 = (int)((uint)r199 + (uint)r200);
      r202 = b0[r201];
      r193 = r202;
    }
    r204 = (int)((uint)r29 + (uint)2);
    r205 = (uchar)(r204 < r19);
    r206 = (uchar)(r34 < r20);
    r207 = r205 & r206;
    r208 = (uchar)(r34 <= r204);
    r209 = r207 & r208;
    r211 = (int)((uint)r29 + (uint)2);
    r213 = as_double(0x0000000000000000ul);
    if (r209) {
      r215 = (int)((uint)r14 * (uint)40000);
      r217 = (int)((uint)r211 * (uint)200);
      r218 = (int)((uint)r215 + (uint)r217);
      r219 = (int)((uint)r218 + (uint)r34);
      r220 = (int)s6;
      r221 = (int)((uint)r219 + (uint)r220);
      r222 = b0[r221];
      r213 = r222;
    }
    r224 = (int)((uint)r29 + (uint)2);
    r226 = (int)((uint)r34 + (uint)1);
    r227 = (uchar)(r224 < r19);
    r228 = (uchar)(r226 < r20);
    r229 = r227 & r228;
    r230 = (uchar)(r226 <= r224);
    r231 = r229 & r230;
    r233 = (int)((uint)r29 + (uint)2);
    r235 = (int)((uint)r34 + (uint)1);
    r237 = as_double(0x0000000000000000ul);
    if (r231) {
      r239 = (int)((uint)r14 * (uint)40000);
      r241 = (int)((uint)r233 * (uint)200);
      r242 = (int)((uint)r239 + (uint)r241);
      r243 = (int)((uint)r242 + (uint)r235);
      r244 = (int)s6;
      r245 = (int)((uint)r243 + (uint)r244);
      r246 = b0[r245];
      r237 = r246;
    }
    r248 = (int)((uint)r29 + (uint)2);
    r250 = (int)((uint)r34 + (uint)2);
    r251 = (uchar)(r248 < r19);
    r252 = (uchar)(r250 < r20);
    r253 = r251 & r252;
    r254 = (uchar)(r250 <= r248);
    r255 = r253 & r254;
    r257 = (int)((uint)r29 + (uint)2);
    r259 = (int)((uint)r34 + (uint)2);
    r261 = as_double(0x0000000000000000ul);
    if (r255) {
      r263 = (int)((uint)r14 * (uint)40000);
      r265 = (int)((uint)r257 * (uint)200);
      r266 = (int)((uint)r263 + (uint)r265);
      r267 = (int)((uint)r266 + (uint)r259);
      r268 = (int)s6;
      r269 = (int)((uint)r267 + (uint)r268);
      r270 = b0[r269];
      r261 = r270;
    }
    r272 = (int)((uint)r29 + (uint)2);
    r274 = (int)((uint)r34 + (uint)3);
    r275 = (uchar)(r272 < r19);
    r276 = (uchar)(r274 < r20);
    r277 = r275 & r276;
    r278 = (uchar)(r274 <= r272);
    r279 = r277 & r278;
    r281 = (int)((uint)r29 + (uint)2);
    r283 = (int)((uint)r34 + (uint)3);
    r285 = as_double(0x0000000000000000ul);
    if (r279) {
      r287 = (int)((uint)r14 * (uint)40000);
      r289 = (int)((uint)r281 * (uint)200);
      r290 = (int)((uint)r287 + (uint)r289);
      r291 = (int)((uint)r290 + (uint)r283);
      r292 = (int)s6;
      r293 = (int)((uint)r291 + (uint)r292);
      r294 = b0[r293];
      r285 = r294;
    }
    r296 = (int)((uint)r29 + (uint)3);
    r297 = (uchar)(r296 < r19);
    r298 = (uchar)(r34 < r20);
    r299 = r297 & r298;
    r300 = (uchar)(r34 <= r296);
    r301 = r299 & r300;
    r303 = (int)((uint)r29 + (uint)3);
    r305 = as_double(0x0000000000000000ul);
    if (r301) {
      r307 = (int)((uint)r14 * (uint)40000);
      r309 = (int)((uint)r303 * (uint)200);
      r310 = (int)((uint)r307 + (uint)r309);
      r311 = (int)((uint)r310 + (uint)r34);
      r312 = (int)s6;
      r313 = (int)((uint)r311 + (uint)r312);
      r314 = b0[r313];
      r305 = r314;
    }
    r316 = (int)((uint)r29 + (uint)3);
    r318 = (int)((uint)r34 + (uint)1);
    r319 = (uchar)(r316 < r19);
    r320 = (uchar)(r318 < r20);
    r321 = r319 & r320;
    r322 = (uchar)(r318 <= r316);
    r323 = r321 & r322;
    r325 = (int)((uint)r29 + (uint)3);
    r327 = (int)((uint)r34 + (uint)1);
    r329 = as_double(0x0000000000000000ul);
    if (r323) {
      r331 = (int)((uint)r14 * (uint)40000);
      r333 = (int)((uint)r325 * (uint)200);
      r334 = (int)((uint)r331 + (uint)r333);
      r335 = (int)((uint)r334 + (uint)r327);
      r336 = (int)s6;
      r337 = (int)((uint)r335 + (uint)r336);
      r338 = b0[r337];
      r329 = r338;
    }
    r340 = (int)((uint)r29 + (uint)3);
    r342 = (int)((uint)r34 + (uint)2);
    r343 = (uchar)(r340 < r19);
    r344 = (uchar)(r342 < r20);
    r345 = r343 & r344;
    r346 = (uchar)(r342 <= r340);
    r347 = r345 & r346;
    r349 = (int)((uint)r29 + (uint)3);
    r351 = (int)((uint)r34 + (uint)2);
    r353 = as_double(0x0000000000000000ul);
    if (r347) {
      r355 = (int)((uint)r14 * (uint)40000);
      r357 = (int)((uint)r349 * (uint)200);
      r358 = (int)((uint)r355 + (uint)r357);
      r359 = (int)((uint)r358 + (uint)r351);
      r360 = (int)s6;
      r361 = (int)((uint)r359 + (uint)r360);
      r362 = b0[r361];
      r353 = r362;
    }
    r364 = (int)((uint)r29 + (uint)3);
    r366 = (int)((uint)r34 + (uint)3);
    r367 = (uchar)(r364 < r19);
    r368 = (uchar)(r366 < r20);
    r369 = r367 & r368;
    r370 = (uchar)(r366 <= r364);
    r371 = r369 & r370;
    r373 = (int)((uint)r29 + (uint)3);
    r375 = (int)((uint)r34 + (uint)3);
    r377 = as_double(0x0000000000000000ul);
    if (r371) {
      r379 = (int)((uint)r14 * (uint)40000);
      r381 = (int)((uint)r373 * (uint)200);
      r382 = (int)((uint)r379 + (uint)r381);
      r383 = (int)((uint)r382 + (uint)r375);
      r384 = (int)s6;
      r385 = (int)((uint)r383 + (uint)r384);
      r386 = b0[r385];
      r377 = r386;
    }
    #pragma clang loop vectorize(disable)
    for (r389 = 0; r389 < r24; r389 += 16) {
      #pragma clang loop vectorize(disable)
      for (r392 = r0; r392 < 1024; r392 += 256) {
        r394 = (int)(r392 >> ((uint)4 < 32 ? (uint)4 : (uint)31));
        r396 = r392 & 15;
        r397 = (int)((uint)r389 + (uint)r396);
        r399 = as_double(0x0000000000000000ul);
        r400 = (int)((uint)r16 + (uint)r394);
        r401 = (uchar)(r400 < r19);
        r402 = (uchar)(r397 < r24);
        r403 = r401 & r402;
        if (r403) {
          r404 = (int)((uint)r16 + (uint)r394);
          r406 = (int)((uint)r14 * (uint)40000);
          r408 = (int)((uint)r404 * (uint)200);
          r409 = (int)((uint)r406 + (uint)r408);
          r410 = (int)((uint)r409 + (uint)r397);
          r411 = (int)s0;
          r412 = (int)((uint)r410 + (uint)r411);
          r413 = b0[r412];
          r399 = r413;
        }
        r415 = (int)((uint)r396 * (uint)68);
        r416 = (int)((uint)r415 + (uint)r394);
        a0[r416] = r399;
      }
      #pragma clang loop vectorize(disable)
      for (r419 = r0; r419 < 1024; r419 += 256) {
        r421 = (int)(r419 >> ((uint)4 < 32 ? (uint)4 : (uint)31));
        r423 = r419 & 15;
        r424 = (int)((uint)r389 + (uint)r423);
        r426 = as_double(0x0000000000000000ul);
        r427 = (int)((uint)r18 + (uint)r421);
        r428 = (uchar)(r427 < r20);
        r429 = (uchar)(r424 < r24);
        r430 = r428 & r429;
        if (r430) {
          r431 = (int)((uint)r18 + (uint)r421);
          r433 = (int)((uint)r14 * (uint)40000);
          r435 = (int)((uint)r431 * (uint)200);
          r436 = (int)((uint)r433 + (uint)r435);
          r437 = (int)((uint)r436 + (uint)r424);
          r438 = (int)s0;
          r439 = (int)((uint)r437 + (uint)r438);
          r440 = b0[r439];
          r426 = r440;
        }
        r442 = (int)((uint)r423 * (uint)68);
        r443 = (int)((uint)r442 + (uint)r421);
        a1[r443] = r426;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      #pragma clang loop vectorize(disable)
      for (r447 = 0; r447 < 16; r447 += 1) {
        r449 = (int)((uint)r447 * (uint)68);
        r450 = (int)((uint)r29 - (uint)r16);
        r451 = (int)((uint)r449 + (uint)r450);
        {
          double2 v = vload2(0, a0 + r451);
          r452 = v.s0;
          r453 = v.s1;
        }
        {
          double2 v = vload2(0, a0 + (r451 + 2));
          r454 = v.s0;
          r455 = v.s1;
        }
        r456 = (int)((uint)r34 - (uint)r18);
        r457 = (int)((uint)r449 + (uint)r456);
        {
          double2 v = vload2(0, a1 + r457);
          r458 = v.s0;
          r459 = v.s1;
        }
        {
          double2 v = vload2(0, a1 + (r457 + 2));
          r460 = v.s0;
          r461 = v.s1;
        }
        r462 = as_double(as_ulong(r452) ^ 0x8000000000000000ul);
        r463 = fma(r462, r458, r41);
        r41 = r463;
        r464 = as_double(as_ulong(r452) ^ 0x8000000000000000ul);
        r465 = fma(r464, r459, r61);
        r61 = r465;
        r466 = as_double(as_ulong(r452) ^ 0x8000000000000000ul);
        r467 = fma(r466, r460, r81);
        r81 = r467;
        r468 = as_double(as_ulong(r452) ^ 0x8000000000000000ul);
        r469 = fma(r468, r461, r101);
        r101 = r469;
        r470 = as_double(as_ulong(r453) ^ 0x8000000000000000ul);
        r471 = fma(r470, r458, r121);
        r121 = r471;
        r472 = as_double(as_ulong(r453) ^ 0x8000000000000000ul);
        r473 = fma(r472, r459, r145);
        r145 = r473;
        r474 = as_double(as_ulong(r453) ^ 0x8000000000000000ul);
        r475 = fma(r474, r460, r169);
        r169 = r475;
        r476 = as_double(as_ulong(r453) ^ 0x8000000000000000ul);
        r477 = fma(r476, r461, r193);
        r193 = r477;
        r478 = as_double(as_ulong(r454) ^ 0x8000000000000000ul);
        r479 = fma(r478, r458, r213);
        r213 = r479;
        r480 = as_double(as_ulong(r454) ^ 0x8000000000000000ul);
        r481 = fma(r480, r459, r237);
        r237 = r481;
        r482 = as_double(as_ulong(r454) ^ 0x8000000000000000ul);
        r483 = fma(r482, r460, r261);
        r261 = r483;
        r484 = as_double(as_ulong(r454) ^ 0x8000000000000000ul);
        r485 = fma(r484, r461, r285);
        r285 = r485;
        r486 = as_double(as_ulong(r455) ^ 0x8000000000000000ul);
        r487 = fma(r486, r458, r305);
        r305 = r487;
        r488 = as_double(as_ulong(r455) ^ 0x8000000000000000ul);
        r489 = fma(r488, r459, r329);
        r329 = r489;
        r490 = as_double(as_ulong(r455) ^ 0x8000000000000000ul);
        r491 = fma(r490, r460, r353);
        r353 = r491;
        r492 = as_double(as_ulong(r455) ^ 0x8000000000000000ul);
        r493 = fma(r492, r461, r377);
        r377 = r493;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    r494 = (uchar)(r29 < r19);
    r495 = (uchar)(r34 < r20);
    r496 = r494 & r495;
    r497 = (uchar)(r34 <= r29);
    r498 = r496 & r497;
    if (r498) {
      r500 = (int)((uint)r14 * (uint)40000);
      r502 = (int)((uint)r29 * (uint)200);
      r503 = (int)((uint)r500 + (uint)r502);
      r504 = (int)((uint)r503 + (uint)r34);
      r505 = (int)s6;
      r506 = (int)((uint)r504 + (uint)r505);
      r507 = r41 != r41 ? as_double(0x7ff8000000000000ul) : r41;
      b0[r506] = r507;
    }
    r509 = (int)((uint)r34 + (uint)1);
    r510 = (uchar)(r29 < r19);
    r511 = (uchar)(r509 < r20);
    r512 = r510 & r511;
    r513 = (uchar)(r509 <= r29);
    r514 = r512 & r513;
    if (r514) {
      r516 = (int)((uint)r34 + (uint)1);
      r518 = (int)((uint)r14 * (uint)40000);
      r520 = (int)((uint)r29 * (uint)200);
      r521 = (int)((uint)r518 + (uint)r520);
      r522 = (int)((uint)r521 + (uint)r516);
      r523 = (int)s6;
      r524 = (int)((uint)r522 + (uint)r523);
      r525 = r61 != r61 ? as_double(0x7ff8000000000000ul) : r61;
      b0[r524] = r525;
    }
    r527 = (int)((uint)r34 + (uint)2);
    r528 = (uchar)(r29 < r19);
    r529 = (uchar)(r527 < r20);
    r530 = r528 & r529;
    r531 = (uchar)(r527 <= r29);
    r532 = r530 & r531;
    if (r532) {
      r534 = (int)((uint)r34 + (uint)2);
      r536 = (int)((uint)r14 * (uint)40000);
      r538 = (int)((uint)r29 * (uint)200);
      r539 = (int)((uint)r536 + (uint)r538);
      r540 = (int)((uint)r539 + (uint)r534);
      r541 = (int)s6;
      r542 = (int)((uint)r540 + (uint)r541);
      r543 = r81 != r81 ? as_double(0x7ff8000000000000ul) : r81;
      b0[r542] = r543;
    }
    r545 = (int)((uint)r34 + (uint)3);
    r546 = (uchar)(r29 < r19);
    r547 = (uchar)(r545 < r20);
    r548 = r546 & r547;
    r549 = (uchar)(r545 <= r29);
    r550 = r548 & r549;
    if (r550) {
      r552 = (int)((uint)r34 + (uint)3);
      r554 = (int)((uint)r14 * (uint)40000);
      r556 = (int)((uint)r29 * (uint)200);
      r557 = (int)((uint)r554 + (uint)r556);
      r558 = (int)((uint)r557 + (uint)r552);
      r559 = (int)s6;
      r560 = (int)((uint)r558 + (uint)r559);
      r561 = r101 != r101 ? as_double(0x7ff8000000000000ul) : r101;
      b0[r560] = r561;
    }
    r563 = (int)((uint)r29 + (uint)1);
    r564 = (uchar)(r563 < r19);
    r565 = (uchar)(r34 < r20);
    r566 = r564 & r565;
    r567 = (uchar)(r34 <= r563);
    r568 = r566 & r567;
    if (r568) {
      r570 = (int)((uint)r29 + (uint)1);
      r572 = (int)((uint)r14 * (uint)40000);
      r574 = (int)((uint)r570 * (uint)200);
      r575 = (int)((uint)r572 + (uint)r574);
      r576 = (int)((uint)r575 + (uint)r34);
      r577 = (int)s6;
      r578 = (int)((uint)r576 + (uint)r577);
      r579 = r121 != r121 ? as_double(0x7ff8000000000000ul) : r121;
      b0[r578] = r579;
    }
    r581 = (int)((uint)r29 + (uint)1);
    r583 = (int)((uint)r34 + (uint)1);
    r584 = (uchar)(r581 < r19);
    r585 = (uchar)(r583 < r20);
    r586 = r584 & r585;
    r587 = (uchar)(r583 <= r581);
    r588 = r586 & r587;
    if (r588) {
      r590 = (int)((uint)r29 + (uint)1);
      r592 = (int)((uint)r34 + (uint)1);
      r594 = (int)((uint)r14 * (uint)40000);
      r596 = (int)((uint)r590 * (uint)200);
      r597 = (int)((uint)r594 + (uint)r596);
      r598 = (int)((uint)r597 + (uint)r592);
      r599 = (int)s6;
      r600 = (int)((uint)r598 + (uint)r599);
      r601 = r145 != r145 ? as_double(0x7ff8000000000000ul) : r145;
      b0[r600] = r601;
    }
    r603 = (int)((uint)r29 + (uint)1);
    r605 = (int)((uint)r34 + (uint)2);
    r606 = (uchar)(r603 < r19);
    r607 = (uchar)(r605 < r20);
    r608 = r606 & r607;
    r609 = (uchar)(r605 <= r603);
    r610 = r608 & r609;
    if (r610) {
      r612 = (int)((uint)r29 + (uint)1);
      r614 = (int)((uint)r34 + (uint)2);
      r616 = (int)((uint)r14 * (uint)40000);
      r618 = (int)((uint)r612 * (uint)200);
      r619 = (int)((uint)r616 + (uint)r618);
      r620 = (int)((uint)r619 + (uint)r614);
      r621 = (int)s6;
      r622 = (int)((uint)r620 + (uint)r621);
      r623 = r169 != r169 ? as_double(0x7ff8000000000000ul) : r169;
      b0[r622] = r623;
    }
    r625 = (int)((uint)r29 + (uint)1);
    r627 = (int)((uint)r34 + (uint)3);
    r628 = (uchar)(r625 < r19);
    r629 = (uchar)(r627 < r20);
    r630 = r628 & r629;
    r631 = (uchar)(r627 <= r625);
    r632 = r630 & r631;
    if (r632) {
      r634 = (int)((uint)r29 + (uint)1);
      r636 = (int)((uint)r34 + (uint)3);
      r638 = (int)((uint)r14 * (uint)40000);
      r640 = (int)((uint)r634 * (uint)200);
      r641 = (int)((uint)r638 + (uint)r640);
      r642 = (int)((uint)r641 + (uint)r636);
      r643 = (int)s6;
      r644 = (int)((uint)r642 + (uint)r643);
      r645 = r193 != r193 ? as_double(0x7ff8000000000000ul) : r193;
      b0[r644] = r645;
    }
    r647 = (int)((uint)r29 + (uint)2);
    r648 = (uchar)(r647 < r19);
    r649 = (uchar)(r34 < r20);
    r650 = r648 & r649;
    r651 = (uchar)(r34 <= r647);
    r652 = r650 & r651;
    if (r652) {
      r654 = (int)((uint)r29 + (uint)2);
      r656 = (int)((uint)r14 * (uint)40000);
      r658 = (int)((uint)r654 * (uint)200);
      r659 = (int)((uint)r656 + (uint)r658);
      r660 = (int)((uint)r659 + (uint)r34);
      r661 = (int)s6;
      r662 = (int)((uint)r660 + (uint)r661);
      r663 = r213 != r213 ? as_double(0x7ff8000000000000ul) : r213;
      b0[r662] = r663;
    }
    r665 = (int)((uint)r29 + (uint)2);
    r667 = (int)((uint)r34 + (uint)1);
    r668 = (uchar)(r665 < r19);
    r669 = (uchar)(r667 < r20);
    r670 = r668 & r669;
    r671 = (uchar)(r667 <= r665);
    r672 = r670 & r671;
    if (r672) {
      r674 = (int)((uint)r29 + (uint)2);
      r676 = (int)((uint)r34 + (uint)1);
      r678 = (int)((uint)r14 * (uint)40000);
      r680 = (int)((uint)r674 * (uint)200);
      r681 = (int)((uint)r678 + (uint)r680);
      r682 = (int)((uint)r681 + (uint)r676);
      r683 = (int)s6;
      r684 = (int)((uint)r682 + (uint)r683);
      r685 = r237 != r237 ? as_double(0x7ff8000000000000ul) : r237;
      b0[r684] = r685;
    }
    r687 = (int)((uint)r29 + (uint)2);
    r689 = (int)((uint)r34 + (uint)2);
    r690 = (uchar)(r687 < r19);
    r691 = (uchar)(r689 < r20);
    r692 = r690 & r691;
    r693 = (uchar)(r689 <= r687);
    r694 = r692 & r693;
    if (r694) {
      r696 = (int)((uint)r29 + (uint)2);
      r698 = (int)((uint)r34 + (uint)2);
      r700 = (int)((uint)r14 * (uint)40000);
      r702 = (int)((uint)r696 * (uint)200);
      r703 = (int)((uint)r700 + (uint)r702);
      r704 = (int)((uint)r703 + (uint)r698);
      r705 = (int)s6;
      r706 = (int)((uint)r704 + (uint)r705);
      r707 = r261 != r261 ? as_double(0x7ff8000000000000ul) : r261;
      b0[r706] = r707;
    }
    r709 = (int)((uint)r29 + (uint)2);
    r711 = (int)((uint)r34 + (uint)3);
    r712 = (uchar)(r709 < r19);
    r713 = (uchar)(r711 < r20);
    r714 = r712 & r713;
    r715 = (uchar)(r711 <= r709);
    r716 = r714 & r715;
    if (r716) {
      r718 = (int)((uint)r29 + (uint)2);
      r720 = (int)((uint)r34 + (uint)3);
      r722 = (int)((uint)r14 * (uint)40000);
      r724 = (int)((uint)r718 * (uint)200);
      r725 = (int)((uint)r722 + (uint)r724);
      r726 = (int)((uint)r725 + (uint)r720);
      r727 = (int)s6;
      r728 = (int)((uint)r726 + (uint)r727);
      r729 = r285 != r285 ? as_double(0x7ff8000000000000ul) : r285;
      b0[r728] = r729;
    }
    r731 = (int)((uint)r29 + (uint)3);
    r732 = (uchar)(r731 < r19);
    r733 = (uchar)(r34 < r20);
    r734 = r732 & r733;
    r735 = (uchar)(r34 <= r731);
    r736 = r734 & r735;
    if (r736) {
      r738 = (int)((uint)r29 + (uint)3);
      r740 = (int)((uint)r14 * (uint)40000);
      r742 = (int)((uint)r738 * (uint)200);
      r743 = (int)((uint)r740 + (uint)r742);
      r744 = (int)((uint)r743 + (uint)r34);
      r745 = (int)s6;
      r746 = (int)((uint)r744 + (uint)r745);
      r747 = r305 != r305 ? as_double(0x7ff8000000000000ul) : r305;
      b0[r746] = r747;
    }
    r749 = (int)((uint)r29 + (uint)3);
    r751 = (int)((uint)r34 + (uint)1);
    r752 = (uchar)(r749 < r19);
    r753 = (uchar)(r751 < r20);
    r754 = r752 & r753;
    r755 = (uchar)(r751 <= r749);
    r756 = r754 & r755;
    if (r756) {
      r758 = (int)((uint)r29 + (uint)3);
      r760 = (int)((uint)r34 + (uint)1);
      r762 = (int)((uint)r14 * (uint)40000);
      r764 = (int)((uint)r758 * (uint)200);
      r765 = (int)((uint)r762 + (uint)r764);
      r766 = (int)((uint)r765 + (uint)r760);
      r767 = (int)s6;
      r768 = (int)((uint)r766 + (uint)r767);
      r769 = r329 != r329 ? as_double(0x7ff8000000000000ul) : r329;
      b0[r768] = r769;
    }
    r771 = (int)((uint)r29 + (uint)3);
    r773 = (int)((uint)r34 + (uint)2);
    r774 = (uchar)(r771 < r19);
    r775 = (uchar)(r773 < r20);
    r776 = r774 & r775;
    r777 = (uchar)(r773 <= r771);
    r778 = r776 & r777;
    if (r778) {
      r780 = (int)((uint)r29 + (uint)3);
      r782 = (int)((uint)r34 + (uint)2);
      r784 = (int)((uint)r14 * (uint)40000);
      r786 = (int)((uint)r780 * (uint)200);
      r787 = (int)((uint)r784 + (uint)r786);
      r788 = (int)((uint)r787 + (uint)r782);
      r789 = (int)s6;
      r790 = (int)((uint)r788 + (uint)r789);
      r791 = r353 != r353 ? as_double(0x7ff8000000000000ul) : r353;
      b0[r790] = r791;
    }
    r793 = (int)((uint)r29 + (uint)3);
    r795 = (int)((uint)r34 + (uint)3);
    r796 = (uchar)(r793 < r19);
    r797 = (uchar)(r795 < r20);
    r798 = r796 & r797;
    r799 = (uchar)(r795 <= r793);
    r800 = r798 & r799;
    if (r800) {
      r802 = (int)((uint)r29 + (uint)3);
      r804 = (int)((uint)r34 + (uint)3);
      r806 = (int)((uint)r14 * (uint)40000);
      r808 = (int)((uint)r802 * (uint)200);
      r809 = (int)((uint)r806 + (uint)r808);
      r810 = (int)((uint)r809 + (uint)r804);
      r811 = (int)s6;
      r812 = (int)((uint)r810 + (uint)r811);
      r813 = r377 != r377 ? as_double(0x7ff8000000000000ul) : r377;
      b0[r812] = r813;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
