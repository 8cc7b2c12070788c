import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { MINUTE } from '../../src/base/lib/clock'
import { type Stage, stage } from '../support/cast'
import { FunnelBrowser } from '../support/funnel-browser'
import { publishPaidFunnel } from '../support/funnel-payments'
import { choice, funnelPage, publishFunnel, slugOf } from '../support/funnels'
import { dataOf, refused } from '../support/operator'
import { type StaffCalls, staff } from '../support/staff'

let s: Stage
let dev: StaffCalls
let project: string
beforeAll(async () => {
  s = await stage()
  dev = staff(s).as('DEVELOPER')
  project = await slugOf(s)
})
beforeEach(() => s.ctx.clock.advance(2 * MINUTE)) // The calls of an address are counted by the minute.
afterAll(() => s.close())

const block = (type: string, props: object = {}) => ({ id: type, type, props })
const visit = (slug: string) => new FunnelBrowser(s, `/f/${project}/${slug}`).open()
const unescaped = (text: string) => text.replaceAll('&amp;', '&')
const frameOf = (html: string) => unescaped(/<iframe class="html"[^>]* src="([^"]*)"/.exec(html)?.[1] ?? '')
const get = (path: string) => s.app.handle(new Request(`http://localhost${path}`))

describe('a block of HTML', () => {
  const SOURCE = '<!doctype html><script>parent.postMessage({action:"next"},"*")</script>é "quoted" {{answer.goal}}'
  const page = funnelPage('ask', 'end', {
    fields: [choice('goal', ['sleep'])],
    blocks: [block('html', { source: SOURCE })],
  })

  test('is drawn in a frame without rights, whose answer has a policy of its own', async () => {
    await publishFunnel(dev, 'framed', [page, funnelPage('end')])
    const { html, headers } = await visit('framed')
    expect(html).not.toContain('postMessage')
    expect(/<iframe[^>]*>/.exec(html)?.[0]).toMatch(/ sandbox="allow-scripts" .* referrerpolicy="no-referrer">$/)
    expect(headers.get('content-security-policy')).toContain("frame-src 'self';")
    const answer = await get(frameOf(html))
    expect([answer.status, await answer.text()]).toEqual([200, SOURCE])
    expect(answer.headers.get('content-security-policy')).toBe(
      "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:",
    )
    expect(answer.headers.get('cache-control')).toContain('immutable')
    expect(answer.headers.getSetCookie()).toEqual([])
  })

  test('has another address when its source changes, and the one of before stays for those who see it', async () => {
    const id = await publishFunnel(dev, 'changed', [page, funnelPage('end')])
    const before = frameOf((await visit('changed')).html)
    const blocks = [block('html', { source: '<p>New</p>' })]
    await dataOf(dev.patch(`/funnels/${id}`, { pages: [{ ...page, blocks }, funnelPage('end')] }))
    await dataOf(dev.post(`/funnels/${id}/publish`, {}))
    const after = frameOf((await visit('changed')).html)
    expect(await (await get(after)).text()).toBe('<p>New</p>')
    expect(await (await get(before)).text()).toBe(SOURCE)
    const [hash = ''] = after.split('?')
    for (const wrong of [
      `${hash}?${before.split('?')[1]}`,
      `${hash}?funnel=fnl_x&version=1`,
      `${hash}?version=x`,
      hash,
    ])
      expect((await get(wrong)).status).toBe(404)
  })

  test('is shown by a preview too, and no longer than the link', async () => {
    const { id } = await dataOf(dev.post('/funnels', { slug: 'drafted', name: 'D', pages: [page, funnelPage('end')] }))
    const { url } = await dataOf(dev.post(`/funnels/${id}/preview-link`, { version: 'draft', expiresIn: 60 }))
    const answer = await get(url.slice(new URL(url).origin.length))
    expect(answer.headers.get('content-security-policy')).toContain("frame-src 'self';")
    const frame = frameOf(await answer.text())
    const shown = await get(frame)
    expect([await shown.text(), shown.headers.get('content-security-policy')?.slice(0, 21)]).toEqual([
      SOURCE,
      'sandbox allow-scripts',
    ])
    s.ctx.clock.advance(2 * MINUTE)
    expect((await get(frame)).status).toBe(404)
  })

  test('is refused on a payment page, where it could imitate the card form, and not drawn by its preview', async () => {
    const pages = [funnelPage('pay', null, { type: 'payment', blocks: [block('html', { source: '<input>' })] })]
    const { id } = await dataOf(dev.post('/funnels', { slug: 'imitating', name: 'I', pages }))
    const publish = () => dev.post(`/funnels/${id}/publish`, {})
    const { fields } = await refused(s, publish, 400, 'VALIDATION_ERROR')
    expect(fields).toEqual(['pages[0].blocks[0].type'])
    const { url } = await dataOf(dev.post(`/funnels/${id}/preview-link`, { version: 'draft' }))
    expect(await (await get(url.slice(new URL(url).origin.length))).text()).not.toContain('<iframe')
  })

  test.each([
    ['an empty source', { source: ' ' }],
    ['more than 32 KiB', { source: 'é'.repeat(16_385) }],
    ['a source that is no text', { source: 1 }],
    ['another member', { source: 'x', srcdoc: 'y' }],
  ])('is refused with %s', async (_name, props) => {
    const pages = [funnelPage('a', null, { blocks: [block('html', props)] })]
    await refused(s, () => dev.post('/funnels', { slug: 'refused', name: 'R', pages }), 400, 'VALIDATION_ERROR')
  })
})

