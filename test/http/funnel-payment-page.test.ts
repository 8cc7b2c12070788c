import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { MINUTE } from '../../src/base/lib/clock'
import { type Stage, stage } from '../support/cast'
import { FunnelBrowser } from '../support/funnel-browser'
import { type PaidFunnel, publishPaidFunnel } from '../support/funnel-payments'
import { publishFunnel, slugOf } from '../support/funnels'
import { dataOf } from '../support/operator'
import { svc } from '../support/simulate'
import { type StaffCalls, staff } from '../support/staff'

let s: Stage
let dev: StaffCalls
let funnel: PaidFunnel
let project: string

beforeAll(async () => {
  s = await stage()
  dev = staff(s).as('DEVELOPER')
  project = await slugOf(s)
  funnel = await publishPaidFunnel(s, { settings: { offering: 'web', requireTermsConsent: true } })
})
beforeEach(() => s.ctx.clock.advance(2 * MINUTE)) // The calls of an address are counted by the minute.
afterAll(() => s.close())

async function atPayment(): Promise<FunnelBrowser> {
  const visitor = await new FunnelBrowser(s, `/f/${project}/${funnel.slug}`).open()
  await visitor.send({ action: 'next' })
  expect(visitor.status).toBe(200)
  return visitor
}

const ORDER = { package: 'monthly', email: 'ada@example.com', terms: 'yes' }
const tokenIn = (html: string) => /svc_ft_[\w-]{43}/.exec(html)?.[0]
const stateOf = (visitor: FunnelBrowser, sessionId: string) => {
  const headers = { 'x-svc-funnel-session': visitor.cookies.get(`svc_fs_${sessionId}`) ?? '' }
  return dataOf(s.get(`/public/funnel-sessions/${sessionId}/state`, undefined, { key: null, headers }))
}
const latest = async () => {
  const { funnelPayments: p } = s.ctx.tables
  return (await s.ctx.db.select().from(p).orderBy(p.id)).at(-1)
}

