package main

import (
	"math"
	"math/rand/v2"
)

// A Scene is a part of a sound in which somebody speaks, or nobody does.
type Scene struct {
	Segment
	Speech bool
}

var script = []Scene{
	{Segment{0, 1}, false},
	{Segment{1, 2.4}, true},
	{Segment{2.4, 3.6}, false},
	{Segment{3.6, 5.2}, true},
	{Segment{5.2, 6}, false},
}

// vowels are the resonances of a mouth, in hertz.
var vowels = [][3]float64{{730, 1090, 2440}, {270, 2290, 3010}, {300, 870, 2240}, {530, 1840, 2480}, {570, 840, 2410}}

// say makes a sound after a script. A voice is a buzz whose pitch falls, through three resonances that wander from
// vowel to vowel, four a second; silence is faint noise.
func say(script []Scene) []float32 {
	r := rand.New(rand.NewPCG(1, 2))
	sound := make([]float32, int(script[len(script)-1].End*rate))
	var past [3][2]float64
	phase := 0.0
	for i := range sound {
		t := float64(i) / rate
		x := 0.0005 * r.NormFloat64()
		for _, s := range script {
			if !s.Speech || t < s.Start || t >= s.End {
				continue
			}
			u := (t - s.Start) * 4 // in syllables
			k, part := int(u), u-math.Floor(u)
			a, b := vowels[k%len(vowels)], vowels[(k+1)%len(vowels)]
			phase += (130 - 20*(t-s.Start) + 8*math.Sin(2*math.Pi*u)) / rate
			buzz := 0.02 * r.NormFloat64()
			if phase >= 1 {
				phase--
				buzz++
			}
			buzz *= 0.3 + math.Pow(math.Sin(math.Pi*part), 2) // loud in the middle of a syllable
			for f := range past {
				hz := a[f] + (b[f]-a[f])*math.Pow(part, 3)
				radius := math.Exp(-math.Pi * (60 + 40*float64(f)) / rate)
				y := buzz + 2*radius*math.Cos(2*math.Pi*hz/rate)*past[f][0] - radius*radius*past[f][1]
				past[f] = [2]float64{y, past[f][0]}
				x += 0.05 * y / float64(1+f)
			}
		}
		sound[i] = float32(x)
	}
	return sound
}
