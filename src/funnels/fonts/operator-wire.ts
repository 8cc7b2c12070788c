import { Type } from '@sinclair/typebox'
import { orNull } from '../../base/http/object-answer'
import { queryInteger } from '../../base/http/parameters'
import { FONT_STYLES } from '../../core/funnel/files'
import { oneOf } from '../../core/schema/object'
import { MAX_FAMILY_NAME } from './model'

const strict = { additionalProperties: false } as const

export const FamilyBody = Type.Object(
  { name: Type.String({ minLength: 1, maxLength: MAX_FAMILY_NAME, pattern: '\\S' }) },
  { ...strict, title: 'FontFamilyRequest' },
)

export const FaceQuery = Type.Object(
  {
    weight: queryInteger('weight', { minimum: 1, maximum: 1000, description: '400 is regular, 700 is bold' }),
    style: Type.Optional(oneOf(FONT_STYLES, { description: 'Default: normal' })),
  },
  strict,
)

export const FaceSchema = Type.Object(
  {
    id: Type.String(),
    weight: Type.Integer(),
    style: oneOf(FONT_STYLES),
    contentHash: Type.String({ description: 'SHA-256 of the file that was uploaded' }),
    bytes: Type.Integer(),
    format: oneOf(['otf', 'ttf', 'woff2']),
    woff2Bytes: Type.Integer(),
    latinBytes: orNull(Type.Integer({ description: 'Null = the licence forbids a part of the font' })),
    url: Type.String(),
    createdAt: Type.String(),
  },
  { ...strict, title: 'FontFace' },
)

const ReferenceSchema = Type.Object(
  {
    kind: oneOf(['funnel']),
    id: Type.String(),
    name: Type.String(),
    state: oneOf(['draft', 'live']),
    paths: Type.Array(Type.String()),
  },
  { ...strict, title: 'FontReference' },
)

export const FamilySchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    faces: Type.Array(FaceSchema),
    references: Type.Array(ReferenceSchema),
    createdAt: Type.String(),
  },
  { ...strict, title: 'FontFamily' },
)
