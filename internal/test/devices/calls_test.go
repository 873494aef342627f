package devices_test

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/promote"
)

// deviceCalls are the kinds of call and the options that devicePrograms and deviceRules lack.
var deviceCalls = map[string]func(x weft.Array) weft.Array{
	"call": weft.Jit(func(x weft.Array) weft.Array { return weft.Call(weft.Sin, weft.Name("s"))(x).Mul(2) }),
	"callback for looking": weft.Jit(func(x weft.Array) weft.Array {
		weft.DebugCallback(func(x weft.Array) { _ = x.String() }, x)
		return x.Add(1)
	}),
	"for to a traced end": weft.Jit(func(x weft.Array) weft.Array {
		return weft.ForRange(weft.Scalar(0), x.Max().AsType(weft.Int32), func(i, c weft.Array) weft.Array { return c.Mul(2) }, x)
	}),
	"scan without inputs": func(x weft.Array) weft.Array {
		c, ys := weft.ScanN(func(c weft.Array) (weft.Array, weft.Array) { return c.Mul(2), c.Sum() }, x, 3, weft.Unroll(2))
		return c.Add(ys.Sum())
	},
	"scan in reverse": weft.Grad(func(x weft.Array) weft.Array {
		_, ys := weft.Scan(func(c, x weft.Array) (weft.Array, weft.Array) { return weft.Sin(c.Add(x)), c }, weft.Scalar(float32(0)), x, weft.Reverse())
		return ys.Sum()
	}),
	"gradients at a point": func(x weft.Array) weft.Array {
		sum := func(x weft.Array) weft.Array { return weft.Sin(x).Sum() }
		y, g := weft.ValueAndGradAt(x, sum)
		return weft.GradAt(x, sum).Add(g).Add(y)
	},
	"Hessian times a vector": func(x weft.Array) weft.Array {
		return weft.HVP(func(x weft.Array) weft.Array { return weft.Exp(x).Sum() }, x, x)
	},
	"value, gradient and a second result": func(x weft.Array) weft.Array {
		y, g, z := weft.ValueAndGradAux(func(x weft.Array) (weft.Array, weft.Array) { y := weft.Cos(x); return y.Sum(), y })(x)
		return g.Add(z).Add(y)
	},
	"trees": func(x weft.Array) weft.Array {
		t := [2]weft.Array{x, x.Mul(2)}
		t = weft.TreeMap(weft.Sin, t)
		t = weft.TreeMap2(func(x, y weft.Array) weft.Array { return x.Add(y) }, t, t)
		t = weft.TreeMap3(func(x, y, z weft.Array) weft.Array { return x.Add(y).Mul(z) }, t, t, t)
		return t[0].Add(t[1])
	},
	"try": func(x weft.Array) weft.Array {
		y, err := weft.Try(func() weft.Array { return weft.Sin(x) })
		testcheck.Must(err)
		return y
	},
	"settings": func(x weft.Array) (y weft.Array) {
		weft.With(weft.Promotion(promote.PyTorch), func() { y = x.Add(1) })
		return y
	},
	"interpreted within": weft.Interpret(weft.Jit(func(x weft.Array) weft.Array { return weft.Jit(weft.Sin)(x) }), interpretWithin),
	"interpreted with more": func(x weft.Array) weft.Array {
		return weft.Interpret(weft.Jit(weft.Sin), func(p *weft.IR, in []weft.Array) []weft.Array {
			return jaxpr.Walk(p, weft.FromValue, in, func(e *jaxpr.Eqn, in []weft.Array) []weft.Array {
				return weft.Through(e.Prim, in, func(p *weft.IR, in []weft.Array) []weft.Array {
					return jaxpr.Walk(p, weft.FromValue, in, func(e *jaxpr.Eqn, in []weft.Array) []weft.Array { return weft.Apply(e.Prim, in...) })
				})
			})
		})(x)
	},
	"pointers": func(x weft.Array) weft.Array {
		m := &struct{ W weft.Array }{x}
		y := weft.Jit(func(m *struct{ W weft.Array }, x weft.Array) weft.Array { m.W = m.W.Mul(2); return m.W.Add(x) })(m, x)
		return y.Add(m.W)
	},
	"with a context": func(x weft.Array) weft.Array {
		y, err := weft.Jit(func(_ context.Context, x weft.Array) (weft.Array, error) { return weft.Sin(x), nil })(context.Background(), x)
		testcheck.Must(err)
		return y
	},
	"axes": func(x weft.Array) weft.Array {
		f := func(x, y weft.Array) (weft.Array, weft.Array) { return x.Mul(y.Sum()), y }
		y, z := weft.Vmap(f, weft.In(0, weft.None), weft.Out(0, weft.None), weft.AxisSize(4))(x, x)
		return y.Add(z)
	},
	"remat that saves": weft.Grad(func(x weft.Array) weft.Array {
		return weft.Remat(func(x weft.Array) weft.Array { return weft.Sin(weft.Sin(x)) }, weft.Saving(weft.SaveEverything), weft.AllowCSE())(x).Sum()
	}),
	"callback under Vmap": weft.Vmap(func(x weft.Array) weft.Array {
		return weft.PureCallback(func(x weft.Array) weft.Array { return x.Mul(2) }, x, x, weft.VmapMethod("expand_dims"))
	}),
	"effects in order": weft.Jit(func(x weft.Array) weft.Array {
		return weft.IOCallback(func(x weft.Array) weft.Array { return x.Mul(2) }, x, x, weft.Ordered()).Add(1)
	}),
	"custom Closure": func(x weft.Array) weft.Array {
		return weft.Grad(func(x weft.Array) weft.Array {
			f, consts := custom.Closure(func(y weft.Array) weft.Array { return y.Mul(x) }, x)
			return f(x, consts).Sum()
		})(x)
	},
	"custom LinearCall": weft.Grad(func(x weft.Array) weft.Array {
		return custom.LinearCall(func(r, x weft.Array) weft.Array { return x.Mul(r) }, func(r, ct weft.Array) weft.Array { return ct.Mul(r).Mul(2) }, weft.Scalar(float32(3)), x).Sum()
	}),
	"custom LinearSolve with a second result": func(x weft.Array) weft.Array {
		solve := func(_ func(weft.Array) weft.Array, b weft.Array) (weft.Array, weft.Array) { return b.Div(2), b.Sum() }
		y, sum := custom.LinearSolveAux(func(y weft.Array) weft.Array { return y.Mul(2) }, x, solve, solve)
		return y.Add(sum)
	},
	"custom Root with a second result": func(x weft.Array) weft.Array {
		solve := func(f func(weft.Array) weft.Array, y weft.Array) (weft.Array, weft.Array) { return weft.Sqrt(x), f(y) }
		y, left := custom.RootAux(func(y weft.Array) weft.Array { return y.Mul(y).Sub(x) }, weft.OnesLike(x), solve,
			func(g func(weft.Array) weft.Array, y weft.Array) weft.Array { return y.Div(g(weft.OnesLike(y))) })
		return y.Add(left)
	},
	"custom NewJVP": weft.Grad(func(x weft.Array) weft.Array {
		h := custom.NewJVP[float64, weft.Array, weft.Array](func(d float64, x weft.Array) weft.Array { return x.Mul(d) })
		h.Rule(func(x, t weft.Array, d float64) (weft.Array, weft.Array) { return x.Mul(d), t.Mul(d + 1) })
		return h.Call(2, x).Sum()
	}),
}

