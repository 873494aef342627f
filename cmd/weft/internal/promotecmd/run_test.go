package promotecmd

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weft-go/weft/promote"
)

// run runs the command.
func run(stdin string, args ...string) (status int, out, errs string) {
	var o, e bytes.Buffer
	status = Run(args, strings.NewReader(stdin), &o, &e)
	return status, o.String(), e.String()
}

// contains runs the command and checks that it prints the lines. Differences in white space do not count.
func contains(t *testing.T, args string, lines ...string) {
	t.Helper()
	status, out, errs := run("", strings.Fields(args)...)
	if status != ok || errs != "" {
		t.Errorf("weft promote %s: status %d, %s", args, status, errs)
	}
	squeezed := "\n"
	for _, line := range strings.Split(out, "\n") {
		squeezed += strings.Join(strings.Fields(line), " ") + "\n"
	}
	for _, line := range lines {
		if !strings.Contains(squeezed, "\n"+line) {
			t.Errorf("weft promote %s: no line %q in\n%s", args, line, out)
		}
	}
}

func TestPromote(t *testing.T) {
	contains(t, "i32 f16", "jax f16 range, digits i32 → i64 → f* → f16, f16", "numpy f64", "option1 f64 i32 → f64, f16 → f32 → f64", "jax-strict - there is no type that both promote to", "anvil - it has no f16", "max f16 range, digits i32 → i64 → f16, f16")
	contains(t, "i8 1000", "numpy1 i16", "numpy i8", "jax i8 i8, i* → i8")
	contains(t, "i8 2.5", "jax f* weak f32", "numpy f64", "pytorch f32")
	contains(t, "--system jax i8 u8 f16", "jax f16 i8 → i16, u8 → i16; i16 → i32 → i64 → f* → f16, f16")
	contains(t, "--system tensorflow i* u8", "tensorflow - it leaves this pair undefined; the order matters")
	contains(t, "i32? i16? --system anvil", "anvil i32? weak i32")
	contains(t, "-1 u8 --system numpy1", "numpy1 i16")
	contains(t, "index index", "max index index, index", "jax - it has no index")
	contains(t, "f16 1i", "pytorch c32", "jax c64")
	contains(t, "f16 bf16", "max bf16 digits f16 → bf16, bf16")
	contains(t, "--list", "jax jax.numpy, 64-bit lattice", "nonlattice-left two nodes")
}

// The question of a newcomer: why is u64 + i64 a float here, and what is it in
// other systems?
func TestHeadline(t *testing.T) {
	contains(t, "uint64 int64", "uint64 + int64 is a weak f32 in Weft.", "No integer type represents every u64 and every i64, so the result is a float.",
		"Weak, written f*, means that it yields: it takes the type of any array of floats or complex numbers that it is combined with next. It has the default width, 32 bits; DefaultBits(64) makes it 64.",
		"Large u64 values lose digits in f32. Large i64 values lose digits in f32.",
		"jax f* weak f32 digits u64 → f*, i64 → f*", "numpy f64 digits NumPy", "pytorch - it leaves", "max f16 range, digits u64 → f16, i64 → f16", "anvil i64 range anvil")
	for args, lines := range map[string]string{
		"u8 i8":          "u8 + i8 is an i16 in Weft.|i16 is the smallest type that represents every u8 and every i8.",
		"i8 i8":          "i8 + i8 is an i8 in Weft.|Operands of one type keep it.",
		"f16 bf16":       "f32 is the smallest type that represents every f16 and every bf16.",
		"i64 f16":        "Integers of any width take the type of the float or complex operand.|Large i64 values are out of the range of f16.",
		"i8 1000":        "A bare number takes the type of the array that it is combined with.|The constant 1000 does not fit: arrays refuse it.",
		"u8 -1":          "The constant -1 does not fit: arrays refuse it.",
		"f16 1e6":        "The constant 1e6 does not fit: arrays refuse it.",
		"i32 2.5":        "A bare number of a higher kind makes the array one of its kind|Weak, written f*, means that it yields",
		"1 2.5":          "1 + 2.5 is a weak f32 in Weft.",
		"bool 1":         "bool + 1 is a weak i32 in Weft.",
		"f32 f8_e4m3":    "f32 + f8_e4m3 is refused in Weft: there is no type that both promote to; floats of 8 bits do not promote",
		"index u8":       "index + u8 is refused in Weft: it has no index",
		"f32 i8 u8 1000": "Integers of any width take the type of the float",
	} {
		contains(t, args, strings.Split(lines, "|")...)
	}
	for _, args := range []string{"i8 127", "f16 65504", "f32 inf", "i64 9223372036854775807", "u64 18446744073709551615", "i32 1e300"} {
		if _, out, _ := run("", strings.Fields(args)...); strings.Contains(out, "does not fit") {
			t.Errorf("weft promote %s: %s", args, out)
		}
	}
	for _, args := range []string{"--system jax u64 i64", "--format csv u64 i64"} { // output that other programs read has no headline
		if _, out, _ := run("", strings.Fields(args)...); strings.Contains(out, "in Weft") {
			t.Errorf("weft promote %s: %s", args, out)
		}
	}
}

