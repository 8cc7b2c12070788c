// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders of project files look so.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { stringify } from 'yaml'
import type { AppError } from '../../src/base/errors'
import { createVault } from '../../src/base/lib/crypto'
import { verifyAudit } from '../../src/projects/audit/audit'
import { loadStoreSettings, saveStoreSettings } from '../../src/projects/connections/credentials'
import { createProject } from '../../src/projects/project/service'
import { applyFile, planFile } from '../../src/projects/project-file/apply'
import { changesOf } from '../../src/projects/project-file/changes'
import { formatDiff } from '../../src/projects/project-file/diff'
import { fileContent } from '../../src/projects/project-file/files.fixtures'
import { loadCurrent } from '../../src/projects/project-file/load'
import { type ParsedFile, parseProjectFile } from '../../src/projects/project-file/parse'
import type { Plan } from '../../src/projects/project-file/plan'
import { writeYaml } from '../../src/projects/project-file/write-yaml'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { schemaFaults } from '../support/file-schema'
import { moreInRelease } from '../support/release'
import { SECTIONS } from '../support/sections'

let on: Stage
let projectId: string
let key: string

beforeAll(async () => {
  on = await stage()
})
afterAll(() => on.close())

beforeEach(async () => {
  const { project, publicKey } = await createProject(on.ctx, { name: 'Sleep App' })
  projectId = project.id
  key = publicKey ?? ''
})

type Env = Record<string, string>

function parse(text: string, env: Env = {}): ParsedFile {
  const parsed = parseProjectFile(SECTIONS, `version: 1\n${text}`, {
    env: (name) => env[name] ?? null,
    file: () => null,
  })
  if ('unreadable' in parsed) throw new Error(JSON.stringify(parsed.unreadable))
  return parsed
}

interface Options {
  env?: Env
  prune?: boolean
}

const apply = (text: string, { env = {}, prune = false }: Options = {}): Promise<Plan> =>
  applyFile(on.ctx, projectId, parse(text, env), { prune })

const diffOf = (plan: Plan): string[] => formatDiff(changesOf(plan), plan.keptSecrets)

const refused = (plan: Plan) => plan.problems.map(({ code, details }) => [code, details])

const exported = async (): Promise<string> =>
  writeYaml(await loadCurrent(on.ctx, projectId, SECTIONS), { withIds: true }).replace('version: 1\n', '')

/** Everything that applying a file can write. */
async function saved() {
  const { db, tables } = on.ctx
  const { projects, access, products, offerings, virtualCurrencies, currencyGrants, storeSettings, auditLog } = tables
  return {
    project: await db.select().from(projects).where(eq(projects.id, projectId)),
    access: await db.select().from(access).where(eq(access.projectId, projectId)).orderBy(access.identifier),
    products: await db.select().from(products).where(eq(products.projectId, projectId)).orderBy(products.identifier),
    offerings: await db
      .select()
      .from(offerings)
      .where(eq(offerings.projectId, projectId))
      .orderBy(offerings.identifier),
    currencies: await db
      .select()
      .from(virtualCurrencies)
      .where(eq(virtualCurrencies.projectId, projectId))
      .orderBy(virtualCurrencies.code),
    grants: await db
      .select()
      .from(currencyGrants)
      .where(eq(currencyGrants.projectId, projectId))
      .orderBy(currencyGrants.productId, currencyGrants.currencyId),
    stores: await db
      .select()
      .from(storeSettings)
      .where(eq(storeSettings.projectId, projectId))
      .orderBy(storeSettings.section),
    audit: await db.select().from(auditLog).where(eq(auditLog.projectId, projectId)).orderBy(auditLog.position),
  }
}

const FULL = `
project: { slug: SLUG, name: Sleep App, timezone: Europe/Istanbul, allowedOrigins: ["https://App.example.com:443"], settings: { holdoutPercentage: 5, reportCurrency: EUR } }
access:
  pro: { displayName: Pro, description: Full library, metadata: { b: 1, a: [x] } }
  coach: { displayName: Coach }
virtualCurrencies:
  gems: { name: Gems, clawback: available }
products:
  pro_monthly:
    type: SUBSCRIPTION
    displayName: Pro Monthly
    period: P1M
    storeIds: { ios: com.x.pro.monthly, android: pro_monthly, payment: price_monthly }
    androidBasePlanId: monthly
    access: [pro]
    grants: [{ currency: gems, amount: 100, on: BOTH }]
  pro_yearly: { type: SUBSCRIPTION, displayName: Pro Yearly, period: P1Y, storeIds: { ios: com.x.pro.yearly }, access: [pro, coach] }
offerings:
  default:
    metadata: { headline: Sleep better }
    packages:
      - { identifier: $svc_monthly, product: pro_monthly }
      - { identifier: $svc_annual, product: pro_yearly, promoted: true }
`
const full = async (): Promise<string> =>
  FULL.replace('SLUG', (await loadCurrent(on.ctx, projectId, SECTIONS)).project.slug)

