import { type Static, Type } from '@sinclair/typebox'
import { invalid } from '../../base/errors'
import { bodyInstant } from '../../base/http/parameters'
import { hashSignals } from '../../outward/integrations/signals'
import type { CallerTraits, ClientEvent } from './client-event'
import { SESSION_EVENT_TYPES, type SessionEvent } from './session-event'

const strict = { additionalProperties: false } as const
/** A newer client may send more. With a 400 it would lose its whole batch. */
const lenient = { additionalProperties: true } as const
const MAX_BATCH = 200

const DeviceKey = { minLength: 1, maxLength: 128 } as const
const Time = Type.String({ maxLength: 64, description: 'ISO 8601', examples: ['2026-11-20T08:00:00.000Z'] })
const Version = Type.Optional(Type.String({ maxLength: 32, examples: ['2.4.1'] }))

export const SessionBody = Type.Object(
  {
    subscriberId: Type.String({ ...DeviceKey, description: 'The device key', examples: ['svc_device_1'] }),
    events: Type.Array(
      Type.Object(
        {
          type: Type.Union(SESSION_EVENT_TYPES.map((type) => Type.Literal(type))),
          occurredAt: Time,
          durationMs: Type.Optional(
            Type.Union([Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), Type.Null()], {
              description: 'Length of the session that ends with this event',
            }),
          ),
          appVersion: Version,
          sdkVersion: Version,
        },
        { ...lenient, title: 'SessionEvent' },
      ),
      { minItems: 1, maxItems: MAX_BATCH },
    ),
  },
  lenient,
)

export const readSessionEvents = ({ events }: Static<typeof SessionBody>): SessionEvent[] =>
  events.map((event, index) => ({
    type: event.type,
    occurredAt: bodyInstant(`events[${index}].occurredAt`, event.occurredAt),
    durationMs: event.durationMs ?? 0,
    appVersion: event.appVersion ?? null,
    sdkVersion: event.sdkVersion ?? null,
  }))

const signal = (maxLength: number) => Type.Optional(Type.String({ maxLength }))

export const ClientEventBody = Type.Object(
  {
    eventType: Type.String({ minLength: 1, maxLength: 128, examples: ['tutorial_completed'] }),
    occurredAt: Time,
    version: Type.Optional(Type.Literal(1)),
    eventId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 128, description: 'Repetitions within 7 days are dropped' }),
    ),
    subscriberId: Type.Optional(
      Type.String({ maxLength: 128, description: 'The device key; takes precedence over the header' }),
    ),
    productId: Type.Optional(Type.String({ maxLength: 255 })),
    amount: Type.Optional(Type.String({ pattern: '^-?\\d{1,15}(\\.\\d{1,6})?$', maxLength: 23, examples: ['9.99'] })),
    currency: Type.Optional(Type.String({ pattern: '^[A-Za-z]{3}$', maxLength: 3, examples: ['EUR'] })),
    eventSourceUrl: Type.Optional(
      Type.String({ maxLength: 2048, description: 'Absolute, http or https', examples: ['https://example.com/start'] }),
    ),
    identityContext: Type.Optional(
      Type.Object(
        {
          email: signal(320),
          externalId: signal(255),
          phone: signal(64),
          ip: signal(64),
          userAgent: signal(1024),
          firstName: signal(255),
          lastName: signal(255),
          city: signal(255),
          countryCode: signal(64),
        },
        {
          ...strict,
          title: 'IdentityContext',
          description: 'Hashed before anything is stored; ip and userAgent are not stored with the event',
        },
      ),
    ),
  },
  strict,
)

type Body = Static<typeof ClientEventBody>

/** The plain signals end here: what is returned has their hashes. */
export function readClientEvent(body: Body): { event: ClientEvent; traits: CallerTraits } {
  const { identityContext: plain } = body
  const event = {
    eventId: body.eventId ?? null,
    eventType: body.eventType,
    occurredAt: bodyInstant('occurredAt', body.occurredAt),
    productId: body.productId ?? null,
    amount: body.amount ?? null,
    currency: body.currency?.toUpperCase() ?? null,
    eventSourceUrl: body.eventSourceUrl === undefined ? null : checkUrl(body.eventSourceUrl),
    signals: plain ? hashSignals({ ...plain, country: plain.countryCode }) : null,
  }
  return { event, traits: { ip: plain?.ip?.trim() || null, userAgent: plain?.userAgent?.trim() || null } }
}

function checkUrl(text: string): string {
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return text
  throw invalid('eventSourceUrl must be an absolute http or https address')
}
