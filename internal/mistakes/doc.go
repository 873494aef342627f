// Package mistakes contains programs that are wrong, and what their errors say: the
// operation, the types that met, the user's line and the fix.
package mistakes
