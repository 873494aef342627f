package ptx_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weft-go/weft/internal/test/ptxeval"
	"github.com/weft-go/weft/internal/test/simteval"
	"github.com/weft-go/weft/internal/test/simttest"
	"github.com/weft-go/weft/lower/ptx"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/simt"
)

// Accesses of neighbouring elements and exchanges in warps compute what the evaluator of
// functions does, and faults in them are found.
func TestVectors(t *testing.T) {
	f := simttest.Vectors(64)
	m := ptx.Print(80, f)
	memory := func() (buffers [][]byte) {
		r := rand.New(rand.NewPCG(1, 2))
		for _, b := range f.Kernel.Buffers {
			data := make([]byte, int(b.Len.Value)*b.Type.Size())
			fill(r, b.Type, data)
			buffers = append(buffers, data)
		}
		return buffers
	}
	try := func(text string, buffers [][]byte) error {
		p, err := ptxeval.Parse(text)
		if err != nil {
			return err
		}
		return p.Run(m.Names[0], 1, buffers, nil)
	}
	want, got := memory(), memory()
	if err := simteval.Run(f, nil, want, 1); err != nil {
		t.Fatal(err)
	}
	if err := try(m.Text, got); err != nil {
		t.Fatal(err)
	}
	for i, b := range f.Kernel.Buffers {
		if !equal(b.Type, got[i], want[i]) {
			t.Errorf("buffer %d is\n%x, want\n%x", i, got[i], want[i])
		}
	}
	short := memory()
	short[0] = short[0][:len(short[0])-4]
	replaced := func(old, new string) string {
		text := strings.Replace(m.Text, old, new, 1)
		if text == m.Text {
			t.Fatalf("there is no %q in the text", old)
		}
		return text
	}
	for want, err := range map[string]error{
		"not aligned":                   try(replaced(", 4, %base0", ", 2, %base0"), memory()),
		"of global memory":              try(m.Text, short),
		"at once":                       try(replaced("\tbar.sync 0;\n", ""), memory()),
		"whole warps":                   try(replaced(", 5, 31, -1", ", 5, 15, -1"), memory()),
		"takes 5 operands":              try(replaced(", 5, 31, -1", ", 5, 31"), memory()),
		"operands, got":                 try(replaced("ld.global.v4", "ld.global.v2"), memory()),
		"not all threads of a warp":     try(replaced("\tshfl", "\tsetp.eq.s32 %p21, %r0, 3;\n\t@!%p21 shfl"), memory()),
		"a register is read that nothi": try(replaced("bfly.b32 %rt1, %rt1", "bfly.b32 %rt1, %rt2"), memory()),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v", want, err)
		}
	}
}

// Copies to shared memory compute what the evaluator of functions does, for targets that make
// them in the background and for targets that do not, and faults in them are found.
func TestFetches(t *testing.T) {
	f := simttest.Fetches(64)
	memory := func() [][]byte {
		r := rand.New(rand.NewPCG(1, 2))
		buffers := [][]byte{make([]byte, 1024), make([]byte, 512)}
		fill(r, scalar.F32, buffers[0])
		return buffers
	}
	want := memory()
	if err := simteval.Run(f, nil, want, 1); err != nil {
		t.Fatal(err)
	}
	try := func(m *ptx.Module, text string, buffers [][]byte) error {
		p, err := ptxeval.Parse(text)
		if err != nil {
			return err
		}
		return p.Run(m.Names[0], 1, buffers, nil)
	}
	for _, target := range []int{75, 80} {
		m, got := ptx.Print(target, f), memory()
		if err := try(m, m.Text, got); err != nil || !bytes.Equal(got[1], want[1]) {
			t.Errorf("sm_%d: %v\n%x, want\n%x", target, err, got[1], want[1])
		}
	}
	m := ptx.Print(80, f)
	short := memory()
	short[0] = short[0][:1020]
	for want, err := range map[string]error{
		"is being fetched":   try(m, strings.Replace(m.Text, "\tcp.async.wait_group 1;\n", "", 1), memory()),
		"being fetched":      try(m, strings.Replace(m.Text, "wait_group 1", "wait_group 2", 1), memory()),
		"at once":            try(m, strings.Replace(m.Text, "\tbar.sync 0;\n", "", 1), memory()),
		"not aligned":        try(m, strings.Replace(m.Text, ", 4, %base0", ", 2, %base0", 1), memory()),
		"of global memory":   try(m, m.Text, short),
		"copies no 8 bytes":  try(m, strings.Replace(m.Text, ", 16;", ", 8;", 1), memory()),
		"bytes of 4":         try(m, strings.Replace(m.Text, "selp.b32 %rt1, 4", "selp.b32 %rt1, 2", 1), memory()),
		"cp.async.ca is not": try(m, strings.Replace(m.Text, "cp.async.ca.shared.global", "cp.async.ca", 1), memory()),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v", want, err)
		}
	}
}

