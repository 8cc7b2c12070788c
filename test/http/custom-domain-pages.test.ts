import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { DAY } from '../../src/base/lib/clock'
import { CustomHosts } from '../../src/funnels/domains/custom-hosts'
import { checkDue } from '../../src/funnels/domains/jobs'
import { createServedApp } from '../../src/served-app'
import { type Stage, stage } from '../support/cast'
import { browse, domainEnv, verifiedDomain } from '../support/custom-domains'
import { DnsStandIn } from '../support/dns'
import { fontFiles, lottie, png, sent } from '../support/files'
import { funnelPage, publishFunnel, QUIZ, slugOf } from '../support/funnels'
import { dataOf } from '../support/operator'
import { type Staff, type StaffCalls, staff, staffId } from '../support/staff'

let s: Stage
let dns: DnsStandIn
let people: Staff
let dev: StaffCalls
let rival: StaffCalls
let quiz: string
let project: string

const HOST = 'quiz.example.com'
const at = (path: string, host = HOST) => `http://${host}${path}`
const APPS = {
  ios: { teamId: 'TEAM123456', bundleIds: ['com.example.sleep'], scheme: 'sleep', storeUrl: null },
  android: null,
}

beforeAll(async () => {
  dns = await DnsStandIn.start()
  s = await stage({ env: domainEnv(dns) })
  people = staff(s)
  dev = people.as('DEVELOPER')
  people.sessions.roles.set(`${staffId('OWNER')} ${s.other.id}`, 'OWNER')
  const call: StaffCalls['call'] = (method, path, body, options) =>
    people.as('OWNER').call(method, path, body, { ...options, projectId: s.other.id })
  rival = {
    call,
    get: (path) => call('GET', path),
    post: (path, body = {}) => call('POST', path, body),
    patch: (path, body) => call('PATCH', path, body),
    put: (path, body) => call('PUT', path, body),
    delete: (path) => call('DELETE', path),
  }
  quiz = await publishFunnel(dev, 'quiz')
  await publishFunnel(dev, 'short', [funnelPage('only', null, { title: { en: 'Short' } })])
  await publishFunnel(rival, 'theirs', [funnelPage('only', null, { title: { en: 'Of the rival' } })])
  project = await slugOf(s)
  await verifiedDomain(s, dev, dns, { hostname: HOST, ...{ rootFunnelId: quiz } })
})
afterAll(async () => {
  await s.close()
  dns.close()
})

