//go:build amd64 && !purego && !(darwin || linux || freebsd || netbsd || openbsd || windows)

package native

func mappers() []mapper { return nil }
