import { Type } from '@sinclair/typebox'

/** The schema of a text that is one of a list. */
export const oneOf = <Value extends string>(values: readonly Value[], options: { description?: string } = {}) =>
  Type.Unsafe<Value>(
    Type.Union(
      values.map((value) => Type.Literal(value)),
      options,
    ),
  )
