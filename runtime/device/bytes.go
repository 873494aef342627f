package device

import "fmt"

// Bytes formats a number of bytes for messages, such as "79.6 GiB".
func Bytes(n int) string {
	if n < 1<<10 {
		return fmt.Sprintf("%d B", n)
	}
	x, unit := float64(n)/(1<<10), "KiB"
	for _, next := range []string{"MiB", "GiB", "TiB"} {
		if x < 1<<10 {
			break
		}
		x, unit = x/(1<<10), next
	}
	return fmt.Sprintf("%.4g %s", x, unit)
}
