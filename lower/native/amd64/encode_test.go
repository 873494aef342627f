package amd64

import (
	"bufio"
	"encoding/hex"
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/arch/x86/x86asm"

	"github.com/weft-go/weft/internal/test/testcheck"
)

var update = flag.Bool("update", false, "write testdata anew with GNU as")

// lengths returns the vector lengths that an instruction has.
func lengths(op Op) []uint8 {
	info := &opTable[op]
	name := info.name
	switch {
	case info.space == legacy, info.flags&(length0|length1|rmGPR|regGPR|regTile) != 0 && !strings.HasPrefix(name, "vpbroadcast"),
		strings.HasPrefix(name, "vmov") && info.tuple == tupleT1, info.form == formZ:
		return []uint8{L128}
	case name == "vinserti64x4", name == "vextracti64x4":
		return []uint8{L512}
	case name == "vinserti128", name == "vextracti128":
		return []uint8{L256}
	case name == "vbroadcastsd", name == "vinserti32x4", name == "vextracti32x4", strings.HasPrefix(name, "vshuf") && strings.Contains(name, "x"),
		name == "vpermps", name == "vpermpd", name == "vpermd", name == "vpermq":
		if info.space == vex {
			return []uint8{L256}
		}
		return []uint8{L256, L512}
	case info.space == vex:
		return []uint8{L128, L256}
	}
	return []uint8{L128, L256, L512}
}

// maskable reports whether an instruction takes a mask.
func maskable(op Op) bool {
	info := &opTable[op]
	if info.space&evex == 0 || info.flags&(rmGPR|regGPR|rmMask) != 0 && !strings.HasPrefix(info.name, "vpbroadcast") {
		return false
	}
	switch info.name {
	case "vmovss", "vmovsd", "vmovq", "vpsadbw", "vpsrldq", "vmovntps":
		return false
	}
	return true
}