describe('without script, at the test store', () => {
  test('the page says that nothing is charged, and has the five ways in which a payment ends', async () => {
    const visitor = await atPayment()
    expect(visitor.html).toContain('Nothing is charged here.')
    expect(visitor.buttons).toEqual(['pays', 'declined', 'needs_authentication', 'processing', 'closes'])
    expect(visitor.html).toContain('name="terms"')
    expect(visitor.html).toContain('$9.99')
    expect(visitor.headers.get('content-security-policy')).not.toContain('stripe')
    expect(visitor.html).not.toContain('value="next" class="primary"')
  })

  test('publishing answers the warnings that validating has', async () => {
    const { warnings } = await dataOf(dev.post(`/funnels/${funnel.id}/validate`, {}))
    expect(warnings).toContainEqual({
      path: 'settings.requireTermsConsent',
      message: expect.stringContaining('set termsUrl of the project'),
    })
    const published = await dataOf(dev.post(`/funnels/${funnel.id}/publish`, {}))
    expect(published).toMatchObject({ id: funnel.id, status: 'PUBLISHED', currentVersionNo: 1, warnings })
  })

  test('a project file warns of what it publishes, and not again', async () => {
    const funnels = `funnels: { warned: { name: F, defaultLocale: en, publish: true, settings: { requireTermsConsent: true }, pages: [{ id: pay, type: payment }] } }`
    const send = async (command: string, more = '') => {
      const file = `version: 1\n${more}${funnels}\n`
      const { lines, warnings = [] } = await dataOf(dev.post(`/project-file/${command}`, { file }))
      return { warned: lines.filter((line: string) => line.startsWith('!')), lines, warnings }
    }
    const { warned, warnings } = await send('plan')
    expect(warned).toEqual([
      '! funnel warned: settings.requireTermsConsent asks to agree to terms that no page shows; set termsUrl of the project',
    ])
    expect(warnings).toMatchObject([{ kind: 'funnel', ref: 'warned', path: 'settings.requireTermsConsent' }])
    expect((await send('plan', "project: { termsUrl: 'https://example.com/terms' }\n")).warned).toEqual([])
    expect((await send('apply')).warned).toEqual(warned)
    expect((await send('apply')).lines).toEqual(['no changes'])
  })

  test('what the visitor agrees to is linked, once the project has addresses; until then publishing warns', async () => {
    const consent = async () => /<input[^>]*name="terms"[^>]*>(.*?)<\/label>/.exec((await atPayment()).html)?.[1]
    const warned = async () => (await dataOf(dev.post(`/funnels/${funnel.id}/validate`, {}))).warnings
    const warning = { path: 'settings.requireTermsConsent', message: expect.stringContaining('termsUrl') }
    expect(await consent()).toBe('<span>I agree to the terms.</span>')
    expect(await warned()).toContainEqual(warning)
    const [termsUrl, privacyUrl] = ['https://example.com/terms?a=1&b=2', 'https://example.com/privacy']
    await dataOf(staff(s).as('OWNER').patch('', { termsUrl, privacyUrl }))
    expect(await consent()).toBe(
      '<span>I agree to the terms. <a href="https://example.com/terms?a=1&amp;b=2" rel="noopener noreferrer" target="_blank">Terms</a> · <a href="https://example.com/privacy" rel="noopener noreferrer" target="_blank">Privacy</a></span>',
    )
    expect(await warned()).not.toContainEqual(warning)
  })

  test('the visitor pays and is on the last page, also when the page is opened again', async () => {
    const visitor = await atPayment()
    await visitor.send({ ...ORDER, pay: 'pays' })
    expect([visitor.status, visitor.buttons]).toEqual([200, []])
    expect(visitor.html).toContain('Get a new link by mail')
    expect(await latest()).toMatchObject({ status: 'PAID', packageIdentifier: 'monthly' })
    await visitor.open()
    expect(visitor.buttons).toEqual([])
    expect((await latest())?.status).toBe('PAID')
  })

  test('the code of the last page is the same after a reload, so one that was scanned stays good', async () => {
    const ios = { teamId: 'TEAM123456', bundleIds: ['com.example.sleep'], scheme: 'sleep', storeUrl: null }
    await dataOf(dev.put('/app-links', { ios, android: null }))
    const visitor = await atPayment()
    await visitor.send({ ...ORDER, pay: 'pays' })
    const shown = tokenIn(visitor.html)
    await visitor.open()
    expect([shown?.length, tokenIn(visitor.html)]).toEqual([50, shown])
    const claim = { token: shown, anon_id: 'svc_scanned' }
    expect((await s.post('/v1/subscribers/claim-funnel-token', claim)).status).toBe(200)
    await visitor.open()
    expect(tokenIn(visitor.html)).toBeUndefined()
    for (const text of ['Your purchase is in the app.', 'See or cancel your purchase', 'Get a new link by mail'])
      expect(visitor.html).toContain(text)
    expect(visitor.html).toContain(`href="/f/${project}/manage"`)
    await visitor.send({ action: 'anew' })
    expect([visitor.status, visitor.html.includes('Your purchase is in the app.')]).toEqual([200, false])
    await visitor.send({ action: 'next' })
    expect(visitor.buttons).toContain('pays')
    await visitor.send({ action: 'anew' })
    expect(visitor.buttons).toContain('pays')
    await dataOf(dev.put('/app-links', { ios: null, android: null }))
  })

  test.each([
    ['the terms', { terms: '' }, 'Please agree to the terms first.'],
    ['a mail address', { email: 'ada' }, 'Please enter a mail address, like name@example.com.'],
    ['a package', { package: '' }, 'Please choose a plan.'],
  ])('without %s nothing is begun, and the page says what is missing', async (_name, more, sentence) => {
    const { id } = (await latest()) ?? {}
    const visitor = await atPayment()
    await visitor.send({ ...ORDER, ...more, pay: 'pays' })
    expect(visitor.alert).toBe(sentence)
    expect((await latest())?.id).toBe(id)
  })

  test('a declined payment is told, and the next attempt pays', async () => {
    const visitor = await atPayment()
    await visitor.send({ ...ORDER, pay: 'declined' })
    expect(visitor.alert).toBe('The payment was declined, and nothing was charged. Please try again.')
    expect(visitor.html).toContain('value="ada@example.com"')
    const { id } = (await latest()) ?? {}
    await visitor.send({ ...ORDER, pay: 'pays' })
    expect(await latest()).toMatchObject({ id, status: 'PAID' })
  })

  test.each([
    ['declined', 'pays'],
    ['needs_authentication', 'authenticated'],
    ['closes', 'pays'],
  ])('the plan that was chosen stays chosen after %s, and is the one that is paid', async (outcome, retry) => {
    const visitor = await atPayment()
    expect(visitor.plan).toBe('monthly')
    await visitor.send({ ...ORDER, package: 'yearly', pay: outcome })
    expect(visitor.plan).toBe('yearly')
    await visitor.open()
    expect(visitor.plan).toBe('yearly')
    await visitor.send({ ...ORDER, package: visitor.plan ?? '', pay: retry })
    expect(await latest()).toMatchObject({ status: 'PAID', packageIdentifier: 'yearly' })
  })

  test('the plan stays chosen while a payment takes days, and where the form was refused', async () => {
    const visitor = await atPayment()
    await visitor.send({ ...ORDER, package: 'yearly', pay: 'processing' })
    expect([visitor.plan, visitor.enter]).toEqual(['yearly', 'pay=check'])
    const refused = await atPayment()
    await refused.send({ ...ORDER, package: 'coins', email: 'ada', pay: 'pays' })
    expect([refused.plan, refused.alert]).toEqual(['coins', 'Please enter a mail address, like name@example.com.'])
    await refused.open('?package=%22%3E%3Cb%3E')
    expect(refused.plan).toBe('monthly')
  })

  test('Enter in a field pays, and confirms where the bank asks', async () => {
    const visitor = await atPayment()
    expect(visitor.enter).toBe('pay=pays')
    await visitor.send({ ...ORDER, pay: 'needs_authentication' })
    expect(visitor.enter).toBe('pay=authenticated')
  })

  test('a bank that asks is asked, and then the payment is made', async () => {
    const visitor = await atPayment()
    await visitor.send({ ...ORDER, pay: 'needs_authentication' })
    expect(visitor.buttons).toEqual(['authenticated', 'declined'])
    await visitor.send({ ...ORDER, pay: 'authenticated' })
    expect((await latest())?.status).toBe('PAID')
  })

  test('a payment that takes days is waited for, and the page goes on once it has come in', async () => {
    const visitor = await atPayment()
    await visitor.send({ ...ORDER, pay: 'processing' })
    expect(visitor.html).toContain('We wait for your bank.')
    expect(visitor.buttons).toEqual(['check'])
    await visitor.send({ pay: 'check' })
    expect(visitor.alert).toBe('The payment has not come in yet.')
    await svc(s.ctx, ['simulate', 'advance', '5d', '--project', s.project.id, '--json'])
    await visitor.open()
    expect([visitor.buttons, (await latest())?.status]).toEqual([[], 'PAID'])
  })

  test('a payment that comes in after a step back leads on from the payment page, for the page and for calls', async () => {
    const visitor = await atPayment()
    await visitor.send({ ...ORDER, pay: 'processing' })
    await visitor.send({ action: 'back' })
    await svc(s.ctx, ['simulate', 'advance', '5d', '--project', s.project.id, '--json'])
    const { sessionId = '' } = (await latest()) ?? {}
    expect(await stateOf(visitor, sessionId)).toMatchObject({ state: 'PAID', path: ['hello', 'pay', 'done'] })
    await visitor.open()
    expect(visitor.html).toContain('<h1 id="title">done</h1>')
  })

  test.each(['page', 'state'])('a paid session that is still on the payment page is led on by its %s', async (by) => {
    const visitor = await atPayment()
    await visitor.send({ ...ORDER, pay: 'pays' })
    const { sessionId = '' } = (await latest()) ?? {}
    const { funnelSessions: f } = s.ctx.tables // No call brings a session there any more.
    await s.ctx.write((tx) =>
      tx.db
        .update(f)
        .set({ path: ['hello', 'pay'] })
        .where(eq(f.id, sessionId)),
    )
    if (by === 'page') expect((await visitor.open()).html).toContain('<h1 id="title">done</h1>')
    expect(await stateOf(visitor, sessionId)).toMatchObject({ state: 'PAID', current_page_id: 'done' })
  })

  test('a price that changed while the visitor looked is shown before anything is paid', async () => {
    const visitor = await atPayment()
    const { items } = await dataOf(dev.get('/products?limit=200'))
    const { id } = items.find(({ identifier }: { identifier: string }) => identifier === 'pro_monthly')
    await dataOf(dev.patch(`/products/${id}`, { price: { amountMicros: 12_990_000, currency: 'USD' } }))
    const before = (await latest())?.id
    await visitor.send({ ...ORDER, pay: 'pays' })
    expect(visitor.alert).toBe('The price has changed. Please look at it again before you pay.')
    expect(visitor.html).toContain('$12.99')
    expect((await latest())?.id).toBe(before)
    await visitor.send({ ...ORDER, pay: 'pays' })
    expect(await latest()).toMatchObject({ status: 'PAID', amountMicros: 12_990_000 })
  })

  test('a visitor who closes the page has paid nothing, and a step back leads to the page before', async () => {
    const visitor = await atPayment()
    await visitor.send({ ...ORDER, pay: 'closes' })
    expect(visitor.alert).toBeNull()
    expect((await latest())?.status).toBe('PENDING')
    await visitor.send({ action: 'back' })
    expect(visitor.buttons).toEqual([])
  })

  test('a form of another site is refused', async () => {
    const answer = await s.app.handle(
      new Request(`http://localhost/f/${project}/${funnel.slug}`, {
        ...{ method: 'POST', headers: { origin: 'https://evil.example' }, body: new URLSearchParams({ page: 'pay' }) },
      }),
    )
    expect([answer.status, answer.headers.get('location')]).toEqual([403, null])
  })

  test('what a visitor types is shown as text', async () => {
    const visitor = await atPayment()
    await visitor.send({ ...ORDER, email: '"><script>alert(1)</script>', pay: 'pays' })
    expect(visitor.html).not.toContain('<script>alert')
    await visitor.open('?payment=<script>alert(1)</script>')
    expect(visitor.html).not.toContain('<script>alert')
  })
})

