package tokenizer

import (
	"encoding/json"
	"fmt"
	"slices"
)

// around returns the tokens of one text or two with the tokens that the file puts around them, cut and padded to
// the file's lengths.
func (t *Tokenizer) around(a Encoding, b *Encoding) Encoding {
	post := t.post
	if post == nil {
		post = joined
	}
	if t.truncate != nil {
		n := t.truncate.MaxLength
		var empty Encoding
		if b == nil {
			a = t.truncate.cut(a, max(0, n-len(post(empty, nil).IDs)))
		} else {
			second := *b
			a, second = t.truncate.pair(a, second, max(0, n-len(post(empty, &empty).IDs)))
			b = &second
		}
	}
	e := post(a, b)
	if t.pad != nil {
		e = t.pad.to(e)
	}
	return e
}

type truncation struct {
	MaxLength int    `json:"max_length"`
	Strategy  string `json:"strategy"`
	Direction string `json:"direction"`
}

func (t *truncation) check() error {
	switch {
	case t.MaxLength < 0:
		return fmt.Errorf("the length is %d; correct the file", t.MaxLength)
	case t.Strategy != "LongestFirst" && t.Strategy != "OnlyFirst" && t.Strategy != "OnlySecond":
		return fmt.Errorf("the strategy %q is not supported; use LongestFirst, OnlyFirst or OnlySecond", t.Strategy)
	}
	return checkSide(t.Direction)
}

func checkSide(direction string) error {
	if direction != "Left" && direction != "Right" {
		return fmt.Errorf("the direction %q is not supported; use Left or Right", direction)
	}
	return nil
}

func (t *truncation) cut(e Encoding, n int) Encoding {
	k := len(e.IDs)
	if k <= n {
		return e
	}
	lo, hi := 0, n
	if t.Direction == "Left" {
		lo, hi = k-n, k
	}
	return Encoding{e.IDs[lo:hi], e.Tokens[lo:hi], e.Types[lo:hi], e.Mask[lo:hi]}
}

// pair cuts two texts to n tokens together. Where the strategy cuts only one of them, the other one is
// kept even if it has more than n tokens, unless n is 0.
func (t *truncation) pair(a, b Encoding, n int) (Encoding, Encoding) {
	x, y := len(a.IDs), len(b.IDs)
	if x+y <= n {
		return a, b
	}
	switch {
	case n == 0:
		return t.cut(a, 0), t.cut(b, 0)
	case t.Strategy == "OnlyFirst":
		return t.cut(a, max(0, n-y)), b
	case t.Strategy == "OnlySecond":
		return a, t.cut(b, max(0, n-x))
	}
	// The longer one is cut, or both to half of the tokens if both have more than that.
	small := min(x, y)
	large := max(small, n-small)
	if small+large > n {
		small = n / 2
		large = small + n%2
	}
	if x > y {
		small, large = large, small
	}
	return t.cut(a, small), t.cut(b, large)
}

const maxPadding = 1 << 20

type padding struct {
	Strategy  paddingStrategy `json:"strategy"`
	Direction string          `json:"direction"`
	Multiple  int             `json:"pad_to_multiple_of"`
	ID        int             `json:"pad_id"`
	Type      int             `json:"pad_type_id"`
	Token     string          `json:"pad_token"`
}

// A paddingStrategy says to which length encodings are padded: to Fixed or, if that is nil ("BatchLongest"), to the length
// of the longest in a batch. Here each batch is one encoding, which is padded only to a multiple then.
type paddingStrategy struct{ Fixed *int }

func (p *paddingStrategy) UnmarshalJSON(data []byte) error {
	if string(data) == `"BatchLongest"` {
		return nil
	}
	var f struct{ Fixed *int }
	if err := json.Unmarshal(data, &f); err != nil || f.Fixed == nil {
		return fmt.Errorf("the strategy %s is not supported; use BatchLongest or Fixed", data)
	}
	p.Fixed = f.Fixed
	return nil
}

func (p *padding) check() error {
	for _, n := range []*int{p.Strategy.Fixed, &p.Multiple} {
		if n != nil && (*n < 0 || *n > maxPadding) {
			return fmt.Errorf("a length is %d, want 0 to %d; correct the file", *n, maxPadding)
		}
	}
	return checkSide(p.Direction)
}

func (p *padding) to(e Encoding) Encoding {
	n := len(e.IDs)
	if p.Strategy.Fixed != nil {
		n = *p.Strategy.Fixed
	}
	if p.Multiple > 0 {
		n = (n + p.Multiple - 1) / p.Multiple * p.Multiple
	}
	if n -= len(e.IDs); n <= 0 {
		return e
	}
	more := Encoding{slices.Repeat([]int{p.ID}, n), slices.Repeat([]string{p.Token}, n), slices.Repeat([]int{p.Type}, n), make([]int, n)}
	if p.Direction == "Left" {
		e, more = more, e
	}
	return Encoding{slices.Concat(e.IDs, more.IDs), slices.Concat(e.Tokens, more.Tokens), slices.Concat(e.Types, more.Types), slices.Concat(e.Mask, more.Mask)}
}
