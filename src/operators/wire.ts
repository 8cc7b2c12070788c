import { type SchemaOptions, Type } from '@sinclair/typebox'

export { DeletedAnswer as Deleted } from '../base/http/object-answer'

/** One of some texts. `Type.Union` knows the type of its value only for members that are written one by one. */
export const oneOf = <Value extends string>(values: readonly Value[], options: SchemaOptions = {}) =>
  Type.Unsafe<Value>(
    Type.Union(
      values.map((value) => Type.Literal(value)),
      options,
    ),
  )
