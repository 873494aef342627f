// Package ptxeval parses and evaluates the PTX that package ptx prints, thread by thread.
// It reports what a GPU would not: accesses out of bounds or not aligned, registers that
// are read before they are written, barriers that not all threads reach, and words of
// memory that two threads use with no barrier between while one writes.
//
// Before version 1.0 anything in this package may change.
package ptxeval

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Module is parsed text.
type Module struct {
	entries   map[string]*entry
	consts    map[string]space
	constData []byte

	// SetCondition is cudaGraphSetConditional, nil outside of a graph.
	SetCondition func(handle uint64, value uint32) error
}

// entry is one kernel.
type entry struct {
	name    string
	params  int
	threads int
	cluster int // groups of a cluster, 0: none
	regs    map[string]int
	fixed   []uint64 // what registers behind those hold, the special ones first
	shared  map[string]space
	local   map[string]space
	sharedN int64
	localN  int64
	code    []inst
	labels  map[string]int

	maps   map[string]int // tensor maps among the parameters, by name
	tensor bool           // it has instructions of tensor cores

	arguments []string // of the function that it calls

	asynchronous bool // it has wgmma, or copies by TMA
}

// space is where an array lies in its memory.
type space struct{ at, size int64 }

// inst is an instruction.
type inst struct {
	line   int
	guard  int // register, −1: none
	negate bool
	op     []string // the parts of its name
	args   []operand

	kind   instKind
	run    operation // of arithmetic
	src    [3]int    // registers that it computes from, fixed ones where operands are numbers, or lack
	dst    int       // the register of the result
	space  string    // of a load or store
	bytes  int
	signed bool

	perform  perform  // single, spin
	together together // collective
	warps    int      // that run it together; 0: one
}

// instKind distinguishes instructions.
type instKind uint8

const (
	arithmetic instKind = iota
	load
	store
	branch
	barrier
	exchange
	addition
	ret
	fetch
	commit
	await
	single     // of one thread, by perform
	spin       // like single, and tried again
	collective // of a warp
)

// kind distinguishes operands.
type kind uint8

const (
	register kind = iota
	immediate
	special
	label
	memory // [register+bits]
	symbol
)

// The special registers.
const (
	tid = iota
	ctaid
	nctaid
)

type operand struct {
	kind kind
	reg  int
	bits uint64
	name string
}

var (
	entryLine = regexp.MustCompile(`^\.visible \.entry ([A-Za-z0-9_$]+)\($`)
	arrayLine = regexp.MustCompile(`^\.(shared|local) \.align 16 \.b8 ([A-Za-z0-9_$]+)\[(\d+)\];$`)
	constLine = regexp.MustCompile(`^\.const \.align 8 \.b(32|64) ([A-Za-z0-9_$]+)\[(\d+)\] = \{(.*)\};$`)
	regLine   = regexp.MustCompile(`^\.reg \.(pred|b16|b32|b64|f32|f64) %([a-z]+)<(\d+)>;$`)
)

// Parse reads a module.
func Parse(text string) (*Module, error) {
	m := &Module{entries: map[string]*entry{}, consts: map[string]space{}}
	var e *entry
	dynamic := "" // shared memory of the next entry whose size the launch states
	for n, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		fail := func(why string) (*Module, error) { return nil, bugf("line %d: %s: %q", n+1, why, line) }
		switch {
		case e != nil && strings.HasSuffix(line, ";") && line[0] != '.':
			in, err := e.instruction(strings.TrimSuffix(line, ";"))
			if err != nil {
				return fail(err.Error())
			}
			in.line = n + 1
			e.code = append(e.code, in)
		case e != nil && strings.HasSuffix(line, ":"):
			e.labels[strings.TrimSuffix(line, ":")] = len(e.code)
		case line == "", line == "{", line == ")", strings.HasPrefix(line, ".version"), strings.HasPrefix(line, ".target"), strings.HasPrefix(line, ".address_size"):
		case entryLine.MatchString(line):
			name := entryLine.FindStringSubmatch(line)[1]
			e = &entry{name: name, regs: map[string]int{}, fixed: make([]uint64, nctaid+1), shared: map[string]space{}, local: map[string]space{}, labels: map[string]int{}, maps: map[string]int{}}
			if dynamic != "" {
				e.shared[dynamic], e.sharedN = space{at: dynamicAt}, dynamicAt
				dynamic = ""
			}
			m.entries[name] = e
		case constLine.MatchString(line):
			if err := m.constant(constLine.FindStringSubmatch(line)); err != nil {
				return fail(err.Error())
			}
		case declareLine.MatchString(line):
		case externLine.MatchString(line):
			dynamic = externLine.FindStringSubmatch(line)[1]
		case e == nil:
			return fail("outside of an entry")
		case e.tensorLine(line):
		case argumentLine.MatchString(line):
			e.arguments = append(e.arguments, argumentLine.FindStringSubmatch(line)[2])
		case strings.HasPrefix(line, ".param"):
			e.params++
		case strings.HasPrefix(line, ".reqntid"):
			if _, err := fmt.Sscanf(line, ".reqntid %d", &e.threads); err != nil {
				return fail(err.Error())
			}
		case strings.HasPrefix(line, ".reqnctapercluster"):
			if _, err := fmt.Sscanf(line, ".reqnctapercluster %d", &e.cluster); err != nil {
				return fail(err.Error())
			}
		case arrayLine.MatchString(line):
			f := arrayLine.FindStringSubmatch(line)
			size, _ := strconv.ParseInt(f[3], 10, 64)
			if f[1] == "shared" {
				e.shared[f[2]] = space{e.sharedN, size}
				e.sharedN += (size + 15) &^ 15
			} else {
				e.local[f[2]] = space{e.localN, size}
				e.localN += (size + 15) &^ 15
			}
		case regLine.MatchString(line):
			f := regLine.FindStringSubmatch(line)
			count, _ := strconv.Atoi(f[3])
			for i := range count {
				e.regs[fmt.Sprintf("%%%s%d", f[2], i)] = len(e.regs)
			}
		case line == "}":
			if err := e.resolve(m); err != nil {
				return nil, err
			}
			e = nil
		default:
			return fail("not understood")
		}
	}
	return m, nil
}

