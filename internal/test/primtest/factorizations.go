package primtest

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/matrices"
)

// halfUp are the floating and complex types of 16 bits and more.
var halfUp = []core.DType{core.Float32, core.Float64, core.Complex64, core.Complex128, core.Float16, core.BFloat16}

// fourTypes are those of them that are computed in their own type or wider.
var fourTypes = halfUp[:4]

// stepped draws matrices with eigenvalues and singular values far from each other.
var stepped = Domain{Lo: -1, Hi: 1, Diag: 3, Step: 3}

const signOfVectors = "a difference can change the sign or phase of a vector"

func factorizations() []Sample {
	var s []Sample
	add := func(dom Domain, samples ...Sample) { s = append(s, withDom(samples, dom)...) }
	for _, p := range []core.Primitive{matrices.LUP{}, matrices.QRP{}, matrices.QRP{Full: true}, matrices.GeqrfP{}} {
		add(regular, typed(p, halfUp, dims(3, 3))...)
		for _, shape := range []core.Dims{dims(2, 2, 2), dims(4, 2), dims(2, 4), dims(1, 1), dims(0, 0), dims(2, 0), dims(0, 2)} {
			add(regular, typed(p, []core.DType{core.Float32}, shape)...)
		}
		add(regular, typed(p, []core.DType{core.Complex128}, dims(2, 3, 2))...)
	}
	add(regular, real(matrices.QRP{Pivoting: true}, dims(3, 3)), real(matrices.QRP{Pivoting: true, Full: true, Magma: "True"}, dims(4, 3)))
	index := func(n int) core.ShapedArray { return core.Aval(core.Int32, n) }
	for _, n := range []int{3, 1, 0} {
		s = append(s, Sample{Prim: matrices.LUPivotsToPermutationP{Size: 4}, In: []core.ShapedArray{index(n)}, Dom: []Domain{between(0, 3)}})
	}
	for _, p := range []matrices.EighP{
		{Lower: true, Sorted: true}, {Sorted: true}, {Lower: true, Algorithm: "EighImplementation.QR"}, {Lower: true, Sorted: true, ValuesOnly: true},
	} {
		for _, shape := range []core.Dims{dims(3, 3), dims(2, 2, 2), dims(1, 1), dims(0, 0)} {
			add(stepped, typed(p, []core.DType{core.Float32, core.Complex128}, shape)...)
		}
	}
	add(stepped, typed(matrices.EighP{Lower: true, Sorted: true}, halfUp, dims(2, 2))...)
	for i := range s {
		if p, ok := s[i].Prim.(matrices.EighP); ok && !p.ValuesOnly && s[i].In[0].DType.IsComplex() {
			s[i].NoFD = signOfVectors
		}
	}
	for _, p := range []matrices.SVDP{{}, {Vectors: true}, {Vectors: true, Full: true}} {
		for _, shape := range []core.Dims{dims(3, 3), dims(2, 2, 2), dims(1, 1), dims(0, 0)} {
			add(stepped, typed(p, []core.DType{core.Float32, core.Complex128}, shape)...)
		}
		add(stepped, typed(p, halfUp, dims(2, 2))...)
		if !p.Full {
			add(stepped, real(p, dims(4, 2)), real(p, dims(2, 3)))
		}
	}
	for i := range s {
		if p, ok := s[i].Prim.(matrices.SVDP); ok && p.Vectors && s[i].In[0].DType.IsComplex() {
			s[i].NoFD = signOfVectors
		}
	}
	add(stepped, typed(matrices.EigP{}, halfUp, dims(3, 3))...)
	add(stepped, typed(matrices.EigP{Left: true, Right: true, Derivatives: true}, fourTypes, dims(2, 3, 3))...)
	add(stepped, real(matrices.EigP{}, dims(0, 0)), real(matrices.EigP{Right: true, Derivatives: true}, dims(1, 1)))
	for _, p := range []core.Primitive{matrices.SchurP{Vectors: true}, matrices.SchurP{}, matrices.HessenbergP{}, matrices.TridiagonalP{Lower: true}, matrices.TridiagonalP{}} {
		add(regular, typed(p, halfUp, dims(3, 3))...)
		add(regular, real(p, dims(2, 2, 2)), real(p, dims(1, 1)))
	}
	for _, dt := range halfUp {
		m, taus := core.Aval(dt, 3, 2), core.Aval(dt, 2)
		s = append(s, Sample{Prim: matrices.HouseholderProductP{}, In: []core.ShapedArray{m, taus}, Dom: []Domain{usual, usual}})
		for i := range 4 {
			p := matrices.OrmqrP{Left: i&1 > 0, Transposed: i&2 > 0}
			c := core.Aval(dt, 2, 3)
			if p.Left {
				c = core.Aval(dt, 3, 2)
			}
			s = append(s, Sample{Prim: p, In: []core.ShapedArray{m, taus, c}, Dom: []Domain{usual, usual, usual}})
		}
	}
	for _, p := range []matrices.TridiagonalSolveP{{}, {Perturb: true}} {
		for _, dt := range halfUp {
			d := core.Aval(dt, 3)
			s = append(s, Sample{Prim: p, In: []core.ShapedArray{d, d, d, core.Aval(dt, 3, 2)}, Dom: []Domain{between(-1, 1), between(3, 4), between(-1, 1), usual}})
		}
		d := core.Aval(core.Float32, 2, 2)
		s = append(s, Sample{Prim: p, In: []core.ShapedArray{d, d, d, core.Aval(core.Float32, 2, 2, 1)}, Dom: []Domain{between(-1, 1), between(3, 4), between(-1, 1), usual}})
	}
	product := matrices.SymmetricProductP{Alpha: 2, Beta: -0.5}
	add(usual, typed(product, []core.DType{core.Float32, core.Float64, core.Float16, core.BFloat16}, dims(2, 3), dims(2, 2))...)
	add(usual, real(product, dims(2, 2, 1), dims(2, 2, 2)))
	return s
}

func fourier() []Sample {
	var s []Sample
	add := func(kind prim.FFTKind, dts []core.DType, shape, lengths core.Dims) {
		s = append(s, withDom(typed(prim.FFTP{Kind: kind, Lengths: lengths}, dts, shape), usual)...)
	}
	narrow := []core.DType{core.Complex64}
	for _, kind := range []prim.FFTKind{prim.FFTForward, prim.FFTInverse} {
		add(kind, complexes, dims(2, 4), dims(4))
		add(kind, narrow, dims(6), dims(6))
		add(kind, narrow, dims(67), dims(67))
		add(kind, narrow, dims(2, 3, 2), dims(3, 2))
		add(kind, narrow, dims(2, 0), dims(0))
	}
	for _, n := range []int{1, 2, 5, 8} {
		add(prim.FFTReal, []core.DType{core.Float32, core.Float64}, dims(2, n), dims(n))
		add(prim.FFTRealInverse, complexes, dims(2, n/2+1), dims(n))
	}
	add(prim.FFTReal, []core.DType{core.Float32}, dims(3, 4), dims(3, 4))
	add(prim.FFTRealInverse, narrow, dims(3, 3), dims(3, 4))
	return s
}