const title = ({ text }: { text: string }) => /<h1[^>]*>([^<]*)/.exec(text)?.[1]
const cookieOf = ({ headers }: { headers: Headers }) => (headers.get('set-cookie') ?? '').split(';')[0] ?? ''
const hidden = ({ text }: { text: string }) =>
  Object.fromEntries(
    [...text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  )

describe('a verified name', () => {
  test('shows its root funnel, and goes through it there', async () => {
    const first = await browse(s, at('/'))
    expect([first.status, title(first)]).toEqual([200, 'Page goal'])
    expect(first.text).toContain('action="/"')
    const cookie = cookieOf(first)
    const sent = await browse(s, at('/'), { cookie, form: { ...hidden(first), 'a.goal': 'sleep', action: 'next' } })
    expect([sent.status, sent.location]).toEqual([303, '/'])
    expect(title(await browse(s, at('/'), { cookie }))).toBe('Page name')
  })

  test('shows the other published funnels by their slug, in any case of the name and with a port', async () => {
    for (const host of [HOST, 'QUIZ.example.COM', `${HOST}:8443`, `${HOST}.`])
      expect(title(await browse(s, at('/short', host)))).toBe('Short')
    expect((await browse(s, at('/short'))).text).toContain('action="/short"')
    expect(await browse(s, at('/short/?utm_source=a'))).toMatchObject({ status: 308, location: '/short?utm_source=a' })
    const whole = await browse(s, at(`/f/${project}/short?utm_source=a`))
    expect(whole).toMatchObject({ status: 308, location: '/short?utm_source=a' })
  })

  test('shows nothing of other projects', async () => {
    const { id } = (await dataOf(rival.get('/funnels'))).items[0]
    const block = createHash('sha256').update('x').digest('hex')
    const paths = [
      '/theirs',
      '/f/project-2/theirs',
      '/f/project-2/manage',
      `/f/-/block/${block}?funnel=${id}&version=1`,
    ]
    for (const path of paths) {
      const answer = await browse(s, at(path))
      expect([path, answer.status]).toEqual([path, 404])
      expect(answer.text).not.toContain('rival')
    }
  })

  test('takes no calls for funnels of other projects, and serves none of their files', async () => {
    const hostname = 'rival.example.net'
    await verifiedDomain(s, rival, dns, { hostname })
    const picture = await sent(s, '/assets/image?name=hills.png', await png(8, 4))
    const family = await dataOf(dev.post('/fonts/families', { name: 'Sans' }))
    const face = await sent(s, `/fonts/families/${family.id}/faces?weight=400`, (await fontFiles()).woff2)
    const paths = [new URL(picture.url).pathname, new URL(face.url).pathname, `/public/funnels/quiz?project=${project}`]
    for (const path of paths) {
      const statuses = [HOST, 'svc.example.com', hostname].map(async (host) => (await browse(s, at(path, host))).status)
      expect([path, await Promise.all(statuses)]).toEqual([path, [200, 200, 404]])
    }
    const encoded = new URL(picture.url).pathname.replace('/prj_', '/%70rj_')
    expect((await browse(s, at(encoded, hostname))).status).toBe(404)
    const begin = (host: string) =>
      s.app.handle(
        new Request(at(`/public/funnels/quiz/sessions?project=${project}`, host), {
          ...{ method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } },
        }),
      )
    const refusal = await begin(hostname)
    expect([refusal.status, refusal.headers.get('set-cookie')]).toEqual([404, null])
    expect((await begin(HOST)).status).toBe(201)
  })

  test('answers nothing else of this server: no console, no API, no sign-in', async () => {
    const paths = ['/login', '/p/x/overview', '/dashboard/me', '/api/auth/options', '/admin/users', '/health/ready']
    const more = [
      '/docs/guide/',
      '/openapi.json',
      '/v1/me',
      '/v1/config',
      '/sdk/svc.js',
      '/f/-/preview?token=x',
      '/metrics',
    ]
    // The application of the server: its parts for people and keys are mounted at their first call.
    const app = createServedApp(s.ctx)
    for (const path of [...paths, ...more]) {
      const headers = { host: HOST, authorization: `Bearer ${s.project.publicKey}`, accept: 'text/html' }
      const answer = await app.handle(new Request(at(path), { headers }))
      expect([path, answer.status]).toEqual([path, 404])
      expect(await answer.text()).not.toContain('<div id="root"')
    }
    expect((await app.handle(new Request(at('/health/ready', 'svc.example.com')))).status).toBe(200)
  })

  test('takes the calls of its pages', async () => {
    const begun = await s.app.handle(
      new Request(at(`/public/funnels/quiz/sessions?hostname=${HOST}`), {
        ...{ method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } },
      }),
    )
    expect(begun.status).toBe(201)
    const { data } = (await begun.json()) as { data: { session_id: string; session_token: string } }
    const state = await browse(s, at(`/public/funnel-sessions/${data.session_id}/state`), {
      headers: { 'x-svc-funnel-session': data.session_token },
    })
    expect(state.body.data.current_page_id).toBe('goal')
  })

  test('serves the script and the pages with a policy, and never to be framed', async () => {
    const page = await browse(s, at('/'))
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    const [script = ''] = /\/f\/-\/page\.\w+\.js/.exec(page.text) ?? []
    expect((await browse(s, at(script))).headers.get('content-type')).toContain('text/javascript')
  })

  test('leads on from its short addresses to the buyer page and the link into the app', async () => {
    expect(await browse(s, at('/manage'))).toMatchObject({ status: 302, location: `/f/${project}/manage` })
    expect((await browse(s, at(`/f/${project}/manage`))).status).toBe(200)
    const token = '/universal/funnels/open/abc'
    expect((await browse(s, at(token))).location).toBe(`https://svc.example.com${token}`)
  })
})

