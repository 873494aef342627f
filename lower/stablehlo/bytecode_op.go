package stablehlo

import (
	"strings"
)

// raw reads an operation up to its regions.
func (r *irReader) raw(c *cursor) *rawOp {
	o := &rawOp{pos: c.pos}
	o.name = r.ops[c.index(len(r.ops), "operation")]
	mask := c.byte()
	c.index(len(r.attrs), "location")
	if mask&hasAttrs != 0 {
		d, ok := r.attr(c.index(len(r.attrs), "attribute")).(dictAttr)
		if !ok {
			c.damaged("the attributes of %s have no names", o.name)
		}
		o.attrs = append(o.attrs, d...)
	}
	if mask&hasProperties != 0 {
		o.attrs = append(o.attrs, r.properties(c, o.name)...)
	}
	if mask&hasResults != 0 {
		o.results = make([]Type, c.count("results"))
		for i := range o.results {
			o.results[i] = r.typ(c.index(len(r.types), "type"))
		}
	}
	if mask&hasOperands != 0 {
		o.in = make([]uint64, c.count("operands"))
		for i := range o.in {
			o.in[i] = c.varint()
		}
	}
	if mask&hasSuccessors != 0 {
		c.branching("%s branches to another block, which is not supported", o.name)
	}
	if mask&hasUseLists != 0 {
		c.skipUseLists(len(o.results))
	}
	if mask&hasRegions != 0 {
		n, closed := c.flagged()
		if n > uint64(c.end-c.pos) {
			c.damaged("%s has %d regions", o.name, n)
		}
		o.regions, o.closed = int(n), closed
	}
	return o
}

// properties reads the attributes that bytecode stores in a fixed order, without names.
func (r *irReader) properties(c *cursor, name string) []namedAttr {
	at := r.props[c.index(len(r.props), "properties")]
	p := r.cursor(at, sectionNames[sectionProperties])
	short, ok := strings.CutPrefix(name, "vhlo.")
	if name == "builtin.module" {
		k, has := p.flagged()
		if !has || k >= uint64(len(r.attrs)) {
			return nil
		}
		return []namedAttr{{"sym_name", r.attr(int(k))}}
	}
	if !ok {
		return nil // of another dialect; nothing reads them
	}
	keys, ok := vhloProperties[short]
	if !ok {
		c.failf("the operation %s is not known, or newer than this reader; serialize for an older version of StableHLO", name)
	}
	list := make([]namedAttr, len(keys))
	for i, key := range keys {
		list[i] = namedAttr{key, r.attr(p.index(len(r.attrs), "attribute"))}
	}
	if p.pos != p.end {
		p.newer("%s has more properties than %d", name, len(keys))
	}
	return list
}

func (r *irReader) op(c *cursor) *op {
	raw := r.raw(c)
	o := &op{pos: raw.pos, types: raw.results, results: len(raw.results)}
	if o.results > maxResults {
		c.failf("an operation cannot have %d results; split it into operations with fewer", o.results)
	}
	o.in = make([]int, len(raw.in))
	for i, k := range raw.in {
		s := r.scope
		if k >= uint64(len(s.ids)) || s.ids[k] < 0 {
			c.pos = raw.pos
			c.damaged("operand %d of %s is a value that is not defined here", i, raw.name)
		}
		o.in[i] = s.ids[k]
		r.fn.use(o.in[i])
	}
	o.result = r.define(c, o.results)
	if raw.regions > 0 {
		rc := c
		outer := r.scope
		if raw.closed {
			if r.version >= lazyRegions {
				id, at := c.readSection()
				if id != sectionIR {
					c.failf("expected the section of the regions of %s, got %s", raw.name, sectionNames[id])
				}
				rc = r.cursor(at, sectionNames[sectionIR])
			}
			r.scope = &scope{}
		}
		for range raw.regions {
			in := r.region(rc)
			if in == nil {
				in = &region{}
			}
			o.regions = append(o.regions, in)
		}
		r.scope = outer
	}
	o.name, o.attrs = fromVHLO(c, raw)
	return o
}
