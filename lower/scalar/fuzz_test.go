package scalar_test

import (
	"testing"

	"github.com/weft-go/weft/internal/test/irtext"
)

// No text crashes the reader of scalar programs. What reads is printed as a text that
// reads as the same.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"func(f32) f32 {\n  %0 = param 0\n  ret %0\n}\n", "func(f32, i32) f32, bool {\n%0 = param 0 ; comment\n%1 = add.f32 %0 %0\nret %1 %1\n}",
		"func() {\nret\n}", "func(", "func(f32) {", "func(f99) f32 {", "func(f32) f32 {\n%1 = param 0\nret %9\n}", "}", "",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := irtext.Scalar(text)
		if err != nil {
			return
		}
		printed := p.String()
		q, err := irtext.Scalar(printed)
		if err != nil {
			t.Fatalf("prints what does not read: %v\n%s\nprinted:\n%s", err, text, printed)
		}
		if again := q.String(); again != printed {
			t.Errorf("printed twice it differs:\n%s\n%s", printed, again)
		}
	})
}