func (m *Module) constant(f []string) error {
	size, _ := strconv.Atoi(f[1])
	var data []byte
	for w := range strings.SplitSeq(f[4], ", ") {
		x, err := strconv.ParseUint(w, 0, size)
		if err != nil {
			return err
		}
		for i := range size / 8 {
			data = append(data, byte(x>>(8*i)))
		}
	}
	if n, _ := strconv.Atoi(f[3]); n*size/8 != len(data) {
		return bugf("the table has %d bytes, want %d", len(data), n*size/8)
	}
	m.consts[f[2]] = space{int64(len(m.constData)), int64(len(data))}
	for m.constData = append(m.constData, data...); len(m.constData)%8 != 0; {
		m.constData = append(m.constData, 0)
	}
	return nil
}

func (e *entry) instruction(line string) (inst, error) {
	in := inst{guard: -1}
	if strings.HasPrefix(line, "@") {
		g, rest, _ := strings.Cut(line[1:], " ")
		in.negate = strings.HasPrefix(g, "!")
		r, ok := e.regs[strings.TrimPrefix(g, "!")]
		if !ok {
			return in, bugf("there is no register %s", g)
		}
		in.guard, line = r, rest
	}
	name, rest, _ := strings.Cut(line, " ")
	in.op = strings.Split(name, ".")
	if ofTensors(name) {
		rest = flattened(rest)
	}
	for a := range strings.SplitSeq(rest, ",") {
		a = strings.Trim(strings.TrimSpace(a), "{}()") // the elements of a vector are operands of their own
		if a == "" {
			continue
		}
		o, err := e.operand(a)
		if err != nil {
			return in, err
		}
		in.args = append(in.args, o)
	}
	return in, nil
}

func (e *entry) operand(a string) (operand, error) {
	if inner, ok := strings.CutPrefix(a, "["); ok {
		inner = strings.TrimSuffix(inner, "]")
		base, plus, displaced := strings.Cut(inner, "+")
		if r, ok := e.regs[base]; ok {
			o := operand{kind: memory, reg: r}
			if displaced {
				n, err := strconv.ParseInt(plus, 10, 64)
				if err != nil {
					return operand{}, err
				}
				o.bits = uint64(n)
			}
			return o, nil
		}
		return operand{kind: symbol, name: inner}, nil
	}
	if strings.HasPrefix(a, "%") {
		if r, ok := e.regs[a]; ok {
			return operand{kind: register, reg: r}, nil
		}
		if i := slices.Index([]string{tid: "%tid.x", ctaid: "%ctaid.x", nctaid: "%nctaid.x"}, a); i >= 0 {
			return operand{kind: special, name: a, reg: i}, nil
		}
		return operand{}, bugf("there is no register %s", a)
	}
	switch {
	case strings.HasPrefix(a, "0f"), strings.HasPrefix(a, "0d"):
		x, err := strconv.ParseUint(a[2:], 16, 64)
		return operand{kind: immediate, bits: x}, err
	case strings.HasPrefix(a, "$"):
		return operand{kind: label, name: a}, nil
	}
	if x, err := strconv.ParseInt(a, 0, 64); err == nil {
		return operand{kind: immediate, bits: uint64(x)}, nil
	}
	if x, err := strconv.ParseUint(a, 0, 64); err == nil {
		return operand{kind: immediate, bits: x}, nil
	}
	return operand{kind: symbol, name: a}, nil
}

// resolve finds the places of labels and what instructions do.
func (e *entry) resolve(m *Module) error {
	for i := range e.code {
		for j := range e.code[i].args {
			if a := &e.code[i].args[j]; a.kind == label {
				at, ok := e.labels[a.name]
				if !ok {
					return bugf("line %d: there is no label %s", e.code[i].line, a.name)
				}
				a.reg = at
			}
		}
		if err := e.decode(m, &e.code[i]); err != nil {
			return fmt.Errorf("line %d: %w", e.code[i].line, err)
		}
	}
	return e.checkFences()
}

func f32(x uint64) float32 { return math.Float32frombits(uint32(x)) }
func f64(x uint64) float64 { return math.Float64frombits(x) }
