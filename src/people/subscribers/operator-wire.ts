import { Type } from '@sinclair/typebox'

/** The path of every dashboard route about one subscriber. */
export const PersonParams = Type.Object(
  {
    projectId: Type.String({ maxLength: 64 }),
    id: Type.String({ maxLength: 64, description: 'sub_ id' }),
  },
  { additionalProperties: false },
)