describe('the root', () => {
  test('is a 404 without a funnel, and leads to an address where one is set', async () => {
    const hostname = 'plain.example.com'
    const { id } = await verifiedDomain(s, dev, dns, { hostname })
    expect((await browse(s, at('/', hostname))).status).toBe(404)
    expect(title(await browse(s, at('/short', hostname)))).toBe('Short')
    await dataOf(dev.patch(`/custom-domains/${id}`, { redirectTo: 'https://www.example.com/start' }))
    const led = await browse(s, at('/?utm_source=a', hostname))
    expect(led).toMatchObject({ status: 302, location: 'https://www.example.com/start' })
    expect(led.headers.get('cache-control')).toBe('no-store')
    expect(title(await browse(s, at('/short', hostname)))).toBe('Short')
    expect((await dev.patch(`/custom-domains/${id}`, { rootFunnelId: quiz })).status).toBe(400)
    await dataOf(dev.patch(`/custom-domains/${id}`, { rootFunnelId: quiz, redirectTo: null }))
    expect(title(await browse(s, at('/', hostname)))).toBe('Page goal')
  })

  test('is a 404 at a path that is no UTF-8, on its own name and on this server', async () => {
    for (const path of ['/%ff', '/%C3%28', '/manage%ff', `/f/${project}/%ff`, '/f/-/block/%ff'])
      expect([path, (await browse(s, at(path))).status]).toEqual([path, 404])
    for (const path of [`/f/${project}/%ff`, '/f/%ff/quiz'])
      expect([path, (await browse(s, at(path, 'svc.example.com'))).status]).toEqual([path, 404])
    const posted = await browse(s, at('/%ff'), { form: { action: 'next' } })
    expect(posted.status).toBe(404)
  })

  test('leads to an address with other letters, and takes none that is no address', async () => {
    const hostname = 'letters.example.com'
    const { id } = await verifiedDomain(s, dev, dns, {
      hostname,
      ...{ redirectTo: 'https://www.example.com/日本?q=ü' },
    })
    const led = await browse(s, at('/', hostname))
    expect(led).toMatchObject({ status: 302, location: 'https://www.example.com/%E6%97%A5%E6%9C%AC?q=%C3%BC' })
    const refused = ['https://www.example.com:99999/', 'https://www.example.com/\0', 'https://999.1.1.1/']
    for (const redirectTo of refused)
      expect([redirectTo, (await dev.patch(`/custom-domains/${id}`, { redirectTo })).status]).toEqual([redirectTo, 400])
  })

  test('is a 404 once its funnel is not published any more, and nobody once it is deleted', async () => {
    const hostname = 'gone.example.com'
    const funnel = await publishFunnel(dev, 'gone', QUIZ)
    const { id } = await verifiedDomain(s, dev, dns, { hostname, ...{ rootFunnelId: funnel } })
    await dataOf(dev.post(`/funnels/${funnel}/unpublish`))
    expect((await browse(s, at('/', hostname))).status).toBe(404)
    const other = { rootFunnelId: funnel }
    expect((await dev.post('/custom-domains', { hostname: 'more.example.com', ...other })).body.error.code).toBe(
      'ROOT_FUNNEL_INVALID',
    )
    await dataOf(dev.delete(`/funnels/${funnel}`))
    expect((await dataOf(dev.get(`/custom-domains/${id}`))).rootFunnelId).toBeNull()
  })
})

