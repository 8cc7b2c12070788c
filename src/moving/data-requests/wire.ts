import { type Static, Type } from '@sinclair/typebox'
import { orNull } from '../../base/http/object-answer'
import { toIso, toIsoOrNull } from '../../base/lib/time'
import { type Named, PersonRefSchema } from '../../people/purchases/person-ref'
import { isDownloadReady } from './model'
import type { DataRequestRow } from './queries'

const strict = { additionalProperties: false } as const
const time = Type.String({ format: 'date-time' })
const timeOrNull = Type.Union([time, Type.Null()])

export const RequestType = Type.Union([Type.Literal('EXPORT'), Type.Literal('ERASURE')])
export const RequestStatus = Type.Union([
  Type.Literal('PENDING'),
  Type.Literal('RUNNING'),
  Type.Literal('COMPLETED'),
  Type.Literal('FAILED'),
])

const requestedBy = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[^\\u0000]*$',
  description: 'Who asks for it, as text',
  examples: ['support@example.com'],
})

export const OpenBody = Type.Object(
  {
    appUserId: Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[^\\u0000]*$',
      description: 'sub_ id, label or device key',
      examples: ['user_1'],
    }),
    requestedBy,
  },
  { additionalProperties: true, title: 'DataRequestBody' },
)

export const OperatorOpenBody = Type.Object(
  { type: RequestType, requestedBy: Type.Optional(requestedBy) },
  { ...strict, title: 'OpenDataRequest' },
)

const members = {
  id: Type.String(),
  type: RequestType,
  status: RequestStatus,
  requestedBy: Type.String(),
  createdAt: time,
  updatedAt: time,
  completedAt: timeOrNull,
  expiresAt: Type.Union([time, Type.Null()], { description: 'When the download ends; a certificate stays' }),
  error: Type.Union([Type.String(), Type.Null()], { description: 'Why it failed, or why it has not worked yet' }),
  downloadReady: Type.Boolean(),
}

export const DataRequestSchema = Type.Object(members, { ...strict, title: 'DataRequest' })

/** In the dashboard, with the subscriber. */
export const ListedRequestSchema = Type.Object(
  { ...members, subscriberId: Type.String(), person: orNull(PersonRefSchema) },
  { ...strict, title: 'ListedDataRequest' },
)

export const RequestAnswer = Type.Object({ data: Type.Object({ request: DataRequestSchema }, strict) }, strict)

export function toRequestView(row: DataRequestRow, now: number): Static<typeof DataRequestSchema> {
  return {
    id: row.id,
    type: row.type,
    status: row.status,
    requestedBy: row.requestedBy,
    createdAt: toIso(row.createdAt),
    updatedAt: toIso(row.updatedAt),
    completedAt: toIsoOrNull(row.completedAt),
    expiresAt: toIsoOrNull(row.expiresAt),
    error: row.error,
    downloadReady: isDownloadReady(row, now),
  }
}

export const toListedRequest = (
  { row, person }: Named<DataRequestRow>,
  now: number,
): Static<typeof ListedRequestSchema> => ({ ...toRequestView(row, now), subscriberId: row.subscriberId, person })

export const RequestParams = Type.Object(
  { id: Type.String({ maxLength: 64, description: 'dsr_ id' }) },
  { additionalProperties: true }, // The path of the dashboard also contains the project.
)

export const DOWNLOAD_RESPONSES = {
  200: {
    description:
      'Of an export a zip with index.html and the data as JSON; of an erasure its certificate, a compact JWS (key: /.well-known/jwks.json).',
    content: { 'application/octet-stream': { schema: Type.String({ format: 'binary' }) } },
  },
}
