//go:build !purego

package native

func spin() { pause(4) }
