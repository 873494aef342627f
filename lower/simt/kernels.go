package simt

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/schedule"
)

// FuncOf writes a kernel of a sequence for a large GPU.
func FuncOf(k schedule.Kernel) *Func { return FuncOn(schedule.Device{}, k) }

// FuncOn writes a kernel of a sequence for a device. Some need more threads than a group has on a device that is [schedule.Device.Small].
func FuncOn(d schedule.Device, k schedule.Kernel) *Func {
	switch k := k.(type) {
	case *Func:
		return k
	case *ir.Kernel:
		return Lower(k, Options{Device: d})
	case *schedule.SortTiles:
		return sortTiles(&k.Sort)
	case *schedule.SortMerge:
		return sortMerge(&k.Sort, k.Width)
	case *schedule.RadixCount:
		return radixCount(k.Radix, k.Shift)
	case *schedule.RadixSum:
		return radixSum(k.Radix)
	case *schedule.RadixPlace:
		return radixPlace(k.Radix, k.Shift, k.Fresh)
	case *schedule.Parts:
		return inParts(k)
	case *schedule.SelectCount:
		return selectCount(k)
	case *schedule.SelectDigit:
		return selectDigit(k)
	case *schedule.SelectSides:
		return selectCountSides(k)
	case *schedule.SelectPlace:
		return selectPlace(k)
	case *schedule.UpdateInOrder:
		return updater{k.Update}.inOrder(d)
	case *schedule.UpdateKeys:
		return updater{k.Update}.keys()
	case *schedule.UpdateAtOnce:
		return updater{k.Update}.atOnce()
	case *schedule.UpdateGrouped:
		return groupedOf(k)
	case *schedule.UpdateLast:
		return updater{k.Update}.last()
	case *schedule.Solve:
		return solve(k)
	case *schedule.Lower:
		return lower(k)
	case *schedule.Cholesky:
		return cholesky(k)
	case *schedule.CholeskyEnd:
		return choleskyEnd(k)
	case *schedule.MatrixCopy:
		return matrixCopy(k)
	case *schedule.Eliminate:
		return eliminate(k)
	case *schedule.RowSwaps:
		return rowSwaps(k)
	case *schedule.Reflect:
		return reflectColumns(k)
	case *schedule.PanelFactor:
		return panelFactor(k)
	case *schedule.PanelProduct:
		return panelProduct(k)
	case *schedule.Identity:
		return identity(k)
	case *schedule.Permutation:
		return permutation(k)
	}
	bug("no code for a %T", k)
	return nil
}
