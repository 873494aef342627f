#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void k0_cumsum(__global const uchar *m0, long o0, __global uchar *m1, long o1) {
  __global const float *b0 = (__global const float *)(m0 + o0);
  __global float *b1 = (__global float *)(m1 + o1);
  __local float a0[256];
  __local float a1[9];
  __local float a2[1];
  float a3[9];
  float a4[9];
  float a5[9];
  int a6[9];
  uchar r31, r43, r57, r69, r73, r74, r85, r90, r93, r98, r104, r108, r115, r121, r127, r132;
  uchar r138, r151;
  int r0, r1, r2, r5, r6, r9, r11, r14, r15, r17, r19, r20, r24, r26, r27, r35;
  int r37, r39, r45, r49, r52, r54, r56, r59, r61, r64, r66, r67, r71, r76, r78, r80;
  int r82, r86, r88, r102, r110, r113, r117, r130, r134, r143, r145, r146, r154, r155;
  float r22, r28, r29, r33, r40, r41, r51, r62, r75, r83, r92, r94, r95, r96, r99, r100;
  float r106, r111, r112, r118, r119, r123, r125, r128, r129, r135, r136, r141, r147, r148, r149, r152;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  r5 = (int)((uint)1 * (uint)64);
  for (r6 = r1; r6 < r5; r6 += r2) {
    r9 = (int)((uint)1000 + (uint)31);
    r11 = (int)(r9 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
    for (r14 = 0; r14 < r11; r14 += 256) {
      r15 = (int)((uint)r14 + (uint)r0);
      r17 = (int)((uint)r15 * (uint)32);
      r19 = (int)((uint)r17 + (uint)32);
      r20 = r19 < 1000 ? r19 : 1000;
      r22 = as_float(0x00000000u);
      for (r24 = r17; r24 < r20; r24 += 1) {
        r26 = (int)((uint)r6 * (uint)1000);
        r27 = (int)((uint)r24 + (uint)r26);
        r28 = b0[r27];
        r29 = r22 + r28;
        r22 = r29;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      a0[r0] = r22;
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r31 = (uchar)(r0 < 8);
      if (r31) {
        r33 = as_float(0x00000000u);
        r35 = (int)((uint)r0 * (uint)32);
        r37 = (int)((uint)r35 + (uint)32);
        for (r39 = r35; r39 < r37; r39 += 1) {
          r40 = a0[r39];
          r41 = r33 + r40;
          r33 = r41;
          a0[r39] = r33;
        }
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r43 = (uchar)(r0 == 0);
      if (r43) {
        r45 = (int)(r14 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
        for (r49 = 0; r49 < 8; r49 += 1) {
          r51 = a1[8];
          a1[r49] = r51;
          r52 = (int)((uint)r45 + (uint)r49);
          r54 = (int)((uint)r52 + (uint)1);
          r56 = (int)((uint)r54 * (uint)32);
          r57 = (uchar)(r56 < r11);
          if (r57) {
            r59 = (int)((uint)r49 * (uint)32);
            r61 = (int)((uint)r59 + (uint)31);
            r62 = a0[r61];
            r64 = (int)((uint)r45 + (uint)r49);
            r66 = 0;
            a5[r66] = r62;
            a6[r66] = r64;
            for (;;) {
              r67 = a6[r66];
              r69 = (uchar)(0 < r67);
              r71 = r67 & 31;
              r73 = (uchar)(r71 == 0);
              r74 = r69 & r73;
              if (!r74) break;
              r75 = a3[r66];
              r76 = a6[r66];
              r78 = (int)(r76 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
              r80 = (int)((uint)r78 + (uint)((int)0xffffffffu));
              r82 = (int)((uint)r66 + (uint)1);
              r66 = r82;
              a5[r66] = r75;
              a6[r66] = r80;
            }
            for (;;) {
              r85 = (uchar)(0 <= r66);
              if (!r85) break;
              r86 = a6[r66];
              r88 = r86 & 31;
              r90 = (uchar)(r88 == 0);
              r92 = as_float(0x00000000u);
              r93 = r90 ^ 1;
              if (r93) {
                r94 = a3[r66];
                r92 = r94;
              }
              r95 = a5[r66];
              r96 = r92 + r95;
              a3[r66] = r96;
              r83 = r96;
              r98 = (uchar)(32 <= r86);
              if (r98) {
                r99 = a4[r66];
                r100 = r99 + r96;
                r83 = r100;
              }
              r102 = (int)((uint)r66 + (uint)((int)0xffffffffu));
              r66 = r102;
              r104 = (uchar)(0 <= r66);
              if (r104) {
                a4[r66] = r83;
              }
            }
            a1[8] = r83;
          }
        }
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r106 = as_float(0x00000000u);
      r108 = (uchar)(0 < r0);
      if (r108) {
        r110 = (int)((uint)r0 + (uint)((int)0xffffffffu));
        r111 = a0[r110];
        r112 = r111;
        r113 = (int)((uint)r14 + (uint)r110);
        r115 = (uchar)(32 <= r113);
        if (r115) {
          r117 = (int)(r110 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
          r118 = a1[r117];
          r119 = r118 + r112;
          r112 = r119;
        }
        r106 = r112;
      } else {
        r121 = (uchar)(0 < r14);
        if (r121) {
          r123 = a2[0];
          r106 = r123;
        }
      }
      r125 = as_float(0x00000000u);
      r127 = (uchar)(r0 == 255);
      if (r127) {
        r128 = a0[r0];
        r129 = r128;
        r130 = (int)((uint)r14 + (uint)r0);
        r132 = (uchar)(32 <= r130);
        if (r132) {
          r134 = (int)(r0 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
          r135 = a1[r134];
          r136 = r135 + r129;
          r129 = r136;
        }
        r125 = r129;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r138 = (uchar)(r0 == 255);
      if (r138) {
        a2[0] = r125;
      }
      r141 = as_float(0x00000000u);
      for (r143 = r17; r143 < r20; r143 += 1) {
        r145 = (int)((uint)r6 * (uint)1000);
        r146 = (int)((uint)r143 + (uint)r145);
        r147 = b0[r146];
        r148 = r141 + r147;
        r141 = r148;
        r149 = r141;
        r151 = (uchar)(0 < r15);
        if (r151) {
          r152 = r106 + r141;
          r149 = r152;
        }
        r154 = (int)((uint)r6 * (uint)1000);
        r155 = (int)((uint)r143 + (uint)r154);
        b1[r155] = r149;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
