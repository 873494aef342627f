package accuracy

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A Record is what has been measured of a figure so far.
type Record struct {
	Key    string
	Digest string // of the program that was measured
	Parts  int    // how many are done
	Result
}

// ParseRecords reads records by their keys.
func ParseRecords(text string) (map[string]Record, error) {
	m := make(map[string]Record)
	for k, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		var r Record
		var name, dt, at, at2, first string
		_, err := fmt.Sscan(line, &name, &dt, &r.Digest, &r.Parts, &r.N, &r.Max, &at, &at2, &r.Mean, &r.Within1, &r.Wrong, &first)
		for _, v := range []struct {
			bits string
			x    *float64
		}{{at, &r.At}, {at2, &r.At2}, {first, &r.FirstAt}} {
			if err == nil {
				*v.x, err = number(v.bits)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", k+1, err)
		}
		r.Key = name + " " + dt
		m[r.Key] = r
	}
	return m, nil
}

// number returns the f64 with the given bits.
func number(bits string) (float64, error) {
	u, err := strconv.ParseUint(bits, 0, 64)
	return math.Float64frombits(u), err
}

// FormatRecords writes records in the order of Figures.
func FormatRecords(m map[string]Record) []byte {
	var b bytes.Buffer
	b.WriteString("# function, type, program, parts, arguments, greatest error in ulps, where, and the second argument, mean, share within 1 ulp, of the wrong kind, the first\n")
	for _, g := range Figures() {
		if r, ok := m[g.Key()]; ok {
			fmt.Fprintf(&b, "%s %s %d %d %.6f %#x %#x %.6f %.9f %d %#x\n", r.Key, r.Digest, r.Parts, r.N, r.Max,
				math.Float64bits(r.At), math.Float64bits(r.At2), r.Mean, r.Within1, r.Wrong, math.Float64bits(r.FirstAt))
		}
	}
	return b.Bytes()
}

// RecordOf returns what is known of the present program of a figure.
func RecordOf(m map[string]Record, g Figure) Record {
	r := m[g.Key()]
	if d := g.Digest(); r.Digest != d {
		r = Record{Key: g.Key(), Digest: d}
	}
	return r
}

// String returns the record as text for people.
func (r Record) String() string {
	return fmt.Sprintf("%s: %d parts: %.4f ulp at %g, %g; %d of the wrong kind", r.Key, r.Parts, r.Max, r.At, r.At2, r.Wrong)
}
