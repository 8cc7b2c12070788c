import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { MINUTE, SECOND } from '../../src/base/lib/clock'
import { createKey, revokeKey, rotateKey, suspendProject, touchConfig } from '../../src/projects/project/service'
import { StreamRegistry } from '../../src/targeting/remote-config/stream/registry'
import { writeStreamToken } from '../../src/targeting/remote-config/stream-token'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { identify } from '../support/facts'
import { clearRemote, configOf, configure } from '../support/remote'
import { askStream, type HeldStream, openStream } from '../support/stream'

let s: Stage
beforeAll(async () => {
  s = await stage()
})
const held: HeldStream[] = []
beforeEach(() => configure(s, { flags: [{ key: 'one' }] }))
afterEach(async () => {
  for (const stream of held.splice(0)) await stream.leave().catch(() => {})
  await clearRemote(s)
  expect(await openCount()).toBe(0)
})
afterAll(() => s.close())

async function listen(query: string, options: Parameters<typeof openStream>[2] = {}): Promise<HeldStream> {
  const stream = await openStream(s, query, options)
  held.push(stream)
  await stream.data('initial')
  return stream
}

const gauge = async (name: string) => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(await s.ctx.metrics.text())?.[1])
const openCount = () => gauge('svc_sse_clients')

async function refusal(asking: Promise<Response>) {
  const response = await asking
  expect(response.headers.get('content-type')).toStartWith('application/json')
  const { error } = (await response.json()) as { error: { code: string; message: string } }
  return [response.status, error.code, error.message] as const
}

describe('before the stream opens', () => {
  test('the key is checked', async () => {
    const ask = (key: string | null) => refusal(askStream(s, 'subscriberId=svc_a', { key }))
    expect((await ask(null))[1]).toBe('BEARER_REQUIRED')
    expect((await ask('nonsense'))[1]).toBe('INVALID_API_KEY_FORMAT')
    expect((await ask(`svc_pub_${'9'.repeat(32)}`))[1]).toBe('INVALID_API_KEY')
    for (const key of [s.project.publicKey, s.project.secretKey]) await listen('subscriberId=svc_a', { key })
  })

  test('identity and environment are checked, and nobody is made', async () => {
    const before = (await s.ctx.db.select().from(s.ctx.tables.subscribers)).length
    const ask = (query: string, headers = {}) => refusal(askStream(s, query, { headers }))
    for (const query of ['', 'subscriberId=', 'subscriberId=%20'])
      expect(await ask(query)).toEqual([
        400,
        'VALIDATION_ERROR',
        'Send the device key as query subscriberId or in X-Svc-User-Id',
      ])
    expect((await ask('', { 'x-svc-app-user-id': 'svc_a' }))[0]).toBe(400)
    expect((await ask('subscriberId=ios:1'))[0]).toBe(400)
    expect((await ask(`subscriberId=${'x'.repeat(129)}`))[0]).toBe(400)
    expect((await ask('subscriberId=svc_%ff'))[0]).toBe(400)
    const advice = 'env must be one of prod, staging, development'
    expect(await ask('subscriberId=svc_new_env&env=live')).toEqual([400, 'VALIDATION_ERROR', advice])
    expect((await ask('subscriberId=svc_new_env', { 'x-svc-env': 'live' }))[0]).toBe(400)
    expect((await s.ctx.db.select().from(s.ctx.tables.subscribers)).length).toBe(before)
  })

  test('a row whose merges lead nowhere is unresolvable', async () => {
    await configOf(s, 'svc_lost')
    const { subscribers } = s.ctx.tables
    await s.ctx.write((tx) =>
      tx.db.update(subscribers).set({ mergedInto: 'sub_gone' }).where(eq(subscribers.deviceKey, 'svc_lost')),
    )
    expect((await refusal(askStream(s, 'subscriberId=svc_lost'))).slice(0, 2)).toEqual([409, 'SUBSCRIBER_UNRESOLVABLE'])
  })

  test('the header names the device where the query does not', async () => {
    await listen('', { headers: { 'x-svc-user-id': 'svc_header', 'x-svc-platform': 'ios' } })
    const { subscribers } = s.ctx.tables
    const [row] = await s.ctx.db.select().from(subscribers).where(eq(subscribers.deviceKey, 'svc_header'))
    expect(row?.attributes.platform?.value).toBe('ios')
  })

  test('another method is not there, and HEAD holds nothing', async () => {
    expect((await askStream(s, 'subscriberId=svc_a', { method: 'POST' })).status).toBe(404)
    await (await askStream(s, 'subscriberId=svc_a', { method: 'HEAD' })).text()
  })

  test('the browser surface checks the origin', async () => {
    const path = `/v1/web/${s.project.publicKey}/config/stream?subscriberId=svc_web`
    const ask = (headers: Record<string, string>) => askStream(s, path, { headers })
    expect((await refusal(ask({})))[1]).toBe('ORIGIN_NOT_ALLOWED')
    expect((await refusal(ask({ origin: 'https://evil.example.com' })))[1]).toBe('ORIGIN_NOT_ALLOWED')
    const stream = await listen(path, { headers: { origin: 'https://app.example.com' } })
    expect(stream.response.headers.get('access-control-allow-origin')).toBe('https://app.example.com')
    expect(stream.response.headers.get('vary')).toBe('Origin')
    expect((await refusal(askStream(s, path, { key: s.project.secretKey })))[1]).toBe('API_KEY_KIND_MISMATCH')
  })

  test('the rate of the key counts it once, at connect', async () => {
    const own = await stage({ env: { SVC_RATE_KEY: '2' } })
    const streams = [await openStream(own, 'subscriberId=svc_a'), await openStream(own, 'subscriberId=svc_a')]
    expect(streams[1]?.response.headers.get('x-ratelimit-remaining')).toBe('0')
    expect((await refusal(askStream(own, 'subscriberId=svc_a')))[1]).toBe('RATE_LIMITED')
    for (const stream of streams) await stream.leave()
    await own.close()
  })
})

