import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { createProject } from '../../src/projects/project/service'
import { applyFile } from '../../src/projects/project-file/apply'
import { formatProblems } from '../../src/projects/project-file/diff'
import { locateProblems, parseProjectFile } from '../../src/projects/project-file/parse'
import { type Stage, stage } from '../support/cast'
import { isPostgresRun } from '../support/postgres'
import { SECTIONS } from '../support/sections'

// Files with many faults of all sections, and the whole list of what is told of each, in its order.

let on: Stage
let projectId: string
beforeAll(async () => {
  on = await stage({ env: { SVC_SIMULATOR: 'off' } }) // The test store would take payments.
  projectId = (await createProject(on.ctx, { name: 'Sleep App', slug: 'sleep-app' })).project.id
  expect(await problemsOf(SAVED, false)).toEqual([])
})
afterAll(() => on.close())

async function problemsOf(text: string, prune = true): Promise<string[]> {
  const parsed = parseProjectFile(SECTIONS, text, { env: () => null, file: () => null })
  if ('unreadable' in parsed) throw new Error(JSON.stringify(parsed.unreadable))
  const { problems } = await applyFile(on.ctx, projectId, parsed, { prune })
  return formatProblems('svc.yaml', locateProblems(parsed, problems))
}

const many = (count: number, object: string): string =>
  Array.from({ length: count }, (_, index) => `  n${index}: ${object}\n`).join('')

/** Two variants of equal weight: `two('value', 1, 2)`. */
const two = (member: string, ...values: unknown[]): string =>
  values.map((value, index) => `{ id: v${index}, name: V, weight: 0.5, ${member}: ${value} }`).join(', ')

const SAVED = `version: 1
access: { a: { displayName: A }, b: { displayName: B } }
virtualCurrencies: { gems: { name: Gems }, coins: { name: Coins } }
products:
  p: { type: CONSUMABLE, displayName: P, storeIds: { ios: x }, access: [a], grants: [{ currency: gems, amount: 1, on: PURCHASE }] }
  q: { type: CONSUMABLE, displayName: Q }
offerings: { default: { isDefault: true }, o1: { packages: [{ identifier: slot, product: p }] }, o2: {} }
audiences: { Turkey: { rules: {} }, Old: { rules: { age: { $gte: 65 } } } }
flags:
  f:
    type: BOOLEAN
    environments: { PROD: { default: false, rules: [{ audience: Turkey, value: true }] }, STAGING: { default: true } }
experiments:
  runs: { name: Runs, type: FLAG, audience: Old, status: RUNNING, variants: [${two('value', 1, 2)}] }
  prices: { name: Prices, type: OFFERING, variants: [${two('value', 'o1', 'o2')}] }
  shows: { name: Shows, type: FUNNEL, variants: [${two('funnel', 'long', 'short')}] }
funnels:
  long: { name: Long, defaultLocale: en, settings: { offering: o1 }, pages: [{ id: a, type: payment }] }
  short: { name: Short, defaultLocale: en }
placements:
  spot: { name: Spot, rows: [{ audience: Turkey, target: { experiment: shows } }, { target: { funnel: long } }] }
`

test('what is pruned from under objects that the file leaves alone, and too much of it', async () => {
  const text = `version: 1
access:
${many(201, '{ displayName: A }')}virtualCurrencies:
${many(101, '{ name: C }')}offerings:
${many(201, '{}')}audiences: { All users: { rules: { a: 1 } } }
`
  expect(await problemsOf(text)).toEqual([
    'svc.yaml:2:1 access: access a cannot be pruned: product p uses it (CONFLICT)',
    'svc.yaml:2:1 access: 201 access, but at most 200 (CONFLICT)',
    'svc.yaml:204:1 virtualCurrencies: virtualCurrency gems cannot be pruned: product p uses it (CONFLICT)',
    'svc.yaml:204:1 virtualCurrencies: 101 virtualCurrencies, but at most 100 (CONFLICT)',
    'svc.yaml:306:1 offerings: 201 offerings, but at most 200 (CONFLICT)',
    'svc.yaml:306:1 offerings: offering o1 cannot be pruned: experiment prices uses it (CONFLICT)',
    'svc.yaml:306:1 offerings: offering o2 cannot be pruned: experiment prices uses it (CONFLICT)',
    'svc.yaml:306:1 offerings: offering o1 cannot be pruned: funnel long uses it (CONFLICT)',
    'svc.yaml:508:1 audiences: audience Old cannot be pruned: experiment runs uses it (audience_in_use)',
    'svc.yaml:508:1 audiences: audience Turkey cannot be pruned: flag f (PROD) uses it (audience_in_use)',
    'svc.yaml:508:14 audiences.All users: All users is the audience of everybody; it cannot be changed, renamed or deleted (CONFLICT)',
  ])
})

