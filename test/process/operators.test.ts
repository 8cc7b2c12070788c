import { afterAll, describe, expect, test } from 'bun:test'
import { SECOND } from '../../src/base/lib/clock'
import { codeAt } from '../support/authenticator-app'
import { TEST_KEY } from '../support/context'
import { Deployments, runSvc } from '../support/deployment'
import { HttpVisitor, told } from '../support/http-visitor'
import { postgresMissing, startPostgres } from '../support/postgres-server'
import { childEnv, type ServerProcess, svcCommand } from '../support/process'
import { redisMissing, startRedis } from '../support/redis-server'
import { mailServer } from '../support/smtp'
import { PASSWORD } from '../support/visitor'

const all = new Deployments()
afterAll(() => all.end(), 600_000)

const ENV = { SVC_MASTER_KEY: TEST_KEY, SVC_TRUSTED_PROXIES: '1' }
const ADA = 'ada@example.com'
const NEW = 'a brand new password'

interface Own {
  server: ServerProcess
  path: string
  ada: HttpVisitor
  project: { id: string; slug: string }
  token: string
}

/** A new deployment whose first user has made a project and a personal access token. */
async function founded(env: Record<string, string> = {}): Promise<Own> {
  const path = all.folder()
  const server = await all.serve(path, { ...ENV, ...env })
  const ada = new HttpVisitor(server.url)
  const { out } = await runSvc(['user', 'setup-link', '--data', path], { ...ENV, ...env })
  expect(await told(ada.signUp(ADA, { setupToken: lastOf(out) }))).toEqual({ next: 'SIGN_IN' })
  expect((await told(ada.signIn(ADA))).next).toBeNull()
  const { project } = await told(ada.post('/dashboard/projects', { name: 'Moon' }))
  const { token } = await told(ada.post('/dashboard/me/tokens', { name: 'CI' }))
  return { server, path, ada, project, token }
}

const lastOf = (link: string): string => link.trim().split('/').at(-1) ?? ''
const refusalOf = async (call: Promise<{ status: number; body: { error?: { code: string } } }>) => {
  const { status, body } = await call
  return [status, body.error?.code]
}
const UNAUTHORIZED = [401, 'UNAUTHORIZED']

test('on an empty folder serve prints a link by which the first user signs up, and none when there is one', async () => {
  const path = all.folder()
  const start = async () => {
    const child = Bun.spawn([...svcCommand(), 'serve', '--port', '0', '--data', path, '--json'], {
      env: { ...childEnv(), ...ENV, SVC_INTERNAL_PORT: '0' },
      stdout: 'pipe',
      stderr: 'ignore',
    })
    all.defer(() => child.kill('SIGKILL'))
    const lines = child.stdout.getReader()
    let text = ''
    while (!text.includes('\n')) text += Buffer.from((await lines.read()).value ?? []).toString()
    const end = async () => {
      child.kill('SIGTERM')
      expect(await child.exited).toBe(0)
    }
    return { ready: JSON.parse(text.split('\n')[0] ?? '') as { url: string; setupLink?: string }, end }
  }
  const first = await start()
  const { url, setupLink = '' } = first.ready
  expect(setupLink).toStartWith(`${url}/setup/`)
  const ada = new HttpVisitor(url)
  expect(await refusalOf(ada.signUp(ADA))).toEqual([403, 'FORBIDDEN'])
  expect(await told(ada.signUp(ADA, { setupToken: lastOf(setupLink) }))).toEqual({ next: 'SIGN_IN' })
  expect(await refusalOf(ada.signIn(ADA, 'a wrong password'))).toEqual(UNAUTHORIZED)
  expect((await told(ada.signIn(ADA))).user.email).toBe(ADA)
  await first.end()
  const again = await start()
  expect(again.ready).toEqual({ url: expect.any(String) })
  expect((await told(ada.at(again.ready.url).get('/dashboard/me'))).email).toBe(ADA)
  await again.end()
}, 600_000)

