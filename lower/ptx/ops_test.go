package ptx_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/weft-go/weft/internal/test/irtext"
	"github.com/weft-go/weft/lower/ptx"
	"github.com/weft-go/weft/lower/simt"
)

// The text has the instructions neg and abs if a NaN may have any bits, and operations on bits if its bits are stored.
func TestSigns(t *testing.T) {
	for _, typ := range []string{"f32", "f64"} {
		for _, op := range []string{"neg", "abs"} {
			for then, want := range map[string]bool{"add": true, "max": true, "neg": false, "": false} {
				result := "%1"
				line := ""
				switch then {
				case "neg":
					line, result = fmt.Sprintf("%%2 = neg %s %%1", typ), "%2"
				case "add", "max":
					line, result = fmt.Sprintf("%%2 = %s %s %%1, %%1", then, typ), "%2"
				}
				k, err := irtext.Parse(fmt.Sprintf(`kernel k(in x %[1]s[8], out y %[1]s[8]) {
  vector a0<8 {
    %%0 = load %[1]s x[a0<8]
    %%1 = %[2]s %[1]s %%0
    %[3]s
    store y[a0<8], %[4]s
  }
}`, typ, op, line, result))
				if err != nil {
					t.Fatal(err)
				}
				m := ptx.Print(80, simt.Lower(k, simt.Options{}))
				if got := strings.Contains(m.Text, op+"."+typ); got != want {
					t.Errorf("%s of %s, then %q: the instruction is there: %t, want %t\n%s", op, typ, then, got, want, m.Text)
				}
			}
		}
	}
}