// Uses of any part of a word that is being fetched are found, of every size and at every byte.
func TestFetchedWordsAreInFlight(t *testing.T) {
	m := ptx.Print(80, simttest.Fetches(64))
	const begun = "16;\n\tcp.async.commit_group;\n"
	if !strings.Contains(m.Text, begun) {
		t.Fatalf("there is no %q in the text", begun)
	}
	for _, c := range []struct {
		text string
		size int
	}{
		{"ld.shared.u8 %%rt1, [%%dt2+%d];", 1}, {"ld.shared.s16 %%rt1, [%%dt2+%d];", 2}, {"ld.shared.b32 %%rt1, [%%dt2+%d];", 4},
		{"ld.shared.v2.f32 {%%f7, %%f8}, [%%dt2+%d];", 8}, {"st.shared.u8 [%%dt2+%d], %%r0;", 1}, {"st.shared.u16 [%%dt2+%d], %%r0;", 2},
	} {
		for at := 0; at < 16; at += c.size {
			use := fmt.Sprintf(c.text, at)
			p, err := ptxeval.Parse(strings.Replace(m.Text, begun, begun+"\t"+use+"\n", 1))
			if err != nil {
				t.Fatalf("%s: %v", use, err)
			}
			err = p.Run(m.Names[0], 1, [][]byte{make([]byte, 1024), make([]byte, 512)}, nil)
			if err == nil || !strings.Contains(err.Error(), "is being fetched") {
				t.Errorf("%s: got %v, want an error that the word is being fetched", use, err)
			}
		}
	}
}

// The text of a sort by digits computes what the evaluator of functions does, and faults in
// additions to shared memory and in ballots are found.
func TestRadix(t *testing.T) {
	s := simttest.Radix(500, 1)
	p := simttest.Passes(s)[0]
	m := ptx.Print(90, p.Count, p.Sum, p.Place)
	n, rows := s.Counts()
	x := make([]byte, 4*500)
	fill(rand.New(rand.NewPCG(3, 3)), scalar.U32, x)
	memory := func() (all [][]byte) {
		for _, size := range []int64{n, rows, 500, 500} {
			all = append(all, make([]byte, 4*size))
		}
		return append([][]byte{x}, all...)
	}
	calls := [][]int{{0, 1}, {1, 2}, {0, 1, 2, 3, 4}}
	try := func(text string, b [][]byte) error {
		parsed, err := ptxeval.Parse(text)
		for i, c := range calls {
			if err == nil {
				var buffers [][]byte
				for _, k := range c {
					buffers = append(buffers, b[k])
				}
				err = parsed.Run(m.Names[i], 1, buffers, nil)
			}
		}
		return err
	}
	want, got := memory(), memory()
	for i, f := range []*simt.Func{p.Count, p.Sum, p.Place} {
		var buffers [][]byte
		for _, k := range calls[i] {
			buffers = append(buffers, want[k])
		}
		if err := simteval.Run(f, nil, buffers, 1); err != nil {
			t.Fatal(err)
		}
	}
	if err := try(m.Text, got); err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if !bytes.Equal(got[i], want[i]) {
			t.Errorf("buffer %d is\n%x, want\n%x", i, got[i], want[i])
		}
	}
	replaced := func(old, new string) string {
		text := strings.Replace(m.Text, old, new, 1)
		if text == m.Text {
			t.Fatalf("there is no %q in the text", old)
		}
		return text
	}
	for want, err := range map[string]error{
		"at once":               try(replaced("\tbar.sync 0;\n", ""), memory()),
		"nothing has written":   try(replaced("\tvote", "\tsetp.eq.s32 %pt1, %r0, 3;\n\t@!%pt1 vote"), memory()),
		"not among whole warps": try(replaced(", 0xffffffff;", ", 0xffff;"), memory()),
		"red.shared.add.s32":    try(replaced("red.shared.add.u32", "red.shared.add.s32"), memory()),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v", want, err)
		}
	}
}
