#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void k0_k0_update_last(__global uchar *m0, long o0, __global const uchar *m1, long o1, __global const uchar *m2, long o2, __global const uchar *m3, long o3, __global const uchar *m4, long o4) {
  __global float *b0 = (__global float *)(m0 + o0);
  __global const float *b1 = (__global const float *)(m1 + o1);
  __global const int *b2 = (__global const int *)(m2 + o2);
  __global const uint *b3 = (__global const uint *)(m3 + o3);
  __global const int *b4 = (__global const int *)(m4 + o4);
  uchar r7, r8, r12, r13, r15, r20, r22, r23;
  int r0, r1, r2, r4, r10, r16, r17, r28, r30, r31, r43, r45, r46, r60, r62, r63;
  long r18, r34, r35, r37, r39, r41, r42, r51, r52, r54, r56, r58, r59;
  uint r5, r14;
  float r32, r47, r48, r49;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  #pragma clang loop vectorize(disable)
  for (r4 = r1; r4 < 5000; r4 += r2) {
    r5 = b3[r4];
    r7 = (uchar)(r5 != 4294967295u);
    r8 = r7;
    r10 = (int)((uint)r4 + (uint)1);
    r12 = (uchar)(r10 < 5000);
    r13 = r8 & r12;
    if (r13) {
      r14 = b3[r10];
      r15 = (uchar)(r5 != r14);
      r8 = r15;
    }
    if (r8) {
      r16 = b4[r4];
      r17 = b2[r16];
      r18 = (long)r17;
      r20 = (uchar)(((long)0x0ul) <= r18);
      r22 = (uchar)(r18 < ((long)0x3e8ul));
      r23 = r20 & r22;
      if (r23) {
        #pragma clang loop vectorize(disable)
        for (r28 = r0; r28 < 64; r28 += 64) {
          r30 = (int)((uint)r16 * (uint)64);
          r31 = (int)((uint)r30 + (uint)r28);
          r32 = b1[r31];
          r34 = (long)0;
          r35 = (long)((ulong)r34 + (ulong)r18);
          r37 = (long)1000;
          r39 = r35 > ((long)0x0ul) ? r35 : ((long)0x0ul);
          r41 = (long)((ulong)r37 - (ulong)((long)0x1ul));
          r42 = r39 < r41 ? r39 : r41;
          r43 = (int)r42;
          r45 = (int)((uint)r43 * (uint)64);
          r46 = (int)((uint)r45 + (uint)r28);
          r47 = b0[r46];
          r48 = r47 + r32;
          r49 = r48 != r48 ? as_float(0x7fc00000u) : r48;
          r51 = (long)0;
          r52 = (long)((ulong)r51 + (ulong)r18);
          r54 = (long)1000;
          r56 = r52 > ((long)0x0ul) ? r52 : ((long)0x0ul);
          r58 = (long)((ulong)r54 - (ulong)((long)0x1ul));
          r59 = r56 < r58 ? r56 : r58;
          r60 = (int)r59;
          r62 = (int)((uint)r60 * (uint)64);
          r63 = (int)((uint)r62 + (uint)r28);
          b0[r63] = r49;
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
