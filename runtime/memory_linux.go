package runtime

import "syscall"

func physicalMemory() uint64 {
	var s syscall.Sysinfo_t
	if syscall.Sysinfo(&s) != nil {
		return 1 << 40
	}
	return (uint64(s.Totalram) + uint64(s.Totalswap)) * uint64(max(s.Unit, 1))
}
