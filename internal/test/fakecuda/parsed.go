package fakecuda

import "github.com/weft-go/weft/internal/test/ptxeval"

// parsed has modules by their text, the most recent ones: each is parsed when it is assembled and when it is loaded, and
// tests run sessions that assemble the same text.
var parsed = map[string]*ptxeval.Module{}

// parse returns the module of a text, for the caller alone.
func parse(text []byte) (*ptxeval.Module, error) {
	m := parsed[string(text)]
	if m == nil {
		var err error
		if m, err = ptxeval.Parse(string(text)); err != nil {
			return nil, err
		}
		if len(parsed) == 64 {
			clear(parsed)
		}
		parsed[string(text)] = m
	}
	own := *m
	return &own, nil
}
