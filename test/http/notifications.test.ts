import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { makeSimulatorKeys } from '../../src/stores/test-keys/keys'
import { signTransaction } from '../../src/test-store/stores/ios'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { NOW } from '../support/context'
import { changeSettings, everything } from '../support/facts'
import { deliver, lastStoreEvent, notificationBody, notify, storeEvents, trustForProduction } from '../support/notify'

let s: Stage
beforeEach(async () => {
  s = await stage()
})
afterEach(() => s.close())

const BOUGHT = ['SUBSCRIBED', 'INITIAL_BUY'] as const
const notification = () => notificationBody(s, BOUGHT, s.buy(MONTHLY))

async function expectRefusal(body: unknown, status: number, code: string, projectId = s.project.id) {
  const before = await everything(s)
  const answer = await deliver(s, body, projectId)
  expect([answer.status, answer.body.error?.code]).toEqual([status, code])
  expect(await everything(s)).toEqual(before)
  return answer
}

/** Writes the iOS settings of the project. */
async function saveIos(config: Record<string, unknown> | null): Promise<void> {
  const { storeSettings: t } = s.ctx.tables
  await s.ctx.write(async (tx) => {
    await (config ? tx.db.update(t).set({ config }) : tx.db.delete(t)).where(eq(t.projectId, s.project.id))
  })
  s.ctx.state.projects.forget(s.project.id)
}

const BUNDLE = 'com.example.sleep'

/** The same notification, signed again with members changed: in the envelope's data and in both parts. */
function resigned(data: object, parts: object, body = notification()) {
  const open = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  const outer = open(body.signedPayload)
  const sealed = (token: string) => signTransaction(s.keys, { ...open(token), ...parts })
  const nested = {
    signedTransactionInfo: sealed(outer.data.signedTransactionInfo),
    signedRenewalInfo: sealed(outer.data.signedRenewalInfo),
  }
  return { signedPayload: signTransaction(s.keys, { ...outer, data: { ...outer.data, ...nested, ...data } }) }
}

const inProduction = (data: object = {}) =>
  resigned({ environment: 'Production', ...data }, { environment: 'Production' })

test('a notification is acknowledged once it is committed; the same again is a duplicate without an effect', async () => {
  const body = notification()
  const first = await deliver(s, body)
  expect([first.status, first.body]).toEqual([200, { data: { received: true, duplicate: false } }])
  expect(await lastStoreEvent(s)).toMatchObject({
    status: 'PROCESSED',
    type: 'SUBSCRIBED/INITIAL_BUY',
    body: JSON.stringify(body),
    attempts: 1,
    error: null,
    leasedBy: null,
    eventAt: NOW,
    processedAt: NOW,
  })
  const before = await everything(s)
  expect((await deliver(s, body)).body).toEqual({ data: { received: true, duplicate: true } })
  expect(await everything(s)).toEqual(before)
  expect(await storeEvents(s)).toHaveLength(1)
})

test('one notification id belongs to one project', async () => {
  const [transaction, id] = [s.buy(MONTHLY), 'of-two-projects']
  await notify(s, BOUGHT, transaction, { id })
  const { body } = await notify(s, BOUGHT, transaction, { id, projectId: s.other.id })
  expect(body.data).toEqual({ received: true, duplicate: false })
  expect((await storeEvents(s)).map(({ projectId }) => projectId).sort()).toEqual([s.project.id, s.other.id].sort())
})