describe('the files of the apps', () => {
  const files = (host: string) =>
    Promise.all(
      ['apple-app-site-association', 'assetlinks.json', 'apple-developer-merchantid-domain-association'].map((name) =>
        browse(s, at(`/.well-known/${name}`, host)),
      ),
    )

  test('are those of the project of the name, and no others', async () => {
    await dataOf(rival.put('/app-links', { ...APPS, ios: { ...APPS.ios, bundleIds: ['com.example.rival'] } }))
    expect((await files(HOST)).map(({ status }) => status)).toEqual([404, 404, 404])
    await dataOf(dev.put('/app-links', { ...APPS, applePayAssociation: '7B2270' }))
    const [apple, google, pay] = await files(HOST)
    expect(apple?.headers.get('content-type')).toBe('application/json')
    expect(apple?.text).toContain('TEAM123456.com.example.sleep')
    expect(apple?.text).not.toContain('rival')
    expect([google?.status, pay?.text]).toEqual([404, '7B2270'])
    const [own] = await files('svc.example.com')
    expect(own?.text).toContain('rival')
  })

  test('are checked on each verified name too, at the name servers of the domains', async () => {
    await dataOf(dev.put('/app-links', APPS))
    dns.names.set(HOST, { A: ['10.1.2.3'] })
    await dataOf(dev.post('/custom-domains', { hostname: 'unproved.example.com' }))
    const checks = await dataOf(dev.get('/app-links/check'))
    const hosts = checks.map(({ host }: { host: string }) => host)
    expect(hosts).toContain(HOST)
    expect(hosts).toContain('svc.example.com')
    expect(hosts).not.toContain('unproved.example.com')
    const ofHost = checks.find(({ host }: { host: string }) => host === HOST)
    expect(ofHost).toMatchObject({ check: 'apple_file', status: 'FAILED' })
    expect(ofHost.detail).toContain('private_address')
    expect(dns.asked).toContain(`A ${HOST}`)
  })

  test('are nowhere on a name that is not verified', async () => {
    await dataOf(dev.post('/custom-domains', { hostname: 'waiting.example.com' }))
    expect((await files('waiting.example.com')).map(({ status }) => status)).toEqual([404, 404, 404])
  })
})

describe('a name that is not verified', () => {
  test('is as every unknown host: it leads to no project', async () => {
    const hostname = 'pending.example.com'
    await dataOf(dev.post('/custom-domains', { hostname }))
    const unknown = await browse(s, at('/', 'unknown.example.com'))
    const pending = await browse(s, at('/', hostname))
    expect([pending.status, pending.location]).toEqual([unknown.status, unknown.location])
    expect((await browse(s, at('/quiz', hostname))).text).not.toContain('Page goal')
    for (const path of ['lookup?hostname=', 'ask?domain='])
      expect((await browse(s, `http://svc.example.com/public/host/${path}${hostname}`)).status).toBe(404)
    expect((await browse(s, `http://svc.example.com/public/funnels/quiz?hostname=${hostname}`)).status).toBe(404)
  })

  test('loses its pages when its record was gone for 7 days, and at once when it is deleted', async () => {
    const hostname = 'lost.example.com'
    const { id } = await verifiedDomain(s, dev, dns, { hostname, ...{ rootFunnelId: quiz } })
    expect(title(await browse(s, at('/', hostname)))).toBe('Page goal')
    dns.names.delete(`_svc.${hostname}`)
    s.ctx.clock.advance(DAY)
    await checkDue(s.ctx)
    expect(title(await browse(s, at('/', hostname)))).toBe('Page goal')
    s.ctx.clock.advance(7 * DAY)
    await checkDue(s.ctx)
    expect((await browse(s, at('/quiz', hostname))).text).not.toContain('Page goal')
    const second = 'deleted.example.com'
    const kept = await verifiedDomain(s, dev, dns, { hostname: second, ...{ rootFunnelId: quiz } })
    await dataOf(dev.delete(`/custom-domains/${kept.id}`))
    expect((await browse(s, at('/quiz', second))).text).not.toContain('Page goal')
    expect((await dataOf(dev.get(`/custom-domains/${id}`))).status).toBe('PENDING')
  })

  test('is no name of the deployment: one that this server takes later shows the server', async () => {
    const hostname = 'later.example.com'
    await verifiedDomain(s, dev, dns, { hostname, ...{ rootFunnelId: quiz } })
    for (const config of [
      { ...s.ctx.config, publicBaseUrl: `https://${hostname}` },
      { ...s.ctx.config, tls: { ...s.ctx.config.tls, names: [hostname] } },
    ]) {
      const hosts = new CustomHosts({ ...s.ctx, config })
      await hosts.refresh()
      expect(hosts.at(at('/dashboard/me', hostname))).toBeNull()
      expect(hosts.at(at('/'))).toMatchObject({ hostname: HOST })
    }
    expect(s.ctx.state.customHosts.at(at('/', hostname))).toMatchObject({ hostname })
  })

  test('shows nothing also where another process has not learned of the change yet', async () => {
    const hostname = 'stale.example.com'
    const { id } = await verifiedDomain(s, dev, dns, { hostname, ...{ rootFunnelId: quiz } })
    const { customDomains: d } = s.ctx.tables
    await s.ctx.write((tx) => tx.db.update(d).set({ status: 'PENDING' }))
    expect((await browse(s, at('/', hostname))).status).toBe(404)
    await s.ctx.state.customHosts.refresh()
    expect(s.ctx.state.customHosts.at(at('/', hostname))).toBeNull()
    s.ctx.clock.advance(DAY)
    await checkDue(s.ctx)
    expect((await dataOf(dev.get(`/custom-domains/${id}`))).status).toBe('VERIFIED')
  })
})