describe('with emailBeforePayment', () => {
  const asking = { offering: 'web', emailBeforePayment: true, requireTermsConsent: true }
  const pageOf = (id: string, type: string, to: string | null) => ({
    ...{ id, type, title: { en: id }, next: { rules: [], default: to } },
  })
  const publish = async (slug: string, first: string) => {
    const pages = [pageOf('hello', first, 'pay'), pageOf('pay', 'payment', 'done'), pageOf('done', 'success', null)]
    await publishFunnel(dev, slug, pages, { settings: asking })
    const visitor = await new FunnelBrowser(s, `/f/${project}/${slug}`).open()
    return visitor.send({ action: 'next', ...(first === 'email' && { 'a.email': 'bo@example.com' }) })
  }

  test('the page asks for the address by itself, then shows how to pay, with the chosen plan', async () => {
    const visitor = await publish('asks', 'info')
    expect([visitor.buttons, visitor.enter]).toEqual([['email'], 'pay=email'])
    expect(visitor.html).not.toContain('name="terms"')
    await visitor.send({ email: 'ada', pay: 'email', package: 'yearly' })
    expect([visitor.buttons, visitor.alert]).toEqual([['email'], 'Please enter a mail address, like name@example.com.'])
    const before = (await latest())?.id
    await visitor.send({ email: ' ada@example.com', pay: 'email', package: 'yearly' })
    expect([visitor.buttons[0], visitor.plan, visitor.alert]).toEqual(['pays', 'yearly', null])
    expect(visitor.html).toContain('value="ada@example.com"')
    expect((await latest())?.id).toBe(before)
    await visitor.open()
    expect(visitor.buttons).toContain('pays')
    await visitor.send({ ...ORDER, pay: 'pays' })
    expect(await latest()).toMatchObject({ status: 'PAID' })
  })

  test('an address that a page before has asked for is not asked for again', async () => {
    const visitor = await publish('asked', 'email')
    expect(visitor.buttons).toContain('pays')
    expect(visitor.html).toContain('value="bo@example.com"')
  })

  test('the address is an answer of the person, and is not counted among the answers of the fields', async () => {
    const visitor = await publish('counted', 'info')
    await visitor.send({ email: 'cy@example.com', pay: 'email' })
    const { items } = await dataOf(dev.get('/funnels?limit=50'))
    const { id } = items.find(({ slug }: { slug: string }) => slug === 'counted')
    expect(JSON.stringify(await dataOf(dev.get(`/funnels/${id}/stats`)))).not.toContain('cy@example.com')
  })
})

