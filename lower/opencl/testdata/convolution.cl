#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void k0_convolution(__global const uchar *m0, long o0, __global const uchar *m1, long o1, __global uchar *m2, long o2) {
  __global const float *b0 = (__global const float *)(m0 + o0);
  __global const float *b1 = (__global const float *)(m1 + o1);
  __global float *b2 = (__global float *)(m2 + o2);
  __local float a0[1024];
  __local float a1[1024];
  __local uchar a2[1024];
  uchar r21, r43, r65, r87, r147, r149, r150, r171, r181, r185, r186, r188, r189, r195, r196, r198;
  uchar r199, r208, r212, r213, r215, r216, r222, r223, r225, r226, r235, r239, r240, r242, r243, r249;
  uchar r250, r252, r253, r262, r266, r267, r269, r270, r276, r277, r279, r280, r296, r298, r299, r318;
  uchar r320, r321, r340, r342, r343, r362, r364, r365, r407, r414, r421, r428, r451, r457, r464, r471;
  uchar r478, r485, r491, r498, r505, r512, r519, r525, r532, r539, r546, r553, r559, r566, r573, r580;
  int r0, r1, r2, r4, r6, r8, r11, r12, r14, r16, r18, r19, r23, r24, r26, r28;
  int r29, r31, r33, r35, r36, r38, r40, r41, r45, r46, r48, r50, r51, r53, r55, r57;
  int r58, r60, r62, r63, r67, r68, r70, r72, r73, r75, r77, r79, r80, r82, r84, r85;
  int r89, r90, r92, r94, r95, r97, r99, r101, r102, r104, r106, r143, r145, r168, r169, r173;
  int r174, r176, r177, r179, r180, r182, r183, r191, r192, r193, r201, r202, r206, r207, r209, r210;
  int r218, r219, r220, r228, r229, r233, r234, r236, r237, r245, r246, r247, r255, r256, r260, r261;
  int r263, r264, r272, r273, r274, r282, r283, r287, r288, r290, r292, r293, r294, r303, r304, r305;
  int r307, r308, r310, r312, r314, r315, r316, r325, r326, r327, r329, r330, r332, r334, r336, r337;
  int r338, r347, r348, r349, r351, r352, r354, r356, r358, r359, r360, r369, r370, r371, r373, r374;
  int r377, r378, r380, r382, r383, r386, r389, r392, r395, r396, r399, r402, r405, r413, r420, r427;
  int r449, r453, r454, r455, r459, r460, r462, r466, r467, r469, r473, r474, r476, r480, r481, r483;
  int r487, r488, r489, r493, r494, r496, r500, r501, r503, r507, r508, r510, r514, r515, r517, r521;
  int r522, r523, r527, r528, r530, r534, r535, r537, r541, r542, r544, r548, r549, r551, r555, r556;
  int r557, r561, r562, r564, r568, r569, r571, r575, r576, r578, r582;
  float r108, r109, r110, r111, r112, r113, r114, r115, r116, r117, r118, r119, r120, r121, r122, r123;
  float r124, r125, r126, r127, r128, r129, r130, r131, r132, r133, r134, r135, r136, r137, r138, r139;
  float r151, r152, r153, r154, r155, r156, r157, r158, r159, r160, r161, r162, r163, r164, r165, r166;
  float r204, r231, r258, r285, r301, r323, r345, r367, r384, r387, r390, r393, r397, r400, r403, r406;
  float r408, r409, r410, r411, r415, r416, r417, r418, r422, r423, r424, r425, r429, r430, r431, r432;
  float r433, r434, r435, r436, r437, r438, r439, r440, r441, r442, r443, r444, r445, r446, r447, r448;
  float r458, r465, r472, r479, r492, r499, r506, r513, r526, r533, r540, r547, r560, r567, r574, r581;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  r4 = r0 & 15;
  r6 = (int)(r0 >> ((uint)4 < 32 ? (uint)4 : (uint)31));
  for (r8 = r1; r8 < 25; r8 += r2) {
    r11 = 25 == 0 ? (int)-1 : 25 == -1 ? (int)(0 - (uint)r8) : (int)(r8 / 25);
    r12 = 25 == 0 ? r8 : 25 == -1 ? (int)0 : (int)(r8 % 25);
    r14 = (int)((uint)r12 * (uint)64);
    r16 = (int)((uint)0 * (uint)64);
    r18 = (int)(r0 >> ((uint)4 < 32 ? (uint)4 : (uint)31));
    r19 = (int)((uint)r14 + (uint)r18);
    r21 = (uchar)(r19 < 1568);
    r23 = 28 == 0 ? (int)-1 : 28 == -1 ? (int)(0 - (uint)r19) : (int)(r19 / 28);
    r24 = 28 == 0 ? r19 : 28 == -1 ? (int)0 : (int)(r19 % 28);
    r26 = (int)((uint)r24 + (uint)((int)0xffffffffu));
    r28 = 28 == 0 ? (int)-1 : 28 == -1 ? (int)(0 - (uint)r23) : (int)(r23 / 28);
    r29 = 28 == 0 ? r23 : 28 == -1 ? (int)0 : (int)(r23 % 28);
    r31 = (int)((uint)r29 + (uint)((int)0xffffffffu));
    r33 = (int)((uint)r28 * (uint)25088);
    r35 = (int)((uint)r11 * (uint)32);
    r36 = (int)((uint)r33 + (uint)r35);
    r38 = (int)(r0 >> ((uint)4 < 32 ? (uint)4 : (uint)31));
    r40 = (int)((uint)r38 + (uint)16);
    r41 = (int)((uint)r14 + (uint)r40);
    r43 = (uchar)(r41 < 1568);
    r45 = 28 == 0 ? (int)-1 : 28 == -1 ? (int)(0 - (uint)r41) : (int)(r41 / 28);
    r46 = 28 == 0 ? r41 : 28 == -1 ? (int)0 : (int)(r41 % 28);
    r48 = (int)((uint)r46 + (uint)((int)0xffffffffu));
    r50 = 28 == 0 ? (int)-1 : 28 == -1 ? (int)(0 - (uint)r45) : (int)(r45 / 28);
    r51 = 28 == 0 ? r45 : 28 == -1 ? (int)0 : (int)(r45 % 28);
    r53 = (int)((uint)r51 + (uint)((int)0xffffffffu));
    r55 = (int)((uint)r50 * (uint)25088);
    r57 = (int)((uint)r11 * (uint)32);
    r58 = (int)((uint)r55 + (uint)r57);
    r60 = (int)(r0 >> ((uint)4 < 32 ? (uint)4 : (uint)31));
    r62 = (int)((uint)r60 + (uint)32);
    r63 = (int)((uint)r14 + (uint)r62);
    r65 = (uchar)(r63 < 1568);
    r67 = 28 == 0 ? (int)-1 : 28 == -1 ? (int)(0 - (uint)r63) : (int)(r63 / 28);
    r68 = 28 == 0 ? r63 : 28 == -1 ? (int)0 : (int)(r63 % 28);
    r70 = (int)((uint)r68 + (uint)((int)0xffffffffu));
    r72 = 28 == 0 ? (int)-1 : 28 == -1 ? (int)(0 - (uint)r67) : (int)(r67 / 28);
    r73 = 28 == 0 ? r67 : 28 == -1 ? (int)0 : (int)(r67 % 28);
    r75 = (int)((uint)r73 + (uint)((int)0xffffffffu));
    r77 = (int)((uint)r72 * (uint)25088);
    r79 = (int)((uint)r11 * (uint)32);
    r80 = (int)((uint)r77 + (uint)r79);
    r82 = (int)(r0 >> ((uint)4 < 32 ? (uint)4 : (uint)31));
    r84 = (int)((uint)r82 + (uint)48);
    r85 = (int)((uint)r14 + (uint)r84);
    r87 = (uchar)(r85 < 1568);
    r89 = 28 == 0 ? (int)-1 : 28 == -1 ? (int)(0 - (uint)r85) : (int)(r85 / 28);
    r90 = 28 == 0 ? r85 : 28 == -1 ? (int)0 : (int)(r85 % 28);
    r92 = (int)((uint)r90 + (uint)((int)0xffffffffu));
    r94 = 28 == 0 ? (int)-1 : 28 == -1 ? (int)(0 - (uint)r89) : (int)(r89 / 28);
    r95 = 28 == 0 ? r89 : 28 == -1 ? (int)0 : (int)(r89 % 28);
    r97 = (int)((uint)r95 + (uint)((int)0xffffffffu));
    r99 = (int)((uint)r94 * (uint)25088);
    r101 = (int)((uint)r11 * (uint)32);
    r102 = (int)((uint)r99 + (uint)r101);
    r104 = (int)((uint)r11 * (uint)64);
    r106 = (int)((uint)0 + (uint)r104);
    r108 = as_float(0x00000000u);
    r109 = as_float(0x00000000u);
    r110 = as_float(0x00000000u);
    r111 = as_float(0x00000000u);
    r112 = as_float(0x00000000u);
    r113 = as_float(0x00000000u);
    r114 = as_float(0x00000000u);
    r115 = as_float(0x00000000u);
    r116 = as_float(0x00000000u);
    r117 = as_float(0x00000000u);
    r118 = as_float(0x00000000u);
    r119 = as_float(0x00000000u);
    r120 = as_float(0x00000000u);
    r121 = as_float(0x00000000u);
    r122 = as_float(0x00000000u);
    r123 = as_float(0x00000000u);
    r124 = as_float(0x00000000u);
    r125 = as_float(0x00000000u);
    r126 = as_float(0x00000000u);
    r127 = as_float(0x00000000u);
    r128 = as_float(0x00000000u);
    r129 = as_float(0x00000000u);
    r130 = as_float(0x00000000u);
    r131 = as_float(0x00000000u);
    r132 = as_float(0x00000000u);
    r133 = as_float(0x00000000u);
    r134 = as_float(0x00000000u);
    r135 = as_float(0x00000000u);
    r136 = as_float(0x00000000u);
    r137 = as_float(0x00000000u);
    r138 = as_float(0x00000000u);
    r139 = as_float(0x00000000u);
    for (r143 = 0; r143 < 288; r143 += 16) {
      r145 = 128 == 0 ? r143 : 128 == -1 ? (int)0 : (int)(r143 % 128);
      r147 = (uchar)(r145 == 0);
      r149 = (uchar)(0 < r143);
      r150 = r147 & r149;
      if (r150) {
        r151 = r109 + r108;
        r109 = r151;
        r108 = as_float(0x00000000u);
        r152 = r111 + r110;
        r111 = r152;
        r110 = as_float(0x00000000u);
        r153 = r113 + r112;
        r113 = r153;
        r112 = as_float(0x00000000u);
        r154 = r115 + r114;
        r115 = r154;
        r114 = as_float(0x00000000u);
        r155 = r117 + r116;
        r117 = r155;
        r116 = as_float(0x00000000u);
        r156 = r119 + r118;
        r119 = r156;
        r118 = as_float(0x00000000u);
        r157 = r121 + r120;
        r121 = r157;
        r120 = as_float(0x00000000u);
        r158 = r123 + r122;
        r123 = r158;
        r122 = as_float(0x00000000u);
        r159 = r125 + r124;
        r125 = r159;
        r124 = as_float(0x00000000u);
        r160 = r127 + r126;
        r127 = r160;
        r126 = as_float(0x00000000u);
        r161 = r129 + r128;
        r129 = r161;
        r128 = as_float(0x00000000u);
        r162 = r131 + r130;
        r131 = r162;
        r130 = as_float(0x00000000u);
        r163 = r133 + r132;
        r133 = r163;
        r132 = as_float(0x00000000u);
        r164 = r135 + r134;
        r135 = r164;
        r134 = as_float(0x00000000u);
        r165 = r137 + r136;
        r137 = r165;
        r136 = as_float(0x00000000u);
        r166 = r139 + r138;
        r139 = r166;
        r138 = as_float(0x00000000u);
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r168 = r0 & 15;
      r169 = (int)((uint)r143 + (uint)r168);
      r171 = (uchar)(r169 < 288);
      r173 = 32 == 0 ? (int)-1 : 32 == -1 ? (int)(0 - (uint)r169) : (int)(r169 / 32);
      r174 = 32 == 0 ? r169 : 32 == -1 ? (int)0 : (int)(r169 % 32);
      r176 = 3 == 0 ? (int)-1 : 3 == -1 ? (int)(0 - (uint)r173) : (int)(r173 / 3);
      r177 = 3 == 0 ? r173 : 3 == -1 ? (int)0 : (int)(r173 % 3);
      r179 = 3 == 0 ? (int)-1 : 3 == -1 ? (int)(0 - (uint)r176) : (int)(r176 / 3);
      r180 = 3 == 0 ? r176 : 3 == -1 ? (int)0 : (int)(r176 % 3);
      r181 = r171 & r21;
      r182 = (int)((uint)r36 + (uint)r174);
      r183 = (int)((uint)r26 + (uint)r177);
      r185 = (uchar)(0 <= r183);
      r186 = r181 & r185;
      r188 = (uchar)(r183 < 28);
      r189 = r186 & r188;
      r191 = (int)((uint)r183 * (uint)32);
      r192 = (int)((uint)r182 + (uint)r191);
      r193 = (int)((uint)r31 + (uint)r180);
      r195 = (uchar)(0 <= r193);
      r196 = r189 & r195;
      r198 = (uchar)(r193 < 28);
      r199 = r196 & r198;
      r201 = (int)((uint)r193 * (uint)896);
      r202 = (int)((uint)r192 + (uint)r201);
      r204 = as_float(0x00000000u);
      if (r199) {
        r204 = b0[r202];
      }
      r206 = (int)((uint)r168 * (uint)64);
      r207 = (int)((uint)r206 + (uint)r18);
      a0[r207] = r204;
      a2[r207] = r199;
      r208 = r171 & r43;
      r209 = (int)((uint)r58 + (uint)r174);
      r210 = (int)((uint)r48 + (uint)r177);
      r212 = (uchar)(0 <= r210);
      r213 = r208 & r212;
      r215 = (uchar)(r210 < 28);
      r216 = r213 & r215;
      r218 = (int)((uint)r210 * (uint)32);
      r219 = (int)((uint)r209 + (uint)r218);
      r220 = (int)((uint)r53 + (uint)r180);
      r222 = (uchar)(0 <= r220);
      r223 = r216 & r222;
      r225 = (uchar)(r220 < 28);
      r226 = r223 & r225;
      r228 = (int)((uint)r220 * (uint)896);
      r229 = (int)((uint)r219 + (uint)r228);
      r231 = as_float(0x00000000u);
      if (r226) {
        r231 = b0[r229];
      }
      r233 = (int)((uint)r168 * (uint)64);
      r234 = (int)((uint)r233 + (uint)r40);
      a0[r234] = r231;
      a2[r234] = r226;
      r235 = r171 & r65;
      r236 = (int)((uint)r80 + (uint)r174);
      r237 = (int)((uint)r70 + (uint)r177);
      r239 = (uchar)(0 <= r237);
      r240 = r235 & r239;
      r242 = (uchar)(r237 < 28);
      r243 = r240 & r242;
      r245 = (int)((uint)r237 * (uint)32);
      r246 = (int)((uint)r236 + (uint)r245);
      r247 = (int)((uint)r75 + (uint)r180);
      r249 = (uchar)(0 <= r247);
      r250 = r243 & r249;
      r252 = (uchar)(r247 < 28);
      r253 = r250 & r252;
      r255 = (int)((uint)r247 * (uint)896);
      r256 = (int)((uint)r246 + (uint)r255);
      r258 = as_float(0x00000000u);
      if (r253) {
        r258 = b0[r256];
      }
      r260 = (int)((uint)r168 * (uint)64);
      r261 = (int)((uint)r260 + (uint)r62);
      a0[r261] = r258;
      a2[r261] = r253;
      r262 = r171 & r87;
      r263 = (int)((uint)r102 + (uint)r174);
      r264 = (int)((uint)r92 + (uint)r177);
      r266 = (uchar)(0 <= r264);
      r267 = r262 & r266;
      r269 = (uchar)(r264 < 28);
      r270 = r267 & r269;
      r272 = (int)((uint)r264 * (uint)32);
      r273 = (int)((uint)r263 + (uint)r272);
      r274 = (int)((uint)r97 + (uint)r180);
      r276 = (uchar)(0 <= r274);
      r277 = r270 & r276;
      r279 = (uchar)(r274 < 28);
      r280 = r277 & r279;
      r282 = (int)((uint)r274 * (uint)896);
      r283 = (int)((uint)r273 + (uint)r282);
      r285 = as_float(0x00000000u);
      if (r280) {
        r285 = b0[r283];
      }
      r287 = (int)((uint)r168 * (uint)64);
      r288 = (int)((uint)r287 + (uint)r84);
      a0[r288] = r285;
      a2[r288] = r280;
      r290 = r0 & 63;
      r292 = (int)(r0 >> ((uint)6 < 32 ? (uint)6 : (uint)31));
      r293 = (int)((uint)r16 + (uint)r290);
      r294 = (int)((uint)r143 + (uint)r292);
      r296 = (uchar)(r293 < 64);
      r298 = (uchar)(r294 < 288);
      r299 = r296 & r298;
      r301 = as_float(0x00000000u);
      if (r299) {
        r303 = (int)((uint)r294 * (uint)64);
        r304 = (int)((uint)r293 + (uint)r303);
        r305 = (int)((uint)r106 + (uint)r304);
        r301 = b1[r305];
      }
      r307 = (int)((uint)r292 * (uint)64);
      r308 = (int)((uint)r307 + (uint)r290);
      a1[r308] = r301;
      r310 = (int)((uint)r0 + (uint)256);
      r312 = r310 & 63;
      r314 = (int)(r310 >> ((uint)6 < 32 ? (uint)6 : (uint)31));
      r315 = (int)((uint)r16 + (uint)r312);
      r316 = (int)((uint)r143 + (uint)r314);
      r318 = (uchar)(r315 < 64);
      r320 = (uchar)(r316 < 288);
      r321 = r318 & r320;
      r323 = as_float(0x00000000u);
      if (r321) {
        r325 = (int)((uint)r316 * (uint)64);
        r326 = (int)((uint)r315 + (uint)r325);
        r327 = (int)((uint)r106 + (uint)r326);
        r323 = b1[r327];
      }
      r329 = (int)((uint)r314 * (uint)64);
      r330 = (int)((uint)r329 + (uint)r312);
      a1[r330] = r323;
      r332 = (int)((uint)r0 + (uint)512);
      r334 = r332 & 63;
      r336 = (int)(r332 >> ((uint)6 < 32 ? (uint)6 : (uint)31));
      r337 = (int)((uint)r16 + (uint)r334);
      r338 = (int)((uint)r143 + (uint)r336);
      r340 = (uchar)(r337 < 64);
      r342 = (uchar)(r338 < 288);
      r343 = r340 & r342;
      r345 = as_float(0x00000000u);
      if (r343) {
        r347 = (int)((uint)r338 * (uint)64);
        r348 = (int)((uint)r337 + (uint)r347);
        r349 = (int)((uint)r106 + (uint)r348);
        r345 = b1[r349];
      }
      r351 = (int)((uint)r336 * (uint)64);
      r352 = (int)((uint)r351 + (uint)r334);
      a1[r352] = r345;
      r354 = (int)((uint)r0 + (uint)768);
      r356 = r354 & 63;
      r358 = (int)(r354 >> ((uint)6 < 32 ? (uint)6 : (uint)31));
      r359 = (int)((uint)r16 + (uint)r356);
      r360 = (int)((uint)r143 + (uint)r358);
      r362 = (uchar)(r359 < 64);
      r364 = (uchar)(r360 < 288);
      r365 = r362 & r364;
      r367 = as_float(0x00000000u);
      if (r365) {
        r369 = (int)((uint)r360 * (uint)64);
        r370 = (int)((uint)r359 + (uint)r369);
        r371 = (int)((uint)r106 + (uint)r370);
        r367 = b1[r371];
      }
      r373 = (int)((uint)r358 * (uint)64);
      r374 = (int)((uint)r373 + (uint)r356);
      a1[r374] = r367;
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r377 = (int)((uint)288 - (uint)r143);
      r378 = 16 < r377 ? 16 : r377;
      for (r380 = 0; r380 < r378; r380 += 1) {
        r382 = (int)((uint)r380 * (uint)64);
        r383 = (int)((uint)r382 + (uint)r6);
        r384 = a0[r383];
        r386 = (int)((uint)r383 + (uint)16);
        r387 = a0[r386];
        r389 = (int)((uint)r383 + (uint)32);
        r390 = a0[r389];
        r392 = (int)((uint)r383 + (uint)48);
        r393 = a0[r392];
        r395 = (int)((uint)r380 * (uint)64);
        r396 = (int)((uint)r395 + (uint)r4);
        r397 = a1[r396];
        r399 = (int)((uint)r396 + (uint)16);
        r400 = a1[r399];
        r402 = (int)((uint)r396 + (uint)32);
        r403 = a1[r402];
        r405 = (int)((uint)r396 + (uint)48);
        r406 = a1[r405];
        r407 = a2[r383];
        if (r407) {
          r408 = fma(r384, r397, r108);
          r108 = r408;
          r409 = fma(r384, r400, r110);
          r110 = r409;
          r410 = fma(r384, r403, r112);
          r112 = r410;
          r411 = fma(r384, r406, r114);
          r114 = r411;
        }
        r413 = (int)((uint)r383 + (uint)16);
        r414 = a2[r413];
        if (r414) {
          r415 = fma(r387, r397, r116);
          r116 = r415;
          r416 = fma(r387, r400, r118);
          r118 = r416;
          r417 = fma(r387, r403, r120);
          r120 = r417;
          r418 = fma(r387, r406, r122);
          r122 = r418;
        }
        r420 = (int)((uint)r383 + (uint)32);
        r421 = a2[r420];
        if (r421) {
          r422 = fma(r390, r397, r124);
          r124 = r422;
          r423 = fma(r390, r400, r126);
          r126 = r423;
          r424 = fma(r390, r403, r128);
          r128 = r424;
          r425 = fma(r390, r406, r130);
          r130 = r425;
        }
        r427 = (int)((uint)r383 + (uint)48);
        r428 = a2[r427];
        if (r428) {
          r429 = fma(r393, r397, r132);
          r132 = r429;
          r430 = fma(r393, r400, r134);
          r134 = r430;
          r431 = fma(r393, r403, r136);
          r136 = r431;
          r432 = fma(r393, r406, r138);
          r138 = r432;
        }
      }
    }
    r433 = r109 + r108;
    r109 = r433;
    r108 = as_float(0x00000000u);
    r434 = r111 + r110;
    r111 = r434;
    r110 = as_float(0x00000000u);
    r435 = r113 + r112;
    r113 = r435;
    r112 = as_float(0x00000000u);
    r436 = r115 + r114;
    r115 = r436;
    r114 = as_float(0x00000000u);
    r437 = r117 + r116;
    r117 = r437;
    r116 = as_float(0x00000000u);
    r438 = r119 + r118;
    r119 = r438;
    r118 = as_float(0x00000000u);
    r439 = r121 + r120;
    r121 = r439;
    r120 = as_float(0x00000000u);
    r440 = r123 + r122;
    r123 = r440;
    r122 = as_float(0x00000000u);
    r441 = r125 + r124;
    r125 = r441;
    r124 = as_float(0x00000000u);
    r442 = r127 + r126;
    r127 = r442;
    r126 = as_float(0x00000000u);
    r443 = r129 + r128;
    r129 = r443;
    r128 = as_float(0x00000000u);
    r444 = r131 + r130;
    r131 = r444;
    r130 = as_float(0x00000000u);
    r445 = r133 + r132;
    r133 = r445;
    r132 = as_float(0x00000000u);
    r446 = r135 + r134;
    r135 = r446;
    r134 = as_float(0x00000000u);
    r447 = r137 + r136;
    r137 = r447;
    r136 = as_float(0x00000000u);
    r448 = r139 + r138;
    r139 = r448;
    r138 = as_float(0x00000000u);
    r449 = (int)((uint)r14 + (uint)r6);
    r451 = (uchar)(r449 < 1568);
    if (r451) {
      r453 = (int)((uint)r449 * (uint)64);
      r454 = (int)((uint)r104 + (uint)r453);
      r455 = (int)((uint)r16 + (uint)r4);
      r457 = (uchar)(r455 < 64);
      if (r457) {
        r458 = r109 != r109 ? as_float(0x7fc00000u) : r109;
        r459 = (int)((uint)r454 + (uint)r455);
        b2[r459] = r458;
      }
      r460 = (int)((uint)r16 + (uint)r4);
      r462 = (int)((uint)r460 + (uint)16);
      r464 = (uchar)(r462 < 64);
      if (r464) {
        r465 = r111 != r111 ? as_float(0x7fc00000u) : r111;
        r466 = (int)((uint)r454 + (uint)r462);
        b2[r466] = r465;
      }
      r467 = (int)((uint)r16 + (uint)r4);
      r469 = (int)((uint)r467 + (uint)32);
      r471 = (uchar)(r469 < 64);
      if (r471) {
        r472 = r113 != r113 ? as_float(0x7fc00000u) : r113;
        r473 = (int)((uint)r454 + (uint)r469);
        b2[r473] = r472;
      }
      r474 = (int)((uint)r16 + (uint)r4);
      r476 = (int)((uint)r474 + (uint)48);
      r478 = (uchar)(r476 < 64);
      if (r478) {
        r479 = r115 != r115 ? as_float(0x7fc00000u) : r115;
        r480 = (int)((uint)r454 + (uint)r476);
        b2[r480] = r479;
      }
    }
    r481 = (int)((uint)r14 + (uint)r6);
    r483 = (int)((uint)r481 + (uint)16);
    r485 = (uchar)(r483 < 1568);
    if (r485) {
      r487 = (int)((uint)r483 * (uint)64);
      r488 = (int)((uint)r104 + (uint)r487);
      r489 = (int)((uint)r16 + (uint)r4);
      r491 = (uchar)(r489 < 64);
      if (r491) {
        r492 = r117 != r117 ? as_float(0x7fc00000u) : r117;
        r493 = (int)((uint)r488 + (uint)r489);
        b2[r493] = r492;
      }
      r494 = (int)((uint)r16 + (uint)r4);
      r496 = (int)((uint)r494 + (uint)16);
      r498 = (uchar)(r496 < 64);
      if (r498) {
        r499 = r119 != r119 ? as_float(0x7fc00000u) : r119;
        r500 = (int)((uint)r488 + (uint)r496);
        b2[r500] = r499;
      }
      r501 = (int)((uint)r16 + (uint)r4);
      r503 = (int)((uint)r501 + (uint)32);
      r505 = (uchar)(r503 < 64);
      if (r505) {
        r506 = r121 != r121 ? as_float(0x7fc00000u) : r121;
        r507 = (int)((uint)r488 + (uint)r503);
        b2[r507] = r506;
      }
      r508 = (int)((uint)r16 + (uint)r4);
      r510 = (int)((uint)r508 + (uint)48);
      r512 = (uchar)(r510 < 64);
      if (r512) {
        r513 = r123 != r123 ? as_float(0x7fc00000u) : r123;
        r514 = (int)((uint)r488 + (uint)r510);
        b2[r514] = r513;
      }
    }
    r515 = (int)((uint)r14 + (uint)r6);
    r517 = (int)((uint)r515 + (uint)32);
    r519 = (uchar)(r517 < 1568);
    if (r519) {
      r521 = (int)((uint)r517 * (uint)64);
      r522 = (int)((uint)r104 + (uint)r521);
      r523 = (int)((uint)r16 + (uint)r4);
      r525 = (uchar)(r523 < 64);
      if (r525) {
        r526 = r125 != r125 ? as_float(0x7fc00000u) : r125;
        r527 = (int)((uint)r522 + (uint)r523);
        b2[r527] = r526;
      }
      r528 = (int)((uint)r16 + (uint)r4);
      r530 = (int)((uint)r528 + (uint)16);
      r532 = (uchar)(r530 < 64);
      if (r532) {
        r533 = r127 != r127 ? as_float(0x7fc00000u) : r127;
        r534 = (int)((uint)r522 + (uint)r530);
        b2[r534] = r533;
      }
      r535 = (int)((uint)r16 + (uint)r4);
      r537 = (int)((uint)r535 + (uint)32);
      r539 = (uchar)(r537 < 64);
      if (r539) {
        r540 = r129 != r129 ? as_float(0x7fc00000u) : r129;
        r541 = (int)((uint)r522 + (uint)r537);
        b2[r541] = r540;
      }
      r542 = (int)((uint)r16 + (uint)r4);
      r544 = (int)((uint)r542 + (uint)48);
      r546 = (uchar)(r544 < 64);
      if (r546) {
        r547 = r131 != r131 ? as_float(0x7fc00000u) : r131;
        r548 = (int)((uint)r522 + (uint)r544);
        b2[r548] = r547;
      }
    }
    r549 = (int)((uint)r14 + (uint)r6);
    r551 = (int)((uint)r549 + (uint)48);
    r553 = (uchar)(r551 < 1568);
    if (r553) {
      r555 = (int)((uint)r551 * (uint)64);
      r556 = (int)((uint)r104 + (uint)r555);
      r557 = (int)((uint)r16 + (uint)r4);
      r559 = (uchar)(r557 < 64);
      if (r559) {
        r560 = r133 != r133 ? as_float(0x7fc00000u) : r133;
        r561 = (int)((uint)r556 + (uint)r557);
        b2[r561] = r560;
      }
      r562 = (int)((uint)r16 + (uint)r4);
      r564 = (int)((uint)r562 + (uint)16);
      r566 = (uchar)(r564 < 64);
      if (r566) {
        r567 = r135 != r135 ? as_float(0x7fc00000u) : r135;
        r568 = (int)((uint)r556 + (uint)r564);
        b2[r568] = r567;
      }
      r569 = (int)((uint)r16 + (uint)r4);
      r571 = (int)((uint)r569 + (uint)32);
      r573 = (uchar)(r571 < 64);
      if (r573) {
        r574 = r137 != r137 ? as_float(0x7fc00000u) : r137;
        r575 = (int)((uint)r556 + (uint)r571);
        b2[r575] = r574;
      }
      r576 = (int)((uint)r16 + (uint)r4);
      r578 = (int)((uint)r576 + (uint)48);
      r580 = (uchar)(r578 < 64);
      if (r580) {
        r581 = r139 != r139 ? as_float(0x7fc00000u) : r139;
        r582 = (int)((uint)r556 + (uint)r578);
        b2[r582] = r581;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
