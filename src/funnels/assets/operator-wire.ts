import { Type } from '@sinclair/typebox'
import { listQuery } from '../../base/http/list'
import { orNull, REVISED } from '../../base/http/object-answer'
import { ASSET_KINDS } from '../../core/funnel/files'
import { oneOf } from '../../core/schema/object'

const strict = { additionalProperties: false } as const

export const AssetListQuery = Type.Object(listQuery, strict)

export const UploadQuery = Type.Object(
  {
    name: Type.Optional(
      Type.String({ maxLength: 1000, description: '1 to 120 of letters, digits, space, dot, dash and underscore' }),
    ),
  },
  strict,
)

export const AssetPatch = Type.Object(
  {
    name: Type.Optional(Type.String({ maxLength: 1000 })),
    alt: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'The alternative text by language' })),
  },
  { ...strict, title: 'AssetChange' },
)

const ReferenceSchema = Type.Object(
  {
    kind: oneOf(['funnel', 'project']),
    id: Type.String(),
    name: Type.String(),
    state: oneOf(['draft', 'live']),
    paths: Type.Array(Type.String()),
  },
  { ...strict, title: 'AssetReference' },
)

const SourceSchema = Type.Object(
  { format: Type.String(), bytes: Type.Integer(), hadMetadata: Type.Boolean() },
  { ...strict, title: 'AssetSource', description: 'What was uploaded' },
)

export const AssetSchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    kind: oneOf(ASSET_KINDS),
    contentType: Type.String(),
    bytes: Type.Integer({ description: 'Of the largest form' }),
    storedBytes: Type.Integer({ description: 'Of all forms together' }),
    width: orNull(Type.Integer()),
    height: orNull(Type.Integer()),
    widths: Type.Array(Type.Integer(), { description: 'Of the smaller forms, at the same address with `?w=`' }),
    url: Type.String(),
    alt: Type.Record(Type.String(), Type.String()),
    source: SourceSchema,
    uploadedBy: orNull(Type.String({ description: 'Null = by the command line' })),
    references: Type.Array(ReferenceSchema),
    ...REVISED,
  },
  { ...strict, title: 'Asset' },
)

const UsageSchema = Type.Object(
  { bytes: Type.Integer(), limitBytes: orNull(Type.Integer()), level: oneOf(['ok', 'near', 'full']) },
  { ...strict, title: 'StorageUsage' },
)

export const AssetsAnswer = Type.Object(
  {
    data: Type.Object(
      { items: Type.Array(AssetSchema), nextCursor: orNull(Type.String()), usage: UsageSchema },
      strict,
    ),
  },
  strict,
)
