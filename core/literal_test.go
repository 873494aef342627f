package core

import (
	"math"
	"testing"
)

// A literal whose number is out of its type's range prints the value that it has when it is used,
// so that the text reads back.
func TestLiteralTextIsAValueOfItsType(t *testing.T) {
	for _, c := range []struct {
		l    Literal
		want string
	}{
		{Lit(IntNumber(-1), Uint32), "4294967295:u32[]"},
		{Lit(IntNumber(-1), Uint64), "18446744073709551615:u64[]"},
		{Lit(IntNumber(1000), Int8), "-24:i8[]"},
		{Lit(UintNumber(1<<63), Int64), "-9223372036854775808:i64[]"},
		{Lit(UintNumber(255), Int8), "-1:i8[]"},
		{Lit(IntNumber(5), Uint2), "1:u2[]"},
		{Lit(IntNumber(6), Int4), "6:i4[]"},
		{Lit(FloatNumber(1000), Int8), "127:i8[]"},
		{Lit(FloatNumber(-3), Uint8), "0:u8[]"},
		{Lit(FloatNumber(2.7), Uint8), "2:u8[]"},
		{Lit(FloatNumber(math.NaN()), Int16), "0:i16[]"},
		{Lit(BoolNumber(true), Int16), "1:i16[]"},
	} {
		if got := c.l.String(); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}
