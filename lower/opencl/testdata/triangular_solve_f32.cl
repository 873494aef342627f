#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void k0_triangular_solve(__global uchar *m0, long o0, long s0, long s1, long s2, long s3, long s4) {
  __global float *b0 = (__global float *)(m0 + o0);
  __local float a0[4096];
  __local float a1[2048];
  uchar r21, r22, r23, r49, r50, r51, r184, r185, r186;
  int r0, r1, r2, r4, r5, r6, r7, r8, r9, r11, r12, r13, r16, r18, r20, r27;
  int r29, r30, r31, r32, r33, r36, r37, r40, r42, r44, r45, r47, r48, r55, r56, r58;
  int r59, r60, r61, r65, r67, r68, r72, r74, r75, r79, r81, r82, r86, r88, r89, r94;
  int r96, r97, r100, r101, r115, r116, r123, r124, r132, r134, r135, r142, r143, r149, r151, r152;
  int r159, r160, r164, r166, r167, r174, r175, r178, r180, r182, r183, r188, r189, r191, r192, r193;
  int r194, r196, r197;
  float r25, r34, r53, r62, r69, r70, r76, r77, r83, r84, r90, r91, r98, r102, r103, r104;
  float r105, r106, r107, r108, r109, r110, r111, r112, r113, r117, r118, r119, r120, r121, r125, r126;
  float r127, r128, r129, r130, r136, r137, r138, r139, r140, r144, r145, r146, r147, r153, r154, r155;
  float r156, r157, r161, r162, r168, r169, r170, r171, r172, r198, r199;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  r4 = (int)s4;
  r5 = (int)((uint)1 * (uint)r4);
  #pragma clang loop vectorize(disable)
  for (r6 = r1; r6 < r5; r6 += r2) {
    r7 = (int)s4;
    r8 = r7 == 0 ? r6 : r7 == -1 ? (int)0 : (int)(r6 % r7);
    r9 = r7 == 0 ? (int)-1 : r7 == -1 ? (int)(0 - (uint)r6) : (int)(r6 / r7);
    r11 = (int)((uint)r8 * (uint)32);
    r12 = (int)s2;
    r13 = (int)s3;
    #pragma clang loop vectorize(disable)
    for (r16 = r0; r16 < 4096; r16 += 32) {
      r18 = (int)(r16 >> ((uint)6 < 32 ? (uint)6 : (uint)31));
      r20 = r16 & 63;
      r21 = (uchar)(r18 < r12);
      r22 = (uchar)(r20 <= r18);
      r23 = r21 & r22;
      r25 = as_float(0x00000000u);
      if (r23) {
        r27 = (int)((uint)r9 * (uint)40000);
        r29 = (int)((uint)r18 * (uint)200);
        r30 = (int)((uint)r27 + (uint)r29);
        r31 = (int)((uint)r30 + (uint)r20);
        r32 = (int)s1;
        r33 = (int)((uint)r31 + (uint)r32);
        r34 = b0[r33];
        r25 = r34;
      }
      r36 = (int)((uint)r20 * (uint)64);
      r37 = (int)((uint)r36 + (uint)r18);
      a0[r37] = r25;
    }
    #pragma clang loop vectorize(disable)
    for (r40 = r0; r40 < 2048; r40 += 32) {
      r42 = (int)(r40 >> ((uint)6 < 32 ? (uint)6 : (uint)31));
      r44 = r40 & 63;
      r45 = (int)((uint)r11 + (uint)r42);
      r47 = (int)((uint)r44 * (uint)32);
      r48 = (int)((uint)r47 + (uint)r42);
      r49 = (uchar)(r44 < r12);
      r50 = (uchar)(r45 < r13);
      r51 = r49 & r50;
      r53 = as_float(0x00000000u);
      if (r51) {
        r55 = (int)((uint)r9 * (uint)40000);
        r56 = (int)((uint)r55 + (uint)r44);
        r58 = (int)((uint)r45 * (uint)200);
        r59 = (int)((uint)r56 + (uint)r58);
        r60 = (int)s0;
        r61 = (int)((uint)r59 + (uint)r60);
        r62 = b0[r61];
        r53 = r62;
      }
      a1[r48] = r53;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    #pragma clang loop vectorize(disable)
    for (r65 = 0; r65 < r12; r65 += 4) {
      r67 = (int)((uint)r65 * (uint)32);
      r68 = (int)((uint)r67 + (uint)r0);
      r69 = a1[r68];
      r70 = r69;
      r72 = (int)((uint)r65 + (uint)1);
      r74 = (int)((uint)r72 * (uint)32);
      r75 = (int)((uint)r74 + (uint)r0);
      r76 = a1[r75];
      r77 = r76;
      r79 = (int)((uint)r65 + (uint)2);
      r81 = (int)((uint)r79 * (uint)32);
      r82 = (int)((uint)r81 + (uint)r0);
      r83 = a1[r82];
      r84 = r83;
      r86 = (int)((uint)r65 + (uint)3);
      r88 = (int)((uint)r86 * (uint)32);
      r89 = (int)((uint)r88 + (uint)r0);
      r90 = a1[r89];
      r91 = r90;
      #pragma clang loop vectorize(disable)
      for (r94 = 0; r94 < r65; r94 += 1) {
        r96 = (int)((uint)r94 * (uint)32);
        r97 = (int)((uint)r96 + (uint)r0);
        r98 = a1[r97];
        r100 = (int)((uint)r94 * (uint)64);
        r101 = (int)((uint)r100 + (uint)r65);
        {
          float4 v = vload4(0, a0 + r101);
          r102 = v.s0;
          r103 = v.s1;
          r104 = v.s2;
          r105 = v.s3;
        }
        r106 = as_float(as_uint(r98) ^ 0x80000000u);
        r107 = fma(r106, r102, r70);
        r70 = r107;
        r108 = as_float(as_uint(r98) ^ 0x80000000u);
        r109 = fma(r108, r103, r77);
        r77 = r109;
        r110 = as_float(as_uint(r98) ^ 0x80000000u);
        r111 = fma(r110, r104, r84);
        r84 = r111;
        r112 = as_float(as_uint(r98) ^ 0x80000000u);
        r113 = fma(r112, r105, r91);
        r91 = r113;
      }
      r115 = (int)((uint)r65 * (uint)64);
      r116 = (int)((uint)r115 + (uint)r65);
      {
        float4 v = vload4(0, a0 + r116);
        r117 = v.s0;
        r118 = v.s1;
        r119 = v.s2;
        r120 = v.s3;
      }
      r121 = r70 / r117;
      r123 = (int)((uint)r65 * (uint)32);
      r124 = (int)((uint)r123 + (uint)r0);
      a1[r124] = r121;
      r125 = as_float(as_uint(r121) ^ 0x80000000u);
      r126 = fma(r125, r118, r77);
      r77 = r126;
      r127 = as_float(as_uint(r121) ^ 0x80000000u);
      r128 = fma(r127, r119, r84);
      r84 = r128;
      r129 = as_float(as_uint(r121) ^ 0x80000000u);
      r130 = fma(r129, r120, r91);
      r91 = r130;
      r132 = (int)((uint)r65 + (uint)1);
      r134 = (int)((uint)r132 * (uint)64);
      r135 = (int)((uint)r134 + (uint)r65);
      {
        float4 v = vload4(0, a0 + r135);
        r136 = v.s0;
        r137 = v.s1;
        r138 = v.s2;
        r139 = v.s3;
      }
      r140 = r77 / r137;
      r142 = (int)((uint)r132 * (uint)32);
      r143 = (int)((uint)r142 + (uint)r0);
      a1[r143] = r140;
      r144 = as_float(as_uint(r140) ^ 0x80000000u);
      r145 = fma(r144, r138, r84);
      r84 = r145;
      r146 = as_float(as_uint(r140) ^ 0x80000000u);
      r147 = fma(r146, r139, r91);
      r91 = r147;
      r149 = (int)((uint)r65 + (uint)2);
      r151 = (int)((uint)r149 * (uint)64);
      r152 = (int)((uint)r151 + (uint)r65);
      {
        float4 v = vload4(0, a0 + r152);
        r153 = v.s0;
        r154 = v.s1;
        r155 = v.s2;
        r156 = v.s3;
      }
      r157 = r84 / r155;
      r159 = (int)((uint)r149 * (uint)32);
      r160 = (int)((uint)r159 + (uint)r0);
      a1[r160] = r157;
      r161 = as_float(as_uint(r157) ^ 0x80000000u);
      r162 = fma(r161, r156, r91);
      r91 = r162;
      r164 = (int)((uint)r65 + (uint)3);
      r166 = (int)((uint)r164 * (uint)64);
      r167 = (int)((uint)r166 + (uint)r65);
      {
        float4 v = vload4(0, a0 + r167);
        r168 = v.s0;
        r169 = v.s1;
        r170 = v.s2;
        r171 = v.s3;
      }
      r172 = r91 / r171;
      r174 = (int)((uint)r164 * (uint)32);
      r175 = (int)((uint)r174 + (uint)r0);
      a1[r175] = r172;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    #pragma clang loop vectorize(disable)
    for (r178 = r0; r178 < 2048; r178 += 32) {
      r180 = (int)(r178 >> ((uint)6 < 32 ? (uint)6 : (uint)31));
      r182 = r178 & 63;
      r183 = (int)((uint)r11 + (uint)r180);
      r184 = (uchar)(r182 < r12);
      r185 = (uchar)(r183 < r13);
      r186 = r184 & r185;
      if (r186) {
        r188 = (int)((uint)r9 * (uint)40000);
        r189 = (int)((uint)r188 + (uint)r182);
        r191 = (int)((uint)r183 * (uint)200);
        r192 = (int)((uint)r189 + (uint)r191);
        r193 = (int)s0;
        r194 = (int)((uint)r192 + (uint)r193);
        r196 = (int)((uint)r182 * (uint)32);
        r197 = (int)((uint)r196 + (uint)r180);
        r198 = a1[r197];
        r199 = r198 != r198 ? as_float(0x7fc00000u) : r198;
        b0[r194] = r199;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