describe('applying a file', () => {
  test('makes the project equal to it, and tells a running server at once', async () => {
    expect((await on.get('/v1/offerings', undefined, { key })).body.data.offerings).toEqual([])
    const plan = await apply(await full())
    expect(plan.problems).toEqual([])
    const { body } = await on.get('/v1/offerings/default', undefined, { key })
    const { access, project, grants } = await saved()
    expect(body.data).toMatchObject({ identifier: 'default', isDefault: true, metadata: { headline: 'Sleep better' } })
    expect(body.data.packages).toMatchObject([
      {
        packageIdentifier: '$svc_monthly',
        identifier: 'pro_monthly',
        order: 0,
        storeIds: { ios: 'com.x.pro.monthly', android: 'pro_monthly', payment: 'price_monthly' },
      },
      {
        packageIdentifier: '$svc_annual',
        identifier: 'pro_yearly',
        order: 1,
        isPromoted: true,
        storeIds: { android: null },
      },
    ])
    expect(body.data.packages[0].accessIds).toEqual([access.find(({ identifier }) => identifier === 'pro')?.id])
    expect(project[0]).toMatchObject({
      timezone: 'Europe/Istanbul',
      allowedOrigins: ['https://app.example.com'],
      settings: { holdoutPercentage: 5 },
    })
    expect(grants).toMatchObject([{ amount: 100n, grantOn: 'BOTH' }])
  })

  test('a second time changes nothing: no row, no revision, no audit', async () => {
    const text = await full()
    await apply(text)
    const before = await saved()
    on.ctx.clock.advance(1000)
    expect(diffOf(await apply(text))).toEqual(['no changes'])
    expect(diffOf(await apply(await exported(), { prune: true }))).toEqual(['no changes'])
    expect(await saved()).toEqual(before)
  })

  test('writes one audit row for each object, and moves only what changes', async () => {
    await apply(await full())
    const before = await saved()
    on.ctx.clock.advance(1000)
    const text = (await full()).replace('displayName: Coach', 'displayName: Trainer')
    expect(diffOf(await apply(text))).toEqual([
      '~ access coach',
      '    displayName: Coach -> Trainer',
      '0 to create, 1 to change, 0 to delete.',
    ])
    const after = await saved()
    expect(after.audit.length - before.audit.length).toBe(1)
    expect(after.audit.at(-1)).toMatchObject({
      actor: { kind: 'CLI' },
      action: 'access.update',
      target: { type: 'access', id: before.access.find(({ identifier }) => identifier === 'coach')?.id },
      before: { identifier: 'coach', displayName: 'Coach' },
      after: { identifier: 'coach', displayName: 'Trainer' },
    })
    const made = before.audit.filter(({ action }) => action === 'product.create').map(({ target }) => target.id)
    expect(made.sort()).toEqual(before.products.map(({ id }) => id).sort())
    expect(after.products).toEqual(before.products)
    expect(after.project[0]?.configVersion).toBeGreaterThan(before.project[0]?.configVersion ?? 0)
    expect(after.project[0]?.updatedAt).toBe(before.project[0]?.updatedAt as number)
  })

  test('writes nothing at all when one object is bad', async () => {
    await apply(await full())
    const before = await saved()
    const bad = [
      'access: { extra: { displayName: Extra } }\nproducts: { x: { type: CONSUMABLE, displayName: X, access: [nope] } }',
      'access: { extra: { displayName: Extra }, other: { displayName: 5 } }',
    ]
    for (const text of bad) expect((await apply(text)).problems).toHaveLength(1)
    expect(await saved()).toEqual(before)
  })

  test('is refused when the project has changed since the plan was shown', async () => {
    const parsed = parse('access: { a: { displayName: A } }')
    const { configVersion } = await planFile(on.ctx, projectId, parsed, { prune: false })
    await apply('access: { b: { displayName: B } }')
    const late = applyFile(on.ctx, projectId, parsed, { prune: false, configVersion })
    expect(((await late.catch((error) => error)) as AppError).refusal).toBe('CONFLICT')
    expect((await saved()).access.map(({ identifier }) => identifier)).toEqual(['b'])
  })

  test('files that come at the same time are applied one after the other', async () => {
    const plans = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) =>
        apply(`access: { ${name}: { displayName: X }, same: { displayName: ${name} } }`),
      ),
    )
    expect(plans.flatMap(({ problems }) => problems)).toEqual([])
    const { access, audit } = await saved()
    expect(access).toHaveLength(5)
    expect(audit).toHaveLength(1 + 8)
    expect((await verifyAudit(on.ctx, projectId)).ok).toBe(true)
  })
})

