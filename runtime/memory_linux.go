package runtime

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// physicalMemory returns the machine's memory with swap, 1 TiB if the system does not report it, or
// the limit of the process's control group if that is lower.
func physicalMemory() uint64 {
	n := uint64(1) << 40
	var s syscall.Sysinfo_t
	if syscall.Sysinfo(&s) == nil {
		n = (uint64(s.Totalram) + uint64(s.Totalswap)) * uint64(max(s.Unit, 1))
	}
	for _, file := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		if text, err := os.ReadFile(file); err == nil {
			if limit, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64); err == nil {
				n = min(n, limit)
			}
		}
	}
	return n
}
