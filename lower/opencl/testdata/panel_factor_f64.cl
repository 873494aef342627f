#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void k0_panel_factor(__global const uchar *m0, long o0, __global const uchar *m1, long o1, __global uchar *m2, long o2, long s0, long s1, long s2) {
  __global const double *b0 = (__global const double *)(m0 + o0);
  __global const double *b1 = (__global const double *)(m1 + o1);
  __global double *b2 = (__global double *)(m2 + o2);
  __local double a0[1024];
  __local double a1[1024];
  uchar r25, r30, r40, r45, r61, r103, r104;
  int r0, r1, r2, r4, r5, r8, r10, r12, r17, r21, r22, r24, r32, r34, r35, r36;
  int r37, r38, r47, r49, r50, r51, r52, r53, r58, r59, r65, r68, r69, r70, r71, r72;
  int r78, r80, r81, r85, r86, r109, r110, r112, r114, r115, r116;
  double r14, r19, r28, r29, r39, r43, r44, r54, r55, r56, r73, r75, r76, r82, r87, r89;
  double r90, r91, r92, r93, r94, r95, r97, r98, r99, r100, r101, r102, r106, r107, r117;
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
          r28 = r25 ? as_double(0x3ff0000000000000ul) : as_double(0x0000000000000000ul);
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
          r43 = r40 ? as_double(0x3ff0000000000000ul) : as_double(0x0000000000000000ul);
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
          r85 = (int)((uint)r78 * (uint)32);
          r86 = (int)((uint)r85 + (uint)r65);
          r87 = a0[r86];
          r89 = as_double(0x0000000000000000ul) * as_double(0x0000000000000000ul);
          r90 = as_double(as_ulong(r89) ^ 0x8000000000000000ul);
          r91 = fma(r82, r87, r90);
          r92 = as_double(0x0000000000000000ul) * r87;
          r93 = fma(r82, as_double(0x0000000000000000ul), r92);
          r94 = r75 + r91;
          r75 = r94;
          r95 = r76 + r93;
          r76 = r95;
        }
        r97 = r76 * as_double(0x0000000000000000ul);
        r98 = as_double(as_ulong(r97) ^ 0x8000000000000000ul);
        r99 = fma(r75, r73, r98);
        r100 = r76 * r73;
        r101 = fma(r75, as_double(0x0000000000000000ul), r100);
        r102 = as_double(as_ulong(r99) ^ 0x8000000000000000ul);
        r103 = (uchar)(r0 < r65);
        r104 = (uchar)(r0 == r65);
        r106 = r104 ? r73 : as_double(0x0000000000000000ul);
        r107 = r103 ? r102 : r106;
        r109 = (int)((uint)r65 * (uint)32);
        r110 = (int)((uint)r109 + (uint)r0);
        a1[r110] = r107;
        r112 = (int)((uint)r4 * (uint)1024);
        r114 = (int)((uint)r0 * (uint)32);
        r115 = (int)((uint)r112 + (uint)r114);
        r116 = (int)((uint)r115 + (uint)r65);
        r117 = r107 != r107 ? as_double(0x7ff8000000000000ul) : r107;
        b2[r116] = r117;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
