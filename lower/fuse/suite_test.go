package fuse_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
	"github.com/weft-go/weft/lower/reference"
)

// Programs that JAX's own tests stage have the reference's bits: one of every 16, all of
// them if WEFT_SUITE is set.
func TestSuitePrograms(t *testing.T) {
	z := goldenfile.Open(t, "jax/suite/programs.jsonl.gz", "")
	compared, kernels, fallbacks := 0, 0, map[string]int{}
	d := json.NewDecoder(z)
	for i := 0; ; i++ {
		var r struct {
			ID, Text string
			In       golden.Arrays
		}
		if err := d.Decode(&r); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if i%16 != 0 && os.Getenv("WEFT_SUITE") == "" {
			continue
		}
		if strings.Contains(r.Text, "key<rbg>") {
			continue // the reference does not run them
		}
		j, err := jaxpr.Parse(golden.NameBlanks(r.Text), prim.Vocabulary)
		if err != nil || jaxpr.Check(j) != nil || j.Effects() != 0 || len(r.In) != len(j.Consts)+len(j.Ins) {
			continue
		}
		args := make([]*reference.Tensor, len(r.In))
		for i, a := range r.In {
			args[i] = a.Value().Tensor()
		}
		j = &jaxpr.Jaxpr{Ins: append(append([]*jaxpr.Var{}, j.Consts...), j.Ins...), Eqns: j.Eqns, Outs: j.Outs}
		err = core.Catch(func() {
			p := compare(t, r.ID, lower.Program(j), args)
			kernels += len(p.Kernels())
			for _, c := range p.Fallbacks() {
				fallbacks[c.Eqn.Prim.Name()+": "+c.Reason]++
			}
			compared++
		})
		if err != nil && !isOutside(err) {
			t.Logf("%s: %v", r.ID, err)
		}
	}
	t.Logf("%d programs, %d kernels; the reference runs %v", compared, kernels, fallbacks)
}
