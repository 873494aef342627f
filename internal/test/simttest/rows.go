package simttest

import (
	"fmt"
	"strings"

	"github.com/weft-go/weft/internal/test/irtext"
	"github.com/weft-go/weft/lower/ir"
)

// longRows are kernels of R rows of N elements of type T, M together, that are added in W lanes.
var longRows = map[string]string{
	// Two reductions of the same elements, a loop that replaces them, one more reduction, and a loop that divides.
	"softmax": `kernel k(in x T[M], inout y T[M]) grid a0<R {
  reduce any a1<N {
    %0 = load T x[N*a0+a1<M]
  } fold %1 = max %0
  vector a2<N {
    %2 = load T x[N*a0+a2<M]
    %3 = sub T %2, %1
    %4 = canon T %3
    store y[N*a0+a2<M], %4
  }
  reduce lanes W a3<N {
    %5 = load T y[N*a0+a3<M]
  } fold %6 = sum %5
  vector a4<N {
    %7 = load T y[N*a0+a4<M]
    %8 = div T %7, %6
    %9 = canon T %8
    store y[N*a0+a4<M], %9
  }
}`,
	// One reduction, of numbers that are read once, and a number a row.
	"sum": `kernel k(in x T[M], in z T[M], out y T[R]) grid a0<R {
  reduce lanes W a1<N {
    %0 = load T x[N*a0+a1<M]
    %1 = load T z[N*a0+a1<M]
    %2 = mul T %0, %1
  } fold %3 = sum %2
  %4 = canon T %3
  store y[a0<R], %4
}`,
	// Two folds at once, elements that are read in the last pass alone, numbers of the row, their places, two results.
	"norm": `kernel k(in x T[M], in g T[N], in b T[R], out y T[M], out w T[R], out i i32[M]) grid a0<R {
  reduce lanes W a1<N {
    %0 = load T x[N*a0+a1<M]
    %1 = mul T %0, %0
  } fold %2 = sum %0, %3 = max %1
  %4 = add T %2, %3
  vector a2<N {
    %5 = load T x[N*a0+a2<M]
    %6 = load T g[a2<N]
    %7 = load T b[a0<R]
    %8 = mul T %5, %6
    %9 = sub T %8, %4
    %10 = add T %9, %7
    %11 = canon T %10
    store y[N*a0+a2<M], %11
    %12 = index i32 a2
    store i[N*a0+a2<M], %12
  }
  %13 = canon T %4
  store w[a0<R], %13
}`,
}

// LongRows returns kernels of rows of n elements of a type, f32 or f64: go several times through their elements, or add products.
func LongRows(typ string, n, rows int) map[string]*ir.Kernel {
	lanes := ir.LaneBytes / 4
	if typ == "f64" {
		lanes = ir.LaneBytes / 8
	}
	fill := strings.NewReplacer("T", typ, "N", fmt.Sprint(n), "M", fmt.Sprint(n*rows), "R", fmt.Sprint(rows), "W", fmt.Sprint(lanes))
	all := map[string]*ir.Kernel{}
	for name, text := range longRows {
		k, err := irtext.Parse(fill.Replace(text))
		if err == nil {
			err = k.Check()
		}
		if err != nil {
			panic(err)
		}
		all[name] = k
	}
	return all
}
