import { type SchemaOptions, Type } from '@sinclair/typebox'

const strict = { additionalProperties: false } as const

/** The answer of every DELETE. */
export const Deleted = Type.Object(
  { data: Type.Object({ deleted: Type.Literal(true) }, { ...strict, title: 'Deleted' }) },
  strict,
)

/** One of some texts. `Type.Union` knows the type of its value only for members that are written one by one. */
export const oneOf = <Value extends string>(values: readonly Value[], options: SchemaOptions = {}) =>
  Type.Unsafe<Value>(
    Type.Union(
      values.map((value) => Type.Literal(value)),
      options,
    ),
  )
