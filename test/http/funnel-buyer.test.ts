import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { HOUR, MINUTE } from '../../src/base/lib/clock'
import { toMailView } from '../../src/operators/mail/outbox'
import { eventTypes, rowOf } from '../support/facts'
import { type FunnelStage, funnelStage, sell } from '../support/funnel-claims'
import { dataOf } from '../support/operator'
import { runJobs } from '../support/rates'
import { staff } from '../support/staff'

let s: FunnelStage
let count = 0
let slug: string
beforeAll(async () => {
  s = await funnelStage()
  slug = (await s.ctx.state.projects.get(s.project.id)).slug
})
afterAll(() => s.close())
beforeEach(() => s.ctx.clock.advance(61 * MINUTE)) // Limits of a minute and of an hour begin anew.

const newEmail = (): string => `buyer${++count}@example.com`
const path = (query = '') => `/f/${slug}/manage${query}`

interface Call {
  form?: Record<string, string>
  cookie?: string
  language?: string
}

async function open(at: string, { form, cookie = '', language = 'en' }: Call = {}) {
  const headers = { 'accept-language': language, cookie }
  const body = form ? { method: 'POST', body: new URLSearchParams(form) } : {}
  const answer = await s.app.handle(new Request(`http://localhost${at}`, { headers, ...body }))
  return { status: answer.status, headers: answer.headers, html: await answer.text() }
}

async function linksTo(address: string): Promise<string[]> {
  await runJobs(s.ctx)
  const rows = (await s.ctx.db.select().from(s.ctx.tables.mails)).filter(({ toAddress }) => toAddress === address)
  return rows.flatMap((row) => /\/f\/[^/]+\/manage\?token=[\w-]+/.exec(toMailView(s.ctx, row).text ?? '')?.[0] ?? [])
}

const mailsTo = async (address: string): Promise<number> =>
  (await s.ctx.db.select().from(s.ctx.tables.mails)).filter(({ toAddress }) => toAddress === address).length

/** Opens a link and presses its button. */
async function press(link: string) {
  const { html } = await open(link)
  const token = /name="token" value="([^"]+)"/.exec(html)?.[1] ?? ''
  return open(path('?'), { form: { token } })
}

async function cookieFrom(link: string): Promise<string> {
  const { status, headers } = await press(link)
  expect([status, headers.get('location')]).toEqual([303, path()])
  const cookie = headers.get('set-cookie') ?? ''
  expect(cookie).toMatch(new RegExp(`^svc_buyer=[\\w-]{43}; Path=${path()}; Max-Age=900; HttpOnly; SameSite=Lax$`))
  return cookie.split(';')[0] ?? ''
}

async function signedIn(sale: Parameters<typeof sell>[1] = {}) {
  const email = newEmail()
  const sold = await sell(s, { email, ...sale })
  await open(path(), { form: { email } })
  const [link = ''] = await linksTo(email)
  const cookie = await cookieFrom(link)
  const act = (action: string, sessionId = sold.sessionId) =>
    open(path(), { cookie, form: { action, session: sessionId } })
  return {
    ...sold,
    email,
    link,
    cookie,
    act,
    see: (query = '', language = 'en') => open(path(query), { cookie, language }),
  }
}

describe('whoever asks', () => {
  test('gets the same words whether something was bought or not, and only a buyer gets a mail', async () => {
    const [buyer, stranger] = [newEmail(), newEmail()]
    await sell(s, { email: buyer })
    const answers = [await open(path(), { form: { email: buyer } }), await open(path(), { form: { email: stranger } })]
    expect(new Set(answers.map(({ status, html }) => `${status} ${html.replaceAll(/nonce="\w+"/g, '')}`)).size).toBe(1)
    expect(answers[0]?.html).toContain('Look into your mail')
    expect([(await linksTo(buyer)).length, (await linksTo(stranger)).length]).toEqual([1, 0])
  })

  test('gets three mails an hour', async () => {
    const email = newEmail()
    await sell(s, { email })
    for (let n = 0; n < 5; n++) {
      await open(path(), { form: { email } })
      await runJobs(s.ctx)
    }
    expect(await mailsTo(email)).toBe(3)
    s.ctx.clock.advance(HOUR)
    await open(path(), { form: { email } })
    await runJobs(s.ctx)
    expect(await mailsTo(email)).toBe(4)
  })

  test('reads the form in four languages', async () => {
    for (const [language, word] of [
      ['en-GB', 'Send the link'],
      ['de', 'Link schicken'],
      ['tr,en', 'Bağlantıyı gönder'],
      ['ja', 'リンクを送る'],
      ['fr', 'Send the link'],
    ] as const)
      expect((await open(path(), { language })).html).toContain(word)
  })

  test('is told when the address is none, and nothing is there of an unknown project', async () => {
    expect((await open(path(), { form: { email: 'nobody' } })).status).toBe(400)
    expect((await open('/f/no-such-project/manage')).status).toBe(404)
  })
})