test('products, funnels and experiments that others name', async () => {
  const text = `version: 1
products: {}
flags: { f: { type: STRING, environments: { PROD: { default: a } } } }
experiments:
${many(51, `{ name: E, type: FLAG, status: RUNNING, variants: [${two('value', 1, 2)}] }`)}`
  expect(await problemsOf(text)).toEqual([
    'svc.yaml:2:1 products: product p cannot be pruned: offering o1 uses it (CONFLICT)',
    'svc.yaml:4:1 experiments: experiment runs cannot be pruned: only a DRAFT can be deleted, and it is RUNNING (EXPERIMENT_STATE)',
    'svc.yaml:4:1 experiments: 51 experiments would run, but at most 50 (CONFLICT)',
    'svc.yaml:4:1 experiments: experiment shows cannot be pruned: placement spot uses it (CONFLICT)',
  ])
  expect(await problemsOf('version: 1\nfunnels: { other: { name: O, defaultLocale: en } }\n')).toEqual([
    'svc.yaml:2:1 funnels: funnel long cannot be pruned: experiment shows uses it (CONFLICT)',
    'svc.yaml:2:1 funnels: funnel short cannot be pruned: experiment shows uses it (CONFLICT)',
  ])
})

test('faults of reading and of planning in every section, told by their places', async () => {
  const text = `version: 1
project: { slug: other, timezone: Nowhere }
access:
  b: { displayName: B, was: a }
  c: { displayNam: C }
virtualCurrencies:
  coins: { name: Coins, was: gems, clawback: some }
products:
  q: { type: CONSUMABLE, displayName: Q, was: p, storeIds: { ios: y }, access: [a, nope] }
  r: { type: CONSUMABLE, displayName: R, storeIds: { ios: y }, grants: [{ currency: nope, amount: 1, on: RENEWAL }] }
offerings:
  o1: { isDefault: true, packages: [{ identifier: slot, product: nope }, { identifier: slot, product: q }] }
  o2: { isDefault: true, was: default }
audiences:
  Everybody: { was: All users, rules: { a: { $like: 1 } } }
  Turkey: { was: Old, rules: {} }
flags:
  f: { type: STRING, environments: { PROD: { default: 1, rules: [{ audience: Nowhere, value: x }] } } }
  g: { type: BOOLEAN, environments: { PROD: { default: true, rules: [{ audience: Nobody, value: false }] } } }
  prices: { type: BOOLEAN, environments: { PROD: { default: true } } }
experiments:
  g: { name: Runs, was: runs, type: OFFERING, status: PAUSED, variants: [${two('value', 'o1', 'nope')}] }
  half: { name: Half, type: FUNNEL, status: COMPLETED, odd: 1, variants: [${two('funnel', 'long', 'gone')}] }
  late: { name: Late, type: FLAG, status: RUNNING, scheduledStopAt: 2020-01-01T00:00:00Z, variants: [${two('value', 1, 2)}] }
  done: { name: Done, type: FLAG, status: COMPLETED, variants: [${two('value', 1, 2)}] }
funnels:
  short: { name: Short, defaultLocale: en, was: long, publish: true, pages: [{ id: a, type: payment, next: { default: b } }] }
  half: { name: Half, defaultLocale: en, odd: 1, publish: true, settings: { offering: nope }, pages: [{ id: a, type: payment }] }
  empty: { name: Empty, defaultLocale: en, publish: true }
placements:
  other: { name: Other, rows: [{ audience: Nowhere, target: { funnel: gone } }, { target: { experiment: late } }] }
  more: { name: More, was: spot, rows: [{ target: none }, { target: { experiment: runs } }] }
stores:
  ios: { bundleId: com.x, inAppPurchaseKey: { keyId: A, issuerId: B, privateKey: nothing } }
  windows: {}
webhookEndpoints: { a: { url: 'https://10.0.0.1/x', eventTypes: [purchase.sold] } }
acess: {}
`
  expect(await problemsOf(text)).toEqual([
    'svc.yaml:2:12 project.slug: This file is for other, not for sleep-app; to rename the project add was: sleep-app',
    'svc.yaml:2:25 project.timezone: This must be a time zone like Europe/Istanbul or UTC',
    'svc.yaml:4:24 access.b.was: a cannot become b: that is there already (IDENTIFIER_TAKEN)',
    'svc.yaml:5:3 access.c: displayName is missing',
    'svc.yaml:5:8 access.c.displayNam: Unknown key "displayNam"; did you mean displayName?',
    'svc.yaml:7:25 virtualCurrencies.coins.was: gems cannot become coins: that is there already (IDENTIFIER_TAKEN)',
    'svc.yaml:7:36 virtualCurrencies.coins.clawback: This must be one of none, available, full',
    'svc.yaml:9:42 products.q.was: p cannot become q: that is there already (IDENTIFIER_TAKEN)',
    'svc.yaml:9:81 products.q.access[0]: There is no access called a (UNKNOWN_REFERENCES)',
    'svc.yaml:9:84 products.q.access[1]: There is no access called nope (UNKNOWN_REFERENCES)',
    'svc.yaml:10:54 products.r.storeIds.ios: y is the ios id of q already (STORE_ID_TAKEN)',
    'svc.yaml:10:73 products.r.grants[0]: Only a subscription can grant on renewal (CURRENCY_GRANT_INVALID)',
    'svc.yaml:10:75 products.r.grants[0].currency: There is no virtualCurrency called nope (UNKNOWN_REFERENCES)',
    'svc.yaml:12:26 offerings.o1.packages: Two packages are called slot',
    'svc.yaml:12:57 offerings.o1.packages[0].product: There is no product called nope (UNKNOWN_REFERENCES)',
    'svc.yaml:13:9 offerings.o2.isDefault: o2 is the second default offering; there is exactly one',
    'svc.yaml:13:26 offerings.o2.was: default cannot become o2: that is there already (IDENTIFIER_TAKEN)',
    'svc.yaml:15:3 audiences.Everybody: All users is the audience of everybody; it cannot be changed, renamed or deleted (CONFLICT)',
    'svc.yaml:15:46 audiences.Everybody.rules.a.$like: This is not an operator of rules; /docs/guide/reference/rules lists them',
    'svc.yaml:16:13 audiences.Turkey.was: Old cannot become Turkey: that is there already (CONFLICT)',
    'svc.yaml:18:46 flags.f.environments.PROD.default: This must be a string',
    'svc.yaml:18:68 flags.f.environments.PROD.rules[0].audience: There is no audience called Nowhere',
    'svc.yaml:19:72 flags.g.environments.PROD.rules[0].audience: There is no audience called Nobody',
    'svc.yaml:22:3 experiments.g: g is the key of a flag already, and a key names one or the other; choose another (CONFLICT)',
    'svc.yaml:22:47 experiments.g.status: A file can start an experiment, not pause it; this one is RUNNING (EXPERIMENT_STATE)',
    'svc.yaml:22:151 experiments.g.variants[1].value: There is no offering called nope (UNKNOWN_REFERENCES)',
    'svc.yaml:23:56 experiments.half.odd: Unknown key "odd"',
    'svc.yaml:23:107 experiments.half.variants[0].funnel: There is no funnel called long (UNKNOWN_REFERENCES)',
    'svc.yaml:23:155 experiments.half.variants[1].funnel: There is no funnel called gone (UNKNOWN_REFERENCES)',
    'svc.yaml:24:52 experiments.late.scheduledStopAt: The scheduledStopAt has passed; move it or remove it first',
    'svc.yaml:25:35 experiments.done.status: A file can start an experiment, not stop it; this one is DRAFT (EXPERIMENT_STATE)',
    'svc.yaml:27:44 funnels.short.was: long cannot become short: that is there already (CONFLICT)',
    'svc.yaml:27:87 funnels.short.pages[0].type: This is payment, and no payment account is connected to this project (PAYMENT_NOT_CONNECTED)',
    'svc.yaml:27:110 funnels.short.pages[0].next.default: This must name a page; there is no page b',
    'svc.yaml:28:42 funnels.half.odd: Unknown key "odd"',
    'svc.yaml:28:77 funnels.half.settings.offering: There is no offering called nope (UNKNOWN_REFERENCES)',
    'svc.yaml:29:3 funnels.empty.pages: This must have a page to be published',
    'svc.yaml:31:34 placements.other.rows[0].audience: There is no audience called Nowhere (INVALID_ROW_REF)',
    'svc.yaml:31:63 placements.other.rows[0].target.funnel: There is no funnel called gone (INVALID_ROW_REF)',
    'svc.yaml:31:93 placements.other.rows[1].target.experiment: The experiment late is of type FLAG; a placement shows one of type FUNNEL (INVALID_ROW_REF)',
    'svc.yaml:32:41 placements.more.rows[0]: This row is for everybody, so that none below it is reached: make it the last',
    'svc.yaml:32:71 placements.more.rows[1].target.experiment: There is no experiment called runs (INVALID_ROW_REF)',
    'svc.yaml:34:47 stores.ios.inAppPurchaseKey.keyId: A key id has ten letters or digits (STORE_CREDENTIALS_INVALID)',
    'svc.yaml:34:57 stores.ios.inAppPurchaseKey.issuerId: An issuer id is a UUID (STORE_CREDENTIALS_INVALID)',
    'svc.yaml:34:70 stores.ios.inAppPurchaseKey.privateKey: This must be an EC P-256 key as PKCS#8 PEM (STORE_CREDENTIALS_INVALID)',
    'svc.yaml:35:3 stores.windows: Unknown key "windows"',
    'svc.yaml:36:26 webhookEndpoints.a.url: This must not lead to a private network (WEBHOOK_URL_REJECTED)',
    'svc.yaml:36:66 webhookEndpoints.a.eventTypes[0]: This must be *, an event type, or the beginning of event types such as purchase.*; /docs/guide/reference/events lists them',
    'svc.yaml:37:1 acess: Unknown key "acess"; did you mean access?',
  ])
})

