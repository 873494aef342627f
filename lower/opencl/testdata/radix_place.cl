#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void k0_sort_place(__global const uchar *m0, long o0, __global const uchar *m1, long o1, __global const uchar *m2, long o2, __global const uchar *m3, long o3, __global uchar *m4, long o4, __global uchar *m5, long o5) {
  __global const uint *b0 = (__global const uint *)(m0 + o0);
  __global const int *b1 = (__global const int *)(m1 + o1);
  __global const int *b2 = (__global const int *)(m2 + o2);
  __global const int *b3 = (__global const int *)(m3 + o3);
  __global uint *b4 = (__global uint *)(m4 + o4);
  __global int *b5 = (__global int *)(m5 + o5);
  __local int a0[2048];
  __local int a1[256];
  __local int a2[256];
  __local int a3[256];
  __local uint a4[256];
  __local int a5[256];
  __local uchar x_uchar[256];
  uchar r25, r33, r41, r49, r57, r65, r73, r81, r136, r148, r155, r163, r171, r179, r187, r195;
  uchar r203, r212, r255, r263, r271, r279, r287, r295, r303, r311, r354;
  int r0, r1, r2, r4, r6, r7, r9, r11, r13, r19, r20, r21, r22, r23, r27, r28;
  int r29, r30, r31, r35, r36, r37, r38, r39, r43, r44, r45, r46, r47, r51, r52, r53;
  int r54, r55, r59, r60, r61, r62, r63, r67, r68, r69, r70, r71, r75, r76, r77, r78;
  int r79, r83, r84, r85, r86, r87, r89, r90, r91, r92, r93, r94, r96, r98, r100, r102;
  int r105, r108, r111, r114, r117, r120, r123, r126, r127, r128, r130, r131, r134, r141, r143, r144;
  int r146, r153, r161, r169, r177, r185, r193, r201, r210, r214, r215, r216, r217, r219, r220, r222;
  int r223, r225, r226, r227, r229, r230, r231, r233, r234, r235, r237, r238, r239, r241, r242, r243;
  int r245, r246, r247, r249, r250, r251, r252, r253, r257, r258, r259, r260, r261, r265, r266, r267;
  int r268, r269, r273, r274, r275, r276, r277, r281, r282, r283, r284, r285, r289, r290, r291, r292;
  int r293, r297, r298, r299, r300, r301, r305, r306, r307, r308, r309, r313, r314, r315, r316, r317;
  int r318, r320, r321, r323, r324, r326, r327, r329, r330, r332, r333, r335, r336, r338, r339, r340;
  int r341, r343, r344, r346, r347, r349, r350, r351, r353, r360, r361, r362, r363;
  uint r15, r16, r17, r132, r138, r140, r149, r150, r151, r156, r157, r158, r159, r164, r165, r166;
  uint r167, r172, r173, r174, r175, r180, r181, r182, r183, r188, r189, r190, r191, r196, r197, r198;
  uint r199, r204, r205, r206, r207, r208, r209, r213, r355, r357, r359;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  #pragma clang loop vectorize(disable)
  for (r4 = r1; r4 < 79; r4 += r2) {
    r6 = 79 == 0 ? r4 : 79 == -1 ? (int)0 : (int)(r4 % 79);
    r7 = 79 == 0 ? (int)-1 : 79 == -1 ? (int)(0 - (uint)r4) : (int)(r4 / 79);
    r9 = (int)((uint)r7 * (uint)20000);
    r11 = r0 & 31;
    r13 = (int)(r0 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
    r15 = (uint)r11;
    r16 = (uint)r15 < 32 ? (uint)((uint)1u << (uint)r15) : (uint)0;
    r17 = (uint)((uint)r16 - (uint)1u);
    r19 = (int)((uint)r7 * (uint)256);
    r20 = (int)((uint)r19 + (uint)r0);
    r21 = b3[r20];
    a2[r0] = r21;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r22 = a2[r0];
    r23 = r22;
    r25 = (uchar)(1 <= r0);
    if (r25) {
      r27 = (int)((uint)r0 + (uint)((int)0xffffffffu));
      r28 = a2[r27];
      r29 = (int)((uint)r23 + (uint)r28);
      r23 = r29;
    }
    a3[r0] = r23;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r30 = a3[r0];
    r31 = r30;
    r33 = (uchar)(2 <= r0);
    if (r33) {
      r35 = (int)((uint)r0 + (uint)((int)0xfffffffeu));
      r36 = a3[r35];
      r37 = (int)((uint)r31 + (uint)r36);
      r31 = r37;
    }
    a2[r0] = r31;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r38 = a2[r0];
    r39 = r38;
    r41 = (uchar)(4 <= r0);
    if (r41) {
      r43 = (int)((uint)r0 + (uint)((int)0xfffffffcu));
      r44 = a2[r43];
      r45 = (int)((uint)r39 + (uint)r44);
      r39 = r45;
    }
    a3[r0] = r39;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r46 = a3[r0];
    r47 = r46;
    r49 = (uchar)(8 <= r0);
    if (r49) {
      r51 = (int)((uint)r0 + (uint)((int)0xfffffff8u));
      r52 = a3[r51];
      r53 = (int)((uint)r47 + (uint)r52);
      r47 = r53;
    }
    a2[r0] = r47;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r54 = a2[r0];
    r55 = r54;
    r57 = (uchar)(16 <= r0);
    if (r57) {
      r59 = (int)((uint)r0 + (uint)((int)0xfffffff0u));
      r60 = a2[r59];
      r61 = (int)((uint)r55 + (uint)r60);
      r55 = r61;
    }
    a3[r0] = r55;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r62 = a3[r0];
    r63 = r62;
    r65 = (uchar)(32 <= r0);
    if (r65) {
      r67 = (int)((uint)r0 + (uint)((int)0xffffffe0u));
      r68 = a3[r67];
      r69 = (int)((uint)r63 + (uint)r68);
      r63 = r69;
    }
    a2[r0] = r63;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r70 = a2[r0];
    r71 = r70;
    r73 = (uchar)(64 <= r0);
    if (r73) {
      r75 = (int)((uint)r0 + (uint)((int)0xffffffc0u));
      r76 = a2[r75];
      r77 = (int)((uint)r71 + (uint)r76);
      r71 = r77;
    }
    a3[r0] = r71;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r78 = a3[r0];
    r79 = r78;
    r81 = (uchar)(128 <= r0);
    if (r81) {
      r83 = (int)((uint)r0 + (uint)((int)0xffffff80u));
      r84 = a3[r83];
      r85 = (int)((uint)r79 + (uint)r84);
      r79 = r85;
    }
    a2[r0] = r79;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r86 = a2[r0];
    r87 = (int)((uint)r86 - (uint)r21);
    r89 = (int)((uint)r20 * (uint)79);
    r90 = (int)((uint)r89 + (uint)r6);
    r91 = b2[r90];
    r92 = (int)((uint)r87 + (uint)r91);
    r93 = (int)((uint)r9 + (uint)r92);
    r94 = r93;
    r96 = (int)((uint)r6 + (uint)1);
    r98 = r96 < 79 ? r96 : 79;
    #pragma clang loop vectorize(disable)
    for (r100 = r6; r100 < r98; r100 += 1) {
      r102 = (int)((uint)r100 * (uint)256);
      a0[r0] = 0;
      r105 = (int)((uint)r0 + (uint)256);
      a0[r105] = 0;
      r108 = (int)((uint)r0 + (uint)512);
      a0[r108] = 0;
      r111 = (int)((uint)r0 + (uint)768);
      a0[r111] = 0;
      r114 = (int)((uint)r0 + (uint)1024);
      a0[r114] = 0;
      r117 = (int)((uint)r0 + (uint)1280);
      a0[r117] = 0;
      r120 = (int)((uint)r0 + (uint)1536);
      a0[r120] = 0;
      r123 = (int)((uint)r0 + (uint)1792);
      a0[r123] = 0;
      r126 = (int)((uint)r13 * (uint)32);
      r127 = (int)((uint)r126 + (uint)r11);
      r128 = (int)((uint)r102 + (uint)r127);
      r130 = r128 < 19999 ? r128 : 19999;
      r131 = (int)((uint)r9 + (uint)r130);
      r132 = b0[r131];
      r134 = (int)((uint)r13 * (uint)256);
      r136 = (uchar)(r128 < 20000);
      r138 = 8u < 32 ? (uint)(r132 >> 8u) : (uint)0;
      r140 = r138 & 255u;
      r141 = (int)r140;
      r143 = r136 ? r141 : 255;
      r144 = (int)((uint)r134 + (uint)r143);
      r146 = r144 & 1;
      r148 = (uchar)(r146 != 0);
      barrier(CLK_LOCAL_MEM_FENCE);
      x_uchar[get_local_id(0)] = r148;
      barrier(CLK_LOCAL_MEM_FENCE);
      r149 = 0;
      #pragma clang loop vectorize(disable)
      for (int i = 0; i < 32; i++) r149 |= (uint)x_uchar[(get_local_id(0) & ~31) + i] << i;
      r150 = (uint)~r149;
      r151 = r148 ? r149 : r150;
      r153 = r144 & 2;
      r155 = (uchar)(r153 != 0);
      barrier(CLK_LOCAL_MEM_FENCE);
      x_uchar[get_local_id(0)] = r155;
      barrier(CLK_LOCAL_MEM_FENCE);
      r156 = 0;
      #pragma clang loop vectorize(disable)
      for (int i = 0; i < 32; i++) r156 |= (uint)x_uchar[(get_local_id(0) & ~31) + i] << i;
      r157 = (uint)~r156;
      r158 = r155 ? r156 : r157;
      r159 = r151 & r158;
      r161 = r144 & 4;
      r163 = (uchar)(r161 != 0);
      barrier(CLK_LOCAL_MEM_FENCE);
      x_uchar[get_local_id(0)] = r163;
      barrier(CLK_LOCAL_MEM_FENCE);
      r164 = 0;
      #pragma clang loop vectorize(disable)
      for (int i = 0; i < 32; i++) r164 |= (uint)x_uchar[(get_local_id(0) & ~31) + i] << i;
      r165 = (uint)~r164;
      r166 = r163 ? r164 : r165;
      r167 = r159 & r166;
      r169 = r144 & 8;
      r171 = (uchar)(r169 != 0);
      barrier(CLK_LOCAL_MEM_FENCE);
      x_uchar[get_local_id(0)] = r171;
      barrier(CLK_LOCAL_MEM_FENCE);
      r172 = 0;
      #pragma clang loop vectorize(disable)
      for (int i = 0; i < 32; i++) r172 |= (uint)x_uchar[(get_local_id(0) & ~31) + i] << i;
      r173 = (uint)~r172;
      r174 = r171 ? r172 : r173;
      r175 = r167 & r174;
      r177 = r144 & 16;
      r179 = (uchar)(r177 != 0);
      barrier(CLK_LOCAL_MEM_FENCE);
      x_uchar[get_local_id(0)] = r179;
      barrier(CLK_LOCAL_MEM_FENCE);
      r180 = 0;
      #pragma clang loop vectorize(disable)
      for (int i = 0; i < 32; i++) r180 |= (uint)x_uchar[(get_local_id(0) & ~31) + i] << i;
      r181 = (uint)~r180;
      r182 = r179 ? r180 : r181;
      r183 = r175 & r182;
      r185 = r144 & 32;
      r187 = (uchar)(r185 != 0);
      barrier(CLK_LOCAL_MEM_FENCE);
      x_uchar[get_local_id(0)] = r187;
      barrier(CLK_LOCAL_MEM_FENCE);
      r188 = 0;
      #pragma clang loop vectorize(disable)
      for (int i = 0; i < 32; i++) r188 |= (uint)x_uchar[(get_local_id(0) & ~31) + i] << i;
      r189 = (uint)~r188;
      r190 = r187 ? r188 : r189;
      r191 = r183 & r190;
      r193 = r144 & 64;
      r195 = (uchar)(r193 != 0);
      barrier(CLK_LOCAL_MEM_FENCE);
      x_uchar[get_local_id(0)] = r195;
      barrier(CLK_LOCAL_MEM_FENCE);
      r196 = 0;
      #pragma clang loop vectorize(disable)
      for (int i = 0; i < 32; i++) r196 |= (uint)x_uchar[(get_local_id(0) & ~31) + i] << i;
      r197 = (uint)~r196;
      r198 = r195 ? r196 : r197;
      r199 = r191 & r198;
      r201 = r144 & 128;
      r203 = (uchar)(r201 != 0);
      barrier(CLK_LOCAL_MEM_FENCE);
      x_uchar[get_local_id(0)] = r203;
      barrier(CLK_LOCAL_MEM_FENCE);
      r204 = 0;
      #pragma clang loop vectorize(disable)
      for (int i = 0; i < 32; i++) r204 |= (uint)x_uchar[(get_local_id(0) & ~31) + i] << i;
      r205 = (uint)~r204;
      r206 = r203 ? r204 : r205;
      r207 = r199 & r206;
      r208 = r207 & r17;
      r209 = popcount(r208);
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r210 = a0[r144];
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r212 = (uchar)(r209 == 0u);
      if (r212) {
        r213 = popcount(r207);
        r214 = (int)r213;
        r215 = (int)((uint)r210 + (uint)r214);
        a0[r144] = r215;
      }
      r216 = (int)r209;
      r217 = (int)((uint)r210 + (uint)r216);
      r219 = (int)((uint)r217 * (uint)65536);
      r220 = (int)((uint)r219 + (uint)r144);
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r222 = a0[r0];
      r223 = (int)((uint)0 + (uint)r222);
      r225 = (int)((uint)r0 + (uint)256);
      r226 = a0[r225];
      r227 = (int)((uint)r223 + (uint)r226);
      r229 = (int)((uint)r0 + (uint)512);
      r230 = a0[r229];
      r231 = (int)((uint)r227 + (uint)r230);
      r233 = (int)((uint)r0 + (uint)768);
      r234 = a0[r233];
      r235 = (int)((uint)r231 + (uint)r234);
      r237 = (int)((uint)r0 + (uint)1024);
      r238 = a0[r237];
      r239 = (int)((uint)r235 + (uint)r238);
      r241 = (int)((uint)r0 + (uint)1280);
      r242 = a0[r241];
      r243 = (int)((uint)r239 + (uint)r242);
      r245 = (int)((uint)r0 + (uint)1536);
      r246 = a0[r245];
      r247 = (int)((uint)r243 + (uint)r246);
      r249 = (int)((uint)r0 + (uint)1792);
      r250 = a0[r249];
      r251 = (int)((uint)r247 + (uint)r250);
      a2[r0] = r251;
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r252 = a2[r0];
      r253 = r252;
      r255 = (uchar)(1 <= r0);
      if (r255) {
        r257 = (int)((uint)r0 + (uint)((int)0xffffffffu));
        r258 = a2[r257];
        r259 = (int)((uint)r253 + (uint)r258);
        r253 = r259;
      }
      a3[r0] = r253;
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r260 = a3[r0];
      r261 = r260;
      r263 = (uchar)(2 <= r0);
      if (r263) {
        r265 = (int)((uint)r0 + (uint)((int)0xfffffffeu));
        r266 = a3[r265];
        r267 = (int)((uint)r261 + (uint)r266);
        r261 = r267;
      }
      a2[r0] = r261;
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r268 = a2[r0];
      r269 = r268;
      r271 = (uchar)(4 <= r0);
      if (r271) {
        r273 = (int)((uint)r0 + (uint)((int)0xfffffffcu));
        r274 = a2[r273];
        r275 = (int)((uint)r269 + (uint)r274);
        r269 = r275;
      }
      a3[r0] = r269;
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r276 = a3[r0];
      r277 = r276;
      r279 = (uchar)(8 <= r0);
      if (r279) {
        r281 = (int)((uint)r0 + (uint)((int)0xfffffff8u));
        r282 = a3[r281];
        r283 = (int)((uint)r277 + (uint)r282);
        r277 = r283;
      }
      a2[r0] = r277;
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r284 = a2[r0];
      r285 = r284;
      r287 = (uchar)(16 <= r0);
      if (r287) {
        r289 = (int)((uint)r0 + (uint)((int)0xfffffff0u));
        r290 = a2[r289];
        r291 = (int)((uint)r285 + (uint)r290);
        r285 = r291;
      }
      a3[r0] = r285;
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r292 = a3[r0];
      r293 = r292;
      r295 = (uchar)(32 <= r0);
      if (r295) {
        r297 = (int)((uint)r0 + (uint)((int)0xffffffe0u));
        r298 = a3[r297];
        r299 = (int)((uint)r293 + (uint)r298);
        r293 = r299;
      }
      a2[r0] = r293;
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r300 = a2[r0];
      r301 = r300;
      r303 = (uchar)(64 <= r0);
      if (r303) {
        r305 = (int)((uint)r0 + (uint)((int)0xffffffc0u));
        r306 = a2[r305];
        r307 = (int)((uint)r301 + (uint)r306);
        r301 = r307;
      }
      a3[r0] = r301;
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r308 = a3[r0];
      r309 = r308;
      r311 = (uchar)(128 <= r0);
      if (r311) {
        r313 = (int)((uint)r0 + (uint)((int)0xffffff80u));
        r314 = a3[r313];
        r315 = (int)((uint)r309 + (uint)r314);
        r309 = r315;
      }
      a2[r0] = r309;
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r316 = a2[r0];
      r317 = (int)((uint)r316 - (uint)r251);
      r318 = (int)((uint)r317 + (uint)0);
      a0[r0] = r318;
      r320 = (int)((uint)r0 + (uint)256);
      r321 = (int)((uint)r317 + (uint)r223);
      a0[r320] = r321;
      r323 = (int)((uint)r0 + (uint)512);
      r324 = (int)((uint)r317 + (uint)r227);
      a0[r323] = r324;
      r326 = (int)((uint)r0 + (uint)768);
      r327 = (int)((uint)r317 + (uint)r231);
      a0[r326] = r327;
      r329 = (int)((uint)r0 + (uint)1024);
      r330 = (int)((uint)r317 + (uint)r235);
      a0[r329] = r330;
      r332 = (int)((uint)r0 + (uint)1280);
      r333 = (int)((uint)r317 + (uint)r239);
      a0[r332] = r333;
      r335 = (int)((uint)r0 + (uint)1536);
      r336 = (int)((uint)r317 + (uint)r243);
      a0[r335] = r336;
      r338 = (int)((uint)r0 + (uint)1792);
      r339 = (int)((uint)r317 + (uint)r247);
      a0[r338] = r339;
      r340 = (int)((uint)r94 - (uint)r317);
      a1[r0] = r340;
      r341 = (int)((uint)r94 + (uint)r251);
      r94 = r341;
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r343 = r220 & 65535;
      r344 = a0[r343];
      r346 = (int)(r220 >> ((uint)16 < 32 ? (uint)16 : (uint)31));
      r347 = (int)((uint)r344 + (uint)r346);
      a4[r347] = r132;
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r349 = r128 < 19999 ? r128 : 19999;
      r350 = (int)((uint)r9 + (uint)r349);
      r351 = b1[r350];
      a5[r347] = r351;
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      r353 = (int)((uint)20000 - (uint)r102);
      r354 = (uchar)(r0 < r353);
      if (r354) {
        r355 = a4[r0];
        r357 = 8u < 32 ? (uint)(r355 >> 8u) : (uint)0;
        r359 = r357 & 255u;
        r360 = (int)r359;
        r361 = a1[r360];
        r362 = (int)((uint)r361 + (uint)r0);
        b4[r362] = r355;
        r363 = a5[r0];
        b5[r362] = r363;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