describe('what front ends and proxies ask', () => {
  const ask = (domain: string, host = 'svc.example.com') => browse(s, `http://${host}/public/host/ask?domain=${domain}`)

  test('is answered for a verified name in each spelling, without a body', async () => {
    for (const name of [HOST, HOST.toUpperCase(), `${HOST}.`])
      expect(await ask(name)).toMatchObject({ status: 200, text: '' })
    for (const name of [
      'svc.example.com',
      'x.quiz.example.com',
      'example.com',
      '*.example.com',
      '203.0.113.9',
      '%00',
      'a b',
    ])
      expect(await ask(name)).toMatchObject({ status: 404, text: '' })
    expect((await browse(s, 'http://svc.example.com/public/host/ask')).status).toBe(400)
  })

  test('is refused above 60 times a second', async () => {
    s.ctx.clock.advance(DAY)
    const statuses = new Set<number>()
    for (let time = 0; time < 3600; time++) statuses.add((await ask('other.example')).status)
    expect([...statuses]).toEqual([404])
    expect((await ask(HOST)).status).toBe(429)
  })

  test('names the project, the root and every published funnel', async () => {
    const look = (hostname: string) => browse(s, `http://svc.example.com/public/host/lookup?hostname=${hostname}`)
    expect((await look(HOST)).body.data).toEqual({
      ...{ projectId: s.project.id, rootFunnelSlug: 'quiz', slugs: ['quiz', 'short'] },
    })
    expect((await look('nothing.example.com')).body.error.code).toBe('NOT_FOUND')
    const shown = await browse(s, `http://svc.example.com/public/funnels/short?hostname=${HOST}`)
    expect(shown.body.data.funnel.slug).toBe('short')
    const both = await browse(s, `http://svc.example.com/public/funnels/short?hostname=${HOST}&project=${project}`)
    expect(both.status).toBe(400)
  })
})

test('a page on a domain plays animations with the player of its own name', async () => {
  const animation = await sent(s, '/assets/lottie?name=breath', lottie())
  const block = { id: 'b', type: 'lottie', props: { asset: animation.id } }
  await publishFunnel(dev, 'moving', [funnelPage('a', null, { blocks: [block] })])
  const [script = ''] = /\/f\/-\/animation[^"]+/.exec((await browse(s, at('/moving'))).text) ?? []
  const [player = ''] = /\/f\/-\/player[^']+/.exec((await browse(s, at(script))).text) ?? []
  expect(await browse(s, at(player))).toMatchObject({ status: 200, text: expect.stringContaining('loadAnimation') })
})