// samples returns instructions of every kind that op has, the same ones each time.
func samples(op Op) []Inst {
	info := &opTable[op]
	h := fnv.New64a()
	h.Write([]byte(opGoNames()[op]))
	rng := rand.New(rand.NewPCG(h.Sum64(), 1))
	if info.form == formJ || info.name == "" {
		return nil
	}
	var out []Inst
	lens := lengths(op)
	for variant := range 10 {
		if variant > 0 && (info.form == formZ || op == Tilerelease) {
			break
		}
		if l := lens[variant%len(lens)]; true {
			top := 16
			if info.space&evex != 0 && variant%2 == 1 {
				top = 32
			}
			reg := func(fl opFlags) Reg {
				switch {
				case info.flags&fl&(regMask|rmMask) != 0:
					return Reg(rng.IntN(8))
				case info.flags&fl&(regGPR|rmGPR) != 0:
					return Reg(rng.IntN(16))
				}
				return Reg(rng.IntN(top))
			}
			in := Inst{Op: op, Len: l, R: reg(regMask | regGPR), M: reg(rmMask | rmGPR), V: Reg(rng.IntN(top)), X: Reg(rng.IntN(16))}
			if info.flags&regMask != 0 && info.flags&rmMask != 0 {
				in.V %= 8
			}
			if info.form == formRMV {
				in.V %= 16
			}
			if info.flags&hasImm != 0 {
				in.Imm = int64(rng.IntN(8))
				if info.space == legacy && (variant > 4 || info.form == formM) {
					in.Imm = int64(int32(rng.Uint32()))
					if info.form == formM {
						in.Imm = in.Imm&31 | 2
					}
				}
			}
			if info.form == formO {
				in.Imm = []int64{0, 1, -1, 1 << 31, -1 << 31, 1 << 40, -1 << 40, 7, 255, 1<<32 - 1}[variant]
			}
			if op == VmovqXS {
				in.R, in.V, in.M = in.R%16, in.V%16, in.M%16
			}
			memory := variant >= 4 && info.form != formO
			if info.flags&rmMask != 0 && !strings.HasPrefix(info.name, "kmov") || info.flags&(rmMask|regMask) != 0 && info.flags&(rmGPR|regGPR) != 0 {
				memory = false
			}
			switch op {
			case Lea, Prefetcht0, Vpextrw, MovwS:
				memory = true
			case Vmovq, VmovqS:
				memory = false
			}
			if info.form == formMVR || info.flags&vsib != 0 || op == VmovssS || op == VmovsdS || op == Vmovss || op == Vmovsd || info.name == "vmovntps" ||
				info.name == "lea" || info.name == "prefetcht0" || info.name == "vmaskmovps" || info.name == "vmaskmovpd" ||
				info.form == formMR && strings.HasPrefix(info.name, "kmov") {
				memory = true
			}
			if strings.HasPrefix(info.name, "vpbroadcast") && info.flags&rmGPR != 0 {
				memory = false
			}
			if memory {
				in.UseMem = true
				in.Mem = Mem{Base: Reg(rng.IntN(16)), Index: NoReg, Disp: []int32{0, 4, 64, -128, 1 << 12, 256, 8, -1 << 20, 128, 16}[variant]}
				if variant%3 == 0 {
					in.Mem.Index = Reg(rng.IntN(16))
					if in.Mem.Index == RSP {
						in.Mem.Index = RBP
					}
					in.Mem.Scale = uint8(rng.IntN(4))
				}
				if info.flags&vsib != 0 {
					in.Mem.Index = Reg(rng.IntN(32))
					in.Mem.Scale = uint8(rng.IntN(4))
				}
			}
			if maskable(op) {
				if in.K = uint8(rng.IntN(8)); in.K != 0 && info.flags&regMask == 0 && !(in.UseMem && (info.form == formMR)) {
					in.Zero = variant%2 == 0
				}
				if info.flags&vsib != 0 {
					in.K, in.Zero = in.K|1, false
					if in.R == in.Mem.Index {
						in.R ^= 1
					}
				}
				if in.UseMem && info.size >= 4 && (info.tuple == tupleFV || info.tuple == tupleHV) && info.form != formMR && variant%4 < 2 {
					in.Bcast = true
				}
			}
			if info.flags&regTile != 0 {
				in = tileSample(in)
			}
			out = append(out, in)
		}
	}
	return out
}

// tileSample gives an instruction on tiles operands that it has: eight registers, three different ones in products, and memory
// with an index.
func tileSample(in Inst) Inst {
	in.UseMem = in.Op == Ldtilecfg || in.Op == Tileloadd || in.Op == Tilestored
	in.R, in.M, in.V = in.R%8, in.M%16, NoReg
	switch in.Op {
	case Tdpbusd:
		in.M, in.V = (in.R+1)%8, (in.R+2+in.M%6)%8
	case Tilezero, Tilerelease:
		in.M = 0
	default:
		in.Mem = Mem{Base: in.M, Index: (in.M + 5) % 16, Scale: uint8(in.R % 4), Disp: int32(in.X) * 64}
		if in.Mem.Index == RSP {
			in.Mem.Index = RBP
		}
	}
	return in
}

// opGoNames returns the names of the constants, read from their files.
var opGoNames = sync.OnceValue(func() []string {
	names := make([]string, 0, numOps)
	read := func(file, pattern string) [][]string {
		text, err := os.ReadFile(file)
		if err != nil {
			panic(err)
		}
		return regexp.MustCompile(pattern).FindAllStringSubmatch(string(text), -1)
	}
	here := map[string]string{}
	for _, m := range read("ops.go", `(?m)^\t(\w+)\s+= native\.(\w+)$`) {
		here[m[2]] = m[1]
	}
	for _, m := range read("../op.go", `(?m)^\t([A-Z]\w*)( Op = iota)?( *//.*)?$`) {
		if m[1] == "NumOps" {
			continue
		}
		name := m[1]
		if here[name] != "" {
			name = here[name]
		}
		names = append(names, name)
	}
	for _, m := range read("ops.go", `(?m)^\t([A-Z]\w*)( Op = native\.NumOps \+ iota)?$`) {
		names = append(names, m[1])
	}
	return names
})

