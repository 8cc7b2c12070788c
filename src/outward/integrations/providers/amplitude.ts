import { Type } from '@sinclair/typebox'
import { unitsOf } from '../../../core/money/money'
import { endOf } from '../hints'
import { postJson, revenueOf, withoutNulls } from '../json-request'
import { defineProvider, type MappingInput } from '../provider'

const Credentials = Type.Object(
  {
    apiKey: Type.String({ minLength: 1, maxLength: 200 }),
    region: Type.Union([Type.Literal('US'), Type.Literal('EU')]),
  },
  { additionalProperties: false, title: 'AmplitudeCredentials' },
)

interface Keys {
  apiKey: string
  region: 'US' | 'EU'
}

const HOSTS = { US: 'https://api2.amplitude.com', EU: 'https://api.eu.amplitude.com' } as const

const toUrl = ({ region }: Keys): string => `${HOSTS[region]}/2/httpapi`

/** https://amplitude.com/docs/apis/analytics/http-v2 */
export const AMPLITUDE = defineProvider({
  name: 'AMPLITUDE',
  title: 'Amplitude',
  kind: 'ANALYTICS',
  isRepeatable: false,
  credentials: Credentials,
  secrets: ['apiKey'],
  hint: ({ apiKey }) => endOf(apiKey),
  // No events: the answer to a good key is that they are missing, to a bad one that it is bad.
  probe: (credentials) => [postJson(toUrl(credentials), { api_key: credentials.apiKey, events: [] })],
  judgeProbe: ({ status, body }) =>
    status !== 400 ? undefined : /invalid api[ _]key|"missing_field":\s*"api_key"/i.test(body) ? 'unauthorized' : null,
  hasMapping: () => true,
  map(input) {
    const { person, credentials } = input
    const userId = person.amplitudeUserId ?? person.appUserId ?? person.subscriberId
    if (userId === null && person.devices.amplitudeDeviceId === null)
      return { skip: person.hasHiddenDevices ? 'no_consent' : 'missing_identity' }
    const body = {
      api_key: credentials.apiKey,
      // Own ids may be shorter than the 5 characters that are asked for by default.
      options: { min_id_length: 1 },
      events: [toEvent(input, userId)],
    }
    return { requests: [postJson(toUrl(credentials), body)] }
  },
})

const toEvent = ({ event, person, money, mappedName }: MappingInput<Keys>, userId: string | null) =>
  withoutNulls({
    user_id: userId,
    device_id: person.devices.amplitudeDeviceId,
    event_type: mappedName ?? `svc_${event.type.replaceAll('.', '_')}`,
    time: event.occurredAt,
    insert_id: event.id,
    platform: event.platform,
    idfa: person.devices.idfa,
    idfv: person.devices.idfv,
    adid: person.devices.gpsAdId,
    productId: event.productId,
    quantity: event.quantity,
    revenue: revenueOf(event.type, money),
    event_properties: withoutNulls({
      environment: event.environment,
      store: event.store,
      transaction_id: event.transactionId,
      amount: money && unitsOf(money.amountMicros),
      currency: money?.currency,
    }),
  })
