package weft_test

import (
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/nn"
)

// Values of functions against NumPy's.
func TestLogspaceRad2DegSplit(t *testing.T) {
	nearAll(t, "Logspace", weft.Logspace(0, 3, 4), 1, 10, 100, 1000)
	nearAll(t, "Rad2Deg", weft.Rad2Deg(vec(0, 1, -3.1415927)), 0, 57.295780, -180)
	nearAll(t, "gradient of Rad2Deg", weft.Grad(weft.Rad2Deg)(s(2)), 57.295780)
	parts := weft.Split(vec(1, 2, 3, 4, 5, 6), 0, 1, 3, 2)
	if len(parts) != 3 {
		t.Fatalf("Split: got %d parts, want 3", len(parts))
	}
	nearAll(t, "Split 0", parts[0], 1)
	nearAll(t, "Split 1", parts[1], 2, 3, 4)
	nearAll(t, "Split 2", parts[2], 5, 6)
	columns := weft.Unstack(vec(1, 2, 3, 4, 5, 6).Reshape(2, 3), 1)
	if len(columns) != 3 {
		t.Fatalf("Unstack: got %d parts, want 3", len(columns))
	}
	for k, c := range columns {
		nearAll(t, "Unstack", c, float64(k+1), float64(k+4))
	}
}

func TestPutAlongAxis(t *testing.T) {
	x := vec(10, 30, 20, 60, 40, 50).Reshape(2, 3)
	at := weft.Of(1, 0).Reshape(2, 1)
	nearAll(t, "PutAlongAxis", weft.PutAlongAxis(x, at, 99, 1).Ravel(), 10, 99, 20, 99, 40, 50)
	g := weft.Grad(func(x weft.Array) weft.Array { return weft.PutAlongAxis(x, at, 99, 1).Sum() })(x)
	nearAll(t, "gradient of PutAlongAxis", g.Ravel(), 1, 0, 1, 0, 1, 1)
}

func TestGradAux(t *testing.T) {
	g, aux := weft.GradAux(func(x weft.Array) (weft.Array, weft.Array) { return x.Mul(x).Mul(x), x.Add(1) })(s(2))
	nearAll(t, "gradient", g, 12)
	nearAll(t, "second result", aux, 3)
}

func TestMinPoolSumPool(t *testing.T) {
	x, c := vec(3, 1, 2, 5, 4, 6), nn.PoolConfig{Window: []int{2}}
	nearAll(t, "MinPool", nn.MinPool(x, c), 1, 2, 4)
	nearAll(t, "SumPool", nn.SumPool(x, c), 4, 7, 10)
	sum := func(f func(weft.Array, nn.PoolConfig) weft.Array) weft.Array {
		return weft.Grad(func(x weft.Array) weft.Array { return f(x, c).Sum() })(x)
	}
	nearAll(t, "gradient of MinPool", sum(nn.MinPool), 0, 1, 1, 0, 1, 0)
	nearAll(t, "gradient of SumPool", sum(nn.SumPool), 1, 1, 1, 1, 1, 1)
}

func TestVmapMethod(t *testing.T) {
	for method, want := range map[string]int{"sequential": 3, "sequential_unrolled": 3, "expand_dims": 1, "broadcast_all": 1} {
		calls := 0
		f := func(x weft.Array) weft.Array {
			return weft.PureCallback(func(x weft.Array) weft.Array { calls++; return x.Mul(2) }, x, x, weft.VmapMethod(method))
		}
		nearAll(t, method, weft.Vmap(f)(vec(1, 2, 3)), 2, 4, 6)
		if calls != want {
			t.Errorf("%s: %d calls, want %d", method, calls, want)
		}
	}
}

func TestCompiledJaxpr(t *testing.T) {
	c, err := weft.Compile(func(x weft.Array) weft.Array { return weft.Sin(x) }, s(1))
	if err != nil {
		t.Fatal(err)
	}
	if text := c.Jaxpr().String(); !strings.Contains(text, "sin") {
		t.Errorf("got %s, want a program with sin", text)
	}
}
