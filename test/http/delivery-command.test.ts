import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { MINUTE } from '../../src/base/lib/clock'
import { toIso } from '../../src/base/lib/time'
import { type Stage, stage } from '../support/cast'
import { delivered, deliveryRows, deviceOwner, endpoint, happen } from '../support/deliveries'
import { auditRows } from '../support/operator'
import { listen, machineEnv, type RemoteServer, runWith } from '../support/remote-command'

let s: Stage
let server: RemoteServer
let target: string
beforeEach(async () => {
  s = await stage()
  target = await endpoint(s, { name: 'backend' })
  server = listen(s)
})
afterEach(async () => {
  await server.close()
  await s.close()
})

const here = (...args: string[]) => runWith(s, ['webhook', ...args, '--project', 'project-1'], { env: machineEnv(s) })
const there = (...args: string[]) =>
  runWith(s, ['webhook', ...args, '--project', 'project-1'], {
    env: { SVC_URL: server.url, SVC_TOKEN: server.tokenOf('DEVELOPER') },
  })

describe('svc webhook deliveries', () => {
  test('prints the same on the machine and over HTTP', async () => {
    await delivered(s, { targetId: target })
    await delivered(s, { targetId: target, status: 'SUCCEEDED', lastStatusCode: 200, type: 'purchase.expired' })
    await delivered(s, { targetId: target, lastStatusCode: null, lastError: 'timeout' })
    for (const args of [[], ['--status', 'dead'], ['--type', 'purchase.expired'], ['--limit', '1'], ['--json']]) {
      const [local, remote] = [await here('deliveries', ...args), await there('deliveries', ...args)]
      expect([args, local.code, local.err]).toEqual([args, 0, ''])
      expect(remote.out).toBe(local.out)
    }
    const { deliveries } = JSON.parse((await here('deliveries', '--status', 'DEAD', '--json')).out)
    expect(deliveries.map(({ lastError }: { lastError: string }) => lastError)).toEqual(['timeout', null])
    for (const run of [here, there]) {
      expect((await run('deliveries', '--endpoint', 'whe_none')).out).toBe('There is no such delivery.')
      const all = JSON.parse((await run('deliveries', '--json')).out)
      expect(JSON.parse((await run('deliveries', '--endpoint', 'backend', '--json')).out)).toEqual(all)
      const unknown = await run('deliveries', '--endpoint', 'nobody')
      expect(unknown).toMatchObject({ code: 1, out: '', err: 'The project has no webhook endpoint nobody.' })
    }
  })

  test('refuses a status that there is not, and more words', async () => {
    expect(await here('deliveries', '--status', 'LOST')).toMatchObject({ code: 2, out: '' })
    expect(await here('deliveries', 'whd_1')).toMatchObject({ code: 2, out: '' })
    expect(await here('deliveries', '--limit', '0')).toMatchObject({ code: 2, out: '' })
  })
})

describe('svc webhook retry', () => {
  test('gives a dead delivery its attempts again, on the machine and over HTTP', async () => {
    for (const run of [here, there]) {
      const { id } = await delivered(s, { targetId: target })
      const { code, out, err } = await run('retry', id)
      expect([code, out, err]).toEqual([0, `${id} is queued again; the running server sends it.`, ''])
      const { deliveries } = JSON.parse((await run('deliveries', '--json')).out)
      const now = deliveries.find((one: { id: string }) => one.id === id)
      expect([now.status, now.attempts]).toEqual(['PENDING', 0])
      expect((await run('retry', id)).code).toBe(1)
      expect((await run('retry', 'whd_none')).err).toContain('There is no delivery whd_none')
      expect((await run('retry')).code).toBe(2)
    }
  })
})

describe('svc webhook replay', () => {
  test('makes the deliveries and one audit row, on the machine and over HTTP', async () => {
    const from = toIso(s.ctx.clock.now() - MINUTE)
    const wanted = await happen(s, await deviceOwner(s, 'svc_ada'), [{}, { type: 'purchase.expired' }])
    const local = await here('replay', target, '--from', from)
    expect(local).toMatchObject({ code: 0, err: '', out: '2 deliveries are queued; the running server sends them.' })
    const remote = await there('replay', target, '--from', from, '--types', 'purchase.expired', '--json')
    expect(remote).toMatchObject({ code: 0, out: '{"queued":1}' })
    await new Promise(setImmediate)
    expect((await deliveryRows(s)).map(({ eventId }) => eventId)).toEqual([...wanted, wanted[1] ?? null])
    const rows = (await auditRows(s)).filter(({ action }) => action === 'webhookDelivery.replay')
    expect(rows.map(({ actor }) => actor.kind)).toEqual(['CLI', 'USER'])
    expect((await here('replay', 'backend', '--from', from)).out).toStartWith('2 deliveries are queued')
    expect((await there('replay', 'backend', '--from', from, '--json')).out).toBe('{"queued":2}')
    const none = await here('replay', target, '--from', from, '--types', 'import.*')
    expect(none.out).toBe('No kept event of that time passes the filter of the endpoint.')
  })

  test('is refused without an endpoint or a time, and for an endpoint that there is not', async () => {
    const from = toIso(s.ctx.clock.now())
    for (const args of [['--from', from], [target], [target, '--from', 'now'], [target, target, '--from', from]])
      expect([args, (await here('replay', ...args)).code]).toEqual([args, 2])
    expect((await here('replay', target, '--from', from, '--to', '2020-01-01T00:00:00Z')).code).toBe(2)
    for (const run of [here, there])
      for (const given of ['whe_none', 'nobody'])
        expect([given, (await run('replay', given, '--from', from)).code]).toEqual([given, 1])
    expect(await deliveryRows(s)).toEqual([])
  })
})
