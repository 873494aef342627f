// Package mistakes contains programs that are wrong, and the texts of their errors: the
// operation, the operands' types, the user's line and the fix.
package mistakes
