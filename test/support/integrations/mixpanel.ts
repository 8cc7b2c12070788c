import { Type } from '@sinclair/typebox'
import { faultOf, json, type StandIn } from './stand-in'

export const MIXPANEL_TOKEN = 'mixpanel-token-0001'

const scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean()])

const Upload = Type.Array(
  Type.Object(
    {
      event: Type.String({ minLength: 1, maxLength: 255 }),
      properties: Type.Intersect([
        Type.Object({
          time: Type.Integer({ minimum: 1_000_000_000 }),
          distinct_id: Type.String({ minLength: 1, maxLength: 255 }),
          $insert_id: Type.String({ pattern: '^[A-Za-z0-9-]{1,36}$' }),
        }),
        Type.Record(Type.String(), scalar),
      ]),
    },
    { additionalProperties: false },
  ),
  { maxItems: 2000 },
)

export const mixpanel: StandIn = {
  name: 'mixpanel',
  answer({ method, path, query, headers, body }) {
    if (method !== 'POST' || path !== '/import')
      return json(404, { code: 404, error: 'not found', status: 'Not Found' })
    const token = Buffer.from(headers.get('authorization')?.replace(/^Basic /, '') ?? '', 'base64').toString()
    if (token !== `${MIXPANEL_TOKEN}:`) return json(401, { code: 401, error: 'Unauthorized', status: 'Unauthorized' })
    if (query.get('strict') !== '1') return json(400, { code: 400, error: 'strict is missing', status: 'Bad Request' })
    if (!headers.get('content-type')?.startsWith('application/json')) return json(415, { code: 415 })
    const fault = faultOf(Upload, body)
    if (fault) return json(400, { code: 400, error: 'some data points in the request failed validation', fault })
    return json(200, { code: 200, num_records_imported: JSON.parse(body).length, status: 'OK' })
  },
}
