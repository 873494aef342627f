package main

import (
	"log"
	"slices"

	"github.com/weft-go/weft/lower/kernel/internal/accuracy"
)

// records is where what is found at all f32 is kept, part by part.
const records = "lower/kernel/internal/measure/float32.tsv"

// measureFloat32 measures the named functions at parts of all f32 that have not been
// measured yet, until parts are; of all functions if none is named. What was measured of
// another program than the present one is forgotten.
func measureFloat32(names []string, parts int) error {
	for _, f := range accuracy.Functions() {
		if len(names) > 0 && !slices.Contains(names, f.Name) {
			continue
		}
		r, err := recordOf(f)
		if err != nil {
			return err
		}
		for r.Parts < parts {
			r.Result = accuracy.Join(r.Result, f.Float32Part(r.Parts))
			r.Parts++
			if err := keep(r); err != nil {
				return err
			}
			log.Print(r)
		}
	}
	return nil
}

// recordOf is what is known of the present program of f.
func recordOf(f accuracy.Function) (accuracy.Record, error) {
	m, err := accuracy.ReadRecords(records)
	r := m[f.Name]
	if d := f.Digest(); r.Digest != d {
		r = accuracy.Record{Name: f.Name, Digest: d}
	}
	return r, err
}

// keep writes a record among the others, which another process may have written since.
func keep(r accuracy.Record) error {
	m, err := accuracy.ReadRecords(records)
	if err != nil {
		return err
	}
	m[r.Name] = r
	return accuracy.WriteRecords(records, m)
}
