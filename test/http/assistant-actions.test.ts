import { afterAll, beforeAll, expect, test } from 'bun:test'
import { DAY, MINUTE } from '../../src/base/lib/clock'
import { toIso } from '../../src/base/lib/time'
import { ACTIONS } from '../../src/operators/assistant/intents/actions'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { delivered, deviceOwner, happen } from '../support/deliveries'
import { type Approving, approver, execute, positions, proposed, type Shown, writtenAfter } from '../support/intents'
import { untilLockIsWaitedFor } from '../support/lock-waits'
import { HALVES } from '../support/remote'
import { everyRow, type StateAt, unnamedRows, watchTrials, writtenRows } from '../support/tried-state'

let s: Stage
let a: Approving
const ids: Record<string, string> = {}
beforeAll(async () => {
  s = await stage({ env: { SVC_RATE_USER: '0', SVC_ALLOW_PRIVATE_TARGETS: '1' } })
  a = await approver(s)
  const make = async (name: string, path: string, body: object) => {
    const answer = await a.person.browser.post(a.path + path, body)
    if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
    ids[name] = answer.body.data.id
  }
  await make('flag', '/feature-flags', { key: 'f', env: 'PROD', type: 'BOOLEAN', defaultValue: true, isEnabled: true })
  await make('audience', '/audiences', { name: 'Turks', rules: { country: 'TR' } })
  await make('experiment', '/experiments', { key: 'e', name: 'Test', type: 'FLAG', audienceId: null, variants: HALVES })
  await make('placement', '/placements', { identifier: 'p', name: 'P', rows: [] })
  await make('offering', '/offerings', { identifier: 'o' })
  await make('product', '/products', { identifier: 'prod', type: 'SUBSCRIPTION', displayName: 'P' })
  await make('funnel', '/funnels', { slug: 'f', name: 'F', pages: [{ id: 'a', type: 'info', title: { en: 'A' } }] })
  await make('query', '/queries', { name: 'Revenue', sql: 'select 1' })
  await make('cohort', '/cohorts', { identifier: 'c', name: 'C', definition: { event: 'purchase.initial' } })
  await make('endpoint', '/webhook-endpoints', { name: 'b', url: 'https://8.8.8.8/hooks', eventTypes: ['*'] })
  for (const name of ['cleo', 'dora']) {
    await s.receipt(`phone-of-${name}`, s.buy(MONTHLY))
    ids[name] = (await s.get('/v1/me', `phone-of-${name}`)).body.data.subscriber.id
  }
  await make('told', '/audiences', { name: 'Two people', rules: { 'svc.deviceKey': { $contains: 'phone-of-' } } })
  ids.import = await uploaded()
  s.ctx.clock.advance(MINUTE)
  const [event = ''] = await happen(s, await deviceOwner(s, 'svc_told'), [{}])
  ids.delivery = (await delivered(s, { targetId: ids.endpoint ?? '', event })).id
})
afterAll(() => s.close())

/** A file whose columns can be mapped. */
async function uploaded(): Promise<string> {
  const cookie = [...a.person.browser.cookies].map((pair) => pair.join('=')).join('; ')
  const response = await s.app.handle(
    new Request(`http://localhost${a.path}/imports?fileName=a.csv`, {
      method: 'POST',
      headers: { cookie, origin: 'http://localhost', 'content-type': 'text/csv' },
      body: 'person,shop,item\nu1,promotional,pro\n',
    }),
  )
  return ((await response.json()) as Shown).data.id
}

const inDays = (days: number) => toIso(s.ctx.clock.now() + days * DAY)

