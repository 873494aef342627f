#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void k0_triangular_solve(__global uchar *m0, long o0) {
  __global double *b0 = (__global double *)(m0 + o0);
  __local double a0[4096];
  __local double a1[2048];
  uchar r18, r19, r20, r46, r48, r49, r183, r185, r186;
  int r0, r1, r2, r4, r6, r7, r9, r13, r15, r17, r24, r26, r27, r28, r30, r33;
  int r34, r37, r39, r41, r42, r44, r45, r53, r54, r56, r57, r59, r64, r66, r67, r71;
  int r73, r74, r78, r80, r81, r85, r87, r88, r93, r95, r96, r99, r100, r114, r115, r122;
  int r123, r131, r133, r134, r141, r142, r148, r150, r151, r158, r159, r163, r165, r166, r173, r174;
  int r177, r179, r181, r182, r188, r189, r191, r192, r194, r196, r197;
  double r22, r31, r51, r60, r68, r69, r75, r76, r82, r83, r89, r90, r97, r101, r102, r103;
  double r104, r105, r106, r107, r108, r109, r110, r111, r112, r116, r117, r118, r119, r120, r124, r125;
  double r126, r127, r128, r129, r135, r136, r137, r138, r139, r143, r144, r145, r146, r152, r153, r154;
  double r155, r156, r160, r161, r167, r168, r169, r170, r171, r198, r199;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  #pragma clang loop vectorize(disable)
  for (r4 = r1; r4 < 1; r4 += r2) {
    r6 = 1 == 0 ? r4 : 1 == -1 ? (int)0 : (int)(r4 % 1);
    r7 = 1 == 0 ? (int)-1 : 1 == -1 ? (int)(0 - (uint)r4) : (int)(r4 / 1);
    r9 = (int)((uint)r6 * (uint)32);
    #pragma clang loop vectorize(disable)
    for (r13 = r0; r13 < 4096; r13 += 32) {
      r15 = (int)(r13 >> ((uint)6 < 32 ? (uint)6 : (uint)31));
      r17 = r13 & 63;
      r18 = (uchar)(r15 < 64);
      r19 = (uchar)(r17 <= r15);
      r20 = r18 & r19;
      r22 = as_double(0x0000000000000000ul);
      if (r20) {
        r24 = (int)((uint)r7 * (uint)40000);
        r26 = (int)((uint)r15 * (uint)200);
        r27 = (int)((uint)r24 + (uint)r26);
        r28 = (int)((uint)r27 + (uint)r17);
        r30 = (int)((uint)r28 + (uint)25728);
        r31 = b0[r30];
        r22 = r31;
      }
      r33 = (int)((uint)r17 * (uint)64);
      r34 = (int)((uint)r33 + (uint)r15);
      a0[r34] = r22;
    }
    #pragma clang loop vectorize(disable)
    for (r37 = r0; r37 < 2048; r37 += 32) {
      r39 = (int)(r37 >> ((uint)6 < 32 ? (uint)6 : (uint)31));
      r41 = r37 & 63;
      r42 = (int)((uint)r9 + (uint)r39);
      r44 = (int)((uint)r41 * (uint)32);
      r45 = (int)((uint)r44 + (uint)r39);
      r46 = (uchar)(r41 < 64);
      r48 = (uchar)(r42 < 8);
      r49 = r46 & r48;
      r51 = as_double(0x0000000000000000ul);
      if (r49) {
        r53 = (int)((uint)r7 * (uint)40000);
        r54 = (int)((uint)r53 + (uint)r41);
        r56 = (int)((uint)r42 * (uint)200);
        r57 = (int)((uint)r54 + (uint)r56);
        r59 = (int)((uint)r57 + (uint)38528);
        r60 = b0[r59];
        r51 = r60;
      }
      a1[r45] = r51;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    #pragma clang loop vectorize(disable)
    for (r64 = 0; r64 < 64; r64 += 4) {
      r66 = (int)((uint)r64 * (uint)32);
      r67 = (int)((uint)r66 + (uint)r0);
      r68 = a1[r67];
      r69 = r68;
      r71 = (int)((uint)r64 + (uint)1);
      r73 = (int)((uint)r71 * (uint)32);
      r74 = (int)((uint)r73 + (uint)r0);
      r75 = a1[r74];
      r76 = r75;
      r78 = (int)((uint)r64 + (uint)2);
      r80 = (int)((uint)r78 * (uint)32);
      r81 = (int)((uint)r80 + (uint)r0);
      r82 = a1[r81];
      r83 = r82;
      r85 = (int)((uint)r64 + (uint)3);
      r87 = (int)((uint)r85 * (uint)32);
      r88 = (int)((uint)r87 + (uint)r0);
      r89 = a1[r88];
      r90 = r89;
      #pragma clang loop vectorize(disable)
      for (r93 = 0; r93 < r64; r93 += 1) {
        r95 = (int)((uint)r93 * (uint)32);
        r96 = (int)((uint)r95 + (uint)r0);
        r97 = a1[r96];
        r99 = (int)((uint)r93 * (uint)64);
        r100 = (int)((uint)r99 + (uint)r64);
        {
          double2 v = vload2(0, a0 + r100);
          r101 = v.s0;
          r102 = v.s1;
        }
        {
          double2 v = vload2(0, a0 + (r100 + 2));
          r103 = v.s0;
          r104 = v.s1;
        }
        r105 = as_double(as_ulong(r101) ^ 0x8000000000000000ul);
        r106 = fma(r105, r97, r69);
        r69 = r106;
        r107 = as_double(as_ulong(r102) ^ 0x8000000000000000ul);
        r108 = fma(r107, r97, r76);
        r76 = r108;
        r109 = as_double(as_ulong(r103) ^ 0x8000000000000000ul);
        r110 = fma(r109, r97, r83);
        r83 = r110;
        r111 = as_double(as_ulong(r104) ^ 0x8000000000000000ul);
        r112 = fma(r111, r97, r90);
        r90 = r112;
      }
      r114 = (int)((uint)r64 * (uint)64);
      r115 = (int)((uint)r114 + (uint)r64);
      {
        double2 v = vload2(0, a0 + r115);
        r116 = v.s0;
        r117 = v.s1;
      }
      {
        double2 v = vload2(0, a0 + (r115 + 2));
        r118 = v.s0;
        r119 = v.s1;
      }
      r120 = r69 / r116;
      r122 = (int)((uint)r64 * (uint)32);
      r123 = (int)((uint)r122 + (uint)r0);
      a1[r123] = r120;
      r124 = as_double(as_ulong(r117) ^ 0x8000000000000000ul);
      r125 = fma(r124, r120, r76);
      r126 = as_double(as_ulong(r118) ^ 0x8000000000000000ul);
      r127 = fma(r126, r120, r83);
      r128 = as_double(as_ulong(r119) ^ 0x8000000000000000ul);
      r129 = fma(r128, r120, r90);
      r131 = (int)((uint)r64 + (uint)1);
      r133 = (int)((uint)r131 * (uint)64);
      r134 = (int)((uint)r133 + (uint)r64);
      {
        double2 v = vload2(0, a0 + r134);
        r135 = v.s0;
        r136 = v.s1;
      }
      {
        double2 v = vload2(0, a0 + (r134 + 2));
        r137 = v.s0;
        r138 = v.s1;
      }
      r139 = r125 / r136;
      r141 = (int)((uint)r131 * (uint)32);
      r142 = (int)((uint)r141 + (uint)r0);
      a1[r142] = r139;
      r143 = as_double(as_ulong(r137) ^ 0x8000000000000000ul);
      r144 = fma(r143, r139, r127);
      r145 = as_double(as_ulong(r138) ^ 0x8000000000000000ul);
      r146 = fma(r145, r139, r129);
      r148 = (int)((uint)r64 + (uint)2);
      r150 = (int)((uint)r148 * (uint)64);
      r151 = (int)((uint)r150 + (uint)r64);
      {
        double2 v = vload2(0, a0 + r151);
        r152 = v.s0;
        r153 = v.s1;
      }
      {
        double2 v = vload2(0, a0 + (r151 + 2));
        r154 = v.s0;
        r155 = v.s1;
      }
      r156 = r144 / r154;
      r158 = (int)((uint)r148 * (uint)32);
      r159 = (int)((uint)r158 + (uint)r0);
      a1[r159] = r156;
      r160 = as_double(as_ulong(r155) ^ 0x8000000000000000ul);
      r161 = fma(r160, r156, r146);
      r163 = (int)((uint)r64 + (uint)3);
      r165 = (int)((uint)r163 * (uint)64);
      r166 = (int)((uint)r165 + (uint)r64);
      {
        double2 v = vload2(0, a0 + r166);
        r167 = v.s0;
        r168 = v.s1;
      }
      {
        double2 v = vload2(0, a0 + (r166 + 2));
        r169 = v.s0;
        r170 = v.s1;
      }
      r171 = r161 / r170;
      r173 = (int)((uint)r163 * (uint)32);
      r174 = (int)((uint)r173 + (uint)r0);
      a1[r174] = r171;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    #pragma clang loop vectorize(disable)
    for (r177 = r0; r177 < 2048; r177 += 32) {
      r179 = (int)(r177 >> ((uint)6 < 32 ? (uint)6 : (uint)31));
      r181 = r177 & 63;
      r182 = (int)((uint)r9 + (uint)r179);
      r183 = (uchar)(r181 < 64);
      r185 = (uchar)(r182 < 8);
      r186 = r183 & r185;
      if (r186) {
        r188 = (int)((uint)r7 * (uint)40000);
        r189 = (int)((uint)r188 + (uint)r181);
        r191 = (int)((uint)r182 * (uint)200);
        r192 = (int)((uint)r189 + (uint)r191);
        r194 = (int)((uint)r192 + (uint)38528);
        r196 = (int)((uint)r181 * (uint)32);
        r197 = (int)((uint)r196 + (uint)r179);
        r198 = a1[r197];
        r199 = r198 != r198 ? as_double(0x7ff8000000000000ul) : r198;
        b0[r194] = r199;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
