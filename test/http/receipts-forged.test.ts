import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { DAY } from '../../src/base/lib/clock'
import type { TransactionPayload } from '../../src/stores/ios/decode'
import { makeSimulatorKeys } from '../../src/stores/test-keys/keys'
import { signTransaction } from '../../src/test-store/stores/ios'
import { type Answer, MONTHLY, type Stage, stage } from '../support/cast'
import { NOW } from '../support/context'
import { changeSettings, everything, expectRefused, rowOf } from '../support/facts'
import {
  type ForgedChain,
  type ForgedChains,
  forgeChains,
  forgeXcode,
  signToken,
  signWith,
  toSegment,
} from '../support/ios-forge'

let s: Stage
let chains: ForgedChains
/** As Xcode makes it: an authority by its constraints, whose key may only sign data. */
let xcode: ForgedChain
let otherXcode: ForgedChain
const folder = mkdtempSync(join(tmpdir(), 'svc-forged-'))

beforeAll(async () => {
  chains = await forgeChains(NOW)
  const pem = join(folder, 'roots.pem')
  ;[xcode, otherXcode] = await Promise.all([forgeXcode(NOW), forgeXcode(NOW)])
  const trusted = [chains.good.x5c[2], xcode.x5c[0]]
  writeFileSync(pem, trusted.map((der) => `-----BEGIN CERTIFICATE-----\n${der}\n-----END CERTIFICATE-----\n`).join(''))
  s = await stage({ env: { SVC_IOS_EXTRA_ROOTS: pem } })
})
afterAll(async () => {
  await s.close()
  rmSync(folder, { recursive: true, force: true })
})

const post = (receipt: string, options = {}): Promise<Answer> =>
  s.post('/v1/receipts/ios', { receipt, appUserId: 'svc_mallory', productId: MONTHLY.productId }, options)

async function expectForged(receipt: string, reason?: string) {
  const answer = await expectRefused(s, () => post(receipt), 400, 'RECEIPT_INVALID')
  expect(answer.body.error).not.toHaveProperty('details')
  if (reason) expect(answer.body.error.message).toContain(reason)
}

/** A token of the test store with another header or payload and the old signature. */
function tampered(change: { header?: object; payload?: Partial<TransactionPayload> }): string {
  const payload = s.buy(MONTHLY)
  const [head = '', , tail = ''] = s.sign(payload).split('.')
  const header = change.header ? toSegment({ alg: 'ES256', x5c: s.keys.x5c, ...change.header }) : head
  return `${header}.${toSegment({ ...payload, ...change.payload })}.${tail}`
}

describe('a chain', () => {
  const reasons: Partial<Record<keyof ForgedChains, string>> = {
    otherRoot: 'untrusted_root',
    leafWithoutMarker: 'marker_oid',
    leafWithOtherMarker: 'marker_oid',
    leafExpired: 'expired',
    leafNotYetValid: 'expired',
    leafOfOtherKey: 'not_issued',
    leafOfOtherName: 'not_issued',
    leafAuthority: 'ca_flag',
    leafTooLarge: 'certificate',
    leafP384: 'certificate',
    intermediateWithoutMarker: 'marker_oid',
    intermediateWithOtherMarker: 'marker_oid',
    intermediateNoAuthority: 'ca_flag',
    intermediateExpired: 'expired',
    intermediateNotYetValid: 'expired',
    intermediateOfOtherRoot: 'not_issued',
    leafWithCriticalExtension: 'extension',
    leafWithMarkerTwice: 'extension',
    leafWithoutUsage: 'key_usage',
    leafForEncryption: 'key_usage',
    leafForCertificates: 'key_usage',
    intermediateWithCriticalExtension: 'extension',
    intermediateWithoutUsage: 'key_usage',
    intermediateForData: 'ca_flag',
  }
  for (const [name, reason] of Object.entries(reasons))
    test(`${name} is refused, and nothing is written`, () =>
      expectForged(signWith(chains[name as keyof ForgedChains], s.buy(MONTHLY)), reason))

  test('that was valid when it signed is good, though it is expired now', async () => {
    const then = { ...s.buy(MONTHLY), signedDate: NOW - 2 * 365 * DAY }
    const { status } = await post(signWith(chains.leafExpired, then))
    expect(status).toBe(200)
  })

  test('below an extra root is good for Sandbox and never for Production', async () => {
    expect((await post(signWith(chains.good, s.buy(MONTHLY)))).status).toBe(200)
    await expectForged(signWith(chains.good, { ...s.buy(MONTHLY), environment: 'Production' }), 'untrusted_root')
  })

  test('of the test store never signs for Production', () =>
    expectForged(s.sign({ ...s.buy(MONTHLY), environment: 'Production' }), 'untrusted_root'))

  test("of another deployment's test store is refused", async () => {
    const keys = await makeSimulatorKeys(s.ctx.clock.now())
    await expectForged(signTransaction(keys, s.buy(MONTHLY)), 'untrusted_root')
  })

  test('that is too short, too long, turned round or not text is refused', async () => {
    const { x5c, leafKey } = chains.good
    const [leaf = '', intermediate = '', root = ''] = x5c
    for (const forged of [[], [leaf], [leaf, intermediate], [leaf, intermediate, root, root], x5c.toReversed()])
      await expectForged(signWith({ x5c: forged, leafKey }, s.buy(MONTHLY)))
    for (const forged of [leaf, null, [1, 2, 3], { 0: leaf }, undefined])
      await expectForged(signToken({ alg: 'ES256', x5c: forged }, s.buy(MONTHLY), leafKey))
  })

  test('of Apple with a signature of somebody else is refused', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    await expectForged(signToken({ alg: 'ES256', x5c: s.keys.x5c }, s.buy(MONTHLY), privateKey), 'signature')
  })
})

