import { Type } from '@sinclair/typebox'
import { listQuery } from '../../base/http/list'
import { orNull, REVISED } from '../../base/http/object-answer'
import { WarningsSchema } from '../audiences/operator-routes'

const strict = { additionalProperties: false } as const

const Env = Type.Union([Type.Literal('PROD'), Type.Literal('STAGING'), Type.Literal('DEVELOPMENT')])
const FlagTypes = Type.Union([
  Type.Literal('BOOLEAN'),
  Type.Literal('STRING'),
  Type.Literal('NUMBER'),
  Type.Literal('JSON'),
])
const Key = Type.String({ minLength: 1, maxLength: 64, description: 'Letters, digits, $, _, . and -' })
const Value = Type.Unknown({ description: 'Of the type of the flag' })

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
  rules: Type.Optional(Type.Array(RuleRequest, { maxItems: 50, description: 'The first that applies decides' })),
  isEnabled: Type.Optional(Type.Boolean()),
}
const Description = Type.Optional(orNull(Type.String({ maxLength: 1000 })))
const members = { key: Key, env: Env, type: FlagTypes, ...content, description: Description }

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
  // What somebody broke by hand in the database is shown as it is.
  rules: Type.Unsafe<unknown>(Type.Array(Type.Unknown(), { description: 'As they were sent' })),
  isEnabled: Type.Boolean(),
}

export const FlagSchema = Type.Object(
  {
    id: Type.String(),
    key: Type.String(),
    env: Env,
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

export const FlagQuery = Type.Object(
  {
    ...listQuery,
    env: Type.Optional(Type.String({ maxLength: 16, description: 'prod, staging or development' })),
    key: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  },
  strict,
)
