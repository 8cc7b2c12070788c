import { Type } from '@sinclair/typebox'
import { unitsOf } from '../../../core/money/money'
import { endOf } from '../hints'
import { postJson, withoutNulls } from '../json-request'
import { defineProvider, type MappingInput, type ProviderAnswer, type Verdict } from '../provider'

const Credentials = Type.Object(
  {
    pixelCode: Type.String({ pattern: '^[A-Z0-9]{5,64}$', maxLength: 64 }),
    accessToken: Type.String({ pattern: '^[\\x21-\\x7e]{1,500}$', maxLength: 500 }),
  },
  { additionalProperties: false, title: 'TiktokEventsCredentials' },
)

interface Keys {
  pixelCode: string
  accessToken: string
}

const URL = 'https://business-api.tiktok.com/open_api/v1.3/event/track/'

const NAMES: Readonly<Record<string, string>> = {
  'purchase.initial': 'Subscribe',
  'purchase.trial_converted': 'Subscribe',
  'purchase.renewed': 'Subscribe',
  'purchase.non_renewing': 'CompletePayment',
  'purchase.trial_started': 'StartTrial',
  'subscriber.identified': 'CompleteRegistration',
  'integration.test': 'svc_test',
}

/** https://business-api.tiktok.com/portal/docs (Events API 2.0) */
export const TIKTOK_EVENTS = defineProvider({
  name: 'TIKTOK_EVENTS',
  title: 'TikTok Events API',
  kind: 'ADS',
  isRepeatable: false,
  credentials: Credentials,
  secrets: ['accessToken'],
  hint: ({ pixelCode }) => endOf(pixelCode),
  // No events: the token is checked before the body.
  probe: (credentials) => [toRequest(credentials, [])],
  judgeProbe: ({ status, body }) => (status === 200 ? reasonOf(codeOf(body)) : undefined),
  hasMapping: (type) => Object.hasOwn(NAMES, type),
  map(input) {
    const user = userOf(input)
    if (Object.keys(user).length === 0) return { skip: 'missing_identity' }
    const name = input.mappedName ?? NAMES[input.event.type]
    return name === undefined
      ? { skip: 'no_mapping' }
      : { requests: [toRequest(input.credentials, [toEvent(input, name, user)])] }
  },
  judge,
})

const toRequest = ({ pixelCode, accessToken }: Keys, data: readonly object[]) =>
  postJson(URL, { event_source: 'web', event_source_id: pixelCode, data }, { 'access-token': accessToken })

const toEvent = ({ event, money }: MappingInput<Keys>, name: string, user: object) =>
  withoutNulls({
    event: name,
    event_time: Math.floor(event.occurredAt / 1000),
    event_id: event.id,
    user,
    page: event.url === null ? null : { url: event.url },
    properties:
      money || event.productId !== null
        ? withoutNulls({
            value: money && unitsOf(money.amountMicros),
            currency: money?.currency,
            order_id: event.transactionId,
            content_type: event.productId === null ? null : 'product',
            contents: event.productId === null ? null : [{ content_id: event.productId, quantity: event.quantity }],
          })
        : null,
  })

const userOf = ({ person: { signals, ip, userAgent } }: MappingInput<Keys>): object =>
  withoutNulls({
    email: signals.email,
    phone: signals.phone,
    external_id: signals.externalId,
    ip,
    user_agent: userAgent,
  })

/** The status is 200 for errors too; the code in the body tells. Null for a body without one. */
function codeOf(body: string): number | null {
  const [, code] = /"code":\s*(\d+)/.exec(body) ?? []
  return code === undefined ? null : Number(code)
}

const OK = 0
const WRONG_PARAMETERS = 40002
const TOO_MANY = [40016, 40100]
const FIRST_SERVER_CODE = 50000

function judge({ body }: ProviderAnswer): Verdict {
  const code = codeOf(body)
  if (code === OK) return 'ok'
  return code === null || TOO_MANY.includes(code) || code >= FIRST_SERVER_CODE ? 'retry' : 'refused'
}

/** Only an accepted token gets the answer that events are missing. */
function reasonOf(code: number | null): string | null {
  if (code === OK || code === WRONG_PARAMETERS) return null
  return code === null || TOO_MANY.includes(code) || code >= FIRST_SERVER_CODE ? 'unreachable' : 'unauthorized'
}
