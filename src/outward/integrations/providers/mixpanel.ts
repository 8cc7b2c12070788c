import { Type } from '@sinclair/typebox'
import { sha256Hex } from '../../../base/lib/hash'
import { unitsOf } from '../../../core/money/money'
import { endOf } from '../hints'
import { postJson, revenueOf, withoutNulls } from '../json-request'
import { defineProvider, type MappingInput } from '../provider'

const Credentials = Type.Object(
  {
    projectToken: Type.String({ minLength: 1, maxLength: 200, pattern: '^[\\x21-\\x39\\x3b-\\x7e]+$' }),
    region: Type.Union([Type.Literal('US'), Type.Literal('EU'), Type.Literal('IN')]),
  },
  { additionalProperties: false, title: 'MixpanelCredentials' },
)

interface Keys {
  projectToken: string
  region: 'US' | 'EU' | 'IN'
}

const HOSTS = {
  US: 'https://api.mixpanel.com',
  EU: 'https://api-eu.mixpanel.com',
  IN: 'https://api-in.mixpanel.com',
} as const

/** https://docs.mixpanel.com/reference/import-events */
export const MIXPANEL = defineProvider({
  name: 'MIXPANEL',
  title: 'Mixpanel',
  kind: 'ANALYTICS',
  isRepeatable: false,
  credentials: Credentials,
  secrets: ['projectToken'],
  hint: ({ projectToken }) => endOf(projectToken),
  probe: (credentials) => [toRequest(credentials, [])],
  // An empty list may be refused; only the token matters here.
  judgeProbe: ({ status }) => (status === 400 ? null : undefined),
  hasMapping: () => true,
  map(input) {
    const { person } = input
    const id = person.mixpanelDistinctId ?? person.appUserId ?? person.subscriberId
    return id === null
      ? { skip: 'missing_identity' }
      : { requests: [toRequest(input.credentials, [toEvent(input, id)])] }
  },
})

/** The token is the user name of basic authentication, and there is no password. */
const toRequest = ({ projectToken, region }: Keys, events: readonly object[]) =>
  postJson(`${HOSTS[region]}/import?strict=1`, events, {
    authorization: `Basic ${Buffer.from(`${projectToken}:`).toString('base64')}`,
  })

const toEvent = ({ event, money, mappedName }: MappingInput<Keys>, distinctId: string) => ({
  event: mappedName ?? `svc_${event.type.replaceAll('.', '_')}`,
  properties: withoutNulls({
    time: event.occurredAt,
    distinct_id: distinctId,
    $insert_id: toInsertId(event.id),
    environment: event.environment,
    store: event.store,
    platform: event.platform,
    product_id: event.productId,
    transaction_id: event.transactionId,
    revenue: revenueOf(event.type, money),
    amount: money && unitsOf(money.amountMicros),
    currency: money?.currency,
    url: event.url,
  }),
})

/** At most 36 letters, digits and hyphens. */
function toInsertId(id: string): string {
  const plain = id.replaceAll('_', '-')
  return /^[A-Za-z0-9-]{1,36}$/.test(plain) ? plain : sha256Hex(id).slice(0, 36)
}
