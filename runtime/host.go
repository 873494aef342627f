package runtime

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/hostcall"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/trace"
)

// withProgram runs the kernel of an operation that holds a program. Only its results are
// watched, not what the program computes within.
type withProgram struct {
	p     core.Primitive
	f     reference.ProgramFunc
	types []core.ShapedArray
}

func (w *withProgram) run(x *run, in, out []*Array) {
	for i, t := range w.types {
		out[i] = x.alloc(t)
	}
	watch := x.watch
	x.watch = 0
	var prog *program
	var args, results []*Array
	w.f(w.p, func(j *jaxpr.Jaxpr, in []*reference.Tensor) []*reference.Tensor {
		if prog == nil {
			prog = programOf(j)
			results = make([]*Array, len(prog.outs))
			for range in {
				args = append(args, boxed(&Array{refs: isView}))
			}
		}
		for i, t := range in {
			args[i].t = *t
		}
		for _, a := range results { // the kernel has copied them
			x.release(a)
		}
		prog.call(x, args, results)
		return tensors(results)
	}, tensors(in), tensors(out))
	for _, a := range results {
		x.release(a)
	}
	x.watch = watch
}

// host is an operation that calls a Go function.
type host interface {
	core.Primitive
	Host() *hostcall.HostFunc
}

type hostCall struct {
	p     host
	types []core.ShapedArray
}

func (h *hostCall) run(x *run, in, out []*Array) {
	if _, looks := h.p.(hostcall.DebugCallbackP); looks && h.p.Host().Call == nil {
		return // the text that the program was read from lacks the function, and no result depends on it
	}
	args := make([]core.Value, len(in))
	for i, a := range in {
		if a.refs != 0 || a.Dead() {
			a = a.clone() // the function may keep it, and cannot read what was donated
		}
		args[i] = a.ofItsOwn() // it may donate it
	}
	vs := core.Suspended(func() []core.Value { return h.p.Host().Run(x.ctx, args, h.types) })
	for i, v := range vs {
		out[i] = h.look(i, v)
	}
}

// look returns result i of the function as an array. A tracer that the function closes
// over is an error, unless its value is known.
func (h *hostCall) look(i int, v core.Value) *Array {
	known, err := trace.Look(v)
	if err != nil {
		core.FailOp(core.ErrEscaped, h.p.Name(), []core.ShapedArray{v.Aval()},
			"result %d of the function %s is a traced %v, want an array; compute results from the function's arguments: %v", i, h.p.Host(), v.Aval().Full(), message(err))
	}
	a := concrete(h.p, known)
	a.Live(h.p.Name())
	return a.here(h.p.Name())
}

// message returns the text of an error without position and operation.
func message(err error) string {
	if e, ok := err.(*core.Error); ok {
		return e.Msg
	}
	return err.Error()
}

var (
	outputMu sync.Mutex
	output   io.Writer = os.Stdout
)

// SetOutput sets where DebugPrint prints: standard output unless set. It returns the previous
// writer.
func SetOutput(w io.Writer) (old io.Writer) {
	outputMu.Lock()
	defer outputMu.Unlock()
	old, output = output, w
	return old
}

type debugPrint struct{ p hostcall.DebugPrintP }

func (d debugPrint) run(x *run, in, out []*Array) {
	text := d.p.Text(func(i int, spec string) string { return in[i].format(spec) })
	outputMu.Lock()
	defer outputMu.Unlock()
	fmt.Fprintln(output, text)
}

// maxField is the largest width and precision of a placeholder.
const maxField = 10000

// format formats the array by the specification in a placeholder: "", ".3f", "8.2e", ">10".
func (a *Array) format(spec string) string {
	s := spec
	align := byte(0)
	if s != "" && strings.IndexByte("<>^", s[0]) >= 0 {
		align, s = s[0], s[1:]
	}
	verb := byte(0)
	if n := len(s); n > 0 && (s[n-1] < '0' || s[n-1] > '9') {
		verb, s = s[n-1], s[:n-1]
	}
	width, precision, dotted := strings.Cut(s, ".")
	flags := ""
	for width != "" && strings.IndexByte("+ 0", width[0]) >= 0 {
		flags, width = flags+width[:1], width[1:]
	}
	w, err := strconv.Atoi("0" + width)
	prec, err2 := strconv.Atoi("0" + precision)
	if err != nil || err2 != nil || w > maxField || prec > maxField || verb != 0 && strings.IndexByte("fFeEgGdxX", verb) < 0 {
		return fmt.Sprintf("{%s: %q is no format}", a.Text(nil), spec)
	}
	var text string
	switch verb {
	case 0:
		text = a.Text(nil)
		if dotted {
			text = a.Text(VerbStyle("%." + precision + "g"))
		}
	case 'x', 'X':
		text = a.Text(BitStyle(string(verb), false, 0, false))
	default:
		f := "%" + flags
		if w > 0 {
			f += width
		}
		if dotted {
			f += "." + precision
		}
		text = a.Text(VerbStyle(f + string(verb)))
	}
	if a.Aval().Rank() == 0 {
		text = strings.TrimSpace(text)
	}
	if pad := w - len(text); pad > 0 {
		switch align {
		case '<':
			text += strings.Repeat(" ", pad)
		case '^':
			text = strings.Repeat(" ", pad/2) + text + strings.Repeat(" ", pad-pad/2)
		default:
			text = strings.Repeat(" ", pad) + text
		}
	}
	return text
}
