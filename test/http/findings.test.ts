import { afterEach, expect, test } from 'bun:test'
import { DAY, HOUR, MINUTE, systemClock } from '../../src/base/lib/clock'
import { examine } from '../../src/cli/doctor'
import { PROGRAM } from '../../src/program'
import { makeUser } from '../support/accounts'
import { type Stage, stage } from '../support/cast'
import { TEST_KEY } from '../support/context'
import { isPostgresRun } from '../support/postgres'
import { PASSWORD, Visitor } from '../support/visitor'

let s: Stage
afterEach(() => s.close())

const begin = async (env: Record<string, string> = {}) => {
  s = await stage({ env })
  s.ctx.clock.set(Date.now()) // The doctor has the clock of the machine.
}

const SITE = 'https://svc.example.test'

/** What the doctor says about these subjects, after the server has written what it noticed. */
async function doctor(names: readonly string[], env: Record<string, string> = {}): Promise<string[]> {
  await s.ctx.state.findings.flush(s.ctx)
  const { dataDir, database } = s.ctx.config
  const url = database.kind === 'postgres' ? { SVC_DATABASE_URL: database.url } : {}
  const checks = await examine(
    PROGRAM,
    { SVC_DATA_DIR: dataDir, SVC_MASTER_KEY: TEST_KEY, ...url, ...env },
    {},
    systemClock,
  )
  return checks.filter(({ name, status }) => names.includes(name) && status === 'warn').map(({ message }) => message)
}

const linesWith = (text: string) => s.ctx.lines.filter((line) => line.includes(text))

const signIn = (origin: string | null) =>
  new Visitor(s).post('/api/auth/sign-in', { email: 'ada@example.com', password: PASSWORD }, { origin })

test('behind a proxy without PUBLIC_BASE_URL, refusal, log and doctor name both origins and the variable', async () => {
  await begin()
  await makeUser(s, 'ada@example.com')
  const { status, body } = await signIn(SITE)
  expect([status, body.error.code]).toEqual([403, 'FORBIDDEN'])
  for (const said of [SITE, 'http://localhost', 'PUBLIC_BASE_URL is not set', 'must come from the console'])
    expect(body.error.message).toContain(said)
  const [line = ''] = linesWith('request refused')
  for (const said of [SITE, 'http://localhost', 'PUBLIC_BASE_URL']) expect(line).toContain(said)
  const said = (await doctor(['public address'])).filter((message) => message.includes(SITE))
  expect(said).toEqual([expect.stringContaining(`expected http://localhost. If ${SITE} is the address`)])
  // Once it is set right, there is nothing to say any more; set to something else, it still is.
  const toSite = await doctor(['public address'], { PUBLIC_BASE_URL: SITE })
  expect(toSite.filter((message) => message.includes('was refused'))).toEqual([])
  expect(await doctor(['public address'], { PUBLIC_BASE_URL: 'https://other.example.com' })).toEqual([
    expect.stringContaining('expected https://other.example.com'),
  ])
})

test('with PUBLIC_BASE_URL the page of that address signs in, and a refusal names what it is set to', async () => {
  await begin({ PUBLIC_BASE_URL: SITE })
  await makeUser(s, 'ada@example.com')
  expect((await signIn(SITE)).status).toBe(200)
  const { status, body } = await signIn('https://evil.example')
  expect([status, body.error.message]).toEqual([403, expect.stringContaining(`PUBLIC_BASE_URL is ${SITE}`)])
})

test('what is no origin is not repeated, and many refusals are one finding an hour', async () => {
  await begin()
  for (const origin of [null, 'null', 'https://a.example/<script>', `https://${'a'.repeat(300)}`, 'file:///x']) {
    const { status, body } = await signIn(origin)
    expect([status, body.error.message]).toEqual([403, 'A request that changes something must come from the console'])
  }
  expect(await doctor(['public address'])).toHaveLength(1) // That it is not set at all.
  for (let n = 0; n < 5; n++) await signIn(`https://a${n}.example`)
  expect(linesWith('a page of another origin was refused')).toHaveLength(1)
  s.ctx.clock.advance(HOUR)
  await signIn('https://b.example')
  expect(linesWith('a page of another origin was refused')).toHaveLength(2)
  if (!isPostgresRun) expect((await doctor(['public address'])).join()).toContain('https://b.example')
})

test('a finding of a week ago is no longer told', async () => {
  await begin()
  s.ctx.clock.set(Date.now() - 8 * DAY)
  await signIn(SITE)
  expect((await doctor(['public address'])).join()).not.toContain(SITE)
})

const device = (n: number, ip = '203.0.113.7') =>
  s.call('GET', '/v1/me', {
    key: s.project.publicKey,
    headers: { 'x-svc-app-user-id': `svc_device_${n}`, 'x-forwarded-for': ip },
  })

test('many devices from one address are a warning while no proxy is believed, before any is refused', async () => {
  await begin({ SVC_RATE_NEW: '8' })
  for (let n = 0; n < 3; n++) expect((await device(n)).status).toBe(200)
  expect(linesWith('SVC_TRUSTED_PROXIES')).toEqual([])
  expect(await doctor(['proxies'])).toEqual([])
  for (let n = 3; n < 8; n++) expect((await device(n)).status).toBe(200)
  expect(linesWith('SVC_TRUSTED_PROXIES')).toHaveLength(1)
  expect(await doctor(['proxies'])).toEqual([expect.stringContaining('SVC_TRUSTED_PROXIES is 0')])
  expect(await doctor(['proxies'], { SVC_TRUSTED_PROXIES: '1' })).toEqual([])
  expect(s.ctx.lines.join()).not.toContain('203.0.113.7')
})

test('devices that are known, and many where a proxy is believed, are none', async () => {
  await begin({ SVC_RATE_NEW: '8', SVC_TRUSTED_PROXIES: '1' })
  for (let n = 0; n < 7; n++) await device(n)
  s.ctx.clock.advance(2 * MINUTE)
  for (let n = 0; n < 7; n++) expect((await device(0)).status).toBe(200)
  expect(linesWith('SVC_TRUSTED_PROXIES')).toEqual([])
  expect(await doctor(['proxies'])).toEqual([])
})
