#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void k0_batched_product(__global const uchar *m0, long o0, __global const uchar *m1, long o1, __global uchar *m2, long o2) {
  __global const float *b0 = (__global const float *)(m0 + o0);
  __global const float *b1 = (__global const float *)(m1 + o1);
  __global float *b2 = (__global float *)(m2 + o2);
  __local float a0[2304];
  __local float a1[4608];
  uchar r155;
  int r0, r1, r2, r5, r7, r9, r11, r13, r14, r16, r18, r20, r22, r24, r25, r27;
  int r29, r30, r32, r34, r36, r39, r41, r43, r45, r49, r51, r52, r54, r55, r57, r58;
  int r60, r62, r64, r66, r67, r68, r70, r71, r72, r74, r76, r78, r80, r81, r82, r84;
  int r85, r86, r98, r100, r102, r103, r105, r106, r107, r108, r110, r111, r113, r114, r116, r117;
  int r118, r119, r121, r124, r126, r128, r129, r131, r132, r133, r134, r136, r137, r139, r140, r142;
  int r143, r144, r145, r147, r151, r153, r157, r159, r161, r162, r164, r165, r166, r167, r169, r170;
  int r172, r173, r175, r176, r177, r178, r180, r182, r184, r185, r187, r189, r190, r192, r193, r195;
  int r197, r198, r364, r365, r367, r368, r374, r375, r376;
  float r88, r89, r90, r91, r92, r93, r94, r95, r199, r200, r201, r202, r203, r204, r205, r206;
  float r207, r208, r209, r210, r211, r212, r213, r214, r215, r216, r217, r218, r219, r220, r221, r222;
  float r223, r224, r225, r226, r227, r228, r229, r230, r231, r232, r233, r234, r235, r236, r237, r238;
  float r239, r240, r241, r242, r243, r244, r245, r246, r247, r248, r249, r250, r251, r252, r253, r254;
  float r255, r256, r257, r258, r259, r260, r261, r262, r263, r264, r265, r266, r267, r268, r269, r270;
  float r271, r272, r273, r274, r275, r276, r277, r278, r279, r280, r281, r282, r283, r284, r285, r286;
  float r287, r288, r289, r290, r291, r292, r293, r294, r295, r296, r297, r298, r299, r300, r301, r302;
  float r303, r304, r305, r306, r307, r308, r309, r310, r311, r312, r313, r314, r315, r316, r317, r318;
  float r319, r320, r321, r322, r323, r324, r325, r326, r327, r328, r329, r330, r331, r332, r333, r334;
  float r335, r336, r337, r338, r339, r340, r341, r342, r343, r344, r345, r346, r347, r348, r349, r350;
  float r351, r352, r353, r354, r355, r356, r357, r358, r359, r360, r361, r362, r369, r370, r371, r372;
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
    r100 = 0 & 3;
    r102 = (int)((uint)0 * (uint)4);
    r103 = (int)((uint)r102 + (uint)r100);
    r105 = (int)((uint)r103 * (uint)576);
    r106 = (int)((uint)r105 + (uint)r67);
    r107 = (int)((uint)r98 + (uint)r72);
    r108 = (int)((uint)r98 + (uint)r62);
    a0[r106] = b0[r107];
    a0[(r106 + 1)] = b0[(r107 + 1)];
    a0[(r106 + 2)] = b0[(r107 + 2)];
    a0[(r106 + 3)] = b0[(r107 + 3)];
    r110 = (int)((uint)0 * (uint)4);
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
    r124 = (int)((uint)1 * (uint)32);
    r126 = 1 & 3;
    r128 = (int)((uint)0 * (uint)4);
    r129 = (int)((uint)r128 + (uint)r126);
    r131 = (int)((uint)r129 * (uint)576);
    r132 = (int)((uint)r131 + (uint)r67);
    r133 = (int)((uint)r124 + (uint)r72);
    r134 = (int)((uint)r124 + (uint)r62);
    a0[r132] = b0[r133];
    a0[(r132 + 1)] = b0[(r133 + 1)];
    a0[(r132 + 2)] = b0[(r133 + 2)];
    a0[(r132 + 3)] = b0[(r133 + 3)];
    r136 = (int)((uint)0 * (uint)4);
    r137 = (int)((uint)r136 + (uint)r126);
    r139 = (int)((uint)r137 * (uint)1152);
    r140 = (int)((uint)r139 + (uint)r81);
    r142 = (int)((uint)r124 * (uint)64);
    r143 = (int)((uint)r142 + (uint)r86);
    r144 = (int)((uint)r124 + (uint)r78);
    a1[r140] = b1[r143];
    a1[(r140 + 1)] = b1[(r143 + 1)];
    a1[(r140 + 2)] = b1[(r143 + 2)];
    a1[(r140 + 3)] = b1[(r143 + 3)];
    r145 = (int)((uint)r124 + (uint)r78);
    r147 = (int)((uint)r145 + (uint)16);
    a1[(r140 + 576)] = b1[(r143 + 1024)];
    a1[(r140 + 577)] = b1[(r143 + 1025)];
    a1[(r140 + 578)] = b1[(r143 + 1026)];
    a1[(r140 + 579)] = b1[(r143 + 1027)];
    #pragma clang loop vectorize(disable)
    for (r151 = 0; r151 < 2; r151 += 1) {
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r153 = (int)((uint)r151 + (uint)3);
      r155 = (uchar)(r153 < 2);
      if (r155) {
        r157 = (int)((uint)r153 * (uint)32);
        r159 = r153 & 3;
        r161 = (int)((uint)0 * (uint)4);
        r162 = (int)((uint)r161 + (uint)r159);
        r164 = (int)((uint)r162 * (uint)576);
        r165 = (int)((uint)r164 + (uint)r67);
        r166 = (int)((uint)r157 + (uint)r72);
        r167 = (int)((uint)r157 + (uint)r62);
        a0[r165] = b0[r166];
        a0[(r165 + 1)] = b0[(r166 + 1)];
        a0[(r165 + 2)] = b0[(r166 + 2)];
        a0[(r165 + 3)] = b0[(r166 + 3)];
        r169 = (int)((uint)0 * (uint)4);
        r170 = (int)((uint)r169 + (uint)r159);
        r172 = (int)((uint)r170 * (uint)1152);
        r173 = (int)((uint)r172 + (uint)r81);
        r175 = (int)((uint)r157 * (uint)64);
        r176 = (int)((uint)r175 + (uint)r86);
        r177 = (int)((uint)r157 + (uint)r78);
        a1[r173] = b1[r176];
        a1[(r173 + 1)] = b1[(r176 + 1)];
        a1[(r173 + 2)] = b1[(r176 + 2)];
        a1[(r173 + 3)] = b1[(r176 + 3)];
        r178 = (int)((uint)r157 + (uint)r78);
        r180 = (int)((uint)r178 + (uint)16);
        a1[(r173 + 576)] = b1[(r176 + 1024)];
        a1[(r173 + 577)] = b1[(r176 + 1025)];
        a1[(r173 + 578)] = b1[(r176 + 1026)];
        a1[(r173 + 579)] = b1[(r176 + 1027)];
      }
      r182 = r151 & 3;
      r184 = (int)((uint)0 * (uint)4);
      r185 = (int)((uint)r184 + (uint)r182);
      r187 = (int)((uint)r185 * (uint)576);
      r189 = (int)((uint)r30 * (uint)36);
      r190 = (int)((uint)r187 + (uint)r189);
      r192 = (int)((uint)0 * (uint)4);
      r193 = (int)((uint)r192 + (uint)r182);
      r195 = (int)((uint)r193 * (uint)1152);
      r197 = (int)((uint)r25 * (uint)4);
      r198 = (int)((uint)r195 + (uint)r197);
      {
        float4 v = vload4(0, a0 + r190);
        r199 = v.s0;
        r200 = v.s1;
        r201 = v.s2;
        r202 = v.s3;
      }
      {
        float4 v = vload4(0, a1 + r198);
        r203 = v.s0;
        r204 = v.s1;
        r205 = v.s2;
        r206 = v.s3;
      }
      {
        float4 v = vload4(0, a1 + (r198 + 36));
        r207 = v.s0;
        r208 = v.s1;
        r209 = v.s2;
        r210 = v.s3;
      }
      r88 = fma(r199, r203, r88);
      r90 = fma(r199, r204, r90);
      r92 = fma(r199, r205, r92);
      r94 = fma(r199, r206, r94);
      {
        float4 v = vload4(0, a1 + (r198 + 72));
        r211 = v.s0;
        r212 = v.s1;
        r213 = v.s2;
        r214 = v.s3;
      }
      r88 = fma(r200, r207, r88);
      r90 = fma(r200, r208, r90);
      r92 = fma(r200, r209, r92);
      r94 = fma(r200, r210, r94);
      {
        float4 v = vload4(0, a1 + (r198 + 108));
        r215 = v.s0;
        r216 = v.s1;
        r217 = v.s2;
        r218 = v.s3;
      }
      r88 = fma(r201, r211, r88);
      r90 = fma(r201, r212, r90);
      r92 = fma(r201, r213, r92);
      r94 = fma(r201, r214, r94);
      {
        float4 v = vload4(0, a0 + (r190 + 4));
        r219 = v.s0;
        r220 = v.s1;
        r221 = v.s2;
        r222 = v.s3;
      }
      {
        float4 v = vload4(0, a1 + (r198 + 144));
        r223 = v.s0;
        r224 = v.s1;
        r225 = v.s2;
        r226 = v.s3;
      }
      r88 = fma(r202, r215, r88);
      r90 = fma(r202, r216, r90);
      r92 = fma(r202, r217, r92);
      r94 = fma(r202, r218, r94);
      {
        float4 v = vload4(0, a1 + (r198 + 180));
        r227 = v.s0;
        r228 = v.s1;
        r229 = v.s2;
        r230 = v.s3;
      }
      r88 = fma(r219, r223, r88);
      r90 = fma(r219, r224, r90);
      r92 = fma(r219, r225, r92);
      r94 = fma(r219, r226, r94);
      {
        float4 v = vload4(0, a1 + (r198 + 216));
        r231 = v.s0;
        r232 = v.s1;
        r233 = v.s2;
        r234 = v.s3;
      }
      r88 = fma(r220, r227, r88);
      r90 = fma(r220, r228, r90);
      r92 = fma(r220, r229, r92);
      r94 = fma(r220, r230, r94);
      {
        float4 v = vload4(0, a1 + (r198 + 252));
        r235 = v.s0;
        r236 = v.s1;
        r237 = v.s2;
        r238 = v.s3;
      }
      r88 = fma(r221, r231, r88);
      r90 = fma(r221, r232, r90);
      r92 = fma(r221, r233, r92);
      r94 = fma(r221, r234, r94);
      {
        float4 v = vload4(0, a0 + (r190 + 8));
        r239 = v.s0;
        r240 = v.s1;
        r241 = v.s2;
        r242 = v.s3;
      }
      {
        float4 v = vload4(0, a1 + (r198 + 288));
        r243 = v.s0;
        r244 = v.s1;
        r245 = v.s2;
        r246 = v.s3;
      }
      r88 = fma(r222, r235, r88);
      r90 = fma(r222, r236, r90);
      r92 = fma(r222, r237, r92);
      r94 = fma(r222, r238, r94);
      {
        float4 v = vload4(0, a1 + (r198 + 324));
        r247 = v.s0;
        r248 = v.s1;
        r249 = v.s2;
        r250 = v.s3;
      }
      r88 = fma(r239, r243, r88);
      r90 = fma(r239, r244, r90);
      r92 = fma(r239, r245, r92);
      r94 = fma(r239, r246, r94);
      {
        float4 v = vload4(0, a1 + (r198 + 360));
        r251 = v.s0;
        r252 = v.s1;
        r253 = v.s2;
        r254 = v.s3;
      }
      r88 = fma(r240, r247, r88);
      r90 = fma(r240, r248, r90);
      r92 = fma(r240, r249, r92);
      r94 = fma(r240, r250, r94);
      {
        float4 v = vload4(0, a1 + (r198 + 396));
        r255 = v.s0;
        r256 = v.s1;
        r257 = v.s2;
        r258 = v.s3;
      }
      r88 = fma(r241, r251, r88);
      r90 = fma(r241, r252, r90);
      r92 = fma(r241, r253, r92);
      r94 = fma(r241, r254, r94);
      {
        float4 v = vload4(0, a0 + (r190 + 12));
        r259 = v.s0;
        r260 = v.s1;
        r261 = v.s2;
        r262 = v.s3;
      }
      {
        float4 v = vload4(0, a1 + (r198 + 432));
        r263 = v.s0;
        r264 = v.s1;
        r265 = v.s2;
        r266 = v.s3;
      }
      r88 = fma(r242, r255, r88);
      r90 = fma(r242, r256, r90);
      r92 = fma(r242, r257, r92);
      r94 = fma(r242, r258, r94);
      {
        float4 v = vload4(0, a1 + (r198 + 468));
        r267 = v.s0;
        r268 = v.s1;
        r269 = v.s2;
        r270 = v.s3;
      }
      r88 = fma(r259, r263, r88);
      r90 = fma(r259, r264, r90);
      r92 = fma(r259, r265, r92);
      r94 = fma(r259, r266, r94);
      {
        float4 v = vload4(0, a1 + (r198 + 504));
        r271 = v.s0;
        r272 = v.s1;
        r273 = v.s2;
        r274 = v.s3;
      }
      r88 = fma(r260, r267, r88);
      r90 = fma(r260, r268, r90);
      r92 = fma(r260, r269, r92);
      r94 = fma(r260, r270, r94);
      {
        float4 v = vload4(0, a1 + (r198 + 540));
        r275 = v.s0;
        r276 = v.s1;
        r277 = v.s2;
        r278 = v.s3;
      }
      r88 = fma(r261, r271, r88);
      r90 = fma(r261, r272, r90);
      r92 = fma(r261, r273, r92);
      r94 = fma(r261, r274, r94);
      {
        float4 v = vload4(0, a0 + (r190 + 16));
        r279 = v.s0;
        r280 = v.s1;
        r281 = v.s2;
        r282 = v.s3;
      }
      {
        float4 v = vload4(0, a1 + (r198 + 576));
        r283 = v.s0;
        r284 = v.s1;
        r285 = v.s2;
        r286 = v.s3;
      }
      r88 = fma(r262, r275, r88);
      r90 = fma(r262, r276, r90);
      r92 = fma(r262, r277, r92);
      r94 = fma(r262, r278, r94);
      {
        float4 v = vload4(0, a1 + (r198 + 612));
        r287 = v.s0;
        r288 = v.s1;
        r289 = v.s2;
        r290 = v.s3;
      }
      r88 = fma(r279, r283, r88);
      r90 = fma(r279, r284, r90);
      r92 = fma(r279, r285, r92);
      r94 = fma(r279, r286, r94);
      {
        float4 v = vload4(0, a1 + (r198 + 648));
        r291 = v.s0;
        r292 = v.s1;
        r293 = v.s2;
        r294 = v.s3;
      }
      r88 = fma(r280, r287, r88);
      r90 = fma(r280, r288, r90);
      r92 = fma(r280, r289, r92);
      r94 = fma(r280, r290, r94);
      {
        float4 v = vload4(0, a1 + (r198 + 684));
        r295 = v.s0;
        r296 = v.s1;
        r297 = v.s2;
        r298 = v.s3;
      }
      r88 = fma(r281, r291, r88);
      r90 = fma(r281, r292, r90);
      r92 = fma(r281, r293, r92);
      r94 = fma(r281, r294, r94);
      {
        float4 v = vload4(0, a0 + (r190 + 20));
        r299 = v.s0;
        r300 = v.s1;
        r301 = v.s2;
        r302 = v.s3;
      }
      {
        float4 v = vload4(0, a1 + (r198 + 720));
        r303 = v.s0;
        r304 = v.s1;
        r305 = v.s2;
        r306 = v.s3;
      }
      r88 = fma(r282, r295, r88);
      r90 = fma(r282, r296, r90);
      r92 = fma(r282, r297, r92);
      r94 = fma(r282, r298, r94);
      {
        float4 v = vload4(0, a1 + (r198 + 756));
        r307 = v.s0;
        r308 = v.s1;
        r309 = v.s2;
        r310 = v.s3;
      }
      r88 = fma(r299, r303, r88);
      r90 = fma(r299, r304, r90);
      r92 = fma(r299, r305, r92);
      r94 = fma(r299, r306, r94);
      {
        float4 v = vload4(0, a1 + (r198 + 792));
        r311 = v.s0;
        r312 = v.s1;
        r313 = v.s2;
        r314 = v.s3;
      }
      r88 = fma(r300, r307, r88);
      r90 = fma(r300, r308, r90);
      r92 = fma(r300, r309, r92);
      r94 = fma(r300, r310, r94);
      {
        float4 v = vload4(0, a1 + (r198 + 828));
        r315 = v.s0;
        r316 = v.s1;
        r317 = v.s2;
        r318 = v.s3;
      }
      r88 = fma(r301, r311, r88);
      r90 = fma(r301, r312, r90);
      r92 = fma(r301, r313, r92);
      r94 = fma(r301, r314, r94);
      {
        float4 v = vload4(0, a0 + (r190 + 24));
        r319 = v.s0;
        r320 = v.s1;
        r321 = v.s2;
        r322 = v.s3;
      }
      {
        float4 v = vload4(0, a1 + (r198 + 864));
        r323 = v.s0;
        r324 = v.s1;
        r325 = v.s2;
        r326 = v.s3;
      }
      r88 = fma(r302, r315, r88);
      r90 = fma(r302, r316, r90);
      r92 = fma(r302, r317, r92);
      r94 = fma(r302, r318, r94);
      {
        float4 v = vload4(0, a1 + (r198 + 900));
        r327 = v.s0;
        r328 = v.s1;
        r329 = v.s2;
        r330 = v.s3;
      }
      r88 = fma(r319, r323, r88);
      r90 = fma(r319, r324, r90);
      r92 = fma(r319, r325, r92);
      r94 = fma(r319, r326, r94);
      {
        float4 v = vload4(0, a1 + (r198 + 936));
        r331 = v.s0;
        r332 = v.s1;
        r333 = v.s2;
        r334 = v.s3;
      }
      r88 = fma(r320, r327, r88);
      r90 = fma(r320, r328, r90);
      r92 = fma(r320, r329, r92);
      r94 = fma(r320, r330, r94);
      {
        float4 v = vload4(0, a1 + (r198 + 972));
        r335 = v.s0;
        r336 = v.s1;
        r337 = v.s2;
        r338 = v.s3;
      }
      r88 = fma(r321, r331, r88);
      r90 = fma(r321, r332, r90);
      r92 = fma(r321, r333, r92);
      r94 = fma(r321, r334, r94);
      {
        float4 v = vload4(0, a0 + (r190 + 28));
        r339 = v.s0;
        r340 = v.s1;
        r341 = v.s2;
        r342 = v.s3;
      }
      {
        float4 v = vload4(0, a1 + (r198 + 1008));
        r343 = v.s0;
        r344 = v.s1;
        r345 = v.s2;
        r346 = v.s3;
      }
      r88 = fma(r322, r335, r88);
      r90 = fma(r322, r336, r90);
      r92 = fma(r322, r337, r92);
      r94 = fma(r322, r338, r94);
      {
        float4 v = vload4(0, a1 + (r198 + 1044));
        r347 = v.s0;
        r348 = v.s1;
        r349 = v.s2;
        r350 = v.s3;
      }
      r88 = fma(r339, r343, r88);
      r90 = fma(r339, r344, r90);
      r92 = fma(r339, r345, r92);
      r94 = fma(r339, r346, r94);
      {
        float4 v = vload4(0, a1 + (r198 + 1080));
        r351 = v.s0;
        r352 = v.s1;
        r353 = v.s2;
        r354 = v.s3;
      }
      r88 = fma(r340, r347, r88);
      r90 = fma(r340, r348, r90);
      r92 = fma(r340, r349, r92);
      r94 = fma(r340, r350, r94);
      {
        float4 v = vload4(0, a1 + (r198 + 1116));
        r355 = v.s0;
        r356 = v.s1;
        r357 = v.s2;
        r358 = v.s3;
      }
      r88 = fma(r341, r351, r88);
      r90 = fma(r341, r352, r90);
      r92 = fma(r341, r353, r92);
      r94 = fma(r341, r354, r94);
      r88 = fma(r342, r355, r88);
      r90 = fma(r342, r356, r90);
      r92 = fma(r342, r357, r92);
      r94 = fma(r342, r358, r94);
    }
    r359 = r89 + r88;
    r89 = r359;
    r360 = r91 + r90;
    r91 = r360;
    r361 = r93 + r92;
    r93 = r361;
    r362 = r95 + r94;
    r95 = r362;
    r88 = as_float(0x00000000u);
    r90 = as_float(0x00000000u);
    r92 = as_float(0x00000000u);
    r94 = as_float(0x00000000u);
    r364 = (int)((uint)r34 * (uint)4096);
    r365 = (int)((uint)r43 + (uint)r30);
    r367 = (int)((uint)r365 * (uint)64);
    r368 = (int)((uint)r364 + (uint)r367);
    r369 = r89 != r89 ? as_float(0x7fc00000u) : r89;
    r370 = r91 != r91 ? as_float(0x7fc00000u) : r91;
    r371 = r93 != r93 ? as_float(0x7fc00000u) : r93;
    r372 = r95 != r95 ? as_float(0x7fc00000u) : r95;
    r374 = (int)((uint)r25 * (uint)4);
    r375 = (int)((uint)r45 + (uint)r374);
    r376 = (int)((uint)r368 + (uint)r375);
    vstore4((float4)(r369, r370, r371, r372), 0, b2 + r376);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
