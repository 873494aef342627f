package runtime

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
)

// WidthStyle writes numbers with the fewest digits, in columns of the given width or wider; left
// puts them at the left of their columns. prec, if not negative, is the number of significant
// digits of floats.
func WidthStyle(width, prec int, left bool) Style {
	return func(ns []core.Number, dt core.DType) []string {
		var texts []string
		if prec >= 0 && dt.IsInexact() {
			texts = make([]string, len(ns))
			for i, n := range ns {
				texts[i] = fmt.Sprintf("%.*g", prec, floating(n, dt, false))
			}
		} else {
			texts = shortest(ns, dt)
		}
		for i, t := range texts {
			texts[i] = padded(t, width, left)
		}
		return columns(texts, left)
	}
}

// VerbStyle writes numbers by a verb of fmt with its flags, width and precision: %.3f,
// %e, %g, %d, %b, %o, %t.
func VerbStyle(format string) Style {
	verb := format[len(format)-1]
	exact, left := strings.Contains(format, "."), strings.Contains(format, "-")
	return func(ns []core.Number, dt core.DType) []string {
		texts := make([]string, len(ns))
		for i, n := range ns {
			switch {
			case strings.IndexByte("dboO", verb) >= 0 && dt.IsInexact():
				texts[i] = fmt.Sprintf(format[:len(format)-1]+"g", floating(n, dt, exact))
			case strings.IndexByte("dboO", verb) >= 0 && n.Kind() == core.KindUint:
				texts[i] = fmt.Sprintf(format, n.Uint64())
			case strings.IndexByte("dboO", verb) >= 0:
				texts[i] = fmt.Sprintf(format, n.Int64())
			case verb == 't':
				texts[i] = fmt.Sprintf(format, n.Bool())
			default:
				texts[i] = fmt.Sprintf(format, floating(n, dt, exact))
			}
		}
		return columns(texts, left)
	}
}

// floating returns the number that fmt is to format: the number itself if exact, else the
// float64 that fmt formats with no more digits than the type dt needs.
func floating(n core.Number, dt core.DType, exact bool) any {
	part := func(f float64) float64 {
		if exact || dt.Real() == core.Float64 || math.IsInf(f, 0) || f != f || !dt.IsInexact() {
			return f
		}
		f, _ = strconv.ParseFloat(brief(f, dt.Real(), 'e'), 64)
		return f
	}
	if n.Kind() == core.KindComplex {
		c := n.Complex()
		return complex(part(real(c)), part(imag(c)))
	}
	return part(n.Float())
}

func columns(texts []string, left bool) []string {
	w := 0
	for _, t := range texts {
		w = max(w, len(t))
	}
	for i, t := range texts {
		texts[i] = padded(t, w, left)
	}
	return texts
}

func padded(text string, width int, left bool) string {
	space := strings.Repeat(" ", max(0, width-len(text)))
	if left {
		return text + space
	}
	return space + text
}

var littleEndian = *(*byte)(unsafe.Pointer(&[]uint16{1}[0])) == 1

// BitStyle writes the bits of elements in hexadecimal, the highest first. verb is x or X;
// sharp puts 0x before.
func BitStyle(verb string, sharp bool, width int, left bool) Style {
	before := ""
	if sharp {
		before = "0" + verb
	}
	return func(ns []core.Number, dt core.DType) []string {
		texts := bitWords(ns, dt, before, verb)
		for i, t := range texts {
			texts[i] = padded(t, width, left)
		}
		return texts
	}
}

func bitWords(ns []core.Number, dt core.DType, before, verb string) []string {
	part := dt.Real().Size()
	texts := make([]string, len(ns))
	for i, n := range ns {
		var buf [16]byte
		elem.Put(buf[:], n, dt)
		for at := 0; at < dt.Size(); at += part {
			if at > 0 {
				texts[i] += ","
			}
			p := slices.Clone(buf[at : at+part])
			if littleEndian {
				slices.Reverse(p)
			}
			texts[i] += before + fmt.Sprintf("%0*"+verb, 2*part, p)
		}
	}
	return texts
}
