import { Type } from '@sinclair/typebox'

const strict = { additionalProperties: false } as const

/** The answer of every DELETE. */
export const Deleted = Type.Object(
  { data: Type.Object({ deleted: Type.Literal(true) }, { ...strict, title: 'Deleted' }) },
  strict,
)
