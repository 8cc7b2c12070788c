import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { HOUR, MINUTE } from '../../src/base/lib/clock'
import { toMailView } from '../../src/operators/mail/outbox'
import { type FunnelStage, funnelStage, sell, sessionRow, tokenOf } from '../support/funnel-claims'
import { dataOf } from '../support/operator'
import { runJobs } from '../support/rates'

let s: FunnelStage
let count = 0
beforeAll(async () => {
  s = await funnelStage({ env: { SVC_TRUSTED_PROXIES: '1', PUBLIC_BASE_URL: 'http://localhost' } })
})
afterAll(() => s.close())
beforeEach(() => s.ctx.clock.advance(61 * MINUTE)) // Limits of a minute and of an hour begin anew.

const newAddress = (): string => `10.0.0.${++count}`
const newEmail = (): string => `buyer${++count}@example.com`
const claim = (token: string, device: string) =>
  s.post('/v1/subscribers/claim-funnel-token', { token, anon_id: device })
const install = (body: object, address = newAddress(), key = s.project.publicKey) =>
  s.post(
    '/v1/sdk/claim-install',
    { install_id: `install_${address}`, ...body },
    { key, headers: { 'x-forwarded-for': address } },
  )
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)'
const PIXEL = 'Mozilla/5.0 (Linux; Android 16; Pixel 9)'
const DESKTOP = 'Mozilla/5.0 (X11; Linux x86_64)'

interface Visit {
  method?: string
  agent?: string
  address?: string
  language?: string
}

function visit(path: string, { method = 'GET', agent = DESKTOP, address = newAddress(), language = 'en' }: Visit = {}) {
  const headers = {
    'user-agent': agent,
    'accept-language': language,
    accept: 'text/html',
    'x-forwarded-for': address,
  }
  return s.app.handle(new Request(`http://localhost${path}`, { method, headers }))
}

/** The links to the app in the mails to an address, the newest mail first, without the origin. */
async function mailed(to: string): Promise<{ subject: string; text: string; links: string[] }[]> {
  const rows = (await s.ctx.db.select().from(s.ctx.tables.mails)).filter((row) => row.toAddress === to)
  return rows
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .map((row) => {
      const text = toMailView(s.ctx, row).text ?? ''
      const links = [...text.matchAll(/\/public\/magic\/[\w-]+/g)].map(([link]) => link)
      return { subject: row.subject, text, links }
    })
}

async function ask(email: string) {
  const answer = await s.post(
    '/v1/sdk/claim-via-email',
    { email, install_id: 'i' },
    { headers: { 'x-forwarded-for': newAddress() } },
  )
  expect([answer.status, answer.body]).toEqual([202, { data: null }])
  await runJobs(s.ctx)
}

describe('an install on Android', () => {
  test('gets the token in its referrer unchanged', async () => {
    const { token } = await sell(s)
    const referrer = new URLSearchParams({ utm_source: 'quiz', svc_funnel_token: token }).toString()
    const { status, body } = await install({ platform: 'android', install_referrer: referrer })
    expect([status, body]).toEqual([200, { data: { token } }])
    expect((await claim(token, 'svc_android')).status).toBe(200)
  })

  test('gets nothing for a token that is unknown, too old, or of another project', async () => {
    const { token } = await sell(s)
    const asked = (value: string, key?: string) =>
      install({ platform: 'android', install_referrer: `svc_funnel_token=${value}` }, undefined, key)
    const nothing = { status: 404, body: { data: null } }
    expect(await asked(`svc_ft_${'x'.repeat(43)}`)).toMatchObject(nothing)
    expect(await asked('')).toMatchObject(nothing)
    expect(await asked(token, s.other.publicKey)).toMatchObject(nothing)
    s.ctx.clock.advance(8 * 24 * HOUR)
    expect(await asked(token)).toMatchObject(nothing)
    expect((await install({ platform: 'web' })).status).toBe(400)
  })
})

/** Publishes the funnel again with or without the match of installs. */
async function setDeferredMatch(deferredMatch: boolean): Promise<number> {
  await dataOf(s.dev.patch(`/funnels/${s.funnelId}`, { settings: { deferredMatch } }))
  return (await dataOf(s.dev.post(`/funnels/${s.funnelId}/publish`, {}))).currentVersionNo
}