describe('a token', () => {
  test('that is no signed transaction is refused', async () => {
    for (const text of ['x', '..', 'a.b', 'a.b.c', 'a.b.c.d', ' ', 'e30.e30.', '\u{1f600}', '{"receipt":"x"}'])
      await expectForged(text)
  })

  test('with another algorithm, or with none, is refused', async () => {
    for (const alg of ['none', 'None', 'HS256', 'RS256', 'ES384', '', null, undefined])
      await expectForged(tampered({ header: { alg } }), 'algorithm')
    const [head, body] = tampered({ header: { alg: 'none' } }).split('.')
    await expectForged(`${head}.${body}.`, 'algorithm')
    await expectForged(tampered({ header: { crit: ['b64'], b64: false } }), 'algorithm')
  })

  test('whose payload was changed after the signature is refused', async () => {
    for (const payload of [{ expiresDate: NOW + 1000 * DAY }, { productId: 'com.x.pro.yearly' }, { price: 0 }])
      await expectForged(tampered({ payload }), 'signature')
  })

  test('without a signature, or with one of another token, is refused', async () => {
    const [head, body] = s.sign(s.buy(MONTHLY)).split('.')
    const [, , other] = s.sign(s.buy(MONTHLY)).split('.')
    for (const tail of ['', other, 'AAAA', other?.slice(0, 40)])
      await expectForged(`${head}.${body}.${tail}`, 'signature')
  })

  test('for another app is refused', async () => {
    for (const bundleId of ['com.example.sleep2', 'com.example', 'COM.EXAMPLE.SLEEP', 'com.example.sleep '])
      await expectForged(s.sign(s.buy(MONTHLY, { bundleId })), 'another app')
  })

  test('that lacks what a purchase needs is refused, with the name of it', async () => {
    for (const name of [
      'transactionId',
      'originalTransactionId',
      'purchaseDate',
      'expiresDate',
      'productId',
    ] as const) {
      const { [name]: _, ...rest } = s.buy(MONTHLY)
      await expectForged(s.sign(rest as TransactionPayload), name)
    }
    await expectForged(s.sign({ ...s.buy(MONTHLY), price: -1 }), 'price')
    await expectForged(s.sign({ ...s.buy(MONTHLY), quantity: 0 }), 'quantity')
    await expectForged(s.sign({ ...s.buy(MONTHLY), signedDate: '2026' } as never), 'malformed')
  })

  test('signed before or after the life of its certificates is refused', async () => {
    for (const signedDate of [0, NOW - 30 * DAY, NOW + 11 * 365 * DAY])
      await expectForged(s.sign({ ...s.buy(MONTHLY), signedDate }), 'expired')
  })
})

describe('an environment', () => {
  test('of a purchase stays what it is: a receipt of tests never reaches what was paid', async () => {
    const payload = s.buy(MONTHLY)
    await s.receipt('svc_ada', payload)
    const { purchases: t } = s.ctx.tables
    const isAdas = eq(t.chainKey, payload.originalTransactionId)
    await s.ctx.write((tx) => tx.db.update(t).set({ environment: 'PRODUCTION' }).where(isAdas))
    for (const forged of [
      { ...payload, signedDate: payload.signedDate + 1, expiresDate: NOW + 9999 * DAY },
      { ...payload, signedDate: payload.signedDate + 1, revocationDate: NOW },
    ])
      await expectRefused(s, () => s.receipt('svc_ada', forged), 400, 'RECEIPT_INVALID')
  })

  const local = (environment: 'Xcode' | 'LocalTesting') => ({ ...s.buy(MONTHLY), environment })

  test('that the store does not have is refused', async () => {
    for (const environment of ['production', 'Staging', '', null, 7])
      await expectForged(s.sign({ ...s.buy(MONTHLY), environment } as never), 'environment')
  })

  test('Xcode and LocalTesting are refused unless the project allows them, and their signature must stand', async () => {
    for (const environment of ['Xcode', 'LocalTesting'] as const) {
      await expectForged(s.sign(local(environment)), 'environment')
      await changeSettings(s, { allowLocalStoreTesting: true })
      await expectForged(signWith(chains.otherRoot, local(environment)), 'untrusted_root')
      const [head, body] = s.sign(local(environment)).split('.')
      await expectForged(`${head}.${body}.`, 'signature')
      const { status, body: answer } = await post(s.sign(local(environment)))
      expect([status, Object.keys(answer.data.access)]).toEqual([200, ['pro']])
      await changeSettings(s, {})
    }
    const { purchases: t } = s.ctx.tables
    const mine = eq(t.subscriberId, (await rowOf(s, 'svc_mallory')).id)
    const rows = await s.ctx.db.select().from(t).where(mine)
    expect(new Set(rows.map(({ environment }) => environment))).toEqual(new Set(['SANDBOX']))
  })
})

