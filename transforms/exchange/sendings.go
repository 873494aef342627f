package exchange

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// A Sending is what this process sends in an exchange of a run of a program.
type Sending struct {
	Exchange
	Rows  core.ShapedArray // the operand
	Bytes int
	Times int // how often it runs; a loop whose number of iterations is not known counts once
}

// Sendings lists the exchanges of a program in their order. Of a conditional's branches it takes the one that sends most.
func Sendings(j *jaxpr.Jaxpr) []Sending { return sendings(j, 1) }

func sendings(j *jaxpr.Jaxpr, times int) (out []Sending) {
	for _, e := range j.Eqns {
		if p, ok := e.Prim.(acrossP); ok {
			send := func(kind Kind, rows core.ShapedArray) {
				s := Sending{Exchange: p.of.exchange, Rows: rows, Times: times}
				s.Kind = kind
				s.Bytes = s.bytes(rows)
				out = append(out, s)
			}
			rows := e.Ins[0].Aval()
			if p.of.exchange.Kind == Summing {
				send(Exchanging, rows)
				send(Gathering, WithRows(rows, 1))
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
		if _, ok := e.Prim.(*jaxpr.Cond); ok {
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
