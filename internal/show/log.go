package show

import (
	"log/slog"
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/nd"
)

// LogValue returns shape and type and, for known integers and real numbers, minimum, mean and maximum.
func LogValue(x core.Value) slog.Value {
	if x == nil {
		return slog.StringValue("<no Array>")
	}
	t := x.Aval()
	attrs := []slog.Attr{slog.String("type", t.Full())}
	core.Catch(func() {
		if t.Size() == 0 || !t.DType.IsInteger() && !t.DType.IsFloat() {
			return
		}
		a := nd.Look("LogValue", x)
		lo, hi, sum := math.Inf(1), math.Inf(-1), 0.
		for i := range t.Size() {
			n, _ := a.At(i)
			f := n.Float()
			lo, hi, sum = min(lo, f), max(hi, f), sum+f
		}
		attrs = append(attrs, slog.Float64("min", lo), slog.Float64("mean", sum/float64(t.Size())), slog.Float64("max", hi))
	})
	return slog.GroupValue(attrs...)
}