/** In this order: later ones use what earlier ones have made. */
const CASES: [action: string, given: () => object][] = [
  ['flag.setEnabled', () => ({ id: ids.flag, isEnabled: false })],
  ['flag.update', () => ({ id: ids.flag, description: 'why', defaultValue: false })],
  ['audience.save', () => ({ id: ids.audience, description: 'why' })],
  ['audience.save', () => ({ name: 'Greeks', rules: { country: 'GR' } })],
  ['experiment.start', () => ({ id: ids.experiment })],
  ['experiment.pause', () => ({ id: ids.experiment })],
  ['experiment.resume', () => ({ id: ids.experiment })],
  ['experiment.stop', () => ({ id: ids.experiment })],
  ['placement.save', () => ({ id: ids.placement, name: 'Q' })],
  ['placement.save', () => ({ identifier: 'second', name: 'R', rows: [] })],
  ['offering.save', () => ({ id: ids.offering, metadata: { headline: 'Hi' } })],
  ['offering.save', () => ({ identifier: 'second' })],
  ['product.save', () => ({ id: ids.product, displayName: 'Other' })],
  ['product.save', () => ({ identifier: 'made', type: 'SUBSCRIPTION', displayName: 'Made' })],
  ['funnel.saveDraft', () => ({ id: ids.funnel, pages: [{ id: 'a', type: 'info', title: { en: 'B' } }] })],
  ['funnel.publish', () => ({ id: ids.funnel })],
  ['grant', () => ({ id: ids.cleo, accessIds: ['coach'], expiresAt: inDays(7) })],
  ['grant.audience', () => ({ id: ids.told, accessIds: ['coach'], expiresAt: inDays(7), reason: 'An outage' })],
  ['credits', () => ({ id: ids.cleo, code: 'coins', amount: 5, idempotencyKey: 'once' })],
  ['schedule', () => ({ purchaseId: ids.granted, action: 'CANCEL', dueAt: inDays(3), revokeImmediately: true })],
  ['attributes', () => ({ id: ids.cleo, attributes: { plan: 'gold' } })],
  ['transfer', () => ({ id: ids.cleo, toSubscriberId: ids.dora })],
  ['transfer.undo', () => ({ id: ids.transfer })],
  ['webhook.redeliver', () => ({ id: ids.delivery })],
  ['webhook.replay', () => ({ endpointId: ids.endpoint, from: inDays(-1), to: inDays(-0.001) })],
  ['query.save', () => ({ id: ids.query, name: 'Money' })],
  ['query.save', () => ({ name: 'More', sql: 'select 2' })],
  ['cohort.save', () => ({ id: ids.cohort, name: 'D' })],
  ['cohort.save', () => ({ identifier: 'd', name: 'E', definition: { event: 'purchase.initial' } })],
  ['annotation', () => ({ at: inDays(-2), text: 'Price raised' })],
  ['import.mapping', () => ({ id: ids.import, columns: { subscriberExternalId: 'person', store: 'shop' } })],
  ['dsar.open', () => ({ id: ids.dora, type: 'EXPORT' })],
  ['projectFile.apply', () => ({ patch: { products: { prod: { displayName: 'Third' } } } })],
  ['projectFile.apply', () => ({ patch: 'flags: { f: { environments: { PROD: { default: true } } } }' })],
  ['projectFile.apply', () => ({ patch: { flags: { f: null }, access: { vip: { displayName: 'V' } } } })],
]

test('every action has a case, here or in assistant-refunds.test.ts', () => {
  expect([...new Set([...CASES.map(([action]) => action), 'refund'])].sort()).toEqual(
    ACTIONS.map(({ name }) => name).sort(),
  )
})

/** What differs between two images of an object, computed apart from the product. */
function differing(path: string, before: Shown, after: Shown): Shown[] {
  if (Bun.deepEquals(before, after)) return []
  const parts = [before, after].filter((one) => one !== null)
  if (parts.some((one) => typeof one !== 'object' || Array.isArray(one))) return [{ path, before, after }]
  const names = new Set(parts.flatMap((one) => Object.keys(one)))
  return [...names].flatMap((name) => differing(`${path}/${name}`, before?.[name] ?? null, after?.[name] ?? null))
}