test('opening the link spends nothing, only its button does', async () => {
  const email = newEmail()
  await sell(s, { email })
  await open(path(), { form: { email } })
  const [link = ''] = await linksTo(email)
  await s.app.handle(new Request(`http://localhost${link}`, { method: 'HEAD' }))
  for (const language of ['en', 'de', 'tr', 'ja']) {
    const { status, headers, html } = await open(link, { language })
    expect([status, headers.get('set-cookie')]).toEqual([200, null])
    expect(html).toContain('<form method="post" action="?">')
  }
  const token = link.split('token=')[1] ?? ''
  const elsewhere = new Request(`http://localhost/f/${s.other.id}/manage`, {
    ...{ method: 'POST', body: new URLSearchParams({ token }) },
  })
  expect((await s.app.handle(elsewhere)).headers.get('set-cookie')).toBeNull()
  await cookieFrom(link)
  expect((await open(link)).status).toBe(410)
  expect((await open(path(), { form: { token } })).status).toBe(410)
})

test('the outbox forgets the text of a mail whose link was used', async () => {
  const { email } = await signedIn()
  const [mail] = (await s.ctx.db.select().from(s.ctx.tables.mails)).filter((row) => row.toAddress === email)
  if (!mail) throw new Error('no mail was written')
  expect(toMailView(s.ctx, mail)).toMatchObject({ textState: 'BLANKED', text: null, link: null })
  expect(mail.sealed).toBeNull()
})

test('the link works once and for 15 minutes, and the visit as long', async () => {
  const { link, see } = await signedIn()
  expect((await open(link)).status).toBe(410)
  expect((await see()).html).toContain('Bought on')
  s.ctx.clock.advance(15 * MINUTE)
  expect((await see()).html).not.toContain('Bought on')
  const late = newEmail()
  await sell(s, { email: late })
  await open(path(), { form: { email: late } })
  const [old = ''] = await linksTo(late)
  s.ctx.clock.advance(15 * MINUTE)
  expect((await open(old)).status).toBe(410)
  expect((await open(path('?token=x'))).status).toBe(410)
})

test('a form of another site is refused, and changes nothing', async () => {
  const { cookie, sessionId, see } = await signedIn()
  const send = (
    headers: Record<string, string>,
    form: Record<string, string> = { action: 'cancel', session: sessionId },
  ) =>
    s.app.handle(
      new Request(`http://localhost${path()}`, {
        ...{ method: 'POST', headers: { cookie, ...headers }, body: new URLSearchParams(form) },
      }),
    )
  const foreign = [{ origin: 'https://evil.example' }, { origin: 'null' }, { origin: 'http://localhost:81' }]
  for (const headers of foreign) {
    const answer = await send(headers)
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('Nothing was changed')])
    expect((await send(headers, { email: newEmail() })).status).toBe(403)
  }
  expect((await send({ origin: 'null', 'sec-fetch-site': 'cross-site' }, { token: 'x' })).status).toBe(403)
  expect((await see()).html).toContain('Next charge')
  for (const headers of [{ origin: 'http://localhost' }, { origin: 'null', 'sec-fetch-site': 'same-origin' }])
    expect((await send(headers, { action: 'none', session: sessionId })).status).toBe(303)
  expect((await send({ origin: 'null' }, { token: 'x' })).status).toBe(410)
})

test('the page allows nothing from elsewhere, is not kept, and tells nobody its address', async () => {
  const { see } = await signedIn()
  const { headers } = await see()
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'nonce-\w+'; img-src 'self' data:; form-action 'self'; base-uri 'none'/,
  )
  expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual(['no-store', 'same-origin'])
})

