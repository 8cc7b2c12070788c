import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { createVault } from '../../src/base/lib/crypto'
import { simulatedIdentity } from '../../src/intake/android/notification-sender'
import { simulatorRoot } from '../../src/stores/test-keys/keys'
import { simulatorKeys, simulatorPushKey, simulatorWebhookSecret } from '../../src/stores/test-keys/service'
import { aboutSubscription, pushBody, signPushToken } from '../../src/test-store/stores/android-push'
import { signNotification } from '../../src/test-store/stores/notification'
import { signEvent } from '../../src/test-store/stores/payment-events'
import { linesOf } from '../support/backup'
import { BUNDLE, type CastProject, MONTHLY, type Stage, stage } from '../support/cast'
import { everything, expectRefused } from '../support/facts'
import { keptPlace, openPlace, run } from '../support/present'
import { svc } from '../support/simulate'

let s: Stage
afterEach(() => s.close())

const rows = () => s.ctx.db.select().from(s.ctx.tables.simulatorKeys)
const post = (receipt: string, { publicKey }: CastProject, device = 'svc_ada') =>
  s.post('/v1/receipts/ios', { receipt, appUserId: device, productId: 'pro_monthly' }, { key: publicKey })

describe('the keys of the test stores', () => {
  beforeEach(async () => {
    s = await stage()
    for (const { id } of [s.project, s.other]) {
      await simulatorKeys(s.ctx, id)
      await simulatorPushKey(s.ctx, id)
      await simulatorWebhookSecret(s.ctx, id)
    }
  })

  test('are saved encrypted: nothing in the table signs or opens anything', async () => {
    const saved = await rows()
    expect(saved).toHaveLength(6)
    const { leafKeyPkcs8 } = await simulatorKeys(s.ctx, s.project.id)
    const secret = await simulatorWebhookSecret(s.ctx, s.project.id)
    const text = JSON.stringify(saved)
    // Sealed text has no quotes, so it cannot spell these members, within a text or not.
    const members = ['"d"', '"x5c"', '\\"d\\"', '\\"x5c\\"']
    for (const clear of [leafKeyPkcs8, secret, 'leafKeyPkcs8', 'whsec_', ...members]) expect(text).not.toContain(clear)
    for (const { material } of saved) expect(Object.keys(material)).toEqual(['sealed'])
  })

  test('are others in each project, and stay the same there', async () => {
    const of = async ({ id }: CastProject) => [
      simulatorRoot(await simulatorKeys(s.ctx, id))?.fingerprint,
      (await simulatorPushKey(s.ctx, id)).id,
      await simulatorWebhookSecret(s.ctx, id),
    ]
    const [own, others] = [await of(s.project), await of(s.other)]
    for (const [at, one] of own.entries()) expect(one).not.toBe(others[at])
    expect(await of(s.project)).toEqual(own)
  })

  test('of another project open nothing where their row is copied to', async () => {
    const { simulatorKeys: k } = s.ctx.tables
    const [row] = await s.ctx.db
      .select()
      .from(k)
      .where(eq(k.id, `${s.other.id}:ios`))
    const material = row?.material ?? { sealed: '' }
    await s.ctx.write((tx) =>
      tx.db
        .update(k)
        .set({ material })
        .where(eq(k.id, `${s.project.id}:ios`)),
    )
    const made = await simulatorKeys(s.ctx, s.project.id)
    expect(made.rootDer).not.toBe((await simulatorKeys(s.ctx, s.other.id)).rootDer)
  })
})

