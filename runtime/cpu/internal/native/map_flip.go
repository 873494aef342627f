//go:build ((amd64 && (darwin || freebsd || netbsd || openbsd)) || (arm64 && (darwin || linux))) && !purego

package native

// On arm64 there is no dualMapper, which would write new code at addresses where released code has run:
// other cores, and emulators, may go on with the instructions that they have decoded.
func mappers() []mapper { return []mapper{flipMapper{}} }
