// Operations of f64 on its bits, for devices that have integers only. Each rounds to nearest even,
// subnormal results included, as IEEE 754 defines it.
#define WEFT_SIGN 0x8000000000000000ul
#define WEFT_INF 0x7ff0000000000000ul
#define WEFT_NAN 0x7ff8000000000000ul
#define WEFT_ONE 0x3ff0000000000000ul
#define WEFT_LARGE 0x4330000000000000ul

// weft_shift returns x >> n, with the lowest bit set if a bit was lost.
ulong weft_shift(ulong x, int n) {
  return n == 0 ? x : n < 64 ? (x >> n) | (x << (64 - n) != 0) : x != 0;
}

// weft_shift2 is weft_shift of two words.
void weft_shift2(ulong *high, ulong *low, int n) {
  if (n >= 64) {
    *low = weft_shift(*high, n - 64) | (*low != 0);
    *high = 0;
  } else if (n > 0) {
    *low = weft_shift(*low, n) | (*high << (64 - n));
    *high >>= n;
  }
}

// weft_round returns the bits of m/2^63 with the biased exponent e, where m has its highest bit, in the
// format whose mantissa lacks the lowest bits of m, drop of them, and whose infinity has the exponent top.
ulong weft_round(ulong m, int e, int drop, int top) {
  if (e >= top) return (ulong)top << (63 - drop);
  if (e < 1) {
    m = weft_shift(m, 1 - e);
    e = 1;
  }
  ulong r = m >> drop, rest = m << (64 - drop);
  r += rest > WEFT_SIGN || (rest == WEFT_SIGN && (r & 1));
  return ((ulong)(e - 1) << (63 - drop)) + r;
}

// weft_parts returns the biased exponent of a finite a > 0, and its mantissa with the highest bit.
int weft_parts(ulong a, ulong *m) {
  int e = (int)(a >> 52), n = (int)clz(a);
  *m = e > 0 ? (a << 11) | WEFT_SIGN : a << n;
  return e > 0 ? e : 12 - n;
}

int weft_nan(ulong x) { return (x & ~WEFT_SIGN) > WEFT_INF; }

// weft_fma returns x*y + z. Two words contain the product; what is lost of the lesser addend is one bit,
// far below the rounding.
ulong weft_fma(ulong x, ulong y, ulong z) {
  ulong a = x & ~WEFT_SIGN, b = y & ~WEFT_SIGN, c = z & ~WEFT_SIGN, s = (x ^ y) & WEFT_SIGN, t = z & WEFT_SIGN;
  if (a > WEFT_INF || b > WEFT_INF || c > WEFT_INF) return WEFT_NAN;
  if (a == WEFT_INF || b == WEFT_INF) {
    return a == 0 || b == 0 || (c == WEFT_INF && s != t) ? WEFT_NAN : s | WEFT_INF;
  }
  if (c == WEFT_INF) return z;
  if (a == 0 || b == 0) return c == 0 ? s & t : z;
  ulong ma, mb, high2 = 0, low2 = 0;
  int e = weft_parts(a, &ma);
  e += weft_parts(b, &mb) - 1022;
  ulong high = mul_hi(ma, mb), low = ma * mb;
  weft_shift2(&high, &low, 1);
  if (c != 0) {
    int d = e - weft_parts(c, &high2);
    high2 >>= 1;
    if (d < 0) {
      weft_shift2(&high, &low, -d);
      e -= d;
    } else {
      weft_shift2(&high2, &low2, d);
    }
    if (s == t) {
      low += low2;
      high += high2 + (low < low2);
    } else {
      high = high - high2 - (low < low2);
      low -= low2;
      if (high >> 63) {
        s = t;
        high = ~high + (low == 0);
        low = 0 - low;
      }
    }
    if (high == 0) {
      if (low == 0) return 0;
      high = low;
      low = 0;
      e -= 64;
    }
  }
  int n = (int)clz(high);
  if (n > 0) {
    high = (high << n) | (low >> (64 - n));
    low <<= n;
  }
  return s | weft_round(high | (low != 0), e + 1 - n, 11, 2047);
}

ulong weft_add(ulong x, ulong y) { return weft_fma(x, WEFT_ONE, y); }
ulong weft_sub(ulong x, ulong y) { return weft_fma(x, WEFT_ONE, y ^ WEFT_SIGN); }
ulong weft_mul(ulong x, ulong y) { return weft_fma(x, y, WEFT_SIGN); }

// weft_div divides by five digits of 11 bits.
ulong weft_div(ulong x, ulong y) {
  ulong a = x & ~WEFT_SIGN, b = y & ~WEFT_SIGN, s = (x ^ y) & WEFT_SIGN, m, d;
  if (a > WEFT_INF || b > WEFT_INF || (a == b && (a == 0 || a == WEFT_INF))) return WEFT_NAN;
  if (a == WEFT_INF || b == 0) return s | WEFT_INF;
  if (a == 0 || b == WEFT_INF) return s;
  int e = weft_parts(a, &m);
  e -= weft_parts(b, &d) - 1023;
  m >>= 11;
  d >>= 11;
  if (m < d) {
    m <<= 1;
    e--;
  }
  ulong q = 1, r = m - d;
  for (int i = 0; i < 5; i++) {
    r <<= 11;
    q = (q << 11) | (r / d);
    r %= d;
  }
  return s | weft_round((q << 8) | (r != 0), e, 11, 2047);
}

