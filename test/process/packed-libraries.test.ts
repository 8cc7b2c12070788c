import { afterAll, expect, test } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parquetReadObjects } from 'hyparquet'
import { systemClock } from '../../src/base/lib/clock'
import { PACKED } from '../../src/build-packed'
import { AndroidServer } from '../../src/test-store/stores/android-server'
import { PACKAGE } from '../support/android'
import { Authenticator } from '../support/authenticator'
import { codeAt } from '../support/authenticator-app'
import { clickhouseMissing, startClickhouse } from '../support/clickhouse/server'
import { TEST_KEY } from '../support/context'
import { Deployments, runSvc, write } from '../support/deployment'
import { HttpVisitor, told } from '../support/http-visitor'
import { IdentityProvider } from '../support/identity-provider'
import { PubSubServer } from '../support/pubsub'
import { mailServer } from '../support/smtp'
import { PASSWORD } from '../support/visitor'

/** The executable has these libraries in packed files. Each is used in a process by a test of this file, or by that. */
const USED: Readonly<Record<string, string>> = {
  certificates: 'here, and by simulate.test.ts',
  clickhouse: 'here',
  'file-type': 'never: only a form with a file needs it',
  google: 'here',
  mail: 'here',
  openid: 'here',
  otp: 'here',
  parquet: 'here',
  parser: 'query.test.ts',
  stripe: 'payment-crash.test.ts',
  yaml: 'here',
}

test('each packed library is used by a test', () => {
  expect(Object.keys(USED)).toEqual(Object.keys(PACKED))
})

const all = new Deployments()
afterAll(() => all.end(), 600_000)

const ADA = 'ada@example.com'
const ENV = { SVC_MASTER_KEY: TEST_KEY }

async function done(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const { code, out, err } = await runSvc(args, { ...ENV, ...env })
  expect({ args, code, err }).toEqual({ args, code: 0, err: '' })
  return out
}

/** A server with a first user, who is signed in. */
async function founded(env: Record<string, string>): Promise<HttpVisitor> {
  const path = all.folder()
  const { url } = await all.serve(path, { ...ENV, ...env })
  const link = await done(['user', 'setup-link', '--data', path])
  const ada = new HttpVisitor(url)
  await told(ada.signUp(ADA, { setupToken: link.trim().split('/').at(-1) ?? '' }))
  await told(ada.signIn(ADA))
  return ada
}

test('a passkey, a code, a long project file and a mail', async () => {
  const mail = await mailServer()
  all.defer(mail.close)
  const ada = await founded({ SVC_SMTP_URL: mail.url, SVC_MAIL_FROM: 'svc@example.com' })
  const key = await Authenticator.make()
  const own = { origin: ada.url }
  const credential = await key.create(await told(ada.post('/dashboard/me/passkeys/options')), own)
  expect((await told(ada.post('/dashboard/me/passkeys', { name: 'Laptop', credential }))).name).toBe('Laptop')
  const { otpauthUrl } = await told(ada.post('/dashboard/me/two-factor/enable', { password: PASSWORD }))
  await told(ada.post('/dashboard/me/two-factor/confirm', { code: codeAt(otpauthUrl, Date.now()) }))

  // A long file is read in a thread, which unpacks the library by itself.
  const made = await told(ada.post('/dashboard/projects', { name: 'Sleep App' }))
  const accesses = Array.from({ length: 150 }, (_, n) => `  a${n}: { displayName: ${'x'.repeat(100)} }\n`).join('')
  const file = `version: 1\naccess:\n${accesses}`
  const planned = await told(ada.post(`/dashboard/projects/${made.project?.id ?? made.id}/project-file/plan`, { file }))
  expect([planned.problems, planned.counts.create]).toEqual([[], 150])

  const other = new HttpVisitor(ada.url)
  const asked = await key.get(await told(other.post('/api/auth/passkey/options')), own)
  expect((await told(other.post('/api/auth/passkey', { credential: asked }))).user.email).toBe(ADA)
  await told(other.post('/api/auth/password-reset', { email: ADA }))
  const isReset = () => mail.received.some(({ raw }) => /^subject: .*password/im.test(raw))
  while (!isReset()) await Bun.sleep(10)
}, 600_000)

