import { Type } from '@sinclair/typebox'
import { HOUR } from '../../../base/lib/clock'
import { unitsOf } from '../../../core/money/money'
import { endOf } from '../hints'
import { postJson, withoutNulls } from '../json-request'
import { defineProvider, type MappingInput, type OutEvent } from '../provider'

const Credentials = Type.Object(
  {
    measurementId: Type.String({ pattern: '^G-[A-Z0-9]{4,20}$', maxLength: 22 }),
    apiSecret: Type.String({ minLength: 1, maxLength: 200 }),
  },
  { additionalProperties: false, title: 'FirebaseCredentials' },
)

interface Keys {
  measurementId: string
  apiSecret: string
}

const HOST = 'https://www.google-analytics.com'

/** Events with an older time are dropped without a word. */
const MAX_AGE_MS = 72 * HOUR

const NAMES: Readonly<Record<string, string>> = {
  'purchase.initial': 'purchase',
  'purchase.renewed': 'purchase',
  'purchase.non_renewing': 'purchase',
  'purchase.refunded': 'refund',
  'integration.test': 'svc_test',
}

/** https://developers.google.com/analytics/devguides/collection/protocol/ga4 */
export const FIREBASE = defineProvider({
  name: 'FIREBASE',
  title: 'Firebase and Google Analytics',
  kind: 'ANALYTICS',
  isRepeatable: false,
  credentials: Credentials,
  secrets: ['apiSecret'],
  hint: ({ measurementId }) => endOf(measurementId),
  // The validation server records nothing. No API of Google checks whether a secret is right.
  probe: (credentials) => [
    toRequest(credentials, '/debug/mp/collect', { client_id: 'svc', events: [{ name: 'svc_test', params: {} }] }),
  ],
  judgeProbe: ({ status, body }) =>
    status === 200 ? (/"validationMessages":\s*\[\s*\{/.test(body) ? 'refused' : null) : undefined,
  hasMapping: () => true,
  map(input) {
    const { event, person, now } = input
    const clientId = person.devices.firebaseAppInstanceId ?? person.subscriberId ?? person.signals.externalId
    if (clientId === null) return { skip: person.hasHiddenDevices ? 'no_consent' : 'missing_identity' }
    if (now - event.occurredAt > MAX_AGE_MS) return { skip: 'filtered_by_event_scope' }
    const body = withoutNulls({
      client_id: clientId,
      user_id: person.appUserId,
      timestamp_micros: event.occurredAt * 1000,
      events: [{ name: nameOf(input), params: paramsOf(input) }],
    })
    return { requests: [toRequest(input.credentials, '/mp/collect', body)] }
  },
})

const toRequest = ({ measurementId, apiSecret }: Keys, path: string, body: unknown) =>
  postJson(`${HOST}${path}?${new URLSearchParams({ measurement_id: measurementId, api_secret: apiSecret })}`, body)

const MAX_NAME = 40

/** Letters, digits and underscores; the first is a letter. */
function nameOf({ event, mappedName }: MappingInput<Keys>): string {
  const name = (mappedName ?? NAMES[event.type] ?? event.type).replace(/[^A-Za-z0-9_]/g, '_')
  return (/^[A-Za-z]/.test(name) ? name : `svc_${name}`).slice(0, MAX_NAME)
}

const paramsOf = ({ event, money }: MappingInput<Keys>) =>
  withoutNulls({
    transaction_id: chargeOf(event),
    value: money && unitsOf(money.amountMicros),
    currency: money?.currency,
    items: itemsOf(event),
    environment: event.environment,
    store: event.store,
    page_location: event.url,
  })

/** A refund names the charge that it takes back. */
function chargeOf({ type, data, transactionId }: OutEvent): string | null {
  const { refundedTransactionId: refunded } = data
  return type === 'purchase.refunded' && typeof refunded === 'string' ? refunded : transactionId
}

const itemsOf = ({ productId, quantity }: OutEvent) => (productId === null ? null : [{ item_id: productId, quantity }])
