#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void k0_reflect(__global uchar *m0, long o0, __global uchar *m1, long o1, long s0, long s1, long s2, long s3, long s4, long s5) {
  __global double *b0 = (__global double *)(m0 + o0);
  __global double *b1 = (__global double *)(m1 + o1);
  __local ulong a0[2];
  __local int a1[2];
  __local double a2[2];
  __local double a3[32];
  __local double a4[6016];
  __local ulong x_ulong[64];
  __local int x_int[64];
  uchar r50, r51, r52, r53, r54, r59, r60, r61, r62, r63, r68, r69, r70, r71, r72, r77;
  uchar r78, r79, r80, r81, r86, r87, r88, r89, r90, r95, r96, r97, r98, r99, r105, r114;
  uchar r115, r116, r117, r118, r125, r126, r127, r128, r129, r133, r137, r144, r158, r175, r246;
  int r0, r1, r2, r4, r5, r6, r8, r9, r11, r12, r13, r14, r16, r18, r19, r20;
  int r21, r22, r24, r25, r27, r29, r31, r32, r33, r36, r39, r41, r42, r43, r56, r58;
  int r65, r67, r74, r76, r83, r85, r92, r94, r101, r103, r107, r109, r113, r120, r124, r131;
  int r135, r151, r165, r166, r167, r189, r190, r193, r194, r195, r196, r197, r203, r205, r206, r207;
  int r210, r211, r212, r214, r216, r218, r219, r225, r226, r227, r229, r230, r242, r243, r245, r248;
  int r249, r253, r254, r256, r258, r259, r263, r264, r265, r267, r268, r269, r270, r272, r274, r275;
  int r276, r277, r278, r279, r280;
  ulong r38, r45, r47, r49, r55, r57, r64, r66, r73, r75, r82, r84, r91, r93, r100, r111;
  ulong r119, r122, r130, r138, r140, r141, r148, r150, r173;
  double r23, r34, r35, r44, r142, r146, r147, r152, r155, r156, r160, r161, r163, r168, r169, r170;
  double r171, r172, r176, r177, r179, r180, r181, r182, r183, r185, r188, r198, r200, r202, r208, r209;
  double r220, r222, r223, r228, r231, r232, r235, r236, r237, r238, r239, r240, r250, r251, r257, r260;
  double r261, r262, r281, r282;
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
      r38 = 0x0ul;
      r39 = r36;
      #pragma clang loop vectorize(disable)
      for (r41 = r36; r41 < r5; r41 += 64) {
        r42 = (int)((uint)r29 * (uint)r8);
        r43 = (int)((uint)r42 + (uint)r41);
        r44 = a4[r43];
        r45 = as_ulong(r44);
        r47 = r45 & 0x7ffffffffffffffful;
        r49 = r47 < 0x7ff0000000000001ul ? r47 : 0x7ff0000000000001ul;
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
      x_ulong[get_local_id(0)] = r38;
      barrier(CLK_LOCAL_MEM_FENCE);
      r57 = x_ulong[get_local_id(0) ^ 16];
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
      x_ulong[get_local_id(0)] = r38;
      barrier(CLK_LOCAL_MEM_FENCE);
      r66 = x_ulong[get_local_id(0) ^ 8];
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
      x_ulong[get_local_id(0)] = r38;
      barrier(CLK_LOCAL_MEM_FENCE);
      r75 = x_ulong[get_local_id(0) ^ 4];
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
      x_ulong[get_local_id(0)] = r38;
      barrier(CLK_LOCAL_MEM_FENCE);
      r84 = x_ulong[get_local_id(0) ^ 2];
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
      x_ulong[get_local_id(0)] = r38;
      barrier(CLK_LOCAL_MEM_FENCE);
      r93 = x_ulong[get_local_id(0) ^ 1];
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
      r133 = (uchar)(r38 == 0x0ul);
      r135 = r133 ? 0 : r5;
      r137 = (uchar)(r0 == 63);
      if (r137) {
        r138 = as_ulong(r35);
        r140 = r138 & 0x7ffffffffffffffful;
        r141 = r38 > r140 ? r38 : r140;
        r142 = as_double(r141);
        r144 = (uchar)(r142 < as_double(0x0010000000000000ul));
        r146 = r142 * as_double(0x4350000000000000ul);
        r147 = r144 ? r146 : r142;
        r148 = as_ulong(r147);
        r150 = 0x34ul < 64 ? (ulong)(r148 >> 0x34ul) : (ulong)0;
        r151 = (int)r150;
        r152 = convert_double_rte(r151);
        r155 = r144 ? as_double(0x4090d00000000000ul) : as_double(0x408ff00000000000ul);
        r156 = r152 - r155;
        r158 = (uchar)(r142 < as_double(0x7ff0000000000000ul));
        r160 = r158 ? r156 : as_double(0x0000000000000000ul);
        r161 = as_double(as_ulong(r160) ^ 0x8000000000000000ul);
        r163 = as_double(0x0000000000000000ul);
        #pragma clang loop vectorize(disable)
        for (r165 = r29; r165 < r135; r165 += 1) {
          r166 = (int)((uint)r29 * (uint)r8);
          r167 = (int)((uint)r166 + (uint)r165);
          r168 = a4[r167];
          r169 = (r168 * as_double((clamp(convert_long_sat_rtn(r161 * 0.5), -1022l, 1023l) + 1023l) << 52)) * as_double((clamp(convert_long_sat_rtz(r161) - clamp(convert_long_sat_rtn(r161 * 0.5), -1022l, 1023l), -1022l, 1023l) + 1023l) << 52);
          r170 = fma(r169, r169, r163);
          r163 = r170;
        }
        r171 = sqrt(r163);
        r172 = (r171 * as_double((clamp(convert_long_sat_rtn(r160 * 0.5), -1022l, 1023l) + 1023l) << 52)) * as_double((clamp(convert_long_sat_rtz(r160) - clamp(convert_long_sat_rtn(r160 * 0.5), -1022l, 1023l), -1022l, 1023l) + 1023l) << 52);
        r173 = as_ulong(r35);
        r175 = (uchar)(r173 < 0x8000000000000000ul);
        r176 = as_double(as_ulong(r172) ^ 0x8000000000000000ul);
        r177 = r175 ? r176 : r172;
        r179 = r177 - r35;
        r180 = r179 / r177;
        r181 = as_double(as_ulong(as_double(0x0000000000000000ul)) ^ 0x8000000000000000ul);
        r182 = r181 / r177;
        r183 = r35 - r177;
        r185 = r133 ? as_double(0x0000000000000000ul) : r180;
        a2[0] = r185;
        a2[1] = r183;
        r188 = r133 ? r35 : r177;
        r189 = (int)((uint)r29 * (uint)r8);
        r190 = (int)((uint)r189 + (uint)r29);
        a4[r190] = r188;
        r193 = (int)((uint)r4 * (uint)64);
        r194 = (int)((uint)r193 + (uint)r29);
        r195 = (int)((uint)r194 + (uint)0);
        r196 = (int)s5;
        r197 = (int)((uint)r195 + (uint)r196);
        r198 = r185 != r185 ? as_double(0x7ff8000000000000ul) : r185;
        b1[r197] = r198;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r200 = a2[0];
      r202 = a2[1];
      r203 = (int)((uint)r31 + (uint)r0);
      #pragma clang loop vectorize(disable)
      for (r205 = r203; r205 < r135; r205 += 64) {
        r206 = (int)((uint)r29 * (uint)r8);
        r207 = (int)((uint)r206 + (uint)r205);
        r208 = a4[r207];
        r209 = r208 / r202;
        r210 = (int)((uint)r29 * (uint)r8);
        r211 = (int)((uint)r210 + (uint)r205);
        a4[r211] = r209;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r212 = (int)((uint)r31 + (uint)r0);
      r214 = r133 ? 0 : r6;
      #pragma clang loop vectorize(disable)
      for (r216 = r212; r216 < r214; r216 += 64) {
        r218 = (int)((uint)r216 * (uint)r8);
        r219 = (int)((uint)r218 + (uint)r29);
        r220 = a4[r219];
        r222 = fma(as_double(0x3ff0000000000000ul), r220, as_double(0x0000000000000000ul));
        r223 = r222;
        #pragma clang loop vectorize(disable)
        for (r225 = r31; r225 < r135; r225 += 1) {
          r226 = (int)((uint)r29 * (uint)r8);
          r227 = (int)((uint)r226 + (uint)r225);
          r228 = a4[r227];
          r229 = (int)((uint)r216 * (uint)r8);
          r230 = (int)((uint)r229 + (uint)r225);
          r231 = a4[r230];
          r232 = fma(r228, r231, r223);
          r223 = r232;
        }
        r235 = as_double(as_ulong(as_double(0x0000000000000000ul)) ^ 0x8000000000000000ul);
        r236 = as_double(0x0000000000000000ul) * r235;
        r237 = as_double(as_ulong(r236) ^ 0x8000000000000000ul);
        r238 = fma(r223, r200, r237);
        r239 = as_double(0x0000000000000000ul) * r200;
        r240 = fma(r223, r235, r239);
        a3[r216] = r238;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r242 = r0 & 31;
      r243 = (int)((uint)r29 + (uint)r242);
      #pragma clang loop vectorize(disable)
      for (r245 = r243; r245 < r135; r245 += 32) {
        r246 = (uchar)(r245 == r29);
        r248 = (int)((uint)r29 * (uint)r8);
        r249 = (int)((uint)r248 + (uint)r245);
        r250 = a4[r249];
        r251 = r246 ? as_double(0x3ff0000000000000ul) : r250;
        r253 = (int)(r0 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
        r254 = (int)((uint)r31 + (uint)r253);
        #pragma clang loop vectorize(disable)
        for (r256 = r254; r256 < r6; r256 += 2) {
          r257 = a3[r256];
          r258 = (int)((uint)r256 * (uint)r8);
          r259 = (int)((uint)r258 + (uint)r245);
          r260 = a4[r259];
          r261 = as_double(as_ulong(r251) ^ 0x8000000000000000ul);
          r262 = fma(r261, r257, r260);
          r263 = (int)((uint)r256 * (uint)r8);
          r264 = (int)((uint)r263 + (uint)r245);
          a4[r264] = r262;
        }
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    r265 = (int)((uint)r5 * (uint)r6);
    #pragma clang loop vectorize(disable)
    for (r267 = r0; r267 < r265; r267 += 64) {
      r268 = r6 == 0 ? (int)-1 : r6 == -1 ? (int)(0 - (uint)r267) : (int)(r267 / r6);
      r269 = (int)((uint)r268 * (uint)r6);
      r270 = (int)((uint)r267 - (uint)r269);
      r272 = (int)((uint)r4 * (uint)4096);
      r274 = (int)((uint)r268 * (uint)64);
      r275 = (int)((uint)r272 + (uint)r274);
      r276 = (int)((uint)r275 + (uint)r270);
      r277 = (int)s4;
      r278 = (int)((uint)r276 + (uint)r277);
      r279 = (int)((uint)r270 * (uint)r8);
      r280 = (int)((uint)r279 + (uint)r268);
      r281 = a4[r280];
      r282 = r281 != r281 ? as_double(0x7ff8000000000000ul) : r281;
      b0[r278] = r282;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
