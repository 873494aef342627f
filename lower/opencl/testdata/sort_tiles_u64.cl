#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void k0_sort_tiles(__global const uchar *m0, long o0, __global const uchar *m1, long o1, __global uchar *m2, long o2, __global uchar *m3, long o3) {
  __global const ulong *b0 = (__global const ulong *)(m0 + o0);
  __global const int *b1 = (__global const int *)(m1 + o1);
  __global ulong *b2 = (__global ulong *)(m2 + o2);
  __global int *b3 = (__global int *)(m3 + o3);
  __local ulong a0[1024];
  __local int a1[1024];
  __local ulong a2[1024];
  __local int a3[1024];
  uchar r46, r57, r63, r64, r65, r66, r71, r72, r101, r112, r118, r119, r120, r121, r126, r127;
  uchar r156, r167, r173, r174, r175, r176, r181, r182, r211, r222, r228, r229, r230, r231, r236, r237;
  uchar r266, r277, r283, r284, r285, r286, r291, r292, r321, r332, r338, r339, r340, r341, r346, r347;
  uchar r376, r387, r393, r394, r395, r396, r401, r402, r431, r442, r448, r449, r450, r451, r456, r457;
  uchar r486, r497, r503, r504, r505, r506, r511, r512, r541, r552, r558, r559, r560, r561, r566, r567;
  int r0, r1, r2, r4, r6, r7, r9, r12, r13, r15, r16, r18, r20, r21, r22, r24;
  int r26, r27, r29, r30, r33, r34, r35, r38, r39, r41, r42, r43, r44, r45, r47, r49;
  int r50, r52, r54, r55, r58, r60, r61, r62, r67, r69, r73, r74, r75, r77, r79, r81;
  int r82, r84, r85, r88, r89, r90, r93, r94, r96, r97, r98, r99, r100, r102, r104, r105;
  int r107, r109, r110, r113, r115, r116, r117, r122, r124, r128, r129, r130, r132, r134, r136, r137;
  int r139, r140, r143, r144, r145, r148, r149, r151, r152, r153, r154, r155, r157, r159, r160, r162;
  int r164, r165, r168, r170, r171, r172, r177, r179, r183, r184, r185, r187, r189, r191, r192, r194;
  int r195, r198, r199, r200, r203, r204, r206, r207, r208, r209, r210, r212, r214, r215, r217, r219;
  int r220, r223, r225, r226, r227, r232, r234, r238, r239, r240, r242, r244, r246, r247, r249, r250;
  int r253, r254, r255, r258, r259, r261, r262, r263, r264, r265, r267, r269, r270, r272, r274, r275;
  int r278, r280, r281, r282, r287, r289, r293, r294, r295, r297, r299, r301, r302, r304, r305, r308;
  int r309, r310, r313, r314, r316, r317, r318, r319, r320, r322, r324, r325, r327, r329, r330, r333;
  int r335, r336, r337, r342, r344, r348, r349, r350, r352, r354, r356, r357, r359, r360, r363, r364;
  int r365, r368, r369, r371, r372, r373, r374, r375, r377, r379, r380, r382, r384, r385, r388, r390;
  int r391, r392, r397, r399, r403, r404, r405, r407, r409, r411, r412, r414, r415, r418, r419, r420;
  int r423, r424, r426, r427, r428, r429, r430, r432, r434, r435, r437, r439, r440, r443, r445, r446;
  int r447, r452, r454, r458, r459, r460, r462, r464, r466, r467, r469, r470, r473, r474, r475, r478;
  int r479, r481, r482, r483, r484, r485, r487, r489, r490, r492, r494, r495, r498, r500, r501, r502;
  int r507, r509, r513, r514, r515, r517, r519, r521, r522, r524, r525, r528, r529, r530, r533, r534;
  int r536, r537, r538, r539, r540, r542, r544, r545, r547, r549, r550, r553, r555, r556, r557, r562;
  int r564, r568, r569, r570, r572, r574, r575, r577, r578;
  ulong r19, r51, r56, r68, r70, r76, r106, r111, r123, r125, r131, r161, r166, r178, r180, r186;
  ulong r216, r221, r233, r235, r241, r271, r276, r288, r290, r296, r326, r331, r343, r345, r351, r381;
  ulong r386, r398, r400, r406, r436, r441, r453, r455, r461, r491, r496, r508, r510, r516, r546, r551;
  ulong r563, r565, r571, r576;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  #pragma clang loop vectorize(disable)
  for (r4 = r1; r4 < 12; r4 += r2) {
    r6 = 3 == 0 ? r4 : 3 == -1 ? (int)0 : (int)(r4 % 3);
    r7 = 3 == 0 ? (int)-1 : 3 == -1 ? (int)(0 - (uint)r4) : (int)(r4 / 3);
    r9 = (int)((uint)r6 * (uint)1024);
    r12 = (int)((uint)3000 - (uint)r9);
    r13 = 1024 < r12 ? 1024 : r12;
    r15 = (int)((uint)r7 * (uint)3000);
    r16 = (int)((uint)r9 + (uint)r15);
    #pragma clang loop vectorize(disable)
    for (r18 = r0; r18 < r13; r18 += 256) {
      r21 = (int)((uint)r16 + (uint)r18);
      r19 = b0[r21];
      r22 = (int)((uint)r16 + (uint)r18);
      r20 = b1[r22];
      a0[r18] = r19;
      a1[r18] = r20;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    #pragma clang loop vectorize(disable)
    for (r24 = r0; r24 < r13; r24 += 256) {
      r26 = r24 & 1;
      r27 = (int)((uint)r24 - (uint)r26);
      r29 = (int)((uint)r27 + (uint)1);
      r30 = (int)((uint)r13 - (uint)r27);
      r33 = r30 > 0 ? r30 : 0;
      r34 = r33 < 1 ? r33 : 1;
      r35 = (int)((uint)r13 - (uint)r29);
      r38 = r35 > 0 ? r35 : 0;
      r39 = r38 < 1 ? r38 : 1;
      r41 = (int)((uint)r26 - (uint)r39);
      r42 = 0 > r41 ? 0 : r41;
      r43 = r42;
      r44 = r26 < r34 ? r26 : r34;
      r45 = r44;
      #pragma clang loop vectorize(disable)
      for (;;) {
        r46 = (uchar)(r43 < r45);
        if (!r46) break;
        r47 = (int)((uint)r43 + (uint)r45);
        r49 = (int)(r47 >> ((uint)1 < 32 ? (uint)1 : (uint)31));
        r50 = (int)((uint)r27 + (uint)r49);
        r51 = a0[r50];
        r52 = (int)((uint)r26 - (uint)r49);
        r54 = (int)((uint)r52 + (uint)((int)0xffffffffu));
        r55 = (int)((uint)r29 + (uint)r54);
        r56 = a0[r55];
        r57 = (uchar)(r56 < r51);
        r58 = r57 ? r49 : r45;
        r45 = r58;
        r60 = (int)((uint)r49 + (uint)1);
        r61 = r57 ? r43 : r60;
        r43 = r61;
      }
      r62 = (int)((uint)r26 - (uint)r43);
      r63 = (uchar)(r43 < r34);
      r64 = r63;
      r65 = (uchar)(r62 < r39);
      r66 = r64 & r65;
      if (r66) {
        r67 = (int)((uint)r29 + (uint)r62);
        r68 = a0[r67];
        r69 = (int)((uint)r27 + (uint)r43);
        r70 = a0[r69];
        r71 = (uchar)(r68 < r70);
        r72 = r71 ^ 1;
        r64 = r72;
      }
      r73 = (int)((uint)r27 + (uint)r43);
      r74 = (int)((uint)r29 + (uint)r62);
      r75 = r64 ? r73 : r74;
      r76 = a0[r75];
      r77 = a1[r75];
      a2[r24] = r76;
      a3[r24] = r77;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    #pragma clang loop vectorize(disable)
    for (r79 = r0; r79 < r13; r79 += 256) {
      r81 = r79 & 3;
      r82 = (int)((uint)r79 - (uint)r81);
      r84 = (int)((uint)r82 + (uint)2);
      r85 = (int)((uint)r13 - (uint)r82);
      r88 = r85 > 0 ? r85 : 0;
      r89 = r88 < 2 ? r88 : 2;
      r90 = (int)((uint)r13 - (uint)r84);
      r93 = r90 > 0 ? r90 : 0;
      r94 = r93 < 2 ? r93 : 2;
      r96 = (int)((uint)r81 - (uint)r94);
      r97 = 0 > r96 ? 0 : r96;
      r98 = r97;
      r99 = r81 < r89 ? r81 : r89;
      r100 = r99;
      #pragma clang loop vectorize(disable)
      for (;;) {
        r101 = (uchar)(r98 < r100);
        if (!r101) break;
        r102 = (int)((uint)r98 + (uint)r100);
        r104 = (int)(r102 >> ((uint)1 < 32 ? (uint)1 : (uint)31));
        r105 = (int)((uint)r82 + (uint)r104);
        r106 = a2[r105];
        r107 = (int)((uint)r81 - (uint)r104);
        r109 = (int)((uint)r107 + (uint)((int)0xffffffffu));
        r110 = (int)((uint)r84 + (uint)r109);
        r111 = a2[r110];
        r112 = (uchar)(r111 < r106);
        r113 = r112 ? r104 : r100;
        r100 = r113;
        r115 = (int)((uint)r104 + (uint)1);
        r116 = r112 ? r98 : r115;
        r98 = r116;
      }
      r117 = (int)((uint)r81 - (uint)r98);
      r118 = (uchar)(r98 < r89);
      r119 = r118;
      r120 = (uchar)(r117 < r94);
      r121 = r119 & r120;
      if (r121) {
        r122 = (int)((uint)r84 + (uint)r117);
        r123 = a2[r122];
        r124 = (int)((uint)r82 + (uint)r98);
        r125 = a2[r124];
        r126 = (uchar)(r123 < r125);
        r127 = r126 ^ 1;
        r119 = r127;
      }
      r128 = (int)((uint)r82 + (uint)r98);
      r129 = (int)((uint)r84 + (uint)r117);
      r130 = r119 ? r128 : r129;
      r131 = a2[r130];
      r132 = a3[r130];
      a0[r79] = r131;
      a1[r79] = r132;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    #pragma clang loop vectorize(disable)
    for (r134 = r0; r134 < r13; r134 += 256) {
      r136 = r134 & 7;
      r137 = (int)((uint)r134 - (uint)r136);
      r139 = (int)((uint)r137 + (uint)4);
      r140 = (int)((uint)r13 - (uint)r137);
      r143 = r140 > 0 ? r140 : 0;
      r144 = r143 < 4 ? r143 : 4;
      r145 = (int)((uint)r13 - (uint)r139);
      r148 = r145 > 0 ? r145 : 0;
      r149 = r148 < 4 ? r148 : 4;
      r151 = (int)((uint)r136 - (uint)r149);
      r152 = 0 > r151 ? 0 : r151;
      r153 = r152;
      r154 = r136 < r144 ? r136 : r144;
      r155 = r154;
      #pragma clang loop vectorize(disable)
      for (;;) {
        r156 = (uchar)(r153 < r155);
        if (!r156) break;
        r157 = (int)((uint)r153 + (uint)r155);
        r159 = (int)(r157 >> ((uint)1 < 32 ? (uint)1 : (uint)31));
        r160 = (int)((uint)r137 + (uint)r159);
        r161 = a0[r160];
        r162 = (int)((uint)r136 - (uint)r159);
        r164 = (int)((uint)r162 + (uint)((int)0xffffffffu));
        r165 = (int)((uint)r139 + (uint)r164);
        r166 = a0[r165];
        r167 = (uchar)(r166 < r161);
        r168 = r167 ? r159 : r155;
        r155 = r168;
        r170 = (int)((uint)r159 + (uint)1);
        r171 = r167 ? r153 : r170;
        r153 = r171;
      }
      r172 = (int)((uint)r136 - (uint)r153);
      r173 = (uchar)(r153 < r144);
      r174 = r173;
      r175 = (uchar)(r172 < r149);
      r176 = r174 & r175;
      if (r176) {
        r177 = (int)((uint)r139 + (uint)r172);
        r178 = a0[r177];
        r179 = (int)((uint)r137 + (uint)r153);
        r180 = a0[r179];
        r181 = (uchar)(r178 < r180);
        r182 = r181 ^ 1;
        r174 = r182;
      }
      r183 = (int)((uint)r137 + (uint)r153);
      r184 = (int)((uint)r139 + (uint)r172);
      r185 = r174 ? r183 : r184;
      r186 = a0[r185];
      r187 = a1[r185];
      a2[r134] = r186;
      a3[r134] = r187;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    #pragma clang loop vectorize(disable)
    for (r189 = r0; r189 < r13; r189 += 256) {
      r191 = r189 & 15;
      r192 = (int)((uint)r189 - (uint)r191);
      r194 = (int)((uint)r192 + (uint)8);
      r195 = (int)((uint)r13 - (uint)r192);
      r198 = r195 > 0 ? r195 : 0;
      r199 = r198 < 8 ? r198 : 8;
      r200 = (int)((uint)r13 - (uint)r194);
      r203 = r200 > 0 ? r200 : 0;
      r204 = r203 < 8 ? r203 : 8;
      r206 = (int)((uint)r191 - (uint)r204);
      r207 = 0 > r206 ? 0 : r206;
      r208 = r207;
      r209 = r191 < r199 ? r191 : r199;
      r210 = r209;
      #pragma clang loop vectorize(disable)
      for (;;) {
        r211 = (uchar)(r208 < r210);
        if (!r211) break;
        r212 = (int)((uint)r208 + (uint)r210);
        r214 = (int)(r212 >> ((uint)1 < 32 ? (uint)1 : (uint)31));
        r215 = (int)((uint)r192 + (uint)r214);
        r216 = a2[r215];
        r217 = (int)((uint)r191 - (uint)r214);
        r219 = (int)((uint)r217 + (uint)((int)0xffffffffu));
        r220 = (int)((uint)r194 + (uint)r219);
        r221 = a2[r220];
        r222 = (uchar)(r221 < r216);
        r223 = r222 ? r214 : r210;
        r210 = r223;
        r225 = (int)((uint)r214 + (uint)1);
        r226 = r222 ? r208 : r225;
        r208 = r226;
      }
      r227 = (int)((uint)r191 - (uint)r208);
      r228 = (uchar)(r208 < r199);
      r229 = r228;
      r230 = (uchar)(r227 < r204);
      r231 = r229 & r230;
      if (r231) {
        r232 = (int)((uint)r194 + (uint)r227);
        r233 = a2[r232];
        r234 = (int)((uint)r192 + (uint)r208);
        r235 = a2[r234];
        r236 = (uchar)(r233 < r235);
        r237 = r236 ^ 1;
        r229 = r237;
      }
      r238 = (int)((uint)r192 + (uint)r208);
      r239 = (int)((uint)r194 + (uint)r227);
      r240 = r229 ? r238 : r239;
      r241 = a2[r240];
      r242 = a3[r240];
      a0[r189] = r241;
      a1[r189] = r242;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    #pragma clang loop vectorize(disable)
    for (r244 = r0; r244 < r13; r244 += 256) {
      r246 = r244 & 31;
      r247 = (int)((uint)r244 - (uint)r246);
      r249 = (int)((uint)r247 + (uint)16);
      r250 = (int)((uint)r13 - (uint)r247);
      r253 = r250 > 0 ? r250 : 0;
      r254 = r253 < 16 ? r253 : 16;
      r255 = (int)((uint)r13 - (uint)r249);
      r258 = r255 > 0 ? r255 : 0;
      r259 = r258 < 16 ? r258 : 16;
      r261 = (int)((uint)r246 - (uint)r259);
      r262 = 0 > r261 ? 0 : r261;
      r263 = r262;
      r264 = r246 < r254 ? r246 : r254;
      r265 = r264;
      #pragma clang loop vectorize(disable)
      for (;;) {
        r266 = (uchar)(r263 < r265);
        if (!r266) break;
        r267 = (int)((uint)r263 + (uint)r265);
        r269 = (int)(r267 >> ((uint)1 < 32 ? (uint)1 : (uint)31));
        r270 = (int)((uint)r247 + (uint)r269);
        r271 = a0[r270];
        r272 = (int)((uint)r246 - (uint)r269);
        r274 = (int)((uint)r272 + (uint)((int)0xffffffffu));
        r275 = (int)((uint)r249 + (uint)r274);
        r276 = a0[r275];
        r277 = (uchar)(r276 < r271);
        r278 = r277 ? r269 : r265;
        r265 = r278;
        r280 = (int)((uint)r269 + (uint)1);
        r281 = r277 ? r263 : r280;
        r263 = r281;
      }
      r282 = (int)((uint)r246 - (uint)r263);
      r283 = (uchar)(r263 < r254);
      r284 = r283;
      r285 = (uchar)(r282 < r259);
      r286 = r284 & r285;
      if (r286) {
        r287 = (int)((uint)r249 + (uint)r282);
        r288 = a0[r287];
        r289 = (int)((uint)r247 + (uint)r263);
        r290 = a0[r289];
        r291 = (uchar)(r288 < r290);
        r292 = r291 ^ 1;
        r284 = r292;
      }
      r293 = (int)((uint)r247 + (uint)r263);
      r294 = (int)((uint)r249 + (uint)r282);
      r295 = r284 ? r293 : r294;
      r296 = a0[r295];
      r297 = a1[r295];
      a2[r244] = r296;
      a3[r244] = r297;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    #pragma clang loop vectorize(disable)
    for (r299 = r0; r299 < r13; r299 += 256) {
      r301 = r299 & 63;
      r302 = (int)((uint)r299 - (uint)r301);
      r304 = (int)((uint)r302 + (uint)32);
      r305 = (int)((uint)r13 - (uint)r302);
      r308 = r305 > 0 ? r305 : 0;
      r309 = r308 < 32 ? r308 : 32;
      r310 = (int)((uint)r13 - (uint)r304);
      r313 = r310 > 0 ? r310 : 0;
      r314 = r313 < 32 ? r313 : 32;
      r316 = (int)((uint)r301 - (uint)r314);
      r317 = 0 > r316 ? 0 : r316;
      r318 = r317;
      r319 = r301 < r309 ? r301 : r309;
      r320 = r319;
      #pragma clang loop vectorize(disable)
      for (;;) {
        r321 = (uchar)(r318 < r320);
        if (!r321) break;
        r322 = (int)((uint)r318 + (uint)r320);
        r324 = (int)(r322 >> ((uint)1 < 32 ? (uint)1 : (uint)31));
        r325 = (int)((uint)r302 + (uint)r324);
        r326 = a2[r325];
        r327 = (int)((uint)r301 - (uint)r324);
        r329 = (int)((uint)r327 + (uint)((int)0xffffffffu));
        r330 = (int)((uint)r304 + (uint)r329);
        r331 = a2[r330];
        r332 = (uchar)(r331 < r326);
        r333 = r332 ? r324 : r320;
        r320 = r333;
        r335 = (int)((uint)r324 + (uint)1);
        r336 = r332 ? r318 : r335;
        r318 = r336;
      }
      r337 = (int)((uint)r301 - (uint)r318);
      r338 = (uchar)(r318 < r309);
      r339 = r338;
      r340 = (uchar)(r337 < r314);
      r341 = r339 & r340;
      if (r341) {
        r342 = (int)((uint)r304 + (uint)r337);
        r343 = a2[r342];
        r344 = (int)((uint)r302 + (uint)r318);
        r345 = a2[r344];
        r346 = (uchar)(r343 < r345);
        r347 = r346 ^ 1;
        r339 = r347;
      }
      r348 = (int)((uint)r302 + (uint)r318);
      r349 = (int)((uint)r304 + (uint)r337);
      r350 = r339 ? r348 : r349;
      r351 = a2[r350];
      r352 = a3[r350];
      a0[r299] = r351;
      a1[r299] = r352;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    #pragma clang loop vectorize(disable)
    for (r354 = r0; r354 < r13; r354 += 256) {
      r356 = r354 & 127;
      r357 = (int)((uint)r354 - (uint)r356);
      r359 = (int)((uint)r357 + (uint)64);
      r360 = (int)((uint)r13 - (uint)r357);
      r363 = r360 > 0 ? r360 : 0;
      r364 = r363 < 64 ? r363 : 64;
      r365 = (int)((uint)r13 - (uint)r359);
      r368 = r365 > 0 ? r365 : 0;
      r369 = r368 < 64 ? r368 : 64;
      r371 = (int)((uint)r356 - (uint)r369);
      r372 = 0 > r371 ? 0 : r371;
      r373 = r372;
      r374 = r356 < r364 ? r356 : r364;
      r375 = r374;
      #pragma clang loop vectorize(disable)
      for (;;) {
        r376 = (uchar)(r373 < r375);
        if (!r376) break;
        r377 = (int)((uint)r373 + (uint)r375);
        r379 = (int)(r377 >> ((uint)1 < 32 ? (uint)1 : (uint)31));
        r380 = (int)((uint)r357 + (uint)r379);
        r381 = a0[r380];
        r382 = (int)((uint)r356 - (uint)r379);
        r384 = (int)((uint)r382 + (uint)((int)0xffffffffu));
        r385 = (int)((uint)r359 + (uint)r384);
        r386 = a0[r385];
        r387 = (uchar)(r386 < r381);
        r388 = r387 ? r379 : r375;
        r375 = r388;
        r390 = (int)((uint)r379 + (uint)1);
        r391 = r387 ? r373 : r390;
        r373 = r391;
      }
      r392 = (int)((uint)r356 - (uint)r373);
      r393 = (uchar)(r373 < r364);
      r394 = r393;
      r395 = (uchar)(r392 < r369);
      r396 = r394 & r395;
      if (r396) {
        r397 = (int)((uint)r359 + (uint)r392);
        r398 = a0[r397];
        r399 = (int)((uint)r357 + (uint)r373);
        r400 = a0[r399];
        r401 = (uchar)(r398 < r400);
        r402 = r401 ^ 1;
        r394 = r402;
      }
      r403 = (int)((uint)r357 + (uint)r373);
      r404 = (int)((uint)r359 + (uint)r392);
      r405 = r394 ? r403 : r404;
      r406 = a0[r405];
      r407 = a1[r405];
      a2[r354] = r406;
      a3[r354] = r407;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    #pragma clang loop vectorize(disable)
    for (r409 = r0; r409 < r13; r409 += 256) {
      r411 = r409 & 255;
      r412 = (int)((uint)r409 - (uint)r411);
      r414 = (int)((uint)r412 + (uint)128);
      r415 = (int)((uint)r13 - (uint)r412);
      r418 = r415 > 0 ? r415 : 0;
      r419 = r418 < 128 ? r418 : 128;
      r420 = (int)((uint)r13 - (uint)r414);
      r423 = r420 > 0 ? r420 : 0;
      r424 = r423 < 128 ? r423 : 128;
      r426 = (int)((uint)r411 - (uint)r424);
      r427 = 0 > r426 ? 0 : r426;
      r428 = r427;
      r429 = r411 < r419 ? r411 : r419;
      r430 = r429;
      #pragma clang loop vectorize(disable)
      for (;;) {
        r431 = (uchar)(r428 < r430);
        if (!r431) break;
        r432 = (int)((uint)r428 + (uint)r430);
        r434 = (int)(r432 >> ((uint)1 < 32 ? (uint)1 : (uint)31));
        r435 = (int)((uint)r412 + (uint)r434);
        r436 = a2[r435];
        r437 = (int)((uint)r411 - (uint)r434);
        r439 = (int)((uint)r437 + (uint)((int)0xffffffffu));
        r440 = (int)((uint)r414 + (uint)r439);
        r441 = a2[r440];
        r442 = (uchar)(r441 < r436);
        r443 = r442 ? r434 : r430;
        r430 = r443;
        r445 = (int)((uint)r434 + (uint)1);
        r446 = r442 ? r428 : r445;
        r428 = r446;
      }
      r447 = (int)((uint)r411 - (uint)r428);
      r448 = (uchar)(r428 < r419);
      r449 = r448;
      r450 = (uchar)(r447 < r424);
      r451 = r449 & r450;
      if (r451) {
        r452 = (int)((uint)r414 + (uint)r447);
        r453 = a2[r452];
        r454 = (int)((uint)r412 + (uint)r428);
        r455 = a2[r454];
        r456 = (uchar)(r453 < r455);
        r457 = r456 ^ 1;
        r449 = r457;
      }
      r458 = (int)((uint)r412 + (uint)r428);
      r459 = (int)((uint)r414 + (uint)r447);
      r460 = r449 ? r458 : r459;
      r461 = a2[r460];
      r462 = a3[r460];
      a0[r409] = r461;
      a1[r409] = r462;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    #pragma clang loop vectorize(disable)
    for (r464 = r0; r464 < r13; r464 += 256) {
      r466 = r464 & 511;
      r467 = (int)((uint)r464 - (uint)r466);
      r469 = (int)((uint)r467 + (uint)256);
      r470 = (int)((uint)r13 - (uint)r467);
      r473 = r470 > 0 ? r470 : 0;
      r474 = r473 < 256 ? r473 : 256;
      r475 = (int)((uint)r13 - (uint)r469);
      r478 = r475 > 0 ? r475 : 0;
      r479 = r478 < 256 ? r478 : 256;
      r481 = (int)((uint)r466 - (uint)r479);
      r482 = 0 > r481 ? 0 : r481;
      r483 = r482;
      r484 = r466 < r474 ? r466 : r474;
      r485 = r484;
      #pragma clang loop vectorize(disable)
      for (;;) {
        r486 = (uchar)(r483 < r485);
        if (!r486) break;
        r487 = (int)((uint)r483 + (uint)r485);
        r489 = (int)(r487 >> ((uint)1 < 32 ? (uint)1 : (uint)31));
        r490 = (int)((uint)r467 + (uint)r489);
        r491 = a0[r490];
        r492 = (int)((uint)r466 - (uint)r489);
        r494 = (int)((uint)r492 + (uint)((int)0xffffffffu));
        r495 = (int)((uint)r469 + (uint)r494);
        r496 = a0[r495];
        r497 = (uchar)(r496 < r491);
        r498 = r497 ? r489 : r485;
        r485 = r498;
        r500 = (int)((uint)r489 + (uint)1);
        r501 = r497 ? r483 : r500;
        r483 = r501;
      }
      r502 = (int)((uint)r466 - (uint)r483);
      r503 = (uchar)(r483 < r474);
      r504 = r503;
      r505 = (uchar)(r502 < r479);
      r506 = r504 & r505;
      if (r506) {
        r507 = (int)((uint)r469 + (uint)r502);
        r508 = a0[r507];
        r509 = (int)((uint)r467 + (uint)r483);
        r510 = a0[r509];
        r511 = (uchar)(r508 < r510);
        r512 = r511 ^ 1;
        r504 = r512;
      }
      r513 = (int)((uint)r467 + (uint)r483);
      r514 = (int)((uint)r469 + (uint)r502);
      r515 = r504 ? r513 : r514;
      r516 = a0[r515];
      r517 = a1[r515];
      a2[r464] = r516;
      a3[r464] = r517;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    #pragma clang loop vectorize(disable)
    for (r519 = r0; r519 < r13; r519 += 256) {
      r521 = r519 & 1023;
      r522 = (int)((uint)r519 - (uint)r521);
      r524 = (int)((uint)r522 + (uint)512);
      r525 = (int)((uint)r13 - (uint)r522);
      r528 = r525 > 0 ? r525 : 0;
      r529 = r528 < 512 ? r528 : 512;
      r530 = (int)((uint)r13 - (uint)r524);
      r533 = r530 > 0 ? r530 : 0;
      r534 = r533 < 512 ? r533 : 512;
      r536 = (int)((uint)r521 - (uint)r534);
      r537 = 0 > r536 ? 0 : r536;
      r538 = r537;
      r539 = r521 < r529 ? r521 : r529;
      r540 = r539;
      #pragma clang loop vectorize(disable)
      for (;;) {
        r541 = (uchar)(r538 < r540);
        if (!r541) break;
        r542 = (int)((uint)r538 + (uint)r540);
        r544 = (int)(r542 >> ((uint)1 < 32 ? (uint)1 : (uint)31));
        r545 = (int)((uint)r522 + (uint)r544);
        r546 = a2[r545];
        r547 = (int)((uint)r521 - (uint)r544);
        r549 = (int)((uint)r547 + (uint)((int)0xffffffffu));
        r550 = (int)((uint)r524 + (uint)r549);
        r551 = a2[r550];
        r552 = (uchar)(r551 < r546);
        r553 = r552 ? r544 : r540;
        r540 = r553;
        r555 = (int)((uint)r544 + (uint)1);
        r556 = r552 ? r538 : r555;
        r538 = r556;
      }
      r557 = (int)((uint)r521 - (uint)r538);
      r558 = (uchar)(r538 < r529);
      r559 = r558;
      r560 = (uchar)(r557 < r534);
      r561 = r559 & r560;
      if (r561) {
        r562 = (int)((uint)r524 + (uint)r557);
        r563 = a2[r562];
        r564 = (int)((uint)r522 + (uint)r538);
        r565 = a2[r564];
        r566 = (uchar)(r563 < r565);
        r567 = r566 ^ 1;
        r559 = r567;
      }
      r568 = (int)((uint)r522 + (uint)r538);
      r569 = (int)((uint)r524 + (uint)r557);
      r570 = r559 ? r568 : r569;
      r571 = a2[r570];
      r572 = a3[r570];
      a0[r519] = r571;
      a1[r519] = r572;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    #pragma clang loop vectorize(disable)
    for (r574 = r0; r574 < r13; r574 += 256) {
      r575 = (int)((uint)r16 + (uint)r574);
      r576 = a0[r574];
      b2[r575] = r576;
      r577 = (int)((uint)r16 + (uint)r574);
      r578 = a1[r574];
      b3[r577] = r578;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
