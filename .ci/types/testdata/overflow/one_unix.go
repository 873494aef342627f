//go:build unix

package overflow

func one() int { return 1 }
