#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void k0_reflect(__global uchar *m0, long o0, __global uchar *m1, long o1) {
  __global double *b0 = (__global double *)(m0 + o0);
  __global double *b1 = (__global double *)(m1 + o1);
  __local ulong a0[2];
  __local int a1[2];
  __local double a2[2];
  __local double a3[32];
  __local double a4[1056];
  __local ulong x_ulong[64];
  __local int x_int[64];
  uchar r46, r47, r48, r49, r50, r55, r56, r57, r58, r59, r64, r65, r66, r67, r68, r73;
  uchar r74, r75, r76, r77, r82, r83, r84, r85, r86, r91, r92, r93, r94, r95, r101, r110;
  uchar r111, r112, r113, r114, r121, r122, r123, r124, r125, r129, r134, r146, r160, r177, r245;
  int r0, r1, r2, r4, r7, r9, r11, r13, r15, r16, r17, r19, r22, r23, r27, r29;
  int r30, r33, r36, r38, r39, r52, r54, r61, r63, r70, r72, r79, r81, r88, r90, r97;
  int r99, r103, r105, r109, r116, r120, r127, r132, r136, r137, r153, r167, r169, r170, r189, r190;
  int r193, r194, r195, r197, r203, r205, r207, r208, r212, r213, r214, r217, r219, r221, r222, r228;
  int r230, r231, r234, r235, r241, r242, r244, r249, r250, r254, r255, r258, r261, r262, r267, r268;
  int r271, r273, r275, r277, r279, r280, r281, r283, r285, r286;
  ulong r32, r41, r43, r45, r51, r53, r60, r62, r69, r71, r78, r80, r87, r89, r96, r107;
  ulong r115, r118, r126, r140, r142, r143, r150, r152;
  double r20, r40, r138, r139, r144, r148, r149, r154, r157, r158, r162, r163, r165, r171, r172, r173;
  double r174, r175, r178, r179, r180, r181, r182, r184, r187, r198, r200, r202, r209, r210, r223, r225;
  double r226, r232, r236, r237, r239, r247, r251, r252, r259, r263, r264, r265, r287, r288;
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
      r32 = 0x0ul;
      r33 = r30;
      #pragma clang loop vectorize(disable)
      for (r36 = r30; r36 < 32; r36 += 64) {
        r38 = (int)((uint)r27 * (uint)33);
        r39 = (int)((uint)r38 + (uint)r36);
        r40 = a4[r39];
        r41 = as_ulong(r40);
        r43 = r41 & 0x7ffffffffffffffful;
        r45 = r43 < 0x7ff0000000000001ul ? r43 : 0x7ff0000000000001ul;
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
      x_ulong[get_local_id(0)] = r32;
      barrier(CLK_LOCAL_MEM_FENCE);
      r53 = x_ulong[get_local_id(0) ^ 16];
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
      x_ulong[get_local_id(0)] = r32;
      barrier(CLK_LOCAL_MEM_FENCE);
      r62 = x_ulong[get_local_id(0) ^ 8];
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
      x_ulong[get_local_id(0)] = r32;
      barrier(CLK_LOCAL_MEM_FENCE);
      r71 = x_ulong[get_local_id(0) ^ 4];
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
      x_ulong[get_local_id(0)] = r32;
      barrier(CLK_LOCAL_MEM_FENCE);
      r80 = x_ulong[get_local_id(0) ^ 2];
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
      x_ulong[get_local_id(0)] = r32;
      barrier(CLK_LOCAL_MEM_FENCE);
      r89 = x_ulong[get_local_id(0) ^ 1];
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
      r129 = (uchar)(r32 == 0x0ul);
      r132 = r129 ? 0 : 32;
      r134 = (uchar)(r0 == 63);
      if (r134) {
        r136 = (int)((uint)r27 * (uint)33);
        r137 = (int)((uint)r136 + (uint)r27);
        r138 = a4[r137];
        r139 = r138;
        r140 = as_ulong(r139);
        r142 = r140 & 0x7ffffffffffffffful;
        r143 = r32 > r142 ? r32 : r142;
        r144 = as_double(r143);
        r146 = (uchar)(r144 < as_double(0x0010000000000000ul));
        r148 = r144 * as_double(0x4350000000000000ul);
        r149 = r146 ? r148 : r144;
        r150 = as_ulong(r149);
        r152 = 0x34ul < 64 ? (ulong)(r150 >> 0x34ul) : (ulong)0;
        r153 = (int)r152;
        r154 = convert_double_rte(r153);
        r157 = r146 ? as_double(0x4090d00000000000ul) : as_double(0x408ff00000000000ul);
        r158 = r154 - r157;
        r160 = (uchar)(r144 < as_double(0x7ff0000000000000ul));
        r162 = r160 ? r158 : as_double(0x0000000000000000ul);
        r163 = as_double(as_ulong(r162) ^ 0x8000000000000000ul);
        r165 = as_double(0x0000000000000000ul);
        #pragma clang loop vectorize(disable)
        for (r167 = r27; r167 < r132; r167 += 1) {
          r169 = (int)((uint)r27 * (uint)33);
          r170 = (int)((uint)r169 + (uint)r167);
          r171 = a4[r170];
          r172 = (r171 * as_double((clamp(convert_long_sat_rtn(r163 * 0.5), -1022l, 1023l) + 1023l) << 52)) * as_double((clamp(convert_long_sat_rtz(r163) - clamp(convert_long_sat_rtn(r163 * 0.5), -1022l, 1023l), -1022l, 1023l) + 1023l) << 52);
          r173 = fma(r172, r172, r165);
          r165 = r173;
        }
        r174 = sqrt(r165);
        r175 = (r174 * as_double((clamp(convert_long_sat_rtn(r162 * 0.5), -1022l, 1023l) + 1023l) << 52)) * as_double((clamp(convert_long_sat_rtz(r162) - clamp(convert_long_sat_rtn(r162 * 0.5), -1022l, 1023l), -1022l, 1023l) + 1023l) << 52);
        r177 = (uchar)(r140 < 0x8000000000000000ul);
        r178 = as_double(as_ulong(r175) ^ 0x8000000000000000ul);
        r179 = r177 ? r178 : r175;
        r180 = r179 - r139;
        r181 = r180 / r179;
        r182 = r139 - r179;
        r184 = r129 ? as_double(0x0000000000000000ul) : r181;
        a2[0] = r184;
        a2[1] = r182;
        r187 = r129 ? r139 : r179;
        r189 = (int)((uint)r27 * (uint)33);
        r190 = (int)((uint)r189 + (uint)r27);
        a4[r190] = r187;
        r193 = (int)((uint)r4 * (uint)64);
        r194 = (int)((uint)r193 + (uint)r27);
        r195 = (int)((uint)r194 + (uint)0);
        r197 = (int)((uint)r195 + (uint)32);
        r198 = r184 != r184 ? as_double(0x7ff8000000000000ul) : r184;
        b1[r197] = r198;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r200 = a2[0];
      r202 = a2[1];
      r203 = (int)((uint)r29 + (uint)r0);
      #pragma clang loop vectorize(disable)
      for (r205 = r203; r205 < r132; r205 += 64) {
        r207 = (int)((uint)r27 * (uint)33);
        r208 = (int)((uint)r207 + (uint)r205);
        r209 = a4[r208];
        r210 = r209 / r202;
        r212 = (int)((uint)r27 * (uint)33);
        r213 = (int)((uint)r212 + (uint)r205);
        a4[r213] = r210;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r214 = (int)((uint)r29 + (uint)r0);
      r217 = r129 ? 0 : 32;
      #pragma clang loop vectorize(disable)
      for (r219 = r214; r219 < r217; r219 += 64) {
        r221 = (int)((uint)r219 * (uint)33);
        r222 = (int)((uint)r221 + (uint)r27);
        r223 = a4[r222];
        r225 = r223 + as_double(0x0000000000000000ul);
        r226 = r225;
        #pragma clang loop vectorize(disable)
        for (r228 = r29; r228 < r132; r228 += 1) {
          r230 = (int)((uint)r27 * (uint)33);
          r231 = (int)((uint)r230 + (uint)r228);
          r232 = a4[r231];
          r234 = (int)((uint)r219 * (uint)33);
          r235 = (int)((uint)r234 + (uint)r228);
          r236 = a4[r235];
          r237 = fma(r232, r236, r226);
          r226 = r237;
        }
        r239 = fma(r226, r200, as_double(0x0000000000000000ul));
        a3[r219] = r239;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r241 = r0 & 31;
      r242 = (int)((uint)r27 + (uint)r241);
      #pragma clang loop vectorize(disable)
      for (r244 = r242; r244 < r132; r244 += 32) {
        r245 = (uchar)(r244 == r27);
        r247 = convert_double_rte(1);
        r249 = (int)((uint)r27 * (uint)33);
        r250 = (int)((uint)r249 + (uint)r244);
        r251 = a4[r250];
        r252 = r245 ? r247 : r251;
        r254 = (int)(r0 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
        r255 = (int)((uint)r29 + (uint)r254);
        #pragma clang loop vectorize(disable)
        for (r258 = r255; r258 < 32; r258 += 2) {
          r259 = a3[r258];
          r261 = (int)((uint)r258 * (uint)33);
          r262 = (int)((uint)r261 + (uint)r244);
          r263 = a4[r262];
          r264 = as_double(as_ulong(r252) ^ 0x8000000000000000ul);
          r265 = fma(r264, r259, r263);
          r267 = (int)((uint)r258 * (uint)33);
          r268 = (int)((uint)r267 + (uint)r244);
          a4[r268] = r265;
        }
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    #pragma clang loop vectorize(disable)
    for (r271 = r0; r271 < 1024; r271 += 64) {
      r273 = (int)(r271 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
      r275 = r271 & 31;
      r277 = (int)((uint)r4 * (uint)4096);
      r279 = (int)((uint)r273 * (uint)64);
      r280 = (int)((uint)r277 + (uint)r279);
      r281 = (int)((uint)r280 + (uint)r275);
      r283 = (int)((uint)r281 + (uint)2080);
      r285 = (int)((uint)r275 * (uint)33);
      r286 = (int)((uint)r285 + (uint)r273);
      r287 = a4[r286];
      r288 = r287 != r287 ? as_double(0x7ff8000000000000ul) : r287;
      b0[r283] = r288;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
