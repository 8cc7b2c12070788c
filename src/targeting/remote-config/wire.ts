import { Type } from '@sinclair/typebox'

const strict = { additionalProperties: false } as const

const ExperimentSchema = Type.Object(
  {
    experimentId: Type.String(),
    key: Type.String(),
    type: Type.Union([Type.Literal('FLAG'), Type.Literal('FUNNEL'), Type.Literal('OFFERING')]),
    variantId: Type.String(),
    variantName: Type.String(),
    value: Type.Unknown({ description: 'FLAG: any JSON; OFFERING: an offering; FUNNEL: {"funnelId"}' }),
  },
  { ...strict, title: 'ExperimentAssignment' },
)

export const ConfigurationSchema = Type.Object(
  {
    flags: Type.Record(Type.String(), Type.Unknown(), { description: 'Every enabled flag, by key' }),
    experiments: Type.Record(Type.String(), ExperimentSchema, { description: 'Those the caller is in, by key' }),
  },
  { ...strict, title: 'Configuration' },
)

export const ENV_HEADER = {
  name: 'X-Svc-Env',
  in: 'header' as const,
  description: 'As query `env`, where that is not given.',
  required: false,
  schema: { type: 'string' as const, maxLength: 32 },
}