describe('over HTTP with a token', () => {
  const FILE =
    'version: 1\naccess: { pro: { displayName: Pro } }\nflags:\n  dark: { type: BOOLEAN, environments: { PROD: { default: true } } }\n'

  test('a command says the same and ends with the same code as on the machine', async () => {
    const { server, path, project, token } = await founded()
    const file = `${path}/svc.yaml`
    await Bun.write(file, FILE)
    const remote = ['--url', server.url, '--token', token]
    const where = ['--project', project.slug]
    const here = (...args: string[]) => runSvc([...args, ...where, '--data', path], ENV)
    const there = (...args: string[]) => runSvc([...args, ...where, ...remote], ENV)
    const same = async (code: number, ...args: string[]) => {
      const [machine, http] = [await here(...args), await there(...args)]
      // The address of the schema in an export is that of the server.
      const withoutAddress = (out: string) => out.replace(/\$schema=\S+/, '')
      expect({ args, ...http, out: withoutAddress(http.out) }).toEqual({
        args,
        ...machine,
        out: withoutAddress(machine.out),
      })
      expect([args, http.code, http.err]).toEqual([args, code, code === 1 ? http.err : ''])
      return http
    }
    expect((await same(3, 'apply', '-f', file, '--check')).out).toContain('dark')
    expect((await there('apply', '-f', file, '--yes')).code).toBe(0)
    await same(0, 'apply', '-f', file, '--check')
    await same(0, 'export')
    await same(0, 'flag', 'list')
    expect((await there('flag', 'toggle', 'dark', 'off')).code).toBe(0)
    const listed = await same(0, 'flag', 'list', '--json')
    expect(JSON.parse(listed.out).items[0]).toMatchObject({ key: 'dark', isEnabled: false })
    await same(3, 'apply', '-f', file, '--check', '--json')
    await same(1, 'flag', 'toggle', 'none', 'on')
    const wrong = await runSvc(['flag', 'list', ...where, '--url', server.url, '--token', `svc_pat_${'x'.repeat(43)}`])
    expect([wrong.code, wrong.out]).toEqual([1, ''])
    for (const text of [wrong.err, listed.err, server.stderr()]) expect(text).not.toContain(token)
  }, 600_000)
})

describe('svc user and svc member', () => {
  test('let a person in again and make a person a member, while the server runs', async () => {
    const { server, path, ada, project } = await founded()
    const run = async (...args: string[]) => {
      const ran = await runSvc([...args, '--data', path, '--json'], ENV)
      expect([args, ran.code, ran.err]).toEqual([args, 0, ''])
      return JSON.parse(ran.out)
    }
    const enabled = await told(ada.post('/dashboard/me/two-factor/enable', { password: PASSWORD }))
    await told(ada.post('/dashboard/me/two-factor/confirm', { code: codeAt(enabled.otpauthUrl, Date.now()) }))
    const next = async () => (await told(new HttpVisitor(server.url).signIn(ADA))).next
    expect(await next()).toBe('TWO_FACTOR')
    await run('user', 'disable-two-factor', ADA)
    expect(await next()).toBeNull()

    const { passwordLink } = await run('user', 'reset-password', ADA)
    const body = { token: lastOf(passwordLink), password: NEW }
    expect(await told(new HttpVisitor(server.url).post('/api/auth/password-reset/confirm', body))).toEqual({
      next: 'SIGN_IN',
    })
    expect(await refusalOf(ada.get('/dashboard/me'))).toEqual(UNAUTHORIZED)
    expect(await refusalOf(ada.signIn(ADA))).toEqual(UNAUTHORIZED)
    expect((await told(ada.signIn(ADA, NEW))).next).toBeNull()

    const made = await run('user', 'create', '--email', 'bo@example.com')
    const bo = new HttpVisitor(server.url, '203.0.113.2')
    await told(bo.post('/api/auth/password-reset/confirm', { token: lastOf(made.passwordLink), password: PASSWORD }))
    await told(bo.signIn('bo@example.com'))
    const open = () => bo.get(`/dashboard/projects/${project.id}`)
    expect(await refusalOf(open())).toEqual([404, 'NOT_FOUND'])
    await run('member', 'add', 'bo@example.com', '--role', 'DEVELOPER', '--project', project.slug)
    while ((await open()).status === 404) await Bun.sleep(20)
    expect((await told(open())).role).toBe('DEVELOPER')
    const log = await told(ada.get(`/dashboard/projects/${project.id}/audit-log?limit=1`))
    expect(log.items).toMatchObject([{ actor: { kind: 'CLI', id: null, email: null } }])
  }, 600_000)
})

test('kill -9 during sign-ups loses no account that was acknowledged', async () => {
  const path = all.folder()
  const env = { ...ENV, SVC_OPEN_SIGNUP: '1' }
  const acknowledged: string[] = []
  let count = 0
  for (let round = 0; round < 3; round++) {
    const server = await all.serve(path, env)
    const before = acknowledged.length
    const enough = Promise.withResolvers<void>()
    const all_ = Array.from({ length: 24 }, async () => {
      const n = ++count
      const email = `p${n}@example.com`
      const answer = await new HttpVisitor(server.url, `203.0.113.${n}`).signUp(email).catch(() => null)
      if (answer?.status === 200) acknowledged.push(email)
      if (acknowledged.length >= before + 4) enough.resolve()
    })
    await Promise.race([enough.promise, Promise.all(all_)])
    await server.kill('SIGKILL')
    await Promise.all(all_)
    expect(acknowledged.length).toBeGreaterThan(before)
  }
  const { out } = await runSvc(['user', 'list', '--data', path, '--json'], env)
  const kept = JSON.parse(out).users.map(({ email }: { email: string }) => email)
  expect(acknowledged.filter((email) => !kept.includes(email))).toEqual([])
  expect(new Set(kept).size).toBe(kept.length)
  const ran = await runSvc(['doctor', '--data', path], env)
  expect([ran.code, ran.err]).toEqual([0, ''])
}, 600_000)