// encodings is the file of instructions as GNU as encodes them.
const encodings = "testdata/encodings.txt"

// The encoder writes the bytes that GNU as writes. Renew the file with -update.
func TestEncoderMatchesAs(t *testing.T) {
	require.Len(t, opGoNames(), int(numOps))
	var all []Inst
	for op := NoOp + 1; op < numOps; op++ {
		all = append(all, samples(op)...)
	}
	if *update {
		writeEncodings(t, all)
	}
	want := map[string]string{}
	text, err := os.ReadFile(encodings)
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		a, b, _ := strings.Cut(strings.TrimSpace(line), "\t")
		want[a] = b
	}
	bad := 0
	for i := range all {
		var e Encoder
		e.Emit(&all[i])
		key := asText(&all[i])
		if got := hex.EncodeToString(e.buf); got != want[key] {
			if bad++; bad < 40 {
				t.Errorf("%s: got %s, want %s", key, got, want[key])
			}
		}
	}
	if bad > 0 {
		t.Errorf("%d of %d instructions differ", bad, len(all))
	}
}

// asText returns the instruction with the prefix that makes GNU as choose its form.
func asText(in *Inst) string {
	switch info := &opTable[in.Op]; {
	case in.UseMem || info.flags&(rmGPR|regGPR|rmMask|regMask) != 0 && info.space != legacy:
	case info.form == formRM || info.form == formRVM:
		return "{load} " + in.String()
	case info.form == formMR:
		return "{store} " + in.String()
	}
	return in.String()
}

// writeEncodings assembles instructions with GNU as, one by one in one file.
func writeEncodings(t *testing.T, all []Inst) {
	dir := t.TempDir()
	src, obj := filepath.Join(dir, "a.s"), filepath.Join(dir, "a.o")
	skip := map[int]bool{}
	for {
		var b strings.Builder
		b.WriteString(".intel_syntax noprefix\n")
		for i := range all {
			if skip[i] {
				b.WriteString("\n")
			} else {
				b.WriteString(asText(&all[i]) + "\n")
			}
		}
		require.NoError(t, os.WriteFile(src, []byte(b.String()), 0o666))
		msg, err := exec.Command("as", "-o", obj, src).CombinedOutput()
		if err == nil {
			break
		}
		n := len(skip)
		for _, m := range regexp.MustCompile(`a\.s:(\d+): Error: (.*)`).FindAllStringSubmatch(string(msg), -1) {
			var line int
			fmt.Sscan(m[1], &line)
			skip[line-2] = true
			t.Errorf("as refuses %s: %s", all[line-2].String(), m[2])
		}
		require.Greater(t, len(skip), n, string(msg))
	}
	dump, err := exec.Command("objdump", "-d", "-w", "--insn-width=16", "-M", "intel", obj).Output()
	require.NoError(t, err)
	var b strings.Builder
	k := 0
	sc := bufio.NewScanner(strings.NewReader(string(dump)))
	for sc.Scan() {
		f := strings.Split(sc.Text(), "\t")
		if len(f) < 3 {
			continue
		}
		for skip[k] {
			k++
		}
		b.WriteString(asText(&all[k]) + "\t" + strings.ReplaceAll(strings.TrimSpace(f[1]), " ", "") + "\n")
		k++
	}
	require.NoError(t, os.MkdirAll("testdata", 0o777))
	require.NoError(t, os.WriteFile(encodings, []byte(b.String()), 0o666))
}

// The disassembler of golang.org/x/arch reads every instruction back with its length and mnemonic, but for those on tiles, which
// it does not know.
func TestEncoderDecodes(t *testing.T) {
	bad := 0
	for op := NoOp + 1; op < numOps; op++ {
		if opTable[op].flags&regTile != 0 {
			continue
		}
		for _, in := range samples(op) {
			var e Encoder
			e.Emit(&in)
			got, err := x86asm.Decode(e.buf, 64)
			text := ""
			if err == nil {
				text = x86asm.GNUSyntax(got, 0, nil)
			}
			name, _, _ := strings.Cut(text, " ")
			if err != nil || got.Len != len(e.buf) || !sameMnemonic(name, mnemonic(in.Op)) {
				if bad++; bad < 40 {
					t.Errorf("%s: % x decodes as %q of %d bytes: %v", in.String(), e.buf, text, got.Len, err)
				}
			}
		}
	}
	if bad > 0 {
		t.Errorf("%d instructions differ", bad)
	}
}

