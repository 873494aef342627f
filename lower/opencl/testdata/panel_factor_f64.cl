#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void k0_panel_factor(__global const uchar *m0, long o0, __global const uchar *m1, long o1, __global uchar *m2, long o2, long s0, long s1, long s2) {
  __global const double *b0 = (__global const double *)(m0 + o0);
  __global const double *b1 = (__global const double *)(m1 + o1);
  __global double *b2 = (__global double *)(m2 + o2);
  __local double a0[1024];
  __local double a1[1024];
  uchar r25, r31, r41, r47, r63, r98, r99;
  int r0, r1, r2, r4, r5, r8, r10, r12, r17, r21, r22, r24, r33, r35, r36, r37;
  int r38, r39, r49, r51, r52, r53, r54, r55, r60, r61, r68, r71, r72, r73, r74, r75;
  int r80, r82, r83, r86, r87, r104, r105, r107, r109, r110, r111;
  double r14, r19, r27, r29, r30, r40, r43, r45, r46, r56, r57, r58, r76, r77, r78, r84;
  double r88, r89, r90, r91, r92, r93, r94, r95, r96, r97, r101, r102, r112;
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
      r14 = as_double(0x0000000000000000ul);
      #pragma clang loop vectorize(disable)
      for (r17 = 0; r17 < r5; r17 += 128) {
        r19 = as_double(0x0000000000000000ul);
        r21 = (int)((uint)r17 + (uint)128);
        r22 = r5 < r21 ? r5 : r21;
        #pragma clang loop vectorize(disable)
        for (r24 = r17; r24 < r22; r24 += 1) {
          r25 = (uchar)(r24 == r10);
          r27 = convert_double_rte(1);
          r29 = r25 ? r27 : as_double(0x0000000000000000ul);
          r30 = r29;
          r31 = (uchar)(r10 < r24);
          if (r31) {
            r33 = (int)((uint)r4 * (uint)4096);
            r35 = (int)((uint)r24 * (uint)64);
            r36 = (int)((uint)r33 + (uint)r35);
            r37 = (int)((uint)r36 + (uint)r10);
            r38 = (int)s1;
            r39 = (int)((uint)r37 + (uint)r38);
            r40 = b0[r39];
            r30 = r40;
          }
          r41 = (uchar)(r24 == r12);
          r43 = convert_double_rte(1);
          r45 = r41 ? r43 : as_double(0x0000000000000000ul);
          r46 = r45;
          r47 = (uchar)(r12 < r24);
          if (r47) {
            r49 = (int)((uint)r4 * (uint)4096);
            r51 = (int)((uint)r24 * (uint)64);
            r52 = (int)((uint)r49 + (uint)r51);
            r53 = (int)((uint)r52 + (uint)r12);
            r54 = (int)s1;
            r55 = (int)((uint)r53 + (uint)r54);
            r56 = b0[r55];
            r46 = r56;
          }
          r57 = fma(r30, r46, r19);
          r19 = r57;
        }
        r58 = r14 + r19;
        r14 = r58;
      }
      r60 = (int)((uint)r10 * (uint)32);
      r61 = (int)((uint)r60 + (uint)r12);
      a0[r61] = r14;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r63 = (uchar)(r0 < 32);
    if (r63) {
      #pragma clang loop vectorize(disable)
      for (r68 = 0; r68 < 32; r68 += 1) {
        r71 = (int)((uint)r4 * (uint)64);
        r72 = (int)((uint)r71 + (uint)r68);
        r73 = (int)((uint)r72 + (uint)0);
        r74 = (int)s2;
        r75 = (int)((uint)r73 + (uint)r74);
        r76 = b1[r75];
        r77 = as_double(0x0000000000000000ul);
        r78 = as_double(0x0000000000000000ul);
        #pragma clang loop vectorize(disable)
        for (r80 = r0; r80 < r68; r80 += 1) {
          r82 = (int)((uint)r80 * (uint)32);
          r83 = (int)((uint)r82 + (uint)r0);
          r84 = a1[r83];
          r86 = (int)((uint)r80 * (uint)32);
          r87 = (int)((uint)r86 + (uint)r68);
          r88 = a0[r87];
          r89 = r84 * r88;
          r90 = r77 + r89;
          r77 = r90;
          r91 = r84 * as_double(0x0000000000000000ul);
          r92 = r88 * as_double(0x0000000000000000ul);
          r93 = r91 + r92;
          r94 = r78 + r93;
          r78 = r94;
        }
        r95 = as_double(as_ulong(r78) ^ 0x8000000000000000ul);
        r96 = fma(r77, r76, r95);
        r97 = as_double(as_ulong(r96) ^ 0x8000000000000000ul);
        r98 = (uchar)(r0 < r68);
        r99 = (uchar)(r0 == r68);
        r101 = r99 ? r76 : as_double(0x0000000000000000ul);
        r102 = r98 ? r97 : r101;
        r104 = (int)((uint)r68 * (uint)32);
        r105 = (int)((uint)r104 + (uint)r0);
        a1[r105] = r102;
        r107 = (int)((uint)r4 * (uint)1024);
        r109 = (int)((uint)r0 * (uint)32);
        r110 = (int)((uint)r107 + (uint)r109);
        r111 = (int)((uint)r110 + (uint)r68);
        r112 = r102 != r102 ? as_double(0x7ff8000000000000ul) : r102;
        b2[r111] = r112;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
