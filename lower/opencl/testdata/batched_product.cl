#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void k0_batched_product(__global const uchar *m0, long o0, __global const uchar *m1, long o1, __global uchar *m2, long o2) {
  __global const float *b0 = (__global const float *)(m0 + o0);
  __global const float *b1 = (__global const float *)(m1 + o1);
  __global float *b2 = (__global float *)(m2 + o2);
  __local float a0[1152];
  __local float a1[2304];
  uchar r129;
  int r0, r1, r2, r5, r7, r9, r11, r13, r14, r16, r18, r20, r22, r24, r25, r27;
  int r29, r30, r32, r34, r36, r39, r41, r43, r45, r49, r51, r52, r54, r55, r57, r58;
  int r60, r62, r64, r66, r67, r68, r70, r71, r72, r74, r76, r78, r80, r81, r82, r84;
  int r85, r86, r98, r100, r102, r103, r105, r106, r107, r108, r110, r111, r113, r114, r116, r117;
  int r118, r119, r121, r125, r127, r131, r133, r135, r136, r138, r139, r140, r141, r143, r144, r146;
  int r147, r149, r150, r151, r152, r154, r156, r158, r159, r161, r163, r164, r166, r167, r169, r171;
  int r172, r338, r339, r341, r342, r348, r349, r350;
  float r88, r89, r90, r91, r92, r93, r94, r95, r173, r174, r175, r176, r177, r178, r179, r180;
  float r181, r182, r183, r184, r185, r186, r187, r188, r189, r190, r191, r192, r193, r194, r195, r196;
  float r197, r198, r199, r200, r201, r202, r203, r204, r205, r206, r207, r208, r209, r210, r211, r212;
  float r213, r214, r215, r216, r217, r218, r219, r220, r221, r222, r223, r224, r225, r226, r227, r228;
  float r229, r230, r231, r232, r233, r234, r235, r236, r237, r238, r239, r240, r241, r242, r243, r244;
  float r245, r246, r247, r248, r249, r250, r251, r252, r253, r254, r255, r256, r257, r258, r259, r260;
  float r261, r262, r263, r264, r265, r266, r267, r268, r269, r270, r271, r272, r273, r274, r275, r276;
  float r277, r278, r279, r280, r281, r282, r283, r284, r285, r286, r287, r288, r289, r290, r291, r292;
  float r293, r294, r295, r296, r297, r298, r299, r300, r301, r302, r303, r304, r305, r306, r307, r308;
  float r309, r310, r311, r312, r313, r314, r315, r316, r317, r318, r319, r320, r321, r322, r323, r324;
  float r325, r326, r327, r328, r329, r330, r331, r332, r333, r334, r335, r336, r343, r344, r345, r346;
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
  for (r32 = r1; r32 < 96; r32 += r2) {
    r34 = (int)(r32 >> ((uint)3 < 32 ? (uint)3 : (uint)31));
    r36 = r32 & 7;
    r39 = (int)(r36 >> ((uint)2 < 32 ? (uint)2 : (uint)31));
    r41 = r36 & 3;
    r43 = (int)((uint)r41 * (uint)16);
    r45 = (int)((uint)r39 * (uint)32);
    r49 = 12 == 0 ? (int)-1 : 12 == -1 ? (int)(0 - (uint)r34) : (int)(r34 / 12);
    r51 = (int)((uint)r49 * (uint)12);
    r52 = (int)((uint)r34 - (uint)r51);
    r54 = (int)((uint)r52 * (uint)4096);
    r55 = (int)((uint)0 + (uint)r54);
    r57 = (int)((uint)r52 * (uint)4096);
    r58 = (int)((uint)0 + (uint)r57);
    r60 = r0 & 7;
    r62 = (int)((uint)r60 * (uint)4);
    r64 = (int)(r0 >> ((uint)3 < 32 ? (uint)3 : (uint)31));
    r66 = (int)((uint)r64 * (uint)36);
    r67 = (int)((uint)r66 + (uint)r62);
    r68 = (int)((uint)r43 + (uint)r64);
    r70 = (int)((uint)r68 * (uint)64);
    r71 = (int)((uint)r70 + (uint)r62);
    r72 = (int)((uint)r55 + (uint)r71);
    r74 = r0 & 7;
    r76 = (int)((uint)r74 * (uint)4);
    r78 = (int)(r0 >> ((uint)3 < 32 ? (uint)3 : (uint)31));
    r80 = (int)((uint)r78 * (uint)36);
    r81 = (int)((uint)r80 + (uint)r76);
    r82 = (int)((uint)r45 + (uint)r76);
    r84 = (int)((uint)r78 * (uint)64);
    r85 = (int)((uint)r82 + (uint)r84);
    r86 = (int)((uint)r58 + (uint)r85);
    r88 = as_float(0x00000000u);
    r89 = as_float(0x00000000u);
    r90 = as_float(0x00000000u);
    r91 = as_float(0x00000000u);
    r92 = as_float(0x00000000u);
    r93 = as_float(0x00000000u);
    r94 = as_float(0x00000000u);
    r95 = as_float(0x00000000u);
    r98 = (int)((uint)0 * (uint)32);
    r100 = 0 & 1;
    r102 = (int)((uint)0 * (uint)2);
    r103 = (int)((uint)r102 + (uint)r100);
    r105 = (int)((uint)r103 * (uint)576);
    r106 = (int)((uint)r105 + (uint)r67);
    r107 = (int)((uint)r98 + (uint)r72);
    r108 = (int)((uint)r98 + (uint)r62);
    a0[r106] = b0[r107];
    a0[(r106 + 1)] = b0[(r107 + 1)];
    a0[(r106 + 2)] = b0[(r107 + 2)];
    a0[(r106 + 3)] = b0[(r107 + 3)];
    r110 = (int)((uint)0 * (uint)2);
    r111 = (int)((uint)r110 + (uint)r100);
    r113 = (int)((uint)r111 * (uint)1152);
    r114 = (int)((uint)r113 + (uint)r81);
    r116 = (int)((uint)r98 * (uint)64);
    r117 = (int)((uint)r116 + (uint)r86);
    r118 = (int)((uint)r98 + (uint)r78);
    a1[r114] = b1[r117];
    a1[(r114 + 1)] = b1[(r117 + 1)];
    a1[(r114 + 2)] = b1[(r117 + 2)];
    a1[(r114 + 3)] = b1[(r117 + 3)];
    r119 = (int)((uint)r98 + (uint)r78);
    r121 = (int)((uint)r119 + (uint)16);
    a1[(r114 + 576)] = b1[(r117 + 1024)];
    a1[(r114 + 577)] = b1[(r117 + 1025)];
    a1[(r114 + 578)] = b1[(r117 + 1026)];
    a1[(r114 + 579)] = b1[(r117 + 1027)];
    #pragma clang loop vectorize(disable)
    for (r125 = 0; r125 < 2; r125 += 1) {
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r127 = (int)((uint)r125 + (uint)1);
      r129 = (uchar)(r127 < 2);
      if (r129) {
        r131 = (int)((uint)r127 * (uint)32);
        r133 = r127 & 1;
        r135 = (int)((uint)0 * (uint)2);
        r136 = (int)((uint)r135 + (uint)r133);
        r138 = (int)((uint)r136 * (uint)576);
        r139 = (int)((uint)r138 + (uint)r67);
        r140 = (int)((uint)r131 + (uint)r72);
        r141 = (int)((uint)r131 + (uint)r62);
        a0[r139] = b0[r140];
        a0[(r139 + 1)] = b0[(r140 + 1)];
        a0[(r139 + 2)] = b0[(r140 + 2)];
        a0[(r139 + 3)] = b0[(r140 + 3)];
        r143 = (int)((uint)0 * (uint)2);
        r144 = (int)((uint)r143 + (uint)r133);
        r146 = (int)((uint)r144 * (uint)1152);
        r147 = (int)((uint)r146 + (uint)r81);
        r149 = (int)((uint)r131 * (uint)64);
        r150 = (int)((uint)r149 + (uint)r86);
        r151 = (int)((uint)r131 + (uint)r78);
        a1[r147] = b1[r150];
        a1[(r147 + 1)] = b1[(r150 + 1)];
        a1[(r147 + 2)] = b1[(r150 + 2)];
        a1[(r147 + 3)] = b1[(r150 + 3)];
        r152 = (int)((uint)r131 + (uint)r78);
        r154 = (int)((uint)r152 + (uint)16);
        a1[(r147 + 576)] = b1[(r150 + 1024)];
        a1[(r147 + 577)] = b1[(r150 + 1025)];
        a1[(r147 + 578)] = b1[(r150 + 1026)];
        a1[(r147 + 579)] = b1[(r150 + 1027)];
      }
      r156 = r125 & 1;
      r158 = (int)((uint)0 * (uint)2);
      r159 = (int)((uint)r158 + (uint)r156);
      r161 = (int)((uint)r159 * (uint)576);
      r163 = (int)((uint)r30 * (uint)36);
      r164 = (int)((uint)r161 + (uint)r163);
      r166 = (int)((uint)0 * (uint)2);
      r167 = (int)((uint)r166 + (uint)r156);
      r169 = (int)((uint)r167 * (uint)1152);
      r171 = (int)((uint)r25 * (uint)4);
      r172 = (int)((uint)r169 + (uint)r171);
      {
        float4 v = vload4(0, a0 + r164);
        r173 = v.s0;
        r174 = v.s1;
        r175 = v.s2;
        r176 = v.s3;
      }
      {
        float4 v = vload4(0, a1 + r172);
        r177 = v.s0;
        r178 = v.s1;
        r179 = v.s2;
        r180 = v.s3;
      }
      {
        float4 v = vload4(0, a1 + (r172 + 36));
        r181 = v.s0;
        r182 = v.s1;
        r183 = v.s2;
        r184 = v.s3;
      }
      r88 = fma(r173, r177, r88);
      r90 = fma(r173, r178, r90);
      r92 = fma(r173, r179, r92);
      r94 = fma(r173, r180, r94);
      {
        float4 v = vload4(0, a1 + (r172 + 72));
        r185 = v.s0;
        r186 = v.s1;
        r187 = v.s2;
        r188 = v.s3;
      }
      r88 = fma(r174, r181, r88);
      r90 = fma(r174, r182, r90);
      r92 = fma(r174, r183, r92);
      r94 = fma(r174, r184, r94);
      {
        float4 v = vload4(0, a1 + (r172 + 108));
        r189 = v.s0;
        r190 = v.s1;
        r191 = v.s2;
        r192 = v.s3;
      }
      r88 = fma(r175, r185, r88);
      r90 = fma(r175, r186, r90);
      r92 = fma(r175, r187, r92);
      r94 = fma(r175, r188, r94);
      {
        float4 v = vload4(0, a0 + (r164 + 4));
        r193 = v.s0;
        r194 = v.s1;
        r195 = v.s2;
        r196 = v.s3;
      }
      {
        float4 v = vload4(0, a1 + (r172 + 144));
        r197 = v.s0;
        r198 = v.s1;
        r199 = v.s2;
        r200 = v.s3;
      }
      r88 = fma(r176, r189, r88);
      r90 = fma(r176, r190, r90);
      r92 = fma(r176, r191, r92);
      r94 = fma(r176, r192, r94);
      {
        float4 v = vload4(0, a1 + (r172 + 180));
        r201 = v.s0;
        r202 = v.s1;
        r203 = v.s2;
        r204 = v.s3;
      }
      r88 = fma(r193, r197, r88);
      r90 = fma(r193, r198, r90);
      r92 = fma(r193, r199, r92);
      r94 = fma(r193, r200, r94);
      {
        float4 v = vload4(0, a1 + (r172 + 216));
        r205 = v.s0;
        r206 = v.s1;
        r207 = v.s2;
        r208 = v.s3;
      }
      r88 = fma(r194, r201, r88);
      r90 = fma(r194, r202, r90);
      r92 = fma(r194, r203, r92);
      r94 = fma(r194, r204, r94);
      {
        float4 v = vload4(0, a1 + (r172 + 252));
        r209 = v.s0;
        r210 = v.s1;
        r211 = v.s2;
        r212 = v.s3;
      }
      r88 = fma(r195, r205, r88);
      r90 = fma(r195, r206, r90);
      r92 = fma(r195, r207, r92);
      r94 = fma(r195, r208, r94);
      {
        float4 v = vload4(0, a0 + (r164 + 8));
        r213 = v.s0;
        r214 = v.s1;
        r215 = v.s2;
        r216 = v.s3;
      }
      {
        float4 v = vload4(0, a1 + (r172 + 288));
        r217 = v.s0;
        r218 = v.s1;
        r219 = v.s2;
        r220 = v.s3;
      }
      r88 = fma(r196, r209, r88);
      r90 = fma(r196, r210, r90);
      r92 = fma(r196, r211, r92);
      r94 = fma(r196, r212, r94);
      {
        float4 v = vload4(0, a1 + (r172 + 324));
        r221 = v.s0;
        r222 = v.s1;
        r223 = v.s2;
        r224 = v.s3;
      }
      r88 = fma(r213, r217, r88);
      r90 = fma(r213, r218, r90);
      r92 = fma(r213, r219, r92);
      r94 = fma(r213, r220, r94);
      {
        float4 v = vload4(0, a1 + (r172 + 360));
        r225 = v.s0;
        r226 = v.s1;
        r227 = v.s2;
        r228 = v.s3;
      }
      r88 = fma(r214, r221, r88);
      r90 = fma(r214, r222, r90);
      r92 = fma(r214, r223, r92);
      r94 = fma(r214, r224, r94);
      {
        float4 v = vload4(0, a1 + (r172 + 396));
        r229 = v.s0;
        r230 = v.s1;
        r231 = v.s2;
        r232 = v.s3;
      }
      r88 = fma(r215, r225, r88);
      r90 = fma(r215, r226, r90);
      r92 = fma(r215, r227, r92);
      r94 = fma(r215, r228, r94);
      {
        float4 v = vload4(0, a0 + (r164 + 12));
        r233 = v.s0;
        r234 = v.s1;
        r235 = v.s2;
        r236 = v.s3;
      }
      {
        float4 v = vload4(0, a1 + (r172 + 432));
        r237 = v.s0;
        r238 = v.s1;
        r239 = v.s2;
        r240 = v.s3;
      }
      r88 = fma(r216, r229, r88);
      r90 = fma(r216, r230, r90);
      r92 = fma(r216, r231, r92);
      r94 = fma(r216, r232, r94);
      {
        float4 v = vload4(0, a1 + (r172 + 468));
        r241 = v.s0;
        r242 = v.s1;
        r243 = v.s2;
        r244 = v.s3;
      }
      r88 = fma(r233, r237, r88);
      r90 = fma(r233, r238, r90);
      r92 = fma(r233, r239, r92);
      r94 = fma(r233, r240, r94);
      {
        float4 v = vload4(0, a1 + (r172 + 504));
        r245 = v.s0;
        r246 = v.s1;
        r247 = v.s2;
        r248 = v.s3;
      }
      r88 = fma(r234, r241, r88);
      r90 = fma(r234, r242, r90);
      r92 = fma(r234, r243, r92);
      r94 = fma(r234, r244, r94);
      {
        float4 v = vload4(0, a1 + (r172 + 540));
        r249 = v.s0;
        r250 = v.s1;
        r251 = v.s2;
        r252 = v.s3;
      }
      r88 = fma(r235, r245, r88);
      r90 = fma(r235, r246, r90);
      r92 = fma(r235, r247, r92);
      r94 = fma(r235, r248, r94);
      {
        float4 v = vload4(0, a0 + (r164 + 16));
        r253 = v.s0;
        r254 = v.s1;
        r255 = v.s2;
        r256 = v.s3;
      }
      {
        float4 v = vload4(0, a1 + (r172 + 576));
        r257 = v.s0;
        r258 = v.s1;
        r259 = v.s2;
        r260 = v.s3;
      }
      r88 = fma(r236, r249, r88);
      r90 = fma(r236, r250, r90);
      r92 = fma(r236, r251, r92);
      r94 = fma(r236, r252, r94);
      {
        float4 v = vload4(0, a1 + (r172 + 612));
        r261 = v.s0;
        r262 = v.s1;
        r263 = v.s2;
        r264 = v.s3;
      }
      r88 = fma(r253, r257, r88);
      r90 = fma(r253, r258, r90);
      r92 = fma(r253, r259, r92);
      r94 = fma(r253, r260, r94);
      {
        float4 v = vload4(0, a1 + (r172 + 648));
        r265 = v.s0;
        r266 = v.s1;
        r267 = v.s2;
        r268 = v.s3;
      }
      r88 = fma(r254, r261, r88);
      r90 = fma(r254, r262, r90);
      r92 = fma(r254, r263, r92);
      r94 = fma(r254, r264, r94);
      {
        float4 v = vload4(0, a1 + (r172 + 684));
        r269 = v.s0;
        r270 = v.s1;
        r271 = v.s2;
        r272 = v.s3;
      }
      r88 = fma(r255, r265, r88);
      r90 = fma(r255, r266, r90);
      r92 = fma(r255, r267, r92);
      r94 = fma(r255, r268, r94);
      {
        float4 v = vload4(0, a0 + (r164 + 20));
        r273 = v.s0;
        r274 = v.s1;
        r275 = v.s2;
        r276 = v.s3;
      }
      {
        float4 v = vload4(0, a1 + (r172 + 720));
        r277 = v.s0;
        r278 = v.s1;
        r279 = v.s2;
        r280 = v.s3;
      }
      r88 = fma(r256, r269, r88);
      r90 = fma(r256, r270, r90);
      r92 = fma(r256, r271, r92);
      r94 = fma(r256, r272, r94);
      {
        float4 v = vload4(0, a1 + (r172 + 756));
        r281 = v.s0;
        r282 = v.s1;
        r283 = v.s2;
        r284 = v.s3;
      }
      r88 = fma(r273, r277, r88);
      r90 = fma(r273, r278, r90);
      r92 = fma(r273, r279, r92);
      r94 = fma(r273, r280, r94);
      {
        float4 v = vload4(0, a1 + (r172 + 792));
        r285 = v.s0;
        r286 = v.s1;
        r287 = v.s2;
        r288 = v.s3;
      }
      r88 = fma(r274, r281, r88);
      r90 = fma(r274, r282, r90);
      r92 = fma(r274, r283, r92);
      r94 = fma(r274, r284, r94);
      {
        float4 v = vload4(0, a1 + (r172 + 828));
        r289 = v.s0;
        r290 = v.s1;
        r291 = v.s2;
        r292 = v.s3;
      }
      r88 = fma(r275, r285, r88);
      r90 = fma(r275, r286, r90);
      r92 = fma(r275, r287, r92);
      r94 = fma(r275, r288, r94);
      {
        float4 v = vload4(0, a0 + (r164 + 24));
        r293 = v.s0;
        r294 = v.s1;
        r295 = v.s2;
        r296 = v.s3;
      }
      {
        float4 v = vload4(0, a1 + (r172 + 864));
        r297 = v.s0;
        r298 = v.s1;
        r299 = v.s2;
        r300 = v.s3;
      }
      r88 = fma(r276, r289, r88);
      r90 = fma(r276, r290, r90);
      r92 = fma(r276, r291, r92);
      r94 = fma(r276, r292, r94);
      {
        float4 v = vload4(0, a1 + (r172 + 900));
        r301 = v.s0;
        r302 = v.s1;
        r303 = v.s2;
        r304 = v.s3;
      }
      r88 = fma(r293, r297, r88);
      r90 = fma(r293, r298, r90);
      r92 = fma(r293, r299, r92);
      r94 = fma(r293, r300, r94);
      {
        float4 v = vload4(0, a1 + (r172 + 936));
        r305 = v.s0;
        r306 = v.s1;
        r307 = v.s2;
        r308 = v.s3;
      }
      r88 = fma(r294, r301, r88);
      r90 = fma(r294, r302, r90);
      r92 = fma(r294, r303, r92);
      r94 = fma(r294, r304, r94);
      {
        float4 v = vload4(0, a1 + (r172 + 972));
        r309 = v.s0;
        r310 = v.s1;
        r311 = v.s2;
        r312 = v.s3;
      }
      r88 = fma(r295, r305, r88);
      r90 = fma(r295, r306, r90);
      r92 = fma(r295, r307, r92);
      r94 = fma(r295, r308, r94);
      {
        float4 v = vload4(0, a0 + (r164 + 28));
        r313 = v.s0;
        r314 = v.s1;
        r315 = v.s2;
        r316 = v.s3;
      }
      {
        float4 v = vload4(0, a1 + (r172 + 1008));
        r317 = v.s0;
        r318 = v.s1;
        r319 = v.s2;
        r320 = v.s3;
      }
      r88 = fma(r296, r309, r88);
      r90 = fma(r296, r310, r90);
      r92 = fma(r296, r311, r92);
      r94 = fma(r296, r312, r94);
      {
        float4 v = vload4(0, a1 + (r172 + 1044));
        r321 = v.s0;
        r322 = v.s1;
        r323 = v.s2;
        r324 = v.s3;
      }
      r88 = fma(r313, r317, r88);
      r90 = fma(r313, r318, r90);
      r92 = fma(r313, r319, r92);
      r94 = fma(r313, r320, r94);
      {
        float4 v = vload4(0, a1 + (r172 + 1080));
        r325 = v.s0;
        r326 = v.s1;
        r327 = v.s2;
        r328 = v.s3;
      }
      r88 = fma(r314, r321, r88);
      r90 = fma(r314, r322, r90);
      r92 = fma(r314, r323, r92);
      r94 = fma(r314, r324, r94);
      {
        float4 v = vload4(0, a1 + (r172 + 1116));
        r329 = v.s0;
        r330 = v.s1;
        r331 = v.s2;
        r332 = v.s3;
      }
      r88 = fma(r315, r325, r88);
      r90 = fma(r315, r326, r90);
      r92 = fma(r315, r327, r92);
      r94 = fma(r315, r328, r94);
      r88 = fma(r316, r329, r88);
      r90 = fma(r316, r330, r90);
      r92 = fma(r316, r331, r92);
      r94 = fma(r316, r332, r94);
    }
    r333 = r89 + r88;
    r89 = r333;
    r334 = r91 + r90;
    r91 = r334;
    r335 = r93 + r92;
    r93 = r335;
    r336 = r95 + r94;
    r95 = r336;
    r88 = as_float(0x00000000u);
    r90 = as_float(0x00000000u);
    r92 = as_float(0x00000000u);
    r94 = as_float(0x00000000u);
    r338 = (int)((uint)r34 * (uint)4096);
    r339 = (int)((uint)r43 + (uint)r30);
    r341 = (int)((uint)r339 * (uint)64);
    r342 = (int)((uint)r338 + (uint)r341);
    r343 = r89 != r89 ? as_float(0x7fc00000u) : r89;
    r344 = r91 != r91 ? as_float(0x7fc00000u) : r91;
    r345 = r93 != r93 ? as_float(0x7fc00000u) : r93;
    r346 = r95 != r95 ? as_float(0x7fc00000u) : r95;
    r348 = (int)((uint)r25 * (uint)4);
    r349 = (int)((uint)r45 + (uint)r348);
    r350 = (int)((uint)r342 + (uint)r349);
    vstore4((float4)(r343, r344, r345, r346), 0, b2 + r350);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
