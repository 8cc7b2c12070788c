import { type TSchema, Type } from '@sinclair/typebox'

export { orNull, REVISED } from '../../core/schema/object'

const strict = { additionalProperties: false } as const

/** `{data: <payload>}` (wire 1.3). */
export const dataAnswer = <Payload extends TSchema>(payload: Payload) => Type.Object({ data: payload }, strict)

export const DeletedAnswer = dataAnswer(Type.Object({ deleted: Type.Literal(true) }, { ...strict, title: 'Deleted' }))

export const DELETED = { data: { deleted: true as const } }
