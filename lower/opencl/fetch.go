package opencl

import (
	"fmt"

	"github.com/weft-go/weft/lower/simt"
)

func (p *printer) fetch(depth int, s *simt.Fetch) {
	for i := range int64(s.N) {
		x := fmt.Sprintf("b%d[%s]", s.Buffer, p.displaced(s.From, s.FromPlus+i))
		if s.If != simt.NoReg {
			x = fmt.Sprintf("%s ? %s : 0", p.reg(s.If), x)
		}
		p.line(depth, "a%d[%s] = %s;", s.Array, p.displaced(s.To, s.ToPlus+i), x)
	}
}
