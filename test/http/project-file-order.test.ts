// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders of project files look so.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { createProject } from '../../src/projects/project/service'
import { applyFile } from '../../src/projects/project-file/apply'
import { changesOf } from '../../src/projects/project-file/changes'
import { formatDiff, jsonDiff } from '../../src/projects/project-file/diff'
import { loadCurrent } from '../../src/projects/project-file/load'
import { parseProjectFile } from '../../src/projects/project-file/parse'
import { writeYaml } from '../../src/projects/project-file/write-yaml'
import { type Stage, stage } from '../support/cast'
import { SECTIONS } from '../support/sections'

// A file of all sections: the order of its changes, of their audit rows, and of what is exported.

let on: Stage
let projectId: string
beforeAll(async () => {
  on = await stage()
  projectId = (await createProject(on.ctx, { name: 'Sleep App', slug: 'sleep-app' })).project.id
})
afterAll(() => on.close())

const two = (member: string, ...values: unknown[]): string =>
  values.map((value, index) => `{ id: v${index}, name: V, weight: 0.5, ${member}: ${value} }`).join(', ')

const FILE = `version: 1
project: { slug: sleep-app, timezone: Europe/Istanbul, settings: { holdoutPercentage: 5 } }
stores:
  commissionRates: { IOS_STORE: 0.15 }
  payment: { mode: test, secretKey: sk_test_1, webhookSecret: "\${env:NONE}" }
placements: { spot: { name: Spot, isActive: false, rows: [{ audience: Turkey, target: { experiment: shows } }, { target: { funnel: long } }] } }
funnels:
  short: { name: Short, defaultLocale: en }
  long: { name: Long, defaultLocale: en, publish: true, settings: { offering: default }, pages: [{ id: a, type: info, title: { en: Hi } }] }
experiments:
  shows: { name: Shows, type: FUNNEL, variants: [${two('funnel', 'long', 'short')}] }
  prices: { name: Prices, type: OFFERING, audience: Turkey, variants: [${two('value', 'default', 'other')}] }
flags: { f: { type: BOOLEAN, environments: { DEVELOPMENT: { default: true }, PROD: { default: false, rules: [{ audience: Turkey, value: true }] } } } }
audiences: { Turkey: { rules: { z: 1, country: TR } } }
offerings: { other: {}, default: { packages: [{ identifier: slot, product: p }] } }
products: { p: { type: CONSUMABLE, displayName: P, access: [pro], metadata: { b: 1, a: 2 }, grants: [{ currency: gems, amount: 1, on: PURCHASE }] } }
virtualCurrencies: { gems: { name: Gems } }
access: { pro: { displayName: Pro } }
`

const EXPORT = `version: 1

project:
  # prj_ID
  slug: sleep-app
  name: Sleep App
  timezone: Europe/Istanbul
  settings:
    holdoutPercentage: 5

access:
  pro:
    # acc_ID
    displayName: Pro

virtualCurrencies:
  gems:
    # vcy_ID
    name: Gems

products:
  p:
    # prd_ID
    type: CONSUMABLE
    displayName: P
    access: [pro]
    metadata:
      a: 2
      b: 1
    grants:
      - currency: gems
        amount: 1
        on: PURCHASE

offerings:
  default:
    # off_ID
    isDefault: true
    packages:
      - identifier: slot
        product: p
  other:
    # off_ID
    {}

audiences:
  Turkey:
    # aud_ID
    rules:
      country: TR
      z: 1

flags:
  f:
    type: BOOLEAN
    environments:
      PROD:
        # flg_ID
        enabled: true
        default: false
        rules:
          - audience: Turkey
            value: true
      DEVELOPMENT:
        # flg_ID
        enabled: true
        default: true

experiments:
  prices:
    # exp_ID
    name: Prices
    type: OFFERING
    audience: Turkey
    variants:
      - id: v0
        name: V
        weight: 0.5
        value: default
      - id: v1
        name: V
        weight: 0.5
        value: other
    status: DRAFT
  shows:
    # exp_ID
    name: Shows
    type: FUNNEL
    variants:
      - id: v0
        name: V
        weight: 0.5
        funnel: long
      - id: v1
        name: V
        weight: 0.5
        funnel: short
    status: DRAFT

funnels:
  long:
    # fnl_ID
    name: Long
    defaultLocale: en
    publish: true
    settings:
      offering: default
    pages:
      - id: a
        type: info
        title:
          en: Hi
  short:
    # fnl_ID
    name: Short
    defaultLocale: en

placements:
  spot:
    # plc_ID
    name: Spot
    isActive: false
    rows:
      - audience: Turkey
        target:
          experiment: shows
      - audience: null
        target:
          funnel: long

stores:
  payment:
    mode: test
    secretKey: \${env:PAYMENT_SECRET_KEY}
    webhookSecret: \${env:PAYMENT_WEBHOOK_SECRET}
  commissionRates:
    IOS_STORE: 0.15
`

