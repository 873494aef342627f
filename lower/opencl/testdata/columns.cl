#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void k0_column_sums(__global const uchar *m0, long o0, __global uchar *m1, long o1) {
  __global const double *b0 = (__global const double *)(m0 + o0);
  __global double *b1 = (__global double *)(m1 + o1);
  double a0[48];
  uchar r145, r157, r162;
  int r0, r1, r2, r5, r7, r8, r10, r11, r14, r17, r19, r21, r23, r25, r26, r29;
  int r30, r34, r36, r37, r41, r43, r44, r48, r50, r51, r55, r57, r58, r62, r64, r65;
  int r69, r71, r72, r76, r78, r79, r83, r85, r86, r90, r92, r93, r97, r99, r100, r104;
  int r106, r107, r111, r113, r114, r118, r120, r121, r125, r127, r128, r132, r134, r135, r140, r141;
  int r143, r147, r151, r153, r159, r164;
  double r31, r32, r38, r39, r45, r46, r52, r53, r59, r60, r66, r67, r73, r74, r80, r81;
  double r87, r88, r94, r95, r101, r102, r108, r109, r115, r116, r122, r123, r129, r130, r136, r137;
  double r138, r148, r149, r155, r160, r165, r166;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  r5 = (int)((uint)1 * (uint)1000);
  r7 = (int)((uint)r1 * (uint)128);
  r8 = (int)((uint)r7 + (uint)r0);
  r10 = (int)((uint)r2 * (uint)128);
  #pragma clang loop vectorize(disable)
  for (r11 = r8; r11 < r5; r11 += r10) {
    r14 = 0;
    r17 = (int)((uint)64 + (uint)15);
    r19 = (int)(r17 >> ((uint)4 < 32 ? (uint)4 : (uint)31));
    #pragma clang loop vectorize(disable)
    for (r21 = 0; r21 < r19; r21 += 1) {
      r23 = (int)((uint)r21 * (uint)16);
      r25 = (int)((uint)r23 + (uint)16);
      r26 = r25 < 64 ? r25 : 64;
      r29 = (int)((uint)r23 * (uint)1000);
      r30 = (int)((uint)r11 + (uint)r29);
      r31 = b0[r30];
      r32 = as_double(0x0000000000000000ul) + r31;
      r34 = (int)((uint)r23 + (uint)1);
      r36 = (int)((uint)r34 * (uint)1000);
      r37 = (int)((uint)r11 + (uint)r36);
      r38 = b0[r37];
      r39 = r32 + r38;
      r41 = (int)((uint)r23 + (uint)2);
      r43 = (int)((uint)r41 * (uint)1000);
      r44 = (int)((uint)r11 + (uint)r43);
      r45 = b0[r44];
      r46 = r39 + r45;
      r48 = (int)((uint)r23 + (uint)3);
      r50 = (int)((uint)r48 * (uint)1000);
      r51 = (int)((uint)r11 + (uint)r50);
      r52 = b0[r51];
      r53 = r46 + r52;
      r55 = (int)((uint)r23 + (uint)4);
      r57 = (int)((uint)r55 * (uint)1000);
      r58 = (int)((uint)r11 + (uint)r57);
      r59 = b0[r58];
      r60 = r53 + r59;
      r62 = (int)((uint)r23 + (uint)5);
      r64 = (int)((uint)r62 * (uint)1000);
      r65 = (int)((uint)r11 + (uint)r64);
      r66 = b0[r65];
      r67 = r60 + r66;
      r69 = (int)((uint)r23 + (uint)6);
      r71 = (int)((uint)r69 * (uint)1000);
      r72 = (int)((uint)r11 + (uint)r71);
      r73 = b0[r72];
      r74 = r67 + r73;
      r76 = (int)((uint)r23 + (uint)7);
      r78 = (int)((uint)r76 * (uint)1000);
      r79 = (int)((uint)r11 + (uint)r78);
      r80 = b0[r79];
      r81 = r74 + r80;
      r83 = (int)((uint)r23 + (uint)8);
      r85 = (int)((uint)r83 * (uint)1000);
      r86 = (int)((uint)r11 + (uint)r85);
      r87 = b0[r86];
      r88 = r81 + r87;
      r90 = (int)((uint)r23 + (uint)9);
      r92 = (int)((uint)r90 * (uint)1000);
      r93 = (int)((uint)r11 + (uint)r92);
      r94 = b0[r93];
      r95 = r88 + r94;
      r97 = (int)((uint)r23 + (uint)10);
      r99 = (int)((uint)r97 * (uint)1000);
      r100 = (int)((uint)r11 + (uint)r99);
      r101 = b0[r100];
      r102 = r95 + r101;
      r104 = (int)((uint)r23 + (uint)11);
      r106 = (int)((uint)r104 * (uint)1000);
      r107 = (int)((uint)r11 + (uint)r106);
      r108 = b0[r107];
      r109 = r102 + r108;
      r111 = (int)((uint)r23 + (uint)12);
      r113 = (int)((uint)r111 * (uint)1000);
      r114 = (int)((uint)r11 + (uint)r113);
      r115 = b0[r114];
      r116 = r109 + r115;
      r118 = (int)((uint)r23 + (uint)13);
      r120 = (int)((uint)r118 * (uint)1000);
      r121 = (int)((uint)r11 + (uint)r120);
      r122 = b0[r121];
      r123 = r116 + r122;
      r125 = (int)((uint)r23 + (uint)14);
      r127 = (int)((uint)r125 * (uint)1000);
      r128 = (int)((uint)r11 + (uint)r127);
      r129 = b0[r128];
      r130 = r123 + r129;
      r132 = (int)((uint)r23 + (uint)15);
      r134 = (int)((uint)r132 * (uint)1000);
      r135 = (int)((uint)r11 + (uint)r134);
      r136 = b0[r135];
      r137 = r130 + r136;
      r138 = r137;
      r140 = (int)((uint)r21 + (uint)1);
      r141 = r140;
      #pragma clang loop vectorize(disable)
      for (;;) {
        r143 = r141 & 1;
        r145 = (uchar)(r143 == 0);
        if (!r145) break;
        r147 = (int)((uint)r14 + (uint)((int)0xffffffffu));
        r14 = r147;
        r148 = a0[r14];
        r149 = r148 + r138;
        r138 = r149;
        r151 = (int)(r141 >> ((uint)1 < 32 ? (uint)1 : (uint)31));
        r141 = r151;
      }
      a0[r14] = r138;
      r153 = (int)((uint)r14 + (uint)1);
      r14 = r153;
    }
    r155 = as_double(0x0000000000000000ul);
    r157 = (uchar)(0 < r14);
    if (r157) {
      r159 = (int)((uint)r14 + (uint)((int)0xffffffffu));
      r14 = r159;
      r160 = a0[r14];
      r155 = r160;
      #pragma clang loop vectorize(disable)
      for (;;) {
        r162 = (uchar)(0 < r14);
        if (!r162) break;
        r164 = (int)((uint)r14 + (uint)((int)0xffffffffu));
        r14 = r164;
        r165 = a0[r14];
        r166 = r165 + r155;
        r155 = r166;
      }
    }
    b1[r11] = r155;
  }
}
