package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/transforms/exchange"
)

type network struct {
	alpha float64 // seconds that an exchange takes, regardless of its size and of the number of devices
	beta  float64 // bytes per second that leave a node
	node  int     // devices of a node, whose exchanges among themselves cost nothing
	flops float64 // operations on numbers per second of a device
}

// readNetwork reads alpha=5us,beta=10GB/s,node=8,flops=50G. Parts that are left off have defaults.
func readNetwork(s string) (network, error) {
	n := network{alpha: 5e-6, beta: 10e9, node: 1, flops: 50e9}
	if s == "" {
		return n, nil
	}
	for part := range strings.SplitSeq(s, ",") {
		key, value, _ := strings.Cut(part, "=")
		var err error
		switch key {
		case "alpha":
			var d time.Duration
			d, err = time.ParseDuration(value)
			n.alpha = d.Seconds()
		case "beta":
			n.beta, err = readRate(strings.TrimSuffix(strings.TrimSuffix(value, "/s"), "B"))
		case "node":
			n.node, err = strconv.Atoi(value)
		case "flops":
			n.flops, err = readRate(value)
		default:
			return n, fmt.Errorf("the network has no %q; write alpha=5us,beta=10GB/s,node=8,flops=50G", key)
		}
		if err != nil || !(n.alpha >= 0 && n.beta > 0 && n.node > 0 && n.flops > 0) {
			return n, fmt.Errorf("%q is no value of %s; write alpha=5us,beta=10GB/s,node=8,flops=50G", value, key)
		}
	}
	return n, nil
}

// readRate reads a number with an optional suffix k, M, G or T.
func readRate(s string) (float64, error) {
	scale := 1.0
	if i := strings.IndexAny(s, "kMGT"); i >= 0 && i == len(s)-1 {
		scale = math.Pow(1000, float64(1+strings.IndexByte("kMGT", s[i])))
		s = s[:i]
	}
	f, err := strconv.ParseFloat(s, 64)
	return f * scale, err
}

// readMesh reads sizes of axes: d=1024,m=4.
func readMesh(s string) (axes []jaxpr.MeshAxis, err error) {
	for part := range strings.SplitSeq(s, ",") {
		name, value, _ := strings.Cut(part, "=")
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 || n > 1<<30 || name == "" {
			return nil, fmt.Errorf("%q is no size of an axis; write --mesh d=1024", part)
		}
		axes = append(axes, jaxpr.MeshAxis{Name: name, Size: n})
	}
	return axes, nil
}

// seconds returns how long an exchange takes, over all the times that it runs.
func (n network) seconds(s exchange.Sending) float64 {
	return float64(s.Times) * (n.alpha + float64(s.Bytes)/n.beta)
}

// processes returns the number of nodes that the given number of devices needs if all nodes have equally many. A node
// runs its devices in one process.
func (n network) processes(devices int) int {
	local := min(n.node, devices)
	for devices%local != 0 {
		local--
	}
	return devices / local
}
