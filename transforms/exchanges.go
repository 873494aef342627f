package transforms

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// HeaderBytes is the number of bytes that each process gathers from every other one when a run of a
// program begins.
const HeaderBytes = 32

// A Sending is what this process sends in an exchange of a run of a program.
type Sending struct {
	Exchange
	Rows  core.ShapedArray // the operand
	Bytes int
	Times int // how often it runs; of loops whose iterations are not known, once
}

// Sendings lists the exchanges of a run of a program over a mesh on whole operands, in their order:
// those of the very program that this process would run. The first one, without a kind, is the
// beginning of the run. If the process runs all devices there are none.
func Sendings(p *jaxpr.ShardMap, in []core.ShapedArray) []Sending {
	h := hereFor(p)
	if !h.several() {
		return nil
	}
	j := trace.Stage(p.Name(), in, func(in []Value) []Value { return h.stacked(p, in) })
	processes := 1
	for _, part := range h.parts {
		if part != nil {
			processes *= len(part.Group)
		}
	}
	begin := Sending{Rows: core.Aval(core.Uint8, HeaderBytes), Bytes: (processes - 1) * HeaderBytes, Times: 1}
	return append([]Sending{begin}, sendings(together(j), 1)...)
}

func sendings(j *jaxpr.Jaxpr, times int) (out []Sending) {
	for _, e := range j.Eqns {
		if p, ok := e.Prim.(acrossP); ok {
			send := func(kind ExchangeKind, rows core.ShapedArray) {
				s := Sending{Exchange: p.of.exchange, Rows: rows, Times: times}
				s.Kind = kind
				s.Bytes = s.bytes(rows)
				out = append(out, s)
			}
			rows := e.Ins[0].Aval()
			if p.of.exchange.Kind == Summing {
				send(Exchanging, rows)
				send(Gathering, withRows(rows, 1))
				continue
			}
			send(p.of.exchange.Kind, rows)
			continue
		}
		n := times
		if s, ok := e.Prim.(*jaxpr.Scan); ok {
			n *= s.Length
		}
		programs := jaxpr.Programs(e.Prim)
		if _, ok := e.Prim.(*jaxpr.Cond); ok { // the branch that sends most
			most := []Sending(nil)
			for _, q := range programs {
				if s := sendings(q, n); total(s) >= total(most) {
					most = s
				}
			}
			out = append(out, most...)
			continue
		}
		for _, q := range programs {
			out = append(out, sendings(q, n)...)
		}
	}
	return out
}

func total(ss []Sending) (bytes int) {
	for _, s := range ss {
		bytes += s.Bytes * s.Times
	}
	return bytes
}

// bytes returns how many bytes the process sends to others if its rows have the type rows.
func (e Exchange) bytes(rows core.ShapedArray) int {
	n, k := rows.Size()*rows.DType.Size(), len(e.Group)
	switch {
	case e.Kind == Gathering:
		return (k - 1) * n
	case e.Kind == Exchanging:
		return n / k * (k - 1)
	case e.To < 0:
		return 0
	}
	return n
}