describe('refusals', () => {
  beforeEach(async () => {
    await apply(await full())
  })

  test('IDENTIFIER_TAKEN: a rename onto a name that is there', async () => {
    const cases: [section: string, object: string, resource: string, identifier: string][] = [
      ['access', 'coach: { displayName: C, was: pro }', 'access', 'coach'],
      ['products', 'pro_yearly: { type: SUBSCRIPTION, displayName: Y, was: pro_monthly }', 'product', 'pro_yearly'],
    ]
    for (const [section, object, resource, identifier] of cases)
      expect(refused(await apply(`${section}: { ${object} }`))).toContainEqual([
        'IDENTIFIER_TAKEN',
        { resource, identifier },
      ])
    await apply('offerings: { sale: {} }\nvirtualCurrencies: { coins: { name: C } }')
    expect(refused(await apply('offerings: { sale: { was: default } }'))).toEqual([
      ['IDENTIFIER_TAKEN', { resource: 'offering', identifier: 'sale' }],
    ])
    expect(refused(await apply('virtualCurrencies: { coins: { name: C, was: gems } }'))).toEqual([
      ['IDENTIFIER_TAKEN', { resource: 'virtualCurrency', identifier: 'coins' }],
    ])
  })

  test('STORE_ID_TAKEN: names the product that has it', async () => {
    const held = (await saved()).products[0]
    for (const [store, storeId] of [
      ['ios', 'com.x.pro.monthly'],
      ['payment', 'price_monthly'],
    ]) {
      const details = { store, storeId, product: { id: held?.id, identifier: 'pro_monthly' } }
      expect(
        refused(
          await apply(`products: { x: { type: CONSUMABLE, displayName: X, storeIds: { ${store}: ${storeId} } } }`),
        ),
      ).toEqual([['STORE_ID_TAKEN', details]])
    }
  })

  test('VALIDATION_ERROR: a subscription of the App Store without a period, but not one that is saved so', async () => {
    const pass = 'products: { pass: { type: SUBSCRIPTION, displayName: Pass, storeIds: { ios: com.x.pass } } }'
    expect(refused(await apply(pass)).map(([code]) => code)).toEqual(['VALIDATION_ERROR'])
    expect((await apply(pass.replace('Pass,', 'Pass, period: P1M,'))).problems).toEqual([])
    const { products: p } = on.ctx.tables
    await on.ctx.write((tx) => tx.db.update(p).set({ period: null }).where(eq(p.identifier, 'pass')))
    expect((await apply(pass)).problems).toEqual([])
  })

  test('UNKNOWN_REFERENCES: names every name', async () => {
    const plan = await apply(
      'products: { x: { type: SUBSCRIPTION, displayName: X, access: [pro, one, two], grants: [{ currency: nope, amount: 1, on: BOTH }] } }',
    )
    expect(refused(plan)).toEqual([
      ['UNKNOWN_REFERENCES', { resource: 'access', ids: ['one', 'two'] }],
      ['UNKNOWN_REFERENCES', { resource: 'access', ids: ['one', 'two'] }],
      ['UNKNOWN_REFERENCES', { resource: 'virtualCurrency', ids: ['nope'] }],
    ])
  })

  test('CURRENCY_GRANT_INVALID: a renewal of what does not renew, a currency twice', async () => {
    const grants = '[{ currency: gems, amount: 1, on: PURCHASE }, { currency: gems, amount: 1, on: BOTH }]'
    expect(refused(await apply(`products: { x: { type: SUBSCRIPTION, displayName: X, grants: ${grants} } }`))).toEqual([
      ['CURRENCY_GRANT_INVALID', { reason: 'granted_twice', currency: 'gems' }],
    ])
    expect(
      refused(
        await apply(
          'products: { x: { type: CONSUMABLE, displayName: X, grants: [{ currency: gems, amount: 1, on: RENEWAL }] } }',
        ),
      ),
    ).toEqual([['CURRENCY_GRANT_INVALID', { reason: 'renewal_needs_subscription' }]])
  })

  test('CONFLICT: a slug that another project has', async () => {
    const { slug } = (await loadCurrent(on.ctx, projectId, SECTIONS)).project
    expect(refused(await apply(`project: { slug: project-1, was: ${slug} }`))).toEqual([['CONFLICT', null]])
  })

  test('another project’s objects are not there', async () => {
    expect(refused(await apply('offerings: { x: { packages: [{ identifier: a, product: lifetime }] } }'))).toEqual([
      ['UNKNOWN_REFERENCES', { resource: 'product', ids: ['lifetime'] }],
    ])
  })
})

