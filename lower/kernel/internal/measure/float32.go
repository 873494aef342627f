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
		for {
			m, err := accuracy.ReadRecords(records)
			if err != nil {
				return err
			}
			r := m[f.Name]
			if d := f.Digest(); r.Digest != d {
				r = accuracy.Record{Name: f.Name, Digest: d}
			}
			if r.Parts >= parts {
				break
			}
			r.Result = accuracy.Join(r.Result, f.Float32Part(r.Parts))
			r.Parts++
			m[f.Name] = r
			if err := accuracy.WriteRecords(records, m); err != nil {
				return err
			}
			log.Printf("%s: part %d of %d: %.4f ulp at %g, %d of the wrong kind", f.Name, r.Parts, accuracy.Parts, r.Max, r.At, r.Wrong)
		}
	}
	return nil
}