describe("what another project's test store signed is refused", () => {
  beforeEach(async () => {
    s = await stage()
  })

  test('a receipt, before and after this project has keys of its own, and good where it belongs', async () => {
    const foreign = await s.signIn(s.other, s.buy(MONTHLY))
    const own = await s.signIn(s.project, s.buy(MONTHLY))
    await expectRefused(s, () => post(foreign, s.project), 400, 'RECEIPT_INVALID')
    expect((await post(own, s.project)).status).toBe(200)
    await expectRefused(s, () => post(foreign, s.project), 400, 'RECEIPT_INVALID')
    await expectRefused(s, () => post(own, s.other), 400, 'RECEIPT_INVALID')
    expect((await post(foreign, s.other)).status).toBe(200)
    // The same tokens again: what is remembered of them is not taken for the other project.
    await expectRefused(s, () => post(foreign, s.project), 400, 'RECEIPT_INVALID')
  })

  test('a receipt in a restore', async () => {
    await s.get('/v1/me', 'svc_ada')
    const receipts = [
      { store: 'IOS_STORE', receipt: await s.signIn(s.other, s.buy(MONTHLY)), productId: 'pro_monthly' },
    ]
    const { body } = await s.post('/v1/subscribers/svc_ada/restore', { receipts })
    expect(body.data.results).toMatchObject([{ status: 'FAILED', code: 'RECEIPT_INVALID' }])
  })

  test('a notification of iOS', async () => {
    const transaction = s.buy(MONTHLY)
    const order = { kind: ['SUBSCRIBED', 'INITIAL_BUY'] as const, notificationId: 'n-1', now: s.ctx.clock.now() }
    const signedPayload = signNotification(await simulatorKeys(s.ctx, s.other.id), {
      ...{ ...order, bundleId: BUNDLE, transaction },
    })
    const deliver = ({ id }: CastProject) => s.post(`/webhooks/ios/${id}`, { signedPayload }, { key: null })
    await expectRefused(s, () => deliver(s.project), 401, 'UNAUTHORIZED')
    expect((await deliver(s.other)).status).toBe(200)
  })

  test('a push of Android, made out to this project', async () => {
    const now = s.ctx.clock.now()
    await simulatorPushKey(s.ctx, s.project.id)
    const key = await simulatorPushKey(s.ctx, s.other.id)
    const authorization = `Bearer ${await signPushToken(key, simulatedIdentity(s.project.id), now)}`
    const raw = pushBody('svc.simulated', aboutSubscription('ANY', 2, 'svc-simulated.x'), { messageId: 'm', now })
    const deliver = () =>
      s.call('POST', `/webhooks/android/${s.project.id}`, { key: null, raw, headers: { authorization } })
    await expectRefused(s, deliver, 401, 'UNAUTHORIZED')
  })

  test('an event of the payment provider', async () => {
    const secret = await simulatorWebhookSecret(s.ctx, s.other.id)
    await simulatorWebhookSecret(s.ctx, s.project.id)
    const id = `evt_sim${'0'.repeat(20)}`
    const object = { id: `sub_sim${'0'.repeat(20)}`, object: 'subscription' }
    const event = { id, object: 'event', type: 'customer.subscription.updated', created: 1, livemode: false }
    const { body, signature } = await signEvent({ ...event, data: { object } }, { secret, now: s.ctx.clock.now() })
    const headers = { 'stripe-signature': signature }
    const deliver = () => s.call('POST', `/webhooks/payment/${s.project.id}`, { key: null, raw: body, headers })
    await expectRefused(s, deliver, 401, 'UNAUTHORIZED')
  })
})

describe('the master key', () => {
  test('switched off: the test store refuses and says what to do, and nothing it signed is taken', async () => {
    s = await stage({ env: { SVC_MASTER_KEY: 'off' } })
    const before = [await rows(), await everything(s)]
    const bought = ['simulate', 'purchase', '--device', 'a', '--product', 'pro_monthly']
    const { code, err } = await svc(s.ctx, bought, { SVC_MASTER_KEY: 'off' })
    expect([code, err.join()]).toEqual([1, expect.stringContaining('remove SVC_MASTER_KEY=off')])
    expect([await rows(), await everything(s)]).toEqual(before)
    const making = simulatorKeys(s.ctx, s.project.id)
    expect(making).rejects.toMatchObject({ refusal: 'FEATURE_NOT_CONFIGURED', status: 503 })
    await expectRefused(s, () => post(s.sign(s.buy(MONTHLY)), s.project), 400, 'RECEIPT_INVALID')
  })

  test('of another deployment: the keys of before are trusted no more, and new ones take their place', async () => {
    s = await stage()
    const receipt = s.sign(s.buy(MONTHLY))
    const vault = createVault(new Uint8Array(32).fill(9))
    const old = await simulatorKeys(s.ctx, s.project.id)
    const made = await simulatorKeys({ ...s.ctx, vault }, s.project.id)
    expect(made.rootDer).not.toBe(old.rootDer)
    expect(await simulatorKeys({ ...s.ctx, vault }, s.project.id)).toEqual(made)
    Object.assign(s.ctx, { vault })
    await expectRefused(s, () => post(receipt, s.project), 400, 'RECEIPT_INVALID')
  })

  test('many that need the keys first get the same ones', async () => {
    s = await stage()
    const id = 'prj_new'
    const made = await Promise.all(Array.from({ length: 5 }, () => simulatorKeys(s.ctx, id)))
    expect(new Set(made.map(({ rootDer }) => rootDer)).size).toBe(1)
  })
})

test('a database of svc 1.0.0 loses the keys that it holds in clear, and its backups hold none', async () => {
  s = await stage()
  const place = await keptPlace()
  expect((await run(place, ['migrate'])).code).toBe(0)
  const { ctx } = await openPlace(place, s.ctx.clock.now())
  expect(await ctx.db.select().from(ctx.tables.simulatorKeys)).toEqual([])
  await ctx.close()
  const backup = join(place.env.SVC_DATA_DIR ?? '', 'backup.gz')
  expect((await run(place, ['backup', backup])).code).toBe(0)
  const text = linesOf(backup).join('')
  for (const clear of ['leafKeyPkcs8', 'svc-simulator-', 'whsec_']) expect(text).not.toContain(clear)
  place.remove()
})

test('a backup holds the keys of the test stores sealed only', async () => {
  s = await stage()
  const { leafKeyPkcs8 } = await simulatorKeys(s.ctx, s.project.id)
  const secret = await simulatorWebhookSecret(s.ctx, s.project.id)
  const backup = join(s.ctx.config.dataDir, 'backup.gz')
  expect((await svc(s.ctx, ['backup', backup])).code).toBe(0)
  const text = linesOf(backup).join('')
  expect(text).toContain(`${s.project.id}:payment`)
  for (const clear of [leafKeyPkcs8, secret]) expect(text).not.toContain(clear)
})
