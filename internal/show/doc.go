// Package show writes the values behind arrays as texts for people: for the verbs of fmt and for
// log/slog.
package show
