import { type SchemaOptions, type TSchema, Type } from '@sinclair/typebox'

export const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

/** One of some texts. `Type.Union` infers the type of its value only from members that are written one by one. */
export const oneOf = <Name extends string>(names: readonly Name[], options: SchemaOptions = {}) =>
  Type.Unsafe<Name>(
    Type.Union(
      names.map((name) => Type.Literal(name)),
      options,
    ),
  )

/** A list of an answer, documented as one, that is also answered when it was damaged in the database. */
export const asSaved = (description: string, items: object = {}) => Type.Unknown({ type: 'array', items, description })

/** What every object has that people can edit. */
export const REVISED = {
  revision: Type.Integer({ minimum: 1, description: 'Grows by 1 with every change; send it as If-Match' }),
  createdAt: Type.String({ description: 'ISO 8601' }),
  updatedAt: Type.String({ description: 'ISO 8601' }),
}
