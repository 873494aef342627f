#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void k0_product(__global const uchar *m0, long o0, __global const uchar *m1, long o1, __global uchar *m2, long o2) {
  __global const double *b0 = (__global const double *)(m0 + o0);
  __global const double *b1 = (__global const double *)(m1 + o1);
  __global double *b2 = (__global double *)(m2 + o2);
  __local double a0[1152];
  __local double a1[2176];
  uchar r181;
  int r0, r1, r2, r5, r7, r9, r11, r13, r14, r16, r18, r20, r22, r24, r25, r27;
  int r29, r30, r32, r34, r36, r39, r41, r43, r45, r47, r48, r50, r52, r56, r58, r60;
  int r62, r63, r64, r66, r67, r68, r70, r72, r74, r76, r77, r78, r80, r81, r82, r94;
  int r96, r98, r99, r101, r102, r103, r104, r106, r107, r109, r110, r112, r113, r114, r115, r117;
  int r120, r122, r124, r125, r127, r128, r129, r130, r132, r133, r135, r136, r138, r139, r140, r141;
  int r143, r146, r148, r150, r151, r153, r154, r155, r156, r158, r159, r161, r162, r164, r165, r166;
  int r167, r169, r173, r175, r177, r179, r183, r185, r187, r188, r190, r191, r192, r193, r195, r196;
  int r198, r199, r201, r202, r203, r204, r206, r208, r210, r211, r213, r215, r216, r218, r219, r221;
  int r223, r224, r310, r311, r313, r314, r320, r321, r322, r324, r325;
  double r84, r85, r86, r87, r88, r89, r90, r91, r225, r226, r227, r228, r229, r230, r231, r232;
  double r233, r234, r235, r236, r237, r238, r239, r240, r241, r242, r243, r244, r245, r246, r247, r248;
  double r249, r250, r251, r252, r253, r254, r255, r256, r257, r258, r259, r260, r261, r262, r263, r264;
  double r265, r266, r267, r268, r269, r270, r271, r272, r273, r274, r275, r276, r277, r278, r279, r280;
  double r281, r282, r283, r284, r285, r286, r287, r288, r289, r290, r291, r292, r293, r294, r295, r296;
  double r297, r298, r299, r300, r301, r302, r303, r304, r305, r306, r307, r308, r315, r316, r317, r318;
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
  for (r32 = r1; r32 < 128; r32 += r2) {
    r34 = (int)(r32 >> ((uint)7 < 32 ? (uint)7 : (uint)31));
    r36 = r32 & 127;
    r39 = (int)(r36 >> ((uint)6 < 32 ? (uint)6 : (uint)31));
    r41 = r36 & 63;
    r43 = (int)(r41 >> ((uint)3 < 32 ? (uint)3 : (uint)31));
    r45 = r41 & 7;
    r47 = (int)((uint)r39 * (uint)8);
    r48 = (int)((uint)r47 + (uint)r45);
    r50 = (int)((uint)r48 * (uint)16);
    r52 = (int)((uint)r43 * (uint)32);
    r56 = r0 & 7;
    r58 = (int)((uint)r56 * (uint)2);
    r60 = (int)(r0 >> ((uint)3 < 32 ? (uint)3 : (uint)31));
    r62 = (int)((uint)r60 * (uint)18);
    r63 = (int)((uint)r62 + (uint)r58);
    r64 = (int)((uint)r50 + (uint)r60);
    r66 = (int)((uint)r64 * (uint)256);
    r67 = (int)((uint)r66 + (uint)r58);
    r68 = (int)((uint)0 + (uint)r67);
    r70 = r0 & 15;
    r72 = (int)((uint)r70 * (uint)2);
    r74 = (int)(r0 >> ((uint)4 < 32 ? (uint)4 : (uint)31));
    r76 = (int)((uint)r74 * (uint)34);
    r77 = (int)((uint)r76 + (uint)r72);
    r78 = (int)((uint)r52 + (uint)r72);
    r80 = (int)((uint)r74 * (uint)256);
    r81 = (int)((uint)r78 + (uint)r80);
    r82 = (int)((uint)0 + (uint)r81);
    r84 = as_double(0x0000000000000000ul);
    r85 = as_double(0x0000000000000000ul);
    r86 = as_double(0x0000000000000000ul);
    r87 = as_double(0x0000000000000000ul);
    r88 = as_double(0x0000000000000000ul);
    r89 = as_double(0x0000000000000000ul);
    r90 = as_double(0x0000000000000000ul);
    r91 = as_double(0x0000000000000000ul);
    r94 = (int)((uint)0 * (uint)16);
    r96 = 0 & 3;
    r98 = (int)((uint)0 * (uint)4);
    r99 = (int)((uint)r98 + (uint)r96);
    r101 = (int)((uint)r99 * (uint)288);
    r102 = (int)((uint)r101 + (uint)r63);
    r103 = (int)((uint)r94 + (uint)r68);
    r104 = (int)((uint)r94 + (uint)r58);
    a0[r102] = b0[r103];
    a0[(r102 + 1)] = b0[(r103 + 1)];
    r106 = (int)((uint)0 * (uint)4);
    r107 = (int)((uint)r106 + (uint)r96);
    r109 = (int)((uint)r107 * (uint)544);
    r110 = (int)((uint)r109 + (uint)r77);
    r112 = (int)((uint)r94 * (uint)256);
    r113 = (int)((uint)r112 + (uint)r82);
    r114 = (int)((uint)r94 + (uint)r74);
    a1[r110] = b1[r113];
    a1[(r110 + 1)] = b1[(r113 + 1)];
    r115 = (int)((uint)r94 + (uint)r74);
    r117 = (int)((uint)r115 + (uint)8);
    a1[(r110 + 272)] = b1[(r113 + 2048)];
    a1[(r110 + 273)] = b1[(r113 + 2049)];
    r120 = (int)((uint)1 * (uint)16);
    r122 = 1 & 3;
    r124 = (int)((uint)0 * (uint)4);
    r125 = (int)((uint)r124 + (uint)r122);
    r127 = (int)((uint)r125 * (uint)288);
    r128 = (int)((uint)r127 + (uint)r63);
    r129 = (int)((uint)r120 + (uint)r68);
    r130 = (int)((uint)r120 + (uint)r58);
    a0[r128] = b0[r129];
    a0[(r128 + 1)] = b0[(r129 + 1)];
    r132 = (int)((uint)0 * (uint)4);
    r133 = (int)((uint)r132 + (uint)r122);
    r135 = (int)((uint)r133 * (uint)544);
    r136 = (int)((uint)r135 + (uint)r77);
    r138 = (int)((uint)r120 * (uint)256);
    r139 = (int)((uint)r138 + (uint)r82);
    r140 = (int)((uint)r120 + (uint)r74);
    a1[r136] = b1[r139];
    a1[(r136 + 1)] = b1[(r139 + 1)];
    r141 = (int)((uint)r120 + (uint)r74);
    r143 = (int)((uint)r141 + (uint)8);
    a1[(r136 + 272)] = b1[(r139 + 2048)];
    a1[(r136 + 273)] = b1[(r139 + 2049)];
    r146 = (int)((uint)2 * (uint)16);
    r148 = 2 & 3;
    r150 = (int)((uint)0 * (uint)4);
    r151 = (int)((uint)r150 + (uint)r148);
    r153 = (int)((uint)r151 * (uint)288);
    r154 = (int)((uint)r153 + (uint)r63);
    r155 = (int)((uint)r146 + (uint)r68);
    r156 = (int)((uint)r146 + (uint)r58);
    a0[r154] = b0[r155];
    a0[(r154 + 1)] = b0[(r155 + 1)];
    r158 = (int)((uint)0 * (uint)4);
    r159 = (int)((uint)r158 + (uint)r148);
    r161 = (int)((uint)r159 * (uint)544);
    r162 = (int)((uint)r161 + (uint)r77);
    r164 = (int)((uint)r146 * (uint)256);
    r165 = (int)((uint)r164 + (uint)r82);
    r166 = (int)((uint)r146 + (uint)r74);
    a1[r162] = b1[r165];
    a1[(r162 + 1)] = b1[(r165 + 1)];
    r167 = (int)((uint)r146 + (uint)r74);
    r169 = (int)((uint)r167 + (uint)8);
    a1[(r162 + 272)] = b1[(r165 + 2048)];
    a1[(r162 + 273)] = b1[(r165 + 2049)];
    #pragma clang loop vectorize(disable)
    for (r173 = 0; r173 < 16; r173 += 8) {
      r175 = (int)((uint)r173 + (uint)8);
      #pragma clang loop vectorize(disable)
      for (r177 = r173; r177 < r175; r177 += 1) {
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        r179 = (int)((uint)r177 + (uint)3);
        r181 = (uchar)(r179 < 16);
        if (r181) {
          r183 = (int)((uint)r179 * (uint)16);
          r185 = r179 & 3;
          r187 = (int)((uint)0 * (uint)4);
          r188 = (int)((uint)r187 + (uint)r185);
          r190 = (int)((uint)r188 * (uint)288);
          r191 = (int)((uint)r190 + (uint)r63);
          r192 = (int)((uint)r183 + (uint)r68);
          r193 = (int)((uint)r183 + (uint)r58);
          a0[r191] = b0[r192];
          a0[(r191 + 1)] = b0[(r192 + 1)];
          r195 = (int)((uint)0 * (uint)4);
          r196 = (int)((uint)r195 + (uint)r185);
          r198 = (int)((uint)r196 * (uint)544);
          r199 = (int)((uint)r198 + (uint)r77);
          r201 = (int)((uint)r183 * (uint)256);
          r202 = (int)((uint)r201 + (uint)r82);
          r203 = (int)((uint)r183 + (uint)r74);
          a1[r199] = b1[r202];
          a1[(r199 + 1)] = b1[(r202 + 1)];
          r204 = (int)((uint)r183 + (uint)r74);
          r206 = (int)((uint)r204 + (uint)8);
          a1[(r199 + 272)] = b1[(r202 + 2048)];
          a1[(r199 + 273)] = b1[(r202 + 2049)];
        }
        r208 = r177 & 3;
        r210 = (int)((uint)0 * (uint)4);
        r211 = (int)((uint)r210 + (uint)r208);
        r213 = (int)((uint)r211 * (uint)288);
        r215 = (int)((uint)r30 * (uint)18);
        r216 = (int)((uint)r213 + (uint)r215);
        r218 = (int)((uint)0 * (uint)4);
        r219 = (int)((uint)r218 + (uint)r208);
        r221 = (int)((uint)r219 * (uint)544);
        r223 = (int)((uint)r25 * (uint)2);
        r224 = (int)((uint)r221 + (uint)r223);
        {
          double2 v = vload2(0, a0 + r216);
          r225 = v.s0;
          r226 = v.s1;
        }
        {
          double2 v = vload2(0, a1 + r224);
          r227 = v.s0;
          r228 = v.s1;
        }
        {
          double2 v = vload2(0, a1 + (r224 + 16));
          r229 = v.s0;
          r230 = v.s1;
        }
        {
          double2 v = vload2(0, a1 + (r224 + 34));
          r231 = v.s0;
          r232 = v.s1;
        }
        {
          double2 v = vload2(0, a1 + (r224 + 50));
          r233 = v.s0;
          r234 = v.s1;
        }
        r84 = fma(r225, r227, r84);
        r86 = fma(r225, r228, r86);
        r88 = fma(r225, r229, r88);
        r90 = fma(r225, r230, r90);
        {
          double2 v = vload2(0, a0 + (r216 + 2));
          r235 = v.s0;
          r236 = v.s1;
        }
        {
          double2 v = vload2(0, a1 + (r224 + 68));
          r237 = v.s0;
          r238 = v.s1;
        }
        {
          double2 v = vload2(0, a1 + (r224 + 84));
          r239 = v.s0;
          r240 = v.s1;
        }
        r84 = fma(r226, r231, r84);
        r86 = fma(r226, r232, r86);
        r88 = fma(r226, r233, r88);
        r90 = fma(r226, r234, r90);
        {
          double2 v = vload2(0, a1 + (r224 + 102));
          r241 = v.s0;
          r242 = v.s1;
        }
        {
          double2 v = vload2(0, a1 + (r224 + 118));
          r243 = v.s0;
          r244 = v.s1;
        }
        r84 = fma(r235, r237, r84);
        r86 = fma(r235, r238, r86);
        r88 = fma(r235, r239, r88);
        r90 = fma(r235, r240, r90);
        {
          double2 v = vload2(0, a0 + (r216 + 4));
          r245 = v.s0;
          r246 = v.s1;
        }
        {
          double2 v = vload2(0, a1 + (r224 + 136));
          r247 = v.s0;
          r248 = v.s1;
        }
        {
          double2 v = vload2(0, a1 + (r224 + 152));
          r249 = v.s0;
          r250 = v.s1;
        }
        r84 = fma(r236, r241, r84);
        r86 = fma(r236, r242, r86);
        r88 = fma(r236, r243, r88);
        r90 = fma(r236, r244, r90);
        {
          double2 v = vload2(0, a1 + (r224 + 170));
          r251 = v.s0;
          r252 = v.s1;
        }
        {
          double2 v = vload2(0, a1 + (r224 + 186));
          r253 = v.s0;
          r254 = v.s1;
        }
        r84 = fma(r245, r247, r84);
        r86 = fma(r245, r248, r86);
        r88 = fma(r245, r249, r88);
        r90 = fma(r245, r250, r90);
        {
          double2 v = vload2(0, a0 + (r216 + 6));
          r255 = v.s0;
          r256 = v.s1;
        }
        {
          double2 v = vload2(0, a1 + (r224 + 204));
          r257 = v.s0;
          r258 = v.s1;
        }
        {
          double2 v = vload2(0, a1 + (r224 + 220));
          r259 = v.s0;
          r260 = v.s1;
        }
        r84 = fma(r246, r251, r84);
        r86 = fma(r246, r252, r86);
        r88 = fma(r246, r253, r88);
        r90 = fma(r246, r254, r90);
        {
          double2 v = vload2(0, a1 + (r224 + 238));
          r261 = v.s0;
          r262 = v.s1;
        }
        {
          double2 v = vload2(0, a1 + (r224 + 254));
          r263 = v.s0;
          r264 = v.s1;
        }
        r84 = fma(r255, r257, r84);
        r86 = fma(r255, r258, r86);
        r88 = fma(r255, r259, r88);
        r90 = fma(r255, r260, r90);
        {
          double2 v = vload2(0, a0 + (r216 + 8));
          r265 = v.s0;
          r266 = v.s1;
        }
        {
          double2 v = vload2(0, a1 + (r224 + 272));
          r267 = v.s0;
          r268 = v.s1;
        }
        {
          double2 v = vload2(0, a1 + (r224 + 288));
          r269 = v.s0;
          r270 = v.s1;
        }
        r84 = fma(r256, r261, r84);
        r86 = fma(r256, r262, r86);
        r88 = fma(r256, r263, r88);
        r90 = fma(r256, r264, r90);
        {
          double2 v = vload2(0, a1 + (r224 + 306));
          r271 = v.s0;
          r272 = v.s1;
        }
        {
          double2 v = vload2(0, a1 + (r224 + 322));
          r273 = v.s0;
          r274 = v.s1;
        }
        r84 = fma(r265, r267, r84);
        r86 = fma(r265, r268, r86);
        r88 = fma(r265, r269, r88);
        r90 = fma(r265, r270, r90);
        {
          double2 v = vload2(0, a0 + (r216 + 10));
          r275 = v.s0;
          r276 = v.s1;
        }
        {
          double2 v = vload2(0, a1 + (r224 + 340));
          r277 = v.s0;
          r278 = v.s1;
        }
        {
          double2 v = vload2(0, a1 + (r224 + 356));
          r279 = v.s0;
          r280 = v.s1;
        }
        r84 = fma(r266, r271, r84);
        r86 = fma(r266, r272, r86);
        r88 = fma(r266, r273, r88);
        r90 = fma(r266, r274, r90);
        {
          double2 v = vload2(0, a1 + (r224 + 374));
          r281 = v.s0;
          r282 = v.s1;
        }
        {
          double2 v = vload2(0, a1 + (r224 + 390));
          r283 = v.s0;
          r284 = v.s1;
        }
        r84 = fma(r275, r277, r84);
        r86 = fma(r275, r278, r86);
        r88 = fma(r275, r279, r88);
        r90 = fma(r275, r280, r90);
        {
          double2 v = vload2(0, a0 + (r216 + 12));
          r285 = v.s0;
          r286 = v.s1;
        }
        {
          double2 v = vload2(0, a1 + (r224 + 408));
          r287 = v.s0;
          r288 = v.s1;
        }
        {
          double2 v = vload2(0, a1 + (r224 + 424));
          r289 = v.s0;
          r290 = v.s1;
        }
        r84 = fma(r276, r281, r84);
        r86 = fma(r276, r282, r86);
        r88 = fma(r276, r283, r88);
        r90 = fma(r276, r284, r90);
        {
          double2 v = vload2(0, a1 + (r224 + 442));
          r291 = v.s0;
          r292 = v.s1;
        }
        {
          double2 v = vload2(0, a1 + (r224 + 458));
          r293 = v.s0;
          r294 = v.s1;
        }
        r84 = fma(r285, r287, r84);
        r86 = fma(r285, r288, r86);
        r88 = fma(r285, r289, r88);
        r90 = fma(r285, r290, r90);
        {
          double2 v = vload2(0, a0 + (r216 + 14));
          r295 = v.s0;
          r296 = v.s1;
        }
        {
          double2 v = vload2(0, a1 + (r224 + 476));
          r297 = v.s0;
          r298 = v.s1;
        }
        {
          double2 v = vload2(0, a1 + (r224 + 492));
          r299 = v.s0;
          r300 = v.s1;
        }
        r84 = fma(r286, r291, r84);
        r86 = fma(r286, r292, r86);
        r88 = fma(r286, r293, r88);
        r90 = fma(r286, r294, r90);
        {
          double2 v = vload2(0, a1 + (r224 + 510));
          r301 = v.s0;
          r302 = v.s1;
        }
        {
          double2 v = vload2(0, a1 + (r224 + 526));
          r303 = v.s0;
          r304 = v.s1;
        }
        r84 = fma(r295, r297, r84);
        r86 = fma(r295, r298, r86);
        r88 = fma(r295, r299, r88);
        r90 = fma(r295, r300, r90);
        r84 = fma(r296, r301, r84);
        r86 = fma(r296, r302, r86);
        r88 = fma(r296, r303, r88);
        r90 = fma(r296, r304, r90);
      }
      r305 = r85 + r84;
      r85 = r305;
      r306 = r87 + r86;
      r87 = r306;
      r307 = r89 + r88;
      r89 = r307;
      r308 = r91 + r90;
      r91 = r308;
      r84 = as_double(0x0000000000000000ul);
      r86 = as_double(0x0000000000000000ul);
      r88 = as_double(0x0000000000000000ul);
      r90 = as_double(0x0000000000000000ul);
    }
    r310 = (int)((uint)r34 * (uint)65536);
    r311 = (int)((uint)r50 + (uint)r30);
    r313 = (int)((uint)r311 * (uint)256);
    r314 = (int)((uint)r310 + (uint)r313);
    r315 = r85 != r85 ? as_double(0x7ff8000000000000ul) : r85;
    r316 = r87 != r87 ? as_double(0x7ff8000000000000ul) : r87;
    r317 = r89 != r89 ? as_double(0x7ff8000000000000ul) : r89;
    r318 = r91 != r91 ? as_double(0x7ff8000000000000ul) : r91;
    r320 = (int)((uint)r25 * (uint)2);
    r321 = (int)((uint)r52 + (uint)r320);
    r322 = (int)((uint)r314 + (uint)r321);
    vstore2((double2)(r315, r316), 0, b2 + r322);
    r324 = (int)((uint)r321 + (uint)16);
    r325 = (int)((uint)r314 + (uint)r324);
    vstore2((double2)(r317, r318), 0, b2 + r325);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
