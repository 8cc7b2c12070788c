import { type Json, liftSchema } from '../../base/lib/json-schema'
import { deliverySchemas, eventName, eventSchemas } from './event-schemas'
import { deliveryExample } from './openapi-event-example'
import { nameSchemas } from './openapi-named'

/** The name of the schema that routes use for events. */
const EVENT = 'Event'

/**
 * The schemas of a document with `Event` as a union by `type`. Routes declare less: what was recorded by an earlier
 * version must be answered too, also where it lacks a member.
 */
export function withEvents(schemas: Record<string, Json>): Record<string, Json> {
  if (!(EVENT in schemas)) return schemas
  const all = eventSchemas()
  const union: Json = {
    title: EVENT,
    description: 'What happened. `type` says which members `data` has.',
    oneOf: all.map(([, schema]) => lift(schema)),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(all.map(([type]) => [type, `#/components/schemas/${eventName(type)}`])),
    },
  }
  return { ...schemas, ...nameSchemas({ event: { schema: union } }).schemas }
}

/** The `webhooks` of a document, and the schemas that they use. */
export function webhooksOf(): { webhooks: Json; schemas: Record<string, Json> } {
  const drawn = Object.fromEntries(
    deliverySchemas().map(([type, schema, { when }]) => [type, hook(type, when, lift(schema))]),
  )
  const { paths, schemas } = nameSchemas(drawn)
  return { webhooks: paths, schemas }
}

const lift = (schema: object): Json => liftSchema(JSON.parse(JSON.stringify(schema)) as Json)

const hook = (type: string, when: string, schema: Json): Json => ({
  post: {
    tags: ['Webhooks'],
    summary: type,
    description: when,
    operationId: `receive${String(schema.title)}`,
    security: [],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: { 'application/json': { schema, example: deliveryExample(type, schema) } },
    },
    responses: { '2XX': { description: 'Received. Any other status, and none within 15 s, is tried again.' } },
  },
})

const header = (name: string, description: string, example: string): Json => ({
  name,
  in: 'header',
  description,
  required: true,
  schema: { type: 'string' },
  example,
})

const HEADERS = [
  header('webhook-id', 'The id of the event, the same on every attempt', 'evt_01m5wynsm0e35rw9hmckwyqppc'),
  header('webhook-timestamp', 'Unix seconds of this attempt', '1793000000'),
  header(
    'webhook-signature',
    'Standard Webhooks 1.0.0; while a secret is changed, two of them with a space between',
    'v1,sqw/USnK3YHmzWbG11Xg5QiEQylElWYKaKA1VW57L9A=',
  ),
]
