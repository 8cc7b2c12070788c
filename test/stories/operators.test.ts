import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { DAY, MINUTE } from '../../src/base/lib/clock'
import { makeSetupLink } from '../../src/operators/sign-in/setup'
import { verifyAudit } from '../../src/projects/audit/audit'
import { subscribe } from '../../src/test-store/stores/payment-billing'
import { PACKAGE } from '../support/android'
import type { Answer } from '../support/cast'
import { linksTo } from '../support/crew'
import { SECRET_KEY, WEBHOOK_SECRET } from '../support/payment'
import { IOS_BODY } from '../support/store-setup'
import { PUBLIC_URL, type StoresStage, storesStage, WEB_PRO } from '../support/three-stores'
import { PASSWORD, refusal, Visitor } from '../support/visitor'

let s: StoresStage
beforeAll(async () => {
  s = await storesStage({ SVC_TRUSTED_PROXIES: '1' })
})
afterAll(() => s.close())

const browsers = { founder: 1, developer: 2, support: 3, admin: 4, stranger: 5 }
type Name = keyof typeof browsers
const emailOf = (name: Name) => `${name}@moon.example`
const people = {} as Record<Name, Visitor>
let projectId = ''
let publicKey = ''

const P = (path: string) => `/dashboard/projects/${projectId}${path}`

async function dataOf(call: Promise<Answer>, status = 200) {
  const answer = await call
  if (answer.status !== status) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body.data
}

/** What each call wrote: the rows of the audit log that the test expects, oldest first. */
const expected: [name: Name, action: string][] = []
const rowsOf = async () => {
  const { auditLog: a } = s.ctx.tables
  return s.ctx.db.select().from(a).where(eq(a.projectId, projectId)).orderBy(a.position)
}

/** Expects a success that writes exactly these rows, in the name of its caller. */
async function does(name: Name, actions: string | string[], call: (browser: Visitor) => Promise<Answer>, status = 200) {
  const before = (await rowsOf()).length
  s.ctx.clock.advance(MINUTE)
  const data = await dataOf(call(people[name]), status)
  const wanted = [actions].flat()
  expected.push(...wanted.map((action): [Name, string] => [name, action]))
  const added = (await rowsOf()).slice(before)
  expect(added.map((row) => [row.action, row.actor.email])).toEqual(wanted.map((action) => [action, emailOf(name)]))
  return data
}

/** Expects a refusal that writes nothing. */
async function mayNot(name: Name, code: string, call: (browser: Visitor) => Promise<Answer>) {
  const before = (await rowsOf()).length
  const [status, told] = refusal(await call(people[name]))
  expect([told, Number(status) >= 400]).toEqual([code, true])
  expect(await rowsOf()).toHaveLength(before)
}

const browserOf = (name: Name) => new Visitor(s, `203.0.113.${browsers[name]}`, PUBLIC_URL)

async function arrives(name: Name, token: object): Promise<void> {
  const browser = browserOf(name)
  people[name] = browser
  const body = { email: emailOf(name), password: PASSWORD, name, ...token }
  expect(await dataOf(browser.post('/api/auth/sign-up', body))).toEqual({ next: 'SIGN_IN' })
  expect((await dataOf(browser.signIn(emailOf(name)))).next).toBeNull()
  expect([...browser.cookies.keys()]).toEqual(['__Host-svc_session'])
}

/** Invites somebody, who opens the link of the mail, makes an account and joins. */
async function joins(name: Name, role: string): Promise<void> {
  const invited = { email: emailOf(name), role }
  await does('founder', 'invitation.create', (browser) => browser.post(P('/invitations'), invited), 201)
  const [link = ''] = await linksTo(s, emailOf(name))
  expect(link).toStartWith(`${PUBLIC_URL}/join/`)
  const token = link.split('/').at(-1) ?? ''
  const offer = await dataOf(browserOf(name).get(`/invitations/${token}`))
  expect(offer).toEqual({ projectName: 'Moon', email: emailOf(name), role, state: 'OPEN' })
  await arrives(name, { invitationToken: token })
  expect(refusal(await people[name].get(P('')))).toEqual([404, 'NOT_FOUND'])
  const before = (await rowsOf()).length
  expect((await dataOf(people[name].post(`/invitations/${token}/accept`))).state).toBe('ACCEPTED')
  const added = (await rowsOf()).slice(before)
  expect(added.map(({ actor }) => actor.email)).toEqual([emailOf(name)])
  expected.push([name, added[0]?.action ?? ''])
  expect((await people[name].get(P(''))).body.data.role).toBe(role)
}

const stranger = () => browserOf('stranger')

