#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void k0_gather(__global const uchar *m0, long o0, __global const uchar *m1, long o1, __global uchar *m2, long o2) {
  __global const int *b0 = (__global const int *)(m0 + o0);
  __global const float *b1 = (__global const float *)(m1 + o1);
  __global float *b2 = (__global float *)(m2 + o2);
  uchar r3, r4, r5, r12, r22, r31, r33, r34, r111, r121, r130, r132, r133, r223, r232, r234;
  uchar r235;
  int r0, r1, r2, r7, r9, r10, r14, r16, r17, r19, r20, r24, r25, r27, r28, r37;
  int r39, r40, r42, r54, r56, r57, r63, r65, r66, r68, r71, r73, r74, r76, r78, r81;
  int r83, r84, r86, r88, r91, r93, r94, r96, r98, r101, r103, r104, r106, r108, r109, r113;
  int r115, r116, r118, r119, r123, r124, r126, r127, r136, r138, r139, r141, r153, r155, r156, r162;
  int r164, r165, r167, r170, r172, r173, r175, r177, r180, r182, r183, r185, r187, r190, r192, r193;
  int r195, r197, r200, r202, r203, r205, r207, r208, r210, r211, r214, r215, r217, r219, r220, r221;
  int r225, r226, r228, r229, r238, r240, r241, r253, r255, r256, r259, r261, r262, r265, r267, r268;
  int r270, r271;
  long r29, r44, r45, r46, r48, r50, r52, r53, r128, r143, r144, r145, r147, r149, r151, r152;
  long r230, r243, r244, r245, r247, r249, r251, r252;
  float r58, r59, r60, r61, r69, r79, r89, r99, r157, r158, r159, r160, r168, r178, r188, r198;
  float r257, r263;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  r3 = (uchar)((ulong)b1 % 16 == 0);
  r4 = (uchar)((ulong)b2 % 16 == 0);
  r5 = r3 & r4;
  if (r5) {
    #pragma clang loop vectorize(disable)
    for (r7 = r1; r7 < 15; r7 += r2) {
      r9 = (int)((uint)r7 * (uint)256);
      r10 = (int)((uint)r9 + (uint)r0);
      r12 = (uchar)(r10 < 3600);
      if (r12) {
        r14 = 12 == 0 ? (int)-1 : 12 == -1 ? (int)(0 - (uint)r10) : (int)(r10 / 12);
        r16 = (int)((uint)r14 * (uint)12);
        r17 = (int)((uint)r10 - (uint)r16);
        r19 = (int)((uint)r17 * (uint)4);
        r20 = b0[r14];
        r22 = (uchar)(r20 < 0);
        r24 = (int)((uint)r20 + (uint)1000);
        r25 = r22 ? r24 : r20;
        r27 = r25 > 0 ? r25 : 0;
        r28 = r27 < 999 ? r27 : 999;
        r29 = (long)r25;
        r31 = (uchar)(((long)0x0ul) <= r29);
        r33 = (uchar)(r29 < ((long)0x3e8ul));
        r34 = r31 & r33;
        r37 = 12 == 0 ? (int)-1 : 12 == -1 ? (int)(0 - (uint)r10) : (int)(r10 / 12);
        r39 = (int)((uint)r37 * (uint)12);
        r40 = (int)((uint)r10 - (uint)r39);
        r42 = (int)((uint)r40 * (uint)4);
        r44 = (long)0;
        r45 = (long)r28;
        r46 = (long)((ulong)r44 + (ulong)r45);
        r48 = (long)1000;
        r50 = r46 > ((long)0x0ul) ? r46 : ((long)0x0ul);
        r52 = (long)((ulong)r48 - (ulong)((long)0x1ul));
        r53 = r50 < r52 ? r50 : r52;
        r54 = (int)r53;
        r56 = (int)((uint)r54 * (uint)48);
        r57 = (int)((uint)r56 + (uint)r42);
        {
          float4 v = vload4(0, b1 + r57);
          r58 = v.s0;
          r59 = v.s1;
          r60 = v.s2;
          r61 = v.s3;
        }
        r63 = 12 == 0 ? (int)-1 : 12 == -1 ? (int)(0 - (uint)r10) : (int)(r10 / 12);
        r65 = (int)((uint)r63 * (uint)12);
        r66 = (int)((uint)r10 - (uint)r65);
        r68 = (int)((uint)r66 * (uint)4);
        r69 = r34 ? r58 : as_float(0x7fc00000u);
        r71 = 12 == 0 ? (int)-1 : 12 == -1 ? (int)(0 - (uint)r10) : (int)(r10 / 12);
        r73 = (int)((uint)r71 * (uint)12);
        r74 = (int)((uint)r10 - (uint)r73);
        r76 = (int)((uint)r74 * (uint)4);
        r78 = (int)((uint)r76 + (uint)1);
        r79 = r34 ? r59 : as_float(0x7fc00000u);
        r81 = 12 == 0 ? (int)-1 : 12 == -1 ? (int)(0 - (uint)r10) : (int)(r10 / 12);
        r83 = (int)((uint)r81 * (uint)12);
        r84 = (int)((uint)r10 - (uint)r83);
        r86 = (int)((uint)r84 * (uint)4);
        r88 = (int)((uint)r86 + (uint)2);
        r89 = r34 ? r60 : as_float(0x7fc00000u);
        r91 = 12 == 0 ? (int)-1 : 12 == -1 ? (int)(0 - (uint)r10) : (int)(r10 / 12);
        r93 = (int)((uint)r91 * (uint)12);
        r94 = (int)((uint)r10 - (uint)r93);
        r96 = (int)((uint)r94 * (uint)4);
        r98 = (int)((uint)r96 + (uint)3);
        r99 = r34 ? r61 : as_float(0x7fc00000u);
        r101 = 12 == 0 ? (int)-1 : 12 == -1 ? (int)(0 - (uint)r10) : (int)(r10 / 12);
        r103 = (int)((uint)r101 * (uint)12);
        r104 = (int)((uint)r10 - (uint)r103);
        r106 = (int)((uint)r104 * (uint)4);
        r108 = (int)((uint)r101 * (uint)48);
        r109 = (int)((uint)r106 + (uint)r108);
        vstore4((float4)(r69, r79, r89, r99), 0, b2 + r109);
      } else {
        r111 = (uchar)(r10 < 3600);
        if (r111) {
          r113 = 12 == 0 ? (int)-1 : 12 == -1 ? (int)(0 - (uint)r10) : (int)(r10 / 12);
          r115 = (int)((uint)r113 * (uint)12);
          r116 = (int)((uint)r10 - (uint)r115);
          r118 = (int)((uint)r116 * (uint)4);
          r119 = b0[r113];
          r121 = (uchar)(r119 < 0);
          r123 = (int)((uint)r119 + (uint)1000);
          r124 = r121 ? r123 : r119;
          r126 = r124 > 0 ? r124 : 0;
          r127 = r126 < 999 ? r126 : 999;
          r128 = (long)r124;
          r130 = (uchar)(((long)0x0ul) <= r128);
          r132 = (uchar)(r128 < ((long)0x3e8ul));
          r133 = r130 & r132;
          r136 = 12 == 0 ? (int)-1 : 12 == -1 ? (int)(0 - (uint)r10) : (int)(r10 / 12);
          r138 = (int)((uint)r136 * (uint)12);
          r139 = (int)((uint)r10 - (uint)r138);
          r141 = (int)((uint)r139 * (uint)4);
          r143 = (long)0;
          r144 = (long)r127;
          r145 = (long)((ulong)r143 + (ulong)r144);
          r147 = (long)1000;
          r149 = r145 > ((long)0x0ul) ? r145 : ((long)0x0ul);
          r151 = (long)((ulong)r147 - (ulong)((long)0x1ul));
          r152 = r149 < r151 ? r149 : r151;
          r153 = (int)r152;
          r155 = (int)((uint)r153 * (uint)48);
          r156 = (int)((uint)r155 + (uint)r141);
          {
            float4 v = vload4(0, b1 + r156);
            r157 = v.s0;
            r158 = v.s1;
            r159 = v.s2;
            r160 = v.s3;
          }
          r162 = 12 == 0 ? (int)-1 : 12 == -1 ? (int)(0 - (uint)r10) : (int)(r10 / 12);
          r164 = (int)((uint)r162 * (uint)12);
          r165 = (int)((uint)r10 - (uint)r164);
          r167 = (int)((uint)r165 * (uint)4);
          r168 = r133 ? r157 : as_float(0x7fc00000u);
          r170 = 12 == 0 ? (int)-1 : 12 == -1 ? (int)(0 - (uint)r10) : (int)(r10 / 12);
          r172 = (int)((uint)r170 * (uint)12);
          r173 = (int)((uint)r10 - (uint)r172);
          r175 = (int)((uint)r173 * (uint)4);
          r177 = (int)((uint)r175 + (uint)1);
          r178 = r133 ? r158 : as_float(0x7fc00000u);
          r180 = 12 == 0 ? (int)-1 : 12 == -1 ? (int)(0 - (uint)r10) : (int)(r10 / 12);
          r182 = (int)((uint)r180 * (uint)12);
          r183 = (int)((uint)r10 - (uint)r182);
          r185 = (int)((uint)r183 * (uint)4);
          r187 = (int)((uint)r185 + (uint)2);
          r188 = r133 ? r159 : as_float(0x7fc00000u);
          r190 = 12 == 0 ? (int)-1 : 12 == -1 ? (int)(0 - (uint)r10) : (int)(r10 / 12);
          r192 = (int)((uint)r190 * (uint)12);
          r193 = (int)((uint)r10 - (uint)r192);
          r195 = (int)((uint)r193 * (uint)4);
          r197 = (int)((uint)r195 + (uint)3);
          r198 = r133 ? r160 : as_float(0x7fc00000u);
          r200 = 12 == 0 ? (int)-1 : 12 == -1 ? (int)(0 - (uint)r10) : (int)(r10 / 12);
          r202 = (int)((uint)r200 * (uint)12);
          r203 = (int)((uint)r10 - (uint)r202);
          r205 = (int)((uint)r203 * (uint)4);
          r207 = (int)((uint)r200 * (uint)48);
          r208 = (int)((uint)r205 + (uint)r207);
          vstore4((float4)(r168, r178, r188, r198), 0, b2 + r208);
        }
      }
    }
  } else {
    r210 = (int)((uint)r1 * (uint)256);
    r211 = (int)((uint)r210 + (uint)r0);
    r214 = (int)((uint)r2 * (uint)256);
    #pragma clang loop vectorize(disable)
    for (r215 = r211; r215 < 14400; r215 += r214) {
      r217 = 48 == 0 ? (int)-1 : 48 == -1 ? (int)(0 - (uint)r215) : (int)(r215 / 48);
      r219 = (int)((uint)r217 * (uint)48);
      r220 = (int)((uint)r215 - (uint)r219);
      r221 = b0[r217];
      r223 = (uchar)(r221 < 0);
      r225 = (int)((uint)r221 + (uint)1000);
      r226 = r223 ? r225 : r221;
      r228 = r226 > 0 ? r226 : 0;
      r229 = r228 < 999 ? r228 : 999;
      r230 = (long)r226;
      r232 = (uchar)(((long)0x0ul) <= r230);
      r234 = (uchar)(r230 < ((long)0x3e8ul));
      r235 = r232 & r234;
      r238 = 48 == 0 ? (int)-1 : 48 == -1 ? (int)(0 - (uint)r215) : (int)(r215 / 48);
      r240 = (int)((uint)r238 * (uint)48);
      r241 = (int)((uint)r215 - (uint)r240);
      r243 = (long)0;
      r244 = (long)r229;
      r245 = (long)((ulong)r243 + (ulong)r244);
      r247 = (long)1000;
      r249 = r245 > ((long)0x0ul) ? r245 : ((long)0x0ul);
      r251 = (long)((ulong)r247 - (ulong)((long)0x1ul));
      r252 = r249 < r251 ? r249 : r251;
      r253 = (int)r252;
      r255 = (int)((uint)r253 * (uint)48);
      r256 = (int)((uint)r255 + (uint)r241);
      r257 = b1[r256];
      r259 = 48 == 0 ? (int)-1 : 48 == -1 ? (int)(0 - (uint)r215) : (int)(r215 / 48);
      r261 = (int)((uint)r259 * (uint)48);
      r262 = (int)((uint)r215 - (uint)r261);
      r263 = r235 ? r257 : as_float(0x7fc00000u);
      r265 = 48 == 0 ? (int)-1 : 48 == -1 ? (int)(0 - (uint)r215) : (int)(r215 / 48);
      r267 = (int)((uint)r265 * (uint)48);
      r268 = (int)((uint)r215 - (uint)r267);
      r270 = (int)((uint)r265 * (uint)48);
      r271 = (int)((uint)r268 + (uint)r270);
      b2[r271] = r263;
    }
  }
}
