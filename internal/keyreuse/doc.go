// Package keyreuse finds keys of random numbers that are used twice: drawn from, or
// split, or one after the other.
//
// Every key, and every element of an array of keys, has a cell that records where it was
// used. Operations that move keys about (slices, reshapes, transpositions) move the
// cells; those that use keys up mark them, and complain if they are marked. Programs
// are followed equation by equation before they run, loops for two iterations. What cannot
// be followed, as an index that is not known, returns keys that count as new.
package keyreuse
