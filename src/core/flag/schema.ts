import { type Static, Type } from '@sinclair/typebox'
import { WarningsSchema } from '../audience/schema'
import { asSaved, oneOf, orNull, REVISED } from '../schema/object'
import { ENVIRONMENTS, FLAG_TYPES, MAX_RULES } from './names'

const strict = { additionalProperties: false } as const

const FlagEnvironments = oneOf(ENVIRONMENTS)
const FlagTypes = oneOf(FLAG_TYPES)
const Key = Type.String({ minLength: 1, maxLength: 64, description: 'Letters, digits, $, _, . and -' })
const Value = Type.Unknown({ description: 'Of the type of the flag' })

/**
 * A rule applies when its conditions and its audience both match, and its rollout, if there is one, includes the
 * subscriber. Rules are saved as they are sent.
 */
const RuleRequest = Type.Object(
  {
    audienceId: Type.Optional(orNull(Type.String({ minLength: 1, maxLength: 64 }))),
    conditions: Type.Optional(Type.Unknown({ description: 'Rules over attributes, as in an audience' })),
    value: Value,
    rolloutPercentage: Type.Optional(orNull(Type.Number({ minimum: 0, maximum: 1, description: 'Fraction of 1' }))),
    bucketBy: Type.Optional(
      orNull(Type.String({ minLength: 1, maxLength: 100, description: 'The attribute by which the rollout is drawn' })),
    ),
  },
  { ...strict, title: 'FlagRuleRequest' },
)

const content = {
  defaultValue: Value,
  rules: Type.Optional(Type.Array(RuleRequest, { maxItems: MAX_RULES, description: 'The first that applies decides' })),
  isEnabled: Type.Optional(Type.Boolean()),
}
const Description = Type.Optional(orNull(Type.String({ maxLength: 1000 })))
const members = { key: Key, env: FlagEnvironments, type: FlagTypes, ...content, description: Description }

export const FlagBody = Type.Object(members, { ...strict, title: 'FeatureFlagRequest' })
export const FlagPatch = Type.Partial(Type.Object(members), { ...strict, title: 'FeatureFlagChange' })
export const ToggleBody = Type.Object({ isEnabled: Type.Boolean() }, { ...strict, title: 'FeatureFlagToggle' })

const EnvironmentRequest = Type.Object(content, { ...strict, title: 'FlagEnvironmentRequest' })

export const FlagOfKeyBody = Type.Object(
  {
    type: FlagTypes,
    description: Description,
    environments: Type.Object(
      {
        PROD: Type.Optional(orNull(EnvironmentRequest)),
        STAGING: Type.Optional(orNull(EnvironmentRequest)),
        DEVELOPMENT: Type.Optional(orNull(EnvironmentRequest)),
      },
      { ...strict, description: 'An environment that is absent or null has no such flag afterwards' },
    ),
  },
  { ...strict, title: 'FeatureFlagOfKeyRequest' },
)

const saved = {
  defaultValue: Type.Unknown(),
  rules: asSaved('As they were sent'),
  isEnabled: Type.Boolean(),
}

export const FlagSchema = Type.Object(
  {
    id: Type.String(),
    key: Type.String(),
    env: FlagEnvironments,
    type: FlagTypes,
    description: orNull(Type.String()),
    ...saved,
    warnings: WarningsSchema,
    ...REVISED,
  },
  { ...strict, title: 'FeatureFlag' },
)

const EnvironmentSchema = Type.Object(
  { id: Type.String(), ...saved, warnings: WarningsSchema, revision: Type.Integer() },
  { ...strict, title: 'FlagEnvironment' },
)

export const FlagOfKeySchema = Type.Object(
  {
    key: Type.String(),
    type: FlagTypes,
    description: orNull(Type.String()),
    environments: Type.Object(
      {
        PROD: orNull(EnvironmentSchema),
        STAGING: orNull(EnvironmentSchema),
        DEVELOPMENT: orNull(EnvironmentSchema),
      },
      strict,
    ),
    ...REVISED,
    revision: Type.Integer({
      description: 'Another number after every change; it does not count. Send it as If-Match',
    }),
  },
  { ...strict, title: 'FeatureFlagOfKey' },
)

export type FlagRule = Static<typeof RuleRequest>

/** One row per key and environment. */
export type FlagRow = Pick<Static<typeof FlagSchema>, 'id' | 'key' | 'env' | 'type' | 'isEnabled' | 'defaultValue'> & {
  rules: readonly FlagRule[]
}
