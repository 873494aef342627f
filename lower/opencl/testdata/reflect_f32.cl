#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void k0_reflect(__global uchar *m0, long o0, __global uchar *m1, long o1) {
  __global float *b0 = (__global float *)(m0 + o0);
  __global float *b1 = (__global float *)(m1 + o1);
  __local uint a0[2];
  __local int a1[2];
  __local float a2[2];
  __local float a3[32];
  __local float a4[1056];
  __local uint x_uint[64];
  __local int x_int[64];
  uchar r46, r47, r48, r49, r50, r55, r56, r57, r58, r59, r64, r65, r66, r67, r68, r73;
  uchar r74, r75, r76, r77, r82, r83, r84, r85, r86, r91, r92, r93, r94, r95, r101, r110;
  uchar r111, r112, r113, r114, r121, r122, r123, r124, r125, r129, r134, r147, r161, r181, r254;
  int r0, r1, r2, r4, r7, r9, r11, r13, r15, r16, r17, r19, r22, r23, r27, r29;
  int r30, r33, r36, r38, r39, r52, r54, r61, r63, r70, r72, r79, r81, r88, r90, r97;
  int r99, r103, r105, r109, r116, r120, r127, r132, r136, r137, r154, r170, r172, r173, r198, r199;
  int r202, r203, r204, r206, r212, r214, r216, r217, r221, r222, r223, r226, r228, r230, r231, r237;
  int r239, r240, r243, r244, r250, r251, r253, r258, r259, r263, r264, r267, r270, r271, r276, r277;
  int r280, r282, r284, r286, r288, r289, r290, r292, r294, r295;
  uint r32, r41, r43, r45, r51, r53, r60, r62, r69, r71, r78, r80, r87, r89, r96, r107;
  uint r115, r118, r126, r140, r142, r143;
  ulong r151, r153;
  float r20, r40, r138, r139, r144, r174, r184, r189, r191, r193, r196, r207, r209, r211, r218, r219;
  float r232, r234, r235, r241, r245, r246, r248, r256, r260, r261, r268, r272, r273, r274, r296, r297;
  double r145, r149, r150, r155, r158, r159, r163, r164, r166, r168, r175, r176, r177, r178, r179, r182;
  double r183, r185, r186, r187, r188, r190;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  #pragma clang loop vectorize(disable)
  for (r4 = r1; r4 < 1; r4 += r2) {
    #pragma clang loop vectorize(disable)
    for (r7 = r0; r7 < 1024; r7 += 64) {
      r9 = (int)(r7 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
      r11 = r7 & 31;
      r13 = (int)((uint)r4 * (uint)4096);
      r15 = (int)((uint)r9 * (uint)64);
      r16 = (int)((uint)r13 + (uint)r15);
      r17 = (int)((uint)r16 + (uint)r11);
      r19 = (int)((uint)r17 + (uint)2080);
      r20 = b0[r19];
      r22 = (int)((uint)r11 * (uint)33);
      r23 = (int)((uint)r22 + (uint)r9);
      a4[r23] = r20;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    #pragma clang loop vectorize(disable)
    for (r27 = 0; r27 < 32; r27 += 1) {
      r29 = (int)((uint)r27 + (uint)1);
      r30 = (int)((uint)r29 + (uint)r0);
      r32 = 0u;
      r33 = r30;
      #pragma clang loop vectorize(disable)
      for (r36 = r30; r36 < 32; r36 += 64) {
        r38 = (int)((uint)r27 * (uint)33);
        r39 = (int)((uint)r38 + (uint)r36);
        r40 = a4[r39];
        r41 = as_uint(r40);
        r43 = r41 & 2147483647u;
        r45 = r43 < 2139095041u ? r43 : 2139095041u;
        r46 = (uchar)(r32 == r45);
        r47 = (uchar)(r36 < r33);
        r48 = r46 & r47;
        r49 = (uchar)(r32 < r45);
        r50 = r48 | r49;
        r51 = r50 ? r45 : r32;
        r32 = r51;
        r52 = r50 ? r36 : r33;
        r33 = r52;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      x_uint[get_local_id(0)] = r32;
      barrier(CLK_LOCAL_MEM_FENCE);
      r53 = x_uint[get_local_id(0) ^ 16];
      barrier(CLK_LOCAL_MEM_FENCE);
      x_int[get_local_id(0)] = r33;
      barrier(CLK_LOCAL_MEM_FENCE);
      r54 = x_int[get_local_id(0) ^ 16];
      r55 = (uchar)(r32 == r53);
      r56 = (uchar)(r54 < r33);
      r57 = r55 & r56;
      r58 = (uchar)(r32 < r53);
      r59 = r57 | r58;
      r60 = r59 ? r53 : r32;
      r32 = r60;
      r61 = r59 ? r54 : r33;
      r33 = r61;
      barrier(CLK_LOCAL_MEM_FENCE);
      x_uint[get_local_id(0)] = r32;
      barrier(CLK_LOCAL_MEM_FENCE);
      r62 = x_uint[get_local_id(0) ^ 8];
      barrier(CLK_LOCAL_MEM_FENCE);
      x_int[get_local_id(0)] = r33;
      barrier(CLK_LOCAL_MEM_FENCE);
      r63 = x_int[get_local_id(0) ^ 8];
      r64 = (uchar)(r32 == r62);
      r65 = (uchar)(r63 < r33);
      r66 = r64 & r65;
      r67 = (uchar)(r32 < r62);
      r68 = r66 | r67;
      r69 = r68 ? r62 : r32;
      r32 = r69;
      r70 = r68 ? r63 : r33;
      r33 = r70;
      barrier(CLK_LOCAL_MEM_FENCE);
      x_uint[get_local_id(0)] = r32;
      barrier(CLK_LOCAL_MEM_FENCE);
      r71 = x_uint[get_local_id(0) ^ 4];
      barrier(CLK_LOCAL_MEM_FENCE);
      x_int[get_local_id(0)] = r33;
      barrier(CLK_LOCAL_MEM_FENCE);
      r72 = x_int[get_local_id(0) ^ 4];
      r73 = (uchar)(r32 == r71);
      r74 = (uchar)(r72 < r33);
      r75 = r73 & r74;
      r76 = (uchar)(r32 < r71);
      r77 = r75 | r76;
      r78 = r77 ? r71 : r32;
      r32 = r78;
      r79 = r77 ? r72 : r33;
      r33 = r79;
      barrier(CLK_LOCAL_MEM_FENCE);
      x_uint[get_local_id(0)] = r32;
      barrier(CLK_LOCAL_MEM_FENCE);
      r80 = x_uint[get_local_id(0) ^ 2];
      barrier(CLK_LOCAL_MEM_FENCE);
      x_int[get_local_id(0)] = r33;
      barrier(CLK_LOCAL_MEM_FENCE);
      r81 = x_int[get_local_id(0) ^ 2];
      r82 = (uchar)(r32 == r80);
      r83 = (uchar)(r81 < r33);
      r84 = r82 & r83;
      r85 = (uchar)(r32 < r80);
      r86 = r84 | r85;
      r87 = r86 ? r80 : r32;
      r32 = r87;
      r88 = r86 ? r81 : r33;
      r33 = r88;
      barrier(CLK_LOCAL_MEM_FENCE);
      x_uint[get_local_id(0)] = r32;
      barrier(CLK_LOCAL_MEM_FENCE);
      r89 = x_uint[get_local_id(0) ^ 1];
      barrier(CLK_LOCAL_MEM_FENCE);
      x_int[get_local_id(0)] = r33;
      barrier(CLK_LOCAL_MEM_FENCE);
      r90 = x_int[get_local_id(0) ^ 1];
      r91 = (uchar)(r32 == r89);
      r92 = (uchar)(r90 < r33);
      r93 = r91 & r92;
      r94 = (uchar)(r32 < r89);
      r95 = r93 | r94;
      r96 = r95 ? r89 : r32;
      r32 = r96;
      r97 = r95 ? r90 : r33;
      r33 = r97;
      r99 = r0 & 31;
      r101 = (uchar)(r99 == 0);
      if (r101) {
        r103 = (int)(r0 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
        a0[r103] = r32;
        r105 = (int)(r0 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
        a1[r105] = r33;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r107 = a0[0];
      r109 = a1[0];
      r110 = (uchar)(r32 == r107);
      r111 = (uchar)(r109 < r33);
      r112 = r110 & r111;
      r113 = (uchar)(r32 < r107);
      r114 = r112 | r113;
      r115 = r114 ? r107 : r32;
      r32 = r115;
      r116 = r114 ? r109 : r33;
      r33 = r116;
      r118 = a0[1];
      r120 = a1[1];
      r121 = (uchar)(r32 == r118);
      r122 = (uchar)(r120 < r33);
      r123 = r121 & r122;
      r124 = (uchar)(r32 < r118);
      r125 = r123 | r124;
      r126 = r125 ? r118 : r32;
      r32 = r126;
      r127 = r125 ? r120 : r33;
      r33 = r127;
      r129 = (uchar)(r32 == 0u);
      r132 = r129 ? 0 : 32;
      r134 = (uchar)(r0 == 63);
      if (r134) {
        r136 = (int)((uint)r27 * (uint)33);
        r137 = (int)((uint)r136 + (uint)r27);
        r138 = a4[r137];
        r139 = r138;
        r140 = as_uint(r139);
        r142 = r140 & 2147483647u;
        r143 = r32 > r142 ? r32 : r142;
        r144 = as_float(r143);
        r145 = convert_double_rte(r144);
        r147 = (uchar)(r145 < as_double(0x0010000000000000ul));
        r149 = r145 * as_double(0x4350000000000000ul);
        r150 = r147 ? r149 : r145;
        r151 = as_ulong(r150);
        r153 = 0x34ul < 64 ? (ulong)(r151 >> 0x34ul) : (ulong)0;
        r154 = (int)r153;
        r155 = convert_double_rte(r154);
        r158 = r147 ? as_double(0x4090d00000000000ul) : as_double(0x408ff00000000000ul);
        r159 = r155 - r158;
        r161 = (uchar)(r145 < as_double(0x7ff0000000000000ul));
        r163 = r161 ? r159 : as_double(0x0000000000000000ul);
        r164 = as_double(as_ulong(r163) ^ 0x8000000000000000ul);
        r166 = (as_double(0x3ff0000000000000ul) * as_double((clamp(convert_long_sat_rtn(r164 * 0.5), -1022l, 1023l) + 1023l) << 52)) * as_double((clamp(convert_long_sat_rtz(r164) - clamp(convert_long_sat_rtn(r164 * 0.5), -1022l, 1023l), -1022l, 1023l) + 1023l) << 52);
        r168 = as_double(0x0000000000000000ul);
        #pragma clang loop vectorize(disable)
        for (r170 = r27; r170 < r132; r170 += 1) {
          r172 = (int)((uint)r27 * (uint)33);
          r173 = (int)((uint)r172 + (uint)r170);
          r174 = a4[r173];
          r175 = convert_double_rte(r174);
          r176 = r175 * r166;
          r177 = fma(r176, r176, r168);
          r168 = r177;
        }
        r178 = sqrt(r168);
        r179 = (r178 * as_double((clamp(convert_long_sat_rtn(r163 * 0.5), -1022l, 1023l) + 1023l) << 52)) * as_double((clamp(convert_long_sat_rtz(r163) - clamp(convert_long_sat_rtn(r163 * 0.5), -1022l, 1023l), -1022l, 1023l) + 1023l) << 52);
        r181 = (uchar)(r140 < 2147483648u);
        r182 = as_double(as_ulong(r179) ^ 0x8000000000000000ul);
        r183 = r181 ? r182 : r179;
        r184 = convert_float_rte(r183);
        r185 = convert_double_rte(r139);
        r186 = convert_double_rte(r184);
        r187 = r186 - r185;
        r188 = r187 / r186;
        r189 = convert_float_rte(r188);
        r190 = r185 - r186;
        r191 = convert_float_rte(r190);
        r193 = r129 ? as_float(0x00000000u) : r189;
        a2[0] = r193;
        a2[1] = r191;
        r196 = r129 ? r139 : r184;
        r198 = (int)((uint)r27 * (uint)33);
        r199 = (int)((uint)r198 + (uint)r27);
        a4[r199] = r196;
        r202 = (int)((uint)r4 * (uint)64);
        r203 = (int)((uint)r202 + (uint)r27);
        r204 = (int)((uint)r203 + (uint)0);
        r206 = (int)((uint)r204 + (uint)32);
        r207 = r193 != r193 ? as_float(0x7fc00000u) : r193;
        b1[r206] = r207;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r209 = a2[0];
      r211 = a2[1];
      r212 = (int)((uint)r29 + (uint)r0);
      #pragma clang loop vectorize(disable)
      for (r214 = r212; r214 < r132; r214 += 64) {
        r216 = (int)((uint)r27 * (uint)33);
        r217 = (int)((uint)r216 + (uint)r214);
        r218 = a4[r217];
        r219 = r218 / r211;
        r221 = (int)((uint)r27 * (uint)33);
        r222 = (int)((uint)r221 + (uint)r214);
        a4[r222] = r219;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r223 = (int)((uint)r29 + (uint)r0);
      r226 = r129 ? 0 : 32;
      #pragma clang loop vectorize(disable)
      for (r228 = r223; r228 < r226; r228 += 64) {
        r230 = (int)((uint)r228 * (uint)33);
        r231 = (int)((uint)r230 + (uint)r27);
        r232 = a4[r231];
        r234 = r232 + as_float(0x00000000u);
        r235 = r234;
        #pragma clang loop vectorize(disable)
        for (r237 = r29; r237 < r132; r237 += 1) {
          r239 = (int)((uint)r27 * (uint)33);
          r240 = (int)((uint)r239 + (uint)r237);
          r241 = a4[r240];
          r243 = (int)((uint)r228 * (uint)33);
          r244 = (int)((uint)r243 + (uint)r237);
          r245 = a4[r244];
          r246 = fma(r241, r245, r235);
          r235 = r246;
        }
        r248 = fma(r235, r209, as_float(0x00000000u));
        a3[r228] = r248;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r250 = r0 & 31;
      r251 = (int)((uint)r27 + (uint)r250);
      #pragma clang loop vectorize(disable)
      for (r253 = r251; r253 < r132; r253 += 32) {
        r254 = (uchar)(r253 == r27);
        r256 = convert_float_rte(1);
        r258 = (int)((uint)r27 * (uint)33);
        r259 = (int)((uint)r258 + (uint)r253);
        r260 = a4[r259];
        r261 = r254 ? r256 : r260;
        r263 = (int)(r0 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
        r264 = (int)((uint)r29 + (uint)r263);
        #pragma clang loop vectorize(disable)
        for (r267 = r264; r267 < 32; r267 += 2) {
          r268 = a3[r267];
          r270 = (int)((uint)r267 * (uint)33);
          r271 = (int)((uint)r270 + (uint)r253);
          r272 = a4[r271];
          r273 = as_float(as_uint(r261) ^ 0x80000000u);
          r274 = fma(r273, r268, r272);
          r276 = (int)((uint)r267 * (uint)33);
          r277 = (int)((uint)r276 + (uint)r253);
          a4[r277] = r274;
        }
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    #pragma clang loop vectorize(disable)
    for (r280 = r0; r280 < 1024; r280 += 64) {
      r282 = (int)(r280 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
      r284 = r280 & 31;
      r286 = (int)((uint)r4 * (uint)4096);
      r288 = (int)((uint)r282 * (uint)64);
      r289 = (int)((uint)r286 + (uint)r288);
      r290 = (int)((uint)r289 + (uint)r284);
      r292 = (int)((uint)r290 + (uint)2080);
      r294 = (int)((uint)r284 * (uint)33);
      r295 = (int)((uint)r294 + (uint)r282);
      r296 = a4[r295];
      r297 = r296 != r296 ? as_float(0x7fc00000u) : r296;
      b0[r292] = r297;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
