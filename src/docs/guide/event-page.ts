import { type Json, liftSchema } from '../../base/lib/json-schema'
import { deliverySchemas, eventSchemas, SHARED } from '../api/event-schemas'
import { deliveryExample } from '../api/openapi-event-example'
import { exampleOf } from '../api/openapi-example'
import { GUIDE, type Page } from './page'
import { code, marked, NONE, table } from './reference-html'
import { memberRows } from './schema-words'

const lift = (schema: object): Json => liftSchema(JSON.parse(JSON.stringify(schema)) as Json)
const json = (value: unknown): string => code(JSON.stringify(value, null, 2), 'json')
const HEAD = ['Member', 'Type', 'Meaning']

/** Every event type with what it holds. */
export function eventPage(): Page {
  const sent = deliverySchemas()
  return {
    slug: 'reference/events',
    title: 'Events',
    summary: 'Every type of event, when it is written, and what its body holds.',
    html: [shapes(), ...sent.map(([type, , { when, data }]) => section(type, when, lift(data))), shared()].join('\n'),
    headings: [
      ...['Two shapes', ...sent.map(([type]) => type), ...SHARED.map(([name]) => name)].map((text) => ({
        level: 2,
        id: idOf(text),
        text,
      })),
    ],
  }
}

const idOf = (text: string): string => text.replaceAll(' ', '-')
const title = (text: string): string => `<h2 id="${idOf(text)}"><a href="#${idOf(text)}">${text}</a></h2>`

const SHAPES = `<p>The feed (<code>GET /v1/events</code>), the console and the export answer an event like this. The members of
<code>data</code> depend on <code>type</code>; each type has a section below. <code>before</code> and <code>after</code> are
the state of the subscriber around the change: all access, all balances, and for <code>purchase.*</code> that purchase. Both
are null for events of no subscriber. Once a person is erased, both are null and <code>data</code> is empty.</p>`

const SENT = `<p>A <a href="${GUIDE}webhooks">webhook</a> sends the same event in the shape of Standard Webhooks: what is about the
change stands in <code>data</code>, and <code>timestamp</code> is <code>occurredAt</code>. The OpenAPI document has each of
these bodies under <code>webhooks</code>, and <code>Event</code> as a union by <code>type</code>.</p>`

function shapes(): string {
  const [, renewed] = eventSchemas().find(([type]) => type === 'purchase.renewed') ?? ['', {}]
  const [, delivery] = deliverySchemas().find(([type]) => type === 'purchase.renewed') ?? ['', {}]
  return [
    title('Two shapes'),
    SHAPES,
    json(exampleOf({ title: 'Event' })),
    table(HEAD, memberRows(lift(renewed), NONE)),
    SENT,
    json(deliveryExample('purchase.renewed', lift(delivery))),
  ].join('\n')
}

const section = (type: string, when: string, data: Json): string =>
  [title(type), `<p>${marked(when)}</p>`, table(HEAD, memberRows(data, NONE))].join('\n')

const shared = (): string =>
  SHARED.map(([name, schema]) => [title(name), table(HEAD, memberRows(lift(schema), NONE))].join('\n')).join('\n')
