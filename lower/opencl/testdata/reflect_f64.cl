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
  uchar r46, r47, r48, r49, r50, r55, r56, r57, r58, r59, r64, r65, r66, r67, r68, r73;
  uchar r74, r75, r76, r77, r82, r83, r84, r85, r86, r91, r92, r93, r94, r95, r101, r110;
  uchar r111, r112, r113, r114, r121, r122, r123, r124, r125, r129, r133, r144, r158, r174, r235;
  int r0, r1, r2, r4, r5, r6, r8, r9, r11, r12, r13, r14, r16, r18, r19, r20;
  int r21, r22, r24, r25, r27, r29, r31, r32, r35, r37, r38, r39, r52, r54, r61, r63;
  int r70, r72, r79, r81, r88, r90, r97, r99, r103, r105, r109, r116, r120, r127, r131, r134;
  int r135, r151, r165, r166, r167, r185, r186, r189, r190, r191, r192, r193, r199, r201, r202, r203;
  int r206, r207, r208, r210, r212, r213, r214, r220, r221, r222, r224, r225, r231, r232, r234, r238;
  int r239, r243, r244, r246, r248, r249, r253, r254, r255, r257, r258, r259, r260, r262, r264, r265;
  int r266, r267, r268, r269, r270;
  ulong r34, r41, r43, r45, r51, r53, r60, r62, r69, r71, r78, r80, r87, r89, r96, r107;
  ulong r115, r118, r126, r138, r140, r141, r148, r150;
  double r23, r40, r136, r137, r142, r146, r147, r152, r155, r156, r160, r161, r163, r168, r169, r170;
  double r171, r172, r175, r176, r177, r178, r179, r181, r184, r194, r196, r198, r204, r205, r215, r217;
  double r218, r223, r226, r227, r229, r237, r240, r241, r247, r250, r251, r252, r271, r272;
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
      r34 = 0x0ul;
      r35 = r32;
      #pragma clang loop vectorize(disable)
      for (r37 = r32; r37 < r5; r37 += 64) {
        r38 = (int)((uint)r29 * (uint)r8);
        r39 = (int)((uint)r38 + (uint)r37);
        r40 = a4[r39];
        r41 = as_ulong(r40);
        r43 = r41 & 0x7ffffffffffffffful;
        r45 = r43 < 0x7ff0000000000001ul ? r43 : 0x7ff0000000000001ul;
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
      x_ulong[get_local_id(0)] = r34;
      barrier(CLK_LOCAL_MEM_FENCE);
      r53 = x_ulong[get_local_id(0) ^ 16];
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
      x_ulong[get_local_id(0)] = r34;
      barrier(CLK_LOCAL_MEM_FENCE);
      r62 = x_ulong[get_local_id(0) ^ 8];
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
      x_ulong[get_local_id(0)] = r34;
      barrier(CLK_LOCAL_MEM_FENCE);
      r71 = x_ulong[get_local_id(0) ^ 4];
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
      x_ulong[get_local_id(0)] = r34;
      barrier(CLK_LOCAL_MEM_FENCE);
      r80 = x_ulong[get_local_id(0) ^ 2];
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
      x_ulong[get_local_id(0)] = r34;
      barrier(CLK_LOCAL_MEM_FENCE);
      r89 = x_ulong[get_local_id(0) ^ 1];
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
      r129 = (uchar)(r34 == 0x0ul);
      r131 = r129 ? 0 : r5;
      r133 = (uchar)(r0 == 63);
      if (r133) {
        r134 = (int)((uint)r29 * (uint)r8);
        r135 = (int)((uint)r134 + (uint)r29);
        r136 = a4[r135];
        r137 = r136;
        r138 = as_ulong(r137);
        r140 = r138 & 0x7ffffffffffffffful;
        r141 = r34 > r140 ? r34 : r140;
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
        for (r165 = r29; r165 < r131; r165 += 1) {
          r166 = (int)((uint)r29 * (uint)r8);
          r167 = (int)((uint)r166 + (uint)r165);
          r168 = a4[r167];
          r169 = (r168 * as_double((clamp(convert_long_sat_rtn(r161 * 0.5), -1022l, 1023l) + 1023l) << 52)) * as_double((clamp(convert_long_sat_rtz(r161) - clamp(convert_long_sat_rtn(r161 * 0.5), -1022l, 1023l), -1022l, 1023l) + 1023l) << 52);
          r170 = fma(r169, r169, r163);
          r163 = r170;
        }
        r171 = sqrt(r163);
        r172 = (r171 * as_double((clamp(convert_long_sat_rtn(r160 * 0.5), -1022l, 1023l) + 1023l) << 52)) * as_double((clamp(convert_long_sat_rtz(r160) - clamp(convert_long_sat_rtn(r160 * 0.5), -1022l, 1023l), -1022l, 1023l) + 1023l) << 52);
        r174 = (uchar)(r138 < 0x8000000000000000ul);
        r175 = as_double(as_ulong(r172) ^ 0x8000000000000000ul);
        r176 = r174 ? r175 : r172;
        r177 = r176 - r137;
        r178 = r177 / r176;
        r179 = r137 - r176;
        r181 = r129 ? as_double(0x0000000000000000ul) : r178;
        a2[0] = r181;
        a2[1] = r179;
        r184 = r129 ? r137 : r176;
        r185 = (int)((uint)r29 * (uint)r8);
        r186 = (int)((uint)r185 + (uint)r29);
        a4[r186] = r184;
        r189 = (int)((uint)r4 * (uint)64);
        r190 = (int)((uint)r189 + (uint)r29);
        r191 = (int)((uint)r190 + (uint)0);
        r192 = (int)s5;
        r193 = (int)((uint)r191 + (uint)r192);
        r194 = r181 != r181 ? as_double(0x7ff8000000000000ul) : r181;
        b1[r193] = r194;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r196 = a2[0];
      r198 = a2[1];
      r199 = (int)((uint)r31 + (uint)r0);
      #pragma clang loop vectorize(disable)
      for (r201 = r199; r201 < r131; r201 += 64) {
        r202 = (int)((uint)r29 * (uint)r8);
        r203 = (int)((uint)r202 + (uint)r201);
        r204 = a4[r203];
        r205 = r204 / r198;
        r206 = (int)((uint)r29 * (uint)r8);
        r207 = (int)((uint)r206 + (uint)r201);
        a4[r207] = r205;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r208 = (int)((uint)r31 + (uint)r0);
      r210 = r129 ? 0 : r6;
      #pragma clang loop vectorize(disable)
      for (r212 = r208; r212 < r210; r212 += 64) {
        r213 = (int)((uint)r212 * (uint)r8);
        r214 = (int)((uint)r213 + (uint)r29);
        r215 = a4[r214];
        r217 = r215 + as_double(0x0000000000000000ul);
        r218 = r217;
        #pragma clang loop vectorize(disable)
        for (r220 = r31; r220 < r131; r220 += 1) {
          r221 = (int)((uint)r29 * (uint)r8);
          r222 = (int)((uint)r221 + (uint)r220);
          r223 = a4[r222];
          r224 = (int)((uint)r212 * (uint)r8);
          r225 = (int)((uint)r224 + (uint)r220);
          r226 = a4[r225];
          r227 = fma(r223, r226, r218);
          r218 = r227;
        }
        r229 = fma(r218, r196, as_double(0x0000000000000000ul));
        a3[r212] = r229;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r231 = r0 & 31;
      r232 = (int)((uint)r29 + (uint)r231);
      #pragma clang loop vectorize(disable)
      for (r234 = r232; r234 < r131; r234 += 32) {
        r235 = (uchar)(r234 == r29);
        r237 = convert_double_rte(1);
        r238 = (int)((uint)r29 * (uint)r8);
        r239 = (int)((uint)r238 + (uint)r234);
        r240 = a4[r239];
        r241 = r235 ? r237 : r240;
        r243 = (int)(r0 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
        r244 = (int)((uint)r31 + (uint)r243);
        #pragma clang loop vectorize(disable)
        for (r246 = r244; r246 < r6; r246 += 2) {
          r247 = a3[r246];
          r248 = (int)((uint)r246 * (uint)r8);
          r249 = (int)((uint)r248 + (uint)r234);
          r250 = a4[r249];
          r251 = as_double(as_ulong(r241) ^ 0x8000000000000000ul);
          r252 = fma(r251, r247, r250);
          r253 = (int)((uint)r246 * (uint)r8);
          r254 = (int)((uint)r253 + (uint)r234);
          a4[r254] = r252;
        }
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    r255 = (int)((uint)r5 * (uint)r6);
    #pragma clang loop vectorize(disable)
    for (r257 = r0; r257 < r255; r257 += 64) {
      r258 = r6 == 0 ? (int)-1 : r6 == -1 ? (int)(0 - (uint)r257) : (int)(r257 / r6);
      r259 = (int)((uint)r258 * (uint)r6);
      r260 = (int)((uint)r257 - (uint)r259);
      r262 = (int)((uint)r4 * (uint)4096);
      r264 = (int)((uint)r258 * (uint)64);
      r265 = (int)((uint)r262 + (uint)r264);
      r266 = (int)((uint)r265 + (uint)r260);
      r267 = (int)s4;
      r268 = (int)((uint)r266 + (uint)r267);
      r269 = (int)((uint)r260 * (uint)r8);
      r270 = (int)((uint)r269 + (uint)r258);
      r271 = a4[r270];
      r272 = r271 != r271 ? as_double(0x7ff8000000000000ul) : r271;
      b0[r268] = r272;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
