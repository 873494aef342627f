#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void k0_cumsum(__global const uchar *m0, long o0, __global uchar *m1, long o1) {
  __global const float *b0 = (__global const float *)(m0 + o0);
  __global float *b1 = (__global float *)(m1 + o1);
  __local float a0[1056];
  uchar r26, r58, r67, r81, r82;
  int r0, r1, r2, r4, r6, r8, r10, r13, r14, r16, r17, r21, r23, r24, r28, r29;
  int r30, r32, r33, r39, r40, r41, r43, r46, r48, r49, r50, r53, r62, r64, r65, r69;
  int r70, r71, r75, r76, r77, r86, r87;
  float r34, r36, r51, r52, r55, r56, r72, r78, r79, r83, r84;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  #pragma clang loop vectorize(disable)
  for (r4 = r1; r4 < 64; r4 += r2) {
    r6 = r0 & 31;
    r8 = (int)(r0 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
    r10 = (int)((uint)r8 * (uint)1056);
    r13 = (int)((uint)r8 * (uint)1024);
    r14 = (int)((uint)0 + (uint)r13);
    r16 = (int)(r14 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
    r17 = (int)((uint)r14 + (uint)r6);
    #pragma clang loop vectorize(disable)
    for (r21 = 0; r21 < 32; r21 += 1) {
      r23 = (int)((uint)r21 * (uint)32);
      r24 = (int)((uint)r17 + (uint)r23);
      r26 = (uchar)(r24 < 1000);
      if (r26) {
        r28 = (int)((uint)r21 * (uint)33);
        r29 = (int)((uint)r28 + (uint)r6);
        r30 = (int)((uint)r10 + (uint)r29);
        r32 = (int)((uint)r4 * (uint)1000);
        r33 = (int)((uint)r24 + (uint)r32);
        r34 = b0[r33];
        a0[r30] = r34;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r36 = as_float(0x00000000u);
    r39 = (int)((uint)r6 * (uint)32);
    r40 = (int)((uint)r14 + (uint)r39);
    r41 = (int)((uint)1000 - (uint)r40);
    r43 = r41 < 32 ? r41 : 32;
    #pragma clang loop vectorize(disable)
    for (r46 = 0; r46 < r43; r46 += 1) {
      r48 = (int)((uint)r6 * (uint)33);
      r49 = (int)((uint)r48 + (uint)r46);
      r50 = (int)((uint)r10 + (uint)r49);
      r51 = a0[r50];
      r52 = r36 + r51;
      r36 = r52;
      a0[r50] = r36;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r53 = (int)((uint)r14 + (uint)r6);
    r55 = as_float(0x00000000u);
    r56 = r55;
    r58 = (uchar)(r16 == 0);
    #pragma clang loop vectorize(disable)
    for (r62 = 0; r62 < 32; r62 += 1) {
      r64 = (int)((uint)r62 * (uint)32);
      r65 = (int)((uint)r53 + (uint)r64);
      r67 = (uchar)(r65 < 1000);
      if (r67) {
        r69 = (int)((uint)r62 * (uint)33);
        r70 = (int)((uint)r69 + (uint)r6);
        r71 = (int)((uint)r10 + (uint)r70);
        r72 = a0[r71];
        r75 = (int)((uint)r62 * (uint)33);
        r76 = (int)((uint)r75 + (uint)31);
        r77 = (int)((uint)r10 + (uint)r76);
        r78 = a0[r77];
        r79 = r56 + r72;
        r81 = (uchar)(r62 == 0);
        r82 = r58 & r81;
        r83 = r82 ? r72 : r79;
        r84 = r55 + r78;
        r55 = r84;
        r56 = r55;
        r86 = (int)((uint)r4 * (uint)1000);
        r87 = (int)((uint)r65 + (uint)r86);
        b1[r87] = r83;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
