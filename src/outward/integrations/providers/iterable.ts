import { type Static, Type } from '@sinclair/typebox'
import { SECOND } from '../../../base/lib/clock'
import { endOf } from '../hints'
import { postJson } from '../json-request'
import { defineProvider, type ProviderRequest } from '../provider'
import { isGood, objectOf, UNEXPECTED } from './answers'
import { secretKey } from './attribution'
import { changesAccess, eventName, propertiesOf } from './lifecycle'

const US = 'https://api.iterable.com'

const Credentials = Type.Object(
  {
    apiKey: secretKey,
    /** Of the data centre of the project; in the United States by default. */
    endpoint: Type.Optional(Type.Union([Type.Literal(US), Type.Literal('https://api.eu.iterable.com')])),
  },
  { additionalProperties: false, title: 'IterableCredentials' },
)

type Keys = Static<typeof Credentials>

const toUrl = ({ endpoint }: Keys, path: string): string => `${endpoint ?? US}/api/${path}`
const authorized = ({ apiKey }: Keys) => ({ 'api-key': apiKey })

const send = (keys: Keys, path: string, body: unknown): ProviderRequest =>
  postJson(toUrl(keys, path), body, authorized(keys))

/** https://api.iterable.com/api/docs */
export const ITERABLE = defineProvider({
  name: 'ITERABLE',
  title: 'Iterable',
  kind: 'LIFECYCLE',
  isRepeatable: false,
  credentials: Credentials,
  secrets: ['apiKey'],
  hint: ({ apiKey }) => endOf(apiKey),
  probe: (keys) => [{ method: 'GET', url: toUrl(keys, 'users/getFields'), headers: authorized(keys), body: null }],
  judgeProbe: (answer) => (isGood(answer) && objectOf(answer) === null ? UNEXPECTED : undefined),
  hasMapping: () => true,
  map(input) {
    const { credentials, event } = input
    const userId = input.person.appUserId
    if (userId === null) return { skip: 'missing_identity' }
    const track = send(credentials, 'events/track', {
      userId,
      // A second event with this id replaces the first.
      id: event.id,
      eventName: eventName(input),
      createdAt: Math.floor(event.occurredAt / SECOND),
      dataFields: propertiesOf(input),
    })
    const update = send(credentials, 'users/update', {
      userId,
      preferUserId: true,
      dataFields: { svcAccess: event.access },
    })
    return { requests: changesAccess(event.type) ? [update, track] : [track] }
  },
  judge(answer) {
    const said = objectOf(answer)
    if (!isGood(answer) || said === null) return 'retry'
    return said.code === 'Success' ? 'ok' : 'refused'
  },
})
