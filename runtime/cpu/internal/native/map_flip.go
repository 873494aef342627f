//go:build ((amd64 && (darwin || freebsd || netbsd || openbsd)) || (arm64 && (darwin || linux))) && !purego

package native

// On arm64 code that is released is unmapped, so an address that has run is never written again
// while it is mapped: other cores, and emulators, may go on with the instructions that they have
// decoded.
func mappers() []mapper { return []mapper{flipMapper{}} }
