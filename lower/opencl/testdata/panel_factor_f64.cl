#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void k0_panel_factor(__global const uchar *m0, long o0, __global const uchar *m1, long o1, __global uchar *m2, long o2) {
  __global const double *b0 = (__global const double *)(m0 + o0);
  __global const double *b1 = (__global const double *)(m1 + o1);
  __global double *b2 = (__global double *)(m2 + o2);
  __local double a0[1024];
  __local double a1[1024];
  uchar r26, r32, r40, r46, r60, r93, r94;
  int r0, r1, r2, r4, r7, r9, r11, r17, r22, r23, r25, r34, r36, r37, r38, r48;
  int r50, r51, r52, r57, r58, r65, r68, r69, r70, r75, r77, r78, r81, r82, r99, r100;
  int r102, r104, r105, r106;
  double r13, r19, r28, r30, r31, r39, r42, r44, r45, r53, r54, r55, r71, r72, r73, r79;
  double r83, r84, r85, r86, r87, r88, r89, r90, r91, r92, r96, r97, r107;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  #pragma clang loop vectorize(disable)
  for (r4 = r1; r4 < 1; r4 += r2) {
    #pragma clang loop vectorize(disable)
    for (r7 = r0; r7 < 1024; r7 += 256) {
      r9 = (int)(r7 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
      r11 = r7 & 31;
      r13 = as_double(0x0000000000000000ul);
      #pragma clang loop vectorize(disable)
      for (r17 = 0; r17 < 64; r17 += 128) {
        r19 = as_double(0x0000000000000000ul);
        r22 = (int)((uint)r17 + (uint)128);
        r23 = 64 < r22 ? 64 : r22;
        #pragma clang loop vectorize(disable)
        for (r25 = r17; r25 < r23; r25 += 1) {
          r26 = (uchar)(r25 == r9);
          r28 = convert_double_rte(1);
          r30 = r26 ? r28 : as_double(0x0000000000000000ul);
          r31 = r30;
          r32 = (uchar)(r9 < r25);
          if (r32) {
            r34 = (int)((uint)r4 * (uint)4096);
            r36 = (int)((uint)r25 * (uint)64);
            r37 = (int)((uint)r34 + (uint)r36);
            r38 = (int)((uint)r37 + (uint)r9);
            r39 = b0[r38];
            r31 = r39;
          }
          r40 = (uchar)(r25 == r11);
          r42 = convert_double_rte(1);
          r44 = r40 ? r42 : as_double(0x0000000000000000ul);
          r45 = r44;
          r46 = (uchar)(r11 < r25);
          if (r46) {
            r48 = (int)((uint)r4 * (uint)4096);
            r50 = (int)((uint)r25 * (uint)64);
            r51 = (int)((uint)r48 + (uint)r50);
            r52 = (int)((uint)r51 + (uint)r11);
            r53 = b0[r52];
            r45 = r53;
          }
          r54 = fma(r31, r45, r19);
          r19 = r54;
        }
        r55 = r13 + r19;
        r13 = r55;
      }
      r57 = (int)((uint)r9 * (uint)32);
      r58 = (int)((uint)r57 + (uint)r11);
      a0[r58] = r13;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r60 = (uchar)(r0 < 32);
    if (r60) {
      #pragma clang loop vectorize(disable)
      for (r65 = 0; r65 < 32; r65 += 1) {
        r68 = (int)((uint)r4 * (uint)64);
        r69 = (int)((uint)r68 + (uint)r65);
        r70 = (int)((uint)r69 + (uint)0);
        r71 = b1[r70];
        r72 = as_double(0x0000000000000000ul);
        r73 = as_double(0x0000000000000000ul);
        #pragma clang loop vectorize(disable)
        for (r75 = r0; r75 < r65; r75 += 1) {
          r77 = (int)((uint)r75 * (uint)32);
          r78 = (int)((uint)r77 + (uint)r0);
          r79 = a1[r78];
          r81 = (int)((uint)r75 * (uint)32);
          r82 = (int)((uint)r81 + (uint)r65);
          r83 = a0[r82];
          r84 = r79 * r83;
          r85 = r72 + r84;
          r72 = r85;
          r86 = r79 * as_double(0x0000000000000000ul);
          r87 = r83 * as_double(0x0000000000000000ul);
          r88 = r86 + r87;
          r89 = r73 + r88;
          r73 = r89;
        }
        r90 = as_double(as_ulong(r73) ^ 0x8000000000000000ul);
        r91 = fma(r72, r71, r90);
        r92 = as_double(as_ulong(r91) ^ 0x8000000000000000ul);
        r93 = (uchar)(r0 < r65);
        r94 = (uchar)(r0 == r65);
        r96 = r94 ? r71 : as_double(0x0000000000000000ul);
        r97 = r93 ? r92 : r96;
        r99 = (int)((uint)r65 * (uint)32);
        r100 = (int)((uint)r99 + (uint)r0);
        a1[r100] = r97;
        r102 = (int)((uint)r4 * (uint)1024);
        r104 = (int)((uint)r0 * (uint)32);
        r105 = (int)((uint)r102 + (uint)r104);
        r106 = (int)((uint)r105 + (uint)r65);
        r107 = r97 != r97 ? as_double(0x7ff8000000000000ul) : r97;
        b2[r106] = r107;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
