#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void k0_panel_factor(__global const uchar *m0, long o0, __global const uchar *m1, long o1, __global uchar *m2, long o2, long s0, long s1, long s2) {
  __global const float *b0 = (__global const float *)(m0 + o0);
  __global const float *b1 = (__global const float *)(m1 + o1);
  __global float *b2 = (__global float *)(m2 + o2);
  __local float a0[1024];
  __local float a1[1024];
  uchar r25, r30, r40, r45, r61, r107, r108;
  int r0, r1, r2, r4, r5, r8, r10, r12, r17, r21, r22, r24, r32, r34, r35, r36;
  int r37, r38, r47, r49, r50, r51, r52, r53, r58, r59, r65, r68, r69, r70, r71, r72;
  int r78, r80, r81, r86, r87, r113, r114, r116, r118, r119, r120;
  float r14, r19, r28, r29, r39, r43, r44, r54, r55, r56, r73, r82, r88, r105, r106, r110;
  float r111, r121;
  double r75, r76, r83, r89, r91, r92, r93, r94, r95, r96, r97, r98, r100, r101, r102, r103;
  double r104;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  #pragma clang loop vectorize(disable)
  for (r4 = r1; r4 < 1; r4 += r2) {
    r5 = (int)s0;
    #pragma clang loop vectorize(disable)
    for (r8 = r0; r8 < 1024; r8 += 256) {
      r10 = (int)(r8 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
      r12 = r8 & 31;
      r14 = as_float(0x00000000u);
      #pragma clang loop vectorize(disable)
      for (r17 = 0; r17 < r5; r17 += 128) {
        r19 = as_float(0x00000000u);
        r21 = (int)((uint)r17 + (uint)128);
        r22 = r5 < r21 ? r5 : r21;
        #pragma clang loop vectorize(disable)
        for (r24 = r17; r24 < r22; r24 += 1) {
          r25 = (uchar)(r24 == r10);
          r28 = r25 ? as_float(0x3f800000u) : as_float(0x00000000u);
          r29 = r28;
          r30 = (uchar)(r10 < r24);
          if (r30) {
            r32 = (int)((uint)r4 * (uint)4096);
            r34 = (int)((uint)r24 * (uint)64);
            r35 = (int)((uint)r32 + (uint)r34);
            r36 = (int)((uint)r35 + (uint)r10);
            r37 = (int)s1;
            r38 = (int)((uint)r36 + (uint)r37);
            r39 = b0[r38];
            r29 = r39;
          }
          r40 = (uchar)(r24 == r12);
          r43 = r40 ? as_float(0x3f800000u) : as_float(0x00000000u);
          r44 = r43;
          r45 = (uchar)(r12 < r24);
          if (r45) {
            r47 = (int)((uint)r4 * (uint)4096);
            r49 = (int)((uint)r24 * (uint)64);
            r50 = (int)((uint)r47 + (uint)r49);
            r51 = (int)((uint)r50 + (uint)r12);
            r52 = (int)s1;
            r53 = (int)((uint)r51 + (uint)r52);
            r54 = b0[r53];
            r44 = r54;
          }
          r55 = fma(r29, r44, r19);
          r19 = r55;
        }
        r56 = r14 + r19;
        r14 = r56;
      }
      r58 = (int)((uint)r10 * (uint)32);
      r59 = (int)((uint)r58 + (uint)r12);
      a0[r59] = r14;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r61 = (uchar)(r0 < 32);
    if (r61) {
      #pragma clang loop vectorize(disable)
      for (r65 = 0; r65 < 32; r65 += 1) {
        r68 = (int)((uint)r4 * (uint)64);
        r69 = (int)((uint)r68 + (uint)r65);
        r70 = (int)((uint)r69 + (uint)0);
        r71 = (int)s2;
        r72 = (int)((uint)r70 + (uint)r71);
        r73 = b1[r72];
        r75 = as_double(0x0000000000000000ul);
        r76 = as_double(0x0000000000000000ul);
        #pragma clang loop vectorize(disable)
        for (r78 = r0; r78 < r65; r78 += 1) {
          r80 = (int)((uint)r78 * (uint)32);
          r81 = (int)((uint)r80 + (uint)r0);
          r82 = a1[r81];
          r83 = convert_double_rte(r82);
          r86 = (int)((uint)r78 * (uint)32);
          r87 = (int)((uint)r86 + (uint)r65);
          r88 = a0[r87];
          r89 = convert_double_rte(r88);
          r91 = as_double(0x0000000000000000ul) * as_double(0x0000000000000000ul);
          r92 = as_double(as_ulong(r91) ^ 0x8000000000000000ul);
          r93 = fma(r83, r89, r92);
          r94 = as_double(0x0000000000000000ul) * r89;
          r95 = fma(r83, as_double(0x0000000000000000ul), r94);
          r96 = r75 + r93;
          r75 = r96;
          r97 = r76 + r95;
          r76 = r97;
        }
        r98 = convert_double_rte(r73);
        r100 = r76 * as_double(0x0000000000000000ul);
        r101 = as_double(as_ulong(r100) ^ 0x8000000000000000ul);
        r102 = fma(r75, r98, r101);
        r103 = r76 * r98;
        r104 = fma(r75, as_double(0x0000000000000000ul), r103);
        r105 = convert_float_rte(r102);
        r106 = as_float(as_uint(r105) ^ 0x80000000u);
        r107 = (uchar)(r0 < r65);
        r108 = (uchar)(r0 == r65);
        r110 = r108 ? r73 : as_float(0x00000000u);
        r111 = r107 ? r106 : r110;
        r113 = (int)((uint)r65 * (uint)32);
        r114 = (int)((uint)r113 + (uint)r0);
        a1[r114] = r111;
        r116 = (int)((uint)r4 * (uint)1024);
        r118 = (int)((uint)r0 * (uint)32);
        r119 = (int)((uint)r116 + (uint)r118);
        r120 = (int)((uint)r119 + (uint)r65);
        r121 = r111 != r111 ? as_float(0x7fc00000u) : r111;
        b2[r120] = r121;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
