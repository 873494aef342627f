#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void k0_k0_cumsum_totals(__global const uchar *m0, long o0, __global uchar *m1, long o1, __global uchar *m2, long o2) {
  __global const float *b0 = (__global const float *)(m0 + o0);
  __global float *b1 = (__global float *)(m1 + o1);
  __global float *b2 = (__global float *)(m2 + o2);
  __local float a0[4608];
  __local float a1[128];
  uchar r15, r25, r287, r288;
  int r0, r1, r2, r4, r6, r8, r10, r12, r13, r17, r19, r21, r22, r24, r27, r28;
  int r30, r32, r34, r35, r36, r38, r40, r42, r44, r46, r48, r50, r52, r58, r64, r70;
  int r76, r82, r88, r94, r100, r102, r104, r106, r108, r110, r112, r114, r116, r118, r120, r122;
  int r124, r126, r128, r130, r132, r134, r136, r138, r140, r142, r144, r146, r147, r149, r151, r153;
  int r154, r155, r159, r161, r162, r164, r165, r167, r169, r171, r173, r175, r177, r179, r181, r183;
  int r185, r187, r189, r191, r193, r195, r205, r207, r209, r211, r213, r215, r217, r219, r220, r290;
  int r356, r357;
  float r53, r54, r55, r56, r59, r60, r61, r62, r65, r66, r67, r68, r71, r72, r73, r74;
  float r77, r78, r79, r80, r83, r84, r85, r86, r89, r90, r91, r92, r95, r96, r97, r98;
  float r196, r197, r198, r199, r200, r201, r202, r203, r221, r222, r223, r224, r225, r226, r227, r228;
  float r229, r230, r231, r232, r233, r234, r235, r236, r237, r238, r239, r240, r241, r242, r243, r244;
  float r245, r246, r247, r248, r249, r250, r251, r252, r254, r255, r256, r257, r258, r259, r260, r261;
  float r262, r263, r264, r265, r266, r267, r268, r269, r270, r271, r272, r273, r274, r275, r276, r277;
  float r278, r279, r280, r281, r282, r283, r284, r285, r291, r292, r293, r294, r295, r296, r297, r298;
  float r299, r300, r301, r302, r303, r304, r305, r306, r307, r308, r309, r310, r311, r312, r313, r314;
  float r315, r316, r317, r318, r319, r320, r321, r322, r323, r324, r325, r326, r327, r328, r329, r330;
  float r331, r332, r333, r334, r335, r336, r337, r338, r339, r340, r341, r342, r343, r344, r345, r346;
  float r347, r348, r349, r350, r351, r352, r353, r354;
  r0 = (int)get_local_id(0);
  r1 = (int)get_group_id(0);
  r2 = (int)get_num_groups(0);
  #pragma clang loop vectorize(disable)
  for (r4 = r1; r4 < 25; r4 += r2) {
    r6 = r0 & 31;
    r8 = (int)(r0 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
    r10 = (int)((uint)r8 * (uint)1152);
    r12 = (int)((uint)r4 * (uint)4);
    r13 = (int)((uint)r12 + (uint)r8);
    r15 = (uchar)(r13 < 97);
    r17 = r13 < 96 ? r13 : 96;
    r19 = 97 == 0 ? (int)-1 : 97 == -1 ? (int)(0 - (uint)r17) : (int)(r17 / 97);
    r21 = (int)((uint)r19 * (uint)97);
    r22 = (int)((uint)r17 - (uint)r21);
    r24 = (int)((uint)r22 * (uint)1024);
    r25 = (uchar)((ulong)b0 % 16 == 0);
    if (r25) {
      r27 = (int)((uint)r6 * (uint)4);
      r28 = (int)((uint)r24 + (uint)r27);
      r30 = (int)(r27 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
      r32 = (int)((uint)r30 * (uint)36);
      r34 = r27 & 31;
      r35 = (int)((uint)r32 + (uint)r34);
      r36 = (int)((uint)r10 + (uint)r35);
      r38 = (int)((uint)r28 + (uint)128);
      r40 = (int)((uint)r28 + (uint)256);
      r42 = (int)((uint)r28 + (uint)384);
      r44 = (int)((uint)r28 + (uint)512);
      r46 = (int)((uint)r28 + (uint)640);
      r48 = (int)((uint)r28 + (uint)768);
      r50 = (int)((uint)r28 + (uint)896);
      r52 = r28 < 99996 ? r28 : 99996;
      {
        float4 v = vload4(0, b0 + r52);
        r53 = v.s0;
        r54 = v.s1;
        r55 = v.s2;
        r56 = v.s3;
      }
      r58 = r38 < 99996 ? r38 : 99996;
      {
        float4 v = vload4(0, b0 + r58);
        r59 = v.s0;
        r60 = v.s1;
        r61 = v.s2;
        r62 = v.s3;
      }
      r64 = r40 < 99996 ? r40 : 99996;
      {
        float4 v = vload4(0, b0 + r64);
        r65 = v.s0;
        r66 = v.s1;
        r67 = v.s2;
        r68 = v.s3;
      }
      r70 = r42 < 99996 ? r42 : 99996;
      {
        float4 v = vload4(0, b0 + r70);
        r71 = v.s0;
        r72 = v.s1;
        r73 = v.s2;
        r74 = v.s3;
      }
      r76 = r44 < 99996 ? r44 : 99996;
      {
        float4 v = vload4(0, b0 + r76);
        r77 = v.s0;
        r78 = v.s1;
        r79 = v.s2;
        r80 = v.s3;
      }
      r82 = r46 < 99996 ? r46 : 99996;
      {
        float4 v = vload4(0, b0 + r82);
        r83 = v.s0;
        r84 = v.s1;
        r85 = v.s2;
        r86 = v.s3;
      }
      r88 = r48 < 99996 ? r48 : 99996;
      {
        float4 v = vload4(0, b0 + r88);
        r89 = v.s0;
        r90 = v.s1;
        r91 = v.s2;
        r92 = v.s3;
      }
      r94 = r50 < 99996 ? r50 : 99996;
      {
        float4 v = vload4(0, b0 + r94);
        r95 = v.s0;
        r96 = v.s1;
        r97 = v.s2;
        r98 = v.s3;
      }
      r100 = (int)((uint)r52 + (uint)1);
      r102 = (int)((uint)r52 + (uint)2);
      r104 = (int)((uint)r52 + (uint)3);
      r106 = (int)((uint)r58 + (uint)1);
      r108 = (int)((uint)r58 + (uint)2);
      r110 = (int)((uint)r58 + (uint)3);
      r112 = (int)((uint)r64 + (uint)1);
      r114 = (int)((uint)r64 + (uint)2);
      r116 = (int)((uint)r64 + (uint)3);
      r118 = (int)((uint)r70 + (uint)1);
      r120 = (int)((uint)r70 + (uint)2);
      r122 = (int)((uint)r70 + (uint)3);
      r124 = (int)((uint)r76 + (uint)1);
      r126 = (int)((uint)r76 + (uint)2);
      r128 = (int)((uint)r76 + (uint)3);
      r130 = (int)((uint)r82 + (uint)1);
      r132 = (int)((uint)r82 + (uint)2);
      r134 = (int)((uint)r82 + (uint)3);
      r136 = (int)((uint)r88 + (uint)1);
      r138 = (int)((uint)r88 + (uint)2);
      r140 = (int)((uint)r88 + (uint)3);
      r142 = (int)((uint)r94 + (uint)1);
      r144 = (int)((uint)r94 + (uint)2);
      r146 = (int)((uint)r94 + (uint)3);
      vstore4((float4)(r53, r54, r55, r56), 0, a0 + r36);
      vstore4((float4)(r59, r60, r61, r62), 0, a0 + (r36 + 144));
      vstore4((float4)(r65, r66, r67, r68), 0, a0 + (r36 + 288));
      vstore4((float4)(r71, r72, r73, r74), 0, a0 + (r36 + 432));
      vstore4((float4)(r77, r78, r79, r80), 0, a0 + (r36 + 576));
      vstore4((float4)(r83, r84, r85, r86), 0, a0 + (r36 + 720));
      vstore4((float4)(r89, r90, r91, r92), 0, a0 + (r36 + 864));
      vstore4((float4)(r95, r96, r97, r98), 0, a0 + (r36 + 1008));
    } else {
      r147 = (int)((uint)r24 + (uint)r6);
      r149 = (int)(r6 >> ((uint)5 < 32 ? (uint)5 : (uint)31));
      r151 = (int)((uint)r149 * (uint)36);
      r153 = r6 & 31;
      r154 = (int)((uint)r151 + (uint)r153);
      r155 = (int)((uint)r10 + (uint)r154);
      #pragma clang loop vectorize(disable)
      for (r159 = 0; r159 < 32; r159 += 8) {
        r161 = (int)((uint)r159 * (uint)32);
        r162 = (int)((uint)r147 + (uint)r161);
        r164 = (int)((uint)r159 * (uint)36);
        r165 = (int)((uint)r155 + (uint)r164);
        r167 = (int)((uint)r162 + (uint)32);
        r169 = (int)((uint)r162 + (uint)64);
        r171 = (int)((uint)r162 + (uint)96);
        r173 = (int)((uint)r162 + (uint)128);
        r175 = (int)((uint)r162 + (uint)160);
        r177 = (int)((uint)r162 + (uint)192);
        r179 = (int)((uint)r162 + (uint)224);
        r181 = r162 < 99999 ? r162 : 99999;
        r183 = r167 < 99999 ? r167 : 99999;
        r185 = r169 < 99999 ? r169 : 99999;
        r187 = r171 < 99999 ? r171 : 99999;
        r189 = r173 < 99999 ? r173 : 99999;
        r191 = r175 < 99999 ? r175 : 99999;
        r193 = r177 < 99999 ? r177 : 99999;
        r195 = r179 < 99999 ? r179 : 99999;
        r196 = b0[r181];
        r197 = b0[r183];
        r198 = b0[r185];
        r199 = b0[r187];
        r200 = b0[r189];
        r201 = b0[r191];
        r202 = b0[r193];
        r203 = b0[r195];
        a0[r165] = r196;
        r205 = (int)((uint)r165 + (uint)36);
        a0[r205] = r197;
        r207 = (int)((uint)r165 + (uint)72);
        a0[r207] = r198;
        r209 = (int)((uint)r165 + (uint)108);
        a0[r209] = r199;
        r211 = (int)((uint)r165 + (uint)144);
        a0[r211] = r200;
        r213 = (int)((uint)r165 + (uint)180);
        a0[r213] = r201;
        r215 = (int)((uint)r165 + (uint)216);
        a0[r215] = r202;
        r217 = (int)((uint)r165 + (uint)252);
        a0[r217] = r203;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r219 = (int)((uint)r6 * (uint)36);
    r220 = (int)((uint)r10 + (uint)r219);
    {
      float4 v = vload4(0, a0 + r220);
      r221 = v.s0;
      r222 = v.s1;
      r223 = v.s2;
      r224 = v.s3;
    }
    {
      float4 v = vload4(0, a0 + (r220 + 4));
      r225 = v.s0;
      r226 = v.s1;
      r227 = v.s2;
      r228 = v.s3;
    }
    {
      float4 v = vload4(0, a0 + (r220 + 8));
      r229 = v.s0;
      r230 = v.s1;
      r231 = v.s2;
      r232 = v.s3;
    }
    {
      float4 v = vload4(0, a0 + (r220 + 12));
      r233 = v.s0;
      r234 = v.s1;
      r235 = v.s2;
      r236 = v.s3;
    }
    {
      float4 v = vload4(0, a0 + (r220 + 16));
      r237 = v.s0;
      r238 = v.s1;
      r239 = v.s2;
      r240 = v.s3;
    }
    {
      float4 v = vload4(0, a0 + (r220 + 20));
      r241 = v.s0;
      r242 = v.s1;
      r243 = v.s2;
      r244 = v.s3;
    }
    {
      float4 v = vload4(0, a0 + (r220 + 24));
      r245 = v.s0;
      r246 = v.s1;
      r247 = v.s2;
      r248 = v.s3;
    }
    {
      float4 v = vload4(0, a0 + (r220 + 28));
      r249 = v.s0;
      r250 = v.s1;
      r251 = v.s2;
      r252 = v.s3;
    }
    r254 = as_float(0x00000000u) + r221;
    r255 = r254 + r222;
    r256 = r255 + r223;
    r257 = r256 + r224;
    r258 = r257 + r225;
    r259 = r258 + r226;
    r260 = r259 + r227;
    r261 = r260 + r228;
    r262 = r261 + r229;
    r263 = r262 + r230;
    r264 = r263 + r231;
    r265 = r264 + r232;
    r266 = r265 + r233;
    r267 = r266 + r234;
    r268 = r267 + r235;
    r269 = r268 + r236;
    r270 = r269 + r237;
    r271 = r270 + r238;
    r272 = r271 + r239;
    r273 = r272 + r240;
    r274 = r273 + r241;
    r275 = r274 + r242;
    r276 = r275 + r243;
    r277 = r276 + r244;
    r278 = r277 + r245;
    r279 = r278 + r246;
    r280 = r279 + r247;
    r281 = r280 + r248;
    r282 = r281 + r249;
    r283 = r282 + r250;
    r284 = r283 + r251;
    r285 = r284 + r252;
    a1[r0] = r285;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r287 = (uchar)(r6 == 0);
    r288 = r287 & r15;
    if (r288) {
      r290 = (int)((uint)r0 - (uint)r6);
      {
        float4 v = vload4(0, a1 + r290);
        r291 = v.s0;
        r292 = v.s1;
        r293 = v.s2;
        r294 = v.s3;
      }
      {
        float4 v = vload4(0, a1 + (r290 + 4));
        r295 = v.s0;
        r296 = v.s1;
        r297 = v.s2;
        r298 = v.s3;
      }
      {
        float4 v = vload4(0, a1 + (r290 + 8));
        r299 = v.s0;
        r300 = v.s1;
        r301 = v.s2;
        r302 = v.s3;
      }
      {
        float4 v = vload4(0, a1 + (r290 + 12));
        r303 = v.s0;
        r304 = v.s1;
        r305 = v.s2;
        r306 = v.s3;
      }
      {
        float4 v = vload4(0, a1 + (r290 + 16));
        r307 = v.s0;
        r308 = v.s1;
        r309 = v.s2;
        r310 = v.s3;
      }
      {
        float4 v = vload4(0, a1 + (r290 + 20));
        r311 = v.s0;
        r312 = v.s1;
        r313 = v.s2;
        r314 = v.s3;
      }
      {
        float4 v = vload4(0, a1 + (r290 + 24));
        r315 = v.s0;
        r316 = v.s1;
        r317 = v.s2;
        r318 = v.s3;
      }
      {
        float4 v = vload4(0, a1 + (r290 + 28));
        r319 = v.s0;
        r320 = v.s1;
        r321 = v.s2;
        r322 = v.s3;
      }
      r323 = as_float(0x00000000u) + r291;
      r324 = r323 + r292;
      r325 = r324 + r293;
      r326 = r325 + r294;
      r327 = r326 + r295;
      r328 = r327 + r296;
      r329 = r328 + r297;
      r330 = r329 + r298;
      r331 = r330 + r299;
      r332 = r331 + r300;
      r333 = r332 + r301;
      r334 = r333 + r302;
      r335 = r334 + r303;
      r336 = r335 + r304;
      r337 = r336 + r305;
      r338 = r337 + r306;
      r339 = r338 + r307;
      r340 = r339 + r308;
      r341 = r340 + r309;
      r342 = r341 + r310;
      r343 = r342 + r311;
      r344 = r343 + r312;
      r345 = r344 + r313;
      r346 = r345 + r314;
      r347 = r346 + r315;
      r348 = r347 + r316;
      r349 = r348 + r317;
      r350 = r349 + r318;
      r351 = r350 + r319;
      r352 = r351 + r320;
      r353 = r352 + r321;
      r354 = r353 + r322;
      r356 = (int)((uint)r19 * (uint)100);
      r357 = (int)((uint)r356 + (uint)r22);
      b2[r357] = r354;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
