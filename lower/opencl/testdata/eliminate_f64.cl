#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void k0_eliminate(__global const uchar *m0, long o0, __global uchar *m1, long o1, __global uchar *m2, long o2) {
  __global const double *b0 = (__global const double *)(m0 + o0);
  __global double *b1 = (__global double *)(m1 + o1);
  __global int *b2 = (__global int *)(m2 + o2);
  __local ulong a0[8];
  __local int a1[8];
  __local double a2[4160];
  __local ulong x_ulong[256];
  __local int x_int[256];
  uchar r42, r43, r44, r45, r46, r51, r52, r53, r54, r55, r60, r61, r62, r63, r64, r69;
  uchar r70, r71, r72, r73, r78, r79, r80, r81, r82, r87, r88, r89, r90, r91, r97, r106;
  uchar r107, r108, r109, r110, r117, r118, r119, r120, r121, r128, r129, r130, r131, r132, r139, r140;
  uchar r141, r142, r143, r150, r151, r152, r153, r154, r161, r162, r163, r164, r165, r172, r173, r174;
  uchar r175, r176, r183, r184, r185, r186, r187, r191, r193, r197;
  int r0, r1, r2, r4, r7, r9, r11, r13, r15, r16, r17, r20, r21, r25, r26, r29;
  int r32, r34, r35, r48, r50, r57, r59, r66, r68, r75, r77, r84, r86, r93, r95, r99;
  int r101, r105, r112, r116, r123, r127, r134, r138, r145, r149, r156, r160, r167, r171, r178, r182;
  int r189, r195, r196, r200, r202, r203, r206, r207, r210, r211, r213, r214, r217, r219, r221, r222;
  int r224, r226, r228, r229, r233, r234, r236, r237, r239, r241, r242, r245, r246, r249, r251, r252;
  int r255, r256, r261, r262, r265, r267, r269, r271, r273, r274, r275, r277, r278;
  ulong r28, r37, r39, r41, r47, r49, r56, r58, r65, r67, r74, r76, r83, r85, r92, r103;
  ulong r111, r114, r122, r125, r133, r136, r144, r147, r155, r158, r166, r169, r177, r180, r188;
  double r18, r36, r204, r208, r223, r230, r231, r243, r253, r257, r258, r259, r279, r280;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  #pragma clang loop vectorize(disable)
  for (r4 = r1; r4 < 1; r4 += r2) {
    #pragma clang loop vectorize(disable)
    for (r7 = r0; r7 < 4096; r7 += 256) {
      r9 = (int)(r7 >> ((uint)6 < 32 ? (uint)6 : (uint)31));
      r11 = r7 & 63;
      r13 = (int)((uint)r4 * (uint)4096);
      r15 = (int)((uint)r9 * (uint)64);
      r16 = (int)((uint)r13 + (uint)r15);
      r17 = (int)((uint)r16 + (uint)r11);
      r18 = b0[r17];
      r20 = (int)((uint)r11 * (uint)65);
      r21 = (int)((uint)r20 + (uint)r9);
      a2[r21] = r18;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    #pragma clang loop vectorize(disable)
    for (r25 = 0; r25 < 64; r25 += 1) {
      r26 = (int)((uint)r25 + (uint)r0);
      r28 = 0x0ul;
      r29 = r26;
      #pragma clang loop vectorize(disable)
      for (r32 = r26; r32 < 64; r32 += 256) {
        r34 = (int)((uint)r25 * (uint)65);
        r35 = (int)((uint)r34 + (uint)r32);
        r36 = a2[r35];
        r37 = as_ulong(r36);
        r39 = r37 & 0x7ffffffffffffffful;
        r41 = r39 < 0x7ff0000000000001ul ? r39 : 0x7ff0000000000001ul;
        r42 = (uchar)(r28 == r41);
        r43 = (uchar)(r32 < r29);
        r44 = r42 & r43;
        r45 = (uchar)(r28 < r41);
        r46 = r44 | r45;
        r47 = r46 ? r41 : r28;
        r28 = r47;
        r48 = r46 ? r32 : r29;
        r29 = r48;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      x_ulong[get_local_id(0)] = r28;
      barrier(CLK_LOCAL_MEM_FENCE);
      r49 = x_ulong[get_local_id(0) ^ 16];
      barrier(CLK_LOCAL_MEM_FENCE);
      x_int[get_local_id(0)] = r29;
      barrier(CLK_LOCAL_MEM_FENCE);
      r50 = x_int[get_local_id(0) ^ 16];
      r51 = (uchar)(r28 == r49);
      r52 = (uchar)(r50 < r29);
      r53 = r51 & r52;
      r54 = (uchar)(r28 < r49);
      r55 = r53 | r54;
      r56 = r55 ? r49 : r28;
      r28 = r56;
      r57 = r55 ? r50 : r29;
      r29 = r57;
      barrier(CLK_LOCAL_MEM_FENCE);
      x_ulong[get_local_id(0)] = r28;
      barrier(CLK_LOCAL_MEM_FENCE);
      r58 = x_ulong[get_local_id(0) ^ 8];
      barrier(CLK_LOCAL_MEM_FENCE);
      x_int[get_local_id(0)] = r29;
      barrier(CLK_LOCAL_MEM_FENCE);
      r59 = x_int[get_local_id(0) ^ 8];
      r60 = (uchar)(r28 == r58);
      r61 = (uchar)(r59 < r29);
      r62 = r60 & r61;
      r63 = (uchar)(r28 < r58);
      r64 = r62 | r63;
      r65 = r64 ? r58 : r28;
      r28 = r65;
      r66 = r64 ? r59 : r29;
      r29 = r66;
      barrier(CLK_LOCAL_MEM_FENCE);
      x_ulong[get_local_id(0)] = r28;
      barrier(CLK_LOCAL_MEM_FENCE);
      r67 = x_ulong[get_local_id(0) ^ 4];
      barrier(CLK_LOCAL_MEM_FENCE);
      x_int[get_local_id(0)] = r29;
      barrier(CLK_LOCAL_MEM_FENCE);
      r68 = x_int[get_local_id(0) ^ 4];
      r69 = (uchar)(r28 == r67);
      r70 = (uchar)(r68 < r29);
      r71 = r69 & r70;
      r72 = (uchar)(r28 < r67);
      r73 = r71 | r72;
      r74 = r73 ? r67 : r28;
      r28 = r74;
      r75 = r73 ? r68 : r29;
      r29 = r75;
      barrier(CLK_LOCAL_MEM_FENCE);
      x_ulong[get_local_id(0)] = r28;
      barrier(CLK_LOCAL_MEM_FENCE);
      r76 = x_ulong[get_local_id(0) ^ 2];
      barrier(CLK_LOCAL_MEM_FENCE);
      x_int[get_local_id(0)] = r29;
      barrier(CLK_LOCAL_MEM_FENCE);
      r77 = x_int[get_local_id(0) ^ 2];
      r78 = (uchar)(r28 == r76);
      r79 = (uchar)(r77 < r29);
      r80 = r78 & r79;
      r81 = (uchar)(r28 < r76);
      r82 = r80 | r81;
      r83 = r82 ? r76 : r28;
      r28 = r83;
      r84 = r82 ? r77 : r29;
      r29 = r84;
      barrier(CLK_LOCAL_MEM_FENCE);
      x_ulong[get_local_id(0)] = r28;
      barrier(CLK_LOCAL_MEM_FENCE);
      r85 = x_ulong[get_local_id(0) ^ 1];
      barrier(CLK_LOCAL_MEM_FENCE);
      x_int[get_local_id(0)] = r29;
      barrier(CLK_LOCAL_MEM_FENCE);
      r86 = x_int[get_local_id(0) ^ 1];
      r87 = (uchar)(r28 == r85);
      r88 = (uchar)(r86 < r29);
      r89 = r87 & r88;
      r90 = (uchar)(r28 < r85);
      r91 = r89 | r90;
      r92 = r91 ? r85 : r28;
      r28 = r92;
      r93 = r91 ? r86 : r29;
      r29 = r93;
      r95 = r0 & 31;
      r97 = (uchar)(r95 == 0);
      if (r97) {
        r99 = (int)(r0 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
        a0[r99] = r28;
        r101 = (int)(r0 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
        a1[r101] = r29;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r103 = a0[0];
      r105 = a1[0];
      r106 = (uchar)(r28 == r103);
      r107 = (uchar)(r105 < r29);
      r108 = r106 & r107;
      r109 = (uchar)(r28 < r103);
      r110 = r108 | r109;
      r111 = r110 ? r103 : r28;
      r28 = r111;
      r112 = r110 ? r105 : r29;
      r29 = r112;
      r114 = a0[1];
      r116 = a1[1];
      r117 = (uchar)(r28 == r114);
      r118 = (uchar)(r116 < r29);
      r119 = r117 & r118;
      r120 = (uchar)(r28 < r114);
      r121 = r119 | r120;
      r122 = r121 ? r114 : r28;
      r28 = r122;
      r123 = r121 ? r116 : r29;
      r29 = r123;
      r125 = a0[2];
      r127 = a1[2];
      r128 = (uchar)(r28 == r125);
      r129 = (uchar)(r127 < r29);
      r130 = r128 & r129;
      r131 = (uchar)(r28 < r125);
      r132 = r130 | r131;
      r133 = r132 ? r125 : r28;
      r28 = r133;
      r134 = r132 ? r127 : r29;
      r29 = r134;
      r136 = a0[3];
      r138 = a1[3];
      r139 = (uchar)(r28 == r136);
      r140 = (uchar)(r138 < r29);
      r141 = r139 & r140;
      r142 = (uchar)(r28 < r136);
      r143 = r141 | r142;
      r144 = r143 ? r136 : r28;
      r28 = r144;
      r145 = r143 ? r138 : r29;
      r29 = r145;
      r147 = a0[4];
      r149 = a1[4];
      r150 = (uchar)(r28 == r147);
      r151 = (uchar)(r149 < r29);
      r152 = r150 & r151;
      r153 = (uchar)(r28 < r147);
      r154 = r152 | r153;
      r155 = r154 ? r147 : r28;
      r28 = r155;
      r156 = r154 ? r149 : r29;
      r29 = r156;
      r158 = a0[5];
      r160 = a1[5];
      r161 = (uchar)(r28 == r158);
      r162 = (uchar)(r160 < r29);
      r163 = r161 & r162;
      r164 = (uchar)(r28 < r158);
      r165 = r163 | r164;
      r166 = r165 ? r158 : r28;
      r28 = r166;
      r167 = r165 ? r160 : r29;
      r29 = r167;
      r169 = a0[6];
      r171 = a1[6];
      r172 = (uchar)(r28 == r169);
      r173 = (uchar)(r171 < r29);
      r174 = r172 & r173;
      r175 = (uchar)(r28 < r169);
      r176 = r174 | r175;
      r177 = r176 ? r169 : r28;
      r28 = r177;
      r178 = r176 ? r171 : r29;
      r29 = r178;
      r180 = a0[7];
      r182 = a1[7];
      r183 = (uchar)(r28 == r180);
      r184 = (uchar)(r182 < r29);
      r185 = r183 & r184;
      r186 = (uchar)(r28 < r180);
      r187 = r185 | r186;
      r188 = r187 ? r180 : r28;
      r28 = r188;
      r189 = r187 ? r182 : r29;
      r29 = r189;
      r191 = (uchar)(r28 == 0x0ul);
      r193 = (uchar)(r0 == 255);
      if (r193) {
        r195 = (int)((uint)r4 * (uint)64);
        r196 = (int)((uint)r195 + (uint)r25);
        b2[r196] = r29;
      }
      r197 = (uchar)(r29 != r25);
      if (r197) {
        #pragma clang loop vectorize(disable)
        for (r200 = r0; r200 < 64; r200 += 256) {
          r202 = (int)((uint)r200 * (uint)65);
          r203 = (int)((uint)r202 + (uint)r25);
          r204 = a2[r203];
          r206 = (int)((uint)r200 * (uint)65);
          r207 = (int)((uint)r206 + (uint)r29);
          r208 = a2[r207];
          r210 = (int)((uint)r200 * (uint)65);
          r211 = (int)((uint)r210 + (uint)r25);
          a2[r211] = r208;
          r213 = (int)((uint)r200 * (uint)65);
          r214 = (int)((uint)r213 + (uint)r29);
          a2[r214] = r204;
        }
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r217 = r191 ? 0 : 64;
      r219 = (int)((uint)r25 + (uint)1);
      r221 = (int)((uint)r25 * (uint)65);
      r222 = (int)((uint)r221 + (uint)r25);
      r223 = a2[r222];
      r224 = (int)((uint)r219 + (uint)r0);
      #pragma clang loop vectorize(disable)
      for (r226 = r224; r226 < r217; r226 += 256) {
        r228 = (int)((uint)r25 * (uint)65);
        r229 = (int)((uint)r228 + (uint)r226);
        r230 = a2[r229];
        r231 = r230 / r223;
        r233 = (int)((uint)r25 * (uint)65);
        r234 = (int)((uint)r233 + (uint)r226);
        a2[r234] = r231;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r236 = r0 & 63;
      r237 = (int)((uint)r219 + (uint)r236);
      #pragma clang loop vectorize(disable)
      for (r239 = r237; r239 < r217; r239 += 64) {
        r241 = (int)((uint)r25 * (uint)65);
        r242 = (int)((uint)r241 + (uint)r239);
        r243 = a2[r242];
        r245 = (int)(r0 >> ((uint)6 < 32 ? (uint)6 : (uint)31));
        r246 = (int)((uint)r219 + (uint)r245);
        #pragma clang loop vectorize(disable)
        for (r249 = r246; r249 < 64; r249 += 4) {
          r251 = (int)((uint)r249 * (uint)65);
          r252 = (int)((uint)r251 + (uint)r25);
          r253 = a2[r252];
          r255 = (int)((uint)r249 * (uint)65);
          r256 = (int)((uint)r255 + (uint)r239);
          r257 = a2[r256];
          r258 = as_double(as_ulong(r253) ^ 0x8000000000000000ul);
          r259 = fma(r258, r243, r257);
          r261 = (int)((uint)r249 * (uint)65);
          r262 = (int)((uint)r261 + (uint)r239);
          a2[r262] = r259;
        }
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    #pragma clang loop vectorize(disable)
    for (r265 = r0; r265 < 4096; r265 += 256) {
      r267 = (int)(r265 >> ((uint)6 < 32 ? (uint)6 : (uint)31));
      r269 = r265 & 63;
      r271 = (int)((uint)r4 * (uint)4096);
      r273 = (int)((uint)r267 * (uint)64);
      r274 = (int)((uint)r271 + (uint)r273);
      r275 = (int)((uint)r274 + (uint)r269);
      r277 = (int)((uint)r269 * (uint)65);
      r278 = (int)((uint)r277 + (uint)r267);
      r279 = a2[r278];
      r280 = r279 != r279 ? as_double(0x7ff8000000000000ul) : r279;
      b1[r275] = r280;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
