import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { BUNDLE } from '../support/cast'
import { type AccountServer, startAccountServer } from '../support/payment-account'
import { refusalOf, type SetupStage, setupStage } from '../support/store-setup'

let s: SetupStage
let provider: AccountServer
beforeEach(async () => {
  provider = startAccountServer()
  provider.keys.set('sk_test_own', 'ALL').set('sk_live_own', 'ALL').set('rk_test_none', 'NOTHING')
  s = await setupStage({ env: { SVC_PAYMENT_API_URL: provider.url } })
})
afterEach(async () => {
  await s.close()
  await provider.close()
})

const KEYS = { secretKey: 'sk_test_own', webhookSecret: 'whsec_own', mode: 'test' }
const put = (body: object, query = '') => s.as('OWNER').put(`/credentials/payment${query}`, body)
const saved = async () => (await s.as('CUSTOMER_SUPPORT').get('/credentials')).body.data.payment
const NONE = { configured: false, accountId: null, mode: null, revision: 0 }

async function expectNothingSaved(): Promise<void> {
  expect(await saved()).toEqual(NONE)
  expect(await s.audit()).toEqual([])
}

describe('keys that the provider accepts', () => {
  test('are saved, and never come back', async () => {
    const { status, body } = await put(KEYS)
    expect([status, body.data.payment]).toEqual([200, { configured: true, accountId: null, mode: 'test', revision: 1 }])
    expect(await saved()).toEqual(body.data.payment)
    const { storeSettings: t } = s.ctx.tables
    const told = JSON.stringify([body, await s.audit(), s.ctx.lines, await s.ctx.db.select().from(t)])
    for (const secret of ['sk_test_own', 'whsec_own']) expect(told).not.toContain(secret)
  })

  test('write one audit row, and none when nothing changed', async () => {
    await put(KEYS)
    await put(KEYS)
    expect(await s.audit()).toMatchObject([
      {
        action: 'store.create',
        target: { type: 'store', id: 'payment' },
        before: null,
        after: { mode: 'test', secretKey: '(new)', webhookSecret: '(new)' },
      },
    ])
  })

  test('replace those of before, and the row says which secret is new', async () => {
    await put(KEYS)
    await put({ ...KEYS, webhookSecret: 'whsec_next' })
    expect((await s.audit())[1]).toMatchObject({
      action: 'store.update',
      after: { secretKey: '(saved)', webhookSecret: '(new)' },
    })
    expect((await saved()).revision).toBe(2)
  })

  test('stay where null is given, and the saved key is tried again', async () => {
    await put(KEYS)
    const calls = provider.requests.length
    const { status, body } = await put({ ...KEYS, secretKey: null, webhookSecret: 'whsec_next' })
    expect([status, body.data.payment.revision]).toEqual([200, 2])
    expect(provider.requests.length).toBeGreaterThan(calls)
    expect((await s.audit())[1]).toMatchObject({ after: { secretKey: '(saved)', webhookSecret: '(new)' } })
    const [, code, details] = refusalOf(await put({ secretKey: null, webhookSecret: null, mode: 'live' }))
    expect([code, details]).toEqual(['VALIDATION_ERROR', { fields: ['credentials.secretKey'] }])
  })

  test('of which none are saved cannot stay', async () => {
    const fields = ['credentials.secretKey', 'credentials.webhookSecret']
    const answer = await put({ secretKey: null, webhookSecret: null, mode: 'test' })
    expect(refusalOf(answer)).toEqual([400, 'VALIDATION_ERROR', { fields }])
    await expectNothingSaved()
  })

  test('that somebody else saved first are not replaced by who saw none', async () => {
    const none = { headers: { 'if-match': `"${(await saved()).revision}"` } }
    const first = await s.as('OWNER').put('/credentials/payment', KEYS, none)
    expect([first.status, first.body.data.payment.revision]).toEqual([200, 1])
    const other = { ...KEYS, webhookSecret: 'whsec_other' }
    const second = await s.as('OWNER').put('/credentials/payment', other, none)
    const newer = { revision: 1, updatedBy: 'usr_owner@example.com', updatedAt: expect.any(String) }
    expect(refusalOf(second)).toEqual([409, 'CONFLICT', newer])
    expect((await s.audit()).length).toBe(1)
  })

  test('that were removed go on with the next revision', async () => {
    await put(KEYS)
    await s.as('OWNER').delete('/credentials/payment')
    expect((await saved()).revision).toBe(2)
    expect((await put(KEYS)).body.data.payment.revision).toBe(3)
  })

  test('are saved without a call by ?probe=false', async () => {
    provider.trouble = { status: 500 }
    expect((await put(KEYS, '?probe=false')).status).toBe(200)
    expect(provider.requests).toEqual([])
  })

  test('are removed once', async () => {
    await put(KEYS)
    expect((await s.as('OWNER').delete('/credentials/payment')).body).toEqual({ data: { deleted: true } })
    expect(await saved()).toMatchObject({ configured: false, mode: null })
    expect(refusalOf(await s.as('OWNER').delete('/credentials/payment'))).toEqual([404, 'NOT_FOUND'])
  })
})

