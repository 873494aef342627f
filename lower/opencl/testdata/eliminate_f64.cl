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
  int r0, r1, r2, r4, r8, r9, r11, r12, r13, r14, r16, r18, r19, r20, r22, r23;
  int r27, r28, r31, r33, r34, r35, r48, r50, r57, r59, r66, r68, r75, r77, r84, r86;
  int r93, r95, r99, r101, r105, r112, r116, r123, r127, r134, r138, r145, r149, r156, r160, r167;
  int r171, r178, r182, r189, r195, r196, r199, r200, r201, r203, r204, r206, r207, r208, r209, r211;
  int r213, r214, r215, r217, r219, r220, r221, r224, r225, r227, r228, r230, r231, r232, r235, r236;
  int r238, r239, r240, r242, r243, r247, r248, r249, r251, r252, r253, r254, r256, r258, r259, r260;
  int r261, r262;
  ulong r30, r37, r39, r41, r47, r49, r56, r58, r65, r67, r74, r76, r83, r85, r92, r103;
  ulong r111, r114, r122, r125, r133, r136, r144, r147, r155, r158, r166, r169, r177, r180, r188;
  double r21, r36, r202, r205, r216, r222, r223, r233, r241, r244, r245, r246, r263, r264;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  #pragma clang loop vectorize(disable)
  for (r4 = r1; r4 < 1; r4 += r2) {
    r8 = 64 | 1;
    r9 = (int)((uint)64 * (uint)64);
    #pragma clang loop vectorize(disable)
    for (r11 = r0; r11 < r9; r11 += 256) {
      r12 = 64 == 0 ? (int)-1 : 64 == -1 ? (int)(0 - (uint)r11) : (int)(r11 / 64);
      r13 = (int)((uint)r12 * (uint)64);
      r14 = (int)((uint)r11 - (uint)r13);
      r16 = (int)((uint)r4 * (uint)4096);
      r18 = (int)((uint)r12 * (uint)64);
      r19 = (int)((uint)r16 + (uint)r18);
      r20 = (int)((uint)r19 + (uint)r14);
      r21 = b0[r20];
      r22 = (int)((uint)r14 * (uint)r8);
      r23 = (int)((uint)r22 + (uint)r12);
      a2[r23] = r21;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    #pragma clang loop vectorize(disable)
    for (r27 = 0; r27 < 64; r27 += 1) {
      r28 = (int)((uint)r27 + (uint)r0);
      r30 = 0x0ul;
      r31 = r28;
      #pragma clang loop vectorize(disable)
      for (r33 = r28; r33 < 64; r33 += 256) {
        r34 = (int)((uint)r27 * (uint)r8);
        r35 = (int)((uint)r34 + (uint)r33);
        r36 = a2[r35];
        r37 = as_ulong(r36);
        r39 = r37 & 0x7ffffffffffffffful;
        r41 = r39 < 0x7ff0000000000001ul ? r39 : 0x7ff0000000000001ul;
        r42 = (uchar)(r30 == r41);
        r43 = (uchar)(r33 < r31);
        r44 = r42 & r43;
        r45 = (uchar)(r30 < r41);
        r46 = r44 | r45;
        r47 = r46 ? r41 : r30;
        r30 = r47;
        r48 = r46 ? r33 : r31;
        r31 = r48;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      x_ulong[get_local_id(0)] = r30;
      barrier(CLK_LOCAL_MEM_FENCE);
      r49 = x_ulong[get_local_id(0) ^ 16];
      barrier(CLK_LOCAL_MEM_FENCE);
      x_int[get_local_id(0)] = r31;
      barrier(CLK_LOCAL_MEM_FENCE);
      r50 = x_int[get_local_id(0) ^ 16];
      r51 = (uchar)(r30 == r49);
      r52 = (uchar)(r50 < r31);
      r53 = r51 & r52;
      r54 = (uchar)(r30 < r49);
      r55 = r53 | r54;
      r56 = r55 ? r49 : r30;
      r30 = r56;
      r57 = r55 ? r50 : r31;
      r31 = r57;
      barrier(CLK_LOCAL_MEM_FENCE);
      x_ulong[get_local_id(0)] = r30;
      barrier(CLK_LOCAL_MEM_FENCE);
      r58 = x_ulong[get_local_id(0) ^ 8];
      barrier(CLK_LOCAL_MEM_FENCE);
      x_int[get_local_id(0)] = r31;
      barrier(CLK_LOCAL_MEM_FENCE);
      r59 = x_int[get_local_id(0) ^ 8];
      r60 = (uchar)(r30 == r58);
      r61 = (uchar)(r59 < r31);
      r62 = r60 & r61;
      r63 = (uchar)(r30 < r58);
      r64 = r62 | r63;
      r65 = r64 ? r58 : r30;
      r30 = r65;
      r66 = r64 ? r59 : r31;
      r31 = r66;
      barrier(CLK_LOCAL_MEM_FENCE);
      x_ulong[get_local_id(0)] = r30;
      barrier(CLK_LOCAL_MEM_FENCE);
      r67 = x_ulong[get_local_id(0) ^ 4];
      barrier(CLK_LOCAL_MEM_FENCE);
      x_int[get_local_id(0)] = r31;
      barrier(CLK_LOCAL_MEM_FENCE);
      r68 = x_int[get_local_id(0) ^ 4];
      r69 = (uchar)(r30 == r67);
      r70 = (uchar)(r68 < r31);
      r71 = r69 & r70;
      r72 = (uchar)(r30 < r67);
      r73 = r71 | r72;
      r74 = r73 ? r67 : r30;
      r30 = r74;
      r75 = r73 ? r68 : r31;
      r31 = r75;
      barrier(CLK_LOCAL_MEM_FENCE);
      x_ulong[get_local_id(0)] = r30;
      barrier(CLK_LOCAL_MEM_FENCE);
      r76 = x_ulong[get_local_id(0) ^ 2];
      barrier(CLK_LOCAL_MEM_FENCE);
      x_int[get_local_id(0)] = r31;
      barrier(CLK_LOCAL_MEM_FENCE);
      r77 = x_int[get_local_id(0) ^ 2];
      r78 = (uchar)(r30 == r76);
      r79 = (uchar)(r77 < r31);
      r80 = r78 & r79;
      r81 = (uchar)(r30 < r76);
      r82 = r80 | r81;
      r83 = r82 ? r76 : r30;
      r30 = r83;
      r84 = r82 ? r77 : r31;
      r31 = r84;
      barrier(CLK_LOCAL_MEM_FENCE);
      x_ulong[get_local_id(0)] = r30;
      barrier(CLK_LOCAL_MEM_FENCE);
      r85 = x_ulong[get_local_id(0) ^ 1];
      barrier(CLK_LOCAL_MEM_FENCE);
      x_int[get_local_id(0)] = r31;
      barrier(CLK_LOCAL_MEM_FENCE);
      r86 = x_int[get_local_id(0) ^ 1];
      r87 = (uchar)(r30 == r85);
      r88 = (uchar)(r86 < r31);
      r89 = r87 & r88;
      r90 = (uchar)(r30 < r85);
      r91 = r89 | r90;
      r92 = r91 ? r85 : r30;
      r30 = r92;
      r93 = r91 ? r86 : r31;
      r31 = r93;
      r95 = r0 & 31;
      r97 = (uchar)(r95 == 0);
      if (r97) {
        r99 = (int)(r0 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
        a0[r99] = r30;
        r101 = (int)(r0 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
        a1[r101] = r31;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r103 = a0[0];
      r105 = a1[0];
      r106 = (uchar)(r30 == r103);
      r107 = (uchar)(r105 < r31);
      r108 = r106 & r107;
      r109 = (uchar)(r30 < r103);
      r110 = r108 | r109;
      r111 = r110 ? r103 : r30;
      r30 = r111;
      r112 = r110 ? r105 : r31;
      r31 = r112;
      r114 = a0[1];
      r116 = a1[1];
      r117 = (uchar)(r30 == r114);
      r118 = (uchar)(r116 < r31);
      r119 = r117 & r118;
      r120 = (uchar)(r30 < r114);
      r121 = r119 | r120;
      r122 = r121 ? r114 : r30;
      r30 = r122;
      r123 = r121 ? r116 : r31;
      r31 = r123;
      r125 = a0[2];
      r127 = a1[2];
      r128 = (uchar)(r30 == r125);
      r129 = (uchar)(r127 < r31);
      r130 = r128 & r129;
      r131 = (uchar)(r30 < r125);
      r132 = r130 | r131;
      r133 = r132 ? r125 : r30;
      r30 = r133;
      r134 = r132 ? r127 : r31;
      r31 = r134;
      r136 = a0[3];
      r138 = a1[3];
      r139 = (uchar)(r30 == r136);
      r140 = (uchar)(r138 < r31);
      r141 = r139 & r140;
      r142 = (uchar)(r30 < r136);
      r143 = r141 | r142;
      r144 = r143 ? r136 : r30;
      r30 = r144;
      r145 = r143 ? r138 : r31;
      r31 = r145;
      r147 = a0[4];
      r149 = a1[4];
      r150 = (uchar)(r30 == r147);
      r151 = (uchar)(r149 < r31);
      r152 = r150 & r151;
      r153 = (uchar)(r30 < r147);
      r154 = r152 | r153;
      r155 = r154 ? r147 : r30;
      r30 = r155;
      r156 = r154 ? r149 : r31;
      r31 = r156;
      r158 = a0[5];
      r160 = a1[5];
      r161 = (uchar)(r30 == r158);
      r162 = (uchar)(r160 < r31);
      r163 = r161 & r162;
      r164 = (uchar)(r30 < r158);
      r165 = r163 | r164;
      r166 = r165 ? r158 : r30;
      r30 = r166;
      r167 = r165 ? r160 : r31;
      r31 = r167;
      r169 = a0[6];
      r171 = a1[6];
      r172 = (uchar)(r30 == r169);
      r173 = (uchar)(r171 < r31);
      r174 = r172 & r173;
      r175 = (uchar)(r30 < r169);
      r176 = r174 | r175;
      r177 = r176 ? r169 : r30;
      r30 = r177;
      r178 = r176 ? r171 : r31;
      r31 = r178;
      r180 = a0[7];
      r182 = a1[7];
      r183 = (uchar)(r30 == r180);
      r184 = (uchar)(r182 < r31);
      r185 = r183 & r184;
      r186 = (uchar)(r30 < r180);
      r187 = r185 | r186;
      r188 = r187 ? r180 : r30;
      r30 = r188;
      r189 = r187 ? r182 : r31;
      r31 = r189;
      r191 = (uchar)(r30 == 0x0ul);
      r193 = (uchar)(r0 == 255);
      if (r193) {
        r195 = (int)((uint)r4 * (uint)64);
        r196 = (int)((uint)r195 + (uint)r27);
        b2[r196] = r31;
      }
      r197 = (uchar)(r31 != r27);
      if (r197) {
        #pragma clang loop vectorize(disable)
        for (r199 = r0; r199 < 64; r199 += 256) {
          r200 = (int)((uint)r199 * (uint)r8);
          r201 = (int)((uint)r200 + (uint)r27);
          r202 = a2[r201];
          r203 = (int)((uint)r199 * (uint)r8);
          r204 = (int)((uint)r203 + (uint)r31);
          r205 = a2[r204];
          r206 = (int)((uint)r199 * (uint)r8);
          r207 = (int)((uint)r206 + (uint)r27);
          a2[r207] = r205;
          r208 = (int)((uint)r199 * (uint)r8);
          r209 = (int)((uint)r208 + (uint)r31);
          a2[r209] = r202;
        }
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r211 = r191 ? 0 : 64;
      r213 = (int)((uint)r27 + (uint)1);
      r214 = (int)((uint)r27 * (uint)r8);
      r215 = (int)((uint)r214 + (uint)r27);
      r216 = a2[r215];
      r217 = (int)((uint)r213 + (uint)r0);
      #pragma clang loop vectorize(disable)
      for (r219 = r217; r219 < r211; r219 += 256) {
        r220 = (int)((uint)r27 * (uint)r8);
        r221 = (int)((uint)r220 + (uint)r219);
        r222 = a2[r221];
        r223 = r222 / r216;
        r224 = (int)((uint)r27 * (uint)r8);
        r225 = (int)((uint)r224 + (uint)r219);
        a2[r225] = r223;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r227 = r0 & 63;
      r228 = (int)((uint)r213 + (uint)r227);
      #pragma clang loop vectorize(disable)
      for (r230 = r228; r230 < r211; r230 += 64) {
        r231 = (int)((uint)r27 * (uint)r8);
        r232 = (int)((uint)r231 + (uint)r230);
        r233 = a2[r232];
        r235 = (int)(r0 >> ((uint)6 < 32 ? (uint)6 : (uint)31));
        r236 = (int)((uint)r213 + (uint)r235);
        #pragma clang loop vectorize(disable)
        for (r238 = r236; r238 < 64; r238 += 4) {
          r239 = (int)((uint)r238 * (uint)r8);
          r240 = (int)((uint)r239 + (uint)r27);
          r241 = a2[r240];
          r242 = (int)((uint)r238 * (uint)r8);
          r243 = (int)((uint)r242 + (uint)r230);
          r244 = a2[r243];
          r245 = as_double(as_ulong(r233) ^ 0x8000000000000000ul);
          r246 = fma(r245, r241, r244);
          r247 = (int)((uint)r238 * (uint)r8);
          r248 = (int)((uint)r247 + (uint)r230);
          a2[r248] = r246;
        }
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    r249 = (int)((uint)64 * (uint)64);
    #pragma clang loop vectorize(disable)
    for (r251 = r0; r251 < r249; r251 += 256) {
      r252 = 64 == 0 ? (int)-1 : 64 == -1 ? (int)(0 - (uint)r251) : (int)(r251 / 64);
      r253 = (int)((uint)r252 * (uint)64);
      r254 = (int)((uint)r251 - (uint)r253);
      r256 = (int)((uint)r4 * (uint)4096);
      r258 = (int)((uint)r252 * (uint)64);
      r259 = (int)((uint)r256 + (uint)r258);
      r260 = (int)((uint)r259 + (uint)r254);
      r261 = (int)((uint)r254 * (uint)r8);
      r262 = (int)((uint)r261 + (uint)r252);
      r263 = a2[r262];
      r264 = r263 != r263 ? as_double(0x7ff8000000000000ul) : r263;
      b1[r260] = r264;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
