import { type TSchema, Type } from '@sinclair/typebox'
import type { PublishedFunnel } from '../../funnels/publication/published'
import { OfferingSchema } from '../../projects/catalog/wire'

const closed = { additionalProperties: false }
const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
/** The snapshot's lists are shared by all requests. */
const readonly = <Value>(schema: TSchema) => Type.Unsafe<Value>(schema)
const TextOrNull = orNull(Type.String())

const PresentedContext = Type.Object(
  {
    placementId: Type.String({ description: 'Identifier of the placement' }),
    placementRevision: Type.Integer(),
    funnelId: Type.String(),
    funnelVersionNo: Type.Integer(),
    variantId: TextOrNull,
    experimentKey: TextOrNull,
  },
  { ...closed, description: 'Attach it to the next receipt', title: 'PresentedContext' },
)

const FunnelSchema = Type.Object(
  {
    id: Type.String(),
    slug: Type.String(),
    name: Type.String(),
    versionNo: Type.Integer(),
    configFormatVersion: Type.Integer(),
    pages: readonly<PublishedFunnel['pages']>(
      Type.Array(Type.Record(Type.String(), Type.Unknown()), {
        description: 'Pages with `id`, `type`, `title` by locale, `fields` and `next`',
      }),
    ),
    theme: Type.Record(Type.String(), Type.Unknown()),
    settings: Type.Record(Type.String(), Type.Unknown()),
    defaultLocale: Type.String(),
    locale: Type.String({ description: 'The one of its locales that fits the request best' }),
    locales: readonly<PublishedFunnel['locales']>(Type.Array(Type.String())),
    offering: orNull(OfferingSchema),
    presentedContext: PresentedContext,
  },
  { ...closed, title: 'FunnelDocument' },
)

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
  },
  { ...closed, description: 'All null for a placement that is unknown or not active', title: 'Placement' },
)