describe('refusals', () => {
  test.each<[name: string, body: object, fields: string[]]>([
    ['nothing', {}, ['credentials.secretKey', 'credentials.webhookSecret', 'credentials.mode']],
    ['an unknown mode', { ...KEYS, mode: 'prod' }, ['credentials.mode']],
    ['a key with a space', { ...KEYS, secretKey: 'sk_test own' }, ['credentials.secretKey']],
    ['a key that is a number', { ...KEYS, secretKey: 1 }, ['credentials.secretKey']],
    ['a secret of 501 characters', { ...KEYS, webhookSecret: 'x'.repeat(501) }, ['credentials.webhookSecret']],
    ['an account beside the keys', { ...KEYS, accountId: 'acct_1' }, ['credentials.accountId']],
    ['a key of the other mode', { ...KEYS, mode: 'live' }, ['credentials.secretKey']],
  ])('%s', async (_name, body, fields) => {
    const answer = await put(body)
    expect(refusalOf(answer)).toEqual([400, 'VALIDATION_ERROR', { fields }])
    expect(JSON.stringify(answer.body)).not.toContain('sk_test')
    expect(provider.requests).toEqual([])
    await expectNothingSaved()
  })

  const invalid = (reason: string) => ['STORE_CREDENTIALS_INVALID', { store: 'payment', field: 'secretKey', reason }]
  test.each<[name: string, body: object, status: number | null, refusal: unknown[]]>([
    [
      'a key that the provider refuses',
      { ...KEYS, secretKey: 'sk_test_no' },
      null,
      [400, ...invalid('rejected_by_store')],
    ],
    ['a key that may not read', { ...KEYS, secretKey: 'rk_test_none' }, null, [403, ...invalid('insufficient_role')]],
    ['a provider that is away', KEYS, 500, [503, 'STORE_UNAVAILABLE']],
    ['too many calls', KEYS, 429, [503, 'STORE_UNAVAILABLE']],
    ['another refusal', KEYS, 400, [502, 'STORE_API_ERROR']],
  ])('%s', async (_name, body, status, refusal) => {
    if (status !== null) provider.trouble = { status }
    expect(refusalOf(await put(body))).toEqual(refusal)
    await expectNothingSaved()
  })

  test('a server in front of the provider that is away, in its own words', async () => {
    provider.trouble = { status: 502, text: '{"message":"Bad gateway"}' }
    expect(refusalOf(await put(KEYS))).toEqual([503, 'STORE_UNAVAILABLE'])
    await expectNothingSaved()
  })

  test('keys over a connected account', async () => {
    const { storeSettings: t } = s.ctx.tables
    const row = { projectId: s.project.id, section: 'payment', createdAt: 1, updatedAt: 1 }
    const config = { mode: 'test', accountId: 'acct_1' }
    await s.ctx.write((tx) => tx.db.insert(t).values({ ...row, config }))
    expect(refusalOf(await put(KEYS))).toEqual([409, 'PAYMENT_ALREADY_CONNECTED'])
    expect(await saved()).toMatchObject({ accountId: 'acct_1' })
    expect(provider.requests).toEqual([])
  })

  test('everybody but the owner', async () => {
    for (const role of ['ADMIN', 'DEVELOPER', 'GROWTH', 'CUSTOMER_SUPPORT'] as const)
      expect(refusalOf(await s.as(role).put('/credentials/payment', KEYS))[1]).toBe('ROLE_REQUIRED')
    expect(refusalOf(await s.as('SUPPORT_READ').put('/credentials/payment', KEYS))[1]).toBe('SUPPORT_ACCESS_READ_ONLY')
    await expectNothingSaved()
  })
})

describe('all stores together', () => {
  test('show what is saved, to every member and to support', async () => {
    const { storeSettings: t } = s.ctx.tables
    const config = { packageName: 'com.example.sleep', clientEmail: 'svc@x.iam.gserviceaccount.com' }
    const row = { projectId: s.project.id, section: 'android', createdAt: 1, updatedAt: 1 }
    await s.ctx.write((tx) => tx.db.insert(t).values({ ...row, config, sealed: 'x' }))
    for (const role of ['CUSTOMER_SUPPORT', 'OWNER', 'SUPPORT_READ'] as const)
      expect((await s.as(role).get('/credentials')).body.data).toEqual({
        ios: {
          configured: true,
          bundleId: BUNDLE,
          appId: null,
          inAppPurchaseKey: null,
          storeConnectKey: null,
          revision: 1,
        },
        android: { configured: true, ...config, revision: 1 },
        payment: NONE,
      })
    expect(refusalOf(await s.as('STRANGER').get('/credentials'))).toEqual([404, 'NOT_FOUND'])
  })

  test('the android app is removed', async () => {
    const { storeSettings: t } = s.ctx.tables
    const row = { projectId: s.project.id, section: 'android', createdAt: 1, updatedAt: 1 }
    await s.ctx.write((tx) => tx.db.insert(t).values({ ...row, config: { packageName: 'com.example.sleep' } }))
    expect((await s.as('OWNER').delete('/credentials/android')).status).toBe(200)
    expect(refusalOf(await s.as('OWNER').delete('/credentials/android'))).toEqual([404, 'NOT_FOUND'])
  })
})