describe('local testing of Xcode', () => {
  const bought = (environment: string, members: object = {}) => ({ ...s.buy(MONTHLY), environment, ...members })
  /** Xcode writes parts of milliseconds. */
  const fractional = (environment: string) => {
    const payload = bought(environment)
    const dates = ['signedDate', 'purchaseDate', 'originalPurchaseDate', 'expiresDate'] as const
    return { ...payload, ...Object.fromEntries(dates.map((name) => [name, (payload[name] ?? 0) + 0.485])) }
  }

  test('is trusted by its one certificate, where that is pinned and the project allows it', async () => {
    await expectForged(signWith(xcode, bought('Xcode')), 'environment')
    await changeSettings(s, { allowLocalStoreTesting: true })
    for (const environment of ['Xcode', 'LocalTesting']) {
      for (const payload of [bought(environment), fractional(environment)]) {
        const { status, body } = await post(signWith(xcode, payload))
        expect([status, Object.keys(body.data?.access ?? {})]).toEqual([200, ['pro']])
      }
      const [head, body] = signWith(xcode, bought(environment)).split('.')
      await expectForged(`${head}.${body}.${signWith(xcode, bought('Xcode')).split('.')[2]}`, 'signature')
      await expectForged(signWith({ ...xcode, leafKey: otherXcode.leafKey }, bought(environment)), 'signature')
      await expectForged(signWith(xcode, bought(environment, { signedDate: NOW + 9000 * DAY })), 'expired')
    }
    await changeSettings(s, {})
  })

  test('serves no other environment, and ends no chain', async () => {
    await changeSettings(s, { allowLocalStoreTesting: true })
    expect((await post(signWith(xcode, bought('Xcode')))).status).toBe(200) // Known from now on.
    for (const environment of ['Sandbox', 'Production']) {
      await expectForged(signWith(xcode, bought(environment)), 'chain_length')
      await expectForged(signWith(chains.good, fractional(environment)), environment === 'Sandbox' ? 'malformed' : '')
    }
    const [leaf = '', intermediate = ''] = chains.good.x5c
    for (const environment of ['Xcode', 'Sandbox']) {
      const chain = { ...chains.good, x5c: [leaf, intermediate, xcode.x5c[0] ?? ''] }
      await expectForged(signWith(chain, bought(environment)), 'key_usage')
    }
    await changeSettings(s, {})
  })

  test('with a certificate that this server does not know is no fault of the app, which keeps its transaction', async () => {
    await changeSettings(s, { allowLocalStoreTesting: true })
    const refuse = () => post(signWith(otherXcode, bought('Xcode')))
    const { body } = await expectRefused(s, refuse, 503, 'FEATURE_NOT_CONFIGURED')
    expect(body.error).toMatchObject({
      message: expect.stringContaining('SVC_IOS_EXTRA_ROOTS'),
      details: { feature: 'local_store_testing' },
    })
    await changeSettings(s, {})
  })
})

test('a project without an app answers STORE_NOT_CONFIGURED, and nothing is written', async () => {
  const { storeSettings: t } = s.ctx.tables
  const rows = await s.ctx.db.select().from(t)
  await s.ctx.write((tx) => tx.db.delete(t))
  s.ctx.state.projects.forget(s.project.id)
  await expectRefused(s, () => post(s.sign(s.buy(MONTHLY))), 400, 'STORE_NOT_CONFIGURED')
  await s.ctx.write((tx) => tx.db.insert(t).values(rows))
  s.ctx.state.projects.forget(s.project.id)
  expect((await post(s.sign(s.buy(MONTHLY)))).status).toBe(200)
})

test('without any root a receipt cannot be verified: 503, so that the app keeps it', async () => {
  const { iosStore } = s.ctx.state
  Object.assign(s.ctx.state, { iosStore: { isReady: false } })
  const answer = await expectRefused(s, () => post(s.sign(s.buy(MONTHLY))), 503, 'FEATURE_NOT_CONFIGURED')
  Object.assign(s.ctx.state, { iosStore })
  expect(answer.body.error.details).toEqual({ feature: 'ios_receipt_verifier' })
  expect(answer.headers.get('retry-after')).toBeNull()
})

test('a switched-off test store is not believed', async () => {
  const off = await stage({ env: { SVC_SIMULATOR: 'off' } })
  const before = await everything(off)
  const { status, body } = await off.receipt('svc_ada', off.buy(MONTHLY))
  expect([status, body.error.code]).toEqual([400, 'RECEIPT_INVALID'])
  expect(await everything(off)).toEqual(before)
  await off.close()
})
