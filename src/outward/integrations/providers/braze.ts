import { type Static, Type } from '@sinclair/typebox'
import { toIso } from '../../../base/lib/time'
import { endOf } from '../hints'
import { postJson, withoutNulls } from '../json-request'
import { defineProvider, type MappingInput, type ProviderRequest } from '../provider'
import { isGood, objectOf, UNEXPECTED } from './answers'
import { secretKey } from './attribution'
import { changesAccess, eventName, propertiesOf } from './lifecycle'

const Credentials = Type.Object(
  {
    apiKey: secretKey,
    /** The REST endpoint of the workspace's instance, such as `https://rest.fra-02.braze.eu`. */
    endpoint: Type.String({ maxLength: 100, pattern: '^https://rest\\.[a-z]{2,4}-[0-9]{2}\\.braze\\.(?:com|eu)/?$' }),
    /** The app identifier, so that events count for one app of the workspace. */
    appId: Type.Optional(Type.String({ minLength: 1, maxLength: 100, pattern: '^[A-Za-z0-9-]+$' })),
  },
  { additionalProperties: false, title: 'BrazeCredentials' },
)

type Keys = Static<typeof Credentials>

const send = ({ apiKey, endpoint }: Keys, body: unknown): ProviderRequest =>
  postJson(`${endpoint.replace(/\/$/, '')}/users/track`, body, { authorization: `Bearer ${apiKey}` })

/** https://www.braze.com/docs/api/endpoints/user_data/post_user_track */
export const BRAZE = defineProvider({
  name: 'BRAZE',
  title: 'Braze',
  kind: 'LIFECYCLE',
  isRepeatable: false,
  credentials: Credentials,
  secrets: ['apiKey'],
  hint: ({ apiKey }) => endOf(apiKey),
  // Nothing to track: Braze checks the key and its permission, then refuses the empty request.
  probe: (keys) => [send(keys, {})],
  judgeProbe(answer) {
    if (answer.status === 400) return null
    if (answer.status === 403) return 'missing_permission'
    return isGood(answer) ? UNEXPECTED : undefined
  },
  hasMapping: () => true,
  map(input) {
    const externalId = input.person.appUserId
    if (externalId === null) return { skip: 'missing_identity' }
    return { requests: [send(input.credentials, toTrack(input, externalId))] }
  },
  // Braze accepts a request and tells in the same answer which of its objects it did not take.
  judge(answer) {
    const said = objectOf(answer)
    if (!isGood(answer) || said === null) return 'retry'
    if (said.message === 'queued' || said.events_processed === 1) return 'ok'
    return said.message === 'success' && said.errors === undefined ? 'ok' : 'refused'
  },
})

function toTrack(input: MappingInput<Keys>, externalId: string) {
  const { credentials, event } = input
  const attributes = [{ external_id: externalId, svc_access: event.access }]
  return {
    ...(changesAccess(event.type) && { attributes }),
    events: [
      withoutNulls({
        external_id: externalId,
        app_id: credentials.appId,
        name: eventName(input),
        time: toIso(event.occurredAt),
        properties: propertiesOf(input),
      }),
    ],
  }
}