describe('an install on iOS', () => {
  const ios = { platform: 'ios', locale: 'de-DE' }
  const opened = async (address: string, versionNo: number) => {
    const sold = await sell(s, { versionNo })
    await visit(`/universal/funnels/open/${sold.token}`, { agent: IPHONE, address, language: 'de-DE,de;q=0.9' })
    return sold
  }

  test('gets nothing where the funnel does not allow a match', async () => {
    const address = newAddress()
    await opened(address, 1)
    expect((await install(ios, address)).status).toBe(404)
  })

  test('gets a new token when exactly one opening matches; the one of the link ends', async () => {
    const versionNo = await setDeferredMatch(true)
    const address = newAddress()
    const { token, sessionId } = await opened(address, versionNo)
    const { status, body } = await install(ios, address)
    expect(status).toBe(200)
    expect(body.data.token).not.toBe(token)
    expect((await claim(token, 'svc_stranger')).status).toBe(404)
    expect((await claim(body.data.token, 'svc_iphone')).status).toBe(200)
    expect((await sessionRow(s, sessionId))?.state).toBe('COMPLETED')
    expect((await install(ios, address)).status).toBe(404)
  })

  test('gets nothing in doubt: two openings, another language, another install, or an hour later', async () => {
    const versionNo = await setDeferredMatch(true)
    const [two, language, other, late] = [newAddress(), newAddress(), newAddress(), newAddress()]
    await opened(two, versionNo)
    await opened(two, versionNo)
    expect((await install(ios, two)).status).toBe(404)
    await opened(language, versionNo)
    expect((await install({ platform: 'ios', locale: 'fr' }, language)).status).toBe(404)
    await install({ ...ios, install_id: 'first' }, other)
    await opened(other, versionNo)
    expect((await install({ ...ios, install_id: 'second' }, other)).status).toBe(404)
    await opened(late, versionNo)
    s.ctx.clock.advance(HOUR)
    expect((await install(ios, late)).status).toBe(404)
  })
})

describe('a claim by mail', () => {
  test('mails a link that opens the app, and ends the tokens of before', async () => {
    const email = newEmail()
    const { token } = await sell(s, { email })
    await ask(` ${email.toUpperCase()} `)
    const [mail, ...more] = await mailed(email.toUpperCase())
    expect(more).toEqual([])
    expect(mail?.text).toContain('pro_monthly')
    expect((await claim(token, 'svc_old')).status).toBe(404)
    const [link = ''] = mail?.links ?? []
    const page = await visit(link)
    expect([page.status, (await page.text()).includes('<form method="post">')]).toEqual([200, true])
    const opened = await (await visit(link, { method: 'POST' })).text()
    const fresh = /svc_ft_[\w-]{43}/.exec(opened)?.[0] ?? ''
    expect((await claim(fresh, 'svc_by_mail')).status).toBe(200)
  })

  test('lists each purchase of the address with a link of its own', async () => {
    const email = newEmail()
    const sold = [await sell(s, { email }), await sell(s, { email, priceId: 'price_yearly' })]
    await ask(email)
    const [mail] = await mailed(email)
    expect([mail?.links.length, mail?.text.includes('pro_yearly')]).toEqual([2, true])
    for (const link of mail?.links ?? []) {
      const token = /svc_ft_[\w-]{43}/.exec(await (await visit(link, { method: 'POST' })).text())?.[0] ?? ''
      expect((await claim(token, 'svc_both')).status).toBe(200)
    }
    for (const { sessionId } of sold) expect((await sessionRow(s, sessionId))?.state).toBe('COMPLETED')
  })

  test('answers the same for an address that has bought nothing, and mails nothing', async () => {
    const email = newEmail()
    await sell(s, { email, isPaid: false })
    await ask(email)
    await ask(newEmail())
    expect(await mailed(email)).toEqual([])
    for (const body of [
      { email: 'nobody', install_id: 'i' },
      { email },
      { email: `${'a'.repeat(250)}@x.com`, install_id: 'i' },
    ])
      expect((await s.post('/v1/sdk/claim-via-email', body)).status).toBe(400)
  })

  test('mails an address three times an hour', async () => {
    const email = newEmail()
    await sell(s, { email })
    for (let n = 0; n < 5; n++) await ask(email)
    expect((await mailed(email)).length).toBe(3)
    s.ctx.clock.advance(HOUR)
    await ask(email)
    expect((await mailed(email)).length).toBe(4)
  })
})

