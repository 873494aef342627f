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
  uchar r50, r51, r52, r53, r54, r59, r60, r61, r62, r63, r68, r69, r70, r71, r72, r77;
  uchar r78, r79, r80, r81, r86, r87, r88, r89, r90, r95, r96, r97, r98, r99, r105, r114;
  uchar r115, r116, r117, r118, r125, r126, r127, r128, r129, r133, r137, r145, r159, r179, r258;
  int r0, r1, r2, r4, r5, r6, r8, r9, r11, r12, r13, r14, r16, r18, r19, r20;
  int r21, r22, r24, r25, r27, r29, r31, r32, r33, r36, r39, r41, r42, r43, r56, r58;
  int r65, r67, r74, r76, r83, r85, r92, r94, r101, r103, r107, r109, r113, r120, r124, r131;
  int r135, r152, r168, r169, r170, r198, r199, r202, r203, r204, r205, r206, r212, r214, r215, r216;
  int r219, r220, r221, r223, r225, r227, r228, r234, r235, r236, r238, r239, r254, r255, r257, r260;
  int r261, r265, r266, r268, r270, r271, r275, r276, r277, r279, r280, r281, r282, r284, r286, r287;
  int r288, r289, r290, r291, r292;
  uint r38, r45, r47, r49, r55, r57, r64, r66, r73, r75, r82, r84, r91, r93, r100, r111;
  uint r119, r122, r130, r138, r140, r141, r177;
  ulong r149, r151;
  float r23, r34, r35, r44, r142, r171, r182, r190, r192, r194, r197, r207, r209, r211, r217, r218;
  float r229, r231, r232, r237, r240, r241, r252, r262, r263, r269, r272, r273, r274, r293, r294;
  double r143, r147, r148, r153, r156, r157, r161, r162, r164, r166, r172, r173, r174, r175, r176, r180;
  double r181, r183, r185, r186, r187, r188, r189, r191, r242, r244, r246, r247, r248, r249, r250, r251;
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
      r32 = (int)((uint)r29 * (uint)r8);
      r33 = (int)((uint)r32 + (uint)r29);
      r34 = a4[r33];
      r35 = r34;
      r36 = (int)((uint)r31 + (uint)r0);
      r38 = 0u;
      r39 = r36;
      #pragma clang loop vectorize(disable)
      for (r41 = r36; r41 < r5; r41 += 64) {
        r42 = (int)((uint)r29 * (uint)r8);
        r43 = (int)((uint)r42 + (uint)r41);
        r44 = a4[r43];
        r45 = as_uint(r44);
        r47 = r45 & 2147483647u;
        r49 = r47 < 2139095041u ? r47 : 2139095041u;
        r50 = (uchar)(r38 == r49);
        r51 = (uchar)(r41 < r39);
        r52 = r50 & r51;
        r53 = (uchar)(r38 < r49);
        r54 = r52 | r53;
        r55 = r54 ? r49 : r38;
        r38 = r55;
        r56 = r54 ? r41 : r39;
        r39 = r56;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      x_uint[get_local_id(0)] = r38;
      barrier(CLK_LOCAL_MEM_FENCE);
      r57 = x_uint[get_local_id(0) ^ 16];
      barrier(CLK_LOCAL_MEM_FENCE);
      x_int[get_local_id(0)] = r39;
      barrier(CLK_LOCAL_MEM_FENCE);
      r58 = x_int[get_local_id(0) ^ 16];
      r59 = (uchar)(r38 == r57);
      r60 = (uchar)(r58 < r39);
      r61 = r59 & r60;
      r62 = (uchar)(r38 < r57);
      r63 = r61 | r62;
      r64 = r63 ? r57 : r38;
      r38 = r64;
      r65 = r63 ? r58 : r39;
      r39 = r65;
      barrier(CLK_LOCAL_MEM_FENCE);
      x_uint[get_local_id(0)] = r38;
      barrier(CLK_LOCAL_MEM_FENCE);
      r66 = x_uint[get_local_id(0) ^ 8];
      barrier(CLK_LOCAL_MEM_FENCE);
      x_int[get_local_id(0)] = r39;
      barrier(CLK_LOCAL_MEM_FENCE);
      r67 = x_int[get_local_id(0) ^ 8];
      r68 = (uchar)(r38 == r66);
      r69 = (uchar)(r67 < r39);
      r70 = r68 & r69;
      r71 = (uchar)(r38 < r66);
      r72 = r70 | r71;
      r73 = r72 ? r66 : r38;
      r38 = r73;
      r74 = r72 ? r67 : r39;
      r39 = r74;
      barrier(CLK_LOCAL_MEM_FENCE);
      x_uint[get_local_id(0)] = r38;
      barrier(CLK_LOCAL_MEM_FENCE);
      r75 = x_uint[get_local_id(0) ^ 4];
      barrier(CLK_LOCAL_MEM_FENCE);
      x_int[get_local_id(0)] = r39;
      barrier(CLK_LOCAL_MEM_FENCE);
      r76 = x_int[get_local_id(0) ^ 4];
      r77 = (uchar)(r38 == r75);
      r78 = (uchar)(r76 < r39);
      r79 = r77 & r78;
      r80 = (uchar)(r38 < r75);
      r81 = r79 | r80;
      r82 = r81 ? r75 : r38;
      r38 = r82;
      r83 = r81 ? r76 : r39;
      r39 = r83;
      barrier(CLK_LOCAL_MEM_FENCE);
      x_uint[get_local_id(0)] = r38;
      barrier(CLK_LOCAL_MEM_FENCE);
      r84 = x_uint[get_local_id(0) ^ 2];
      barrier(CLK_LOCAL_MEM_FENCE);
      x_int[get_local_id(0)] = r39;
      barrier(CLK_LOCAL_MEM_FENCE);
      r85 = x_int[get_local_id(0) ^ 2];
      r86 = (uchar)(r38 == r84);
      r87 = (uchar)(r85 < r39);
      r88 = r86 & r87;
      r89 = (uchar)(r38 < r84);
      r90 = r88 | r89;
      r91 = r90 ? r84 : r38;
      r38 = r91;
      r92 = r90 ? r85 : r39;
      r39 = r92;
      barrier(CLK_LOCAL_MEM_FENCE);
      x_uint[get_local_id(0)] = r38;
      barrier(CLK_LOCAL_MEM_FENCE);
      r93 = x_uint[get_local_id(0) ^ 1];
      barrier(CLK_LOCAL_MEM_FENCE);
      x_int[get_local_id(0)] = r39;
      barrier(CLK_LOCAL_MEM_FENCE);
      r94 = x_int[get_local_id(0) ^ 1];
      r95 = (uchar)(r38 == r93);
      r96 = (uchar)(r94 < r39);
      r97 = r95 & r96;
      r98 = (uchar)(r38 < r93);
      r99 = r97 | r98;
      r100 = r99 ? r93 : r38;
      r38 = r100;
      r101 = r99 ? r94 : r39;
      r39 = r101;
      r103 = r0 & 31;
      r105 = (uchar)(r103 == 0);
      if (r105) {
        r107 = (int)(r0 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
        a0[r107] = r38;
        r109 = (int)(r0 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
        a1[r109] = r39;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r111 = a0[0];
      r113 = a1[0];
      r114 = (uchar)(r38 == r111);
      r115 = (uchar)(r113 < r39);
      r116 = r114 & r115;
      r117 = (uchar)(r38 < r111);
      r118 = r116 | r117;
      r119 = r118 ? r111 : r38;
      r38 = r119;
      r120 = r118 ? r113 : r39;
      r39 = r120;
      r122 = a0[1];
      r124 = a1[1];
      r125 = (uchar)(r38 == r122);
      r126 = (uchar)(r124 < r39);
      r127 = r125 & r126;
      r128 = (uchar)(r38 < r122);
      r129 = r127 | r128;
      r130 = r129 ? r122 : r38;
      r38 = r130;
      r131 = r129 ? r124 : r39;
      r39 = r131;
      r133 = (uchar)(r38 == 0u);
      r135 = r133 ? 0 : r5;
      r137 = (uchar)(r0 == 63);
      if (r137) {
        r138 = as_uint(r35);
        r140 = r138 & 2147483647u;
        r141 = r38 > r140 ? r38 : r140;
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
        for (r168 = r29; r168 < r135; r168 += 1) {
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
        r177 = as_uint(r35);
        r179 = (uchar)(r177 < 2147483648u);
        r180 = as_double(as_ulong(r176) ^ 0x8000000000000000ul);
        r181 = r179 ? r180 : r176;
        r182 = convert_float_rte(r181);
        r183 = convert_double_rte(r35);
        r185 = convert_double_rte(r182);
        r186 = r185 - r183;
        r187 = r186 / r185;
        r188 = as_double(as_ulong(as_double(0x0000000000000000ul)) ^ 0x8000000000000000ul);
        r189 = r188 / r185;
        r190 = convert_float_rte(r187);
        r191 = r183 - r185;
        r192 = convert_float_rte(r191);
        r194 = r133 ? as_float(0x00000000u) : r190;
        a2[0] = r194;
        a2[1] = r192;
        r197 = r133 ? r35 : r182;
        r198 = (int)((uint)r29 * (uint)r8);
        r199 = (int)((uint)r198 + (uint)r29);
        a4[r199] = r197;
        r202 = (int)((uint)r4 * (uint)64);
        r203 = (int)((uint)r202 + (uint)r29);
        r204 = (int)((uint)r203 + (uint)0);
        r205 = (int)s5;
        r206 = (int)((uint)r204 + (uint)r205);
        r207 = r194 != r194 ? as_float(0x7fc00000u) : r194;
        b1[r206] = r207;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r209 = a2[0];
      r211 = a2[1];
      r212 = (int)((uint)r31 + (uint)r0);
      #pragma clang loop vectorize(disable)
      for (r214 = r212; r214 < r135; r214 += 64) {
        r215 = (int)((uint)r29 * (uint)r8);
        r216 = (int)((uint)r215 + (uint)r214);
        r217 = a4[r216];
        r218 = r217 / r211;
        r219 = (int)((uint)r29 * (uint)r8);
        r220 = (int)((uint)r219 + (uint)r214);
        a4[r220] = r218;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r221 = (int)((uint)r31 + (uint)r0);
      r223 = r133 ? 0 : r6;
      #pragma clang loop vectorize(disable)
      for (r225 = r221; r225 < r223; r225 += 64) {
        r227 = (int)((uint)r225 * (uint)r8);
        r228 = (int)((uint)r227 + (uint)r29);
        r229 = a4[r228];
        r231 = fma(as_float(0x3f800000u), r229, as_float(0x00000000u));
        r232 = r231;
        #pragma clang loop vectorize(disable)
        for (r234 = r31; r234 < r135; r234 += 1) {
          r235 = (int)((uint)r29 * (uint)r8);
          r236 = (int)((uint)r235 + (uint)r234);
          r237 = a4[r236];
          r238 = (int)((uint)r225 * (uint)r8);
          r239 = (int)((uint)r238 + (uint)r234);
          r240 = a4[r239];
          r241 = fma(r237, r240, r232);
          r232 = r241;
        }
        r242 = convert_double_rte(r232);
        r244 = convert_double_rte(r209);
        r246 = as_double(as_ulong(as_double(0x0000000000000000ul)) ^ 0x8000000000000000ul);
        r247 = as_double(0x0000000000000000ul) * r246;
        r248 = as_double(as_ulong(r247) ^ 0x8000000000000000ul);
        r249 = fma(r242, r244, r248);
        r250 = as_double(0x0000000000000000ul) * r244;
        r251 = fma(r242, r246, r250);
        r252 = convert_float_rte(r249);
        a3[r225] = r252;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r254 = r0 & 31;
      r255 = (int)((uint)r29 + (uint)r254);
      #pragma clang loop vectorize(disable)
      for (r257 = r255; r257 < r135; r257 += 32) {
        r258 = (uchar)(r257 == r29);
        r260 = (int)((uint)r29 * (uint)r8);
        r261 = (int)((uint)r260 + (uint)r257);
        r262 = a4[r261];
        r263 = r258 ? as_float(0x3f800000u) : r262;
        r265 = (int)(r0 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
        r266 = (int)((uint)r31 + (uint)r265);
        #pragma clang loop vectorize(disable)
        for (r268 = r266; r268 < r6; r268 += 2) {
          r269 = a3[r268];
          r270 = (int)((uint)r268 * (uint)r8);
          r271 = (int)((uint)r270 + (uint)r257);
          r272 = a4[r271];
          r273 = as_float(as_uint(r263) ^ 0x80000000u);
          r274 = fma(r273, r269, r272);
          r275 = (int)((uint)r268 * (uint)r8);
          r276 = (int)((uint)r275 + (uint)r257);
          a4[r276] = r274;
        }
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    r277 = (int)((uint)r5 * (uint)r6);
    #pragma clang loop vectorize(disable)
    for (r279 = r0; r279 < r277; r279 += 64) {
      r280 = r6 == 0 ? (int)-1 : r6 == -1 ? (int)(0 - (uint)r279) : (int)(r279 / r6);
      r281 = (int)((uint)r280 * (uint)r6);
      r282 = (int)((uint)r279 - (uint)r281);
      r284 = (int)((uint)r4 * (uint)4096);
      r286 = (int)((uint)r280 * (uint)64);
      r287 = (int)((uint)r284 + (uint)r286);
      r288 = (int)((uint)r287 + (uint)r282);
      r289 = (int)s4;
      r290 = (int)((uint)r288 + (uint)r289);
      r291 = (int)((uint)r282 * (uint)r8);
      r292 = (int)((uint)r291 + (uint)r280);
      r293 = a4[r292];
      r294 = r293 != r293 ? as_float(0x7fc00000u) : r293;
      b0[r290] = r294;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
