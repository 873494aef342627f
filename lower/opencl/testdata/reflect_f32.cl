#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void k0_reflect(__global uchar *m0, long o0, __global uchar *m1, long o1, long s0, long s1, long s2, long s3, long s4, long s5) {
  __global float *b0 = (__global float *)(m0 + o0);
  __global float *b1 = (__global float *)(m1 + o1);
  __local uint a0[2];
  __local int a1[2];
  __local float a2[2];
  __local float a3[32];
  __local float a4[12032];
  __local uint x_uint[64];
  __local int x_int[64];
  uchar r46, r47, r48, r49, r50, r55, r56, r57, r58, r59, r64, r65, r66, r67, r68, r73;
  uchar r74, r75, r76, r77, r82, r83, r84, r85, r86, r91, r92, r93, r94, r95, r101, r110;
  uchar r111, r112, r113, r114, r121, r122, r123, r124, r125, r129, r133, r145, r159, r178, r244;
  int r0, r1, r2, r4, r5, r6, r8, r9, r11, r12, r13, r14, r16, r18, r19, r20;
  int r21, r22, r24, r25, r27, r29, r31, r32, r35, r37, r38, r39, r52, r54, r61, r63;
  int r70, r72, r79, r81, r88, r90, r97, r99, r103, r105, r109, r116, r120, r127, r131, r134;
  int r135, r152, r168, r169, r170, r194, r195, r198, r199, r200, r201, r202, r208, r210, r211, r212;
  int r215, r216, r217, r219, r221, r222, r223, r229, r230, r231, r233, r234, r240, r241, r243, r247;
  int r248, r252, r253, r255, r257, r258, r262, r263, r264, r266, r267, r268, r269, r271, r273, r274;
  int r275, r276, r277, r278, r279;
  uint r34, r41, r43, r45, r51, r53, r60, r62, r69, r71, r78, r80, r87, r89, r96, r107;
  uint r115, r118, r126, r138, r140, r141;
  ulong r149, r151;
  float r23, r40, r136, r137, r142, r171, r181, r186, r188, r190, r193, r203, r205, r207, r213, r214;
  float r224, r226, r227, r232, r235, r236, r238, r246, r249, r250, r256, r259, r260, r261, r280, r281;
  double r143, r147, r148, r153, r156, r157, r161, r162, r164, r166, r172, r173, r174, r175, r176, r179;
  double r180, r182, r183, r184, r185, r187;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  #pragma clang loop vectorize(disable)
  for (r4 = r1; r4 < 1; r4 += r2) {
    r5 = (int)s0;
    r6 = (int)s1;
    r8 = r5 | 1;
    r9 = (int)((uint)r5 * (uint)r6);
    #pragma clang loop vectorize(disable)
    for (r11 = r0; r11 < r9; r11 += 64) {
      r12 = r6 == 0 ? (int)-1 : r6 == -1 ? (int)(0 - (uint)r11) : (int)(r11 / r6);
      r13 = (int)((uint)r12 * (uint)r6);
      r14 = (int)((uint)r11 - (uint)r13);
      r16 = (int)((uint)r4 * (uint)4096);
      r18 = (int)((uint)r12 * (uint)64);
      r19 = (int)((uint)r16 + (uint)r18);
      r20 = (int)((uint)r19 + (uint)r14);
      r21 = (int)s3;
      r22 = (int)((uint)r20 + (uint)r21);
      r23 = b0[r22];
      r24 = (int)((uint)r14 * (uint)r8);
      r25 = (int)((uint)r24 + (uint)r12);
      a4[r25] = r23;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r27 = (int)s2;
    #pragma clang loop vectorize(disable)
    for (r29 = 0; r29 < r27; r29 += 1) {
      r31 = (int)((uint)r29 + (uint)1);
      r32 = (int)((uint)r31 + (uint)r0);
      r34 = 0u;
      r35 = r32;
      #pragma clang loop vectorize(disable)
      for (r37 = r32; r37 < r5; r37 += 64) {
        r38 = (int)((uint)r29 * (uint)r8);
        r39 = (int)((uint)r38 + (uint)r37);
        r40 = a4[r39];
        r41 = as_uint(r40);
        r43 = r41 & 2147483647u;
        r45 = r43 < 2139095041u ? r43 : 2139095041u;
        r46 = (uchar)(r34 == r45);
        r47 = (uchar)(r37 < r35);
        r48 = r46 & r47;
        r49 = (uchar)(r34 < r45);
        r50 = r48 | r49;
        r51 = r50 ? r45 : r34;
        r34 = r51;
        r52 = r50 ? r37 : r35;
        r35 = r52;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      x_uint[get_local_id(0)] = r34;
      barrier(CLK_LOCAL_MEM_FENCE);
      r53 = x_uint[get_local_id(0) ^ 16];
      barrier(CLK_LOCAL_MEM_FENCE);
      x_int[get_local_id(0)] = r35;
      barrier(CLK_LOCAL_MEM_FENCE);
      r54 = x_int[get_local_id(0) ^ 16];
      r55 = (uchar)(r34 == r53);
      r56 = (uchar)(r54 < r35);
      r57 = r55 & r56;
      r58 = (uchar)(r34 < r53);
      r59 = r57 | r58;
      r60 = r59 ? r53 : r34;
      r34 = r60;
      r61 = r59 ? r54 : r35;
      r35 = r61;
      barrier(CLK_LOCAL_MEM_FENCE);
      x_uint[get_local_id(0)] = r34;
      barrier(CLK_LOCAL_MEM_FENCE);
      r62 = x_uint[get_local_id(0) ^ 8];
      barrier(CLK_LOCAL_MEM_FENCE);
      x_int[get_local_id(0)] = r35;
      barrier(CLK_LOCAL_MEM_FENCE);
      r63 = x_int[get_local_id(0) ^ 8];
      r64 = (uchar)(r34 == r62);
      r65 = (uchar)(r63 < r35);
      r66 = r64 & r65;
      r67 = (uchar)(r34 < r62);
      r68 = r66 | r67;
      r69 = r68 ? r62 : r34;
      r34 = r69;
      r70 = r68 ? r63 : r35;
      r35 = r70;
      barrier(CLK_LOCAL_MEM_FENCE);
      x_uint[get_local_id(0)] = r34;
      barrier(CLK_LOCAL_MEM_FENCE);
      r71 = x_uint[get_local_id(0) ^ 4];
      barrier(CLK_LOCAL_MEM_FENCE);
      x_int[get_local_id(0)] = r35;
      barrier(CLK_LOCAL_MEM_FENCE);
      r72 = x_int[get_local_id(0) ^ 4];
      r73 = (uchar)(r34 == r71);
      r74 = (uchar)(r72 < r35);
      r75 = r73 & r74;
      r76 = (uchar)(r34 < r71);
      r77 = r75 | r76;
      r78 = r77 ? r71 : r34;
      r34 = r78;
      r79 = r77 ? r72 : r35;
      r35 = r79;
      barrier(CLK_LOCAL_MEM_FENCE);
      x_uint[get_local_id(0)] = r34;
      barrier(CLK_LOCAL_MEM_FENCE);
      r80 = x_uint[get_local_id(0) ^ 2];
      barrier(CLK_LOCAL_MEM_FENCE);
      x_int[get_local_id(0)] = r35;
      barrier(CLK_LOCAL_MEM_FENCE);
      r81 = x_int[get_local_id(0) ^ 2];
      r82 = (uchar)(r34 == r80);
      r83 = (uchar)(r81 < r35);
      r84 = r82 & r83;
      r85 = (uchar)(r34 < r80);
      r86 = r84 | r85;
      r87 = r86 ? r80 : r34;
      r34 = r87;
      r88 = r86 ? r81 : r35;
      r35 = r88;
      barrier(CLK_LOCAL_MEM_FENCE);
      x_uint[get_local_id(0)] = r34;
      barrier(CLK_LOCAL_MEM_FENCE);
      r89 = x_uint[get_local_id(0) ^ 1];
      barrier(CLK_LOCAL_MEM_FENCE);
      x_int[get_local_id(0)] = r35;
      barrier(CLK_LOCAL_MEM_FENCE);
      r90 = x_int[get_local_id(0) ^ 1];
      r91 = (uchar)(r34 == r89);
      r92 = (uchar)(r90 < r35);
      r93 = r91 & r92;
      r94 = (uchar)(r34 < r89);
      r95 = r93 | r94;
      r96 = r95 ? r89 : r34;
      r34 = r96;
      r97 = r95 ? r90 : r35;
      r35 = r97;
      r99 = r0 & 31;
      r101 = (uchar)(r99 == 0);
      if (r101) {
        r103 = (int)(r0 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
        a0[r103] = r34;
        r105 = (int)(r0 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
        a1[r105] = r35;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r107 = a0[0];
      r109 = a1[0];
      r110 = (uchar)(r34 == r107);
      r111 = (uchar)(r109 < r35);
      r112 = r110 & r111;
      r113 = (uchar)(r34 < r107);
      r114 = r112 | r113;
      r115 = r114 ? r107 : r34;
      r34 = r115;
      r116 = r114 ? r109 : r35;
      r35 = r116;
      r118 = a0[1];
      r120 = a1[1];
      r121 = (uchar)(r34 == r118);
      r122 = (uchar)(r120 < r35);
      r123 = r121 & r122;
      r124 = (uchar)(r34 < r118);
      r125 = r123 | r124;
      r126 = r125 ? r118 : r34;
      r34 = r126;
      r127 = r125 ? r120 : r35;
      r35 = r127;
      r129 = (uchar)(r34 == 0u);
      r131 = r129 ? 0 : r5;
      r133 = (uchar)(r0 == 63);
      if (r133) {
        r134 = (int)((uint)r29 * (uint)r8);
        r135 = (int)((uint)r134 + (uint)r29);
        r136 = a4[r135];
        r137 = r136;
        r138 = as_uint(r137);
        r140 = r138 & 2147483647u;
        r141 = r34 > r140 ? r34 : r140;
        r142 = as_float(r141);
        r143 = convert_double_rte(r142);
        r145 = (uchar)(r143 < as_double(0x0010000000000000ul));
        r147 = r143 * as_double(0x4350000000000000ul);
        r148 = r145 ? r147 : r143;
        r149 = as_ulong(r148);
        r151 = 0x34ul < 64 ? (ulong)(r149 >> 0x34ul) : (ulong)0;
        r152 = (int)r151;
        r153 = convert_double_rte(r152);
        r156 = r145 ? as_double(0x4090d00000000000ul) : as_double(0x408ff00000000000ul);
        r157 = r153 - r156;
        r159 = (uchar)(r143 < as_double(0x7ff0000000000000ul));
        r161 = r159 ? r157 : as_double(0x0000000000000000ul);
        r162 = as_double(as_ulong(r161) ^ 0x8000000000000000ul);
        r164 = (as_double(0x3ff0000000000000ul) * as_double((clamp(convert_long_sat_rtn(r162 * 0.5), -1022l, 1023l) + 1023l) << 52)) * as_double((clamp(convert_long_sat_rtz(r162) - clamp(convert_long_sat_rtn(r162 * 0.5), -1022l, 1023l), -1022l, 1023l) + 1023l) << 52);
        r166 = as_double(0x0000000000000000ul);
        #pragma clang loop vectorize(disable)
        for (r168 = r29; r168 < r131; r168 += 1) {
          r169 = (int)((uint)r29 * (uint)r8);
          r170 = (int)((uint)r169 + (uint)r168);
          r171 = a4[r170];
          r172 = convert_double_rte(r171);
          r173 = r172 * r164;
          r174 = fma(r173, r173, r166);
          r166 = r174;
        }
        r175 = sqrt(r166);
        r176 = (r175 * as_double((clamp(convert_long_sat_rtn(r161 * 0.5), -1022l, 1023l) + 1023l) << 52)) * as_double((clamp(convert_long_sat_rtz(r161) - clamp(convert_long_sat_rtn(r161 * 0.5), -1022l, 1023l), -1022l, 1023l) + 1023l) << 52);
        r178 = (uchar)(r138 < 2147483648u);
        r179 = as_double(as_ulong(r176) ^ 0x8000000000000000ul);
        r180 = r178 ? r179 : r176;
        r181 = convert_float_rte(r180);
        r182 = convert_double_rte(r137);
        r183 = convert_double_rte(r181);
        r184 = r183 - r182;
        r185 = r184 / r183;
        r186 = convert_float_rte(r185);
        r187 = r182 - r183;
        r188 = convert_float_rte(r187);
        r190 = r129 ? as_float(0x00000000u) : r186;
        a2[0] = r190;
        a2[1] = r188;
        r193 = r129 ? r137 : r181;
        r194 = (int)((uint)r29 * (uint)r8);
        r195 = (int)((uint)r194 + (uint)r29);
        a4[r195] = r193;
        r198 = (int)((uint)r4 * (uint)64);
        r199 = (int)((uint)r198 + (uint)r29);
        r200 = (int)((uint)r199 + (uint)0);
        r201 = (int)s5;
        r202 = (int)((uint)r200 + (uint)r201);
        r203 = r190 != r190 ? as_float(0x7fc00000u) : r190;
        b1[r202] = r203;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r205 = a2[0];
      r207 = a2[1];
      r208 = (int)((uint)r31 + (uint)r0);
      #pragma clang loop vectorize(disable)
      for (r210 = r208; r210 < r131; r210 += 64) {
        r211 = (int)((uint)r29 * (uint)r8);
        r212 = (int)((uint)r211 + (uint)r210);
        r213 = a4[r212];
        r214 = r213 / r207;
        r215 = (int)((uint)r29 * (uint)r8);
        r216 = (int)((uint)r215 + (uint)r210);
        a4[r216] = r214;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r217 = (int)((uint)r31 + (uint)r0);
      r219 = r129 ? 0 : r6;
      #pragma clang loop vectorize(disable)
      for (r221 = r217; r221 < r219; r221 += 64) {
        r222 = (int)((uint)r221 * (uint)r8);
        r223 = (int)((uint)r222 + (uint)r29);
        r224 = a4[r223];
        r226 = r224 + as_float(0x00000000u);
        r227 = r226;
        #pragma clang loop vectorize(disable)
        for (r229 = r31; r229 < r131; r229 += 1) {
          r230 = (int)((uint)r29 * (uint)r8);
          r231 = (int)((uint)r230 + (uint)r229);
          r232 = a4[r231];
          r233 = (int)((uint)r221 * (uint)r8);
          r234 = (int)((uint)r233 + (uint)r229);
          r235 = a4[r234];
          r236 = fma(r232, r235, r227);
          r227 = r236;
        }
        r238 = fma(r227, r205, as_float(0x00000000u));
        a3[r221] = r238;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r240 = r0 & 31;
      r241 = (int)((uint)r29 + (uint)r240);
      #pragma clang loop vectorize(disable)
      for (r243 = r241; r243 < r131; r243 += 32) {
        r244 = (uchar)(r243 == r29);
        r246 = convert_float_rte(1);
        r247 = (int)((uint)r29 * (uint)r8);
        r248 = (int)((uint)r247 + (uint)r243);
        r249 = a4[r248];
        r250 = r244 ? r246 : r249;
        r252 = (int)(r0 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
        r253 = (int)((uint)r31 + (uint)r252);
        #pragma clang loop vectorize(disable)
        for (r255 = r253; r255 < r6; r255 += 2) {
          r256 = a3[r255];
          r257 = (int)((uint)r255 * (uint)r8);
          r258 = (int)((uint)r257 + (uint)r243);
          r259 = a4[r258];
          r260 = as_float(as_uint(r250) ^ 0x80000000u);
          r261 = fma(r260, r256, r259);
          r262 = (int)((uint)r255 * (uint)r8);
          r263 = (int)((uint)r262 + (uint)r243);
          a4[r263] = r261;
        }
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    r264 = (int)((uint)r5 * (uint)r6);
    #pragma clang loop vectorize(disable)
    for (r266 = r0; r266 < r264; r266 += 64) {
      r267 = r6 == 0 ? (int)-1 : r6 == -1 ? (int)(0 - (uint)r266) : (int)(r266 / r6);
      r268 = (int)((uint)r267 * (uint)r6);
      r269 = (int)((uint)r266 - (uint)r268);
      r271 = (int)((uint)r4 * (uint)4096);
      r273 = (int)((uint)r267 * (uint)64);
      r274 = (int)((uint)r271 + (uint)r273);
      r275 = (int)((uint)r274 + (uint)r269);
      r276 = (int)s4;
      r277 = (int)((uint)r275 + (uint)r276);
      r278 = (int)((uint)r269 * (uint)r8);
      r279 = (int)((uint)r278 + (uint)r267);
      r280 = a4[r279];
      r281 = r280 != r280 ? as_float(0x7fc00000u) : r280;
      b0[r277] = r281;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
