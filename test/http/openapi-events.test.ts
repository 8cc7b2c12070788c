import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020'
import { typesOf } from '../../src/console-types'
import { PLACES } from '../../src/docs/guide/id-page'
import { EVENT_TYPES } from '../../src/people/events/event-types'
import { causeOf } from '../../src/people/events/model'
import { recordProjectEvent } from '../../src/people/events/service'
import { erase } from '../support/erased'
import { expose, track } from '../support/experiments'
import { give, grantOnPurchase, identify, rowOf } from '../support/facts'
import { startReceiver } from '../support/receiver'
import { configure } from '../support/remote'
import { type CliStage, cliStage, svc } from '../support/simulate'

type Json = Record<string, unknown>

interface Hook {
  post: { requestBody: { content: { 'application/json': { schema: { $ref: string }; example: Json } } } }
}

interface Parameter {
  $ref?: string
  in?: string
  name?: string
  description?: string
  schema?: { pattern?: string }
}

interface Operation {
  parameters: Parameter[]
  requestBody?: { content: { 'application/json': { schema: { $ref?: string } } } }
}

interface Document {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, Hook>
  components: { schemas: Record<string, Json> }
}

/** The receiver is on this machine. */
const PRIVATE = { SVC_ALLOW_PRIVATE_TARGETS: '1' }

let s: CliStage
let documents: { api: Document; dashboard: Document }
beforeAll(async () => {
  s = await cliStage(PRIVATE)
  const read = async (name: string) => (await s.call('GET', `/${name}.json`, { key: null })).body as Document
  documents = { api: await read('openapi'), dashboard: await read('openapi-dashboard') }
})
afterAll(() => s.close())

/** What a stranger's validator says about a schema of a document; the formats of numbers and texts say no more. */
function validatorOf(document: Document, name: string): ValidateFunction {
  const ajv = ajvs.get(document) ?? new Ajv2020({ strict: false, validateFormats: false })
  if (!ajvs.has(document)) ajv.addSchema({ $id: 'svc', components: document.components })
  ajvs.set(document, ajv)
  const validate = ajv.getSchema(`svc#/components/schemas/${name}`)
  if (!validate) throw new Error(`no schema ${name}`)
  return validate
}

const ajvs = new Map<Document, Ajv2020>()

const bodyOf = ({ webhooks }: Document, type: string) => webhooks[type]?.post.requestBody.content['application/json']
const nameOf = (document: Document, type: string) => bodyOf(document, type)?.schema.$ref.split('/').at(-1) ?? 'none'

/** A line for each value that a schema refuses. */
const refusedBy = (validate: ValidateFunction, values: readonly Json[]): string[] =>
  values.flatMap((value) => {
    const isTaken: boolean = validate(value)
    return isTaken ? [] : [`${value.type}: ${JSON.stringify(validate.errors?.slice(0, 3))}`]
  })

test('there is a webhook for each event type and for the test, with an example of its own', () => {
  const { webhooks } = documents.api
  expect(Object.keys(webhooks)).toEqual([...EVENT_TYPES, 'webhook.test'])
  for (const type of Object.keys(webhooks)) {
    const example = bodyOf(documents.api, type)?.example ?? {}
    expect(example.type).toBe(type)
    expect(JSON.stringify(example)).not.toContain('"text"')
    expect(refusedBy(validatorOf(documents.api, nameOf(documents.api, type)), [example])).toEqual([])
  }
  expect(documents.dashboard).not.toHaveProperty('webhooks')
})

test('Event is a union by type in both documents, and the test is none of it', () => {
  for (const { components } of Object.values(documents)) {
    const { discriminator, oneOf } = components.schemas.Event as { discriminator: { mapping: object }; oneOf: object[] }
    expect(Object.keys(discriminator.mapping)).toEqual([...EVENT_TYPES])
    expect(oneOf).toHaveLength(EVENT_TYPES.length)
    const { before } = (components.schemas.CurrencyTransactionEvent as { properties: Json }).properties
    expect(JSON.stringify(before)).toContain('SubscriberState')
    expect(JSON.stringify(components.schemas.SubscriberState)).not.toContain('PurchaseView')
    expect(JSON.stringify(components.schemas.PurchaseChangeState)).toContain('PurchaseView')
    expect(JSON.stringify(components.schemas.SubscriberState)).toContain('int64')
  }
})

