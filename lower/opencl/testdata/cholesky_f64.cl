#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void k0_cholesky(__global uchar *m0, long o0, __global uchar *m1, long o1, long s0) {
  __global double *b0 = (__global double *)(m0 + o0);
  __global int *b1 = (__global int *)(m1 + o1);
  __local double a0[96];
  __local double a1[16];
  uchar r16, r17, r18, r31, r86, r88, r89, r125, r126, r150, r152, r153, r157, r160, r161, r178;
  uchar r180, r181, r187, r190, r191, r201, r203, r204, r210, r213, r214, r219, r221, r222, r228, r231;
  uchar r232, r249;
  int r0, r1, r2, r4, r8, r10, r12, r14, r15, r22, r24, r25, r26, r27, r28, r33;
  int r37, r39, r40, r44, r46, r47, r51, r53, r54, r58, r60, r61, r66, r68, r69, r71;
  int r84, r91, r93, r95, r97, r99, r101, r103, r155, r156, r177, r183, r185, r186, r200, r206;
  int r208, r209, r218, r224, r226, r227, r236, r238, r240, r242, r244, r245, r246, r247, r248, r251;
  int r252;
  double r20, r29, r41, r42, r48, r49, r55, r56, r62, r63, r70, r72, r73, r74, r75, r76;
  double r77, r78, r79, r80, r81, r82, r83, r105, r106, r107, r108, r110, r111, r112, r113, r115;
  double r116, r117, r118, r120, r121, r122, r123, r127, r128, r129, r130, r131, r132, r133, r134, r135;
  double r136, r137, r138, r139, r140, r141, r142, r143, r144, r145, r146, r147, r148, r149, r158, r162;
  double r163, r164, r165, r166, r167, r168, r169, r170, r171, r172, r173, r174, r175, r188, r192, r193;
  double r194, r195, r196, r197, r198, r211, r215, r216, r229, r253, r254;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  #pragma clang loop vectorize(disable)
  for (r4 = r1; r4 < 1; r4 += r2) {
    #pragma clang loop vectorize(disable)
    for (r8 = r0; r8 < 64; r8 += 32) {
      r10 = (int)(r8 >> ((uint)3 < 32 ? (uint)3 : (uint)31));
      r12 = r8 & 7;
      r14 = (int)((uint)r12 * (uint)12);
      r15 = (int)((uint)r14 + (uint)r10);
      r16 = (uchar)(r10 < 8);
      r17 = (uchar)(r12 <= r10);
      r18 = r16 & r17;
      r20 = as_double(0x0000000000000000ul);
      if (r18) {
        r22 = (int)((uint)r4 * (uint)40000);
        r24 = (int)((uint)r10 * (uint)200);
        r25 = (int)((uint)r22 + (uint)r24);
        r26 = (int)((uint)r25 + (uint)r12);
        r27 = (int)s0;
        r28 = (int)((uint)r26 + (uint)r27);
        r29 = b0[r28];
        r20 = r29;
      }
      a0[r15] = r20;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r31 = ((uchar)0x1u);
    r33 = r0 < 7 ? r0 : 7;
    #pragma clang loop vectorize(disable)
    for (r37 = 0; r37 < 8; r37 += 4) {
      r39 = (int)((uint)r37 * (uint)12);
      r40 = (int)((uint)r39 + (uint)r33);
      r41 = a0[r40];
      r42 = r41;
      r44 = (int)((uint)r37 + (uint)1);
      r46 = (int)((uint)r44 * (uint)12);
      r47 = (int)((uint)r46 + (uint)r33);
      r48 = a0[r47];
      r49 = r48;
      r51 = (int)((uint)r37 + (uint)2);
      r53 = (int)((uint)r51 * (uint)12);
      r54 = (int)((uint)r53 + (uint)r33);
      r55 = a0[r54];
      r56 = r55;
      r58 = (int)((uint)r37 + (uint)3);
      r60 = (int)((uint)r58 * (uint)12);
      r61 = (int)((uint)r60 + (uint)r33);
      r62 = a0[r61];
      r63 = r62;
      #pragma clang loop vectorize(disable)
      for (r66 = 0; r66 < r37; r66 += 1) {
        r68 = (int)((uint)r66 * (uint)12);
        r69 = (int)((uint)r68 + (uint)r33);
        r70 = a0[r69];
        r71 = (int)((uint)r68 + (uint)r37);
        {
          double2 v = vload2(0, a0 + r71);
          r72 = v.s0;
          r73 = v.s1;
        }
        {
          double2 v = vload2(0, a0 + (r71 + 2));
          r74 = v.s0;
          r75 = v.s1;
        }
        r76 = as_double(as_ulong(r70) ^ 0x8000000000000000ul);
        r77 = fma(r76, r72, r42);
        r42 = r77;
        r78 = as_double(as_ulong(r70) ^ 0x8000000000000000ul);
        r79 = fma(r78, r73, r49);
        r49 = r79;
        r80 = as_double(as_ulong(r70) ^ 0x8000000000000000ul);
        r81 = fma(r80, r74, r56);
        r56 = r81;
        r82 = as_double(as_ulong(r70) ^ 0x8000000000000000ul);
        r83 = fma(r82, r75, r63);
        r63 = r83;
      }
      r84 = (int)((uint)r0 - (uint)r37);
      r86 = (uchar)(0 <= r84);
      r88 = (uchar)(r84 < 4);
      r89 = r86 & r88;
      if (r89) {
        r91 = (int)((uint)r84 * (uint)4);
        a1[r91] = r42;
        r93 = (int)((uint)r84 * (uint)4);
        r95 = (int)((uint)r93 + (uint)1);
        a1[r95] = r49;
        r97 = (int)((uint)r84 * (uint)4);
        r99 = (int)((uint)r97 + (uint)2);
        a1[r99] = r56;
        r101 = (int)((uint)r84 * (uint)4);
        r103 = (int)((uint)r101 + (uint)3);
        a1[r103] = r63;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      {
        double2 v = vload2(0, a1 + 0);
        r105 = v.s0;
        r106 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (0 + 2));
        r107 = v.s0;
        r108 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + 4);
        r110 = v.s0;
        r111 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (4 + 2));
        r112 = v.s0;
        r113 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + 8);
        r115 = v.s0;
        r116 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (8 + 2));
        r117 = v.s0;
        r118 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + 12);
        r120 = v.s0;
        r121 = v.s1;
      }
      {
        double2 v = vload2(0, a1 + (12 + 2));
        r122 = v.s0;
        r123 = v.s1;
      }
      r125 = (uchar)(as_double(0x0000000000000000ul) < r105);
      r126 = r31 & r125;
      r31 = r126;
      r127 = sqrt(r105);
      r128 = r42 / r127;
      r129 = r110 / r127;
      r130 = r115 / r127;
      r131 = r120 / r127;
      r132 = as_double(as_ulong(r129) ^ 0x8000000000000000ul);
      r133 = fma(r132, r129, r111);
      r134 = as_double(as_ulong(r130) ^ 0x8000000000000000ul);
      r135 = fma(r134, r129, r116);
      r136 = as_double(as_ulong(r131) ^ 0x8000000000000000ul);
      r137 = fma(r136, r129, r121);
      r138 = as_double(as_ulong(r128) ^ 0x8000000000000000ul);
      r139 = fma(r138, r129, r49);
      r140 = as_double(as_ulong(r130) ^ 0x8000000000000000ul);
      r141 = fma(r140, r130, r117);
      r142 = as_double(as_ulong(r131) ^ 0x8000000000000000ul);
      r143 = fma(r142, r130, r122);
      r144 = as_double(as_ulong(r128) ^ 0x8000000000000000ul);
      r145 = fma(r144, r130, r56);
      r146 = as_double(as_ulong(r131) ^ 0x8000000000000000ul);
      r147 = fma(r146, r131, r123);
      r148 = as_double(as_ulong(r128) ^ 0x8000000000000000ul);
      r149 = fma(r148, r131, r63);
      r150 = (uchar)(r37 <= r0);
      r152 = (uchar)(r0 < 8);
      r153 = r150 & r152;
      if (r153) {
        r155 = (int)((uint)r37 * (uint)12);
        r156 = (int)((uint)r155 + (uint)r0);
        r157 = (uchar)(r37 == r0);
        r158 = r157 ? r127 : r128;
        a0[r156] = r158;
      }
      r160 = (uchar)(as_double(0x0000000000000000ul) < r133);
      r161 = r31 & r160;
      r31 = r161;
      r162 = sqrt(r133);
      r163 = r139 / r162;
      r164 = r135 / r162;
      r165 = r137 / r162;
      r166 = as_double(as_ulong(r164) ^ 0x8000000000000000ul);
      r167 = fma(r166, r164, r141);
      r168 = as_double(as_ulong(r165) ^ 0x8000000000000000ul);
      r169 = fma(r168, r164, r143);
      r170 = as_double(as_ulong(r163) ^ 0x8000000000000000ul);
      r171 = fma(r170, r164, r145);
      r172 = as_double(as_ulong(r165) ^ 0x8000000000000000ul);
      r173 = fma(r172, r165, r147);
      r174 = as_double(as_ulong(r163) ^ 0x8000000000000000ul);
      r175 = fma(r174, r165, r149);
      r177 = (int)((uint)r37 + (uint)1);
      r178 = (uchar)(r177 <= r0);
      r180 = (uchar)(r0 < 8);
      r181 = r178 & r180;
      if (r181) {
        r183 = (int)((uint)r37 + (uint)1);
        r185 = (int)((uint)r183 * (uint)12);
        r186 = (int)((uint)r185 + (uint)r0);
        r187 = (uchar)(r177 == r0);
        r188 = r187 ? r162 : r163;
        a0[r186] = r188;
      }
      r190 = (uchar)(as_double(0x0000000000000000ul) < r167);
      r191 = r31 & r190;
      r31 = r191;
      r192 = sqrt(r167);
      r193 = r171 / r192;
      r194 = r169 / r192;
      r195 = as_double(as_ulong(r194) ^ 0x8000000000000000ul);
      r196 = fma(r195, r194, r173);
      r197 = as_double(as_ulong(r193) ^ 0x8000000000000000ul);
      r198 = fma(r197, r194, r175);
      r200 = (int)((uint)r37 + (uint)2);
      r201 = (uchar)(r200 <= r0);
      r203 = (uchar)(r0 < 8);
      r204 = r201 & r203;
      if (r204) {
        r206 = (int)((uint)r37 + (uint)2);
        r208 = (int)((uint)r206 * (uint)12);
        r209 = (int)((uint)r208 + (uint)r0);
        r210 = (uchar)(r200 == r0);
        r211 = r210 ? r192 : r193;
        a0[r209] = r211;
      }
      r213 = (uchar)(as_double(0x0000000000000000ul) < r196);
      r214 = r31 & r213;
      r31 = r214;
      r215 = sqrt(r196);
      r216 = r198 / r215;
      r218 = (int)((uint)r37 + (uint)3);
      r219 = (uchar)(r218 <= r0);
      r221 = (uchar)(r0 < 8);
      r222 = r219 & r221;
      if (r222) {
        r224 = (int)((uint)r37 + (uint)3);
        r226 = (int)((uint)r224 * (uint)12);
        r227 = (int)((uint)r226 + (uint)r0);
        r228 = (uchar)(r218 == r0);
        r229 = r228 ? r215 : r216;
        a0[r227] = r229;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    r231 = (uchar)(r0 == 31);
    if (r231) {
      r232 = r31 ^ 1;
      if (r232) {
        b1[r4] = 1;
      }
    }
    #pragma clang loop vectorize(disable)
    for (r236 = r0; r236 < 64; r236 += 32) {
      r238 = (int)(r236 >> ((uint)3 < 32 ? (uint)3 : (uint)31));
      r240 = r236 & 7;
      r242 = (int)((uint)r4 * (uint)40000);
      r244 = (int)((uint)r238 * (uint)200);
      r245 = (int)((uint)r242 + (uint)r244);
      r246 = (int)((uint)r245 + (uint)r240);
      r247 = (int)s0;
      r248 = (int)((uint)r246 + (uint)r247);
      r249 = (uchar)(r240 <= r238);
      if (r249) {
        r251 = (int)((uint)r240 * (uint)12);
        r252 = (int)((uint)r251 + (uint)r238);
        r253 = a0[r252];
        r254 = r253 != r253 ? as_double(0x7ff8000000000000ul) : r253;
        b0[r248] = r254;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