// Registers, masks and displacements of any value encode as an instruction of the length
// that the disassembler finds.
func FuzzEncoder(f *testing.F) {
	f.Add(uint16(Vaddps), uint8(3), uint8(17), uint8(5), uint8(12), int32(64), uint16(7))
	f.Add(uint16(VpsrldI), uint8(3), uint8(17), uint8(5), uint8(4), int32(-1), uint16(0x1f))
	f.Fuzz(func(t *testing.T, op uint16, r, v, m, index uint8, disp int32, bits uint16) {
		list := samples(Op(op % uint16(numOps)))
		if len(list) == 0 || opTable[list[0].Op].flags&regTile != 0 { // the disassembler knows no tiles
			return
		}
		in := list[int(bits>>8)%len(list)]
		info := &opTable[in.Op]
		narrow := info.space&evex == 0 || in.Op == VmovqXS
		limit := func(x uint8, fl opFlags) Reg {
			switch {
			case info.flags&fl&(regMask|rmMask) != 0:
				return Reg(x % 8)
			case narrow || info.flags&fl&(regGPR|rmGPR) != 0:
				return Reg(x % 16)
			}
			return Reg(x % 32)
		}
		in.R, in.M = limit(r, regMask|regGPR), limit(m, rmMask|rmGPR)
		if info.flags&(regMask|rmMask) == regMask|rmMask {
			in.V = Reg(v % 8)
		} else {
			in.V = limit(v, 0)
		}
		if info.flags&vsib != 0 && in.R == in.Mem.Index { // refused by the processor
			return
		}
		if in.UseMem {
			in.Mem.Base, in.Mem.Disp, in.Mem.Scale = Reg(m%16), disp, uint8(bits&3)
			if info.flags&vsib == 0 {
				in.Mem.Index = Reg(index % 16)
				if in.Mem.Index == RSP {
					in.Mem.Index = NoReg
				}
			}
		}
		var e Encoder
		e.Emit(&in)
		got, err := x86asm.Decode(e.buf, 64)
		if err != nil || got.Len != len(e.buf) {
			t.Fatalf("%s: % x decodes with length %d: %v", in.String(), e.buf, got.Len, err)
		}
	})
}

// sameMnemonic compares mnemonics but for the suffixes of GNU's syntax.
func sameMnemonic(gnu, own string) bool {
	if gnu == own {
		return true
	}
	own, gnu = strings.TrimSuffix(own, "q"), regexp.MustCompile(`^(vp?cmp)(eq|lt|le|unord|neq|nlt|nle|ord|false|true)`).ReplaceAllString(gnu, "$1")
	if own == "movzx" && strings.HasPrefix(gnu, own[:4]) {
		return true
	}
	for _, s := range []string{"", "b", "w", "l", "q", "x", "y", "z", "ll", "lb"} {
		if gnu == own+s {
			return true
		}
	}
	return false
}

// Registers that are no masks are refused where an instruction takes masks: their numbers
// would be written as other bits.
func TestMasksAreMasks(t *testing.T) {
	for _, in := range []Inst{
		{Op: Kandnb, R: 14, V: 1, M: 2},
		{Op: Kandnb, R: 1, V: 14, M: 2},
		{Op: Kandnb, R: 1, V: 2, M: 14},
		{Op: Vcmppd, Len: L512, R: 14, V: 1, M: 2},
	} {
		var e Encoder
		if testcheck.Recover(func() { e.Emit(&in) }) == nil {
			t.Errorf("%v of registers %d, %d, %d is encoded, want a panic", in.Op, in.R, in.V, in.M)
		}
	}
}
