import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { MINUTE } from '../../src/base/lib/clock'
import { suspendProject, unsuspendProject } from '../../src/projects/project/service'
import { type Stage, stage } from '../support/cast'
import { FunnelBrowser } from '../support/funnel-browser'
import { choice, funnelPage, publishFunnel, slugOf } from '../support/funnels'
import { dataOf } from '../support/operator'
import { type StaffCalls, staff } from '../support/staff'

let s: Stage
let dev: StaffCalls
let project: string
beforeAll(async () => {
  s = await stage()
  dev = staff(s).as('DEVELOPER')
  project = await slugOf(s)
  await publishFunnel(dev, 'quiz', undefined, {
    locales: ['en', 'tr', 'ar'],
    settings: { queryParameters: ['friend'] },
  })
})
beforeEach(() => s.ctx.clock.advance(2 * MINUTE)) // Client addresses are limited by the minute.
afterAll(() => s.close())

const browser = (slug = 'quiz', options = {}) => new FunnelBrowser(s, `/f/${project}/${slug}`, options)
const sessions = () => s.ctx.db.select().from(s.ctx.tables.funnelSessions)

describe('a page', () => {
  test('leads through the whole funnel without script, and is where the visitor was when it is opened again', async () => {
    const visitor = await browser().open('?friend=x&utm_source=mail')
    expect([visitor.status, visitor.title]).toEqual([200, 'Page goal'])
    await visitor.send({ action: 'next', 'a.goal': 'sleep' })
    expect(visitor.title).toBe('Page name')
    await visitor.send({ action: 'next', 'a.name': 'Ada <b>' })
    await visitor.send({ action: 'back' })
    expect(visitor.html).toContain('value="Ada &lt;b&gt;"')
    await visitor.send({ action: 'next', 'a.name': 'Ada' })
    const before = (await sessions()).length
    await visitor.open()
    expect(visitor.title).toBe('Page health')
    expect(await sessions()).toHaveLength(before)
    await visitor.send({ action: 'next', 'a.illness': 'none', 'a.terms': 'true' })
    expect([visitor.status, visitor.title]).toEqual([200, 'Done, Ada'])
    const row = (await sessions()).at(-1)
    expect([row?.query, row?.utm, row?.completedAt]).toEqual([
      { friend: 'x' },
      { utm_source: 'mail' },
      s.ctx.clock.now(),
    ])
  })

  test('shows what is wrong at its field, with what was sent, and saves none of it', async () => {
    const visitor = await browser().open()
    await visitor.send({ action: 'next' })
    expect(visitor.status).toBe(422)
    expect(visitor.html).toContain('Please answer this.')
    await visitor.send({ action: 'next', 'a.goal': 'sleep' })
    await visitor.send({ action: 'next', 'a.name': 'x'.repeat(30) })
    expect(visitor.html).toContain('id="fault-name">This is too long.')
    expect(visitor.html).toContain('x'.repeat(30))
    await visitor.open()
    expect(visitor.html).not.toContain('x'.repeat(30))
  })

  test('has the policy that lets nothing in but what is ours, and is not kept', async () => {
    const { headers, html } = await browser().open()
    const nonce = /<style nonce="([^"]+)"/.exec(html)?.[1]
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self' http://localhost; frame-src 'self'; base-uri 'none'; frame-ancestors 'none'`,
    )
    expect(headers.get('cache-control')).toBe('no-store')
    const src = /<script src="([^"]+)" defer>/.exec(html)?.[1] ?? ''
    const script = await s.app.handle(new Request(`http://localhost${src}`))
    expect([script.status, script.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
    expect((await script.text()).length).toBeLessThan(4096)
  })

  test('is written in the language of the browser, from right to left where that is how it is read', async () => {
    const turkish = await browser('quiz', { language: 'tr-TR,tr;q=0.9' }).open()
    expect(turkish.html).toContain('<html lang="tr" dir="ltr">')
    expect((await turkish.send({ action: 'next' })).html).toContain('Lütfen yanıtla.')
    expect((await browser('quiz', { language: 'ar' }).open()).html).toContain('<html lang="ar" dir="rtl">')
    expect((await browser('quiz', { language: 'ar' }).open('?locale=tr')).html).toContain('<html lang="tr"')
  })

  test.each([
    ['en', 'This page is not here'],
    ['de-CH', 'Diese Seite gibt es nicht'],
    ['tr', 'Bu sayfa yok'],
    ['ja', 'このページはありません'],
    ['xx', 'This page is not here'],
  ])('that is not published says so in %s', async (language, title) => {
    const visitor = await browser('nothing', { language }).open()
    expect([visitor.status, visitor.title]).toEqual([404, title])
    expect(visitor.headers.get('content-type')).toContain('text/html')
    expect((await new FunnelBrowser(s, '/f/nobody/quiz', { language }).open()).title).toBe(title)
  })

  test('goes on while its project is suspended', async () => {
    await suspendProject(s.ctx, s.project.id)
    const visitor = await browser().open()
    expect((await visitor.send({ action: 'next', 'a.goal': 'focus' })).title).toBe('Done, friend')
    await unsuspendProject(s.ctx, s.project.id)
  })

  test('of a visitor in two tabs shows where the visitor is, and takes no step twice', async () => {
    const visitor = await browser().open()
    const first = visitor.html
    await visitor.send({ action: 'next', 'a.goal': 'sleep' })
    await visitor.send({ action: 'next', 'a.goal': 'focus' }, first)
    expect(visitor.title).toBe('Page name')
    await visitor.send({ action: 'next' })
    expect(visitor.title).toBe('Page health')
  })

  test('works in a browser that keeps no cookies, as in the apps of ad networks', async () => {
    const visitor = await browser('quiz', { keepsCookies: false }).open()
    const begun = (await sessions()).length
    await visitor.send({ action: 'next', 'a.goal': 'sleep' })
    await visitor.send({ action: 'next', 'a.name': 'Ada' })
    expect(visitor.title).toBe('Page health')
    expect(await sessions()).toHaveLength(begun)
  })

  test('does not let one visitor into the session of another', async () => {
    const [own, other] = [await browser().open(), await browser().open()]
    await own.send({ action: 'next', 'a.goal': 'sleep' })
    const stolen = own.html.replace(/name="token" value="[^"]*"/, 'name="token" value="svc_fst_x"')
    await other.send({ action: 'next', 'a.name': 'Eve' }, stolen)
    expect(other.title).toBe('Page goal')
    expect((await own.open()).title).toBe('Page name')
  })

  test('after the last page says that it is done, or leads on to the address of the funnel', async () => {
    await publishFunnel(dev, 'short', [funnelPage('only', null, { fields: [choice('x', ['1'])] })])
    const visitor = await browser('short').open()
    await visitor.send({ action: 'next', 'a.x': '1' })
    expect(visitor.title).toBe('You are done.')
    expect(visitor.html).not.toContain('value="next"')
    await publishFunnel(dev, 'leading', [funnelPage('a', 'end'), funnelPage('end', null, { type: 'success' })], {
      settings: { success: { mode: 'redirect', url: 'https://app.example/done?a=1&b=2' } },
    })
    const leaving = await (await browser('leading').open()).send({ action: 'next' })
    expect(leaving.html).toContain('<meta http-equiv="refresh" content="0;url=https://app.example/done?a=1&amp;b=2">')
  })

  test('refuses a form that is none, and one that is too large', async () => {
    const send = (type: string, body: string) =>
      s.app.handle(
        new Request(`http://localhost/f/${project}/quiz`, { method: 'POST', headers: { 'content-type': type }, body }),
      )
    expect((await send('application/json', '{}')).status).toBe(400)
    expect((await send('application/x-www-form-urlencoded', `a=${'x'.repeat(300_000)}`)).status).toBe(413)
    const nothing = await send('application/x-www-form-urlencoded', 'session=x&token=%00&page=%FF')
    expect([nothing.status, nothing.headers.get('location')]).toEqual([303, `/f/${project}/quiz`])
  })

  test('takes no form at the address of another funnel: there the visitor begins anew, or nothing is there', async () => {
    await publishFunnel(dev, 'other', [funnelPage('first', 'last'), funnelPage('last')])
    const visitor = await browser().open()
    const { length } = await sessions()
    const sendTo = (slug: string) =>
      visitor.send(
        { action: 'next', 'a.goal': 'sleep' },
        visitor.html.replace(`/${project}/quiz"`, `/${project}/${slug}"`),
      )
    const own = visitor.html
    await sendTo('nothing')
    expect([visitor.status, visitor.title]).toEqual([404, 'This page is not here'])
    visitor.html = own
    await sendTo('@nothing')
    expect(visitor.status).toBe(404)
    expect(await sessions()).toHaveLength(length)
    visitor.html = own
    await sendTo('other')
    expect([visitor.status, visitor.title]).toEqual([200, 'Page first'])
    expect(await sessions()).toHaveLength(length + 1)
    expect((await visitor.open()).title).toBe('Page goal')
    const answer = await s.app.handle(
      new Request(`http://localhost/f/${project}/nothing`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'session=x',
      }),
    )
    expect(answer.status).toBe(404)
  })

  test('with a slash at the end of its address leads to the one without, with its members', async () => {
    const at = (path: string, method = 'GET') => s.app.handle(new Request(`http://localhost${path}`, { method }))
    const answers = [
      await at(`/f/${project}/quiz/?utm_source=mail&a=%20b`),
      await at(`/f/${project}/@home/`),
      await at(`/f/${project}/quiz/`, 'POST'),
    ]
    expect(answers.map(({ status, headers }) => [status, headers.get('location')])).toEqual([
      [308, `/f/${project}/quiz?utm_source=mail&a=%20b`],
      [308, `/f/${project}/@home`],
      [308, `/f/${project}/quiz`],
    ])
    expect((await at(`/f/${project}/quiz//`)).status).toBe(404)
  })

  test('begins at most 30 sessions a minute for an address, and says so in words', async () => {
    let last = await browser('quiz', { keepsCookies: false }).open()
    for (let count = 0; count < 30; count++) last = await last.open()
    expect([last.status, last.title]).toEqual([429, 'Too many requests'])
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('inserts hostile answers as text only', async () => {
    const visitor = await browser().open('?friend=%3Cscript%3E')
    await visitor.send({ action: 'next', 'a.goal': 'sleep' })
    await visitor.send({ action: 'next', 'a.name': '"><img src=x>' })
    await visitor.send({ action: 'next', 'a.illness': 'no' })
    expect(visitor.title).toBe('Done, "><img src=x>')
    expect(visitor.html).not.toContain('<img')
  })
})

test('a session of the pages is the same as one of the calls', async () => {
  const visitor = await browser().open()
  await visitor.send({ action: 'next', 'a.goal': 'sleep' })
  const [name = '', secret = ''] = [...visitor.cookies].at(-1) ?? []
  const path = `/public/funnel-sessions/${name.replace('svc_fs_', '')}/state`
  const state = await dataOf(s.get(path, undefined, { key: null, headers: { 'x-svc-funnel-session': secret } }))
  expect([state.current_page_id, state.answers]).toEqual(['name', { goal: 'sleep' }])
})
