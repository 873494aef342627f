package promote

import "fmt"

// A picture is a layered graph in the plane. Edges go in one direction, called along: up, or from
// left to right if across. The direction at right angles to it is called aside.
type picture struct {
	*layered
	across  bool
	height  float64
	middles []float64 // of layers, along
	depths  []float64 // of layers, along: the extent of the largest node
}

func newPicture(g *Graph, across bool) (*picture, error) {
	breadth := func(i int) float64 { return boxWidth(g.names[i]) }
	if across {
		breadth = func(int) float64 { return nodeHeight }
	}
	l, err := layers(g, breadth, 10, 18)
	if err != nil {
		return nil, err
	}
	d := &picture{layered: l, across: across}
	end := 0.0
	for k, layer := range l.layers {
		depth := nodeHeight
		if across {
			for _, p := range layer {
				if l.at[p].node >= 0 {
					depth = max(depth, boxWidth(g.names[l.at[p].node]))
				}
			}
		}
		middle := depth/2 + layerPitch*float64(k)
		if across {
			middle = end + depth/2
		}
		d.middles, d.depths = append(d.middles, middle), append(d.depths, depth)
		end = middle + depth/2 + layerGap
	}
	return d, nil
}

func (d *picture) aside(p int) float64 { return d.at[p].x }

func (d *picture) breadth(p int) float64 { return d.at[p].width }

func (d *picture) middle(p int) float64 { return d.middles[d.at[p].layer] }

// depth returns the extent of a place along. For a node of a picture from left to right it is the
// node's width. Otherwise it is the extent of the layer's largest node: an edge goes straight past that.
func (d *picture) depth(p int) float64 {
	if d.across && d.at[p].node >= 0 {
		return boxWidth(d.g.names[d.at[p].node])
	}
	return d.depths[d.at[p].layer]
}

// xy returns a point of the picture in SVG's coordinates.
func (d *picture) xy(aside, along float64) (x, y float64) {
	if d.across {
		return pictureEdge + along, d.height - pictureEdge - aside
	}
	return aside + pictureEdge, d.height - pictureEdge - along
}

// segment is a piece of an edge: a straight line through a layer, or an S from one layer to the
// next.
type segment struct {
	start                          bool
	aside0, along0, aside1, along1 float64
}

// path returns a segment as the commands of an SVG path.
func (d *picture) path(s segment) string {
	x0, y0 := d.xy(s.aside0, s.along0)
	x1, y1 := d.xy(s.aside1, s.along1)
	move := ""
	if s.start {
		move = fmt.Sprintf("M%.1f %.1f", x0, y0)
	}
	switch straight := s.aside0 == s.aside1; {
	case straight && d.across:
		return move + fmt.Sprintf("H%.1f", x1)
	case straight:
		return move + fmt.Sprintf("V%.1f", y1)
	case d.across:
		mid := (x0 + x1) / 2
		return move + fmt.Sprintf("C%.1f %.1f %.1f %.1f %.1f %.1f", mid, y0, mid, y1, x1, y1)
	}
	mid := (y0 + y1) / 2
	return move + fmt.Sprintf("C%.1f %.1f %.1f %.1f %.1f %.1f", x0, mid, x1, mid, x1, y1)
}

// curve returns the segments of an edge. Between layers the edge may go sideways; within a layer it
// goes straight through its bend.
func (d *picture) curve(chain []int, p port) []segment {
	var out []segment
	aside, along := p.from, d.middle(chain[0])+d.depth(chain[0])/2
	for i, q := range chain[1:] {
		to, reached := d.aside(q), d.middle(q)-d.depth(q)/2
		last := i == len(chain)-2
		if last {
			to, reached = p.to, reached-7 // the arrow's head
		}
		out = append(out, segment{i == 0, aside, along, to, reached})
		aside, along = to, reached
		if !last {
			out = append(out, segment{false, aside, along, aside, along + d.depth(q)})
			along += d.depth(q)
		}
	}
	return out
}

// caption is a text above a part of a picture.
type caption struct {
	x    float64 // of its middle
	text string
}

// captions returns the captions of the bare numbers and of the other types, if the picture goes
// across and all bare numbers are left of all other types.
func (d *picture) captions() []caption {
	type span struct{ from, to float64 }
	var parts [2]*span
	for p, at := range d.at {
		if at.node < 0 || !d.across {
			continue
		}
		t, ok := ParseType(d.g.names[at.node])
		if !ok {
			return nil
		}
		part := &parts[1]
		if t.Weak {
			part = &parts[0]
		}
		from, to := d.middle(p)-d.depth(p)/2, d.middle(p)+d.depth(p)/2
		if *part == nil {
			*part = &span{from, to}
		}
		(*part).from, (*part).to = min((*part).from, from), max((*part).to, to)
	}
	if parts[0] == nil || parts[1] == nil || parts[0].to > parts[1].from {
		return nil
	}
	middle := func(s *span) float64 { return pictureEdge + (s.from+s.to)/2 }
	return []caption{{middle(parts[0]), "scalar types"}, {middle(parts[1]), "array types"}}
}