describe('unique values go round within one file', () => {
  test('store ids change places', async () => {
    const file = (a: string, b: string) => `products:
  a: { type: SUBSCRIPTION, displayName: A, period: P1M, storeIds: { ios: ${a}, payment: ${a} } }
  b: { type: SUBSCRIPTION, displayName: B, period: P1M, storeIds: { ios: ${b}, payment: ${b} } }`
    await apply(file('x', 'y'))
    await apply(file('y', 'x'))
    expect((await saved()).products.map(({ identifier, iosId, paymentId }) => [identifier, iosId, paymentId])).toEqual([
      ['a', 'y', 'y'],
      ['b', 'x', 'x'],
    ])
  })

  test('names move along a chain in every section', async () => {
    await apply(
      'access: { a: { displayName: A }, b: { displayName: B } }\nvirtualCurrencies: { a: { name: A }, b: { name: B } }\nproducts: { a: { type: CONSUMABLE, displayName: A, access: [a] }, b: { type: CONSUMABLE, displayName: B } }\nofferings: { a: {}, b: {} }',
    )
    const before = await saved()
    const plan = await apply(
      'access: { b: { displayName: A, was: a }, c: { displayName: B, was: b } }\nvirtualCurrencies: { b: { name: A, was: a }, c: { name: B, was: b } }\nproducts: { b: { type: CONSUMABLE, displayName: A, access: [b], was: a }, c: { type: CONSUMABLE, displayName: B, was: b } }\nofferings: { b: { was: a }, c: { was: b } }',
    )
    expect(plan.problems).toEqual([])
    const after = await saved()
    const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id).sort()
    for (const section of ['access', 'currencies', 'products', 'offerings'] as const)
      expect(idsOf(after[section])).toEqual(idsOf(before[section]))
    expect(after.products[0]?.accessIds).toEqual(before.products[0]?.accessIds as string[])
    expect(after.access.map(({ identifier }) => identifier).sort()).toEqual(['b', 'c'])
  })
})

describe('pruning', () => {
  test('a product that was bought is set inactive, one that was not is deleted', async () => {
    await on.receipt('svc_ada', on.buy(MONTHLY))
    projectId = on.project.id
    const plan = await apply('products: {}\nofferings: {}', { prune: true })
    expect(plan.problems).toEqual([])
    const { products, offerings, grants } = await saved()
    expect(products.map(({ identifier, isActive }) => [identifier, isActive])).toEqual([['pro_monthly', false]])
    expect([offerings, grants]).toEqual([[], []])
    expect((await on.get('/v1/offerings')).body.data.offerings).toEqual([])
    expect((await on.get('/v1/me/access', 'svc_ada')).body.data.access).toHaveProperty('pro')
  })
})

