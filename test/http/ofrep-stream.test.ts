import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { MINUTE } from '../../src/base/lib/clock'
import { createKey } from '../../src/projects/project/service'
import { type Answer, type Stage, stage } from '../support/cast'
import { everything, identify } from '../support/facts'
import { evaluateAll } from '../support/ofrep'
import { clearRemote, configure } from '../support/remote'
import { askStream, type HeldStream, openStream } from '../support/stream'

// What an OpenFeature provider gets: the address of its stream, whether that address still works, and the changes it
// has missed.

let s: Stage
const held: HeldStream[] = []
beforeAll(async () => {
  s = await stage()
})
afterEach(async () => {
  for (const stream of held.splice(0)) await stream.leave()
  await clearRemote(s)
})
afterAll(() => s.close())

type Options = Parameters<typeof evaluateAll>[2]

/** Requests like a provider, with the ETag of its last answer. */
function provider(targetingKey: string, options: Options = {}, query = '') {
  let tag = ''
  let address = ''
  return {
    async ask() {
      const answer = await evaluateAll(s, { targetingKey }, { ...options, headers: { 'if-none-match': tag } }, query)
      tag = answer.headers.get('etag') ?? ''
      if (answer.status === 200) address = addressIn(answer.body)
      return answer.status
    },
    listen: () => askStream(s, address, { key: null }),
    async hold() {
      const stream = await openStream(s, address, { key: null })
      held.push(stream)
      await stream.data('initial')
      return stream
    },
  }
}

function addressIn(body: { eventStreams: { url: string }[] }): string {
  const { pathname, search } = new URL(body.eventStreams[0]?.url ?? '')
  return pathname + search
}

const refused = async (response: Response) => [response.status, ((await response.json()) as Answer['body']).error?.code]

test('304 is for whoever knows an address that opens for five minutes yet; others get a new one', async () => {
  const page = provider('svc_page')
  expect(await page.ask()).toBe(200)
  s.ctx.clock.advance(5 * MINUTE - 1)
  expect(await page.ask()).toBe(304)
  s.ctx.clock.advance(1)
  expect(await page.ask()).toBe(200)
  s.ctx.clock.advance(5 * MINUTE + 1) // The first address has expired now, the second has not.
  await page.hold()
  for (const status of [200, 304, 304]) expect(await page.ask()).toBe(status)
})

test('whose address has ended gets a new one, whatever another page of the device was given since', async () => {
  await s.get('/v1/me', 'svc_pages')
  const [old, young] = [provider('svc_pages'), provider('svc_pages')]
  expect(await old.ask()).toBe(200)
  s.ctx.clock.advance(10 * MINUTE)
  expect(await young.ask()).toBe(200)
  expect(await old.ask()).toBe(304)
  expect(await refused(await old.listen())).toEqual([401, 'INVALID_API_KEY'])
  expect(await old.ask()).toBe(200)
  await old.hold()
  expect(await old.ask()).toBe(304)
})

test('each key, subscriber and environment has an address of its own', async () => {
  const { secretKey } = await createKey(s.ctx, s.project.id, { label: 'another', kind: 'secret' })
  const all = [
    provider('svc_own'),
    provider('svc_other'),
    provider('svc_own', {}, '?env=staging'),
    provider('svc_own', { key: s.project.secretKey }),
    provider('svc_own', { key: secretKey ?? '' }),
  ]
  for (const one of all) expect(await one.ask()).toBe(200)
  for (const one of all) expect(await one.ask()).toBe(304)
})

test('a token that nobody signed makes nobody forget', async () => {
  const page = provider('svc_forged')
  await page.ask()
  const forged = `${Buffer.from(JSON.stringify([s.project.id, s.project.keyId, 'public', 'svc_forged', 'PROD', 1])).toString('base64url')}.x`
  expect((await refused(await askStream(s, `st=${forged}`, { key: null })))[0]).toBe(401)
  expect(await page.ask()).toBe(304)
})

test('a change between the answer and the stream is told when the stream opens', async () => {
  const page = provider('svc_between')
  await page.ask()
  await (await page.hold()).leave()
  await configure(s, { flags: [{ key: 'meanwhile' }] })
  const stream = await page.hold()
  const { type, etag } = await stream.data('message')
  expect([type, await page.ask()]).toEqual(['refetchEvaluation', 200])
  const again = await evaluateAll(s, { targetingKey: 'svc_between' })
  expect(again.headers.get('etag')).toBe(etag)
})

test('a stream that nothing was changed before is told nothing', async () => {
  await configure(s, { flags: [{ key: 'same' }], experiments: [{ key: 'checkout_test' }] })
  await identify(s, 'svc_known', 'known@example.com')
  const label = { key: s.project.secretKey }
  for (const page of [provider('svc_never_seen'), provider('svc_known'), provider('known@example.com', label)]) {
    await page.ask()
    const stream = await page.hold() // Creates the row of an unknown subscriber: the flags stay the same.
    await configure(s, { flags: [{ key: `then_${held.length}` }] })
    await stream.data('invalidate')
  }
})

test('whatever may be asked for may be listened to', async () => {
  const label = '用'.repeat(255)
  await identify(s, 'svc_long', label)
  const page = provider(label, { key: s.project.secretKey })
  await page.ask()
  await page.hold()
})

test('an id that names nobody makes nobody either', async () => {
  const page = provider('sub_00000000000000000000000000', { key: s.project.secretKey })
  expect(await page.ask()).toBe(200)
  const before = await everything(s)
  expect(await refused(await page.listen())).toEqual([404, 'NOT_FOUND'])
  expect(await everything(s)).toEqual(before)
})

test.each(['label', 'id'])(
  'a server that listens for somebody by their %s follows them, not their device',
  async (by) => {
    const label = `${by}@example.com`
    const { subscriberId } = (await identify(s, `svc_left_${by}`, label)).body.data
    const rules = [{ conditions: { 'svc.appUserId': label }, value: true }]
    const page = provider(by === 'id' ? subscriberId : label, { key: s.project.secretKey })
    await page.ask()
    const stream = await page.hold()
    await identify(s, `svc_left_${by}`, `next_${label}`)
    await stream.data('message')
    await configure(s, { flags: [{ key: 'me', rules }] })
    expect((await stream.data('invalidate')).flags).toEqual({ me: true })
    await stream.data('message')
    await identify(s, `svc_phone_${by}`, label) // Merges the subscriber of the stream into the row of another phone.
    await stream.data('message')
    await s.post(
      '/v1/me/attributes',
      { attributes: { plan: by } },
      { headers: { 'x-svc-app-user-id': `svc_phone_${by}` } },
    )
    await stream.data('message')
    await configure(s, { flags: [{ key: `me_${by}`, rules }] })
    expect((await stream.data('invalidate')).flags).toEqual({ me: true, [`me_${by}`]: true })
  },
)
