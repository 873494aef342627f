package simt_test

import "testing"

// A condition that is a seldom taken result is not computed again from what another branch alone defines.
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