func TestScores(t *testing.T) {
	contains(t, "--scores", "option1 not a lattice, only a partial one 0 14 0 0 0 0 25", "naive not even a partial lattice 208 8 0 0 0 6 18", "numpy1 not even a partial lattice 256", "python true lattice 0 0 0 0 0 0 0")
	contains(t, "--scores nonlattice-right", "nonlattice-right not even a partial lattice 8")
}

func TestExplainAndDiff(t *testing.T) {
	contains(t, "--explain i8 u8 f16", "system (i8 + u8) + f16 i8 + (u8 + f16) (i8 + f16) + u8",
		"numpy1 f32 f16 f16 differ: the pairs are i16, f16, f16", "jax f16 f16 f16", "python - - - it has no i8")
	contains(t, "--explain a b c --system "+write(t, "abc.json", `{"a": ["b"], "b": ["c"], "c": []}`), "system (a + b) + c")
	contains(t, "--diff jax jax32", "u32 i8 i64 i32", "6 of 1089 cells differ")
	contains(t, "--diff max max-documented", "i8 index f16 index", "4 of 256 cells differ")
	contains(t, "--diff jax jax-design", "0 of 324 cells differ", "only jax has u2 u4 i2 i4 f4_e2m1fn")
}

// write makes a file for a test.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// Every table is printed in every format, and reads back.
func TestTables(t *testing.T) {
	for _, s := range append(promote.Systems(), promote.Graphs()...) {
		names := s.Algebra().Names()
		for _, format := range []string{"text", "md", "csv", "tsv"} {
			status, out, errs := run("", "--system", s.Name(), "--table", "--format", format)
			if status != ok || errs != "" {
				t.Fatalf("%s in %s: %s", s.Name(), format, errs)
			}
			var cells [][]string
			for i, line := range strings.Split(strings.TrimRight(out, "\n"), "\n") {
				switch format {
				case "text":
					f := strings.Fields(line)
					if i == 0 {
						f = append([]string{""}, f...)
					}
					cells = append(cells, f)
				case "md":
					if i == 1 {
						continue
					}
					line = strings.NewReplacer("**", "", `\*`, "*").Replace(strings.Trim(line, "| "))
					f := strings.Split(line, " | ")
					if i == 0 {
						f = append([]string{""}, f...)
					}
					cells = append(cells, f)
				case "csv", "tsv":
					r := csv.NewReader(strings.NewReader(line))
					if format == "tsv" {
						r.Comma = '\t'
					}
					f, err := r.Read()
					if err != nil {
						t.Fatal(err)
					}
					cells = append(cells, f)
				}
			}
			if len(cells) != len(names)+1 {
				t.Fatalf("%s in %s has %d lines", s.Name(), format, len(cells))
			}
			for i, x := range names {
				for j, y := range names {
					if cells[i+1][0] != x || cells[0][j+1] != y || cells[i+1][j+1] != s.Algebra().Cell(x, y) {
						t.Fatalf("%s in %s: cell (%s, %s) is %v", s.Name(), format, x, y, cells[i+1])
					}
				}
			}
		}
	}
}

