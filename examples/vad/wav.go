package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// ReadWAV returns the samples of a WAV file: 16 bits, one channel, 16,000 a second.
func ReadWAV(r io.Reader) ([]float32, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	if len(data) < 12 || string(data[:4]) != "RIFF" || string(data[8:12]) != "WAVE" {
		return nil, errors.New("this is no WAV file; send one")
	}
	known := false
	for rest := data[12:]; len(rest) >= 8; {
		name, size := string(rest[:4]), int64(binary.LittleEndian.Uint32(rest[4:]))
		rest = rest[8:]
		body := rest[:min(size, int64(len(rest)))] // a stream's size is not known in front
		switch {
		case name == "fmt " && len(body) >= 16:
			format, channels, perSecond, bits := binary.LittleEndian.Uint16(body), binary.LittleEndian.Uint16(body[2:]), binary.LittleEndian.Uint32(body[4:]), binary.LittleEndian.Uint16(body[14:])
			if format != 1 || channels != 1 || perSecond != rate || bits != 16 {
				return nil, fmt.Errorf("the file has format %d, %d channels, %d samples a second of %d bits; convert it: ffmpeg -i FILE -ac 1 -ar %d -c:a pcm_s16le speech.wav", format, channels, perSecond, bits, rate)
			}
			known = true
		case name == "data" && known:
			sound := make([]float32, len(body)/2)
			for i := range sound {
				sound[i] = float32(int16(binary.LittleEndian.Uint16(body[2*i:]))) / (1 << 15)
			}
			return sound, nil
		}
		rest = rest[min(size+size%2, int64(len(rest))):]
	}
	return nil, errors.New("the WAV file has no samples; is it cut off?")
}

// WriteWAV returns a WAV file of samples between −1 and 1.
func WriteWAV(sound []float32) []byte {
	var b bytes.Buffer
	write := func(values ...any) {
		for _, v := range values {
			_ = binary.Write(&b, binary.LittleEndian, v) // does not fail in memory
		}
	}
	n := uint32(2 * len(sound))
	write([]byte("RIFF"), 36+n, []byte("WAVEfmt "), uint32(16), uint16(1), uint16(1), uint32(rate), uint32(2*rate), uint16(2), uint16(16), []byte("data"), n)
	for _, v := range sound {
		write(int16(max(-1, min(1, v)) * (1<<15 - 1)))
	}
	return b.Bytes()
}
