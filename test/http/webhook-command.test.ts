import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { openAuthorization } from '../../src/outward/webhooks/secrets'
import { type Stage, stage } from '../support/cast'
import type { Ran } from '../support/command'
import { auditRows } from '../support/operator'
import { type Receiver, startReceiver } from '../support/receiver'
import { listen, machineEnv, type RemoteServer, runWith } from '../support/remote-command'

const URL_OK = 'https://8.8.8.8/hooks'
const P = ['--project', 'project-1']
let s: Stage
let server: RemoteServer
beforeEach(async () => {
  s = await stage({ env: { SVC_ALLOW_PRIVATE_TARGETS: '1' } })
  server = listen(s)
})
afterEach(async () => {
  await server.close()
  await s.close()
})

const SECRET = 'Bearer their-4711'
const VALUES = { THEIR_AUTHORIZATION: SECRET, EMPTY: '', BROKEN: 'two\nlines', LONG: 'x'.repeat(501) }
const here = (...args: string[]) => runWith(s, ['webhook', ...args, ...P], { env: { ...machineEnv(s), ...VALUES } })
const there = (...args: string[]) =>
  runWith(s, ['webhook', ...args, ...P], {
    env: { SVC_URL: server.url, SVC_TOKEN: server.tokenOf('DEVELOPER'), ...VALUES },
  })
const PLACES: [place: string, run: (...args: string[]) => Promise<Ran>][] = [
  ['on the machine', here],
  ['on a server', there],
]
const rows = () => s.ctx.db.select().from(s.ctx.tables.webhookEndpoints)

