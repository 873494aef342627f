//go:build linux && (amd64 || arm64)

package fakecuda

// memoryFunctions are those of memory and of copies.
var memoryFunctions = map[string]any{
	"cuMemAlloc_v2": func(p *uintptr, n uintptr) uintptr {
		return do("cuMemAlloc_v2", func(d *Driver) (code int32) { *p, code = d.alloc(int(n)); return code })
	},
	"cuMemAllocAsync": func(p *uintptr, n, h uintptr) uintptr {
		return do("cuMemAllocAsync", func(d *Driver) (code int32) { *p, code = d.alloc(int(n)); return code })
	},
	"cuMemFree_v2": func(p uintptr) uintptr {
		return do("cuMemFree_v2", func(d *Driver) int32 { return d.free(p) })
	},
	"cuMemFreeAsync": func(p, h uintptr) uintptr {
		return do("cuMemFreeAsync", func(d *Driver) int32 { return d.add(h, func() int32 { return d.free(p) }) })
	},
	"cuMemGetInfo_v2": func(free, total *uint64) uintptr {
		return do("cuMemGetInfo_v2", func(d *Driver) int32 {
			*free, *total = uint64(d.Total-d.used[d.context()]), uint64(d.Total)
			return 0
		})
	},
	"cuMemHostAlloc": func(p **byte, n, flags uintptr) uintptr {
		return do("cuMemHostAlloc", func(d *Driver) int32 {
			b := make([]byte, n)
			d.host = append(d.host, b)
			*p = &b[0]
			return 0
		})
	},
	"cuMemcpyHtoDAsync_v2": func(dst uintptr, src *byte, n, h uintptr) uintptr {
		return do("cuMemcpyHtoDAsync_v2", func(d *Driver) int32 {
			c, from := d.context(), d.pinned(src, int(n))
			if from == nil {
				return invalidValue
			}
			return d.add(h, func() int32 {
				to := d.bytes(c, dst, int(n))
				if to == nil {
					return illegalAddress
				}
				copy(to, from)
				return 0
			})
		})
	},
	"cuMemcpyDtoHAsync_v2": func(dst *byte, src, n, h uintptr) uintptr {
		return do("cuMemcpyDtoHAsync_v2", func(d *Driver) int32 {
			c, to := d.context(), d.pinned(dst, int(n))
			if to == nil {
				return invalidValue
			}
			return d.add(h, func() int32 {
				from := d.bytes(c, src, int(n))
				if from == nil {
					return illegalAddress
				}
				copy(to, from)
				return 0
			})
		})
	},
	"cuMemcpyDtoDAsync_v2": func(dst, src, n, h uintptr) uintptr {
		return do("cuMemcpyDtoDAsync_v2", func(d *Driver) int32 {
			c := d.context()
			return d.add(h, func() int32 {
				to, from := d.bytes(c, dst, int(n)), d.bytes(c, src, int(n))
				if to == nil || from == nil {
					return illegalAddress
				}
				copy(to, from)
				return 0
			})
		})
	},
	"cuMemcpyPeerAsync": func(dst, toContext, src, fromContext, n, h uintptr) uintptr {
		return do("cuMemcpyPeerAsync", func(d *Driver) int32 {
			if toContext == fromContext || d.context() != toContext {
				return invalidContext
			}
			return d.add(h, func() int32 {
				to, from := d.bytes(toContext, dst, int(n)), d.bytes(fromContext, src, int(n))
				if to == nil || from == nil {
					return illegalAddress
				}
				copy(to, from)
				return 0
			})
		})
	},
	"cuDeviceGetDefaultMemPool": func(p *uintptr, dev uintptr) uintptr {
		return do("cuDeviceGetDefaultMemPool", func(*Driver) int32 { *p = 0x2000 + dev; return 0 })
	},
	"cuMemPoolSetAttribute": func(p, what uintptr, value *uint64) uintptr {
		return do("cuMemPoolSetAttribute", func(*Driver) int32 { return 0 })
	},
	"cuMemPoolTrimTo": func(p, n uintptr) uintptr {
		return do("cuMemPoolTrimTo", func(*Driver) int32 { return 0 })
	},
}
