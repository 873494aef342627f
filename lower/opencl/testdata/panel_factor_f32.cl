#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void k0_panel_factor(__global const uchar *m0, long o0, __global const uchar *m1, long o1, __global uchar *m2, long o2) {
  __global const float *b0 = (__global const float *)(m0 + o0);
  __global const float *b1 = (__global const float *)(m1 + o1);
  __global float *b2 = (__global float *)(m2 + o2);
  __local float a0[1024];
  __local float a1[1024];
  uchar r26, r32, r40, r46, r60, r97, r98;
  int r0, r1, r2, r4, r7, r9, r11, r17, r22, r23, r25, r34, r36, r37, r38, r48;
  int r50, r51, r52, r57, r58, r65, r68, r69, r70, r76, r78, r79, r83, r84, r103, r104;
  int r106, r108, r109, r110;
  float r13, r19, r28, r30, r31, r39, r42, r44, r45, r53, r54, r55, r71, r80, r85, r96;
  float r100, r101, r111;
  double r72, r73, r74, r81, r86, r87, r88, r89, r90, r91, r92, r93, r94, r95;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  #pragma clang loop vectorize(disable)
  for (r4 = r1; r4 < 1; r4 += r2) {
    #pragma clang loop vectorize(disable)
    for (r7 = r0; r7 < 1024; r7 += 256) {
      r9 = (int)(r7 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
      r11 = r7 & 31;
      r13 = as_float(0x00000000u);
      #pragma clang loop vectorize(disable)
      for (r17 = 0; r17 < 64; r17 += 128) {
        r19 = as_float(0x00000000u);
        r22 = (int)((uint)r17 + (uint)128);
        r23 = 64 < r22 ? 64 : r22;
        #pragma clang loop vectorize(disable)
        for (r25 = r17; r25 < r23; r25 += 1) {
          r26 = (uchar)(r25 == r9);
          r28 = convert_float_rte(1);
          r30 = r26 ? r28 : as_float(0x00000000u);
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
          r42 = convert_float_rte(1);
          r44 = r40 ? r42 : as_float(0x00000000u);
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
        r72 = convert_double_rte(r71);
        r73 = as_double(0x0000000000000000ul);
        r74 = as_double(0x0000000000000000ul);
        #pragma clang loop vectorize(disable)
        for (r76 = r0; r76 < r65; r76 += 1) {
          r78 = (int)((uint)r76 * (uint)32);
          r79 = (int)((uint)r78 + (uint)r0);
          r80 = a1[r79];
          r81 = convert_double_rte(r80);
          r83 = (int)((uint)r76 * (uint)32);
          r84 = (int)((uint)r83 + (uint)r65);
          r85 = a0[r84];
          r86 = convert_double_rte(r85);
          r87 = r81 * r86;
          r88 = r73 + r87;
          r73 = r88;
          r89 = r81 * as_double(0x0000000000000000ul);
          r90 = r86 * as_double(0x0000000000000000ul);
          r91 = r89 + r90;
          r92 = r74 + r91;
          r74 = r92;
        }
        r93 = as_double(as_ulong(r74) ^ 0x8000000000000000ul);
        r94 = fma(r73, r72, r93);
        r95 = as_double(as_ulong(r94) ^ 0x8000000000000000ul);
        r96 = convert_float_rte(r95);
        r97 = (uchar)(r0 < r65);
        r98 = (uchar)(r0 == r65);
        r100 = r98 ? r71 : as_float(0x00000000u);
        r101 = r97 ? r96 : r100;
        r103 = (int)((uint)r65 * (uint)32);
        r104 = (int)((uint)r103 + (uint)r0);
        a1[r104] = r101;
        r106 = (int)((uint)r4 * (uint)1024);
        r108 = (int)((uint)r0 * (uint)32);
        r109 = (int)((uint)r106 + (uint)r108);
        r110 = (int)((uint)r109 + (uint)r65);
        r111 = r101 != r101 ? as_float(0x7fc00000u) : r101;
        b2[r110] = r111;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