test('the offer of a funnel has its prices and the account, and reading it makes nothing', async () => {
  const before = (await s.ctx.db.select().from(s.ctx.tables.simulatorChains)).length
  const { body } = await s.call('GET', `/public/funnels/${funnel.slug}?project=${project}`, { key: null })
  const { payment, prices, chargesEnabled } = body.data
  expect([payment.provider, payment.accountId, chargesEnabled]).toEqual(['test', null, true])
  expect(prices[1]).toEqual({
    packageIdentifier: 'yearly',
    productType: 'SUBSCRIPTION',
    name: expect.any(String),
    price: { amountMicros: 9_990_000, currency: 'USD' },
    interval: 'year',
    intervalCount: 1,
    trialDays: 0,
    introPrice: null,
    taxIncluded: null,
    dueNow: { amountMicros: 9_990_000, currency: 'USD' },
  })
  expect(await s.ctx.db.select().from(s.ctx.tables.simulatorChains)).toHaveLength(before)
  const { funnelSessions: f } = s.ctx.tables
  expect(await s.ctx.db.select().from(f).where(eq(f.state, 'ABANDONED'))).toEqual([])
})

describe('a promotion code on the page', () => {
  const promotion = (...args: string[]) =>
    svc(s.ctx, ['simulate', 'promotion', '--code', ...args, '--project', s.project.id, '--json'])
  const typed = (visitor: FunnelBrowser) => /id="pay-code"[^>]* value="([^"]*)"/.exec(visitor.html)?.[1]
  const isOpen = (visitor: FunnelBrowser) => visitor.html.includes('<details class="promotion" open>')

  /** What was paid last, of the full price. */
  const paidPart = async () => {
    const { status, amountMicros = 0, priceMicros = 1 } = (await latest()) ?? {}
    return status === 'PAID' ? Math.round((amountMicros / priceMicros) * 100) : null
  }

  beforeAll(() => promotion('HALF', '--percent', '50'))

  test('has a closed field, and its button sends the form although the other fields are empty', async () => {
    const visitor = await atPayment()
    expect([isOpen(visitor), typed(visitor), visitor.html.includes('name="promotion_code"')]).toEqual([false, '', true])
    expect(visitor.html).toMatch(/<button[^>]*value="promotion"[^>]*formnovalidate/)
    expect([visitor.enter, visitor.html.includes('instead of')]).toEqual(['pay=pays', false])
  })

  test('shows what each package costs with it, begins nothing, and keeps what was typed and chosen', async () => {
    const before = (await latest())?.id
    const visitor = await atPayment()
    await visitor.send({ package: 'yearly', email: 'ada@example.com', promotion_code: ' half ', pay: 'promotion' })
    expect([visitor.alert, typed(visitor), visitor.plan, isOpen(visitor)]).toEqual([null, 'half', 'yearly', true])
    expect(visitor.html).toContain('$5.00 instead of $9.99 for the first payment')
    expect(visitor.html).toContain('value="ada@example.com"')
    expect((await latest())?.id).toBe(before)
  })

  test('takes its part off when the visitor pays, also when it was only typed', async () => {
    const visitor = await atPayment()
    await visitor.send({ ...ORDER, promotion_code: 'HALF', pay: 'promotion' })
    await visitor.send({ ...ORDER, promotion_code: typed(visitor) ?? '', pay: 'pays' })
    expect([visitor.status, await paidPart()]).toEqual([200, 50])
    const typing = await atPayment()
    await typing.send({ ...ORDER, promotion_code: 'HALF', pay: 'pays' })
    expect(await paidPart()).toBe(50)
    const without = await atPayment()
    await without.send({ ...ORDER, promotion_code: '  ', pay: 'pays' })
    expect(await paidPart()).toBe(100)
  })

  test('stays after a declined payment, and one that is emptied counts no more', async () => {
    const visitor = await atPayment()
    await visitor.send({ ...ORDER, promotion_code: 'HALF', pay: 'declined' })
    expect([typed(visitor), visitor.html.includes('instead of')]).toEqual(['HALF', true])
    await visitor.send({ ...ORDER, promotion_code: '', pay: 'promotion' })
    expect([typed(visitor), visitor.alert, visitor.html.includes('instead of')]).toEqual(['', null, false])
    await visitor.send({ ...ORDER, promotion_code: '', pay: 'pays' })
    expect(await paidPart()).toBe(100)
  })

  test.each([
    ['en', 'This code cannot be used for the chosen plan. Please check it, or leave the field empty.'],
    ['de', 'Dieser Code gilt nicht für den gewählten Tarif. Bitte prüfen oder das Feld leer lassen.'],
    ['tr', 'Bu kod seçilen planda kullanılamaz. Lütfen kodu kontrol edin veya alanı boş bırakın.'],
    ['ja', 'このコードは選択中のプランには使えません。コードを確認するか、空欄にしてください。'],
  ])(
    'is refused in words of %s, by its button and by the payment, and nothing is begun',
    async (language, sentence) => {
      const slug = `codes-${language}`
      const pages = [{ id: 'pay', type: 'payment', title: { [language]: 'Pay' } }]
      await publishFunnel(dev, slug, pages, {
        defaultLocale: language,
        locales: [language],
        settings: { offering: 'web' },
      })
      const before = (await latest())?.id
      for (const pay of ['promotion', 'pays']) {
        const visitor = await new FunnelBrowser(s, `/f/${project}/${slug}`, { language }).open()
        await visitor.send({ ...ORDER, promotion_code: '<NONE>', pay })
        expect([pay, visitor.alert, visitor.plan]).toEqual([pay, sentence, 'monthly'])
        expect([typed(visitor), visitor.html.includes('aria-invalid="true"')]).toEqual(['&lt;NONE&gt;', true])
      }
      expect((await latest())?.id).toBe(before)
    },
  )

  test('that has ended between the look and the payment is refused, and the visitor is not charged the full price', async () => {
    await promotion('SHORT', '--percent', '20')
    const visitor = await atPayment()
    await visitor.send({ ...ORDER, promotion_code: 'SHORT', pay: 'promotion' })
    expect(visitor.html).toContain('instead of')
    await promotion('SHORT', '--off')
    const before = (await latest())?.id
    await visitor.send({ ...ORDER, promotion_code: 'SHORT', pay: 'pays' })
    expect([visitor.alert?.slice(0, 25), visitor.html.includes('instead of')]).toEqual([
      'This code cannot be used ',
      false,
    ])
    expect((await latest())?.id).toBe(before)
  })

  test('is not looked up before the address is given, where the page asks for it first', async () => {
    await publishFunnel(dev, 'first', [{ id: 'pay', type: 'payment', title: { en: 'Pay' } }], {
      settings: { offering: 'web', emailBeforePayment: true },
    })
    const visitor = await new FunnelBrowser(s, `/f/${project}/first`).open('?code=HALF')
    expect(visitor.html).not.toContain('promotion_code')
    await visitor.send({ email: 'ada@example.com', pay: 'email' })
    expect(visitor.html).toContain('name="promotion_code"')
  })
})
