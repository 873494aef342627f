//go:build !long

package staging_test

// chainLength is half the length of the chains of TestLongChains.
const chainLength = 5_000
