import { type TSchema, Type } from '@sinclair/typebox'

const strict = { additionalProperties: false } as const

/** `{data: <payload>}` (wire 1.3). */
export const dataAnswer = <Payload extends TSchema>(payload: Payload) => Type.Object({ data: payload }, strict)

export const DeletedAnswer = dataAnswer(Type.Object({ deleted: Type.Literal(true) }, { ...strict, title: 'Deleted' }))

export const DELETED = { data: { deleted: true as const } }

export const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

/** What every object has that people can edit. */
export const REVISED = {
  revision: Type.Integer({ minimum: 1, description: 'Grows by 1 with every change; send it as If-Match' }),
  createdAt: Type.String({ description: 'ISO 8601' }),
  updatedAt: Type.String({ description: 'ISO 8601' }),
}
