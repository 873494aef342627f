#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void k0_product(__global const uchar *m0, long o0, __global const uchar *m1, long o1, __global uchar *m2, long o2) {
  __global const double *b0 = (__global const double *)(m0 + o0);
  __global const double *b1 = (__global const double *)(m1 + o1);
  __global double *b2 = (__global double *)(m2 + o2);
  __local double a0[2304];
  __local double a1[2304];
  __local double a2[256];
  uchar r172, r446, r507;
  int r0, r1, r2, r5, r7, r9, r11, r13, r15, r17, r18, r20, r22, r24, r26, r28;
  int r29, r31, r33, r34, r36, r38, r40, r43, r45, r47, r49, r51, r52, r54, r56, r60;
  int r62, r64, r65, r66, r68, r69, r70, r72, r74, r76, r78, r79, r80, r82, r83, r84;
  int r104, r106, r108, r109, r111, r113, r114, r116, r118, r119, r121, r122, r123, r124, r125, r127;
  int r128, r130, r131, r133, r135, r136, r138, r139, r141, r142, r143, r144, r146, r147, r149, r150;
  int r152, r153, r155, r156, r158, r159, r161, r162, r164, r168, r170, r174, r176, r178, r179, r181;
  int r183, r184, r186, r188, r189, r191, r192, r193, r194, r195, r197, r198, r200, r201, r203, r205;
  int r206, r208, r209, r211, r212, r213, r214, r216, r217, r219, r220, r222, r223, r225, r226, r228;
  int r229, r231, r232, r234, r236, r238, r239, r241, r243, r244, r246, r247, r249, r251, r252, r448;
  int r450, r451, r461, r463, r465, r467, r469, r471, r473, r477, r481, r485, r489, r493, r497, r501;
  int r505, r509, r510, r512, r513, r519, r520, r521, r523, r524, r526, r527, r529, r531, r532, r538;
  int r539, r540, r542, r543;
  double r86, r87, r88, r89, r90, r91, r92, r93, r94, r95, r96, r97, r98, r99, r100, r101;
  double r253, r254, r255, r256, r257, r258, r259, r260, r261, r262, r263, r264, r265, r266, r267, r268;
  double r269, r270, r271, r272, r273, r274, r275, r276, r277, r278, r279, r280, r281, r282, r283, r284;
  double r285, r286, r287, r288, r289, r290, r291, r292, r293, r294, r295, r296, r297, r298, r299, r300;
  double r301, r302, r303, r304, r305, r306, r307, r308, r309, r310, r311, r312, r313, r314, r315, r316;
  double r317, r318, r319, r320, r321, r322, r323, r324, r325, r326, r327, r328, r329, r330, r331, r332;
  double r333, r334, r335, r336, r337, r338, r339, r340, r341, r342, r343, r344, r345, r346, r347, r348;
  double r349, r350, r351, r352, r353, r354, r355, r356, r357, r358, r359, r360, r361, r362, r363, r364;
  double r365, r366, r367, r368, r369, r370, r371, r372, r373, r374, r375, r376, r377, r378, r379, r380;
  double r381, r382, r383, r384, r385, r386, r387, r388, r389, r390, r391, r392, r393, r394, r395, r396;
  double r397, r398, r399, r400, r401, r402, r403, r404, r405, r406, r407, r408, r409, r410, r411, r412;
  double r413, r414, r415, r416, r417, r418, r419, r420, r421, r422, r423, r424, r425, r426, r427, r428;
  double r429, r430, r431, r432, r433, r434, r435, r436, r437, r438, r439, r440, r441, r442, r443, r444;
  double r452, r453, r454, r455, r456, r457, r458, r459, r474, r475, r478, r479, r482, r483, r486, r487;
  double r490, r491, r494, r495, r498, r499, r502, r503, r514, r515, r516, r517, r533, r534, r535, r536;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  r5 = r0 & 31;
  r7 = (int)(r0 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
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
  for (r36 = r1; r36 < 256; r36 += r2) {
    r38 = (int)(r36 >> ((uint)8 < 32 ? (uint)8 : (uint)31));
    r40 = r36 & 255;
    r43 = (int)(r40 >> ((uint)7 < 32 ? (uint)7 : (uint)31));
    r45 = r40 & 127;
    r47 = (int)(r45 >> ((uint)3 < 32 ? (uint)3 : (uint)31));
    r49 = r45 & 7;
    r51 = (int)((uint)r43 * (uint)8);
    r52 = (int)((uint)r51 + (uint)r49);
    r54 = (int)((uint)r52 * (uint)16);
    r56 = (int)((uint)r47 * (uint)16);
    r60 = r5 & 7;
    r62 = (int)(r5 >> ((uint)3 < 32 ? (uint)3 : (uint)31));
    r64 = (int)((uint)r60 * (uint)18);
    r65 = (int)((uint)r64 + (uint)r62);
    r66 = (int)((uint)r54 + (uint)r62);
    r68 = (int)((uint)r66 * (uint)256);
    r69 = (int)((uint)r68 + (uint)r60);
    r70 = (int)((uint)0 + (uint)r69);
    r72 = r5 & 7;
    r74 = (int)((uint)r72 * (uint)2);
    r76 = (int)(r5 >> ((uint)3 < 32 ? (uint)3 : (uint)31));
    r78 = (int)((uint)r76 * (uint)18);
    r79 = (int)((uint)r78 + (uint)r74);
    r80 = (int)((uint)r56 + (uint)r74);
    r82 = (int)((uint)r76 * (uint)256);
    r83 = (int)((uint)r80 + (uint)r82);
    r84 = (int)((uint)0 + (uint)r83);
    r86 = as_double(0x0000000000000000ul);
    r87 = as_double(0x0000000000000000ul);
    r88 = as_double(0x0000000000000000ul);
    r89 = as_double(0x0000000000000000ul);
    r90 = as_double(0x0000000000000000ul);
    r91 = as_double(0x0000000000000000ul);
    r92 = as_double(0x0000000000000000ul);
    r93 = as_double(0x0000000000000000ul);
    r94 = as_double(0x0000000000000000ul);
    r95 = as_double(0x0000000000000000ul);
    r96 = as_double(0x0000000000000000ul);
    r97 = as_double(0x0000000000000000ul);
    r98 = as_double(0x0000000000000000ul);
    r99 = as_double(0x0000000000000000ul);
    r100 = as_double(0x0000000000000000ul);
    r101 = as_double(0x0000000000000000ul);
    r104 = (int)(0 >> ((uint)2 < 32 ? (uint)2 : (uint)31));
    r106 = (int)((uint)r104 * (uint)256);
    r108 = (int)((uint)r7 * (uint)128);
    r109 = (int)((uint)r106 + (uint)r108);
    r111 = 0 & 3;
    r113 = (int)((uint)r111 * (uint)32);
    r114 = (int)((uint)r109 + (uint)r113);
    r116 = 0 & 1;
    r118 = (int)((uint)r7 * (uint)2);
    r119 = (int)((uint)r118 + (uint)r116);
    r121 = (int)((uint)r119 * (uint)576);
    r122 = (int)((uint)r121 + (uint)r65);
    r123 = (int)((uint)r114 + (uint)r70);
    r124 = (int)((uint)r114 + (uint)r60);
    a0[r122] = b0[r123];
    a0[(r122 + 4)] = b0[(r123 + 1024)];
    a0[(r122 + 8)] = b0[(r123 + 2048)];
    a0[(r122 + 12)] = b0[(r123 + 3072)];
    r125 = (int)((uint)r114 + (uint)r60);
    r127 = (int)((uint)r125 + (uint)8);
    a0[(r122 + 144)] = b0[(r123 + 8)];
    a0[(r122 + 148)] = b0[(r123 + 1032)];
    a0[(r122 + 152)] = b0[(r123 + 2056)];
    a0[(r122 + 156)] = b0[(r123 + 3080)];
    r128 = (int)((uint)r114 + (uint)r60);
    r130 = (int)((uint)r128 + (uint)16);
    a0[(r122 + 288)] = b0[(r123 + 16)];
    a0[(r122 + 292)] = b0[(r123 + 1040)];
    a0[(r122 + 296)] = b0[(r123 + 2064)];
    a0[(r122 + 300)] = b0[(r123 + 3088)];
    r131 = (int)((uint)r114 + (uint)r60);
    r133 = (int)((uint)r131 + (uint)24);
    a0[(r122 + 432)] = b0[(r123 + 24)];
    a0[(r122 + 436)] = b0[(r123 + 1048)];
    a0[(r122 + 440)] = b0[(r123 + 2072)];
    a0[(r122 + 444)] = b0[(r123 + 3096)];
    r135 = (int)((uint)r7 * (uint)2);
    r136 = (int)((uint)r135 + (uint)r116);
    r138 = (int)((uint)r136 * (uint)576);
    r139 = (int)((uint)r138 + (uint)r79);
    r141 = (int)((uint)r114 * (uint)256);
    r142 = (int)((uint)r141 + (uint)r84);
    r143 = (int)((uint)r114 + (uint)r76);
    a1[r139] = b1[r142];
    a1[(r139 + 1)] = b1[(r142 + 1)];
    r144 = (int)((uint)r114 + (uint)r76);
    r146 = (int)((uint)r144 + (uint)4);
    a1[(r139 + 72)] = b1[(r142 + 1024)];
    a1[(r139 + 73)] = b1[(r142 + 1025)];
    r147 = (int)((uint)r114 + (uint)r76);
    r149 = (int)((uint)r147 + (uint)8);
    a1[(r139 + 144)] = b1[(r142 + 2048)];
    a1[(r139 + 145)] = b1[(r142 + 2049)];
    r150 = (int)((uint)r114 + (uint)r76);
    r152 = (int)((uint)r150 + (uint)12);
    a1[(r139 + 216)] = b1[(r142 + 3072)];
    a1[(r139 + 217)] = b1[(r142 + 3073)];
    r153 = (int)((uint)r114 + (uint)r76);
    r155 = (int)((uint)r153 + (uint)16);
    a1[(r139 + 288)] = b1[(r142 + 4096)];
    a1[(r139 + 289)] = b1[(r142 + 4097)];
    r156 = (int)((uint)r114 + (uint)r76);
    r158 = (int)((uint)r156 + (uint)20);
    a1[(r139 + 360)] = b1[(r142 + 5120)];
    a1[(r139 + 361)] = b1[(r142 + 5121)];
    r159 = (int)((uint)r114 + (uint)r76);
    r161 = (int)((uint)r159 + (uint)24);
    a1[(r139 + 432)] = b1[(r142 + 6144)];
    a1[(r139 + 433)] = b1[(r142 + 6145)];
    r162 = (int)((uint)r114 + (uint)r76);
    r164 = (int)((uint)r162 + (uint)28);
    a1[(r139 + 504)] = b1[(r142 + 7168)];
    a1[(r139 + 505)] = b1[(r142 + 7169)];
    #pragma clang loop vectorize(disable)
    for (r168 = 0; r168 < 4; r168 += 1) {
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r170 = (int)((uint)r168 + (uint)1);
      r172 = (uchar)(r170 < 4);
      if (r172) {
        r174 = (int)(r170 >> ((uint)2 < 32 ? (uint)2 : (uint)31));
        r176 = (int)((uint)r174 * (uint)256);
        r178 = (int)((uint)r7 * (uint)128);
        r179 = (int)((uint)r176 + (uint)r178);
        r181 = r170 & 3;
        r183 = (int)((uint)r181 * (uint)32);
        r184 = (int)((uint)r179 + (uint)r183);
        r186 = r170 & 1;
        r188 = (int)((uint)r7 * (uint)2);
        r189 = (int)((uint)r188 + (uint)r186);
        r191 = (int)((uint)r189 * (uint)576);
        r192 = (int)((uint)r191 + (uint)r65);
        r193 = (int)((uint)r184 + (uint)r70);
        r194 = (int)((uint)r184 + (uint)r60);
        a0[r192] = b0[r193];
        a0[(r192 + 4)] = b0[(r193 + 1024)];
        a0[(r192 + 8)] = b0[(r193 + 2048)];
        a0[(r192 + 12)] = b0[(r193 + 3072)];
        r195 = (int)((uint)r184 + (uint)r60);
        r197 = (int)((uint)r195 + (uint)8);
        a0[(r192 + 144)] = b0[(r193 + 8)];
        a0[(r192 + 148)] = b0[(r193 + 1032)];
        a0[(r192 + 152)] = b0[(r193 + 2056)];
        a0[(r192 + 156)] = b0[(r193 + 3080)];
        r198 = (int)((uint)r184 + (uint)r60);
        r200 = (int)((uint)r198 + (uint)16);
        a0[(r192 + 288)] = b0[(r193 + 16)];
        a0[(r192 + 292)] = b0[(r193 + 1040)];
        a0[(r192 + 296)] = b0[(r193 + 2064)];
        a0[(r192 + 300)] = b0[(r193 + 3088)];
        r201 = (int)((uint)r184 + (uint)r60);
        r203 = (int)((uint)r201 + (uint)24);
        a0[(r192 + 432)] = b0[(r193 + 24)];
        a0[(r192 + 436)] = b0[(r193 + 1048)];
        a0[(r192 + 440)] = b0[(r193 + 2072)];
        a0[(r192 + 444)] = b0[(r193 + 3096)];
        r205 = (int)((uint)r7 * (uint)2);
        r206 = (int)((uint)r205 + (uint)r186);
        r208 = (int)((uint)r206 * (uint)576);
        r209 = (int)((uint)r208 + (uint)r79);
        r211 = (int)((uint)r184 * (uint)256);
        r212 = (int)((uint)r211 + (uint)r84);
        r213 = (int)((uint)r184 + (uint)r76);
        a1[r209] = b1[r212];
        a1[(r209 + 1)] = b1[(r212 + 1)];
        r214 = (int)((uint)r184 + (uint)r76);
        r216 = (int)((uint)r214 + (uint)4);
        a1[(r209 + 72)] = b1[(r212 + 1024)];
        a1[(r209 + 73)] = b1[(r212 + 1025)];
        r217 = (int)((uint)r184 + (uint)r76);
        r219 = (int)((uint)r217 + (uint)8);
        a1[(r209 + 144)] = b1[(r212 + 2048)];
        a1[(r209 + 145)] = b1[(r212 + 2049)];
        r220 = (int)((uint)r184 + (uint)r76);
        r222 = (int)((uint)r220 + (uint)12);
        a1[(r209 + 216)] = b1[(r212 + 3072)];
        a1[(r209 + 217)] = b1[(r212 + 3073)];
        r223 = (int)((uint)r184 + (uint)r76);
        r225 = (int)((uint)r223 + (uint)16);
        a1[(r209 + 288)] = b1[(r212 + 4096)];
        a1[(r209 + 289)] = b1[(r212 + 4097)];
        r226 = (int)((uint)r184 + (uint)r76);
        r228 = (int)((uint)r226 + (uint)20);
        a1[(r209 + 360)] = b1[(r212 + 5120)];
        a1[(r209 + 361)] = b1[(r212 + 5121)];
        r229 = (int)((uint)r184 + (uint)r76);
        r231 = (int)((uint)r229 + (uint)24);
        a1[(r209 + 432)] = b1[(r212 + 6144)];
        a1[(r209 + 433)] = b1[(r212 + 6145)];
        r232 = (int)((uint)r184 + (uint)r76);
        r234 = (int)((uint)r232 + (uint)28);
        a1[(r209 + 504)] = b1[(r212 + 7168)];
        a1[(r209 + 505)] = b1[(r212 + 7169)];
      }
      r236 = r168 & 1;
      r238 = (int)((uint)r7 * (uint)2);
      r239 = (int)((uint)r238 + (uint)r236);
      r241 = (int)((uint)r239 * (uint)576);
      r243 = (int)((uint)r34 * (uint)2);
      r244 = (int)((uint)r241 + (uint)r243);
      r246 = (int)((uint)r7 * (uint)2);
      r247 = (int)((uint)r246 + (uint)r236);
      r249 = (int)((uint)r247 * (uint)576);
      r251 = (int)((uint)r29 * (uint)2);
      r252 = (int)((uint)r249 + (uint)r251);
      {
        double2 v = vload2(0, a0 + r244);
        r253 = v.s0;
        r254 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + r252);
        r255 = v.s0;
        r256 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 8));
        r257 = v.s0;
        r258 = v.s1;
      }
      {
        double2 v = vload2(0, a0 + (r244 + 18));
        r259 = v.s0;
        r260 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 18));
        r261 = v.s0;
        r262 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 26));
        r263 = v.s0;
        r264 = v.s1;
      }
      r86 = fma(r253, r255, r86);
      r88 = fma(r253, r256, r88);
      r90 = fma(r253, r257, r90);
      r92 = fma(r253, r258, r92);
      r94 = fma(r254, r255, r94);
      r96 = fma(r254, r256, r96);
      r98 = fma(r254, r257, r98);
      r100 = fma(r254, r258, r100);
      {
        double2 v = vload2(0, a0 + (r244 + 36));
        r265 = v.s0;
        r266 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 36));
        r267 = v.s0;
        r268 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 44));
        r269 = v.s0;
        r270 = v.s1;
      }
      r86 = fma(r259, r261, r86);
      r88 = fma(r259, r262, r88);
      r90 = fma(r259, r263, r90);
      r92 = fma(r259, r264, r92);
      r94 = fma(r260, r261, r94);
      r96 = fma(r260, r262, r96);
      r98 = fma(r260, r263, r98);
      r100 = fma(r260, r264, r100);
      {
        double2 v = vload2(0, a0 + (r244 + 54));
        r271 = v.s0;
        r272 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 54));
        r273 = v.s0;
        r274 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 62));
        r275 = v.s0;
        r276 = v.s1;
      }
      r86 = fma(r265, r267, r86);
      r88 = fma(r265, r268, r88);
      r90 = fma(r265, r269, r90);
      r92 = fma(r265, r270, r92);
      r94 = fma(r266, r267, r94);
      r96 = fma(r266, r268, r96);
      r98 = fma(r266, r269, r98);
      r100 = fma(r266, r270, r100);
      {
        double2 v = vload2(0, a0 + (r244 + 72));
        r277 = v.s0;
        r278 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 72));
        r279 = v.s0;
        r280 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 80));
        r281 = v.s0;
        r282 = v.s1;
      }
      r86 = fma(r271, r273, r86);
      r88 = fma(r271, r274, r88);
      r90 = fma(r271, r275, r90);
      r92 = fma(r271, r276, r92);
      r94 = fma(r272, r273, r94);
      r96 = fma(r272, r274, r96);
      r98 = fma(r272, r275, r98);
      r100 = fma(r272, r276, r100);
      {
        double2 v = vload2(0, a0 + (r244 + 90));
        r283 = v.s0;
        r284 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 90));
        r285 = v.s0;
        r286 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 98));
        r287 = v.s0;
        r288 = v.s1;
      }
      r86 = fma(r277, r279, r86);
      r88 = fma(r277, r280, r88);
      r90 = fma(r277, r281, r90);
      r92 = fma(r277, r282, r92);
      r94 = fma(r278, r279, r94);
      r96 = fma(r278, r280, r96);
      r98 = fma(r278, r281, r98);
      r100 = fma(r278, r282, r100);
      {
        double2 v = vload2(0, a0 + (r244 + 108));
        r289 = v.s0;
        r290 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 108));
        r291 = v.s0;
        r292 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 116));
        r293 = v.s0;
        r294 = v.s1;
      }
      r86 = fma(r283, r285, r86);
      r88 = fma(r283, r286, r88);
      r90 = fma(r283, r287, r90);
      r92 = fma(r283, r288, r92);
      r94 = fma(r284, r285, r94);
      r96 = fma(r284, r286, r96);
      r98 = fma(r284, r287, r98);
      r100 = fma(r284, r288, r100);
      {
        double2 v = vload2(0, a0 + (r244 + 126));
        r295 = v.s0;
        r296 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 126));
        r297 = v.s0;
        r298 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 134));
        r299 = v.s0;
        r300 = v.s1;
      }
      r86 = fma(r289, r291, r86);
      r88 = fma(r289, r292, r88);
      r90 = fma(r289, r293, r90);
      r92 = fma(r289, r294, r92);
      r94 = fma(r290, r291, r94);
      r96 = fma(r290, r292, r96);
      r98 = fma(r290, r293, r98);
      r100 = fma(r290, r294, r100);
      {
        double2 v = vload2(0, a0 + (r244 + 144));
        r301 = v.s0;
        r302 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 144));
        r303 = v.s0;
        r304 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 152));
        r305 = v.s0;
        r306 = v.s1;
      }
      r86 = fma(r295, r297, r86);
      r88 = fma(r295, r298, r88);
      r90 = fma(r295, r299, r90);
      r92 = fma(r295, r300, r92);
      r94 = fma(r296, r297, r94);
      r96 = fma(r296, r298, r96);
      r98 = fma(r296, r299, r98);
      r100 = fma(r296, r300, r100);
      {
        double2 v = vload2(0, a0 + (r244 + 162));
        r307 = v.s0;
        r308 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 162));
        r309 = v.s0;
        r310 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 170));
        r311 = v.s0;
        r312 = v.s1;
      }
      r86 = fma(r301, r303, r86);
      r88 = fma(r301, r304, r88);
      r90 = fma(r301, r305, r90);
      r92 = fma(r301, r306, r92);
      r94 = fma(r302, r303, r94);
      r96 = fma(r302, r304, r96);
      r98 = fma(r302, r305, r98);
      r100 = fma(r302, r306, r100);
      {
        double2 v = vload2(0, a0 + (r244 + 180));
        r313 = v.s0;
        r314 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 180));
        r315 = v.s0;
        r316 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 188));
        r317 = v.s0;
        r318 = v.s1;
      }
      r86 = fma(r307, r309, r86);
      r88 = fma(r307, r310, r88);
      r90 = fma(r307, r311, r90);
      r92 = fma(r307, r312, r92);
      r94 = fma(r308, r309, r94);
      r96 = fma(r308, r310, r96);
      r98 = fma(r308, r311, r98);
      r100 = fma(r308, r312, r100);
      {
        double2 v = vload2(0, a0 + (r244 + 198));
        r319 = v.s0;
        r320 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 198));
        r321 = v.s0;
        r322 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 206));
        r323 = v.s0;
        r324 = v.s1;
      }
      r86 = fma(r313, r315, r86);
      r88 = fma(r313, r316, r88);
      r90 = fma(r313, r317, r90);
      r92 = fma(r313, r318, r92);
      r94 = fma(r314, r315, r94);
      r96 = fma(r314, r316, r96);
      r98 = fma(r314, r317, r98);
      r100 = fma(r314, r318, r100);
      {
        double2 v = vload2(0, a0 + (r244 + 216));
        r325 = v.s0;
        r326 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 216));
        r327 = v.s0;
        r328 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 224));
        r329 = v.s0;
        r330 = v.s1;
      }
      r86 = fma(r319, r321, r86);
      r88 = fma(r319, r322, r88);
      r90 = fma(r319, r323, r90);
      r92 = fma(r319, r324, r92);
      r94 = fma(r320, r321, r94);
      r96 = fma(r320, r322, r96);
      r98 = fma(r320, r323, r98);
      r100 = fma(r320, r324, r100);
      {
        double2 v = vload2(0, a0 + (r244 + 234));
        r331 = v.s0;
        r332 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 234));
        r333 = v.s0;
        r334 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 242));
        r335 = v.s0;
        r336 = v.s1;
      }
      r86 = fma(r325, r327, r86);
      r88 = fma(r325, r328, r88);
      r90 = fma(r325, r329, r90);
      r92 = fma(r325, r330, r92);
      r94 = fma(r326, r327, r94);
      r96 = fma(r326, r328, r96);
      r98 = fma(r326, r329, r98);
      r100 = fma(r326, r330, r100);
      {
        double2 v = vload2(0, a0 + (r244 + 252));
        r337 = v.s0;
        r338 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 252));
        r339 = v.s0;
        r340 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 260));
        r341 = v.s0;
        r342 = v.s1;
      }
      r86 = fma(r331, r333, r86);
      r88 = fma(r331, r334, r88);
      r90 = fma(r331, r335, r90);
      r92 = fma(r331, r336, r92);
      r94 = fma(r332, r333, r94);
      r96 = fma(r332, r334, r96);
      r98 = fma(r332, r335, r98);
      r100 = fma(r332, r336, r100);
      {
        double2 v = vload2(0, a0 + (r244 + 270));
        r343 = v.s0;
        r344 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 270));
        r345 = v.s0;
        r346 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 278));
        r347 = v.s0;
        r348 = v.s1;
      }
      r86 = fma(r337, r339, r86);
      r88 = fma(r337, r340, r88);
      r90 = fma(r337, r341, r90);
      r92 = fma(r337, r342, r92);
      r94 = fma(r338, r339, r94);
      r96 = fma(r338, r340, r96);
      r98 = fma(r338, r341, r98);
      r100 = fma(r338, r342, r100);
      {
        double2 v = vload2(0, a0 + (r244 + 288));
        r349 = v.s0;
        r350 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 288));
        r351 = v.s0;
        r352 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 296));
        r353 = v.s0;
        r354 = v.s1;
      }
      r86 = fma(r343, r345, r86);
      r88 = fma(r343, r346, r88);
      r90 = fma(r343, r347, r90);
      r92 = fma(r343, r348, r92);
      r94 = fma(r344, r345, r94);
      r96 = fma(r344, r346, r96);
      r98 = fma(r344, r347, r98);
      r100 = fma(r344, r348, r100);
      {
        double2 v = vload2(0, a0 + (r244 + 306));
        r355 = v.s0;
        r356 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 306));
        r357 = v.s0;
        r358 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 314));
        r359 = v.s0;
        r360 = v.s1;
      }
      r86 = fma(r349, r351, r86);
      r88 = fma(r349, r352, r88);
      r90 = fma(r349, r353, r90);
      r92 = fma(r349, r354, r92);
      r94 = fma(r350, r351, r94);
      r96 = fma(r350, r352, r96);
      r98 = fma(r350, r353, r98);
      r100 = fma(r350, r354, r100);
      {
        double2 v = vload2(0, a0 + (r244 + 324));
        r361 = v.s0;
        r362 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 324));
        r363 = v.s0;
        r364 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 332));
        r365 = v.s0;
        r366 = v.s1;
      }
      r86 = fma(r355, r357, r86);
      r88 = fma(r355, r358, r88);
      r90 = fma(r355, r359, r90);
      r92 = fma(r355, r360, r92);
      r94 = fma(r356, r357, r94);
      r96 = fma(r356, r358, r96);
      r98 = fma(r356, r359, r98);
      r100 = fma(r356, r360, r100);
      {
        double2 v = vload2(0, a0 + (r244 + 342));
        r367 = v.s0;
        r368 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 342));
        r369 = v.s0;
        r370 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 350));
        r371 = v.s0;
        r372 = v.s1;
      }
      r86 = fma(r361, r363, r86);
      r88 = fma(r361, r364, r88);
      r90 = fma(r361, r365, r90);
      r92 = fma(r361, r366, r92);
      r94 = fma(r362, r363, r94);
      r96 = fma(r362, r364, r96);
      r98 = fma(r362, r365, r98);
      r100 = fma(r362, r366, r100);
      {
        double2 v = vload2(0, a0 + (r244 + 360));
        r373 = v.s0;
        r374 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 360));
        r375 = v.s0;
        r376 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 368));
        r377 = v.s0;
        r378 = v.s1;
      }
      r86 = fma(r367, r369, r86);
      r88 = fma(r367, r370, r88);
      r90 = fma(r367, r371, r90);
      r92 = fma(r367, r372, r92);
      r94 = fma(r368, r369, r94);
      r96 = fma(r368, r370, r96);
      r98 = fma(r368, r371, r98);
      r100 = fma(r368, r372, r100);
      {
        double2 v = vload2(0, a0 + (r244 + 378));
        r379 = v.s0;
        r380 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 378));
        r381 = v.s0;
        r382 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 386));
        r383 = v.s0;
        r384 = v.s1;
      }
      r86 = fma(r373, r375, r86);
      r88 = fma(r373, r376, r88);
      r90 = fma(r373, r377, r90);
      r92 = fma(r373, r378, r92);
      r94 = fma(r374, r375, r94);
      r96 = fma(r374, r376, r96);
      r98 = fma(r374, r377, r98);
      r100 = fma(r374, r378, r100);
      {
        double2 v = vload2(0, a0 + (r244 + 396));
        r385 = v.s0;
        r386 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 396));
        r387 = v.s0;
        r388 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 404));
        r389 = v.s0;
        r390 = v.s1;
      }
      r86 = fma(r379, r381, r86);
      r88 = fma(r379, r382, r88);
      r90 = fma(r379, r383, r90);
      r92 = fma(r379, r384, r92);
      r94 = fma(r380, r381, r94);
      r96 = fma(r380, r382, r96);
      r98 = fma(r380, r383, r98);
      r100 = fma(r380, r384, r100);
      {
        double2 v = vload2(0, a0 + (r244 + 414));
        r391 = v.s0;
        r392 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 414));
        r393 = v.s0;
        r394 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 422));
        r395 = v.s0;
        r396 = v.s1;
      }
      r86 = fma(r385, r387, r86);
      r88 = fma(r385, r388, r88);
      r90 = fma(r385, r389, r90);
      r92 = fma(r385, r390, r92);
      r94 = fma(r386, r387, r94);
      r96 = fma(r386, r388, r96);
      r98 = fma(r386, r389, r98);
      r100 = fma(r386, r390, r100);
      {
        double2 v = vload2(0, a0 + (r244 + 432));
        r397 = v.s0;
        r398 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 432));
        r399 = v.s0;
        r400 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 440));
        r401 = v.s0;
        r402 = v.s1;
      }
      r86 = fma(r391, r393, r86);
      r88 = fma(r391, r394, r88);
      r90 = fma(r391, r395, r90);
      r92 = fma(r391, r396, r92);
      r94 = fma(r392, r393, r94);
      r96 = fma(r392, r394, r96);
      r98 = fma(r392, r395, r98);
      r100 = fma(r392, r396, r100);
      {
        double2 v = vload2(0, a0 + (r244 + 450));
        r403 = v.s0;
        r404 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 450));
        r405 = v.s0;
        r406 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 458));
        r407 = v.s0;
        r408 = v.s1;
      }
      r86 = fma(r397, r399, r86);
      r88 = fma(r397, r400, r88);
      r90 = fma(r397, r401, r90);
      r92 = fma(r397, r402, r92);
      r94 = fma(r398, r399, r94);
      r96 = fma(r398, r400, r96);
      r98 = fma(r398, r401, r98);
      r100 = fma(r398, r402, r100);
      {
        double2 v = vload2(0, a0 + (r244 + 468));
        r409 = v.s0;
        r410 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 468));
        r411 = v.s0;
        r412 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 476));
        r413 = v.s0;
        r414 = v.s1;
      }
      r86 = fma(r403, r405, r86);
      r88 = fma(r403, r406, r88);
      r90 = fma(r403, r407, r90);
      r92 = fma(r403, r408, r92);
      r94 = fma(r404, r405, r94);
      r96 = fma(r404, r406, r96);
      r98 = fma(r404, r407, r98);
      r100 = fma(r404, r408, r100);
      {
        double2 v = vload2(0, a0 + (r244 + 486));
        r415 = v.s0;
        r416 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 486));
        r417 = v.s0;
        r418 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 494));
        r419 = v.s0;
        r420 = v.s1;
      }
      r86 = fma(r409, r411, r86);
      r88 = fma(r409, r412, r88);
      r90 = fma(r409, r413, r90);
      r92 = fma(r409, r414, r92);
      r94 = fma(r410, r411, r94);
      r96 = fma(r410, r412, r96);
      r98 = fma(r410, r413, r98);
      r100 = fma(r410, r414, r100);
      {
        double2 v = vload2(0, a0 + (r244 + 504));
        r421 = v.s0;
        r422 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 504));
        r423 = v.s0;
        r424 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 512));
        r425 = v.s0;
        r426 = v.s1;
      }
      r86 = fma(r415, r417, r86);
      r88 = fma(r415, r418, r88);
      r90 = fma(r415, r419, r90);
      r92 = fma(r415, r420, r92);
      r94 = fma(r416, r417, r94);
      r96 = fma(r416, r418, r96);
      r98 = fma(r416, r419, r98);
      r100 = fma(r416, r420, r100);
      {
        double2 v = vload2(0, a0 + (r244 + 522));
        r427 = v.s0;
        r428 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 522));
        r429 = v.s0;
        r430 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 530));
        r431 = v.s0;
        r432 = v.s1;
      }
      r86 = fma(r421, r423, r86);
      r88 = fma(r421, r424, r88);
      r90 = fma(r421, r425, r90);
      r92 = fma(r421, r426, r92);
      r94 = fma(r422, r423, r94);
      r96 = fma(r422, r424, r96);
      r98 = fma(r422, r425, r98);
      r100 = fma(r422, r426, r100);
      {
        double2 v = vload2(0, a0 + (r244 + 540));
        r433 = v.s0;
        r434 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 540));
        r435 = v.s0;
        r436 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 548));
        r437 = v.s0;
        r438 = v.s1;
      }
      r86 = fma(r427, r429, r86);
      r88 = fma(r427, r430, r88);
      r90 = fma(r427, r431, r90);
      r92 = fma(r427, r432, r92);
      r94 = fma(r428, r429, r94);
      r96 = fma(r428, r430, r96);
      r98 = fma(r428, r431, r98);
      r100 = fma(r428, r432, r100);
      {
        double2 v = vload2(0, a0 + (r244 + 558));
        r439 = v.s0;
        r440 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 558));
        r441 = v.s0;
        r442 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (r252 + 566));
        r443 = v.s0;
        r444 = v.s1;
      }
      r86 = fma(r433, r435, r86);
      r88 = fma(r433, r436, r88);
      r90 = fma(r433, r437, r90);
      r92 = fma(r433, r438, r92);
      r94 = fma(r434, r435, r94);
      r96 = fma(r434, r436, r96);
      r98 = fma(r434, r437, r98);
      r100 = fma(r434, r438, r100);
      r86 = fma(r439, r441, r86);
      r88 = fma(r439, r442, r88);
      r90 = fma(r439, r443, r90);
      r92 = fma(r439, r444, r92);
      r94 = fma(r440, r441, r94);
      r96 = fma(r440, r442, r96);
      r98 = fma(r440, r443, r98);
      r100 = fma(r440, r444, r100);
    }
    r446 = (uchar)(r7 == 0);
    r448 = (int)((uint)r7 + (uint)((int)0xffffffffu));
    r450 = (int)((uint)r448 * (uint)256);
    r451 = (int)((uint)r450 + (uint)r5);
    if (r446) {
      r452 = r87 + r86;
      r87 = r452;
      r453 = r89 + r88;
      r89 = r453;
      r454 = r91 + r90;
      r91 = r454;
      r455 = r93 + r92;
      r93 = r455;
      r456 = r95 + r94;
      r95 = r456;
      r457 = r97 + r96;
      r97 = r457;
      r458 = r99 + r98;
      r99 = r458;
      r459 = r101 + r100;
      r101 = r459;
    } else {
      a2[r451] = r86;
      r461 = (int)((uint)r451 + (uint)32);
      a2[r461] = r88;
      r463 = (int)((uint)r451 + (uint)64);
      a2[r463] = r90;
      r465 = (int)((uint)r451 + (uint)96);
      a2[r465] = r92;
      r467 = (int)((uint)r451 + (uint)128);
      a2[r467] = r94;
      r469 = (int)((uint)r451 + (uint)160);
      a2[r469] = r96;
      r471 = (int)((uint)r451 + (uint)192);
      a2[r471] = r98;
      r473 = (int)((uint)r451 + (uint)224);
      a2[r473] = r100;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (r446) {
      r474 = a2[r5];
      r475 = r87 + r474;
      r87 = r475;
      r477 = (int)((uint)r5 + (uint)32);
      r478 = a2[r477];
      r479 = r89 + r478;
      r89 = r479;
      r481 = (int)((uint)r5 + (uint)64);
      r482 = a2[r481];
      r483 = r91 + r482;
      r91 = r483;
      r485 = (int)((uint)r5 + (uint)96);
      r486 = a2[r485];
      r487 = r93 + r486;
      r93 = r487;
      r489 = (int)((uint)r5 + (uint)128);
      r490 = a2[r489];
      r491 = r95 + r490;
      r95 = r491;
      r493 = (int)((uint)r5 + (uint)160);
      r494 = a2[r493];
      r495 = r97 + r494;
      r97 = r495;
      r497 = (int)((uint)r5 + (uint)192);
      r498 = a2[r497];
      r499 = r99 + r498;
      r99 = r499;
      r501 = (int)((uint)r5 + (uint)224);
      r502 = a2[r501];
      r503 = r101 + r502;
      r101 = r503;
    }
    r86 = as_double(0x0000000000000000ul);
    r88 = as_double(0x0000000000000000ul);
    r90 = as_double(0x0000000000000000ul);
    r92 = as_double(0x0000000000000000ul);
    r94 = as_double(0x0000000000000000ul);
    r96 = as_double(0x0000000000000000ul);
    r98 = as_double(0x0000000000000000ul);
    r100 = as_double(0x0000000000000000ul);
    r505 = (int)((uint)r38 * (uint)65536);
    r507 = (uchar)(r7 == 0);
    if (r507) {
      r509 = (int)((uint)r34 * (uint)2);
      r510 = (int)((uint)r54 + (uint)r509);
      r512 = (int)((uint)r510 * (uint)256);
      r513 = (int)((uint)r505 + (uint)r512);
      r514 = r87 != r87 ? as_double(0x7ff8000000000000ul) : r87;
      r515 = r89 != r89 ? as_double(0x7ff8000000000000ul) : r89;
      r516 = r91 != r91 ? as_double(0x7ff8000000000000ul) : r91;
      r517 = r93 != r93 ? as_double(0x7ff8000000000000ul) : r93;
      r519 = (int)((uint)r29 * (uint)2);
      r520 = (int)((uint)r56 + (uint)r519);
      r521 = (int)((uint)r513 + (uint)r520);
      vstore2((double2)(r514, r515), 0, b2 + r521);
      r523 = (int)((uint)r520 + (uint)8);
      r524 = (int)((uint)r513 + (uint)r523);
      vstore2((double2)(r516, r517), 0, b2 + r524);
      r526 = (int)((uint)r34 * (uint)2);
      r527 = (int)((uint)r54 + (uint)r526);
      r529 = (int)((uint)r527 + (uint)1);
      r531 = (int)((uint)r529 * (uint)256);
      r532 = (int)((uint)r505 + (uint)r531);
      r533 = r95 != r95 ? as_double(0x7ff8000000000000ul) : r95;
      r534 = r97 != r97 ? as_double(0x7ff8000000000000ul) : r97;
      r535 = r99 != r99 ? as_double(0x7ff8000000000000ul) : r99;
      r536 = r101 != r101 ? as_double(0x7ff8000000000000ul) : r101;
      r538 = (int)((uint)r29 * (uint)2);
      r539 = (int)((uint)r56 + (uint)r538);
      r540 = (int)((uint)r532 + (uint)r539);
      vstore2((double2)(r533, r534), 0, b2 + r540);
      r542 = (int)((uint)r539 + (uint)8);
      r543 = (int)((uint)r532 + (uint)r542);
      vstore2((double2)(r535, r536), 0, b2 + r543);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
