import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { declaredTables, EXPORT_FILES, type ExportFile } from '../../src/base/db/personal-data'
import { SHOWN_ROWS } from '../../src/moving/data-requests/export/page'
import { SECTIONS } from '../../src/moving/data-requests/export/sections'
import { MONTHLY } from '../support/cast'
import { exportOf, linesOf } from '../support/data-requests'
import { changeSettings, identify, rowOf } from '../support/facts'
import {
  askForData,
  type EverywherePerson,
  type EverywhereStage,
  everywhereStage,
  personEverywhere,
} from '../support/person-everywhere'

let s: EverywhereStage
let ada: EverywherePerson
let bo: EverywherePerson
let files: Map<string, string>
beforeAll(async () => {
  s = await everywhereStage()
  ada = await personEverywhere(s, 'zq-ada')
  bo = await personEverywhere(s, 'zq-bo')
  for (const person of [ada, bo]) await askForData(s, person)
  files = await exportOf(s, ada.label)
})
afterAll(() => s.close())

const all = (of: ReadonlyMap<string, string> = files) => [...of.values()].join('\n')

/** What says something about this person and about nobody else. */
const namesOf = ({ tag, ids, accountToken, customerId }: EverywherePerson) => [tag, ...ids, accountToken, customerId]

/** Rows of a table as texts. */
async function textsOf(member: string): Promise<string[]> {
  const { db, tables } = s.ctx
  const rows: object[] = await db
    .select()
    .from(Reflect.get(tables, member))
    .catch(() => [])
  return rows.map((row) => JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? String(value) : value)))
}

test('has the files of wire 5.17, others, and a page', () => {
  const named = 'subscriber.json attributes.json purchases.jsonl transactions.jsonl ledger.jsonl events.jsonl'.split(
    ' ',
  )
  const more = 'experiments.jsonl sessions.jsonl telemetry.jsonl funnels.jsonl requests.jsonl'.split(' ')
  expect([...files.keys()].slice(0, 11)).toEqual([...named, ...more])
  expect([...files.keys()]).toEqual([...EXPORT_FILES, 'index.html'])
  expect(Object.keys(SECTIONS)).toEqual([...EXPORT_FILES])
})

describe('the law of exports', () => {
  test('everything that was said about the person is in it', () => {
    const said = { ...ada.markers, label: ada.label, email: ada.email, token: ada.accountToken, who: ada.customerId }
    const missing = Object.entries({ ...said, first: ada.deviceKeys[0], second: ada.deviceKeys[1] }).filter(
      ([, text]) => !all().includes(text),
    )
    expect(missing).toEqual([])
    for (const id of ada.ids) expect(all()).toContain(id)
  })

  test('and nothing that was said about another person', async () => {
    for (const name of namesOf(bo)) expect(all()).not.toContain(name)
    const others = await exportOf(s, bo.deviceKeys[0])
    for (const name of namesOf(bo)) expect(all(others)).toContain(name)
    for (const name of namesOf(ada)) expect(all(others)).not.toContain(name)
  })

  test('a table that names the person says that it holds something about people', async () => {
    const declared = declaredTables(s.ctx.tables, s.ctx.hooks)
    const names = [ada.tag, ada.accountToken, ada.customerId]
    const silent: string[] = []
    for (const [member, { holds }] of declared) {
      const texts = await textsOf(member)
      if (holds === 'NOTHING' && texts.some((text) => names.some((name) => text.includes(name)))) silent.push(member)
    }
    expect(silent).toEqual([])
  })

  test('a table with rows about the person that is said to be exported has its file', async () => {
    const empty: string[] = []
    for (const [member, { exported }] of declaredTables(s.ctx.tables, s.ctx.hooks)) {
      if (exported === null || (typeof exported === 'object' && 'withheld' in exported)) continue
      const own = (await textsOf(member)).filter((text) => namesOf(ada).some((name) => text.includes(name)))
      const named: readonly ExportFile[] = typeof exported === 'string' ? [exported] : exported
      if (own.length > 0) empty.push(...named.filter((file) => !files.get(file)).map((file) => `${member} ${file}`))
    }
    expect(empty).toEqual([])
  })

  test('no secret of the operator and no address of a receiver is in it', async () => {
    const [endpoint] = await s.ctx.db.select().from(s.ctx.tables.webhookEndpoints)
    expect(endpoint).toBeDefined()
    for (const secret of [s.receiver.url, s.project.secretKey, endpoint?.sealedSecret ?? '', 'usr_owner'])
      expect(all()).not.toContain(secret)
  })
})

