import { type TSchema, Type } from '@sinclair/typebox'
import { orNull } from '../../base/http/object-answer'
import { OfferingSchema } from '../../projects/catalog/wire'
import type { PublishedFunnel } from './published'

const closed = { additionalProperties: false }
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

export const FunnelSchema = Type.Object(
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
    theme: readonly<PublishedFunnel['theme']>(Type.Record(Type.String(), Type.Unknown())),
    settings: readonly<PublishedFunnel['settings']>(Type.Record(Type.String(), Type.Unknown())),
    defaultLocale: Type.String(),
    locale: Type.String({ description: 'The one of its locales that fits the request best' }),
    locales: readonly<PublishedFunnel['locales']>(Type.Array(Type.String())),
    offering: orNull(OfferingSchema),
    presentedContext: PresentedContext,
  },
  { ...closed, title: 'FunnelDocument' },
)