describe('the blocks for the stores and the code', () => {
  const WAYS = [block('store_buttons'), block('qr')]
  const IOS = { teamId: 'TEAM123456', bundleIds: ['com.example.sleep'], scheme: 'sleep' }
  const ANDROID = {
    packageNames: ['com.example.sleep'],
    sha256Fingerprints: [Array.from({ length: 32 }, () => 'AB').join(':')],
    scheme: 'sleep',
  }
  const apps = (ios: string | null, android: string | null) =>
    dataOf(
      dev.put('/app-links', {
        ios: { ...IOS, storeUrl: ios },
        android: android && { ...ANDROID, storeUrl: android },
      }),
    )
  const [APPLE, GOOGLE] = ['https://apps.apple.com/app/id1?a=1&b=2', 'https://play.google.com/store/apps/details?id=x']
  const storesIn = (html: string) =>
    [...html.matchAll(/<a class="button secondary" href="([^"]*)"[^>]*>([^<]*)/g)].map(([, url = '', label]) => [
      unescaped(url),
      label,
    ])
  const codesIn = (html: string) => html.split('shape-rendering="crispEdges"').length - 1

  test('lead to the stores that are saved; one code leads to one store', async () => {
    await publishFunnel(dev, 'lead', [funnelPage('only', null, { blocks: WAYS })])
    await dataOf(dev.put('/app-links', { ios: null, android: null }))
    const none = await visit('lead')
    expect([storesIn(none.html), codesIn(none.html)]).toEqual([[], 0])
    await apps(APPLE, null)
    const one = await visit('lead')
    expect([storesIn(one.html), codesIn(one.html)]).toEqual([[[APPLE, 'Get the app: App Store']], 1])
    await apps(APPLE, GOOGLE)
    const two = await visit('lead')
    expect(storesIn(two.html).map(([url]) => url)).toEqual([APPLE, GOOGLE])
    expect(codesIn(two.html)).toBe(0)
  })

  test('lead into the app with the token after a payment, with one code on the page', async () => {
    await apps(APPLE, GOOGLE)
    const page = (id: string, type: string, to: string | null, more: object = {}) =>
      funnelPage(id, to, { type, ...more })
    const pages = [
      page('hello', 'info', 'pay'),
      page('pay', 'payment', 'done'),
      page('done', 'success', null, { blocks: WAYS }),
    ]
    const { slug } = await publishPaidFunnel(s, { pages })
    const visitor = await visit(slug)
    await visitor.send({ action: 'next' })
    await visitor.send({ package: 'monthly', email: 'ada@example.com', pay: 'pays' })
    const token = /\/universal\/funnels\/open\/(svc_ft_[\w-]{43})/.exec(visitor.html)?.[1]
    expect(storesIn(visitor.html).map(([url]) => url)).toEqual([
      APPLE,
      `${GOOGLE}&referrer=svc_funnel_token%3D${token}`,
    ])
    expect(codesIn(visitor.html)).toBe(1)
    const claim = { token, anon_id: 'svc_by_code' }
    expect((await s.post('/v1/subscribers/claim-funnel-token', claim)).status).toBe(200)
    await visitor.open()
    expect(storesIn(visitor.html).map(([url]) => url)).toEqual([APPLE, GOOGLE])
  })
})
