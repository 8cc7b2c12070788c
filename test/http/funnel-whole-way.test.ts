import { afterAll, beforeAll, expect, test } from 'bun:test'
import { HOUR, MINUTE } from '../../src/base/lib/clock'
import { toMailView } from '../../src/operators/mail/outbox'
import { type Stage, stage } from '../support/cast'
import { access, eventTypes, rowOf } from '../support/facts'
import { type PaidFunnel, publishPaidFunnel, type Visitor, visitorAtPayment } from '../support/funnel-payments'
import { runJobs } from '../support/rates'
import { svc } from '../support/simulate'

// The whole path at the built-in test store: paid in a browser, claimed in the app, managed on the buyer's page.

let s: Stage
let funnel: PaidFunnel
let slug: string
beforeAll(async () => {
  s = await stage()
  funnel = await publishPaidFunnel(s)
  slug = (await s.ctx.state.projects.get(s.project.id)).slug
})
afterAll(() => s.close())

async function pay(email: string, packageIdentifier = 'monthly'): Promise<{ visitor: Visitor; token: string }> {
  const visitor = await visitorAtPayment(s, funnel)
  const { payment_id } = (await visitor.begin(packageIdentifier, { email })).body.data
  await visitor.attempt(payment_id, 'pays')
  return { visitor, token: (await visitor.confirm(payment_id)).body.data.token }
}

const claim = (token: string, device: string) =>
  s.post('/v1/subscribers/claim-funnel-token', { token, anon_id: device })

async function mailsTo(address: string): Promise<string[]> {
  await runJobs(s.ctx)
  const rows = (await s.ctx.db.select().from(s.ctx.tables.mails)).filter(({ toAddress }) => toAddress === address)
  return rows.map((row) => toMailView(s.ctx, row).text ?? '')
}

const open = (path: string, form?: Record<string, string>, cookie = '') =>
  s.app.handle(
    new Request(`http://localhost${path}`, {
      headers: { cookie, accept: 'text/html' },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    }),
  )

const simulate = (...args: string[]) => svc(s.ctx, ['simulate', ...args, '--project', s.project.id, '--json'])

/** A refund of the provider, which leaves the subscription as it is. */
async function refund({ sessionId }: Visitor): Promise<void> {
  const paid = (await s.ctx.db.select().from(s.ctx.tables.funnelPayments)).find((one) => one.sessionId === sessionId)
  await simulate('refund', '--device', `payment:${paid?.objects.customerId}`)
}

test('what is paid in a browser is there in the app, and moves on by mail', async () => {
  const { token } = await pay('ada@example.com')
  const claimed = await claim(token, 'svc_ada')
  expect([claimed.status, claimed.body.data.entitlements]).toEqual([200, ['pro']])
  const { id } = await rowOf(s, 'svc_ada')
  expect(await eventTypes(s, id)).toContain('funnel.claimed')
  await s.post('/v1/sdk/claim-via-email', { email: 'Ada@Example.com', install_id: 'i' })
  const [mail = ''] = await mailsTo('Ada@Example.com')
  const link = /\/public\/magic\/[\w-]+/.exec(mail)?.[0] ?? ''
  const fresh = /svc_ft_[\w-]{43}/.exec(await (await open(link, {})).text())?.[0] ?? ''
  expect((await claim(fresh, 'svc_new_phone')).body.data.entitlements).toEqual(['pro'])
  expect(await access(s, 'svc_ada')).toEqual({})
})

test('the buyer cancels at the test store and undoes it, and a refund ends the right to claim', async () => {
  s.ctx.clock.advance(2 * HOUR)
  const { token, visitor } = await pay('bo@example.com')
  await claim(token, 'svc_bo')
  await open(`/f/${slug}/manage`, { email: 'bo@example.com' })
  const [mail = ''] = await mailsTo('bo@example.com')
  const nonce = /\/manage\?token=([\w-]+)/.exec(mail)?.[1] ?? ''
  const entered = await open(`/f/${slug}/manage`, { token: nonce })
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? ''
  const act = async (action: string) => {
    s.ctx.clock.advance(MINUTE)
    const form = { action, session: visitor.sessionId }
    return (await open(`/f/${slug}/manage`, form, cookie)).headers.get('location')
  }
  expect(await act('cancel')).toBe(`/f/${slug}/manage?done=cancelled`)
  expect(await act('keep')).toBe(`/f/${slug}/manage?done=kept`)
  const { id } = await rowOf(s, 'svc_bo')
  const types = (await eventTypes(s, id)).filter((type) => /cancel/.test(type))
  expect(types).toEqual(['purchase.cancelled', 'purchase.uncancelled'])
  const see = async () => (await open(`/f/${slug}/manage`, undefined, cookie)).text()
  await refund(visitor)
  expect(await access(s, 'svc_bo')).toEqual({})
  expect(await see()).toContain('Cancel at the end of the period')
  expect(await act('cancel')).toBe(`/f/${slug}/manage?done=stopped`)
  expect(await see()).not.toContain('Bought on')
  await s.post('/v1/sdk/claim-via-email', { email: 'bo@example.com', install_id: 'i' })
  expect((await mailsTo('bo@example.com')).length).toBe(1)
})

test('a refunded subscription that is charged again can be claimed and cancelled', async () => {
  s.ctx.clock.advance(2 * HOUR)
  const { token, visitor } = await pay('di@example.com')
  await claim(token, 'svc_di')
  await refund(visitor)
  expect(await access(s, 'svc_di')).toEqual({})
  await simulate('advance', '32d')
  expect(Object.keys(await access(s, 'svc_di'))).toEqual(['pro'])
  await s.post('/v1/sdk/claim-via-email', { email: 'di@example.com', install_id: 'i' })
  const [mail = ''] = await mailsTo('di@example.com')
  const link = /\/public\/magic\/[\w-]+/.exec(mail)?.[0] ?? ''
  const fresh = /svc_ft_[\w-]{43}/.exec(await (await open(link, {})).text())?.[0] ?? ''
  expect((await claim(fresh, 'svc_di_new')).body.data.entitlements).toEqual(['pro'])
})

test('two purchases of one address are claimed by one person', async () => {
  s.ctx.clock.advance(2 * HOUR)
  const [first, second] = [await pay('cy@example.com'), await pay('cy@example.com', 'coins')]
  expect((await claim(first.token, 'svc_cy')).status).toBe(200)
  expect((await claim(second.token, 'svc_cy')).status).toBe(200)
  const { id } = await rowOf(s, 'svc_cy')
  const owned = (await s.ctx.db.select().from(s.ctx.tables.purchases)).filter((row) => row.subscriberId === id)
  expect(owned.length).toBe(2)
})