describe('while it is open', () => {
  const keyOf = async (kind: 'public' | 'secret', expiresAt: number | null = null) => {
    const made = await createKey(s.ctx, s.project.id, { label: 'own', kind, expiresAt })
    return { id: made.key.id, key: made.publicKey ?? made.secretKey ?? '' }
  }
  const ended = async (stream: HeldStream) => expect(await stream.next()).toBeNull()
  const goesOn = async (stream: HeldStream) => {
    await s.ctx.state.streamHub.settle()
    await s.ctx.state.streamHub.ping()
    expect((await stream.next())?.event).toBe('ping')
  }

  test.each(['public', 'secret'] as const)('a %s key that is revoked ends its streams, and no others', async (kind) => {
    const { id, key } = await keyOf(kind)
    const [own, other] = [await listen('subscriberId=svc_a', { key }), await listen('subscriberId=svc_a')]
    await revokeKey(s.ctx, id)
    await ended(own)
    await goesOn(other)
    expect((await refusal(askStream(s, 'subscriberId=svc_a', { key })))[1]).toBe('INVALID_API_KEY')
  })

  test('a secret that was rotated ends its streams, once its overlap is over', async () => {
    const first = await keyOf('secret')
    const stream = await listen('subscriberId=svc_a', { key: first.key })
    await rotateKey(s.ctx, first.id)
    await ended(stream)
    const second = await keyOf('secret')
    const overlapping = await listen('subscriberId=svc_a', { key: second.key })
    await rotateKey(s.ctx, second.id, 1)
    await goesOn(overlapping)
    s.ctx.clock.advance(61 * MINUTE)
    await s.ctx.state.streamHub.checkKeys()
    await ended(overlapping)
  })

  test('a key that expires ends its streams', async () => {
    const { key } = await keyOf('public', s.ctx.clock.now() + MINUTE)
    const stream = await listen('subscriberId=svc_a', { key })
    s.ctx.clock.advance(MINUTE - 1)
    await s.ctx.state.streamHub.checkKeys()
    await goesOn(stream)
    s.ctx.clock.advance(1)
    await s.ctx.state.streamHub.checkKeys()
    await ended(stream)
  })

  test('a project that is suspended keeps its streams, and they are told of changes', async () => {
    const own = await stage()
    const stream = await openStream(own, 'subscriberId=svc_a')
    await stream.data('initial')
    await suspendProject(own.ctx, own.project.id)
    await configure(own, { flags: [{ key: 'still' }] })
    expect((await stream.data('invalidate')).flags).toEqual({ still: false })
    await stream.leave()
    await own.close()
  })

  test('a project that is gone ends its streams', async () => {
    const own = await stage()
    const stream = await openStream(own, 'subscriberId=svc_a')
    await stream.data('initial')
    const { projects } = own.ctx.tables
    await own.ctx.write((tx) => tx.db.update(projects).set({ deletedAt: 1 }).where(eq(projects.id, own.project.id)))
    own.ctx.state.projects.forget(own.project.id)
    await ended(stream)
    await own.close()
  })

  test('a client that leaves is gone at once', async () => {
    const stream = await listen('subscriberId=svc_a')
    expect(await openCount()).toBe(1)
    await stream.leave()
    expect(await openCount()).toBe(0)
    await configure(s, { flags: [{ key: 'after' }] })
  })

  test('of a subscriber 20 may be open: the oldest closes', async () => {
    const streams: HeldStream[] = []
    for (let index = 0; index < 20; index++) streams.push(await listen('subscriberId=svc_many'))
    const other = await listen('subscriberId=svc_other')
    expect(await openCount()).toBe(21)
    const newest = await listen('subscriberId=svc_many')
    expect(await openCount()).toBe(21)
    await ended(streams[0] as HeldStream)
    for (const stream of [...streams.slice(1), newest, other]) await goesOn(stream)
  }, 600_000)

  test('streams of two rows that are merged count as those of one', async () => {
    const streams: HeldStream[] = []
    for (let index = 0; index < 15; index++)
      for (const device of ['svc_m1', 'svc_m2']) streams.push(await listen(`subscriberId=${device}`))
    await identify(s, 'svc_m1', 'merged')
    await identify(s, 'svc_m2', 'merged')
    await configure(s, { flags: [{ key: 'after' }] })
    await streams.at(-1)?.data('invalidate')
    expect(await openCount()).toBe(20)
  })

  test('a slow reader is disconnected when it leaves more than 256 KiB, and nobody else', async () => {
    const [slow, quick] = [await openStream(s, 'subscriberId=svc_slow'), await listen('subscriberId=svc_quick')]
    held.push(slow)
    await slow.data('initial')
    const dropped = await gauge('svc_config_streams_dropped_total')
    const value = 'x'.repeat(60_000)
    for (let index = 0; index < 6; index++) {
      await configure(s, { flags: [{ key: `large_${index}`, type: 'STRING', defaultValue: value }] })
      await quick.data('invalidate')
    }
    expect(await openCount()).toBe(1)
    expect((await gauge('svc_config_streams_dropped_total')) - dropped).toBe(1)
    await expect(readAll(slow)).rejects.toThrow('The stream was cut')
  })

  test('a configuration larger than the bound still reaches who reads it', async () => {
    const value = 'x'.repeat(60_000)
    const large = Array.from({ length: 6 }, (_, index) => ({ key: `large_${index}`, defaultValue: value }))
    await configure(s, { flags: large.map((flag) => ({ ...flag, type: 'STRING' as const })) })
    const stream = await openStream(s, 'subscriberId=svc_large')
    held.push(stream)
    expect(Object.keys((await stream.data('initial')).flags)).toHaveLength(7)
    await configure(s, { flags: [{ key: 'small' }] })
    expect(Object.keys((await stream.data('invalidate')).flags)).toHaveLength(8)
  })

  const readAll = async (stream: HeldStream): Promise<void> => {
    while ((await stream.next()) !== null);
  }
})