test('the founder signs up by the set-up link and makes a project', async () => {
  const link = (await makeSetupLink(s.ctx)) ?? ''
  expect(link).toStartWith(PUBLIC_URL)
  const setupToken = link.split('/').at(-1) ?? ''
  await arrives('founder', { setupToken })
  const again = { email: emailOf('stranger'), password: PASSWORD, name: 'S', setupToken }
  expect(refusal(await stranger().post('/api/auth/sign-up', again))).toEqual([403, 'FORBIDDEN'])
  const made = await dataOf(people.founder.post('/dashboard/projects', { name: 'Moon' }), 201)
  projectId = made.project.id
  publicKey = made.apiKey.publicKey
  expect(made.project).toMatchObject({ name: 'Moon', slug: 'moon', role: 'OWNER' })
  const rows = await rowsOf()
  expect(rows.map(({ action, actor }) => [action, actor.email])).toEqual([['project.create', emailOf('founder')]])
  expected.push(['founder', 'project.create'])
})

test('a developer, a support person and an administrator join by the links in their mails', async () => {
  await joins('developer', 'DEVELOPER')
  await joins('support', 'CUSTOMER_SUPPORT')
  await joins('admin', 'ADMIN')
  await mayNot('support', 'CAPABILITY_REQUIRED', (browser) =>
    browser.post(P('/invitations'), { email: emailOf('stranger'), role: 'OWNER' }),
  )
})

const android = async () => ({ packageName: PACKAGE, serviceAccount: await s.google.serviceAccountFile() })
const payment = { secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET, mode: 'test' }

test('the founder connects three stores, which nobody else may', async () => {
  for (const name of ['developer', 'support', 'admin'] as const)
    await mayNot(name, 'ROLE_REQUIRED', (browser) => browser.put(P('/credentials/ios'), IOS_BODY))
  await mayNot('founder', 'STORE_CREDENTIALS_INVALID', (browser) =>
    browser.put(P('/credentials/payment'), { ...payment, secretKey: 'sk_test_wrong' }),
  )
  await does('founder', 'store.create', (browser) => browser.put(P('/credentials/ios'), IOS_BODY))
  const account = await android()
  await does('founder', 'store.create', (browser) => browser.put(P('/credentials/android'), account))
  await does('founder', 'store.create', (browser) => browser.put(P('/credentials/payment'), payment))
  await does('admin', 'notificationUrl.update', (browser) =>
    browser.post(P('/apps/ios/notification-url'), { environment: 'both' }),
  )
  await does('admin', 'pubsub.connect', (browser) => browser.post(P('/apps/android/pubsub/connect')))
  const { items } = await dataOf(people.support.get(P('/apps')))
  expect(items.map(({ store, status }: Record<string, string>) => [store, status])).toEqual([
    ['ios', 'OK'],
    ['android', 'OK'],
    ['payment', 'OK'],
  ])
})

test('the developer imports products, edits the catalogue and a flag', async () => {
  const access = { identifier: 'pro', displayName: 'Pro' }
  await mayNot('support', 'CAPABILITY_REQUIRED', (browser) => browser.post(P('/access'), access))
  const pro = await does('developer', 'access.create', (browser) => browser.post(P('/access'), access), 201)
  const listed = await dataOf(people.developer.get(P('/apps/payment/catalog')))
  expect(listed.items.map(({ storeId }: Record<string, string>) => storeId)).toEqual([WEB_PRO])
  const { created } = await does('developer', 'product.create', (browser) =>
    browser.post(P('/products/import'), { store: 'payment', storeIds: [WEB_PRO] }),
  )
  const [product] = created
  const change = { displayName: 'Pro, monthly', accessIds: [pro.id] }
  await does('developer', 'product.update', (browser) => browser.patch(P(`/products/${product.id}`), change))
  const flag = { key: 'dark', env: 'PROD', type: 'BOOLEAN', defaultValue: true }
  await mayNot('support', 'CAPABILITY_REQUIRED', (browser) => browser.post(P('/feature-flags'), flag))
  const { id } = await does('developer', 'flag.create', (browser) => browser.post(P('/feature-flags'), flag), 201)
  await does('developer', 'flag.update', (browser) => browser.patch(P(`/feature-flags/${id}`), { defaultValue: false }))
  await mayNot('support', 'CAPABILITY_REQUIRED', (browser) => browser.post(P(`/feature-flags/${id}/toggle`)))
  const device = { key: publicKey, headers: { 'x-svc-app-user-id': 'svc_ada' } }
  const config = await s.call('GET', '/v1/config?subscriberId=svc_ada', device)
  expect(config.body.data.flags.dark).toBe(false)
})

let purchaseId = ''

test('somebody buys; the support person looks them up and grants, but cannot refund', async () => {
  const me = await s.call('GET', '/v1/me', { key: publicKey, headers: { 'x-svc-app-user-id': 'svc_ada' } })
  const { id } = me.body.data.subscriber
  subscribe(s.world, { priceId: WEB_PRO, metadata: { svc_subscriber_id: id } })
  const delivered = await s.deliverPayments(projectId)
  expect(delivered.map(({ status }) => status)).toEqual(delivered.map(() => 200))
  const found = await dataOf(people.support.get(P('/search?q=svc_ada')))
  expect(JSON.stringify(found)).toContain(id)
  const detail = await dataOf(people.support.get(P(`/subscribers/${id}`)))
  expect(JSON.stringify(detail)).toContain(WEB_PRO)
  const { items } = await dataOf(people.support.get(P('/subscriptions')))
  purchaseId = items[0].id
  await mayNot('support', 'CAPABILITY_REQUIRED', (browser) => browser.post(P(`/subscriptions/${purchaseId}/refund`)))
  const grant = { accessIds: ['pro'], reason: 'an apology' }
  await does('support', 'subscriber.grant', (browser) => browser.post(P(`/subscribers/${id}/grants`), grant), 201)
})