// weft_sqrt takes the root by one bit after the other.
ulong weft_sqrt(ulong x) {
  if (x == 0 || x == WEFT_SIGN || x == WEFT_INF) return x;
  if (x > WEFT_INF) return WEFT_NAN;
  ulong m, q = 0, r = 0;
  int e = weft_parts(x, &m) - 1023, odd = e & 1;
  m >>= 11 - odd;
  for (int i = 0; i < 56; i++) {
    r = (r << 2) | ((m >> 52) & 3);
    m <<= 2;
    ulong t = (q << 2) | 1;
    q <<= 1;
    if (r >= t) {
      r -= t;
      q |= 1;
    }
  }
  return weft_round((q << 8) | (r != 0), (e - odd) / 2 + 1023, 11, 2047);
}

// weft_key returns an integer in the order of numbers.
long weft_key(ulong x) {
  long a = (long)(x & ~WEFT_SIGN);
  return x >> 63 ? -a : a;
}

uchar weft_eq(ulong x, ulong y) { return !weft_nan(x) && !weft_nan(y) && weft_key(x) == weft_key(y); }
uchar weft_ne(ulong x, ulong y) { return !weft_eq(x, y); }
uchar weft_lt(ulong x, ulong y) { return !weft_nan(x) && !weft_nan(y) && weft_key(x) < weft_key(y); }
uchar weft_le(ulong x, ulong y) { return !weft_nan(x) && !weft_nan(y) && weft_key(x) <= weft_key(y); }

// NaN wins. Of equals -0 is the lesser: they differ in the sign bit alone.
ulong weft_min(ulong x, ulong y) {
  return weft_nan(x) ? x : weft_nan(y) ? y : weft_lt(x, y) ? x : weft_lt(y, x) ? y : x | y;
}
ulong weft_max(ulong x, ulong y) {
  return weft_nan(x) ? x : weft_nan(y) ? y : weft_lt(x, y) ? y : weft_lt(y, x) ? x : x & y;
}

ulong weft_neg(ulong x) { return x ^ WEFT_SIGN; }
ulong weft_abs(ulong x) { return x & ~WEFT_SIGN; }
ulong weft_canon(ulong x) { return weft_nan(x) ? WEFT_NAN : x; }

ulong weft_trunc(ulong x) {
  int e = (int)((x & ~WEFT_SIGN) >> 52) - 1023;
  return e < 0 ? x & WEFT_SIGN : e >= 52 ? x : x & ~((1ul << (52 - e)) - 1);
}
ulong weft_floor(ulong x) {
  ulong t = weft_trunc(x);
  return t == x || x >> 63 == 0 ? t : weft_sub(t, WEFT_ONE);
}
ulong weft_ceil(ulong x) {
  ulong t = weft_trunc(x);
  return t == x || x >> 63 ? t : weft_add(t, WEFT_ONE);
}
ulong weft_rint(ulong x) {
  ulong a = x & ~WEFT_SIGN;
  return a >= WEFT_LARGE ? x : weft_sub(weft_add(a, WEFT_LARGE), WEFT_LARGE) | (x & WEFT_SIGN);
}

ulong weft_from_ulong(ulong x) {
  int n = (int)clz(x);
  return x == 0 ? 0 : weft_round(x << n, 1086 - n, 11, 2047);
}
ulong weft_from_long(long x) {
  return x < 0 ? WEFT_SIGN | weft_from_ulong(0 - (ulong)x) : weft_from_ulong((ulong)x);
}
ulong weft_from_float(float x) {
  ulong u = as_uint(x), a = u & 0x7fffffffu, s = (u >> 31) << 63;
  if (a > 0x7f800000u) return s | WEFT_NAN;
  if (a == 0x7f800000u) return s | WEFT_INF;
  if (a >= 0x00800000u) return s | ((a << 29) + ((ulong)896 << 52));
  int n = (int)clz(a);
  return a == 0 ? s : s | weft_round(a << n, 937 - n, 11, 2047);
}

// Conversions to integers cut fractions off and saturate; NaN becomes 0.
ulong weft_to_ulong(ulong x) {
  int e = (int)(x >> 52) - 1023;
  if (x > WEFT_INF || e < 0) return 0;
  return e >= 64 ? ~0ul : ((x << 11) | WEFT_SIGN) >> (63 - e);
}
long weft_to_long(ulong x) {
  if (weft_nan(x)) return 0;
  ulong a = weft_to_ulong(x & ~WEFT_SIGN);
  if (x >> 63) return a >= WEFT_SIGN ? (long)WEFT_SIGN : -(long)a;
  return a >= WEFT_SIGN ? 0x7fffffffffffffffl : (long)a;
}
float weft_to_float(ulong x) {
  ulong a = x & ~WEFT_SIGN, m;
  uint s = (uint)(x >> 32) & 0x80000000u;
  if (a > WEFT_INF) return as_float(s | 0x7fc00000u);
  if (a == 0) return as_float(s);
  int e = weft_parts(a, &m) - 896;
  return as_float(s | (uint)weft_round(m, e, 40, 255));
}

// weft_scale multiplies by 2^n in two steps, whose factors are normal.
ulong weft_scale(ulong x, ulong n) {
  long k = clamp(weft_to_long(n), -2044l, 2044l), h = k >> 1;
  return weft_mul(weft_mul(x, (ulong)(h + 1023) << 52), (ulong)(k - h + 1023) << 52);
}
