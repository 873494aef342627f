package accuracy

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
)

// A Record is what measuring an f32 function at all its arguments has found so far.
type Record struct {
	Name   string
	Digest string // of the program that was measured
	Parts  int    // how many of Parts are done
	Result
}

// ReadRecords reads the records in a file, by the functions' names; a file that is not
// there has none.
func ReadRecords(path string) (map[string]Record, error) {
	b, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	m := make(map[string]Record)
	for k, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		var r Record
		var at, first string
		_, err := fmt.Sscan(line, &r.Name, &r.Digest, &r.Parts, &r.N, &r.Max, &at, &r.Mean, &r.Within1, &r.Wrong, &first)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, k+1, err)
		}
		if r.At, err = number(at); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, k+1, err)
		}
		if r.FirstAt, err = number(first); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, k+1, err)
		}
		m[r.Name] = r
	}
	return m, nil
}

// number is the f32 with the given bits.
func number(bits string) (float64, error) {
	u, err := strconv.ParseUint(bits, 0, 32)
	return float64(math.Float32frombits(uint32(u))), err
}

// WriteRecords writes records in the order of Functions.
func WriteRecords(path string, m map[string]Record) error {
	var b strings.Builder
	b.WriteString("# function, program, parts of 16, arguments, greatest error in ulps, where, mean, share within 1 ulp, of the wrong kind, the first\n")
	bits := func(x float64) uint32 { return math.Float32bits(float32(x)) }
	for _, f := range Functions() {
		if r, ok := m[f.Name]; ok {
			fmt.Fprintf(&b, "%s %s %d %d %.6f %#08x %.6f %.9f %d %#08x\n", r.Name, r.Digest, r.Parts, r.N, r.Max, bits(r.At), r.Mean, r.Within1, r.Wrong, bits(r.FirstAt))
		}
	}
	return os.WriteFile(path, []byte(b.String()), 0o666)
}
