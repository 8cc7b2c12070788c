// biome-ignore-all lint/suspicious/noTemplateCurlyInString: project files have placeholders of this form.
import { expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as yaml from 'yaml'
import { changedFile, type FileDraft } from '../../src/console/lib/file-draft'
import { type FileKind, patchOf } from '../../src/console/lib/project-file'
import { applyFile } from '../../src/projects/project-file/apply'
import { parseProjectFile } from '../../src/projects/project-file/parse'
import { sectionsOf } from '../../src/projects/project-file/sections'
import { stage } from '../support/cast'
import { type StaffCalls, staff } from '../support/staff'

// Saving a form of the console, and applying the patch that it shows: both must leave the same project.

type Json = Record<string, unknown>
type Functions = Record<string, (...given: unknown[]) => unknown>

/** The console is another program for the type checker: it has a browser. */
const load = async (path: string): Promise<Functions> =>
  (await import(`../../src/console/screens/${path}`)) as Functions
const [catalogue, growth, connections, settings, revenue] = await Promise.all([
  load('catalogue/as-file'),
  load('growth/as-file'),
  load('connections/as-file'),
  load('settings/as-file'),
  load('revenue/as-file'),
])
const models = {
  product: await load('catalogue/products/model'),
  offering: await load('catalogue/offerings/model'),
  flag: await load('growth/flags/model'),
  experiment: await load('growth/experiments/model'),
  placement: await load('growth/placements/model'),
  endpoint: await load('connections/webhooks/model'),
  ios: await load('connections/stores/ios-draft'),
}
const call = <Result>(module: Functions | undefined, name: string, ...given: unknown[]): Result =>
  module?.[name]?.(...given) as Result

const WORLD = `version: 1
access:
  vip: { displayName: V.I.P., description: "yes: no", metadata: { b: 1, a: [1, { z: 1, y: 2 }] } }
  other: { displayName: Other }
virtualCurrencies:
  stars: { name: Stars, clawback: available }
products:
  weekly:
    type: SUBSCRIPTION
    displayName: Weekly
    period: P1W
    storeIds: { ios: com.x.weekly }
    access: [vip, other]
    grants:
      - { currency: stars, amount: 9007199254740991, on: BOTH }
offerings:
  small: { packages: [{ identifier: $svc_weekly, product: weekly, promoted: true, metadata: { b: 2, a: 1 } }] }
  third: { metadata: { a: 1 } }
  large: { isDefault: true, packages: [{ identifier: $svc_weekly, product: weekly }] }
audiences:
  Turkey: { rules: { country: TR } }
  "say \\"hi\\": #1": { description: Two, rules: { b: { $in: [x, y] }, a: "1" } }
flags:
  checkout:
    type: JSON
    environments:
      PROD:
        description: New checkout
        enabled: true
        default: { b: 1, a: 2 }
        rules:
          - { audience: Turkey, conditions: { plan: { $in: [gold] }, city: Ankara }, value: { z: 1, a: 1 }, rollout: 0.25 }
          - { value: {} }
      STAGING: { description: New checkout, enabled: false, default: {} }
experiments:
  price:
    name: Price
    type: OFFERING
    audience: Turkey
    metrics: [purchase]
    scheduledStartAt: "2100-01-01T08:00:00Z"
    variants:
      - { id: a, name: Control, weight: 0.5, value: small }
      - { id: b, name: Large, weight: 0.5, value: large }
    status: DRAFT
  text:
    name: Text
    type: FLAG
    variants:
      - { id: a, name: A, weight: 0.5, value: small }
      - { id: b, name: B, weight: 0.5, value: { y: 1, x: 2 } }
    status: DRAFT
  path:
    name: Path
    type: FUNNEL
    variants:
      - { id: a, name: A, weight: 0.5, funnel: onboarding }
      - { id: b, name: B, weight: 0.5, funnel: short }
    status: DRAFT
funnels:
  onboarding:
    name: Onboarding
    defaultLocale: en
    pages:
      - { id: done, type: success, title: { en: Ready }, next: { rules: [], default: null } }
  short:
    name: Short
    defaultLocale: en
    pages:
      - { id: done, type: success, title: { en: Done }, next: { rules: [], default: null } }
placements:
  wall:
    name: Wall
    rows:
      - { audience: Turkey, target: { experiment: path } }
      - { audience: null, target: { funnel: onboarding } }
webhookEndpoints:
  backend:
    url: https://8.8.8.8/svc
    eventTypes: ["purchase.*", subscriber.transferred]
    authorization: "\${env:AUTHORIZATION}"
stores:
  payment: { mode: test, secretKey: "\${env:PAYMENT_SECRET_KEY}", webhookSecret: "\${env:PAYMENT_WEBHOOK_SECRET}" }
  refundShield: { enabled: true, delayMinutes: 60, policy: decline, customerConsented: true }
  commissionRates: { IOS_STORE: 0.15, PAYMENT: 0 }
`

const ENV: Record<string, string> = {
  AUTHORIZATION: 'Bearer one',
  WEBHOOK_BACKEND_AUTHORIZATION: 'Bearer two',
  WEBHOOK_BACK_END_AUTHORIZATION: 'Bearer two',
  PAYMENT_SECRET_KEY: 'sk_test_1',
  PAYMENT_WEBHOOK_SECRET: 'whsec_1',
}

/** A project with every kind of object. */
async function world() {
  const s = await stage()
  const owner = staff(s).as('OWNER')
  const apply = async (text: string): Promise<void> => {
    const parsed = parseProjectFile(sectionsOf(s.ctx.hooks), text, {
      env: (name) => ENV[name] ?? null,
      file: () => null,
    })
    if ('unreadable' in parsed) throw new Error(JSON.stringify(parsed.unreadable))
    expect((await applyFile(s.ctx, s.project.id, parsed, { prune: false })).problems).toEqual([])
    s.ctx.state.projects.forget(s.project.id)
  }
  await apply(WORLD)
  const data = async (path: string): Promise<Json> => (await owner.get(path)).body.data
  const items = async (path: string) => (await data(`/${path}?limit=200`)).items as Json[]
  const one = async (path: string, member: string, name: string): Promise<Json> => {
    const found = (await items(path)).find((each) => each[member] === name)
    if (!found) throw new Error(`no ${name} in ${path}`)
    return found
  }
  const nameIn = async (path: string, member: string) => {
    const names = new Map((await items(path)).map((each) => [each.id, String(each[member])]))
    return (id: unknown) => names.get(id) ?? String(id)
  }
  const funnels = await s.ctx.db.select().from(s.ctx.tables.funnels)
  const names = {
    access: await nameIn('access', 'identifier'),
    currency: await nameIn('virtual-currencies', 'code'),
    product: await nameIn('products', 'identifier'),
    audience: await nameIn('audiences', 'name'),
    experiment: await nameIn('experiments', 'key'),
    funnel: (id: unknown) => funnels.find((each) => each.id === id)?.slug ?? String(id),
  }
  const file = async () => String((await data('/project-file')).yaml)
  return { s, owner, apply, data, one, names, file, close: () => s.close() }
}

type World = Awaited<ReturnType<typeof world>>

/** One form: the object as the file will have it, and the calls that save it. */
interface Filled {
  draft: FileDraft
  save: () => Promise<unknown>
}

const saved = async (answer: ReturnType<StaffCalls['get']>): Promise<Json> => {
  const { status, body } = await answer
  expect([status, body.error]).toEqual([200, undefined])
  return body.data
}

const access =
  (change: Json) =>
  async ({ one, owner }: World): Promise<Filled> => {
    const { id, identifier, displayName, description, metadata } = await one('access', 'identifier', 'vip')
    const state = { identifier, displayName, description: description ?? '', metadata, ...change }
    const body = { ...state, description: state.description === '' ? null : state.description }
    return {
      draft: call(catalogue, 'accessAsFile', state),
      save: () => saved(owner.patch(`/access/${id}`, body)),
    }
  }

const currency =
  (change: Json) =>
  async ({ one, owner }: World): Promise<Filled> => {
    const { id, code, name, clawback } = await one('virtual-currencies', 'code', 'stars')
    const state = { code, name, clawback, ...change }
    return {
      draft: call(catalogue, 'currencyAsFile', state),
      save: () => saved(owner.patch(`/virtual-currencies/${id}`, state)),
    }
  }

const product =
  (change: Json) =>
  async ({ one, owner, names }: World): Promise<Filled> => {
    const view = await one('products', 'identifier', 'weekly')
    const base = call<Json>(models.product, 'toState', view)
    const state: Json = { ...base, ...change }
    return {
      draft: call(catalogue, 'productAsFile', state, names),
      save: async () => {
        await saved(owner.patch(`/products/${view.id}`, call<Json>(models.product, 'changeOf', state, base)))
        await saved(owner.put(`/products/${view.id}/currency-grants`, { grants: state.grants }))
      },
    }
  }

const offering =
  (identifier: string, change: (state: Json) => Json) =>
  async ({ one, owner, names }: World): Promise<Filled> => {
    const view = await one('offerings', 'identifier', identifier)
    const base = call<Json>(models.offering, 'toState', view)
    const state = { ...base, ...change(base) }
    return {
      draft: call(catalogue, 'offeringAsFile', state, view.isDefault, names.product),
      save: () => saved(owner.patch(`/offerings/${view.id}`, call<Json>(models.offering, 'toBody', state))),
    }
  }

const audience =
  (name: string, change: Json) =>
  async ({ one, owner }: World): Promise<Filled> => {
    const { id, description, rules } = await one('audiences', 'name', name)
    const state = { name, description: String(description ?? ''), rules, ...change }
    const body = { ...state, description: state.description === '' ? null : state.description }
    return {
      draft: call(growth, 'audienceAsFile', state),
      save: () => saved(owner.patch(`/audiences/${id}`, body)),
    }
  }

const flag =
  (change: (environments: Record<string, Json>) => Json) =>
  async ({ owner, data, names }: World): Promise<Filled> => {
    const path = '/feature-flags/by-key/checkout'
    const base = call<Json>(models.flag, 'toState', await data(path))
    const state = { ...base, ...change(base.environments as Record<string, Json>) }
    return {
      draft: call(growth, 'flagAsFile', state, names),
      save: () => saved(owner.put(path, call<Json>(models.flag, 'toBody', state))),
    }
  }

const experiment =
  (key: string, change: (state: Json) => Json) =>
  async ({ one, owner, names }: World): Promise<Filled> => {
    const view = await one('experiments', 'key', key)
    const base = call<Json>(models.experiment, 'toState', view)
    const state = { ...base, ...change(base) }
    return {
      draft: call(growth, 'experimentAsFile', state, names),
      save: () => saved(owner.patch(`/experiments/${view.id}`, call<Json>(models.experiment, 'changeOf', state, base))),
    }
  }

const placement =
  (change: (rows: Json[]) => Json) =>
  async ({ one, owner, names }: World): Promise<Filled> => {
    const view = await one('placements', 'identifier', 'wall')
    const base = call<Json>(models.placement, 'toState', view)
    const state = { ...base, ...change(base.rows as Json[]) }
    return {
      draft: call(growth, 'placementAsFile', state, names),
      save: () => saved(owner.patch(`/placements/${view.id}`, call<Json>(models.placement, 'toBody', state))),
    }
  }

const endpoint =
  (change: Json) =>
  async ({ one, owner }: World): Promise<Filled> => {
    const view = await one('webhook-endpoints', 'name', 'backend')
    const state = { ...call<Json>(models.endpoint, 'draftOf', view), ...change }
    return {
      draft: call(connections, 'endpointAsFile', state),
      save: () => saved(owner.patch(`/webhook-endpoints/${view.id}`, call<Json>(models.endpoint, 'bodyOf', state))),
    }
  }

const project =
  (body: Json) =>
  async ({ owner }: World): Promise<Filled> => ({
    draft: call(settings, 'projectAsFile', body, 'project-1'),
    save: () => saved(owner.patch('', body)),
  })

const rates =
  (given: Json) =>
  async ({ owner }: World): Promise<Filled> => ({
    draft: call(settings, 'ratesAsFile', given),
    save: () => saved(owner.put('/commission-rates', { rates: given })),
  })

const shield =
  (given: { delayMinutes: number; enabled: boolean; policy: string; customerConsented: boolean }) =>
  async ({ owner }: World): Promise<Filled> => ({
    draft: call(revenue, 'shieldAsFile', given),
    save: () => saved(owner.put('/refund-shield', given)),
  })

const listOf = (list: unknown): Json[] => list as Json[]
const first = (list: unknown): Json => listOf(list)[0] ?? {}
const VARIANTS = [
  { id: 'a', name: 'A', weight: 0.25, value: false },
  { id: 'b', name: 'B: #', weight: 0.75, value: true },
]

type Case = [name: string, kind: FileKind, identifier: string, fill: (world: World) => Promise<Filled>]
const cases: Case[] = [
  ['access: nothing', 'access', 'vip', access({})],
  ['access: a name of many signs', 'access', 'vip', access({ displayName: '- "a": #\n\u202Eb', description: '' })],
  ['access: metadata', 'access', 'vip', access({ metadata: { z: null, a: { d: 1.5, c: [] } } })],
  ['access: another identifier', 'access', 'vip', access({ identifier: 'best' })],
  ['currency: clawback', 'virtualCurrency', 'stars', currency({ clawback: null })],
  ['currency: another code', 'virtualCurrency', 'stars', currency({ code: 'suns' })],
  ['product: nothing', 'product', 'weekly', product({})],
  ['product: everything', 'product', 'weekly', product(PRODUCT())],
  ['product: another identifier', 'product', 'weekly', product({ identifier: 'week', displayName: 'Week' })],
  ['offering: nothing', 'offering', 'small', offering('small', () => ({}))],
  ['offering: the default', 'offering', 'small', offering('small', () => ({ isDefault: true }))],
  ['offering: another identifier', 'offering', 'third', offering('third', () => ({ identifier: 'tiny' }))],
  [
    'offering: packages',
    'offering',
    'small',
    offering('small', ({ packages }) => ({
      metadata: { headline: 'Hi' },
      packages: [
        { ...first(packages), uid: 'n1', identifier: 'second', isPromoted: false },
        { ...first(packages), metadata: {} },
      ],
    })),
  ],
  ['audience: nothing', 'audience', 'say "hi": #1', audience('say "hi": #1', {})],
  ['audience: rules', 'audience', 'say "hi": #1', audience('say "hi": #1', { rules: {}, description: '' })],
  ['audience: another name', 'audience', 'Turkey', audience('Turkey', { name: 'yes', description: 'Bir iki' })],
  ['flag: nothing', 'flag', 'checkout', flag(() => ({}))],
  [
    'flag: switches, values, rules',
    'flag',
    'checkout',
    flag(({ PROD, STAGING }) => ({
      description: '',
      environments: {
        PROD: { ...PROD, isEnabled: false, defaultValue: [], rules: listOf(PROD?.rules).toReversed() },
        STAGING: { ...STAGING, rules: [{ ...first(PROD?.rules), audienceId: null, rollout: null }] },
        DEVELOPMENT: { isEnabled: true, defaultValue: { b: 1, a: 'yes' }, rules: [] },
      },
    })),
  ],
  ['experiment: nothing', 'experiment', 'price', experiment('price', () => ({}))],
  ['experiment: another key', 'experiment', 'path', experiment('path', () => ({ key: 'road', name: 'Road' }))],
  [
    'experiment: everything',
    'experiment',
    'text',
    experiment('text', () => ({
      name: 'Words',
      metrics: ['purchase', 'yes'],
      mutualExclusionGroup: 'one',
      scheduledStopAt: '2100-02-01T08:00:00.000Z',
      variants: VARIANTS,
    })),
  ],
  [
    'experiment: less',
    'experiment',
    'price',
    experiment('price', () => ({ audienceId: null, metrics: [], scheduledStartAt: null })),
  ],
  ['placement: nothing', 'placement', 'wall', placement(() => ({}))],
  ['placement: another identifier', 'placement', 'wall', placement(() => ({ identifier: 'gate', rows: [] }))],
  [
    'placement: rows',
    'placement',
    'wall',
    placement((rows) => ({ isActive: false, rows: [{ ...rows[0], target: { type: 'none' } }, rows[1]] })),
  ],
  ['endpoint: nothing', 'webhookEndpoint', 'backend', endpoint({})],
  [
    'endpoint: everything',
    'webhookEndpoint',
    'backend',
    endpoint({ eventTypes: ['*'], environments: ['SANDBOX'], ordered: true, format: 'revenuecat' }),
  ],
  ['endpoint: another header', 'webhookEndpoint', 'backend', endpoint({ authorization: 'Bearer two' })],
  ['endpoint: another name', 'webhookEndpoint', 'backend', endpoint({ name: 'back end', authorization: 'Bearer two' })],
  [
    'project: own fields',
    'project',
    '',
    project({ name: 'One: #', allowedOrigins: ['https://a.example'], timezone: 'Asia/Tokyo' }),
  ],
  ['project: settings', 'project', '', project({ settings: { unlistedSales: 'count', sandboxTesters: ['a'] } })],
  ['project: another slug', 'project', '', project({ slug: 'second', termsUrl: 'https://example.com/terms' })],
  ['rates', 'store', 'commissionRates', rates({ IOS_STORE: null, ANDROID_STORE: 0.3, PAYMENT: 0.05 })],
  [
    'refund shield',
    'store',
    'refundShield',
    shield({ enabled: false, delayMinutes: 0, policy: 'neutral', customerConsented: false }),
  ],
]

function PRODUCT(): Json {
  return {
    displayName: 'Weekly!',
    period: 'P2W',
    storeIds: { ios: '', android: 'weekly', payment: '' },
    androidBasePlanId: 'base',
    accessIds: [],
    isActive: false,
    metadata: { b: 1, a: 2 },
    grants: [],
  }
}

const isRenamed = ({ draft }: Filled, identifier: string): boolean =>
  (draft.name !== undefined && draft.name !== identifier) || 'was' in draft.members

for (const [name, kind, identifier, fill] of cases)
  test(`the patch of a form does what saving it does: ${name}`, async () => {
    const [byForm, byFile] = [await world(), await world()]
    try {
      const form = await fill(byForm)
      const before = await byForm.file()
      const after = changedFile(yaml, before, kind, identifier, form.draft)
      const patch = patchOf('svc.yaml', before, after)
      expect(patch === null ? before : patched(before, patch)).toBe(after)
      if (name.endsWith(': nothing')) expect(patch).toBeNull()
      await form.save()
      expect(await byFile.file()).toBe(before)
      await byFile.apply(after)
      const result = await byForm.file()
      expect(await byFile.file()).toBe(result)
      if (!isRenamed(form, identifier)) expect(after).toBe(result)
    } finally {
      await Promise.all([byForm.close(), byFile.close()])
    }
  })

/** The file after `patch -p1`. */
function patched(file: string, patch: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-patch-'))
  try {
    writeFileSync(join(folder, 'svc.yaml'), file)
    const done = Bun.spawnSync(['git', 'apply', '-p1', '-'], { cwd: folder, stdin: Buffer.from(patch) })
    if (done.exitCode !== 0) throw new Error(done.stderr.toString())
    return readFileSync(join(folder, 'svc.yaml'), 'utf8')
  } finally {
    rmSync(folder, { recursive: true })
  }
}