describe('what is really recorded and sent', () => {
  const receiver = startReceiver()
  afterAll(() => receiver.close())

  /** Makes most things happen that a project can have, at three stores. */
  async function live(): Promise<void> {
    await grantOnPurchase(s)
    for (const store of ['ios', 'android', 'payment']) {
      const take = (turn: string, ...more: string[]) => s.simulate(turn, '--device', store, ...more)
      await take('purchase', '--product', 'pro_monthly', '--store', store)
      await identify(s, store, `user_${store}`)
      for (const turn of ['renew', 'billing-issue', 'recover', 'cancel']) await take(turn)
      await s.simulate('advance', '62d')
      const trial = ['--product', 'pro_monthly', '--store', store, '--trial']
      await s.simulate('purchase', '--device', `${store}_trial`, ...trial)
      await s.simulate('advance', '10d')
      await s.simulate('refund', '--device', `${store}_trial`)
      await s.simulate('purchase', '--device', `${store}_more`, '--product', 'pro_monthly', '--store', store)
      await s.simulate('upgrade', '--device', `${store}_more`, '--to', 'pro_yearly')
      await identify(s, `${store}_more`, `user_${store}`)
    }
    await s.simulate('purchase', '--device', 'once', '--product', 'coins_100', '--store', 'ios')
    await give(s, 'ios_trial', 5, 'k1')
    await configure(s, { experiments: [{ key: 'checkout_test' }] })
    await expose(s, 'svc_d4', 'b')
    await track(s, 'svc_d4', [{ type: 'conversion', experimentId: 'checkout_test' }])
    await s.ctx.write((tx) =>
      recordProjectEvent(tx, s.project.id, causeOf('IMPORT', 'imp_1'), {
        type: 'import.committed',
        data: { jobId: 'imp_1', rows: 2 },
      }),
    )
  }

  const feed = async (): Promise<Json[]> =>
    (await s.call('GET', '/v1/events?limit=1000', { key: s.project.secretKey })).body.data.items

  test('is as the documents say, also after an erasure', async () => {
    const hook = (...args: string[]) => svc(s.ctx, ['webhook', ...args, '--project', s.project.id], PRIVATE)
    expect((await hook('create', `${receiver.url}/a`, '--name', 'a', '--types', '*')).err).toEqual([])
    await live()
    const events = await feed()
    const types = new Set(events.map(({ type }) => type))
    expect([...types].length).toBeGreaterThan(17)
    for (const document of Object.values(documents)) {
      expect(refusedBy(validatorOf(document, 'Event'), events)).toEqual([])
      // Another type than its own is not taken.
      expect(validatorOf(document, 'Event')({ ...events[0], type: 'webhook.test' })).toBe(false)
    }
    await s.ctx.state.dispatcher.runDue()
    expect((await hook('test', 'a')).err).toEqual([])
    const sent = receiver.received.map(({ body }) => JSON.parse(body) as Json)
    expect(new Set(sent.map(({ type }) => type))).toEqual(new Set([...types, 'webhook.test']))
    for (const body of sent)
      expect(refusedBy(validatorOf(documents.api, nameOf(documents.api, String(body.type))), [body])).toEqual([])
    await erase(s, (await rowOf(s, 'ios')).id)
    const left = await feed()
    expect(left.some(({ before, data }) => before === null && Object.keys(data as Json).length === 0)).toBe(true)
    expect(refusedBy(validatorOf(documents.api, 'Event'), left)).toEqual([])
  })
})

const READER = `
import type { components } from './api'

type Event = components['schemas']['Event']
type Delivery = components['schemas']['PurchaseRefundedDelivery'] | components['schemas']['CurrencyTransactionDelivery']

export function read(event: Event): string | number | null | undefined {
  switch (event.type) {
    case 'purchase.refunded':
      return event.data.refund?.currency ?? event.after?.purchase?.status
    case 'currency.transaction':
      // @ts-expect-error Only purchase.* has a purchase.
      event.after?.purchase
      return event.data.balance ?? event.after?.balances.gems
    case 'import.committed':
      return event.data.rows
    default:
      // @ts-expect-error Other types have other members.
      return event.data.balance
  }
}

export const sum = (sent: Delivery): number =>
  sent.type === 'currency.transaction' ? sent.data.amount : (sent.data.refund?.amountMicros ?? 0)
`

test('the types that openapi-typescript makes of it narrow by type', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-events-'))
  try {
    await Bun.write(join(folder, 'api.d.ts'), await typesOf(JSON.stringify(documents.api)))
    await Bun.write(join(folder, 'reader.ts'), READER)
    const tsc = join(import.meta.dir, '../../node_modules/.bin/tsc')
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--types', '', '--ignoreConfig']
    const ran = Bun.spawnSync(['bun', tsc, ...options, 'reader.ts'], { cwd: folder })
    expect([ran.stdout.toString(), ran.exitCode]).toEqual(['', 0])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('every parameter is described, and the filter for a subscriber is no device key', () => {
  const parameters = Object.values(documents).flatMap(({ paths }) =>
    Object.entries(paths).flatMap(([path, item]) =>
      Object.values(item).flatMap((operation) => operation.parameters.map((parameter) => ({ path, ...parameter }))),
    ),
  )
  const own = parameters.filter(({ $ref }) => $ref === undefined)
  expect(own.length).toBeGreaterThan(500)
  expect(own.filter(({ description = '' }) => description === '').map(({ path, name }) => `${path} ${name}`)).toEqual(
    [],
  )
  const filters = own.filter(({ name, schema }) => name === 'subscriberId' && schema?.pattern?.startsWith('^sub_'))
  expect(filters.length).toBeGreaterThan(1)
  for (const { path, description } of filters)
    expect([path, description]).toEqual([path, expect.stringContaining('`sub_` id')])
})

/** Names under which a call names a person. */
const PERSON = /^(x-svc-(app-)?user-id|(from|to)?appUserId|(from|to)?subscriberId|deviceKey|svcId)$/i

test('the guide has every place where a call names a person, and no other', () => {
  const { paths, components } = documents.api
  const found = Object.entries(paths).flatMap(([path, item]) =>
    Object.values(item).flatMap(({ parameters, requestBody }) => {
      const schema = requestBody?.content['application/json'].schema ?? {}
      const body = schema.$ref ? components.schemas[schema.$ref.split('/').at(-1) ?? ''] : schema
      return [
        ...parameters.map((parameter) => [parameter.in, parameter.name ?? '']),
        ...Object.keys((body as { properties?: Json } | undefined)?.properties ?? {}).map((name) => ['body', name]),
      ].flatMap(([place, name = '']) => (PERSON.test(name) ? [`${path} ${place} ${name}`] : []))
    }),
  )
  const listed = PLACES.flatMap(([of, place, name]) => of.map((path) => `${path} ${place} ${name}`))
  expect(listed.toSorted()).toEqual([...new Set(found)].sort())
})
