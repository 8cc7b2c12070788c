import { afterEach, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { MINUTE, SECOND } from '../../src/base/lib/clock'
import { saveStoreSettings } from '../../src/projects/connections/credentials'
import { ANDROID_MONTHLY, type AndroidStage, aboutToken, androidStage, PACKAGE } from '../support/android'
import { access, expectRefused } from '../support/facts'

let s: AndroidStage
beforeEach(async () => {
  s = await androidStage()
})
afterEach(() => s.close())

const JUNK = 'made-up-token'
const refused = (token: string, productId = 'pro_monthly', device = 'svc_ada') =>
  expectRefused(s, () => s.token(device, token, productId), 400, 'RECEIPT_INVALID')

/** A token that Google does not know yet, and what makes it known. */
function early(): { token: string; arrive(): void } {
  const { subscriptions } = s.server.store
  const token = s.server.store.subscribe(ANDROID_MONTHLY)
  const held = subscriptions.get(token)
  subscriptions.delete(token)
  return { token, arrive: () => void (held && subscriptions.set(token, held)) }
}

test('a flood of one made-up token asks Google once a minute, from whichever device', async () => {
  await refused(JUNK)
  const first = s.calls()
  for (let index = 0; index < 30; index++) await refused(JUNK, 'pro_monthly', `svc_${index}`)
  await refused(JUNK, 'pro_yearly')
  const receipts = [{ store: 'ANDROID_STORE', receipt: JUNK, productId: 'pro_monthly' }]
  await s.get('/v1/me', 'svc_ada')
  const { body } = await s.post('/v1/subscribers/svc_ada/restore', { receipts })
  expect(body.data.results).toMatchObject([{ status: 'FAILED', code: 'RECEIPT_INVALID' }])
  expect(s.calls()).toBe(first)
  s.ctx.clock.advance(MINUTE)
  await refused(JUNK)
  expect(s.calls()).toBe(2 * first)
})

test('a one-time product is asked about by its name, because the older API knows it by that', async () => {
  await refused(JUNK, 'coins_100')
  const first = s.calls()
  await refused(JUNK, 'coins_100')
  expect(s.calls()).toBe(first)
  await refused(JUNK, 'lifetime')
  expect(s.calls()).toBe(2 * first)
})

test('a token that becomes known is taken a minute after its refusal at the latest', async () => {
  const { token, arrive } = early()
  await refused(token)
  arrive()
  s.ctx.clock.advance(MINUTE - 1)
  await refused(token)
  s.ctx.clock.advance(1)
  expect((await s.token('svc_ada', token, 'pro_monthly')).status).toBe(200)
})

test('a notification about a token lets it be asked about at once', async () => {
  const { token, arrive } = early()
  await refused(token)
  arrive()
  expect((await s.deliver(await aboutToken(s, 4, token))).status).toBe(200)
  expect((await s.token('svc_ada', token, 'pro_monthly')).status).toBe(200)
  expect(Object.keys(await access(s, 'svc_ada'))).toContain('pro')
})

test('new credentials let every token be asked about again', async () => {
  const { token, arrive } = early()
  await refused(token)
  arrive()
  const file = { ...(await s.server.serviceAccountFile()), private_key_id: 'account-1', project_id: 'new' }
  const config = { packageName: PACKAGE, clientEmail: s.identity.email }
  const { projects } = s.ctx.tables
  await s.ctx.write(async (tx) => {
    await saveStoreSettings(tx, s.project.id, 'android', { config, secrets: { serviceAccount: JSON.stringify(file) } })
    await tx.db.update(projects).set({ configVersion: 900 }).where(eq(projects.id, s.project.id))
  })
  s.ctx.state.projects.forget(s.project.id)
  expect((await s.token('svc_ada', token, 'pro_monthly')).status).toBe(200)
})

test('only what Google does not know is remembered: faults, and purchases that are not paid, are asked about again', async () => {
  const pending = s.server.store.subscribePending(ANDROID_MONTHLY)
  for (let index = 0; index < 2; index++)
    await expectRefused(s, () => s.token('svc_ada', pending, 'pro_monthly'), 400, 'purchase_not_paid')
  const token = s.server.store.subscribe(ANDROID_MONTHLY)
  for (const [status, answer, code] of [
    [503, 503, 'STORE_UNAVAILABLE'],
    [401, 502, 'STORE_API_ERROR'],
  ] as const) {
    s.server.faults = { status }
    await expectRefused(s, () => s.token('svc_ada', token, 'pro_monthly'), answer, code)
  }
  s.server.faults = {}
  s.ctx.clock.advance(SECOND)
  expect((await s.token('svc_ada', token, 'pro_monthly')).status).toBe(200)
})

test('another project asks for itself', async () => {
  await refused(JUNK)
  const { publicKey } = s.other
  const answer = await s.token('svc_ada', JUNK, 'pro_monthly', {}, publicKey)
  expect(answer.body.error.code).toBe('STORE_NOT_CONFIGURED')
})