func interpretWithin(p *weft.IR, in []weft.Array) []weft.Array {
	return jaxpr.Walk(p, weft.FromValue, in, func(e *jaxpr.Eqn, in []weft.Array) []weft.Array {
		return weft.Apply(weft.Within(e.Prim, interpretWithin), in...)
	})
}

// Every function that takes a function, every option and every setting of the packages weft
// and custom stands among the calls that are tried on a device.
func TestDeviceCallsAreComplete(t *testing.T) {
	called := map[string]bool{}
	for _, file := range parsed(t, ".", func(name string) bool {
		return strings.HasSuffix(name, "_test.go")
	}) {
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if p, ok := s.X.(*ast.Ident); ok {
					called[p.Name+"."+s.Sel.Name] = true
				}
			}
			return true
		})
	}
	elsewhere := map[string]string{
		"weft.ExplainRetracing": "sets what is called for the whole process; it traces, and runs nothing",
		"weft.LoadLimit":        "bounds a file",
	}
	for _, dir := range []string{"../../..", "../../../custom"} {
		for _, file := range parsed(t, dir, func(name string) bool { return !strings.HasSuffix(name, "_test.go") }) {
			for _, d := range file.Decls {
				f, ok := d.(*ast.FuncDecl)
				if !ok || f.Recv != nil || !f.Name.IsExported() || !takesFunction(f) && !returnsOption(f) {
					continue
				}
				name := file.Name.Name + "." + f.Name.Name
				if !called[name] && elsewhere[name] == "" {
					t.Errorf("%s is not tried on a device", name)
				}
				if called[name] && elsewhere[name] != "" {
					t.Errorf("%s is tried on a device, and has a reason why it is not", name)
				}
			}
		}
	}
}

// parsed returns the files of a folder of which match accepts the names.
func parsed(t *testing.T, dir string, match func(name string) bool) []*ast.File {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, name := range names {
		if !match(filepath.Base(name)) {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	if len(files) == 0 {
		t.Fatalf("no files in %s", dir)
	}
	return files
}

// takesFunction reports whether a parameter is a function, or of a type parameter F, which
// stands for one.
func takesFunction(f *ast.FuncDecl) bool {
	return slices.ContainsFunc(f.Type.Params.List, func(p *ast.Field) bool {
		typ := p.Type
		if e, ok := typ.(*ast.Ellipsis); ok {
			typ = e.Elt
		}
		_, is := typ.(*ast.FuncType)
		id, ok := typ.(*ast.Ident)
		return is || ok && id.Name == "F"
	})
}

// returnsOption reports whether a result is an option or a setting.
func returnsOption(f *ast.FuncDecl) bool {
	return f.Type.Results != nil && slices.ContainsFunc(f.Type.Results.List, func(r *ast.Field) bool {
		id, ok := r.Type.(*ast.Ident)
		return ok && (strings.HasSuffix(id.Name, "Option") || id.Name == "Setting")
	})
}

// everyDeviceProgram returns all programs of devices.
func everyDeviceProgram() map[string]func(x weft.Array) weft.Array {
	all := maps.Clone(devicePrograms)
	maps.Copy(all, deviceRules)
	maps.Copy(all, deviceCalls)
	return all
}
