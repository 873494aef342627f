package stablehlo

import (
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/hostcall"
)

var otherOps map[string]operation

func otherTable() {
	customCallTable()
	otherOps = map[string]operation{
		"stablehlo.custom_call":        customCallOp,
		"stablehlo.rng_bit_generator":  rngBitGeneratorOp,
		"stablehlo.partition_id":       partitionOp,
		"stablehlo.replica_id":         zeroIDOp,
		"sdy.sharding_constraint":      identityOp,
		castOpName:                     identityOp,
		"check.expect_eq":              checkOp,
		"check.expect_close":           checkOp,
		"check.expect_almost_eq":       checkOp,
		"check.eq":                     checkOp,
		"check.expect_eq_const":        checkOp,
		"check.expect_close_const":     checkOp,
		"check.expect_almost_eq_const": checkOp,
	}
}

// castOpName is the operation in bytecode that converts between types of VHLO and of another dialect, such as that of a
// key's sharding. It does not change the values.
const castOpName = "builtin.unrealized_conversion_cast"

func identityOp(f *frame, o *op, in []core.Value) []core.Value { return in }

// zeroIDOp returns 0: a program has one replica, and outside of meshes one device.
func zeroIDOp(f *frame, o *op, in []core.Value) []core.Value {
	return []core.Value{core.Lit(core.UintNumber(0), core.Uint32)}
}

// customCallOp runs the targets that have a meaning here. It refuses others, naming them.
func customCallOp(f *frame, o *op, in []core.Value) []core.Value {
	target := f.text(o, "call_target_name")
	if strings.HasPrefix(target, "check.") {
		return f.check(o, target, in)
	}
	if g, ok := customCalls[target]; ok {
		return g(f, o, in)
	}
	if name, ok := strings.CutPrefix(target, "mhlo."); ok {
		if g, ok := elementwise["chlo."+name]; ok && len(in) == g.operands {
			f.arrays(in)
			return []core.Value{g.make(f, in)}
		}
	}
	f.fail(core.ErrNoRule, "there is no meaning for the target %s; export for the platform cpu, or with operations in the place of this custom call", target)
	return nil
}

var customCalls map[string]operation

func customCallTable() {
	customCalls = map[string]operation{
		"Sharding":                   identityOp,
		"SPMDFullToShardShape":       identityOp,
		"SPMDShardToFullShape":       identityOp,
		"annotate_device_placement":  identityOp,
		"LayoutConstraint":           identityOp,
		"xla.sdy.FuncResultSharding": identityOp,
		"shape_assertion":            shapeAssertionCall,
		"mhlo.topk":                  topKOp,
		"ApproxTopK":                 approxTopKCall,

		"stablehlo.dynamic_top_k":                 dynamicTopKCall,
		"stablehlo.dynamic_approx_top_k":          approxTopKCall,
		"stablehlo.dynamic_rng_bit_generator":     dynamicRNGCall,
		"xla_python_cpu_callback":                 callbackCall,
		"xla_ffi_python_cpu_callback":             callbackCall,
		"xla_ffi_partitioned_python_cpu_callback": callbackCall,
		"AllocateBuffer": func(f *frame, o *op, in []core.Value) []core.Value {
			return []core.Value{prim.Zeros(f.resultAval(o))}
		},
	}
	lapackTable()
}

// callbackCall stands for a call of a Python function, which no module contains. Running it is an error, unless it has no
// results: then it changes nothing that the program computes, and is left out.
func callbackCall(f *frame, o *op, in []core.Value) []core.Value {
	var avals []core.ShapedArray
	for i, t := range o.types {
		for _, leaf := range leaves(t, nil) {
			a, ok := leaf.Aval()
			if !ok {
				f.fail(core.ErrDType, "result %d: %s", i, unsupportedType(leaf))
			}
			avals = append(avals, a)
		}
	}
	if len(avals) == 0 {
		return unflatten(o.types, nil)
	}
	index := f.dict(o, "mhlo.backend_config").int("index", 0)
	fn := hostcall.AbsentFunc("of Python that callback " + strconv.Itoa(index) + " calls")
	return unflatten(o.types, hostcall.PureCallback(fn, avals, "", flatten(in)...))
}

// shapeAssertionCall refuses shapes for which its first operand is false, with the text
// that the exporter wrote: {0} stands for the second operand.
func shapeAssertionCall(f *frame, o *op, in []core.Value) []core.Value {
	f.arrays(in)
	if len(in) == 0 || !isBool(in[0]) || in[0].Aval().Rank() != 0 {
		f.fail(core.ErrCheck, "takes a truth value; pass a tensor<i1> first")
	}
	if holds := f.known(convert(in[0], core.Int32), "condition"); holds[0] != 0 {
		return nil
	}
	text := f.text(o, "error_message")
	for i, v := range in[1:] {
		if n, ok := scalarInt(v); ok {
			text = strings.ReplaceAll(text, "{"+strconv.Itoa(i)+"}", strconv.FormatInt(n, 10))
		}
	}
	f.fail(core.ErrShape, "%s", text)
	return nil
}
