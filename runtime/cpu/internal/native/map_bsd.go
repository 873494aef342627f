//go:build (darwin || freebsd || netbsd || openbsd) && amd64 && !purego

package native

func mappers() []mapper { return []mapper{flipMapper{}} }
