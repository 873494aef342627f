#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void k0_cumsum(__global const uchar *m0, long o0, __global uchar *m1, long o1) {
  __global const float *b0 = (__global const float *)(m0 + o0);
  __global float *b1 = (__global float *)(m1 + o1);
  __local float a0[4608];
  __local float a1[128];
  uchar r17, r363, r367, r371, r375, r379, r383, r387, r391, r395, r399, r403, r407, r411, r415, r419;
  uchar r423, r427, r431, r435, r439, r443, r447, r451, r455, r459, r463, r467, r471, r475, r479, r483;
  uchar r486, r554, r613, r624, r635, r646, r657, r668, r679, r690, r756, r761, r766, r771, r776, r781;
  uchar r786, r791;
  int r0, r1, r2, r4, r6, r8, r10, r12, r13, r16, r19, r20, r22, r24, r26, r27;
  int r28, r30, r32, r34, r36, r38, r40, r42, r44, r50, r51, r53, r59, r60, r62, r68;
  int r69, r71, r77, r78, r80, r86, r87, r89, r95, r96, r98, r104, r105, r107, r113, r114;
  int r116, r118, r120, r122, r124, r126, r128, r130, r132, r134, r136, r138, r140, r142, r144, r146;
  int r148, r150, r152, r154, r156, r158, r160, r162, r163, r165, r167, r169, r170, r171, r175, r177;
  int r178, r180, r181, r183, r185, r187, r189, r191, r193, r195, r197, r199, r201, r203, r205, r207;
  int r209, r211, r213, r214, r217, r218, r221, r222, r225, r226, r229, r230, r233, r234, r237, r238;
  int r241, r242, r245, r247, r249, r251, r253, r255, r257, r259, r260, r328, r552, r553, r556, r557;
  int r559, r561, r563, r564, r565, r567, r569, r571, r573, r575, r577, r579, r615, r617, r619, r621;
  int r622, r626, r628, r630, r632, r633, r637, r639, r641, r643, r644, r648, r650, r652, r654, r655;
  int r659, r661, r663, r665, r666, r670, r672, r674, r676, r677, r681, r683, r685, r687, r688, r692;
  int r694, r696, r698, r699, r700, r702, r704, r706, r707, r708, r712, r714, r715, r717, r718, r720;
  int r722, r724, r726, r728, r730, r732, r735, r738, r741, r744, r747, r750, r753, r758, r759, r763;
  int r764, r768, r769, r773, r774, r778, r779, r783, r784, r788, r789, r793, r794;
  float r45, r46, r47, r48, r54, r55, r56, r57, r63, r64, r65, r66, r72, r73, r74, r75;
  float r81, r82, r83, r84, r90, r91, r92, r93, r99, r100, r101, r102, r108, r109, r110, r111;
  float r215, r219, r223, r227, r231, r235, r239, r243, r261, r262, r263, r264, r265, r266, r267, r268;
  float r269, r270, r271, r272, r273, r274, r275, r276, r277, r278, r279, r280, r281, r282, r283, r284;
  float r285, r286, r287, r288, r289, r290, r291, r292, r294, r295, r296, r297, r298, r299, r300, r301;
  float r302, r303, r304, r305, r306, r307, r308, r309, r310, r311, r312, r313, r314, r315, r316, r317;
  float r318, r319, r320, r321, r322, r323, r324, r325, r329, r330, r331, r332, r333, r334, r335, r336;
  float r337, r338, r339, r340, r341, r342, r343, r344, r345, r346, r347, r348, r349, r350, r351, r352;
  float r353, r354, r355, r356, r357, r358, r359, r360, r361, r364, r365, r368, r369, r372, r373, r376;
  float r377, r380, r381, r384, r385, r388, r389, r392, r393, r396, r397, r400, r401, r404, r405, r408;
  float r409, r412, r413, r416, r417, r420, r421, r424, r425, r428, r429, r432, r433, r436, r437, r440;
  float r441, r444, r445, r448, r449, r452, r453, r456, r457, r460, r461, r464, r465, r468, r469, r472;
  float r473, r476, r477, r480, r481, r484, r487, r488, r489, r490, r491, r492, r493, r494, r495, r496;
  float r497, r498, r499, r500, r501, r502, r503, r504, r505, r506, r507, r508, r509, r510, r511, r512;
  float r513, r514, r515, r516, r517, r518, r519, r520, r521, r522, r523, r524, r525, r526, r527, r528;
  float r529, r530, r531, r532, r533, r534, r535, r536, r537, r538, r539, r540, r541, r542, r543, r544;
  float r545, r546, r547, r548, r549, r550, r580, r581, r582, r583, r584, r585, r586, r587, r588, r589;
  float r590, r591, r592, r593, r594, r595, r596, r597, r598, r599, r600, r601, r602, r603, r604, r605;
  float r606, r607, r608, r609, r610, r611, r733, r736, r739, r742, r745, r748, r751, r754;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  #pragma clang loop vectorize(disable)
  for (r4 = r1; r4 < 16; r4 += r2) {
    r6 = r0 & 31;
    r8 = (int)(r0 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
    r10 = (int)((uint)r8 * (uint)1152);
    r12 = (int)((uint)r4 * (uint)4);
    r13 = (int)((uint)r12 + (uint)r8);
    r16 = (int)((uint)0 * (uint)1024);
    r17 = (uchar)((ulong)b0 % 16 == 0);
    if (r17) {
      r19 = (int)((uint)r6 * (uint)4);
      r20 = (int)((uint)r16 + (uint)r19);
      r22 = (int)(r19 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
      r24 = (int)((uint)r22 * (uint)36);
      r26 = r19 & 31;
      r27 = (int)((uint)r24 + (uint)r26);
      r28 = (int)((uint)r10 + (uint)r27);
      r30 = (int)((uint)r20 + (uint)128);
      r32 = (int)((uint)r20 + (uint)256);
      r34 = (int)((uint)r20 + (uint)384);
      r36 = (int)((uint)r20 + (uint)512);
      r38 = (int)((uint)r20 + (uint)640);
      r40 = (int)((uint)r20 + (uint)768);
      r42 = (int)((uint)r20 + (uint)896);
      r44 = r20 < 996 ? r20 : 996;
      r50 = (int)((uint)r13 * (uint)1000);
      r51 = (int)((uint)r44 + (uint)r50);
      {
        float4 v = vload4(0, b0 + r51);
        r45 = v.s0;
        r46 = v.s1;
        r47 = v.s2;
        r48 = v.s3;
      }
      r53 = r30 < 996 ? r30 : 996;
      r59 = (int)((uint)r13 * (uint)1000);
      r60 = (int)((uint)r53 + (uint)r59);
      {
        float4 v = vload4(0, b0 + r60);
        r54 = v.s0;
        r55 = v.s1;
        r56 = v.s2;
        r57 = v.s3;
      }
      r62 = r32 < 996 ? r32 : 996;
      r68 = (int)((uint)r13 * (uint)1000);
      r69 = (int)((uint)r62 + (uint)r68);
      {
        float4 v = vload4(0, b0 + r69);
        r63 = v.s0;
        r64 = v.s1;
        r65 = v.s2;
        r66 = v.s3;
      }
      r71 = r34 < 996 ? r34 : 996;
      r77 = (int)((uint)r13 * (uint)1000);
      r78 = (int)((uint)r71 + (uint)r77);
      {
        float4 v = vload4(0, b0 + r78);
        r72 = v.s0;
        r73 = v.s1;
        r74 = v.s2;
        r75 = v.s3;
      }
      r80 = r36 < 996 ? r36 : 996;
      r86 = (int)((uint)r13 * (uint)1000);
      r87 = (int)((uint)r80 + (uint)r86);
      {
        float4 v = vload4(0, b0 + r87);
        r81 = v.s0;
        r82 = v.s1;
        r83 = v.s2;
        r84 = v.s3;
      }
      r89 = r38 < 996 ? r38 : 996;
      r95 = (int)((uint)r13 * (uint)1000);
      r96 = (int)((uint)r89 + (uint)r95);
      {
        float4 v = vload4(0, b0 + r96);
        r90 = v.s0;
        r91 = v.s1;
        r92 = v.s2;
        r93 = v.s3;
      }
      r98 = r40 < 996 ? r40 : 996;
      r104 = (int)((uint)r13 * (uint)1000);
      r105 = (int)((uint)r98 + (uint)r104);
      {
        float4 v = vload4(0, b0 + r105);
        r99 = v.s0;
        r100 = v.s1;
        r101 = v.s2;
        r102 = v.s3;
      }
      r107 = r42 < 996 ? r42 : 996;
      r113 = (int)((uint)r13 * (uint)1000);
      r114 = (int)((uint)r107 + (uint)r113);
      {
        float4 v = vload4(0, b0 + r114);
        r108 = v.s0;
        r109 = v.s1;
        r110 = v.s2;
        r111 = v.s3;
      }
      r116 = (int)((uint)r44 + (uint)1);
      r118 = (int)((uint)r44 + (uint)2);
      r120 = (int)((uint)r44 + (uint)3);
      r122 = (int)((uint)r53 + (uint)1);
      r124 = (int)((uint)r53 + (uint)2);
      r126 = (int)((uint)r53 + (uint)3);
      r128 = (int)((uint)r62 + (uint)1);
      r130 = (int)((uint)r62 + (uint)2);
      r132 = (int)((uint)r62 + (uint)3);
      r134 = (int)((uint)r71 + (uint)1);
      r136 = (int)((uint)r71 + (uint)2);
      r138 = (int)((uint)r71 + (uint)3);
      r140 = (int)((uint)r80 + (uint)1);
      r142 = (int)((uint)r80 + (uint)2);
      r144 = (int)((uint)r80 + (uint)3);
      r146 = (int)((uint)r89 + (uint)1);
      r148 = (int)((uint)r89 + (uint)2);
      r150 = (int)((uint)r89 + (uint)3);
      r152 = (int)((uint)r98 + (uint)1);
      r154 = (int)((uint)r98 + (uint)2);
      r156 = (int)((uint)r98 + (uint)3);
      r158 = (int)((uint)r107 + (uint)1);
      r160 = (int)((uint)r107 + (uint)2);
      r162 = (int)((uint)r107 + (uint)3);
      vstore4((float4)(r45, r46, r47, r48), 0, a0 + r28);
      vstore4((float4)(r54, r55, r56, r57), 0, a0 + (r28 + 144));
      vstore4((float4)(r63, r64, r65, r66), 0, a0 + (r28 + 288));
      vstore4((float4)(r72, r73, r74, r75), 0, a0 + (r28 + 432));
      vstore4((float4)(r81, r82, r83, r84), 0, a0 + (r28 + 576));
      vstore4((float4)(r90, r91, r92, r93), 0, a0 + (r28 + 720));
      vstore4((float4)(r99, r100, r101, r102), 0, a0 + (r28 + 864));
      vstore4((float4)(r108, r109, r110, r111), 0, a0 + (r28 + 1008));
    } else {
      r163 = (int)((uint)r16 + (uint)r6);
      r165 = (int)(r6 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
      r167 = (int)((uint)r165 * (uint)36);
      r169 = r6 & 31;
      r170 = (int)((uint)r167 + (uint)r169);
      r171 = (int)((uint)r10 + (uint)r170);
      #pragma clang loop vectorize(disable)
      for (r175 = 0; r175 < 32; r175 += 8) {
        r177 = (int)((uint)r175 * (uint)32);
        r178 = (int)((uint)r163 + (uint)r177);
        r180 = (int)((uint)r175 * (uint)36);
        r181 = (int)((uint)r171 + (uint)r180);
        r183 = (int)((uint)r178 + (uint)32);
        r185 = (int)((uint)r178 + (uint)64);
        r187 = (int)((uint)r178 + (uint)96);
        r189 = (int)((uint)r178 + (uint)128);
        r191 = (int)((uint)r178 + (uint)160);
        r193 = (int)((uint)r178 + (uint)192);
        r195 = (int)((uint)r178 + (uint)224);
        r197 = r178 < 999 ? r178 : 999;
        r199 = r183 < 999 ? r183 : 999;
        r201 = r185 < 999 ? r185 : 999;
        r203 = r187 < 999 ? r187 : 999;
        r205 = r189 < 999 ? r189 : 999;
        r207 = r191 < 999 ? r191 : 999;
        r209 = r193 < 999 ? r193 : 999;
        r211 = r195 < 999 ? r195 : 999;
        r213 = (int)((uint)r13 * (uint)1000);
        r214 = (int)((uint)r197 + (uint)r213);
        r215 = b0[r214];
        r217 = (int)((uint)r13 * (uint)1000);
        r218 = (int)((uint)r199 + (uint)r217);
        r219 = b0[r218];
        r221 = (int)((uint)r13 * (uint)1000);
        r222 = (int)((uint)r201 + (uint)r221);
        r223 = b0[r222];
        r225 = (int)((uint)r13 * (uint)1000);
        r226 = (int)((uint)r203 + (uint)r225);
        r227 = b0[r226];
        r229 = (int)((uint)r13 * (uint)1000);
        r230 = (int)((uint)r205 + (uint)r229);
        r231 = b0[r230];
        r233 = (int)((uint)r13 * (uint)1000);
        r234 = (int)((uint)r207 + (uint)r233);
        r235 = b0[r234];
        r237 = (int)((uint)r13 * (uint)1000);
        r238 = (int)((uint)r209 + (uint)r237);
        r239 = b0[r238];
        r241 = (int)((uint)r13 * (uint)1000);
        r242 = (int)((uint)r211 + (uint)r241);
        r243 = b0[r242];
        a0[r181] = r215;
        r245 = (int)((uint)r181 + (uint)36);
        a0[r245] = r219;
        r247 = (int)((uint)r181 + (uint)72);
        a0[r247] = r223;
        r249 = (int)((uint)r181 + (uint)108);
        a0[r249] = r227;
        r251 = (int)((uint)r181 + (uint)144);
        a0[r251] = r231;
        r253 = (int)((uint)r181 + (uint)180);
        a0[r253] = r235;
        r255 = (int)((uint)r181 + (uint)216);
        a0[r255] = r239;
        r257 = (int)((uint)r181 + (uint)252);
        a0[r257] = r243;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r259 = (int)((uint)r6 * (uint)36);
    r260 = (int)((uint)r10 + (uint)r259);
    {
      float4 v = vload4(0, a0 + r260);
      r261 = v.s0;
      r262 = v.s1;
      r263 = v.s2;
      r264 = v.s3;
    }
    {
      float4 v = vload4(0, a0 + (r260 + 4));
      r265 = v.s0;
      r266 = v.s1;
      r267 = v.s2;
      r268 = v.s3;
    }
    {
      float4 v = vload4(0, a0 + (r260 + 8));
      r269 = v.s0;
      r270 = v.s1;
      r271 = v.s2;
      r272 = v.s3;
    }
    {
      float4 v = vload4(0, a0 + (r260 + 12));
      r273 = v.s0;
      r274 = v.s1;
      r275 = v.s2;
      r276 = v.s3;
    }
    {
      float4 v = vload4(0, a0 + (r260 + 16));
      r277 = v.s0;
      r278 = v.s1;
      r279 = v.s2;
      r280 = v.s3;
    }
    {
      float4 v = vload4(0, a0 + (r260 + 20));
      r281 = v.s0;
      r282 = v.s1;
      r283 = v.s2;
      r284 = v.s3;
    }
    {
      float4 v = vload4(0, a0 + (r260 + 24));
      r285 = v.s0;
      r286 = v.s1;
      r287 = v.s2;
      r288 = v.s3;
    }
    {
      float4 v = vload4(0, a0 + (r260 + 28));
      r289 = v.s0;
      r290 = v.s1;
      r291 = v.s2;
      r292 = v.s3;
    }
    r294 = as_float(0x00000000u) + r261;
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
    r310 = r309 + r277;
    r311 = r310 + r278;
    r312 = r311 + r279;
    r313 = r312 + r280;
    r314 = r313 + r281;
    r315 = r314 + r282;
    r316 = r315 + r283;
    r317 = r316 + r284;
    r318 = r317 + r285;
    r319 = r318 + r286;
    r320 = r319 + r287;
    r321 = r320 + r288;
    r322 = r321 + r289;
    r323 = r322 + r290;
    r324 = r323 + r291;
    r325 = r324 + r292;
    a1[r0] = r325;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r328 = (int)((uint)r0 - (uint)r6);
    {
      float4 v = vload4(0, a1 + r328);
      r329 = v.s0;
      r330 = v.s1;
      r331 = v.s2;
      r332 = v.s3;
    }
    {
      float4 v = vload4(0, a1 + (r328 + 4));
      r333 = v.s0;
      r334 = v.s1;
      r335 = v.s2;
      r336 = v.s3;
    }
    {
      float4 v = vload4(0, a1 + (r328 + 8));
      r337 = v.s0;
      r338 = v.s1;
      r339 = v.s2;
      r340 = v.s3;
    }
    {
      float4 v = vload4(0, a1 + (r328 + 12));
      r341 = v.s0;
      r342 = v.s1;
      r343 = v.s2;
      r344 = v.s3;
    }
    {
      float4 v = vload4(0, a1 + (r328 + 16));
      r345 = v.s0;
      r346 = v.s1;
      r347 = v.s2;
      r348 = v.s3;
    }
    {
      float4 v = vload4(0, a1 + (r328 + 20));
      r349 = v.s0;
      r350 = v.s1;
      r351 = v.s2;
      r352 = v.s3;
    }
    {
      float4 v = vload4(0, a1 + (r328 + 24));
      r353 = v.s0;
      r354 = v.s1;
      r355 = v.s2;
      r356 = v.s3;
    }
    {
      float4 v = vload4(0, a1 + (r328 + 28));
      r357 = v.s0;
      r358 = v.s1;
      r359 = v.s2;
      r360 = v.s3;
    }
    r361 = as_float(0x00000000u) + r329;
    r363 = (uchar)(r6 == 1);
    r364 = r363 ? r361 : as_float(0x00000000u);
    r365 = r361 + r330;
    r367 = (uchar)(r6 == 2);
    r368 = r367 ? r365 : r364;
    r369 = r365 + r331;
    r371 = (uchar)(r6 == 3);
    r372 = r371 ? r369 : r368;
    r373 = r369 + r332;
    r375 = (uchar)(r6 == 4);
    r376 = r375 ? r373 : r372;
    r377 = r373 + r333;
    r379 = (uchar)(r6 == 5);
    r380 = r379 ? r377 : r376;
    r381 = r377 + r334;
    r383 = (uchar)(r6 == 6);
    r384 = r383 ? r381 : r380;
    r385 = r381 + r335;
    r387 = (uchar)(r6 == 7);
    r388 = r387 ? r385 : r384;
    r389 = r385 + r336;
    r391 = (uchar)(r6 == 8);
    r392 = r391 ? r389 : r388;
    r393 = r389 + r337;
    r395 = (uchar)(r6 == 9);
    r396 = r395 ? r393 : r392;
    r397 = r393 + r338;
    r399 = (uchar)(r6 == 10);
    r400 = r399 ? r397 : r396;
    r401 = r397 + r339;
    r403 = (uchar)(r6 == 11);
    r404 = r403 ? r401 : r400;
    r405 = r401 + r340;
    r407 = (uchar)(r6 == 12);
    r408 = r407 ? r405 : r404;
    r409 = r405 + r341;
    r411 = (uchar)(r6 == 13);
    r412 = r411 ? r409 : r408;
    r413 = r409 + r342;
    r415 = (uchar)(r6 == 14);
    r416 = r415 ? r413 : r412;
    r417 = r413 + r343;
    r419 = (uchar)(r6 == 15);
    r420 = r419 ? r417 : r416;
    r421 = r417 + r344;
    r423 = (uchar)(r6 == 16);
    r424 = r423 ? r421 : r420;
    r425 = r421 + r345;
    r427 = (uchar)(r6 == 17);
    r428 = r427 ? r425 : r424;
    r429 = r425 + r346;
    r431 = (uchar)(r6 == 18);
    r432 = r431 ? r429 : r428;
    r433 = r429 + r347;
    r435 = (uchar)(r6 == 19);
    r436 = r435 ? r433 : r432;
    r437 = r433 + r348;
    r439 = (uchar)(r6 == 20);
    r440 = r439 ? r437 : r436;
    r441 = r437 + r349;
    r443 = (uchar)(r6 == 21);
    r444 = r443 ? r441 : r440;
    r445 = r441 + r350;
    r447 = (uchar)(r6 == 22);
    r448 = r447 ? r445 : r444;
    r449 = r445 + r351;
    r451 = (uchar)(r6 == 23);
    r452 = r451 ? r449 : r448;
    r453 = r449 + r352;
    r455 = (uchar)(r6 == 24);
    r456 = r455 ? r453 : r452;
    r457 = r453 + r353;
    r459 = (uchar)(r6 == 25);
    r460 = r459 ? r457 : r456;
    r461 = r457 + r354;
    r463 = (uchar)(r6 == 26);
    r464 = r463 ? r461 : r460;
    r465 = r461 + r355;
    r467 = (uchar)(r6 == 27);
    r468 = r467 ? r465 : r464;
    r469 = r465 + r356;
    r471 = (uchar)(r6 == 28);
    r472 = r471 ? r469 : r468;
    r473 = r469 + r357;
    r475 = (uchar)(r6 == 29);
    r476 = r475 ? r473 : r472;
    r477 = r473 + r358;
    r479 = (uchar)(r6 == 30);
    r480 = r479 ? r477 : r476;
    r481 = r477 + r359;
    r483 = (uchar)(r6 == 31);
    r484 = r483 ? r481 : r480;
    r486 = (uchar)(r6 == 0);
    r487 = r484 + r294;
    r488 = r486 ? r294 : r487;
    r489 = r484 + r295;
    r490 = r486 ? r295 : r489;
    r491 = r484 + r296;
    r492 = r486 ? r296 : r491;
    r493 = r484 + r297;
    r494 = r486 ? r297 : r493;
    r495 = r484 + r298;
    r496 = r486 ? r298 : r495;
    r497 = r484 + r299;
    r498 = r486 ? r299 : r497;
    r499 = r484 + r300;
    r500 = r486 ? r300 : r499;
    r501 = r484 + r301;
    r502 = r486 ? r301 : r501;
    r503 = r484 + r302;
    r504 = r486 ? r302 : r503;
    r505 = r484 + r303;
    r506 = r486 ? r303 : r505;
    r507 = r484 + r304;
    r508 = r486 ? r304 : r507;
    r509 = r484 + r305;
    r510 = r486 ? r305 : r509;
    r511 = r484 + r306;
    r512 = r486 ? r306 : r511;
    r513 = r484 + r307;
    r514 = r486 ? r307 : r513;
    r515 = r484 + r308;
    r516 = r486 ? r308 : r515;
    r517 = r484 + r309;
    r518 = r486 ? r309 : r517;
    r519 = r484 + r310;
    r520 = r486 ? r310 : r519;
    r521 = r484 + r311;
    r522 = r486 ? r311 : r521;
    r523 = r484 + r312;
    r524 = r486 ? r312 : r523;
    r525 = r484 + r313;
    r526 = r486 ? r313 : r525;
    r527 = r484 + r314;
    r528 = r486 ? r314 : r527;
    r529 = r484 + r315;
    r530 = r486 ? r315 : r529;
    r531 = r484 + r316;
    r532 = r486 ? r316 : r531;
    r533 = r484 + r317;
    r534 = r486 ? r317 : r533;
    r535 = r484 + r318;
    r536 = r486 ? r318 : r535;
    r537 = r484 + r319;
    r538 = r486 ? r319 : r537;
    r539 = r484 + r320;
    r540 = r486 ? r320 : r539;
    r541 = r484 + r321;
    r542 = r486 ? r321 : r541;
    r543 = r484 + r322;
    r544 = r486 ? r322 : r543;
    r545 = r484 + r323;
    r546 = r486 ? r323 : r545;
    r547 = r484 + r324;
    r548 = r486 ? r324 : r547;
    r549 = r484 + r325;
    r550 = r486 ? r325 : r549;
    r552 = (int)((uint)r6 * (uint)36);
    r553 = (int)((uint)r10 + (uint)r552);
    vstore4((float4)(r488, r490, r492, r494), 0, a0 + r553);
    vstore4((float4)(r496, r498, r500, r502), 0, a0 + (r553 + 4));
    vstore4((float4)(r504, r506, r508, r510), 0, a0 + (r553 + 8));
    vstore4((float4)(r512, r514, r516, r518), 0, a0 + (r553 + 12));
    vstore4((float4)(r520, r522, r524, r526), 0, a0 + (r553 + 16));
    vstore4((float4)(r528, r530, r532, r534), 0, a0 + (r553 + 20));
    vstore4((float4)(r536, r538, r540, r542), 0, a0 + (r553 + 24));
    vstore4((float4)(r544, r546, r548, r550), 0, a0 + (r553 + 28));
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r554 = (uchar)((ulong)b1 % 16 == 0);
    if (r554) {
      r556 = (int)((uint)r6 * (uint)4);
      r557 = (int)((uint)r16 + (uint)r556);
      r559 = (int)(r556 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
      r561 = (int)((uint)r559 * (uint)36);
      r563 = r556 & 31;
      r564 = (int)((uint)r561 + (uint)r563);
      r565 = (int)((uint)r10 + (uint)r564);
      r567 = (int)((uint)r557 + (uint)128);
      r569 = (int)((uint)r557 + (uint)256);
      r571 = (int)((uint)r557 + (uint)384);
      r573 = (int)((uint)r557 + (uint)512);
      r575 = (int)((uint)r557 + (uint)640);
      r577 = (int)((uint)r557 + (uint)768);
      r579 = (int)((uint)r557 + (uint)896);
      {
        float4 v = vload4(0, a0 + r565);
        r580 = v.s0;
        r581 = v.s1;
        r582 = v.s2;
        r583 = v.s3;
      }
      {
        float4 v = vload4(0, a0 + (r565 + 144));
        r584 = v.s0;
        r585 = v.s1;
        r586 = v.s2;
        r587 = v.s3;
      }
      {
        float4 v = vload4(0, a0 + (r565 + 288));
        r588 = v.s0;
        r589 = v.s1;
        r590 = v.s2;
        r591 = v.s3;
      }
      {
        float4 v = vload4(0, a0 + (r565 + 432));
        r592 = v.s0;
        r593 = v.s1;
        r594 = v.s2;
        r595 = v.s3;
      }
      {
        float4 v = vload4(0, a0 + (r565 + 576));
        r596 = v.s0;
        r597 = v.s1;
        r598 = v.s2;
        r599 = v.s3;
      }
      {
        float4 v = vload4(0, a0 + (r565 + 720));
        r600 = v.s0;
        r601 = v.s1;
        r602 = v.s2;
        r603 = v.s3;
      }
      {
        float4 v = vload4(0, a0 + (r565 + 864));
        r604 = v.s0;
        r605 = v.s1;
        r606 = v.s2;
        r607 = v.s3;
      }
      {
        float4 v = vload4(0, a0 + (r565 + 1008));
        r608 = v.s0;
        r609 = v.s1;
        r610 = v.s2;
        r611 = v.s3;
      }
      r613 = (uchar)(r557 < 1000);
      if (r613) {
        r615 = (int)((uint)r557 + (uint)1);
        r617 = (int)((uint)r557 + (uint)2);
        r619 = (int)((uint)r557 + (uint)3);
        r621 = (int)((uint)r13 * (uint)1000);
        r622 = (int)((uint)r557 + (uint)r621);
        vstore4((float4)(r580, r581, r582, r583), 0, b1 + r622);
      }
      r624 = (uchar)(r567 < 1000);
      if (r624) {
        r626 = (int)((uint)r567 + (uint)1);
        r628 = (int)((uint)r567 + (uint)2);
        r630 = (int)((uint)r567 + (uint)3);
        r632 = (int)((uint)r13 * (uint)1000);
        r633 = (int)((uint)r567 + (uint)r632);
        vstore4((float4)(r584, r585, r586, r587), 0, b1 + r633);
      }
      r635 = (uchar)(r569 < 1000);
      if (r635) {
        r637 = (int)((uint)r569 + (uint)1);
        r639 = (int)((uint)r569 + (uint)2);
        r641 = (int)((uint)r569 + (uint)3);
        r643 = (int)((uint)r13 * (uint)1000);
        r644 = (int)((uint)r569 + (uint)r643);
        vstore4((float4)(r588, r589, r590, r591), 0, b1 + r644);
      }
      r646 = (uchar)(r571 < 1000);
      if (r646) {
        r648 = (int)((uint)r571 + (uint)1);
        r650 = (int)((uint)r571 + (uint)2);
        r652 = (int)((uint)r571 + (uint)3);
        r654 = (int)((uint)r13 * (uint)1000);
        r655 = (int)((uint)r571 + (uint)r654);
        vstore4((float4)(r592, r593, r594, r595), 0, b1 + r655);
      }
      r657 = (uchar)(r573 < 1000);
      if (r657) {
        r659 = (int)((uint)r573 + (uint)1);
        r661 = (int)((uint)r573 + (uint)2);
        r663 = (int)((uint)r573 + (uint)3);
        r665 = (int)((uint)r13 * (uint)1000);
        r666 = (int)((uint)r573 + (uint)r665);
        vstore4((float4)(r596, r597, r598, r599), 0, b1 + r666);
      }
      r668 = (uchar)(r575 < 1000);
      if (r668) {
        r670 = (int)((uint)r575 + (uint)1);
        r672 = (int)((uint)r575 + (uint)2);
        r674 = (int)((uint)r575 + (uint)3);
        r676 = (int)((uint)r13 * (uint)1000);
        r677 = (int)((uint)r575 + (uint)r676);
        vstore4((float4)(r600, r601, r602, r603), 0, b1 + r677);
      }
      r679 = (uchar)(r577 < 1000);
      if (r679) {
        r681 = (int)((uint)r577 + (uint)1);
        r683 = (int)((uint)r577 + (uint)2);
        r685 = (int)((uint)r577 + (uint)3);
        r687 = (int)((uint)r13 * (uint)1000);
        r688 = (int)((uint)r577 + (uint)r687);
        vstore4((float4)(r604, r605, r606, r607), 0, b1 + r688);
      }
      r690 = (uchar)(r579 < 1000);
      if (r690) {
        r692 = (int)((uint)r579 + (uint)1);
        r694 = (int)((uint)r579 + (uint)2);
        r696 = (int)((uint)r579 + (uint)3);
        r698 = (int)((uint)r13 * (uint)1000);
        r699 = (int)((uint)r579 + (uint)r698);
        vstore4((float4)(r608, r609, r610, r611), 0, b1 + r699);
      }
    } else {
      r700 = (int)((uint)r16 + (uint)r6);
      r702 = (int)(r6 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
      r704 = (int)((uint)r702 * (uint)36);
      r706 = r6 & 31;
      r707 = (int)((uint)r704 + (uint)r706);
      r708 = (int)((uint)r10 + (uint)r707);
      #pragma clang loop vectorize(disable)
      for (r712 = 0; r712 < 32; r712 += 8) {
        r714 = (int)((uint)r712 * (uint)32);
        r715 = (int)((uint)r700 + (uint)r714);
        r717 = (int)((uint)r712 * (uint)36);
        r718 = (int)((uint)r708 + (uint)r717);
        r720 = (int)((uint)r715 + (uint)32);
        r722 = (int)((uint)r715 + (uint)64);
        r724 = (int)((uint)r715 + (uint)96);
        r726 = (int)((uint)r715 + (uint)128);
        r728 = (int)((uint)r715 + (uint)160);
        r730 = (int)((uint)r715 + (uint)192);
        r732 = (int)((uint)r715 + (uint)224);
        r733 = a0[r718];
        r735 = (int)((uint)r718 + (uint)36);
        r736 = a0[r735];
        r738 = (int)((uint)r718 + (uint)72);
        r739 = a0[r738];
        r741 = (int)((uint)r718 + (uint)108);
        r742 = a0[r741];
        r744 = (int)((uint)r718 + (uint)144);
        r745 = a0[r744];
        r747 = (int)((uint)r718 + (uint)180);
        r748 = a0[r747];
        r750 = (int)((uint)r718 + (uint)216);
        r751 = a0[r750];
        r753 = (int)((uint)r718 + (uint)252);
        r754 = a0[r753];
        r756 = (uchar)(r715 < 1000);
        if (r756) {
          r758 = (int)((uint)r13 * (uint)1000);
          r759 = (int)((uint)r715 + (uint)r758);
          b1[r759] = r733;
        }
        r761 = (uchar)(r720 < 1000);
        if (r761) {
          r763 = (int)((uint)r13 * (uint)1000);
          r764 = (int)((uint)r720 + (uint)r763);
          b1[r764] = r736;
        }
        r766 = (uchar)(r722 < 1000);
        if (r766) {
          r768 = (int)((uint)r13 * (uint)1000);
          r769 = (int)((uint)r722 + (uint)r768);
          b1[r769] = r739;
        }
        r771 = (uchar)(r724 < 1000);
        if (r771) {
          r773 = (int)((uint)r13 * (uint)1000);
          r774 = (int)((uint)r724 + (uint)r773);
          b1[r774] = r742;
        }
        r776 = (uchar)(r726 < 1000);
        if (r776) {
          r778 = (int)((uint)r13 * (uint)1000);
          r779 = (int)((uint)r726 + (uint)r778);
          b1[r779] = r745;
        }
        r781 = (uchar)(r728 < 1000);
        if (r781) {
          r783 = (int)((uint)r13 * (uint)1000);
          r784 = (int)((uint)r728 + (uint)r783);
          b1[r784] = r748;
        }
        r786 = (uchar)(r730 < 1000);
        if (r786) {
          r788 = (int)((uint)r13 * (uint)1000);
          r789 = (int)((uint)r730 + (uint)r788);
          b1[r789] = r751;
        }
        r791 = (uchar)(r732 < 1000);
        if (r791) {
          r793 = (int)((uint)r13 * (uint)1000);
          r794 = (int)((uint)r732 + (uint)r793);
          b1[r794] = r754;
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