test('a flag whose type differs from what stays, told unless its own type could not be read', async () => {
  const flag = (type: string) => `version: 1
flags: { f: { ${type}environments: { PROD: { default: a } } } }
`
  expect(await problemsOf(flag('type: STRING, '), false)).toEqual([
    'svc.yaml:2:15 flags.f.type: STAGING has the type BOOLEAN, and a flag has one type: give STAGING here too',
  ])
  expect(await problemsOf(flag(''), false)).toEqual(['svc.yaml:2:10 flags.f: type is missing'])
})

test('one object for which several things are told at one place', async () => {
  const text = `version: 1
experiments: { f: { name: Other, was: runs, type: OFFERING, variants: [${two('value', "'o1'", "'o2'")}] } }
`
  const move = (status: 'RUNNING' | 'PAUSED' | 'COMPLETED') =>
    on.ctx.write((tx) =>
      tx.db.update(tx.tables.experiments).set({ status }).where(eq(tx.tables.experiments.key, 'runs')),
    )
  expect(await problemsOf(text)).toEqual([
    'svc.yaml:2:1 experiments: experiment shows cannot be pruned: placement spot uses it (CONFLICT)',
    'svc.yaml:2:16 experiments.f: f is the key of a flag already, and a key names one or the other; choose another (CONFLICT)',
    'svc.yaml:2:34 experiments.f.was: The key is fixed once the experiment has started; duplicate it',
    'svc.yaml:2:45 experiments.f.type: The type is fixed once the experiment has started; duplicate it',
  ])
  await move('PAUSED')
  expect(await problemsOf(text)).toEqual([
    'svc.yaml:2:1 experiments: experiment shows cannot be pruned: placement spot uses it (CONFLICT)',
    'svc.yaml:2:16 experiments.f: f is the key of a flag already, and a key names one or the other; choose another (CONFLICT)',
    'svc.yaml:2:16 experiments.f: The experiment is PAUSED and cannot be changed (EXPERIMENT_STATE)',
  ])
  await move('COMPLETED')
  expect(await problemsOf(text.replace('f: {', 'g: {'))).toEqual([
    'svc.yaml:2:1 experiments: experiment shows cannot be pruned: placement spot uses it (CONFLICT)',
    'svc.yaml:2:16 experiments.g: The experiment is COMPLETED and cannot be changed (EXPERIMENT_STATE)',
  ])
})

test.skipIf(isPostgresRun())('a row that is no JSON', async () => {
  await on.ctx.write((tx) => tx.db.run(sql`update placements set rows = '[{' where identifier = 'spot'`))
  await expect(problemsOf('version: 1\naccess: {}', false)).rejects.toThrow(
    'A stored audience, flag, experiment, funnel, placement, appLinks or webhookEndpoint is no JSON, so nothing can be compared with it; `svc doctor` names it: put its text right in the database, or delete its row',
  )
})
