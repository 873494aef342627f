package testcheck

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
)

// A Figure is the error of a function of one type, in units that its test defines.
type Figure struct {
	Name  string
	DType core.DType

	n        int
	max, sum float64
	at       []float64
}

// Add adds an error and the arguments at which it is.
func (f *Figure) Add(err float64, at ...float64) {
	f.n++
	f.sum += err
	if f.at == nil || !(err <= f.max) {
		f.max, f.at = err, at
	}
}

// Max returns the greatest error and the arguments at which it is.
func (f *Figure) Max() (float64, []float64) { return f.max, f.at }

// Line returns the figure as tab-separated cells: the name, the type, the number of arguments,
// the greatest error, the arguments at which it is, and the mean.
func (f *Figure) Line() string {
	var at []string
	for _, x := range f.at {
		at = append(at, strconv.FormatFloat(x, 'g', 9, 64))
	}
	return fmt.Sprintf("%s\t%v\t%d\t%.3f\t%s\t%.3f\n", f.Name, f.DType, f.n, f.max, strings.Join(at, ", "), f.sum/float64(f.n))
}
