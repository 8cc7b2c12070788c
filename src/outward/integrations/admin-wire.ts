import { type Static, Type } from '@sinclair/typebox'
import { listQuery } from '../../base/http/list'
import { dataAnswer, orNull, REVISED } from '../../base/http/object-answer'
import { toIso, toIsoOrNull } from '../../base/lib/time'
import { oneOf } from '../../core/schema/object'
import { STATUSES } from '../delivery-log/wire'
import type { ShownCredentials } from './credentials'
import type { IntegrationRow } from './queries'
import { PROVIDERS } from './registry'

const strict = { additionalProperties: false } as const

const MAX_FILTERS = 100
const MAX_MAPPINGS = 200

const provider = oneOf(PROVIDERS.map(({ name }) => name))

const enabledEvents = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  maxItems: MAX_FILTERS,
  description: 'Event types: `*`, exact ones, or the beginning of some such as `purchase.*`',
})

const eventMapping = Type.Record(Type.String(), Type.String({ minLength: 1, maxLength: 100 }), {
  maxProperties: MAX_MAPPINGS,
  description:
    'Event type -> name at the provider: for own types of `POST /v1/events`, and for types that the provider calls otherwise',
})

/** Each provider has its own schema, which the service checks. */
const credentials = Type.Record(Type.String(), Type.Unknown(), {
  maxProperties: 50,
  description: 'Members of the provider; see the guide. They are encrypted, and the secret ones are never shown again.',
})

const newCredentials = Type.Record(Type.String(), Type.Unknown(), {
  maxProperties: 50,
  description:
    'Members of the provider. They take the place of the saved ones as a whole, but a secret that is left out stays as it is saved; null removes it.',
})

export const IntegrationSchema = Type.Object(
  {
    id: Type.String(),
    provider: Type.String(),
    hint: Type.String({ description: 'The end of a credential' }),
    settings: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The members of the credentials that are not secret, such as region',
    }),
    secrets: Type.Array(Type.String(), { description: 'Names of the secret members that are saved' }),
    enabledEvents,
    eventMapping,
    includeSandbox: Type.Boolean(),
    isEnabled: Type.Boolean(),
    lastError: orNull(Type.String()),
    lastSuccessAt: orNull(Type.String({ format: 'date-time' })),
    ...REVISED,
  },
  { ...strict, title: 'Integration' },
)

export type IntegrationView = Static<typeof IntegrationSchema>

export const toIntegrationView = (
  row: IntegrationRow,
  revision: number,
  { settings, secrets }: ShownCredentials,
): IntegrationView => ({
  id: row.id,
  provider: row.provider,
  hint: row.hint,
  settings,
  secrets,
  enabledEvents: row.enabledEvents,
  eventMapping: row.eventMapping,
  includeSandbox: row.includeSandbox,
  isEnabled: row.isEnabled,
  lastError: row.lastError,
  lastSuccessAt: toIsoOrNull(row.lastSuccessAt),
  revision,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})

const settings = {
  eventMapping: Type.Optional(eventMapping),
  includeSandbox: Type.Optional(Type.Boolean()),
  isEnabled: Type.Optional(Type.Boolean()),
}

export const IntegrationBody = Type.Object(
  { provider, credentials, enabledEvents, ...settings },
  { ...strict, title: 'IntegrationInput' },
)

export const IntegrationPatch = Type.Object(
  { credentials: Type.Optional(newCredentials), enabledEvents: Type.Optional(enabledEvents), ...settings },
  { ...strict, title: 'IntegrationChange' },
)

export const ValidateBody = Type.Object({ provider, credentials }, { ...strict, title: 'IntegrationCheck' })

export const BackfillBody = Type.Object(
  { days: Type.Integer({ minimum: 1, maximum: 7, description: 'How far back, in days' }) },
  { ...strict, title: 'IntegrationBackfill' },
)

export const BackfillAnswer = dataAnswer(
  Type.Object(
    { queued: Type.Integer({ minimum: 0, description: 'Deliveries that are made in the next minutes' }) },
    { ...strict, title: 'IntegrationBackfillResult' },
  ),
)

export const OkAnswer = dataAnswer(Type.Object({ ok: Type.Literal(true) }, { ...strict, title: 'IntegrationChecked' }))

export const NoBody = Type.Object({}, strict)

export const IntegrationQuery = Type.Object(listQuery, strict)

export const IntegrationDeliveryQuery = Type.Object(
  {
    ...listQuery,
    status: Type.Optional(oneOf(STATUSES)),
    type: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Event type' })),
    subscriberId: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  },
  strict,
)
