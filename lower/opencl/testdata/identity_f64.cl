#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void k0_identity(__global uchar *m0, long o0) {
  __global double *b0 = (__global double *)(m0 + o0);
  uchar r22;
  int r0, r1, r2, r5, r6, r8, r9, r11, r12, r14, r15, r17, r19, r20, r21;
  double r25, r26;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  r5 = (int)((uint)r1 * (uint)128);
  r6 = (int)((uint)r5 + (uint)r0);
  r8 = (int)((uint)r2 * (uint)128);
  #pragma clang loop vectorize(disable)
  for (r9 = r6; r9 < 4096; r9 += r8) {
    r11 = 64 == 0 ? r9 : 64 == -1 ? (int)0 : (int)(r9 % 64);
    r12 = 64 == 0 ? (int)-1 : 64 == -1 ? (int)(0 - (uint)r9) : (int)(r9 / 64);
    r14 = 64 == 0 ? r12 : 64 == -1 ? (int)0 : (int)(r12 % 64);
    r15 = 64 == 0 ? (int)-1 : 64 == -1 ? (int)(0 - (uint)r12) : (int)(r12 / 64);
    r17 = (int)((uint)r15 * (uint)4096);
    r19 = (int)((uint)r14 * (uint)64);
    r20 = (int)((uint)r17 + (uint)r19);
    r21 = (int)((uint)r20 + (uint)r11);
    r22 = (uchar)(r14 == r11);
    r25 = r22 ? as_double(0x3ff0000000000000ul) : as_double(0x0000000000000000ul);
    r26 = r25 != r25 ? as_double(0x7ff8000000000000ul) : r25;
    b0[r21] = r26;
  }
}
