#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void k0_sort_merge(__global const uchar *m0, long o0, __global const uchar *m1, long o1, __global uchar *m2, long o2, __global uchar *m3, long o3) {
  __global const ulong *b0 = (__global const ulong *)(m0 + o0);
  __global const int *b1 = (__global const int *)(m1 + o1);
  __global ulong *b2 = (__global ulong *)(m2 + o2);
  __global int *b3 = (__global int *)(m3 + o3);
  uchar r48, r59, r69, r70, r71, r72, r77, r78;
  int r0, r1, r2, r5, r6, r8, r9, r11, r12, r14, r16, r19, r20, r22, r23, r24;
  int r26, r29, r30, r33, r34, r37, r38, r39, r41, r43, r44, r45, r46, r47, r49, r51;
  int r52, r54, r56, r57, r60, r62, r63, r64, r65, r66, r68, r73, r75, r79, r80, r81;
  int r83, r84, r85, r87, r88, r90, r91;
  ulong r53, r58, r74, r76, r82;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  r5 = (int)((uint)r1 * (uint)128);
  r6 = (int)((uint)r5 + (uint)r0);
  r8 = (int)((uint)r2 * (uint)128);
  #pragma clang loop vectorize(disable)
  for (r9 = r6; r9 < 1500; r9 += r8) {
    r11 = 375 == 0 ? r9 : 375 == -1 ? (int)0 : (int)(r9 % 375);
    r12 = 375 == 0 ? (int)-1 : 375 == -1 ? (int)(0 - (uint)r9) : (int)(r9 / 375);
    r14 = (int)((uint)r12 * (uint)3000);
    r16 = (int)((uint)r11 * (uint)8);
    r19 = (int)((uint)r16 + (uint)8);
    r20 = 3000 < r19 ? 3000 : r19;
    r22 = r16 & 2047;
    r23 = r22;
    r24 = (int)((uint)r16 - (uint)r23);
    r26 = (int)((uint)3000 - (uint)r24);
    r29 = r26 > 0 ? r26 : 0;
    r30 = r29 < 1024 ? r29 : 1024;
    r33 = (int)((uint)r24 + (uint)1024);
    r34 = (int)((uint)3000 - (uint)r33);
    r37 = r34 > 0 ? r34 : 0;
    r38 = r37 < 1024 ? r37 : 1024;
    r39 = (int)((uint)r24 + (uint)r14);
    r41 = (int)((uint)r39 + (uint)1024);
    r43 = (int)((uint)r23 - (uint)r38);
    r44 = 0 > r43 ? 0 : r43;
    r45 = r44;
    r46 = r23 < r30 ? r23 : r30;
    r47 = r46;
    #pragma clang loop vectorize(disable)
    for (;;) {
      r48 = (uchar)(r45 < r47);
      if (!r48) break;
      r49 = (int)((uint)r45 + (uint)r47);
      r51 = (int)(r49 >> ((uint)1 < 32 ? (uint)1 : (uint)31));
      r52 = (int)((uint)r39 + (uint)r51);
      r53 = b0[r52];
      r54 = (int)((uint)r23 - (uint)r51);
      r56 = (int)((uint)r54 + (uint)((int)0xffffffffu));
      r57 = (int)((uint)r41 + (uint)r56);
      r58 = b0[r57];
      r59 = (uchar)(r58 < r53);
      r60 = r59 ? r51 : r47;
      r47 = r60;
      r62 = (int)((uint)r51 + (uint)1);
      r63 = r59 ? r45 : r62;
      r45 = r63;
    }
    r64 = r45;
    r65 = (int)((uint)r23 - (uint)r64);
    r66 = r65;
    #pragma clang loop vectorize(disable)
    for (r68 = r16; r68 < r20; r68 += 1) {
      r69 = (uchar)(r64 < r30);
      r70 = r69;
      r71 = (uchar)(r66 < r38);
      r72 = r70 & r71;
      if (r72) {
        r73 = (int)((uint)r41 + (uint)r66);
        r74 = b0[r73];
        r75 = (int)((uint)r39 + (uint)r64);
        r76 = b0[r75];
        r77 = (uchar)(r74 < r76);
        r78 = r77 ^ 1;
        r70 = r78;
      }
      r79 = (int)((uint)r39 + (uint)r64);
      r80 = (int)((uint)r41 + (uint)r66);
      r81 = r70 ? r79 : r80;
      r82 = b0[r81];
      r83 = b1[r81];
      r84 = (int)((uint)r14 + (uint)r68);
      b2[r84] = r82;
      r85 = (int)((uint)r14 + (uint)r68);
      b3[r85] = r83;
      r87 = (int)((uint)r64 + (uint)1);
      r88 = r70 ? r87 : r64;
      r64 = r88;
      r90 = (int)((uint)r66 + (uint)1);
      r91 = r70 ? r66 : r90;
      r66 = r91;
    }
  }
}