// Every system can be drawn in every form.
func TestLattices(t *testing.T) {
	for _, s := range append(promote.Systems(), promote.Graphs()...) {
		for _, form := range []string{"dot", "svg", "text"} {
			status, out, errs := run("", "--lattice", form, "--system", s.Name())
			if status != ok || errs != "" || out == "" {
				t.Errorf("%s as %s: status %d, %s", s.Name(), form, status, errs)
			}
			if form != "svg" {
				continue
			}
			d := xml.NewDecoder(strings.NewReader(out))
			for {
				if _, err := d.Token(); err == io.EOF {
					break
				} else if err != nil {
					t.Fatalf("%s: %v", s.Name(), err)
				}
			}
		}
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		arg, stdin string
		status     int
		want       string
	}{
		{"jax-design", "", ok, "verdict: true lattice"},
		{"option0", "", refuted, "verdict: not a lattice, only a partial one"},
		{"naive", "", refuted, "(u8, i8) not unique: i16 and f16, unorderable"},
		{"numpy1", "", refuted, "256 differ"},
		{"max-documented", "", refuted, "68 differ"},
		{"-", `{"A": ["B", "C"], "B": [], "C": []}`, refuted, "no upper bound for (B, C)"},
		{"-", `{"A": ["C","D"], "B": ["C","D"], "C": [], "D": []}`, refuted, "(A, B) not unique: C and D"},
		{"-", `{"A": ["B"], "B": ["A"]}`, refuted, "cycle "},
		{"-", `{}`, ok, "0 nodes"},
		{"-", `{"A": ["X"]}`, ok, "true lattice"},
		{"-", `{"A": ["B", "C"]}`, refuted, "no upper bound for (B, C)"},
		{"-", `{"A": `, mistaken, "malformed JSON"},
		{"-", ``, mistaken, "empty"},
		{"-", "a < b; c < b", ok, "true lattice"},
		{"tensorflow", "", refuted, "only a partial one, and that on 14 of its 18 elements"},
		{"-", `{"one": {"A": []}, "two": {"A": ["A"]}}`, refuted, "one: graph of 1 node"},
		{"no-such", "", mistaken, "no such file either"},
		{write(t, "t.tsv", "\ta\tb\na\ta\tb\nb\ta\tb\n"), "", refuted, "commutative: no, 1 pair"},
		{t.TempDir(), "", mistaken, "directory"},
	} {
		status, out, errs := run(c.stdin, "--check", c.arg)
		if status != c.status || !strings.Contains(out+errs, c.want) {
			t.Errorf("--check %s with %q: status %d, want %d and %q in\n%s%s", c.arg, c.stdin, status, c.status, c.want, out, errs)
		}
		if status == mistaken && strings.Contains(errs, "panic") {
			t.Error(errs)
		}
	}
	_, few, _ := run("", "--check", "numpy1", "--limit", "2")
	_, all, _ := run("", "--check", "numpy1", "--limit", "0")
	if strings.Count(few, "\n") > 40 || strings.Count(all, "∘") < 4*256 {
		t.Errorf("limits: %d lines, %d", strings.Count(few, "\n"), strings.Count(all, "∘"))
	}
}

// A user's lattice can be used as the systems of the package are.
func TestUserFile(t *testing.T) {
	path := write(t, "mine.json", `{"i*": ["f16", "bf16"], "f16": ["f32"], "bf16": ["f32"], "f32": []}`)
	contains(t, "f16 bf16 --system "+path, "mine.json f32 f16 → f32, bf16 → f32")
	contains(t, "--table --system "+path, "bf16 bf16 f32 f32 bf16")
	contains(t, "--lattice text --system "+path, "f32")
	contains(t, "--diff jax "+path, "0 of 16 cells differ")
	contains(t, "a c --system "+write(t, "abc", "a < b < d; c < d"), "")
}

func TestMistakes(t *testing.T) {
	for args, want := range map[string]string{
		"":                           "two types or more",
		"f32":                        "two types or more",
		"f32 f33":                    `"f33" is neither a type nor a number`,
		"--table":                    "needs --system",
		"--lattice svg":              "needs --system",
		"--lattice png --system jax": "there are dot, svg and text",
		"--format xml f32 f16":       "there are text, md, csv and tsv",
		"--diff jax":                 "takes 2 words",
		"--explain i8 u8":            "takes 3 words",
		"--list --diff a b":          "two tasks",
		"--system cobol f32 f16":     `no promotion system is called "cobol"`,
		"--bogus":                    "not defined",
		"--explain i8 u8 q":          `"q" is neither`,
		"--system nonlattice-left i8 f16 --table x": "takes 0 words",
	} {
		status, out, errs := run("", strings.Fields(args)...)
		if status != mistaken || !strings.Contains(errs, want) || out != "" {
			t.Errorf("weft promote %s: status %d, %q, %s; want %q", args, status, out, errs, want)
		}
	}
	if status, out, _ := run("", "--help"); status != ok || !strings.Contains(out, "--explain") {
		t.Error("no help")
	}
	loop := write(t, "loop.json", `{"A": ["B"], "B": ["A"]}`)
	if status, _, errs := run("", "--system", loop, "--lattice", "svg"); status != mistaken || !strings.Contains(errs, "cycle") {
		t.Errorf("a cycle cannot be drawn: %s", errs)
	}
	rps := write(t, "rps.tsv", "\tr\tp\ts\nr\tr\tp\tr\np\tp\tp\ts\ns\tr\ts\ts\n")
	if status, _, errs := run("", "--system", rps, "--lattice", "text"); status != mistaken || !strings.Contains(errs, "no order") {
		t.Errorf("rock, paper, scissors has no order: %s", errs)
	}
}

// A writer that fails is an error, not silence.
func TestFailingWriter(t *testing.T) {
	for _, args := range []string{"f32 f16", "--check jax", "--system jax --table", "--system jax --lattice dot", "--list"} {
		var e bytes.Buffer
		if Run(strings.Fields(args), nil, failing{}, &e) != mistaken || !strings.Contains(e.String(), "full") {
			t.Errorf("%s: %s", args, e.String())
		}
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, fmt.Errorf("disk full") }
