package runtime

import (
	"context"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/ircheck"
)

// countingUpdates counts how often the updates of a program, and of those within it, copy
// their operand.
func countingUpdates(p *program, copies *int) {
	for i := range p.steps {
		s := &p.steps[i]
		if s.over != nil {
			s.act = countingAction{s.act, copies}
		}
		for _, q := range programsOf(s.act) {
			countingUpdates(q, copies)
		}
	}
}

type countingAction struct {
	action
	n *int
}

func (c countingAction) run(x *run, in, out []*Array) {
	*c.n++
	c.action.run(x, in, out)
}

const setInLoop = `{ lambda ; a:f32[100] n:i32[]. let
    _:i32[] b:f32[100] = while[
      body_jaxpr={ lambda ; c:i32[] d:f32[100]. let
          e:f32[] = convert_element_type[new_dtype=float32 weak_type=False] c
          f:f32[1] = broadcast_in_dim[broadcast_dimensions=() shape=(1,) sharding=None] e
          g:f32[100] = dynamic_update_slice d f c
          h:i32[] = add c 1:i32[]
        in (h, g) }
      body_nconsts=0
      cond_jaxpr={ lambda ; c:i32[] d:f32[100]. let e:bool[] = lt c 90:i32[] in (e,) }
      cond_nconsts=0
    ] n a
  in (b,) }`

// A carry that a loop updates is copied once, not in each iteration, and the argument keeps
// its elements.
func TestCarriesAreUpdatedInPlace(t *testing.T) {
	for name, text := range map[string]string{
		"while": setInLoop,
		"scan": `{ lambda ; a:f32[100] n:i32[]. let
    _:i32[] b:f32[100] = scan[
      jaxpr={ lambda ; c:i32[] d:f32[100]. let
          e:f32[] = convert_element_type[new_dtype=float32 weak_type=False] c
          f:f32[1] = broadcast_in_dim[broadcast_dimensions=() shape=(1,) sharding=None] e
          g:f32[100] = dynamic_update_slice d f c
          h:i32[] = add c 1:i32[]
        in (h, g) }
      length=90 num_carry=2 num_consts=0 reverse=False unroll=1
    ] n a
  in (b,) }`,
	} {
		p := newProgram(ircheck.Parse(t, text))
		copies := 0
		countingUpdates(p, &copies)
		a, n := New(core.Aval(core.Float32, 100)), New(core.Aval(core.Int32))
		outs := make([]*Array, 1)
		if err := p.Run(context.Background(), []*Array{a, n}, outs); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i := range 100 {
			want := float64(i)
			if i >= 90 {
				want = 0
			}
			if got, _ := outs[0].at(i); got.Float() != want {
				t.Errorf("%s: element %d: got %v, want %v", name, i, got.Float(), want)
			}
			if old, _ := a.at(i); old.Float() != 0 {
				t.Errorf("%s: element %d of the argument: got %v, want 0", name, i, old.Float())
			}
		}
		if copies != 1 {
			t.Errorf("%s: got %d copies of the carry, want 1", name, copies)
		}
	}
}

