#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void k0_sort_sum(__global uchar *m0, long o0, __global uchar *m1, long o1) {
  __global int *b0 = (__global int *)(m0 + o0);
  __global int *b1 = (__global int *)(m1 + o1);
  __local int a0[128];
  __local int a1[128];
  uchar r29, r37, r45, r53, r61, r69, r77, r86;
  int r0, r1, r2, r4, r6, r7, r9, r10, r12, r14, r16, r18, r20, r22, r23, r24;
  int r25, r26, r27, r31, r32, r33, r34, r35, r39, r40, r41, r42, r43, r47, r48, r49;
  int r50, r51, r55, r56, r57, r58, r59, r63, r64, r65, r66, r67, r71, r72, r73, r74;
  int r75, r79, r80, r81, r82, r83, r84, r87, r89, r90, r91, r92;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  #pragma clang loop vectorize(disable)
  for (r4 = r1; r4 < 256; r4 += r2) {
    r6 = 256 == 0 ? r4 : 256 == -1 ? (int)0 : (int)(r4 % 256);
    r7 = 256 == 0 ? (int)-1 : 256 == -1 ? (int)(0 - (uint)r4) : (int)(r4 / 256);
    r9 = (int)((uint)r7 * (uint)256);
    r10 = (int)((uint)r9 + (uint)r6);
    r12 = r0 < 79 ? r0 : 79;
    r14 = (int)((uint)r12 + (uint)1);
    r16 = r14 < 79 ? r14 : 79;
    r18 = (int)((uint)r10 * (uint)79);
    r20 = 0;
    #pragma clang loop vectorize(disable)
    for (r22 = r12; r22 < r16; r22 += 1) {
      r23 = (int)((uint)r18 + (uint)r22);
      r24 = b0[r23];
      r25 = (int)((uint)r20 + (uint)r24);
      r20 = r25;
    }
    a0[r0] = r20;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r26 = a0[r0];
    r27 = r26;
    r29 = (uchar)(1 <= r0);
    if (r29) {
      r31 = (int)((uint)r0 + (uint)((int)0xffffffffu));
      r32 = a0[r31];
      r33 = (int)((uint)r27 + (uint)r32);
      r27 = r33;
    }
    a1[r0] = r27;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r34 = a1[r0];
    r35 = r34;
    r37 = (uchar)(2 <= r0);
    if (r37) {
      r39 = (int)((uint)r0 + (uint)((int)0xfffffffeu));
      r40 = a1[r39];
      r41 = (int)((uint)r35 + (uint)r40);
      r35 = r41;
    }
    a0[r0] = r35;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r42 = a0[r0];
    r43 = r42;
    r45 = (uchar)(4 <= r0);
    if (r45) {
      r47 = (int)((uint)r0 + (uint)((int)0xfffffffcu));
      r48 = a0[r47];
      r49 = (int)((uint)r43 + (uint)r48);
      r43 = r49;
    }
    a1[r0] = r43;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r50 = a1[r0];
    r51 = r50;
    r53 = (uchar)(8 <= r0);
    if (r53) {
      r55 = (int)((uint)r0 + (uint)((int)0xfffffff8u));
      r56 = a1[r55];
      r57 = (int)((uint)r51 + (uint)r56);
      r51 = r57;
    }
    a0[r0] = r51;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r58 = a0[r0];
    r59 = r58;
    r61 = (uchar)(16 <= r0);
    if (r61) {
      r63 = (int)((uint)r0 + (uint)((int)0xfffffff0u));
      r64 = a0[r63];
      r65 = (int)((uint)r59 + (uint)r64);
      r59 = r65;
    }
    a1[r0] = r59;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r66 = a1[r0];
    r67 = r66;
    r69 = (uchar)(32 <= r0);
    if (r69) {
      r71 = (int)((uint)r0 + (uint)((int)0xffffffe0u));
      r72 = a1[r71];
      r73 = (int)((uint)r67 + (uint)r72);
      r67 = r73;
    }
    a0[r0] = r67;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r74 = a0[r0];
    r75 = r74;
    r77 = (uchar)(64 <= r0);
    if (r77) {
      r79 = (int)((uint)r0 + (uint)((int)0xffffffc0u));
      r80 = a0[r79];
      r81 = (int)((uint)r75 + (uint)r80);
      r75 = r81;
    }
    a1[r0] = r75;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r82 = a1[r0];
    r83 = (int)((uint)r82 - (uint)r20);
    r84 = r83;
    r86 = (uchar)(r0 == 127);
    if (r86) {
      r87 = (int)((uint)r84 + (uint)r20);
      b1[r10] = r87;
    }
    #pragma clang loop vectorize(disable)
    for (r89 = r12; r89 < r16; r89 += 1) {
      r90 = (int)((uint)r18 + (uint)r89);
      r91 = b0[r90];
      b0[r90] = r84;
      r92 = (int)((uint)r84 + (uint)r91);
      r84 = r92;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