describe('the link of a mail', () => {
  async function linkOf(email = newEmail()): Promise<string> {
    await sell(s, { email })
    await ask(email)
    return (await mailed(email))[0]?.links[0] ?? ''
  }

  test('works once, however often it was looked at', async () => {
    const link = await linkOf()
    for (let n = 0; n < 3; n++) expect((await visit(link)).status).toBe(200)
    expect((await visit(link, { method: 'POST' })).status).toBe(200)
    for (const method of ['GET', 'POST']) expect((await visit(link, { method })).status).toBe(410)
    const { status, body } = await s.call('GET', link, { key: null })
    expect([status, body.error.code]).toEqual([410, 'HTTP_ERROR'])
  })

  test('ends after 15 minutes, and one that never was is the same', async () => {
    const link = await linkOf()
    s.ctx.clock.advance(15 * MINUTE)
    for (const path of [link, `/public/magic/${'x'.repeat(43)}`]) {
      const answer = await visit(path, { method: 'POST', language: 'de' })
      expect([answer.status, (await answer.text()).includes('Dieser Link gilt nicht mehr')]).toEqual([410, true])
    }
  })

  test('at once in two places opens one', async () => {
    const link = await linkOf()
    const answers = await Promise.all([1, 2, 3].map(() => visit(link, { method: 'POST' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410])
  })

  test('its pages are not kept, tell nobody their address, and run no script', async () => {
    const { headers } = await visit(await linkOf())
    expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual(['no-store', 'no-referrer'])
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'nonce-\w+';/)
  })
})

const FINGERPRINT = Array.from({ length: 32 }, () => 'AB').join(':')
const APPS = {
  ios: { teamId: 'TEAM123456', bundleIds: ['com.x'], scheme: 'sleepapp', storeUrl: 'https://apps.apple.com/app/id1' },
  android: {
    packageNames: ['com.x'],
    sha256Fingerprints: [FINGERPRINT],
    scheme: 'sleepdroid',
    storeUrl: 'https://play.google.com/store/apps/details?id=com.x',
  },
}

describe('with the apps saved', () => {
  beforeAll(async () => void (await dataOf(s.dev.put('/app-links', APPS))))

  test('a mail link shows a phone the ways into the app, because it may have none', async () => {
    for (const [agent, scheme] of [
      [IPHONE, 'sleepapp'],
      [PIXEL, 'sleepdroid'],
      [DESKTOP, 'sleepapp'],
    ] as const) {
      const email = newEmail()
      await sell(s, { email })
      await ask(email)
      const [link = ''] = (await mailed(email))[0]?.links ?? []
      const answer = await visit(link, { method: 'POST', agent })
      const html = await answer.text()
      expect([answer.status, answer.headers.get('location')]).toEqual([200, null])
      expect(answer.headers.get('content-security-policy')).toContain("form-action 'self'; ")
      expect(html).toMatch(new RegExp(`href="${scheme}://onboarding-complete\\?token=svc_ft_[\\w-]{43}"`))
      for (const text of ['https://apps.apple.com/app/id1', 'https://play.google.com/store', '<svg'])
        expect(html).toContain(text)
    }
  })

  test('a form of another site does not spend a mail link', async () => {
    const email = newEmail()
    await sell(s, { email })
    await ask(email)
    const [link = ''] = (await mailed(email))[0]?.links ?? []
    const send = (origin: string, site?: string) =>
      s.app.handle(
        new Request(`http://localhost${link}`, {
          method: 'POST',
          headers: { origin, accept: 'text/html', ...(site && { 'sec-fetch-site': site }) },
        }),
      )
    const refused = await send('https://evil.example')
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('Nothing was changed')])
    expect((await send('null', 'cross-site')).status).toBe(403)
    expect((await send('null', 'same-origin')).status).toBe(200)
  })

  test('the link to the app leads phones to their stores, and shows a code elsewhere', async () => {
    const { token } = await sell(s)
    const path = `/universal/funnels/open/${token}`
    const android = await visit(path, { agent: PIXEL })
    expect([android.status, android.headers.get('location')]).toEqual([
      302,
      `https://play.google.com/store/apps/details?id=com.x&referrer=svc_funnel_token%3D${token}`,
    ])
    const ios = await visit(path, { agent: IPHONE })
    expect([ios.status, ios.headers.get('location')]).toEqual([302, 'https://apps.apple.com/app/id1'])
    const page = await visit(path)
    const html = await page.text()
    expect([
      page.status,
      html.includes(`sleepapp://onboarding-complete?token=${token}`),
      html.includes('<svg'),
    ]).toEqual([200, true, true])
  })

  test('a replaced token is 404 there, and an old one 410', async () => {
    const { token, sessionId } = await sell(s)
    const fresh = await tokenOf(s, sessionId)
    expect((await visit(`/universal/funnels/open/${token}`)).status).toBe(404)
    s.ctx.clock.advance(7 * 24 * HOUR)
    expect((await visit(`/universal/funnels/open/${fresh}`)).status).toBe(410)
  })
})
