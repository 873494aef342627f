package device

import "testing"

// resident is a kernel; its value is the number of groups that the device runs at once.
type resident int

func (r resident) Resident() int { return int(r) }

// The bound on the groups of a launch is a multiple of the groups that the device runs at once, so that no few groups run alone at the end.
func TestGroupsAreMultiplesOfThoseThatRunAtOnce(t *testing.T) {
	for _, c := range []struct {
		k    Kernel
		want int64
	}{
		{resident(132 * 8), 3 * 132 * 8}, {resident(132 * 16), 132 * 16}, {resident(108 * 5), 7 * 108 * 5}, {resident(2), maxGroups}, {resident(5000), 5000},
		{resident(0), maxGroups}, {nil, maxGroups}, {"a kernel that does not state it", maxGroups},
	} {
		if got := mostGroups(c.k); got != c.want {
			t.Errorf("%v: got %d, want %d", c.k, got, c.want)
		}
	}
}
