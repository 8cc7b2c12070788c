import { type Static, Type } from '@sinclair/typebox'
import { toIso } from '../../../base/lib/time'
import { endOf } from '../hints'
import { postJson } from '../json-request'
import { defineProvider, type MappingInput, type ProviderRequest } from '../provider'
import { isGood, objectOf, UNEXPECTED } from './answers'
import { secretKey } from './attribution'
import { uuidOf } from './event-uuid'
import { changesAccess, eventName, propertiesOf } from './lifecycle'

const ENDPOINT = 'https://api.onesignal.com'

const Credentials = Type.Object(
  {
    apiKey: secretKey,
    appId: Type.String({ pattern: '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$', maxLength: 36 }),
    endpoint: Type.Optional(Type.Literal(ENDPOINT)),
  },
  { additionalProperties: false, title: 'OnesignalCredentials' },
)

type Keys = Static<typeof Credentials>

const toUrl = ({ appId }: Keys, path: string): string => `${ENDPOINT}/apps/${appId}/${path}`
const authorized = ({ apiKey }: Keys) => ({ authorization: `Key ${apiKey}` })

/** https://documentation.onesignal.com/reference/create-custom-events */
export const ONESIGNAL = defineProvider({
  name: 'ONESIGNAL',
  title: 'OneSignal',
  kind: 'LIFECYCLE',
  isRepeatable: false,
  credentials: Credentials,
  secrets: ['apiKey'],
  hint: ({ apiKey }) => endOf(apiKey),
  probe: (keys) => [{ method: 'GET', url: toUrl(keys, 'segments?limit=1'), headers: authorized(keys), body: null }],
  judgeProbe(answer) {
    if (answer.status === 400 || answer.status === 404) return 'unknown_app'
    return isGood(answer) && objectOf(answer) === null ? UNEXPECTED : undefined
  },
  hasMapping: () => true,
  map(input) {
    const label = input.person.appUserId
    if (label === null) return { skip: 'missing_identity' }
    const event = toEvent(input, label)
    const hasTags = changesAccess(input.event.type) && !isPathStep(label)
    return { requests: hasTags ? [toTags(input, label), event] : [event] }
  },
  // With 202 OneSignal also tells of events that it did not take.
  judge(answer) {
    if (!isGood(answer)) return 'retry'
    const said = answer.body === '' ? {} : objectOf(answer)
    if (said === null) return 'retry'
    const errors = said.errors
    return Array.isArray(errors) && errors.length > 0 ? 'refused' : 'ok'
  },
})

/** Such a label cannot be part of an address, so its tags cannot be set. */
const isPathStep = (label: string): boolean => label === '.' || label === '..'

/** A tag is a text; without access it is empty, which removes it. */
function toTags({ credentials, event }: MappingInput<Keys>, label: string): ProviderRequest {
  const url = toUrl(credentials, `users/by/external_id/${encodeURIComponent(label.toWellFormed())}`)
  const body = { properties: { tags: { svc_access: event.access.join(',') } } }
  return { ...postJson(url, body, authorized(credentials)), method: 'PATCH' }
}

function toEvent(input: MappingInput<Keys>, label: string): ProviderRequest {
  const { credentials, event } = input
  const one = {
    name: eventName(input),
    external_id: label,
    timestamp: toIso(event.occurredAt),
    idempotency_key: uuidOf(event.id),
    properties: propertiesOf(input),
  }
  return postJson(toUrl(credentials, 'custom_events'), { events: [one] }, authorized(credentials))
}