describe('store settings', () => {
  const pem = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString()
    .trim()
  const STORES = `stores:
  ios:
    bundleId: com.x
    appId: "1234567890"
    inAppPurchaseKey: { keyId: ABC123DEFG, issuerId: 57246542-96fe-1a63-e053-0824d011072a, privateKey: "\${env:IOS_IN_APP_PURCHASE_KEY}" }
    notificationForwards: ["https://old.example/apple"]
  payment: { mode: test, secretKey: "\${env:PAYMENT_SECRET_KEY}", webhookSecret: "\${env:PAYMENT_WEBHOOK_SECRET}" }
  commissionRates: { IOS_STORE: 0.15 }`
  const ENV = { IOS_IN_APP_PURCHASE_KEY: pem, PAYMENT_SECRET_KEY: 'sk_test_1', PAYMENT_WEBHOOK_SECRET: 'whsec_1' }
  const opened = async () =>
    Object.fromEntries(
      [...(await loadStoreSettings(on.ctx, on.ctx.vault, projectId))].map(([section, { secrets }]) => [
        section,
        secrets,
      ]),
    )

  test('secrets are sealed, and stand in no diff, audit row or export', async () => {
    const plan = await apply(STORES, { env: ENV })
    expect(plan.problems).toEqual([])
    expect(await opened()).toEqual({
      ios: { 'inAppPurchaseKey.privateKey': pem },
      payment: { secretKey: 'sk_test_1', webhookSecret: 'whsec_1' },
      commissionRates: {},
    })
    const text = await exported()
    const { stores, audit } = await saved()
    for (const secret of [...Object.values(ENV), pem.split('\n')[1] ?? ''])
      for (const place of [JSON.stringify(stores), JSON.stringify(audit), text, diffOf(plan).join()])
        expect(place).not.toContain(secret)
    expect(text).toContain('secretKey: ${env:PAYMENT_SECRET_KEY}')
    expect(stores.find(({ section }) => section === 'ios')?.config).toMatchObject({
      bundleId: 'com.x',
      appId: '1234567890',
      inAppPurchaseKey: { keyId: 'ABC123DEFG' },
    })
  })

  test('a placeholder that leads nowhere keeps the saved secret and is told', async () => {
    await apply(STORES, { env: ENV })
    const plan = await apply(STORES, { env: { PAYMENT_SECRET_KEY: 'sk_test_2' } })
    expect(diffOf(plan)).toEqual([
      '~ store payment',
      '    secretKey: (saved) -> (new)',
      '! stores.ios.inAppPurchaseKey.privateKey  IOS_IN_APP_PURCHASE_KEY is not set, saved value kept',
      '! stores.payment.webhookSecret    PAYMENT_WEBHOOK_SECRET is not set, saved value kept',
      '0 to create, 1 to change, 0 to delete.',
    ])
    expect(await opened()).toMatchObject({
      ios: { 'inAppPurchaseKey.privateKey': pem },
      payment: { secretKey: 'sk_test_2', webhookSecret: 'whsec_1' },
    })
  })

  test('the export changes nothing, with or without the secrets at hand', async () => {
    await apply(STORES, { env: ENV })
    const text = await exported()
    const before = await saved()
    expect(diffOf(await apply(text, { env: ENV, prune: true }))).toEqual(['no changes'])
    expect(diffOf(await apply(text, { prune: true })).at(-1)).toBe('no changes')
    expect(await saved()).toEqual(before)
  })

  test('a key that the file leaves out is removed, a section only by pruning', async () => {
    await apply(STORES, { env: ENV })
    await apply('stores: { ios: { bundleId: com.x } }', { env: ENV })
    expect(Object.keys(await opened()).sort()).toEqual(['commissionRates', 'ios', 'payment'])
    expect((await opened()).ios).toEqual({})
    await apply('stores: { ios: { bundleId: com.x } }', { prune: true })
    expect(Object.keys(await opened())).toEqual(['ios'])
  })

  test('a connected account stands in the place of keys, and comes back from the export', async () => {
    await apply(STORES, { env: ENV })
    const plan = await apply('stores: { payment: { mode: live, accountId: acct_1 } }')
    expect(diffOf(plan)).toEqual([
      '~ store payment',
      '    mode: test -> live',
      '    accountId: (none) -> acct_1',
      '    secretKey: (saved) -> (none)',
      '    webhookSecret: (saved) -> (none)',
      '0 to create, 1 to change, 0 to delete.',
    ])
    expect((await opened()).payment).toEqual({})
    expect((await on.ctx.state.projects.get(projectId)).payment).toEqual({
      mode: 'live',
      accountId: 'acct_1',
      publishableKey: null,
    })
    const text = await exported()
    expect(text).toContain('accountId: acct_1')
    expect(text).not.toContain('PAYMENT_SECRET_KEY')
    const before = await saved()
    expect(diffOf(await apply(text, { env: ENV, prune: true }))).toEqual(['no changes'])
    expect(await saved()).toEqual(before)
    await apply(STORES, { env: ENV })
    expect((await on.ctx.state.projects.get(projectId)).payment).toEqual({
      mode: 'test',
      accountId: null,
      publishableKey: null,
    })
    expect(await exported()).not.toContain('acct_1')
  })

  test('a sealed row cannot be moved to another project', async () => {
    await apply(STORES, { env: ENV })
    const { storeSettings } = on.ctx.tables
    const payment = (await saved()).stores.find(({ section }) => section === 'payment')
    const thief = (await createProject(on.ctx, { name: 'Thief' })).project.id
    await on.ctx.write((tx) =>
      tx.db.insert(storeSettings).values({ ...(payment as typeof storeSettings.$inferInsert), projectId: thief }),
    )
    expect((await loadStoreSettings(on.ctx, on.ctx.vault, thief)).get('payment')).toMatchObject({
      hasSecrets: true,
      secrets: null,
    })
  })

  test('without a master key, secrets are refused and the rest is not', async () => {
    const bare = await stage({ env: { SVC_MASTER_KEY: 'off' } })
    const refusal = await applyFile(bare.ctx, bare.project.id, parse(STORES, ENV), { prune: false })
    expect(refused(refusal)).toEqual([
      ['FEATURE_NOT_CONFIGURED', { feature: 'credential_encryption' }],
      ['FEATURE_NOT_CONFIGURED', { feature: 'credential_encryption' }],
    ])
    const plan = await applyFile(bare.ctx, bare.project.id, parse('stores: { ios: { bundleId: com.y } }'), {
      prune: false,
    })
    expect(diffOf(plan)).toContain('    bundleId: com.example.sleep -> com.y')
    const save = bare.ctx.write((tx) =>
      saveStoreSettings(tx, bare.project.id, 'payment', { config: {}, secrets: { secretKey: 's' } }),
    )
    expect(((await save.catch((error) => error)) as AppError).refusal).toBe('FEATURE_NOT_CONFIGURED')
    await bare.close()
  })

  test('secrets of another master key are replaced all together or kept all together', async () => {
    await apply(STORES, { env: ENV })
    const other = { ...on.ctx, vault: createVault(new Uint8Array(32)) }
    const planWith = (env: Env) => planFile(other, projectId, parse(STORES, env), { prune: false })
    expect(refused(await planWith({ PAYMENT_SECRET_KEY: 'sk_test_2' }))).toEqual([['CONFLICT', null]])
    expect(diffOf(await planWith({})).at(-1)).toBe('no changes')
    expect((await planWith(ENV)).problems).toEqual([])
  })
})

