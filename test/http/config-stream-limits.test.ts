import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { StreamRegistry } from '../../src/targeting/remote-config/stream/registry'
import { type Stage, stage } from '../support/cast'
import { evaluateAll } from '../support/ofrep'
import { configure } from '../support/remote'
import { askStream, type HeldStream, holdStream, openStream } from '../support/stream'

let s: Stage
const held: HeldStream[] = []
beforeAll(async () => {
  s = await stage({ env: { SVC_STREAMS_PER_IP: '2', SVC_TRUSTED_PROXIES: '1' } })
  await configure(s, { flags: [{ key: 'one' }] })
})
afterEach(async () => {
  for (const stream of held.splice(0)) await stream.leave()
})
afterAll(() => s.close())

let count = 0
const HERE = '203.0.113.1'

const ask = (options: { key?: string; from?: string; path?: string } = {}) => {
  const { key = s.project.publicKey, from = HERE, path = '/v1/config/stream' } = options
  const headers = { 'x-forwarded-for': from, origin: 'https://app.example.com' }
  return askStream(s, `${path}?subscriberId=svc_${++count}`, { key, headers })
}

async function open(options: Parameters<typeof ask>[0] = {}): Promise<HeldStream> {
  const stream = holdStream(await ask(options))
  held.push(stream)
  await stream.data('initial')
  return stream
}

async function expectRefused(asking: Promise<Response>, message: string): Promise<void> {
  const answer = await asking
  const { error } = (await answer.json()) as { error: { code: string; message: string } }
  expect([answer.status, answer.headers.get('retry-after'), error.code, error.message]).toEqual([
    429,
    '5',
    'RATE_LIMITED',
    message,
  ])
}

const OF_ADDRESS = 'Too many streams of this address are open; close one first'
const web = () => ({ path: `/v1/web/${s.project.publicKey}/config/stream` })

test('one address holds so many streams with public keys, on every path; one that ends makes room', async () => {
  const [first] = [await open(), await open(web())]
  await expectRefused(ask(), OF_ADDRESS)
  await expectRefused(ask(web()), OF_ADDRESS)
  await expectRefused(ask({ key: s.other.publicKey }), OF_ADDRESS)
  await open({ from: '203.0.113.2' })
  held.splice(held.indexOf(first), 1)
  await first.leave()
  await open()
  await expectRefused(ask(), OF_ADDRESS)
})

test('streams of secret keys do not count', async () => {
  for (let index = 0; index < 4; index++) await open({ key: s.project.secretKey })
  await open()
  await open()
  await open({ key: s.project.secretKey })
})

test('event streams of OpenFeature count by the key that asked for them', async () => {
  const streamOf = async (key: string) => {
    const { body } = await evaluateAll(s, { targetingKey: `svc_ofrep_${++count}` }, { key })
    const { pathname, search } = new URL(body.eventStreams[0].url)
    return askStream(s, pathname + search, { key: null, headers: { 'x-forwarded-for': HERE } })
  }
  await open()
  held.push(holdStream(await streamOf(s.project.publicKey)))
  await expectRefused(streamOf(s.project.publicKey), OF_ADDRESS)
  held.push(holdStream(await streamOf(s.project.secretKey)))
})

test('one project holds half of all streams of the process, whatever the key', async () => {
  Object.assign(s.ctx.state.streamHub, { streams: new StreamRegistry(4) })
  await open()
  await open({ key: s.project.secretKey })
  for (const key of [s.project.publicKey, s.project.secretKey])
    await expectRefused(ask({ key }), 'Too many streams of this project are open; try again later')
  for (let index = 0; index < 2; index++) await open({ key: s.other.publicKey })
  await expectRefused(ask({ key: s.other.publicKey }), 'Too many streams are open; try again later')
})

test('200 streams are the limit of an address by default, and 0 is none', async () => {
  const headers = { 'x-forwarded-for': HERE }
  for (const [env, limit] of [
    [{}, 200],
    [{ SVC_STREAMS_PER_IP: '0' }, 0],
  ] as const) {
    const own = await stage({ env: { ...env, SVC_TRUSTED_PROXIES: '1' } })
    expect(own.ctx.config.streamsPerIp).toBe(limit)
    const streams: HeldStream[] = []
    for (let index = 0; index < 200; index++)
      streams.push(await openStream(own, `subscriberId=svc_${index % 20}`, { headers }))
    const next = await askStream(own, 'subscriberId=svc_next', { headers })
    expect(next.status).toBe(limit === 0 ? 200 : 429)
    await next.body?.cancel()
    for (const stream of streams) await stream.leave().catch(() => {})
    await own.close()
  }
})
