import { Type } from '@sinclair/typebox'
import { faultOf, json, type StandIn } from './stand-in'

export const FIREBASE_ID = 'G-TEST0001'
export const FIREBASE_SECRET = 'firebase-secret-0001'

const strict = { additionalProperties: false } as const

const Item = Type.Object(
  { item_id: Type.String({ minLength: 1, maxLength: 100 }), quantity: Type.Optional(Type.Integer()) },
  strict,
)

const scalar = Type.Union([Type.String({ maxLength: 100 }), Type.Number()])

const Event = Type.Object(
  {
    name: Type.String({ pattern: '^(?!firebase_|ga_|google_)[A-Za-z][A-Za-z0-9_]{0,39}$' }),
    params: Type.Record(
      Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_]{0,39}$' }),
      Type.Union([scalar, Type.Array(Item, { maxItems: 200 })]),
    ),
  },
  strict,
)

const Upload = Type.Object(
  {
    client_id: Type.String({ minLength: 1 }),
    user_id: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
    timestamp_micros: Type.Optional(Type.Integer({ minimum: 1_000_000_000_000_000 })),
    events: Type.Array(Event, { minItems: 1, maxItems: 25 }),
  },
  strict,
)

/** The real collector answers 204 to everything; this one refuses, so that a wrong request does not go unseen. */
export const firebase: StandIn = {
  name: 'firebase',
  answer({ method, path, query, headers, body }) {
    const isDebug = path === '/debug/mp/collect'
    if (method !== 'POST' || (!isDebug && path !== '/mp/collect')) return json(404, {})
    if (!headers.get('content-type')?.startsWith('application/json')) return json(415, {})
    const faults = [
      ...(query.get('measurement_id') === FIREBASE_ID ? [] : ['measurement_id']),
      ...(query.get('api_secret') ? [] : ['api_secret']),
      ...[faultOf(Upload, body) ?? moneyFault(body)].filter((fault) => fault !== null),
    ]
    if (isDebug) {
      const validationMessages = faults.map((description) => ({ description, validationCode: 'VALUE_INVALID' }))
      return json(200, { validationMessages })
    }
    if (query.get('api_secret') !== FIREBASE_SECRET) return json(403, {})
    return faults.length > 0 ? json(400, { faults }) : { status: 204, body: '' }
  },
}

/** A purchase needs its id, and a value needs its currency. */
function moneyFault(body: string): string | null {
  const { events } = JSON.parse(body) as { events: { name: string; params: Record<string, unknown> }[] }
  const isWrong = events.some(
    ({ name, params }) =>
      ('value' in params && !('currency' in params)) ||
      (['purchase', 'refund'].includes(name) && !('transaction_id' in params)),
  )
  return isWrong ? 'money' : null
}
