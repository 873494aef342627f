// Package show writes the values behind arrays for people to read: for the verbs of fmt and for
// log/slog.
package show
