import { Type } from '@sinclair/typebox'
import { listQuery } from '../../base/http/list'
import { orNull, REVISED } from '../../base/http/object-answer'
import type { FallbackExport } from './fallback'
import type { PlacementRow } from './model'
import { PlacementSchema } from './wire'

const strict = { additionalProperties: false } as const

export const PlacementListQuery = Type.Object(listQuery, strict)

const Id = Type.String({ minLength: 1, maxLength: 64 })

const Target = Type.Union([
  Type.Object({ type: Type.Literal('none') }, strict),
  Type.Object({ type: Type.Literal('funnel'), funnelId: Id }, strict),
  Type.Object({ type: Type.Literal('experiment'), experimentId: Id }, strict),
  Type.Object({ type: Type.Literal('offering'), offeringId: Id }, strict),
])

const members = {
  identifier: Type.String({ minLength: 1, maxLength: 64, description: 'Letters, digits, $, _, . and -' }),
  name: Type.String({ minLength: 1, maxLength: 255 }),
  rows: Type.Array(
    Type.Object({ audienceId: orNull(Id), target: Target }, { ...strict, title: 'PlacementRowRequest' }),
    { maxItems: 50, description: 'The first that fits decides; a row with audienceId null is the last' },
  ),
  isActive: Type.Optional(Type.Boolean()),
}
export const PlacementBody = Type.Object(members, { ...strict, title: 'PlacementRequest' })
export const PlacementPatch = Type.Partial(Type.Object(members), { ...strict, title: 'PlacementChange' })

export const PlacementAdminSchema = Type.Object(
  {
    id: Type.String(),
    identifier: Type.String(),
    name: Type.String(),
    // Values that were broken by hand in the database are shown as they are.
    rows: Type.Unsafe<PlacementRow[]>(Type.Array(Type.Unknown(), { description: 'As they were sent' })),
    isActive: Type.Boolean(),
    ...REVISED,
  },
  { ...strict, title: 'PlacementOfProject' },
)

export const PlacementMetricsSchema = Type.Object(
  {
    resolutions: Type.Integer({ description: 'How often apps asked for it' }),
    exposures: Type.Integer({ description: 'Subscribers to whom an experiment showed a variant in it' }),
    purchases: Type.Integer(),
    revenue: Type.Object(
      { amountMicros: Type.Integer(), currency: Type.String() },
      { ...strict, description: 'Paid less refunded' },
    ),
  },
  { ...strict, title: 'PlacementMetrics' },
)

export const FallbackSchema = Type.Object(
  {
    formatVersion: Type.Literal(1),
    generatedAt: Type.String(),
    projectId: Type.String(),
    // The lists of the answers are shared by all requests and cannot be changed.
    placements: Type.Unsafe<FallbackExport['placements']>(Type.Record(Type.String(), PlacementSchema)),
  },
  { ...strict, title: 'FallbackExport' },
)