test('a person of an OpenID Connect provider signs in', async () => {
  const idp = await IdentityProvider.start(() => Date.now())
  all.defer(() => idp.stop())
  const ada = await founded({
    SVC_OPEN_SIGNUP: '1',
    SVC_OAUTH_OIDC_ISSUER: idp.url,
    SVC_OAUTH_OIDC_ID: 'client',
    SVC_OAUTH_OIDC_SECRET: 'secret',
  })
  const get = (address: string | URL, cookie = '') => fetch(address, { redirect: 'manual', headers: { cookie } })
  const cookiesOf = ({ headers }: Response) => headers.getSetCookie().map((line) => line.replace(/;.*/, ''))
  const begun = await get(`${ada.url}/api/auth/oauth/oidc`)
  const person = { sub: '1001', email: 'bo@example.com', email_verified: true }
  const back = idp.agree(begun.headers.get('location') ?? '', person)
  const ended = await get(back, cookiesOf(begun).join('; '))
  const cookie = cookiesOf(ended).find((one) => one.startsWith('svc_session=')) ?? ''
  expect(await (await get(`${ada.url}/dashboard/me`, cookie)).json()).toMatchObject({ data: { email: person.email } })
}, 600_000)

test('Google Play and Pub/Sub take a service account', async () => {
  const google = await AndroidServer.start({ clock: systemClock, packageName: PACKAGE })
  const deliver = () => Promise.reject(new Error('nothing is published'))
  const cloud = new PubSubServer({ google, clock: systemClock, deliver })
  all.defer(() => Promise.all([google.close(), cloud.close()]))
  const env = {
    SVC_ANDROID_API_URL: google.apiUrl,
    SVC_ANDROID_TOKEN_URL: google.tokenUrl,
    SVC_PUBSUB_API_URL: cloud.url,
    PUBLIC_BASE_URL: 'https://svc.example.com',
  }
  const { path, project } = await all.start({ ...ENV, ...env })
  const account = join(path, 'account.json')
  writeFileSync(account, JSON.stringify(await google.serviceAccountFile()))
  const where = ['--data', path, '--project', project.id]
  const connect = ['store', 'connect', 'android', '--service-account', account, '--package-name', PACKAGE]
  expect(await done([...connect, ...where], env)).toContain(PACKAGE)
  await done(['store', 'pubsub', 'connect', ...where], env)
  expect(cloud.topics.size).toBe(1)
}, 600_000)

test('a project file, and an export as Parquet', async () => {
  const deployment = await all.start(ENV)
  const { path, project } = deployment
  const where = ['--data', path, '--project', project.id]
  const file = join(path, 'svc.yaml')
  writeFileSync(file, 'version: 1\nflags:\n  dark: { type: BOOLEAN, environments: { PROD: { default: true } } }\n')
  expect(await done(['apply', '-f', file, '--dry-run', ...where])).toContain('dark')
  expect(await done(['export', ...where])).toContain('version: 1')

  expect((await write(deployment, 'svc_ada')).status).toBe(200)
  const to = join(path, 'out')
  await done(['export-data', '--format', 'parquet', '--table', 'subscribers', '--to', to, ...where])
  const name = readdirSync(to, { recursive: true, encoding: 'utf8' }).find((one) => one.endsWith('.parquet')) ?? ''
  const { buffer } = new Uint8Array(readFileSync(join(to, name)))
  expect(await parquetReadObjects({ file: buffer })).toMatchObject([{ device_key: 'svc_ada' }])
}, 600_000)

test.skipIf(clickhouseMissing() !== null)(
  'the copy in ClickHouse is made',
  async () => {
    const clickhouse = await startClickhouse()
    all.defer(clickhouse.stop)
    const { path } = await all.start(ENV)
    const env = { SVC_ANALYTICS_URL: await clickhouse.create() }
    expect(await done(['analytics', 'backfill', '--data', path], env)).toContain('Figures are read from ClickHouse.')
  },
  600_000,
)
