package native

import "strings"

// A DraftWriter is a [Target] that writes a draft itself, for a machine that has as many registers as code
// needs. It is not a [RegisterTarget].
type DraftWriter interface {
	// WriteDraft returns the code with its constants, and the length of the code alone. It writes a listing
	// unless listing is nil.
	WriteDraft(d *Draft, listing *strings.Builder) (code []byte, size int)
}

// Functions returns the number of functions of a draft.
func (c *Draft) Functions() int { return len(c.functions) }

// Function returns the operands, the results and the instructions of function i.
func (c *Draft) Function(i int) (params, results []VReg, list []Inst) {
	f := &c.functions[i]
	return f.params, f.results, f.list
}

// Labels returns the number of labels.
func (c *Draft) Labels() int { return c.labels }

// Comment returns text number i of a listing.
func (c *Draft) Comment(i int64) string { return c.text[i] }

// Locals numbers the registers that list defines, each kind from 0 on, and returns the numbers by register and
// how many each kind needs. Registers of a kind that are never live at the same time can share a number, except
// those of micro-kernels, which were chosen by hand. kind returns less than kinds.
func (c *Draft) Locals(list []Inst, kinds int, kind func(VReg) int) (local []int32, count []int32) {
	local, count = make([]int32, len(c.Regs)), make([]int32, kinds)
	if c.fixed {
		for r := VReg(1); int(r) < len(c.Regs); r++ {
			k := kind(r)
			local[r] = count[k]
			count[k]++
		}
		return local, count
	}
	for i := range c.Regs {
		c.Regs[i].start, c.Regs[i].end = -1, -1
	}
	whole := c.List
	c.List = list
	order := c.intervals()
	c.List = whole
	type used struct{ local, end int32 }
	active, free := make([][]used, kinds), make([][]int32, kinds)
	for _, r := range order {
		k, v := kind(r), &c.Regs[r]
		still := active[k][:0]
		for _, u := range active[k] {
			if u.end < v.start {
				free[k] = append(free[k], u.local)
			} else {
				still = append(still, u)
			}
		}
		n := count[k]
		if last := len(free[k]) - 1; last >= 0 {
			n, free[k] = free[k][last], free[k][:last]
		} else {
			count[k]++
		}
		local[r] = n
		active[k] = append(still, used{n, v.end})
	}
	return local, count
}
