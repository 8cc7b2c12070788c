import { type TSchema, Type } from '@sinclair/typebox'
import { FunnelSchema } from '../../funnels/publication/wire'
import { OfferingSchema } from '../../projects/catalog/wire'

const closed = { additionalProperties: false }
const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

const VariantSchema = Type.Object(
  { variantId: Type.String(), weight: Type.Number({ description: 'Fraction of 1' }), funnel: FunnelSchema },
  { ...closed, title: 'PlacementVariant' },
)

const ExperimentSchema = Type.Object(
  {
    id: Type.String(),
    key: Type.String(),
    bucketingId: orNull(Type.String({ description: 'What to draw with; null = your own device key' })),
    assignedVariantId: orNull(Type.String({ description: 'Already decided; it has weight 1' })),
    variants: Type.Array(VariantSchema),
  },
  { ...closed, title: 'PlacementExperiment' },
)

export const PlacementSchema = Type.Object(
  {
    placement: orNull(Type.Object({ identifier: Type.String(), revision: Type.Integer() }, closed)),
    funnel: orNull(FunnelSchema),
    experiment: orNull(ExperimentSchema),
    offering: orNull(OfferingSchema),
  },
  { ...closed, description: 'All null for a placement that is unknown or not active', title: 'Placement' },
)