test('when as many are open as a process holds, the next is told to wait', async () => {
  const own = await stage()
  Object.assign(own.ctx.state.streamHub, { streams: new StreamRegistry(1) })
  const stream = await openStream(own, 'subscriberId=svc_a')
  const refused = await askStream(own, 'subscriberId=svc_b')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5'])
  expect(((await refused.json()) as { error: object }).error).toEqual({
    code: 'RATE_LIMITED',
    message: 'Too many streams are open; try again later',
    details: { retryAfterSeconds: 5 },
  })
  await stream.leave()
  await (await openStream(own, 'subscriberId=svc_b')).leave()
  await own.close()
})

test('when the server stops, streams end, and a late one gets its flags and ends', async () => {
  const own = await stage()
  await configure(own, { flags: [{ key: 'one' }] })
  const stream = await openStream(own, 'subscriberId=svc_a')
  await stream.data('initial')
  own.ctx.state.streamHub.drain()
  expect(await stream.next()).toBeNull()
  const late = await openStream(own, 'subscriberId=svc_a')
  expect((await late.data('initial')).flags).toEqual({ one: false })
  expect(await late.next()).toBeNull()
  await own.close()
})

describe('a stream token', () => {
  const token = (grant: Partial<Parameters<typeof writeStreamToken>[1]> = {}) => {
    const { id: projectId, keyId } = s.project
    const all = { projectId, keyId, presented: 'public', subscriber: 'svc_token', env: 'PROD', ...grant } as const
    return writeStreamToken(s.ctx.mac, all, s.ctx.clock.now())
  }
  const web = (query: string, key = s.project.publicKey) => `/v1/web/${key}/config/stream?${query}`
  const ask = (query: string, headers = {}) => askStream(s, query, { key: null, headers })

  test('opens the stream without a header, for any page, on both mounts', async () => {
    for (const query of [`st=${token()}`, web(`st=${token()}`), `subscriberId=svc_token&ofrep=1&st=${token()}`]) {
      const stream = await listen(query, { key: null, headers: { origin: 'https://anywhere.example' } })
      expect(stream.response.headers.get('access-control-allow-origin')).toBe('*')
    }
  })

  test('stands for its subscriber and environment', async () => {
    await configure(s, { flags: [{ key: 'one', env: 'STAGING', defaultValue: true }] })
    const stream = await openStream(s, `env=prod&subscriberId=svc_else&st=${token({ env: 'STAGING' })}`, { key: null })
    held.push(stream)
    expect((await stream.data('initial')).flags).toEqual({ one: true })
    const { subscribers } = s.ctx.tables
    const devices = (await s.ctx.db.select().from(subscribers)).map(({ deviceKey }) => deviceKey)
    expect([devices.includes('svc_token'), devices.includes('svc_else')]).toEqual([true, false])
  })

  test('of a public key names devices only; of a secret key whom it named', async () => {
    await identify(s, 'svc_labelled', 'label')
    await s.post(
      '/v1/me/attributes',
      { attributes: { plan: 'gold' } },
      { headers: { 'x-svc-app-user-id': 'svc_labelled' } },
    )
    await configure(s, { flags: [{ key: 'gold', rules: [{ conditions: { plan: 'gold' }, value: true }] }] })
    const seenBy = async (presented: 'public' | 'secret') => {
      const stream = await openStream(s, `st=${token({ presented, subscriber: 'label' })}`, { key: null })
      held.push(stream)
      return (await stream.data('initial')).flags.gold
    }
    expect([await seenBy('secret'), await seenBy('public')]).toEqual([true, false])
  })

  test('that is foreign, changed or past its time opens nothing, and its page may read why', async () => {
    const old = token()
    s.ctx.clock.advance(10 * MINUTE)
    for (const st of [old, `${token()}x`, 'x', 'x.y']) {
      const response = await ask(`st=${st}`)
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect((await refusal(Promise.resolve(response))).slice(0, 2)).toEqual([401, 'INVALID_API_KEY'])
    }
    expect((await refusal(ask('st=')))[1]).toBe('BEARER_REQUIRED')
  })

  test('dies with its key', async () => {
    const { key } = await createKey(s.ctx, s.project.id, { label: 'short', kind: 'public' })
    const st = token({ keyId: key.id })
    const stream = await listen(`st=${st}`, { key: null })
    await revokeKey(s.ctx, key.id)
    expect(await stream.next()).toBeNull()
    expect((await refusal(ask(`st=${st}`)))[1]).toBe('INVALID_API_KEY')
    expect((await refusal(ask(`st=${token({ keyId: 'key_none' })}`)))[1]).toBe('INVALID_API_KEY')
  })

  test('opens no other route, and not the mount of another key', async () => {
    expect((await refusal(ask(`/v1/config?subscriberId=svc_token&st=${token()}`)))[1]).toBe('BEARER_REQUIRED')
    expect((await refusal(ask(web(`st=${token()}`, s.other.publicKey))))[1]).toBe('FORBIDDEN')
  })

  test('stands behind a header', async () => {
    expect((await refusal(ask(`st=${token()}`, { authorization: 'Bearer nonsense' })))[1]).toBe(
      'INVALID_API_KEY_FORMAT',
    )
  })

  test('counts towards the rate of its key', async () => {
    const own = await stage({ env: { SVC_RATE_KEY: '1' } })
    const grant = {
      projectId: own.project.id,
      keyId: own.project.keyId,
      presented: 'public',
      subscriber: 'svc_a',
    } as const
    const query = `st=${writeStreamToken(own.ctx.mac, { ...grant, env: 'PROD' }, own.ctx.clock.now())}`
    const stream = await openStream(own, query, { key: null })
    expect((await refusal(askStream(own, query, { key: null })))[1]).toBe('RATE_LIMITED')
    await stream.leave()
    await own.close()
  })
})

