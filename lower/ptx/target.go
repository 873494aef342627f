package ptx

import (
	"fmt"
)

// targets are the compute capabilities that kernels are printed for, the newest first,
// each with the first version of PTX that has it and what kernels use (vote.sync is of 6.0), and
// the first driver that reads this version, as cuDriverGetVersion returns it. Text for one of
// them runs on every later one.
var targets = []struct {
	capability int
	version    string
	driver     int
}{{120, "8.7", 12080}, {100, "8.6", 12070}, {90, "7.8", 11080}, {89, "7.8", 11080}, {86, "7.1", 11010}, {80, "7.0", 11000}, {75, "6.3", 10000}, {60, "6.0", 9000}}

func versionOf(target int) string {
	for _, t := range targets {
		if target >= t.capability {
			return t.version
		}
	}
	return targets[len(targets)-1].version
}

// Target returns the target to print for on a device of a compute capability, as 80 for
// 8.0, with a driver of a version, as 12080 for 12.8.
func Target(capability, driver int) (int, error) {
	for _, t := range targets {
		if capability >= t.capability && driver >= t.driver {
			return t.capability, nil
		}
	}
	return 0, fmt.Errorf("compute capability %d.%d with driver %d.%d is not supported (want at least 6.0 and driver 9.0); update the driver, or use another device", capability/10, capability%10, driver/1000, driver%1000/10)
}
