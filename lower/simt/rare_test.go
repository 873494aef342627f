package simt_test

import "testing"

// A condition that is the result of an OpRare is not computed again from values that only another branch defines.
func TestRareConditions(t *testing.T) {
	k := parsed(t, `kernel k(in x f32[1024], out y f32[1024]) {
  %%0 = const f32 0x40000000
  %%1 = const f32 0x40400000
  vector a0<1024 {
    %%2 = load f32 x[a0<1024]
    %%3 = lt bool %%0, %%2
    %%4 = mul f32 %%2, %%2
    %%5 = lt bool %%1, %%4
    %%6 = lt bool %%2, %%1
    %%7 = rare bool %%3, %%5, %%6
    %%8 = div f32 %%2, %%1
    %%9 = rare f32 %%7, %%8, %%2
    %%10 = canon f32 %%9
    store y[a0<1024], %%10
  }
}`)
	compare(t, k, 1, every...)
}

// The result of an OpRare that only another OpRare with the same condition needs is computed in the branch.
func TestNestedRareOperands(t *testing.T) {
	k := parsed(t, `kernel k(in x f32[1024], out y f32[1024]) {
  %%0 = const f32 0x40000000
  vector a0<1024 {
    %%1 = load f32 x[a0<1024]
    %%2 = lt bool %%0, %%1
    %%3 = mul f32 %%1, %%1
    %%4 = div f32 %%1, %%0
    %%5 = rare f32 %%2, %%4, %%3
    %%6 = add f32 %%5, %%0
    %%7 = rare f32 %%2, %%6, %%1
    %%8 = canon f32 %%7
    store y[a0<1024], %%8
  }
}`)
	compare(t, k, 1, every...)
}
