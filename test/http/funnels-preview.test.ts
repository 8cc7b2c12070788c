import { afterAll, beforeAll, expect, test } from 'bun:test'
import { DAY } from '../../src/base/lib/clock'
import { type Stage, stage } from '../support/cast'
import { publishPaidFunnel } from '../support/funnel-payments'
import { dataOf } from '../support/operator'
import { type StaffCalls, staff } from '../support/staff'

let s: Stage
let dev: StaffCalls
let id: string
const goal = {
  id: 'goal',
  kind: 'single',
  required: true,
  options: [{ id: 'sleep', label: { en: 'Sleep', tr: 'Uyku' } }],
}
const PAGES = [
  { id: 'ask', type: 'question', title: { en: 'Goal?', tr: 'Hedef?' }, fields: [goal], next: { default: 'end' } },
  { id: 'end', type: 'success', title: { en: 'Hello {{query.utm_source|you}}', tr: 'Merhaba' } },
]

beforeAll(async () => {
  s = await stage()
  dev = staff(s).as('DEVELOPER')
  const settings = { queryParameters: ['utm_source'] }
  const body = { slug: 'quiz', name: 'Quiz', pages: PAGES, settings, locales: ['en', 'tr'] }
  id = (await dataOf(dev.post('/funnels', body))).id
})
afterAll(() => s.close())

const link = async (body: object): Promise<string> => {
  const { url } = await dataOf(dev.post(`/funnels/${id}/preview-link`, { version: 'draft', ...body }))
  return url.slice(new URL(url).origin.length)
}
const open = (path: string, language = 'en'): Promise<Response> =>
  s.app.handle(new Request(`http://localhost${path}`, { headers: { 'accept-language': language } }))
const textOf = async (path: string, language?: string): Promise<string> => (await open(path, language)).text()

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const unescaped = (html: string): string => html.replace(/&([a-z0-9#]+);/g, (_, name) => ENTITIES[name] ?? '')

/** What the form of a page sends when a visitor does this. */
function sent(html: string, more: Record<string, string>): string {
  const action = /<form id="page" action="([^"]*)"/.exec(html)?.[1] ?? ''
  const hidden = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
    ([, name, value]): [string, string] => [name ?? '', unescaped(value ?? '')],
  )
  return `${action}?${new URLSearchParams([...hidden, ...Object.entries(more)])}`
}

test('a draft is walked through without a session, in the language of the browser', async () => {
  const path = await link({})
  const first = await textOf(path, 'tr-TR,tr;q=0.9')
  expect(first).toContain('<h1 id="title">Hedef?</h1>')
  const refused = await textOf(sent(first, { action: 'next' }), 'tr')
  expect(refused).toContain('Lütfen yanıtla.')
  const last = await textOf(sent(first, { action: 'next', 'a.goal': 'sleep' }), 'tr')
  expect(last).toContain('<h1 id="title">Merhaba</h1>')
  expect(await textOf(sent(last, { action: 'back' }), 'tr')).toContain('value="sleep" checked')
})

test('texts use the parameters of the address as text', async () => {
  const path = `${await link({ locale: 'en' })}&utm_source=${encodeURIComponent('<b>x')}`
  const last = await textOf(sent(await textOf(path), { action: 'next', 'a.goal': 'sleep' }))
  expect(last).toContain('Hello &lt;b&gt;x')
})

test('the page allows no script, nothing from elsewhere, and is not kept', async () => {
  const { headers } = await open(await link({}))
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(/^default-src 'none'; style-src 'nonce-[\w-]+';/)
  expect(policy).not.toContain('unsafe')
  expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual(['no-store', 'no-referrer'])
})

test('a version that does not exist has no link', async () => {
  const answer = await dev.post(`/funnels/${id}/preview-link`, { version: 7 })
  expect([answer.status, answer.body.error.code]).toEqual([404, 'NOT_FOUND'])
})

test('a changed or ended link shows nothing of the funnel', async () => {
  const path = await link({ expiresIn: 60 })
  const changed = path.replace(/token=(.)/, (_, first) => `token=${first === 'A' ? 'B' : 'A'}`)
  for (const wrong of [changed, '/f/-/preview', '/f/-/preview?token=x.y']) {
    const answer = await open(wrong)
    expect([answer.status, (await answer.text()).includes('This preview has ended')]).toEqual([404, true])
  }
  expect((await open(path)).status).toBe(200)
  s.ctx.clock.advance(DAY)
  expect((await open(path)).status).toBe(404)
})

test('the payment page shows the sheet and the prices, its buttons lead on, and no payment is begun', async () => {
  const funnel = await publishPaidFunnel(s, { settings: { offering: 'web', requireTermsConsent: true } })
  const { url } = await dataOf(dev.post(`/funnels/${funnel.id}/preview-link`, { version: 1 }))
  const first = await textOf(url.slice(new URL(url).origin.length))
  const pay = await textOf(sent(first, { action: 'next' }))
  const buttons = (html: string) =>
    [...html.matchAll(/<button (?![^>]*(?:aria-hidden|formnovalidate))[^>]*name="pay" value="([^"]*)"/g)].map(
      ([, value]) => value,
    )
  expect(buttons(pay)).toEqual(['pays', 'declined', 'needs_authentication', 'processing', 'closes'])
  expect(pay).toContain('$9.99')
  expect(pay).toMatch(/<input id="pay-email"[^>]* disabled/)
  expect(pay).toMatch(/<input[^>]* name="terms"[^>]* disabled/)
  const declined = await textOf(sent(pay, { pay: 'declined' }))
  expect(declined).toContain('The payment was declined, and nothing was charged.')
  expect(buttons(await textOf(sent(declined, { pay: 'needs_authentication' })))).toEqual(['authenticated', 'declined'])
  const waiting = await textOf(sent(declined, { pay: 'processing' }))
  expect(buttons(waiting)).toEqual(['check'])
  for (const [html, value] of [
    [pay, 'pays'],
    [waiting, 'check'],
  ] as const)
    expect(await textOf(sent(html, { pay: value }))).toContain('<h1 id="title">done</h1>')
  const { funnelPayments, funnelSessions, simulatorChains } = s.ctx.tables
  for (const table of [funnelPayments, funnelSessions, simulatorChains]) expect(await s.ctx.db.$count(table)).toBe(0)
})
