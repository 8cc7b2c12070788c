import { Type } from '@sinclair/typebox'
import { listQuery } from '../../base/http/list'
import { orNull, REVISED } from '../../base/http/object-answer'
import { queryInteger } from '../../base/http/parameters'
import { FUNNEL_STATUSES } from '../../core/funnel/model'
import type { FunnelView } from './admin/view'

const strict = { additionalProperties: false } as const
const Id = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9$_.-]{1,64}$' })

export const FunnelListQuery = Type.Object(
  {
    ...listQuery,
    status: Type.Optional(Type.Union(FUNNEL_STATUSES.map((status) => Type.Literal(status)))),
  },
  strict,
)

/** The service says what is wrong in these parts, with the place of each fault. */
const document = {
  pages: Type.Optional(
    Type.Array(Type.Unknown(), { description: 'Pages with `id`, `type`, `title`, `fields`, `blocks` and `next`' }),
  ),
  theme: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: 'Colours, radius, fonts, density and logo' }),
  ),
  settings: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: 'The offering, and how the funnel runs and ends' }),
  ),
  defaultLocale: Type.Optional(Type.String({ minLength: 2, maxLength: 35 })),
  locales: Type.Optional(Type.Array(Type.String({ minLength: 2, maxLength: 35 }), { minItems: 1 })),
}
const members = { slug: Id, name: Type.String({ minLength: 1, maxLength: 255 }) }
const templateId = Type.Optional(
  Type.String({ minLength: 1, maxLength: 64, description: 'What the funnel begins with; members that are given win' }),
)
export const FunnelBody = Type.Object({ ...members, templateId, ...document }, { ...strict, title: 'FunnelRequest' })
export const FunnelPatch = Type.Object(
  { ...Type.Partial(Type.Object(members)).properties, ...document },
  { ...strict, title: 'FunnelChange' },
)

export const RevertBody = Type.Object({ versionNo: Type.Integer({ minimum: 1 }) }, { ...strict, title: 'FunnelRevert' })

export const DiffQuery = Type.Object(
  {
    from: Type.Optional(
      queryInteger('from', {
        minimum: 1,
        description: 'A version; default: the published one, and without one nothing',
      }),
    ),
    to: Type.Optional(
      Type.String({ pattern: '^(draft|[1-9][0-9]{0,8})$', description: 'A version, or draft, which is the default' }),
    ),
  },
  strict,
)

export const PreviewQuery = Type.Object(
  {
    version: Type.Optional(
      Type.String({
        pattern: '^(draft|published|[1-9][0-9]{0,8})$',
        description: 'draft, published or the number of a version; default: draft',
      }),
    ),
  },
  strict,
)

const Draft = Type.Unsafe<FunnelView['draft']>(
  Type.Object(
    {
      pages: Type.Array(Type.Unknown()),
      theme: Type.Record(Type.String(), Type.Unknown()),
      settings: Type.Record(Type.String(), Type.Unknown()),
    },
    strict,
  ),
)

export const FunnelSchema = Type.Object(
  {
    id: Type.String(),
    slug: Type.String(),
    name: Type.String(),
    status: Type.Union([Type.Literal('DRAFT'), Type.Literal('PUBLISHED'), Type.Literal('ARCHIVED')]),
    draft: Draft,
    currentVersionNo: orNull(Type.Integer({ description: 'What visitors and apps get; null = nothing is published' })),
    defaultLocale: Type.String(),
    locales: Type.Unsafe<readonly string[]>(Type.Array(Type.String())),
    ...REVISED,
  },
  { ...strict, title: 'FunnelOfProject' },
)

export const VersionSchema = Type.Object(
  {
    versionNo: Type.Integer(),
    publishedAt: Type.String({ description: 'ISO 8601' }),
    publishedBy: orNull(Type.String({ description: 'The mail address; null = the command line' })),
  },
  { ...strict, title: 'FunnelVersion' },
)

const Fault = Type.Object({ path: Type.String(), message: Type.String() }, { ...strict, title: 'FunnelFault' })

export const ValidationSchema = Type.Object(
  {
    faults: Type.Array(Fault, { description: 'Publishing is refused for these' }),
    warnings: Type.Array(Fault, { description: 'Publishing is possible all the same' }),
  },
  { ...strict, title: 'FunnelValidation' },
)

export const PublishedSchema = Type.Object(
  {
    ...FunnelSchema.properties,
    warnings: Type.Array(Fault, { description: 'What a person should know; it is published all the same' }),
  },
  { ...strict, title: 'PublishedFunnelOfProject' },
)

export const DiffSchema = Type.Object(
  {
    differences: Type.Array(
      Type.Object(
        { path: Type.String(), before: Type.Optional(Type.Unknown()), after: Type.Optional(Type.Unknown()) },
        { ...strict, title: 'FunnelDifference' },
      ),
      { description: 'At most 1000, in the order of the document' },
    ),
  },
  { ...strict, title: 'FunnelDiff' },
)