describe('the audit chain', () => {
  test('verifies, and finds a row that was changed or taken away', async () => {
    await apply(await full())
    const { audit } = await saved()
    expect(await verifyAudit(on.ctx, projectId)).toEqual({
      head: audit.at(-1)?.rowHash ?? '',
      count: audit.length,
      ok: true,
      firstBadId: null,
    })
    expect(audit[0]?.prevHash).toBe('0'.repeat(64))
    const { auditLog } = on.ctx.tables
    const [, second, third] = audit
    const change = (after: unknown) =>
      on.ctx.write((tx) =>
        tx.db
          .update(auditLog)
          .set({ after })
          .where(eq(auditLog.id, second?.id ?? '')),
      )
    await change({ forged: true })
    expect(await verifyAudit(on.ctx, projectId)).toMatchObject({ ok: false, firstBadId: second?.id })
    await change(second?.after)
    expect((await verifyAudit(on.ctx, projectId)).ok).toBe(true)
    await on.ctx.write((tx) => tx.db.delete(auditLog).where(eq(auditLog.id, second?.id ?? '')))
    expect(await verifyAudit(on.ctx, projectId)).toMatchObject({ ok: false, firstBadId: third?.id })
  })
})

test('any file and its export can be applied again and change nothing', async () => {
  const law = fc.asyncProperty(fileContent, fileContent, async (first, second) => {
    projectId = (await createProject(on.ctx, { name: 'Law' })).project.id
    for (const content of [first, second]) {
      const text = stringify(content).replace('version: 1\n', '')
      if ((await apply(text)).problems.length > 0) return
      expect(schemaFaults(stringify(content))).toEqual([])
      expect(schemaFaults(`version: 1\n${await exported()}`)).toEqual([])
      expect(diffOf(await apply(text))).toEqual(['no changes'])
      expect(diffOf(await apply(await exported(), { prune: true }))).toEqual(['no changes'])
    }
    expect((await verifyAudit(on.ctx, projectId)).ok).toBe(true)
  })
  await fc.assert(law, { numRuns: moreInRelease(15, 40) })
}, 600_000)
