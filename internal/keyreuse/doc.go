// Package keyreuse finds keys of random numbers that are used twice: by drawing, by splitting, or
// by both.
//
// Every key, and every element of an array of keys, has a cell that records where it was used.
// Operations that move keys about (slices, reshapes, transpositions) move the cells; those that
// use up keys mark them, and fail if they are marked already. Programs are followed equation by
// equation before they run, loops for two iterations. An operation that cannot be followed, such
// as one with an unknown index, returns keys that count as new.
package keyreuse