test('the rows say what they are about', () => {
  const subscriber = JSON.parse(files.get('subscriber.json') ?? '')
  expect(subscriber).toMatchObject({
    ...{ id: ada.id, appUserId: ada.label, deviceKey: ada.deviceKeys[1], paymentCustomerIds: [ada.customerId] },
    mergedRows: [{ id: ada.ids[1], deviceKey: ada.deviceKeys[0] }],
    ...{ balances: { coins: 100, gems: 8 }, access: { pro: { isActive: true }, coach: { isActive: true } } },
    sessionTotals: [{ opens: 1 }],
  })
  expect(JSON.parse(files.get('attributes.json') ?? '').attributes).toMatchObject({
    note: { value: ada.markers.attribute, source: 'sdk' },
    told: { value: ada.markers.serverAttribute, source: 'api' },
    seen: { value: ada.markers.staffAttribute, source: 'dashboard' },
  })
  const stores = linesOf(files, 'purchases.jsonl').filter(({ record }) => record === 'purchase')
  expect(stores.map(({ store }) => store).sort()).toEqual(['IOS_STORE', 'IOS_STORE', 'MANUAL', 'PAYMENT'])
  expect(stores[0]).toMatchObject({ accountToken: ada.accountToken, presentedContext: expect.anything() })
  const kinds = new Set(linesOf(files, 'purchases.jsonl').map(({ record }) => record))
  expect([...kinds].sort()).toEqual(['purchase', 'scheduledAction', 'storeReport'])
  expect(linesOf(files, 'transactions.jsonl').length).toBeGreaterThan(2)
  expect(linesOf(files, 'ledger.jsonl').map(({ description }) => description)).toContain(ada.markers.ledgerDescription)
  expect(linesOf(files, 'experiments.jsonl').map(({ record }) => record)).toEqual(['assignment', 'event'])
  expect(linesOf(files, 'sessions.jsonl')).toMatchObject([{ appVersion: ada.markers.appVersion }])
  expect(linesOf(files, 'telemetry.jsonl')).toMatchObject([{ eventId: ada.markers.eventId }])
  expect(linesOf(files, 'groups.jsonl').map(({ record }) => record)).toContain('cohort')
  expect(linesOf(files, 'groups.jsonl').map(({ record }) => record)).toContain('leaderboard')
  expect(linesOf(files, 'requests.jsonl')).toMatchObject([{ type: 'EXPORT', requestedBy: ada.markers.requestedBy }])
  const messages = linesOf(files, 'store-messages.jsonl')
  expect(new Set(messages.map(({ store }) => store))).toEqual(new Set(['IOS_STORE', 'PAYMENT']))
  expect(new Set(messages.map(({ record }) => record))).toEqual(new Set(['message', 'refundRequest']))
  expect(messages.map(({ type }) => type)).toContain('CONSUMPTION_REQUEST')
  expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length)
  expect(files.get('funnels.jsonl')).toBe('')
})