describe('ofrep=1', () => {
  const nextEvent = async (stream: HeldStream) => {
    const frame = await stream.next()
    expect(frame?.event).toBe('message')
    expect(frame?.id).toBeTruthy()
    const data = JSON.parse(frame?.data ?? '')
    expect(Object.keys(data)).toEqual(['type', 'etag', 'lastModified'])
    expect([data.type, data.lastModified]).toEqual(['refetchEvaluation', Math.floor(s.ctx.clock.now() / SECOND)])
    expect(data.etag).toMatch(/^"[\da-f]{32}"$/)
    return { ...data, id: frame?.id }
  }
  const setPlan = (plan: string, device = 'svc_of') =>
    s.post('/v1/me/attributes', { attributes: { plan } }, { headers: { 'x-svc-app-user-id': device } })

  test('tells to fetch again after invalidate, by a tag that moves with the answer', async () => {
    const stream = await listen('subscriberId=svc_of&ofrep=1')
    await configure(s, { flags: [{ key: 'two' }] })
    expect(Object.keys((await stream.data('invalidate')).flags)).toEqual(['one', 'two'])
    const first = await nextEvent(stream)
    await configure(s, { audiences: [{}] })
    await stream.data('invalidate')
    const second = await nextEvent(stream)
    expect([second.etag === first.etag, second.id === first.id]).toEqual([true, false])
    await configure(s, { flags: [{ key: 'three' }] })
    await stream.data('invalidate')
    expect((await nextEvent(stream)).etag).not.toBe(first.etag)
  })

  test('tells of changes of the own attributes and purchases, which are no invalidate', async () => {
    await configure(s, { flags: [{ key: 'gold', rules: [{ conditions: { plan: 'gold' }, value: true }] }] })
    const [stream, plain] = [await listen('subscriberId=svc_of&ofrep=1'), await listen('subscriberId=svc_of')]
    await setPlan('silver')
    const silver = await nextEvent(stream)
    await setPlan('gold')
    expect((await nextEvent(stream)).etag).not.toBe(silver.etag)
    await s.receipt('svc_of', s.buy(MONTHLY))
    await nextEvent(stream)
    await setPlan('gold', 'svc_of_another')
    // Changes the configuration version, as a change of the catalogue does.
    await s.ctx.write((tx) => touchConfig(tx, s.project.id))
    await s.ctx.state.streamHub.settle()
    await s.ctx.state.streamHub.ping()
    for (const one of [stream, plain]) expect(await one.next()).toEqual({ event: 'ping', data: '' })
  })

  test('follows the device when its person switches account', async () => {
    await identify(s, 'svc_switch', 'first@example.com')
    const stream = await listen('subscriberId=svc_switch&ofrep=1')
    await identify(s, 'svc_switch', 'second@example.com')
    await nextEvent(stream)
    await setPlan('gold', 'svc_switch')
    await nextEvent(stream)
  })

  test('is said with 1 and nothing else', async () => {
    const stream = await listen('subscriberId=svc_of&ofrep=true')
    await configure(s, { flags: [{ key: 'two' }] })
    await stream.data('invalidate')
    await s.ctx.state.streamHub.ping()
    expect((await stream.next())?.event).toBe('ping')
  })
})

test('the answer is counted once, when the stream opens', async () => {
  const line =
    /http_server_request_duration_seconds_count\{method="GET",route="\/v1\/config\/stream",status="200"\} (\d+)/
  const counted = async () => Number(line.exec(await s.ctx.metrics.text())?.[1] ?? 0)
  const before = await counted()
  const stream = await listen('subscriberId=svc_metrics')
  while ((await counted()) === before) await Bun.sleep(1)
  await s.ctx.state.streamHub.ping()
  expect((await stream.next())?.event).toBe('ping')
  expect(await counted()).toBe(before + 1)
})