describe.each(PLACES)('%s', (_place, run) => {
  const create = (...more: string[]) => run('create', URL_OK, '--name', 'backend', ...more)

  test('an endpoint is made and listed, and its secret is printed once', async () => {
    expect((await run('list')).out).toBe('There is no webhook endpoint.')
    const made = await create('--types', 'purchase.*, import.committed', '--environments', 'production', '--ordered')
    expect([made.code, made.err]).toEqual([0, ''])
    expect(made.out).toMatch(/Signing secret \(shown only now\): whsec_[A-Za-z0-9+/]{43}=$/)
    expect(await rows()).toMatchObject([
      {
        name: 'backend',
        url: URL_OK,
        eventTypes: ['purchase.*', 'import.committed'],
        environments: ['PRODUCTION'],
        isOrdered: true,
      },
    ])
    const { out } = await run('list')
    for (const part of ['backend', 'on', 'purchase.*,import.committed', URL_OK]) expect(out).toContain(part)
    expect(out).not.toContain('whsec_')
    const { endpoints } = JSON.parse((await run('list', '--json')).out)
    expect(endpoints).toMatchObject([{ name: 'backend', ordered: true, successRate24h: null }])
    expect(JSON.stringify(endpoints)).not.toContain('whsec_')
  })

  test('an endpoint gets another secret, and is deleted', async () => {
    await create()
    const [before] = await rows()
    const rotated = await run('rotate', 'backend', '--json')
    const { id, secret, previousValidUntil } = JSON.parse(rotated.out)
    expect([rotated.code, id]).toEqual([0, before?.id])
    expect(secret).toMatch(/^whsec_/)
    expect(previousValidUntil).toBe('2026-11-21T08:00:00.000Z')
    expect((await rows())[0]?.sealedSecret).not.toBe(before?.sealedSecret)
    expect((await run('rotate', 'backend')).out).toMatch(/^Signing secret \(shown only now\): whsec_\S+\n/)
    for (const action of ['rotate', 'delete']) {
      expect((await run(action)).code).toBe(2)
      const none = await run(action, 'nobody')
      expect([none.code, none.err]).toEqual([1, 'The project has no webhook endpoint nobody.'])
    }
    expect(await rows()).toHaveLength(1)
    const gone = await run('delete', 'backend')
    expect([gone.code, gone.out, gone.err]).toEqual([0, 'backend is deleted.', ''])
    expect(await rows()).toEqual([])
  })

  test('an address of the own machine is refused with what to do', async () => {
    const { code, err } = await run('create', 'http://8.8.8.8/hooks', '--name', 'backend')
    expect([code, err]).toEqual([
      ...[
        1,
        'url must begin with https, not http; to send to your own machine: svc listen --forward-to http://8.8.8.8/hooks',
      ],
    ])
    expect(await rows()).toEqual([])
  })

  test('the value of Authorization comes from the environment and is never shown', async () => {
    const made = await create('--format', 'revenuecat', '--authorization-env', 'THEIR_AUTHORIZATION')
    expect([made.code, made.err]).toEqual([0, ''])
    const [row] = await rows()
    if (!row) throw new Error('no endpoint was made')
    expect([row.format, openAuthorization(s.ctx, row)]).toEqual(['revenuecat', SECRET])
    const shown = [made.out, (await run('list', '--json')).out, JSON.stringify(row), JSON.stringify(await auditRows(s))]
    for (const text of shown) expect(text).not.toContain('their-4711')
  })

  test('a value of Authorization that is missing or wrong is refused without being shown', async () => {
    const format = ['--format', 'revenuecat', '--authorization-env']
    const cases: [more: string[], told: string][] = [
      [['--authorization-env', 'THEIR_AUTHORIZATION'], 'belongs to --format revenuecat'],
      [['--format', 'standard', '--authorization-env', 'THEIR_AUTHORIZATION'], 'belongs to --format revenuecat'],
      [[...format, 'MISSING'], 'no value of MISSING'],
      [[...format, 'EMPTY'], 'no value of EMPTY'],
      [[...format, 'BROKEN'], 'the value of BROKEN must be 1 to 500 visible ASCII'],
      [[...format, 'LONG'], 'the value of LONG must be 1 to 500 visible ASCII'],
      [['--format', 'revenuecat', '--authorization', SECRET], '--authorization'],
    ]
    for (const [more, told] of cases) {
      const ran = await create(...more)
      expect([more, ran.code, ran.out]).toEqual([more, 2, ''])
      expect(ran.err).toContain(told)
      for (const value of [SECRET, 'two', 'xxx']) expect(ran.err).not.toContain(value)
    }
    expect(await rows()).toEqual([])
  })

  test('everything that is wrong is refused, and nothing is made', async () => {
    await create()
    const before = await rows()
    const cases: [args: string[], code: number, told: string][] = [
      [['create', 'https://10.0.0.1/x', '--name', 'b'], 1, 'must not lead to a private network'],
      [['create', URL_OK, '--name', 'b', '--types', 'order.*'], 1, '--types[0] must be *'],
      [['create', URL_OK, '--name', 'backend'], 1, 'backend'],
      [['create', URL_OK, '--name', 'b', '--environments', 'staging'], 2, '--environments takes'],
      [['create', URL_OK, '--name', 'b', '--format', 'other'], 2, '--format is one of standard, revenuecat'],
      [['create', URL_OK], 2, '--name'],
      [['create', '--name', 'b'], 2, 'takes the address'],
      [['create', URL_OK, 'more', '--name', 'b'], 2, 'takes the address'],
      [['test'], 2, 'takes the name'],
      [['test', 'nothing'], 1, 'The project has no webhook endpoint nothing.'],
      [['list', 'more'], 2, 'takes no name'],
      [['remove'], 2, 'webhook takes list, create, delete, rotate, test, deliveries, retry, replay'],
      [['toString'], 2, 'webhook takes list, create, delete'],
    ]
    for (const [args, code, told] of cases) {
      const ran = await run(...args)
      expect([args, ran.code, ran.out]).toEqual([args, code, ''])
      expect(ran.err).toContain(told)
    }
    expect(await rows()).toEqual(before)
  })
})

describe('a test event', () => {
  let receiver: Receiver
  beforeEach(() => {
    receiver = startReceiver()
  })
  afterEach(() => receiver.close())

  test('is sent by name or id, and the exit code says whether it arrived', async () => {
    const made = await there('create', receiver.url, '--name', 'local', '--json')
    const { id } = JSON.parse(made.out)
    expect(await there('test', 'local')).toMatchObject({ code: 0, out: 'local took the test event (status 200).' })
    receiver.respond = () => new Response('', { status: 401 })
    expect(await there('test', id)).toMatchObject({ code: 1, out: `${id} did not take the test event: status 401.` })
    await receiver.close()
    const gone = await there('test', 'local', '--json')
    expect([gone.code, JSON.parse(gone.out)]).toMatchObject([1, { status: 'DEAD', lastError: 'unreachable' }])
    expect(receiver.received).toHaveLength(2)
  })

  test('from the machine is sent by the command itself', async () => {
    const { id } = JSON.parse((await there('create', receiver.url, '--name', 'local', '--json')).out)
    // The command has no leave to call this machine, so the guard of the addresses answers.
    const { code, out } = await here('test', id)
    expect([code, out]).toEqual([1, `${id} did not take the test event: insecure.`])
    expect(receiver.received).toEqual([])
  })
})