const ID = /\b[a-z]{2,5}_[0-9a-z]{26}\b/g
const INSTANT = /\d{4}-\d\d-\d\dT[\d:.]+Z|\b1[78]\d{11}\b/g
const timeless = (value: unknown): Shown => JSON.parse(JSON.stringify(value).replaceAll(INSTANT, 'then'))

test('a preview has no events that somebody else causes while the change is tried', async () => {
  const other = await deviceOwner(s, 'svc_busy')
  const given = { id: ids.dora, code: 'coins', amount: 1, idempotencyKey: 'while others' }
  let proposing: Promise<Shown> = Promise.resolve()
  await s.ctx.write(async (tx) => {
    await tx.lock(`subscriber:${ids.dora}`)
    proposing = proposed(a, 'credits', given)
    // A database with one writer tries the change after this transaction.
    if (!tx.needsLocks) return
    await untilLockIsWaitedFor(s.ctx)
    await happen(s, other, [{ type: 'purchase.expired' }])
  })
  const { preview, base } = await proposing
  expect(preview.effects).toMatchObject({ people: 1, events: ['currency.transaction'] })
  expect(JSON.stringify([preview, base])).not.toContain(other)
})

/** The present instant is then none that a row has already, such as the end of an earlier proposal. */
const ODD_MS = 17_003

test.each(CASES)('the preview of %s is what its execution does', async (action, givenOf) => {
  await prepare()
  s.ctx.clock.advance(ODD_MS)
  const before = await everyRow(s)
  const given = givenOf()
  const trials = watchTrials(s)
  const intent = await proposed(a, action, given)
  trials.stop()
  const change = { given, intentId: intent.id }
  expect(writtenRows(before, await everyRow(s), change)).toEqual([])
  const from = await positions(s)
  s.ctx.clock.advance(MINUTE + ODD_MS)
  const answer = await execute(a, intent)
  expect([answer.status, answer.body.error]).toEqual([200, undefined])
  expect(answer.body.data).toMatchObject({ id: intent.id, status: 'EXECUTED', digest: intent.digest })
  const after = await everyRow(s)
  expect(trials.states.map((tried) => writtenRows(before, tried, change))).toEqual([writtenRows(before, after, change)])
  const { rows, events } = await writtenAfter(s, from)
  let text = JSON.stringify(
    rows.flatMap((row) => differing(`${row.target.type}/${row.target.id}`, row.before ?? null, row.after ?? null)),
  )
  const known = before.lines.join()
  const made = [...new Set(text.match(ID) ?? [])].filter((id) => !known.includes(id))
  for (const [at, id] of made.entries()) text = text.replaceAll(id, at === 0 ? 'new' : `new-${at + 1}`)
  expect(timeless(intent.preview.changes)).toEqual(timeless(JSON.parse(text)))
  expect(intent.preview.effects.events).toEqual(events.map(({ type }) => type))
  expect(rows.length).toBeGreaterThan(0)
  for (const row of rows) expect(row).toMatchObject({ via: { intentId: intent.id }, actor: { id: a.person.id } })
  const named = new Set([...rows.map(({ target }) => target.id), ...intent.base.map(({ id }: Shown) => id), ...made])
  expect(unnamedRows(before, after, change, named)).toEqual([])
  if (action === 'webhook.replay') expect(sentAgain(intent)).toBe(newLines(before, after, 'deliveries').length)
})

const sentAgain = ({ preview }: Shown): number =>
  preview.changes.find(({ path }: Shown) => path.endsWith('/queued'))?.after

const newLines = (before: StateAt, after: StateAt, table: string): string[] =>
  after.lines.filter((line) => line.startsWith(`${table} `) && !before.lines.includes(line))

/** What only the cases before have made. */
async function prepare(): Promise<void> {
  const read = async (path: string) => (await a.person.browser.get(a.path + path)).body.data
  const { purchases } = s.ctx.tables
  ids.granted ??= (await s.ctx.db.select().from(purchases)).find(({ store }) => store === 'MANUAL')?.id as string
  ids.transfer ??= (await read('/transfers')).items[0]?.id
}