describe('the buyer', () => {
  test('sees what was bought, the next charge, and where to ask', async () => {
    const { see } = await signedIn()
    const { html } = await see()
    for (const text of ['pro_monthly', 'Next charge: $9.99 on ', 'help@example.com', 'Cancel at the end of the period'])
      expect(html).toContain(text)
    expect((await see('', 'de')).html).toContain('Nächste Zahlung: 9,99')
  })

  test('cancels at the end of the period with one click, and undoes it', async () => {
    const { act, see, purchaseId, buyerId } = await signedIn()
    s.ctx.clock.advance(MINUTE)
    const cancelled = await act('cancel')
    expect([cancelled.status, cancelled.headers.get('location')]).toEqual([303, path('?done=cancelled')])
    expect((await see('?done=cancelled')).html).toContain('Your subscription is cancelled')
    expect((await see()).html).toContain('Does not renew')
    expect([...s.world.subscriptions.values()].at(-1)?.cancel_at_period_end).toBe(true)
    await s.deliverAll()
    s.ctx.clock.advance(MINUTE)
    expect((await act('keep')).headers.get('location')).toBe(path('?done=kept'))
    expect((await see()).html).toContain('Next charge')
    await s.deliverAll()
    const types = (await eventTypes(s, buyerId)).filter((type) => /cancel/.test(type))
    expect(types).toEqual(['purchase.cancelled', 'purchase.uncancelled'])
    const { purchases } = s.ctx.tables
    const row = (await s.ctx.db.select().from(purchases)).find(({ id }) => id === purchaseId)
    expect(row?.fold.autoRenews).toBe(true)
  })

  test('is told when the provider does not do it, and nothing changes', async () => {
    const { act, see } = await signedIn()
    const subscription = [...s.world.subscriptions.values()].at(-1)
    if (subscription) Object.assign(subscription, { status: 'canceled' })
    expect((await act('cancel')).headers.get('location')).toBe(path('?done=failed'))
    expect((await see('?done=failed')).html).toContain('Nothing was changed')
    expect((await see()).html).toContain('Next charge')
  })

  test('gets a new link into the app, which moves the purchase to it', async () => {
    const { act, token } = await signedIn()
    expect((await s.post('/v1/subscribers/claim-funnel-token', { token, anon_id: 'svc_first' })).status).toBe(200)
    const fresh = /svc_ft_[\w-]{43}/.exec((await act('link')).html)?.[0] ?? ''
    const moved = await s.post('/v1/subscribers/claim-funnel-token', { token: fresh, anon_id: 'svc_second' })
    expect([moved.status, moved.body.data.entitlements]).toEqual([200, ['pro']])
  })

  test('is led to the provider to change the card', async () => {
    const { act, see } = await signedIn()
    expect((await see()).html).toContain('Change the card')
    const { status, html } = await act('card')
    expect([status, /href="(https:\/\/[^"]+)"/.exec(html)?.[1]]).toEqual([
      200,
      expect.stringContaining('billing.simulated.example'),
    ])
  })

  test('asks for a copy of the data, which the team sees', async () => {
    const { act, token, sessionId } = await signedIn()
    await s.post('/v1/subscribers/claim-funnel-token', { token, anon_id: 'svc_data' })
    expect((await act('data')).headers.get('location')).toBe(path('?done=data'))
    const { items } = await dataOf(staff(s).as('ADMIN').get('/dsar'))
    const { id } = await rowOf(s, 'svc_data')
    expect(items).toContainEqual(
      expect.objectContaining({ type: 'EXPORT', subscriberId: id, requestedBy: `buyer of ${sessionId}` }),
    )
  })

  test('can do nothing with the purchase of somebody else, nor without the visit', async () => {
    const other = await sell(s, { email: newEmail() })
    const { act } = await signedIn()
    for (const action of ['cancel', 'keep', 'link', 'card', 'data', 'nothing'])
      expect((await act(action, other.sessionId)).headers.get('location')).toBe(path('?done=failed'))
    const form = { action: 'cancel', session: other.sessionId }
    expect((await open(path(), { form })).status).toBe(410)
    expect((await open(path(), { form, cookie: `svc_buyer=${'x'.repeat(43)}` })).status).toBe(410)
    expect([...s.world.subscriptions.values()].some((one) => one.cancel_at_period_end)).toBe(false)
  })
})
