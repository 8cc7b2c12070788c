import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storeCommand } from '../../src/intake/store-apps/command'
import { CONNECT_PEM } from '../support/app-store-connect'
import { BUNDLE } from '../support/cast'
import { runWithInput } from '../support/command'
import { type AccountServer, startAccountServer } from '../support/payment-account'
import { CONNECT_KEY_ID, IAP_KEY_ID, ISSUER, type SetupStage, setupStage } from '../support/store-setup'

const folder = mkdtempSync(join(tmpdir(), 'svc-keys-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const file = (name: string, text = CONNECT_PEM) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const KEY = file(`SubscriptionKey_${IAP_KEY_ID}.p8`)
const CONNECT = file(`AuthKey_${CONNECT_KEY_ID}.p8`)
const NAMELESS = file('key.p8')

let s: SetupStage
let provider: AccountServer
beforeEach(async () => {
  provider = startAccountServer()
  provider.keys.set('sk_test_own', 'ALL')
  s = await setupStage({ env: { SVC_PAYMENT_API_URL: provider.url } })
})
afterEach(async () => {
  await s.close()
  await provider.close()
})

const run = (...args: string[]) => runWithInput(s, storeCommand, null, ...args, '--project', 'project-1')
const pipe = (text: string, ...args: string[]) =>
  runWithInput(s, storeCommand, text, 'connect', 'payment', '--project', 'project-1', ...args)
const saved = async () => (await s.as('OWNER').get('/credentials')).body.data

async function expectNothingSaved(): Promise<void> {
  expect(await saved()).toMatchObject({ ios: { inAppPurchaseKey: null, revision: 1 }, payment: { configured: false } })
  expect(await s.audit()).toEqual([])
}

describe('svc store connect ios', () => {
  const connect = (...args: string[]) => run('connect', 'ios', ...args)
  const both = ['--bundle-id', BUNDLE, '--issuer', ISSUER, '--key-file', KEY, '--connect-key-file', CONNECT]

  test('saves what the store accepts, as the dashboard does', async () => {
    const ran = await connect(...both)
    expect(ran).toMatchObject({ code: 0, out: `The iOS store of project-1 is connected: ${BUNDLE}.` })
    expect((await saved()).ios).toMatchObject({
      appId: '1234567890',
      inAppPurchaseKey: { keyId: IAP_KEY_ID },
      storeConnectKey: { keyId: CONNECT_KEY_ID },
    })
    expect(await s.audit()).toMatchObject([{ action: 'store.update', actor: { kind: 'CLI' } }])
    expect(JSON.stringify(ran)).not.toContain('PRIVATE KEY')
  })

  test('keeps what is left out', async () => {
    await connect(...both)
    expect((await connect('--app-id', '1234567890', '--json')).code).toBe(0)
    expect((await s.audit()).length).toBe(1)
    expect((await connect('--key-file', NAMELESS, '--key-id', 'OTHERKEY01')).code).toBe(0)
    expect((await saved()).ios).toMatchObject({
      inAppPurchaseKey: { keyId: 'OTHERKEY01' },
      storeConnectKey: { keyId: CONNECT_KEY_ID },
    })
  })

  test('reads the id of another app from the store', async () => {
    await connect(...both)
    await connect('--bundle-id', `${BUNDLE}.watch`)
    expect((await saved()).ios).toMatchObject({ bundleId: `${BUNDLE}.watch`, appId: '99' })
  })

  test.each<[name: string, args: string[], code: number, says: string]>([
    ['an issuer that is none', [...both, '--issuer', 'me'], 1, '--issuer'],
    ['a file that is no key', [...both, '--key-file', file('AuthKey_ABCDEFGHIJ.p8', 'x')], 1, '--key-file'],
    [
      'a key of the other kind',
      ['--bundle-id', BUNDLE, '--issuer', ISSUER, '--connect-key-file', KEY],
      1,
      '--connect-key-file: This is a key of the other kind',
    ],
    ['a bundle id of nobody', [...both, '--bundle-id', 'com.example.nobody'], 1, '--bundle-id: The store finds no app'],
    ['no issuer', ['--key-file', KEY], 2, '--issuer is needed'],
    ['no key id', ['--issuer', ISSUER, '--key-file', NAMELESS], 2, '--key-id is needed'],
    ['a key id without a file', ['--connect-key-id', CONNECT_KEY_ID], 2, '--connect-key-id needs --connect-key-file'],
    ['no such file', ['--key-file', `${KEY}x`, '--key-id', IAP_KEY_ID], 2, 'cannot be read'],
    ['an unknown option', ['--team', 'x'], 2, '--team'],
  ])('refuses %s', async (_name, args, code, says) => {
    const ran = await connect(...args)
    expect([ran.code, ran.err]).toEqual([code, expect.stringContaining(says)])
    expect(JSON.stringify(ran)).not.toContain('PRIVATE')
    await expectNothingSaved()
  })

  test('says that the store is away, and saves without asking by --no-probe', async () => {
    s.server.trouble = { status: 500 }
    const ran = await connect(...both, '--json')
    expect([ran.code, JSON.parse(ran.out).error.code]).toEqual([1, 'STORE_UNAVAILABLE'])
    await expectNothingSaved()
    expect((await connect(...both, '--no-probe')).code).toBe(0)
  })
})

describe('svc store connect payment', () => {
  const ARGS = ['--mode', 'test', '--secret-key-stdin']

  test('reads the secrets from its input, and shows none', async () => {
    const ran = await pipe('sk_test_own\nwhsec_own\n', ...ARGS)
    expect(ran).toMatchObject({ code: 0, out: 'project-1 sells through its own account, in test mode.' })
    expect((await saved()).payment).toMatchObject({ configured: true, mode: 'test' })
    expect(JSON.stringify([ran, await s.audit()])).not.toMatch(/sk_test_own|whsec_own/)
  })

  test('keeps the webhook secret when only the key is new', async () => {
    await pipe('sk_test_own\nwhsec_own\n', ...ARGS)
    provider.keys.set('sk_test_next', 'ALL')
    expect((await pipe('sk_test_next', ...ARGS)).code).toBe(0)
    expect((await s.audit())[1]).toMatchObject({ after: { secretKey: '(new)', webhookSecret: '(saved)' } })
  })

  test.each<[name: string, text: string, args: string[], code: number, says: string]>([
    ['no input', '', ARGS, 1, 'The first line'],
    ['no webhook secret', 'sk_test_own', ARGS, 1, 'The second line'],
    ['a key of the other mode', 'sk_test_own\nw', ['--mode', 'live', '--secret-key-stdin'], 1, 'The first line'],
    ['a mode that is none', 'sk_test_own\nw', ['--mode', 'prod', '--secret-key-stdin'], 1, '--mode'],
    ['a key that is refused', 'sk_test_no\nw', ARGS, 1, 'refused this key'],
    ['no mode', 'sk_test_own\nw', ['--secret-key-stdin'], 2, '--mode'],
    ['no --secret-key-stdin', 'sk_test_own\nw', ['--mode', 'test'], 2, '--secret-key-stdin'],
  ])('refuses %s', async (_name, text, args, code, says) => {
    const ran = await pipe(text, ...args)
    expect([ran.code, ran.err]).toEqual([code, expect.stringContaining(says)])
    expect(ran.err).not.toContain('sk_test')
    await expectNothingSaved()
  })
})

describe('svc store', () => {
  test('status shows each store', async () => {
    const ran = await run('status')
    expect(ran.out.split('\n').map((line) => line.split(/ +/).slice(0, 2))).toEqual([
      ['store', 'status'],
      ['ios', 'INCOMPLETE'],
      ['android', 'INCOMPLETE'],
      ['payment', 'INCOMPLETE'],
    ])
    const { items } = JSON.parse((await run('status', '--json')).out)
    expect(items[0]).toEqual({ store: 'ios', status: 'INCOMPLETE', lastNotificationAt: null })
  })

  test('test asks the App Store for a test notification', async () => {
    await run('connect', 'ios', '--bundle-id', BUNDLE, '--issuer', ISSUER, '--key-file', KEY)
    s.server.facts.tests.set('test-token', { signedPayload: 'x', sendAttempts: [] })
    const ran = await run('test', '--environment', 'sandbox', '--wait', '0')
    expect([ran.code, ran.out]).toEqual([1, expect.stringContaining('has not delivered its test notification yet')])
    expect((await run('test', '--wait', 'x')).code).toBe(2)
    expect((await run('test', '--environment', 'staging')).code).toBe(2)
  })

  test('refuses what is no command, and names those there are', async () => {
    for (const args of [[], ['connect'], ['connect', 'windows'], ['delete']]) {
      const ran = await run(...args)
      expect([args, ran.code, ran.err]).toEqual([
        args,
        2,
        expect.stringContaining('connect ios, connect android, connect payment'),
      ])
    }
    expect((await runWithInput(s, storeCommand, null, '--help')).out).toContain('svc store connect ios --bundle-id')
  })
})