test('all times are as on the wire', () => {
  for (const [name, text] of files) {
    if (name === 'index.html' || name === 'store-messages.jsonl') continue
    for (const [, time] of text.matchAll(/"\w+At": ?"([^"]+)"/g)) expect(time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  }
})

describe('the page', () => {
  const page = () => files.get('index.html') ?? ''

  /** Names and attributes of all elements. */
  async function elementsOf(html: string): Promise<{ name: string; attributes: [string, string][] }[]> {
    const elements: { name: string; attributes: [string, string][] }[] = []
    const rewriter = new HTMLRewriter().on('*', {
      element: ({ tagName, attributes }) =>
        void elements.push({ name: tagName, attributes: [...attributes] as [string, string][] }),
    })
    await rewriter.transform(new Response(html)).text()
    return elements
  }

  test('loads nothing and runs nothing, whatever the values are', async () => {
    const hostile = `"><script>alert(1)</script><img src=x onerror=alert(2)>&lt;'\u202e`
    await s.get('/v1/me', 'svc_hostile')
    const attributes = { note: hostile, $displayName: '</td></table><a href="javascript:alert(3)">x</a>' }
    await s.post('/v1/me/attributes', { attributes }, { headers: { 'x-svc-app-user-id': 'svc_hostile' } })
    await s.post('/v1/experiments/track?subscriberId=svc_hostile', {
      events: [{ type: '<b>signup</b>', metadata: { '<i>key</i>': hostile } }],
    })
    const html = (await exportOf(s, 'svc_hostile')).get('index.html') ?? ''
    const elements = await elementsOf(html)
    for (const banned of ['script', 'img', 'b', 'i', 'iframe', 'link', 'base', 'form', 'object'])
      expect(elements.map(({ name }) => name)).not.toContain(banned)
    const links = elements.flatMap(({ attributes: own }) => own.filter(([name]) => name === 'href' || name === 'src'))
    for (const [, target] of links) expect(target).toMatch(/^(#[a-z-]+|[a-z-]+\.jsonl?)$/)
    expect(elements.flatMap(({ attributes: own }) => own.filter(([name]) => name.startsWith('on')))).toEqual([])
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(html).not.toContain('\u202e')
    expect(html).toContain("default-src 'none'")
  })

  test('has a heading, a link and a text for each file, and an element for each link', async () => {
    const elements = await elementsOf(page())
    const ids = elements.flatMap(({ attributes: own }) => own.filter(([name]) => name === 'id').map(([, id]) => id))
    const targets = elements.flatMap(({ attributes: own }) =>
      own.filter(([name]) => name === 'href').map(([, to]) => to),
    )
    for (const file of EXPORT_FILES) expect(targets).toContain(file)
    for (const target of targets.filter((one) => one.startsWith('#'))) expect(ids).toContain(target.slice(1))
    expect(new Set(ids).size).toBe(ids.length)
    for (const { title, about } of Object.values(SECTIONS)) {
      expect(page()).toContain(`>${title}</h2>`)
      expect(page()).toContain(about)
    }
  })

  test('says times in words, and keeps them for programs', () => {
    expect(page()).toContain('<time datetime="2026-11-20T08:00:00.000Z">20 November 2026, 08:00:00</time>')
    expect(page()).toContain(ada.markers.attribute)
  })
})

test('many rows are all in the files, and the page says what it leaves out', async () => {
  await s.get('/v1/me', 'svc_busy')
  const row = await rowOf(s, 'svc_busy')
  await s.ctx.write(async (tx) => {
    const { trackedEvents: t } = tx.tables
    for (let part = 0; part < 6; part++) {
      const rows = Array.from({ length: 200 }, (_, at) => ({
        ...{ projectId: row.projectId, subscriberId: row.id, type: `event ${part * 200 + at}`, experimentKey: null },
        ...{ occurredAt: s.ctx.clock.now(), recordedAt: s.ctx.clock.now(), metadata: null },
      }))
      await tx.db.insert(t).values(rows)
    }
  })
  const busy = await exportOf(s, 'svc_busy')
  const types = linesOf(busy, 'experiments.jsonl').map(({ type }) => type)
  expect(types).toEqual(Array.from({ length: 1200 }, (_, at) => `event ${at}`))
  const html = busy.get('index.html') ?? ''
  expect(html).toContain(`The other ${1200 - SHOWN_ROWS} rows are in the file.`)
  expect(html).not.toContain(`event ${SHOWN_ROWS + 1}<`)
})

test('an amount of 64 bits keeps its digits', async () => {
  await s.get('/v1/me', 'svc_rich')
  const raw = '{"amount": 9223372036854775807, "idempotencyKey": "rich"}'
  await s.call('POST', '/v1/virtual-currencies/svc_rich/gems/transactions', { key: s.project.secretKey, raw })
  const rich = await exportOf(s, 'svc_rich')
  expect(rich.get('ledger.jsonl')).toContain('"amount":9223372036854775807')
  expect(rich.get('subscriber.json')).toContain('"gems": 9223372036854775807')
  expect(rich.get('index.html')).toContain('9223372036854775807')
})

describe('other people', () => {
  test('who gave or got a purchase stay unnamed', async () => {
    await changeSettings(s, { purchaseTransfer: 'always', extraReservedKeys: true })
    for (const [device, label] of [
      ['svc_giver', 'label-of-giver'],
      ['svc_taker', 'label-of-taker'],
    ] as const)
      await identify(s, device, label)
    const payload = s.buy(MONTHLY)
    await s.receipt('svc_giver', payload)
    expect((await s.receipt('svc_taker', payload)).status).toBe(200)
    const [giver, taker] = [await rowOf(s, 'svc_giver'), await rowOf(s, 'svc_taker')]
    const [of, by] = [await exportOf(s, 'svc_giver'), await exportOf(s, 'svc_taker')]
    expect(linesOf(of, 'transfers.jsonl')).toMatchObject([{ from: giver.id, to: 'another person', isMerge: false }])
    expect(linesOf(by, 'transfers.jsonl')).toMatchObject([{ from: 'another person', to: taker.id }])
    expect(all(of)).not.toContain('taker')
    expect(all(by)).not.toContain('giver')
    expect(linesOf(of, 'purchases.jsonl')).toEqual([])
  })

  test('a merge that was undone leaves two people', async () => {
    await identify(s, 'svc_one', 'label-of-one')
    await identify(s, 'svc_two', 'label-of-two')
    const key = { key: s.project.secretKey }
    const body = { fromAppUserId: 'svc_one', toAppUserId: 'svc_two' }
    const merged = await s.post('/v1/subscribers/transfer', body, key)
    expect(merged.status).toBe(200)
    expect(all(await exportOf(s, 'svc_two'))).toContain('svc_one')
    const undone = await s.post(`/v1/subscribers/transfer/${merged.body.data.transferId}/undo`, {}, key)
    expect(undone.status).toBe(200)
    for (const [own, other] of [
      ['one', 'two'],
      ['two', 'one'],
    ] as const) {
      const text = all(await exportOf(s, `svc_${own}`))
      expect(text).toContain(`label-of-${own}`)
      expect(text).not.toContain(`label-of-${other}`)
      expect(text).not.toContain(`svc_${other}`)
    }
  })
})

test('who is merged while the export is written gets a whole file of one moment', async () => {
  await identify(s, 'svc_before', 'label-of-moving')
  const { write } = s.ctx.state.blobs
  s.ctx.state.blobs.write = async (key, bytes) => {
    s.ctx.state.blobs.write = write
    const stored = await write(key, bytes)
    await identify(s, 'svc_after', 'label-of-moving')
    return stored
  }
  const moving = await exportOf(s, 'svc_before')
  expect(JSON.parse(moving.get('subscriber.json') ?? '')).toMatchObject({ deviceKey: 'svc_before', mergedRows: [] })
  expect(linesOf(await exportOf(s, 'svc_after'), 'requests.jsonl')).toHaveLength(2)
})