test('an administrator refunds', async () => {
  s.ctx.clock.advance(DAY)
  const body = { reason: 'asked nicely' }
  const { purchase } = await does('admin', 'purchase.refund', (browser) =>
    browser.post(P(`/subscriptions/${purchaseId}/refund`), body),
  )
  expect(purchase.status).toBe('REFUNDED')
  await mayNot('admin', 'REFUND_NOT_POSSIBLE', (browser) => browser.post(P(`/subscriptions/${purchaseId}/refund`)))
})

test('a script of the developer works by a token, in the name of the developer, until the token is removed', async () => {
  const made = await dataOf(people.developer.post('/dashboard/me/tokens', { name: 'CI' }), 201)
  const script = new Visitor(s, '203.0.113.9', PUBLIC_URL)
  const headers = { authorization: `Bearer ${made.token}` }
  const file = 'version: 1\naccess: { vip: { displayName: VIP } }\n'
  const apply = () => script.post(P('/project-file/apply'), { file }, { headers, origin: null })
  await does('developer', ['projectFile.apply', 'access.create'], apply)
  expect(refusal(await script.post('/dashboard/me/tokens', { name: 'x' }, { headers }))).toEqual([401, 'UNAUTHORIZED'])
  await dataOf(people.developer.delete(`/dashboard/me/tokens/${made.id}`))
  const before = (await rowsOf()).length
  expect(refusal(await apply())).toEqual([401, 'UNAUTHORIZED'])
  expect(await rowsOf()).toHaveLength(before)
})

test('the founder cannot leave without an owner, transfers the project, and leaves', async () => {
  const { items } = await dataOf(people.founder.get(P('/members')))
  const admin = items.find(({ email }: { email: string }) => email === emailOf('admin'))
  await mayNot('founder', 'CONFLICT', (browser) => browser.post(P('/leave')))
  await mayNot('admin', 'CAPABILITY_REQUIRED', (browser) => browser.post(P('/transfer'), { userId: admin.userId }))
  const moved = await does('founder', 'project.transfer', (browser) =>
    browser.post(P('/transfer'), { userId: admin.userId }),
  )
  expect(moved).toEqual({ ownerId: admin.userId })
  await does('founder', 'member.leave', (browser) => browser.post(P('/leave')))
  for (const path of ['', '/members', '/audit-log'])
    expect(refusal(await people.founder.get(P(path)))).toEqual([404, 'NOT_FOUND'])
  // Those that were there before the founder signed up are still the founder's.
  const { items: left } = await dataOf(people.founder.get('/dashboard/projects'))
  expect(left.map(({ id }: { id: string }) => id)).toEqual([s.other.id, s.project.id])
  expect((await people.admin.get(P(''))).body.data.role).toBe('OWNER')
})

test('the audit log names everybody rightly, and its proof holds until a row is changed by hand', async () => {
  const log: { action: string; actor: { kind: string; email: string } }[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const from: string = cursor === '' ? '' : `&cursor=${cursor}`
    const page = await dataOf(people.admin.get(P(`/audit-log?limit=10${from}`)))
    log.push(...page.items)
    cursor = page.nextCursor
  }
  const told = log.toReversed().map(({ action, actor }) => [actor.email, action])
  expect(told).toEqual(expected.map(([name, action]) => [emailOf(name), action]))
  expect(new Set(log.map(({ actor }) => actor.kind))).toEqual(new Set(['USER']))
  expect(JSON.stringify(log)).not.toContain('PRIVATE KEY')
  for (const secret of [SECRET_KEY, WEBHOOK_SECRET, PASSWORD]) expect(JSON.stringify(log)).not.toContain(secret)
  await mayNot('developer', 'ROLE_REQUIRED', (browser) => browser.get(P('/audit-log')))

  const proof = () => dataOf(people.admin.get(P('/audit-log/proof')))
  expect(await proof()).toMatchObject({ ok: true })
  const { auditLog: a } = s.ctx.tables
  const row = (await rowsOf()).find(({ action }) => action === 'purchase.refund')
  if (!row) throw new Error('nobody refunded')
  await s.ctx.write((tx) =>
    tx.db
      .update(a)
      .set({ actor: { ...row.actor, email: emailOf('support') } })
      .where(eq(a.id, row.id)),
  )
  expect(await proof()).toMatchObject({ ok: false, firstBadId: row.id })
  expect((await verifyAudit(s.ctx, projectId)).ok).toBe(false)
})
