package hostile

import (
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	goruntime "runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/api"
)

const (
	mostTime   = 20 * time.Second
	mostMemory = 256 << 20
)

var only = flag.String("only", "", "makes the calls NAME:ROUND alone that match a regular expression")

var from = flag.Int("from", 0, "the first round")

var last = flag.String("last", "", "a file that the name of each call is written to before it is made, for crashes")

// rounds returns how often each function is called: WEFT_FUZZ_ROUNDS, else few.
func rounds() int {
	if n, err := strconv.Atoi(os.Getenv("WEFT_FUZZ_ROUNDS")); err == nil && n > 0 {
		return n
	}
	return 6
}

// Every function and method returns a result or an error of Weft, in bounded time and
// memory, for all arguments.
func TestHostileArguments(t *testing.T) {
	calls, refused, failed := 0, 0, 0
	chosen := regexp.MustCompile(*only)
	try := func(name string, call func(d *drawer) (f reflect.Value, in []reflect.Value)) {
		for round := *from; round < *from+rounds(); round++ {
			id := fmt.Sprintf("%s:%d", name, round)
			if !chosen.MatchString(id) {
				continue
			}
			if *last != "" {
				if err := os.WriteFile(*last, []byte(id), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			h := fnv.New64()
			h.Write([]byte(id))
			d := newDrawer(h.Sum64())
			f, in := call(d)
			calls++
			wrong, err := outcome(f, in, d)
			if err {
				refused++
			}
			if wrong != "" {
				failed++
				t.Errorf("%s(%s): %s", id, describe(in), wrong)
			}
		}
	}
	for i, g := range functions {
		try(fmt.Sprintf("%s/%d", g.name, i), func(d *drawer) (reflect.Value, []reflect.Value) {
			f := reflect.ValueOf(g.f)
			return f, d.arguments(f)
		})
	}
	for _, r := range receivers {
		for i := range r.NumMethod() {
			try(fmt.Sprintf("%s.%s", r, r.Method(i).Name), func(d *drawer) (reflect.Value, []reflect.Value) {
				x := d.value(r, 0)
				if x.Kind() == reflect.Pointer && x.IsNil() { // Go's own panic where the method has a value receiver
					x = reflect.New(r.Elem())
				}
				f := x.Method(i)
				return f, d.arguments(f)
			})
		}
	}
	t.Logf("%d calls of %d functions, %d refused, %d failed", calls, len(functions), refused, failed)
}

// arguments draws arguments for a function.
func (d *drawer) arguments(f reflect.Value) (in []reflect.Value) {
	t := f.Type()
	for i := range t.NumIn() {
		if t.IsVariadic() && i == t.NumIn()-1 {
			for range pick(d, 0, 1, 1, 2, 3) {
				in = append(in, d.value(t.In(i).Elem(), 0))
			}
			break
		}
		if i > 0 && t.In(i) == t.In(i-1) && d.IntN(3) == 0 {
			in = append(in, in[i-1])
			continue
		}
		in = append(in, d.value(t.In(i), 0))
	}
	return in
}

// outcome calls a function, the functions that it returns, and prints the arrays, and returns
// what was wrong with that, and whether Weft refused it.
func outcome(f reflect.Value, in []reflect.Value, d *drawer) (wrong string, refused bool) {
	type result struct {
		wrong   string
		refused bool
	}
	done := make(chan result, 1)
	before := allocated()
	go func() {
		var r result
		defer func() { done <- r }()
		defer func() {
			if p := recover(); p != nil {
				var known *core.Error
				if e, ok := p.(error); ok && errors.As(e, &known) && !strings.Contains(e.Error(), "BUG") {
					r.refused = true
					return
				}
				r.wrong = fmt.Sprintf("panic: %v\n%s", p, where(debug.Stack()))
			}
		}()
		for _, o := range f.Call(in) {
			use(o, d)
		}
	}()
	select {
	case r := <-done:
		if n := allocated() - before; n > mostMemory && r.wrong == "" {
			r.wrong = fmt.Sprintf("allocated %d MB, want at most %d", n>>20, mostMemory>>20)
		}
		return r.wrong, r.refused
	case <-time.After(mostTime):
		buf := make([]byte, 1<<20)
		return fmt.Sprintf("got no result in %v\n%s", mostTime, buf[:goruntime.Stack(buf, true)]), false
	}
}

// use calls a result that is a function, once, and prints one that is an array.
func use(o reflect.Value, d *drawer) {
	switch x := o.Interface().(type) {
	case weft.Array:
		if x.Value() != nil {
			_ = x.String()
		}
		return
	case error:
		return
	}
	if o.Kind() == reflect.Func && !o.IsNil() {
		if o.Type().CanSeq() {
			for range o.Seq() {
				break
			}
			return
		}
		if o.Type().CanSeq2() {
			for range o.Seq2() {
				break
			}
			return
		}
		for _, p := range o.Call(d.arguments(o)) {
			if x, ok := p.Interface().(weft.Array); ok && x.Value() != nil {
				_ = x.String()
			}
		}
	}
}

func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// where returns the frames of a stack from the panic on.
func where(stack []byte) string {
	lines := strings.Split(string(stack), "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, "panic(") {
			lines = lines[i+2:]
			break
		}
	}
	return strings.Join(lines[:min(len(lines), 16)], "\n")
}

// describe prints arguments.
func describe(in []reflect.Value) string {
	var out []string
	for _, v := range in {
		out = append(out, text(v, 0))
	}
	return strings.Join(out, ", ")
}

func text(v reflect.Value, depth int) string {
	if x, ok := v.Interface().(weft.Array); ok {
		s, err := weft.Try(func() string {
			if x.Value() == nil {
				return "Array{}"
			}
			if x.Size() > 8 {
				return x.Value().Aval().String()
			}
			return x.Value().Aval().String() + strings.ReplaceAll(x.String(), "\n", "")
		})
		if err != nil {
			return "dead"
		}
		return s
	}
	if depth > 3 {
		return "…"
	}
	switch v.Kind() {
	case reflect.Func, reflect.Pointer, reflect.Map, reflect.Chan:
		if v.IsNil() {
			return "nil " + v.Type().String()
		}
		if v.Kind() == reflect.Pointer {
			return "&" + text(v.Elem(), depth+1)
		}
		return v.Type().String()
	case reflect.Interface:
		if v.IsNil() {
			return "nil"
		}
		return text(v.Elem(), depth+1)
	case reflect.Slice:
		var out []string
		for i := range v.Len() {
			out = append(out, text(v.Index(i), depth+1))
		}
		return v.Type().String() + "{" + strings.Join(out, ", ") + "}"
	case reflect.Struct:
		var out []string
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() && !v.Field(i).IsZero() {
				out = append(out, v.Type().Field(i).Name+": "+text(v.Field(i), depth+1))
			}
		}
		return v.Type().String() + "{" + strings.Join(out, ", ") + "}"
	}
	return fmt.Sprintf("%#v", v.Interface())
}

// apart are the exported functions that are not called here, with the reason.
var apart = map[string]string{
	"weft.SetProcessDefault": "changes the process", "weft.ExplainRetracing": "changes the process", "weft.DebugPrint": "prints; sizes_test.go",
	"weft.Apply": "takes a primitive, which is a driver's", "weft.Through": "takes a primitive, which is a driver's", "weft.Within": "takes a primitive, which is a driver's",
	"weft.Interpret": "takes a driver", "weft.FromValue": "takes a driver's value", "weft.Compile": "refuses by an error: internal/test/mistakes/context_test.go",
}

// Every exported function stands among those that are called.
func TestEveryFunctionIsCalled(t *testing.T) {
	have := map[string]bool{}
	for _, f := range functions {
		have[f.name] = true
	}
	for _, pkg := range []string{"weft", "lax", "nn", "optim", "random", "linalg", "fft", "special", "stats", "image", "custom", "tree", "ode", "data"} {
		dir := pkg
		if pkg == "weft" {
			dir = "."
		}
		list, err := api.Exported(filepath.Join("..", "..", "..", dir))
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range list {
			name, ok := strings.CutPrefix(l, "func ")
			if !ok || strings.HasPrefix(name, "(") {
				continue
			}
			name = pkg + "." + name[:strings.IndexAny(name, "[(")]
			if !have[name] && apart[name] == "" {
				t.Errorf("%s is not called with hostile arguments; add it to functions", name)
			}
		}
	}
}
