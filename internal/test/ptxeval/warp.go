package ptxeval

import "fmt"

// warpSize is the number of threads that exchange values.
const warpSize = 32

// warp runs threads that exchange values up to a barrier or their ends.
func (v *machine) warp(ts []thread) error {
	for {
		exchanging := -1
		for i := range ts {
			t := &ts[i]
			if t.done {
				if exchanging >= 0 {
					return bugf("line %d: thread %d does not reach the exchange", v.e.code[exchanging-1].line, t.id)
				}
				continue
			}
			if err := v.until(t); err != nil {
				return err
			}
			here := -1
			if !t.done && v.e.code[t.at-1].kind == exchange {
				here = t.at
			}
			if i > 0 && here != exchanging {
				return bugf("line %d: not all threads of a warp reach the exchange", v.e.code[max(here, exchanging)-1].line)
			}
			exchanging = here
		}
		if exchanging < 0 {
			return nil
		}
		if err := exchangeValues(ts, &v.e.code[exchanging-1]); err != nil {
			return err
		}
	}
}

// exchangeValues runs the exchange that all threads of a warp have reached.
func exchangeValues(ts []thread, in *inst) error {
	dst, src := in.args[0].reg, in.args[1].reg
	values := make([]uint64, len(ts))
	for i := range ts {
		if !ts[i].written[src] {
			return fmt.Errorf("line %d, thread %d: %w", in.line, ts[i].id, errUnset)
		}
		values[i] = ts[i].regs[src]
	}
	if in.op[0] == "vote" {
		bits := uint64(0)
		for i, x := range values {
			bits |= x & 1 << i
		}
		for i := range ts {
			ts[i].regs[dst], ts[i].written[dst] = bits, true
		}
		return nil
	}
	xor := int(in.args[2].bits)
	for i := range ts {
		if i^xor >= len(ts) {
			return bugf("line %d: thread %d takes a value of a thread that is not there", in.line, ts[i].id)
		}
		ts[i].regs[dst], ts[i].written[dst] = values[i^xor], true
	}
	return nil
}