async function apply(text: string, prune: boolean) {
  const parsed = parseProjectFile(SECTIONS, text, { env: () => null, file: () => null })
  if ('unreadable' in parsed) throw new Error(JSON.stringify(parsed.unreadable))
  const plan = await applyFile(on.ctx, projectId, parsed, { prune })
  expect(plan.problems).toEqual([])
  return plan
}

test('objects are made in the order of what they name, and exported in the order of the file', async () => {
  const plan = await apply(FILE, false)
  expect(formatDiff(changesOf(plan), plan.keptSecrets)).toEqual([
    '~ project sleep-app',
    '    timezone: UTC -> Europe/Istanbul',
    '    settings.holdoutPercentage: 0 -> 5',
    '+ access pro',
    '+ virtualCurrency gems',
    '+ product p',
    '+ offering other',
    '+ offering default',
    '+ audience Turkey',
    '+ funnel short',
    '+ funnel long',
    '+ flag f (PROD)',
    '+ flag f (DEVELOPMENT)',
    '+ experiment shows',
    '+ experiment prices',
    '+ placement spot',
    '+ store payment',
    '+ store commissionRates',
    '! stores.payment.webhookSecret    NONE is not set, and no value is saved',
    '15 to create, 1 to change, 0 to delete.',
  ])
  expect(jsonDiff(changesOf(plan), plan.keptSecrets).changes.slice(-3)).toEqual([
    {
      op: 'create',
      kind: 'store',
      ref: 'payment',
      path: null,
      before: null,
      after: { mode: 'test', accountId: null, publishableKey: null, notificationForwards: [], secretKey: '(new)' },
    },
    {
      op: 'create',
      kind: 'store',
      ref: 'commissionRates',
      path: null,
      before: null,
      after: { IOS_STORE: 0.15, ANDROID_STORE: null, PAYMENT: null },
    },
    { op: 'keep-secret', kind: 'store', ref: 'payment', path: 'webhookSecret', before: null, after: 'NONE is not set' },
  ])
  const { auditLog: log } = on.ctx.tables
  const rows = await on.ctx.db.select().from(log).where(eq(log.projectId, projectId)).orderBy(log.position)
  expect(rows.slice(1).map(({ action, target }) => `${action} ${target.id.slice(0, 4)}`)).toEqual([
    'project.update prj_',
    'access.create acc_',
    'virtualCurrency.create vcy_',
    'product.create prd_',
    'offering.create off_',
    'offering.create off_',
    'audience.create aud_',
    'funnel.create fnl_',
    'funnel.create fnl_',
    'flag.create flg_',
    'flag.create flg_',
    'experiment.create exp_',
    'experiment.create exp_',
    'placement.create plc_',
    'store.create paym',
    'store.create comm',
  ])
  const text = writeYaml(await loadCurrent(on.ctx, projectId, SECTIONS), { withIds: true })
  expect(text.replaceAll(/_[0-9a-z]{26}/g, '_ID')).toBe(EXPORT)
  expect(changesOf(await apply(text, true))).toEqual([])
})

test('everything is deleted in the same order', async () => {
  const empty = ['access', 'virtualCurrencies', 'products', 'offerings', 'audiences', 'flags', 'experiments', 'funnels']
  const text = `version: 1\n${[...empty, 'placements', 'stores'].map((name) => `${name}: {}\n`).join('')}`
  const plan = await apply(text, true)
  expect(formatDiff(changesOf(plan), plan.keptSecrets)).toEqual([
    '- access pro                      (--prune)',
    '~ virtualCurrency gems            (--prune)',
    '    isArchived: false -> true',
    '- product p                       (--prune)',
    '- offering default                (--prune)',
    '- offering other                  (--prune)',
    '- audience Turkey                 (--prune)',
    '- funnel long                     (--prune)',
    '- funnel short                    (--prune)',
    '- flag f (DEVELOPMENT)            (--prune)',
    '- flag f (PROD)                   (--prune)',
    '- experiment prices               (--prune)',
    '- experiment shows                (--prune)',
    '- placement spot                  (--prune)',
    '- store payment                   (--prune)',
    '- store commissionRates           (--prune)',
    '0 to create, 1 to change, 14 to delete.',
  ])
})
