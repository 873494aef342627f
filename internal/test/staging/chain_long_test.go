//go:build long

package staging_test

// chainLength is half the length of the chains of TestLongChains: a million
// equations.
const chainLength = 500_000
