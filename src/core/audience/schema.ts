import { Type } from '@sinclair/typebox'
import { orNull, REVISED } from '../schema/object'

const strict = { additionalProperties: false } as const

/** A rules document (wire 5.3); the service says what is wrong in it. */
export const RulesSchema = Type.Record(Type.String({ maxLength: 255 }), Type.Unknown(), {
  description: 'Rules over attributes, for example {"country": "TR"}; empty = everybody',
})

/** Warnings about saved rules that probably do not do what their author meant. */
export const WarningsSchema = Type.Optional(
  Type.Array(Type.Object({ path: Type.String(), message: Type.String() }, { ...strict, title: 'RuleWarning' }), {
    description: 'Rules that probably do not do what was meant; absent if there are none',
  }),
)

const members = {
  name: Type.String({ minLength: 1, maxLength: 255 }),
  description: Type.Optional(orNull(Type.String({ maxLength: 1000 }))),
  rules: RulesSchema,
}
export const AudienceBody = Type.Object(members, { ...strict, title: 'AudienceRequest' })
export const AudiencePatch = Type.Partial(Type.Object(members), { ...strict, title: 'AudienceChange' })

export const AudienceSchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: orNull(Type.String()),
    rules: RulesSchema,
    isDefault: Type.Boolean({ description: 'All users, which cannot be changed' }),
    memberCount: Type.Integer({ minimum: 0, description: 'How many ids its list has; 0 without a list' }),
    membersStale: Type.Optional(
      Type.Boolean({
        description:
          'true: the list was hashed with another master key, so nobody is found in it until it is sent again',
      }),
    ),
    references: Type.Array(
      Type.Object(
        { type: Type.String({ description: 'flag, experiment or placement' }), id: Type.String(), name: Type.String() },
        { ...strict, title: 'AudienceReference' },
      ),
      { description: 'What names it' },
    ),
    warnings: WarningsSchema,
    ...REVISED,
  },
  { ...strict, title: 'Audience' },
)