describe('what cannot be taken', () => {
  test('a project that is not there is 404, whatever its name', async () => {
    for (const id of [`prj_${'9'.repeat(26)}`, 'x', `prj_${'x'.repeat(300)}`, 'prj_%00', '%F0%9F%99%82'])
      await expectRefusal(notification(), 404, 'NOT_FOUND', id)
    expect(await storeEvents(s)).toEqual([])
  })

  test('a project without iOS credentials is 400', async () => {
    await saveIos(null)
    await expectRefusal(notification(), 400, 'STORE_NOT_CONFIGURED')
  })

  test('without roots nothing can be verified: 503', async () => {
    Object.assign(s.ctx.state, { iosStore: { isReady: false } })
    const { body, headers } = await expectRefusal(notification(), 503, 'FEATURE_NOT_CONFIGURED')
    expect(body.error.details).toEqual({ feature: 'ios_webhook_verifier' })
    expect(headers.get('retry-after')).toBeNull()
  })

  test('what is no notification is 400', async () => {
    const unreadable = [
      {},
      { signedPayload: 7 },
      { signedPayload: '' },
      { signedPayload: 'x' },
      { signedPayload: 'a.b.c' },
    ]
    for (const body of unreadable) await expectRefusal(body, 400, 'VALIDATION_ERROR')
    for (const raw of ['', '[]', '{', '"x"', '\ud800'])
      expect((await s.call('POST', `/webhooks/ios/${s.project.id}`, { key: null, raw })).status).toBe(400)
    expect(await storeEvents(s)).toEqual([])
  })

  test('over 1 MiB is 413', async () => {
    const body = { signedPayload: 'x'.repeat(1024 * 1024) }
    await expectRefusal(body, 413, 'PAYLOAD_TOO_LARGE')
  })

  test('a signature by anybody else is 401 and leaves nothing behind', async () => {
    const forger = await makeSimulatorKeys(NOW)
    const { signedPayload } = notification()
    const payload = JSON.parse(Buffer.from(signedPayload.split('.')[1] ?? '', 'base64url').toString())
    const [head, body, tail = ''] = signedPayload.split('.')
    const flipped = `${tail.startsWith('A') ? 'B' : 'A'}${tail.slice(1)}`
    const forged = [signTransaction(forger, payload), `${head}.${body}.${flipped}`]
    for (const token of forged) await expectRefusal({ signedPayload: token }, 401, 'UNAUTHORIZED')
    expect(await storeEvents(s)).toEqual([])
  })

  test('a part that the store did not sign is 401; the notification around it is kept as failed', async () => {
    const forger = await makeSimulatorKeys(NOW)
    const body = resigned({ signedTransactionInfo: signTransaction(forger, s.buy(MONTHLY)) }, {})
    await expectRefusal(body, 401, 'UNAUTHORIZED')
    expect(await lastStoreEvent(s)).toMatchObject({ status: 'FAILED', body: JSON.stringify(body) })
  })

  test('another app is 401, and kept with the reason', async () => {
    const body = notificationBody(s, BOUGHT, { ...s.buy(MONTHLY), bundleId: 'com.other' }, { bundleId: 'com.other' })
    await expectRefusal(body, 401, 'UNAUTHORIZED')
    expect(await lastStoreEvent(s)).toMatchObject({
      status: 'FAILED',
      attempts: 1,
      error: 'it is for another app (bundle id) [data]',
    })
    await expectRefusal(body, 401, 'UNAUTHORIZED')
    expect(await lastStoreEvent(s)).toMatchObject({ status: 'FAILED', attempts: 2 })
    expect(await storeEvents(s)).toHaveLength(1)
  })

  test('an environment that is not taken is 401, and kept when the store signed it', async () => {
    const local = { environment: 'Xcode' }
    const body = resigned(local, local)
    await expectRefusal(body, 401, 'UNAUTHORIZED')
    expect(await lastStoreEvent(s)).toMatchObject({ status: 'FAILED' })
    await changeSettings(s, { allowLocalStoreTesting: true })
    expect((await deliver(s, body)).body.data).toEqual({ received: true, duplicate: false })
    expect(await lastStoreEvent(s)).toMatchObject({ status: 'PROCESSED', error: null })
  })

  test('the root of the test store signs nothing for Production: 401, and nothing is kept', async () => {
    await expectRefusal(inProduction(), 401, 'UNAUTHORIZED')
    expect(await storeEvents(s)).toEqual([])
  })

  test('parts of two environments are 401', async () => {
    await expectRefusal(resigned({}, { environment: 'Production' }), 401, 'UNAUTHORIZED')
  })
})

describe('Production needs the app id', () => {
  beforeEach(() => trustForProduction(s))

  test('not saved: 503 for an hour, kept, and done when it comes again after saving it', async () => {
    const body = inProduction({ appAppleId: 42 })
    const { headers } = await expectRefusal(body, 503, 'IOS_APP_ID_MISSING')
    expect(headers.get('retry-after')).toBe('3600')
    expect(await lastStoreEvent(s)).toMatchObject({ status: 'FAILED', error: expect.stringContaining('app id') })
    await saveIos({ bundleId: BUNDLE, appId: '42' })
    expect((await deliver(s, body)).body.data).toEqual({ received: true, duplicate: false })
    expect(await lastStoreEvent(s)).toMatchObject({ status: 'PROCESSED', error: null, attempts: 2 })
  })

  test('another app id, or none, is 401 IOS_APP_ID_MISMATCH and kept', async () => {
    await saveIos({ bundleId: BUNDLE, appId: '42' })
    await expectRefusal(inProduction({ appAppleId: 43 }), 401, 'IOS_APP_ID_MISMATCH')
    await expectRefusal(inProduction(), 401, 'IOS_APP_ID_MISMATCH')
    expect((await storeEvents(s)).map(({ status }) => status)).toEqual(['FAILED', 'FAILED'])
  })

  test('a sandbox notification needs none', async () => {
    expect((await deliver(s, notification())).status).toBe(200)
  })
})

describe('the limit of refused requests', () => {
  test('200 a minute are refused as they are, then 429; a notification worth taking passes at any time', async () => {
    for (let n = 0; n < 200; n++) expect((await deliver(s, {})).status).toBe(400)
    const limited = await deliver(s, {})
    expect([limited.status, limited.body.error.code]).toEqual([429, 'RATE_LIMITED'])
    expect(limited.body.error.details).toEqual({ retryAfterSeconds: 60 })
    expect(limited.headers.get('retry-after')).toBe('60')
    expect((await deliver(s, {}, 'x')).status).toBe(429)
    expect((await notify(s, BOUGHT, s.buy(MONTHLY))).status).toBe(200)
    s.ctx.clock.advance(60_000)
    expect((await deliver(s, {})).status).toBe(400)
  })

  test('300 accepted ones meet none', async () => {
    for (let n = 0; n < 300; n++) expect((await notify(s, ['TEST', null], null)).status).toBe(200)
  }, 600_000)
})
