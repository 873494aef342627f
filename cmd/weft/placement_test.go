package main

import (
	"strings"
	"testing"
)

// Memory spaces in types are read and dropped. The mesh axes in types are checked within shard_map.
func TestPlacementInTypes(t *testing.T) {
	const body = `{ lambda ; b:f32[2]{V:x}. let i:f32[]{V:x} = pvary[axes=('x',)] 1.0:f32[]; c:f32[2]{V:x} = add b i in (c,) }`
	program := func(jaxpr, mesh string) string {
		return "{ lambda ; a:f32[2@(x,y)]. let d:f32<host>[2@x] = shard_map[check_vma=True in_specs=(P('x',),) jaxpr=" + jaxpr + " mesh=Mesh(" + mesh +
			", axis_types=(Auto,)) newly_manual_axes=frozenset({'x'}) out_specs=(P('x',),)] a in (d,) }"
	}
	in := program(body, "'x': 1, 'y': 1")
	status, out, errs := weft(t, in+"\n", "eval", "-", "{1,2}")
	if status != 0 || strings.TrimSpace(out) != "f32[2]{2.0,3.0}" {
		t.Errorf("eval: got %d, %q, %q", status, out, errs)
	}
	status, text, errs := weft(t, in, "fmt")
	if status != 0 || !strings.Contains(text, "mesh=Mesh('x': 1, 'y': 1, axis_types=(Auto,))") {
		t.Errorf("fmt: got %d, %q, %q", status, text, errs)
	}
	if status, again, _ := weft(t, text, "fmt"); status != 0 || again != text {
		t.Errorf("formatted again: got %d, %q, want %q", status, again, text)
	}
	gathered := strings.Replace(body, "add b i", "all_gather[all_gather_dimension=0 axis_index_groups=None axis_name=('x',) axis_size=1 tiled=True] b", 1)
	if status, out, errs := weft(t, program(gathered, "'x': 1")+"\n", "eval", "-", "{1,2}"); status != 0 || strings.TrimSpace(out) != "f32[2]{1.0,2.0}" {
		t.Errorf("eval of all_gather: got %d, %q, %q", status, out, errs)
	}
	mixed := strings.Replace(body, "add b i", "add b 1.0:f32[]", 1)
	for why, text := range map[string]string{
		"a device's piece of operand 0 is f32[1]{V:x}": program(body, "'x': 2"),
		`"x" into 3 pieces`:                            program(body, "'x': 3"),
		"apply pvary to it":                            program(mixed, "'x': 1"),
	} {
		if status, out, errs := weft(t, text, "eval", "-", "{1,2}"); status == 0 || !strings.Contains(errs, why) {
			t.Errorf("eval: want an error that %s, got %d, %q, %q", why, status, out, errs)
		}
		if status, out, errs := weft(t, text, "check"); status != 1 || out != "" || !strings.Contains(errs, why) {
			t.Errorf("check: want an error that %s, got %d, %q, %q", why, status, out, errs)
		}
	}
}

// Reductions over the axes of a mesh of one device return their operands, and derivatives go through them.
func TestReductionsOverOneDevice(t *testing.T) {
	text := `{ lambda ; a:f32[2]. let
    b:f32[] = shard_map[
      check_vma=False
      in_specs=(P('x',),)
      jaxpr={ lambda ; c:f32[2]. let
          d:f32[2] = psum[axes=('x',) axis_index_groups=None] c
          e:f32[2] = pmax[axes=('y',) axis_index_groups=None] d
          f:f32[2] = mul d e
          g:f32[] = reduce_sum[
            axes=(0,)
            out_sharding=NamedSharding(mesh=AbstractMesh('x': 1, axis_types=(Manual,)), spec=P())
          ] f
        in (g,) }
      mesh=Mesh('x': 1, 'y': 1, axis_types=(Auto, Auto))
      newly_manual_axes=frozenset({'x', 'y'})
      out_specs=(P(),)
    ] a
  in (b,) }
`
	if status, out, errs := weft(t, text, "eval", "-", "{1,2}"); status != 0 || strings.TrimSpace(out) != "f32[]{5.0}" {
		t.Errorf("eval: got %d, %q, %q", status, out, errs)
	}
	if status, out, errs := weft(t, text, "fmt"); status != 0 || out != text {
		t.Errorf("fmt: got %d, %s, %q", status, out, errs)
	}
	status, grad, errs := weft(t, text, "grad")
	if status != 0 {
		t.Fatalf("grad: got %d, %q", status, errs)
	}
	status, out, errs := weft(t, grad, "eval", "-", "{1,2}")
	if want := "f32[2]{2.0,4.0}"; status != 0 || !strings.Contains(out, want) {
		t.Errorf("eval of grad: got %d, %q, %q, want %s", status, out, errs, want)
	}
}

// A gather of keys with FILL_OR_DROP fills with keys whose bits are all ones.
func TestGatherKeysWithFill(t *testing.T) {
	text := `{ lambda ; a:u32[2,2] i:i32[1]. let
    k:key<fry>[2] = random_wrap[impl=fry] a
    b:key<fry>[] = gather[
      dimension_numbers=GatherDimensionNumbers(offset_dims=(), collapsed_slice_dims=(0,), start_index_map=(0,), operand_batching_dims=(), start_indices_batching_dims=())
      fill_value=None
      indices_are_sorted=True
      mode=GatherScatterMode.FILL_OR_DROP
      slice_sizes=(1,)
      unique_indices=True
    ] k i
    c:u32[2] = random_unwrap b
  in (c,) }`
	for index, want := range map[string]string{"{1}": "u32[2]{3,4}", "{2}": "u32[2]{4294967295,4294967295}"} {
		if status, out, errs := weft(t, text, "eval", "-", "{{1,2},{3,4}}", index); status != 0 || strings.TrimSpace(out) != want {
			t.Errorf("index %s: got %d, %q, %q, want %s", index, status, out, errs, want)
		}
	}
}
