#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void k0_k0_update_grouped(__global uchar *m0, long o0, __global const uchar *m1, long o1, __global const uchar *m2, long o2, __global const uchar *m3, long o3, __global const uchar *m4, long o4) {
  __global float *b0 = (__global float *)(m0 + o0);
  __global const float *b1 = (__global const float *)(m1 + o1);
  __global const int *b2 = (__global const int *)(m2 + o2);
  __global const uint *b3 = (__global const uint *)(m3 + o3);
  __global const int *b4 = (__global const int *)(m4 + o4);
  uchar r7, r8, r10, r11, r15, r18, r23, r25, r26, r70, r72;
  int r0, r1, r2, r4, r13, r16, r19, r20, r31, r33, r34, r46, r48, r49, r63, r65;
  int r66, r68;
  long r21, r37, r38, r40, r42, r44, r45, r54, r55, r57, r59, r61, r62;
  uint r5, r14, r71;
  float r35, r50, r51, r52;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  #pragma clang loop vectorize(disable)
  for (r4 = r1; r4 < 5000; r4 += r2) {
    r5 = b3[r4];
    r7 = (uchar)(r5 != 4294967295u);
    r8 = r7;
    r10 = (uchar)(0 < r4);
    r11 = r8 & r10;
    if (r11) {
      r13 = (int)((uint)r4 + (uint)((int)0xffffffffu));
      r14 = b3[r13];
      r15 = (uchar)(r5 != r14);
      r8 = r15;
    }
    if (r8) {
      r16 = r4;
      r18 = ((uchar)0x1u);
      #pragma clang loop vectorize(disable)
      for (;;) {
        if (!r18) break;
        r19 = b4[r16];
        r20 = b2[r19];
        r21 = (long)r20;
        r23 = (uchar)(((long)0x0ul) <= r21);
        r25 = (uchar)(r21 < ((long)0x3e8ul));
        r26 = r23 & r25;
        if (r26) {
          #pragma clang loop vectorize(disable)
          for (r31 = r0; r31 < 64; r31 += 64) {
            r33 = (int)((uint)r19 * (uint)64);
            r34 = (int)((uint)r33 + (uint)r31);
            r35 = b1[r34];
            r37 = (long)0;
            r38 = (long)((ulong)r37 + (ulong)r21);
            r40 = (long)1000;
            r42 = r38 > ((long)0x0ul) ? r38 : ((long)0x0ul);
            r44 = (long)((ulong)r40 - (ulong)((long)0x1ul));
            r45 = r42 < r44 ? r42 : r44;
            r46 = (int)r45;
            r48 = (int)((uint)r46 * (uint)64);
            r49 = (int)((uint)r48 + (uint)r31);
            r50 = b0[r49];
            r51 = r50 + r35;
            r52 = r51 != r51 ? as_float(0x7fc00000u) : r51;
            r54 = (long)0;
            r55 = (long)((ulong)r54 + (ulong)r21);
            r57 = (long)1000;
            r59 = r55 > ((long)0x0ul) ? r55 : ((long)0x0ul);
            r61 = (long)((ulong)r57 - (ulong)((long)0x1ul));
            r62 = r59 < r61 ? r59 : r61;
            r63 = (int)r62;
            r65 = (int)((uint)r63 * (uint)64);
            r66 = (int)((uint)r65 + (uint)r31);
            b0[r66] = r52;
          }
        }
        r68 = (int)((uint)r16 + (uint)1);
        r16 = r68;
        r70 = (uchar)(r16 < 5000);
        r18 = r70;
        if (r18) {
          r71 = b3[r16];
          r72 = (uchar)(r71 == r5);
          r18 = r72;
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