// A loop, a branch and a call take over operands that nothing reads afterwards: of an array that goes
// through all of them one copy is made, and the argument keeps its elements.
func TestUpdatesWithinPrograms(t *testing.T) {
	const update = "g:f32[100] = dynamic_update_slice d f c"
	body := func(change string) string {
		return `{ lambda ; a:f32[100] n:i32[]. let
    _:i32[] b:f32[100] = while[
      body_jaxpr={ lambda ; c:i32[] d:f32[100]. let
          e:f32[] = convert_element_type[new_dtype=float32 weak_type=False] c
          f:f32[1] = broadcast_in_dim[broadcast_dimensions=() shape=(1,) sharding=None] e
          ` + change + `
          h:i32[] = add c 1:i32[]
        in (h, g) }
      body_nconsts=0
      cond_jaxpr={ lambda ; c:i32[] d:f32[100]. let e:bool[] = lt c 90:i32[] in (e,) }
      cond_nconsts=0
    ] n a
  in (b,) }`
	}
	inner := "{ lambda ; d:f32[100] f:f32[1] c:i32[]. let " + update + " in (g,) }"
	for name, text := range map[string]string{
		"jit":  body("g:f32[100] = jit[name=f jaxpr=" + inner + "] d f c"),
		"call": body("g:f32[100] = core_call[call_jaxpr=" + inner + " name=f] d f c"),
		"cond": body("k:i32[] = clamp 0:i32[] c 1:i32[]; g:f32[100] = cond[branches=(" + inner + " " + inner + ")] k d f c"),
		"scan": body("m:i32[] g:f32[100] = scan[jaxpr={ lambda ; f:f32[1] c:i32[] d:f32[100]. let " + update +
			" in (c, g) } length=2 num_carry=2 num_consts=1 reverse=False unroll=1] f c d"),
		"while": body("m:i32[] o:i32[] g:f32[100] = while[body_jaxpr={ lambda ; f:f32[1] c:i32[] k:i32[] d:f32[100]. let " + update +
			"; l:i32[] = add k 1:i32[] in (c, l, g) } body_nconsts=1 cond_jaxpr={ lambda ; c:i32[] k:i32[] d:f32[100]. let e:bool[] = lt k 2:i32[] in (e,) } cond_nconsts=0] f c 0:i32[] d"),
	} {
		p := newProgram(ircheck.Parse(t, text))
		copies := 0
		countingUpdates(p, &copies)
		a, n := New(core.Aval(core.Float32, 100)), New(core.Aval(core.Int32))
		outs := make([]*Array, 1)
		if err := p.Run(context.Background(), []*Array{a, n}, outs); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i := range 100 {
			want := float64(i)
			if i >= 90 {
				want = 0
			}
			if got, _ := outs[0].at(i); got.Float() != want {
				t.Errorf("%s: element %d: got %v, want %v", name, i, got.Float(), want)
			}
			if old, _ := a.at(i); old.Float() != 0 {
				t.Errorf("%s: element %d of the argument: got %v, want 0", name, i, old.Float())
			}
		}
		if copies != 1 {
			t.Errorf("%s: got %d copies of the carry, want 1", name, copies)
		}
	}
}

// An operand that is read later, or twice, is not written over.
func TestUpdatesCopyWhatIsReadElsewhere(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []float64
	}{
		"read later": {`{ lambda ; a:f32[3] i:i32[]. let
    x:f32[3] = add a 1.0:f32[]
    u:f32[1] = slice[limit_indices=(3,) start_indices=(2,) strides=None] a
    y:f32[3] = dynamic_update_slice x u i
    z:f32[3] = sub y x
  in (z,) }`, []float64{-1, 0, 0}},
		"both operands": {`{ lambda ; a:f32[3] i:i32[]. let
    x:f32[3] = add a 1.0:f32[]
    y:f32[3] = dynamic_update_slice x x i
    z:f32[3] = add y 1.0:f32[]
  in (z,) }`, []float64{2, 2, 2}},
		"read after a loop": {`{ lambda ; a:f32[3] i:i32[]. let
    x:f32[3] = add a 1.0:f32[]
    _:i32[] y:f32[3] = while[
      body_jaxpr={ lambda ; c:i32[] d:f32[3]. let
          f:f32[1] = broadcast_in_dim[broadcast_dimensions=() shape=(1,) sharding=None] 5.0:f32[]
          g:f32[3] = dynamic_update_slice d f c
          h:i32[] = add c 1:i32[]
        in (h, g) }
      body_nconsts=0
      cond_jaxpr={ lambda ; c:i32[] d:f32[3]. let e:bool[] = lt c 2:i32[] in (e,) }
      cond_nconsts=0
    ] i x
    z:f32[3] = sub y x
  in (z,) }`, []float64{4, 4, 0}},
		"a result too": {`{ lambda ; a:f32[3] i:i32[]. let
    x:f32[3] = add a 1.0:f32[]
    u:f32[1] = slice[limit_indices=(3,) start_indices=(2,) strides=None] a
    y:f32[3] = dynamic_update_slice x u i
    z:f32[3] = mul y 0.0:f32[]
    w:f32[3] = add x z
  in (w,) }`, []float64{1, 1, 1}},
	} {
		args := []*Array{New(core.Aval(core.Float32, 3)), New(core.Aval(core.Int32))}
		outs := make([]*Array, 1)
		if err := newProgram(ircheck.Parse(t, c.text)).Run(context.Background(), args, outs); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for k, want := range c.want {
			if got, _ := outs[0].at(k); got.Float() != want {
				t.Errorf("%s: element %d: got %v, want %v", name, k, got.Float(), want)
			}
		}
	}
}
