import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Stage, stage } from '../support/cast'

let s: Stage
beforeAll(async () => {
  s = await stage({ env: { SVC_RATE_KEY: '0', SVC_RATE_IP: '0' } })
})
afterAll(() => s.close())

const DEVICE = { 'x-svc-app-user-id': 'svc_ada' }

async function messageOf(method: string, path: string, body?: unknown): Promise<string> {
  const secret = { key: s.project.secretKey, headers: DEVICE }
  const refused = await s.call(method, path, { ...secret, ...(body === undefined ? {} : { body }) })
  const { status, body: answer } =
    refused.status === 403
      ? await s.call(method, path, { headers: DEVICE, ...(body === undefined ? {} : { body }) })
      : refused
  return status === 400 ? (answer.error?.message ?? answer.errorDetails ?? '') : ''
}

const messages: [name: string, path: string, body: unknown, message: string][] = [
  [
    'members that are missing',
    '/v1/receipts/ios',
    { receipt: 'x' },
    'body/appUserId: Expected required property; body/productId: Expected required property',
  ],
  [
    'a text that breaks two rules at once',
    '/v1/identify',
    { deviceKey: 'svc_ada', appUserId: '' },
    'body/appUserId: Expected string length greater or equal to 1',
  ],
  [
    'a choice that is missing or unknown',
    '/v1/subscribers/svc_ada/restore',
    {
      receipts: [
        { receipt: 'x', productId: 'y' },
        { store: 'X', receipt: 'x', productId: 'y' },
      ],
    },
    'body/receipts/0/store: Expected IOS_STORE or ANDROID_STORE; body/receipts/1/store: Expected IOS_STORE or ANDROID_STORE',
  ],
  [
    'an identifier in the wrong form and a member that is unknown',
    '/v1/subscribers/transfer',
    { fromAppUserId: 'a', toAppUserId: 'b', purchaseIds: ['x'], more: 1 },
    "body/more: Unexpected property; body/purchaseIds/0: Expected string to match '^pur_[0-9a-hjkmnp-tv-z]{26}$'",
  ],
]
for (const [name, path, body, message] of messages)
  test(`${name}: one sentence for each fault`, async () => expect(await messageOf('POST', path, body)).toBe(message))

test('a query that breaks a rule is told in one sentence', async () => {
  expect(await messageOf('GET', '/v1/events?limit=x')).toBe('query/limit: Expected integer')
})

interface Schema {
  properties?: Record<string, Schema>
  items?: Schema
  $ref?: string
}

interface Operation {
  requestBody?: { content?: Record<string, { schema?: Schema }> }
}

interface Described {
  paths: Record<string, Record<string, Operation>>
  components?: { schemas?: Record<string, Schema> }
}

/** The places that a message names, one for each sentence. */
const placesOf = (message: string): string[] => message.split('; ').map((sentence) => sentence.split(': ')[0] ?? '')

/** Bodies that break the schema in one way at all its members: nothing there, another type, an empty text. */
const brokenBodies = (names: readonly string[]): object[] => [
  {},
  ...[[], '', -1.5, { x: 1 }, [{}], [''], null].map((value) => Object.fromEntries(names.map((name) => [name, value]))),
]

describe('no refusal of a body says twice what is wrong at one place', () => {
  test('on any route', async () => {
    const document: Described = (await s.call('GET', '/openapi.json', { key: null })).body
    const resolve = (schema: Schema): Schema =>
      schema.$ref === undefined ? schema : (document.components?.schemas?.[schema.$ref.split('/').at(-1) ?? ''] ?? {})
    const doubled: string[] = []
    let refused = 0
    for (const [template, operations] of Object.entries(document.paths))
      for (const [method, operation] of Object.entries(operations)) {
        const schema = operation.requestBody?.content?.['application/json']?.schema
        if (!schema || template.startsWith('/webhooks')) continue
        const path = template.replaceAll(/\{[^}]+\}/g, 'svc_ada')
        for (const body of brokenBodies(Object.keys(resolve(schema).properties ?? {}))) {
          const message = await messageOf(method.toUpperCase(), path, body)
          if (message.includes(': ')) refused++
          const places = placesOf(message)
          if (new Set(places).size < places.length) doubled.push(`${method} ${path}: ${message}`)
        }
      }
    expect(doubled).toEqual([])
    expect(refused).toBeGreaterThan(40)
  })
})