const missing = postgresMissing() ?? redisMissing()
if (missing !== null) console.warn(`Skipped: two servers on one PostgreSQL, because ${missing}.`)

describe.skipIf(missing !== null)('two servers on one PostgreSQL with one Redis', () => {
  interface Pair extends Own {
    a: string
    b: string
    other: ServerProcess
    env: Record<string, string>
  }

  async function pair(more: Record<string, string> = {}): Promise<Pair> {
    const [postgres, redis] = await Promise.all([startPostgres(), startRedis()])
    all.defer(postgres.stop)
    all.defer(redis.stop)
    const env = { ...ENV, SVC_DATABASE_URL: postgres.url, SVC_CACHE_URL: redis.url, ...more }
    const own = await founded(env)
    const other = await all.serve(all.folder(), env)
    return { ...own, a: own.server.url, b: other.url, other, env }
  }

  test('share sessions, their end, the rate of a user and the suspension of a project', async () => {
    const { a, b, ada, project, path, env } = await pair({ SVC_RATE_USER: '30' })
    const there = ada.at(b)
    expect((await told(there.get('/dashboard/me'))).email).toBe(ADA)

    const path_ = `/dashboard/projects/${project.id}`
    expect((await told(there.get(path_))).role).toBe('OWNER')
    const suspended = await runSvc(['project', 'suspend', project.id, '--data', path], env)
    expect([suspended.code, suspended.err]).toEqual([0, ''])
    await Bun.sleep(2 * SECOND)
    for (const browser of [ada, there]) expect(await refusalOf(browser.get(path_))).toEqual([403, 'PROJECT_SUSPENDED'])

    const remaining: number[] = []
    for (let index = 0; index < 4; index++) {
      const { headers } = await (index % 2 === 0 ? ada : there).get('/dashboard/me')
      remaining.push(Number(headers.get('x-ratelimit-remaining')))
    }
    const [first = 0] = remaining
    expect(remaining).toEqual([first, first - 1, first - 2, first - 3])
    for (let index = 0; index < first - 3; index++) await (index % 2 === 0 ? ada : there).get('/dashboard/me')
    for (const browser of [ada, there])
      expect(await refusalOf(browser.get('/dashboard/me'))).toEqual([429, 'RATE_LIMITED'])

    const bo = new HttpVisitor(a, '203.0.113.2')
    const made = await runSvc(['user', 'create', '--email', 'bo@example.com', '--data', path, '--json'], env)
    await told(
      bo.post('/api/auth/password-reset/confirm', {
        token: lastOf(JSON.parse(made.out).passwordLink),
        password: PASSWORD,
      }),
    )
    await told(bo.signIn('bo@example.com'))
    const elsewhere = bo.at(b)
    expect((await told(elsewhere.get('/dashboard/me'))).email).toBe('bo@example.com')
    await told(bo.at(a).post('/api/auth/sign-out'))
    expect(await refusalOf(elsewhere.get('/dashboard/me'))).toEqual(UNAUTHORIZED)
  }, 600_000)

  test('send each mail once', async () => {
    const mail = await mailServer()
    all.defer(mail.close)
    const { a, b, server, other, ada, project } = await pair({
      SVC_SMTP_URL: mail.url,
      SVC_MAIL_FROM: 'svc@example.com',
    })
    const invited = Array.from({ length: 20 }, (_, index) => `guest${index}@example.com`)
    const invite = (email: string, index: number) =>
      told(
        ada
          .at(index % 2 === 0 ? a : b)
          .post(`/dashboard/projects/${project.id}/invitations`, { email, role: 'DEVELOPER' }),
      )
    // A few at a time: invitations of one person wait for each other, and on a slow machine too long.
    for (let index = 0; index < invited.length; index += 4)
      await Promise.all(invited.slice(index, index + 4).map((email, place) => invite(email, place)))
    while (new Set(mail.received.flatMap(({ to }) => to)).size < invited.length) await Bun.sleep(50)
    await Promise.all([server.kill('SIGTERM'), other.kill('SIGTERM')]) // They finish what they are sending.
    expect(mail.received.flatMap(({ to }) => to).sort()).toEqual(invited.sort())
  }, 600_000)
})
