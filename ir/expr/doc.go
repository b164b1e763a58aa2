// Package expr evaluates compiled expressions. It holds the values of the language, the table of its functions with
// their types and implementations, the evaluator of ir.Expr trees, and the exact conversion of values into typed cells
// of Postgres columns.
//
// Everything here is a pure function of its arguments: no clock, no randomness, no I/O. What an expression may read is
// handed in by an Env; non-deterministic functions and entity snapshots exist only through hooks of the Env. Numbers
// never pass through binary floating point, except into REAL and DOUBLE PRECISION columns, which are defined that way.
//
// # Null and missing
//
// Missing is the absence of a path in the data, null is a value. Only the result of a whole expression distinguishes
// them: a member or derived path, and the branches of ?: and of the elvis operator, hand a missing value on. Everywhere
// else (operands, arguments, items of lists, values of objects) missing acts as null.
//
// Arithmetic and ordering with null give null, before any other rule: null / 0 is null. The operators == and != compare
// null as a value. In !, &&, || and as a condition null counts as false, and the result of !, && and || is never null.
package expr
