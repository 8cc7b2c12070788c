import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { MINUTE } from '../../src/base/lib/clock'
import { type Answer, type Stage, stage } from '../support/cast'
import { changeSettings, eventTypes, everything, expectRefused, identify, rowOf } from '../support/facts'

let s: Stage
beforeEach(async () => {
  s = await stage()
})
afterEach(() => s.close())

const set = (attributes: unknown, device = 'svc_ada', options = {}): Promise<Answer> =>
  s.post('/v1/me/attributes', { attributes }, { headers: { 'x-svc-app-user-id': device }, ...options })
const raw = (body: string): Promise<Answer> =>
  s.call('POST', '/v1/me/attributes', { raw: body, headers: { 'x-svc-app-user-id': 'svc_ada' } })
const stored = async (device = 'svc_ada') => (await rowOf(s, device)).attributes
const attributesOf = async (device = 'svc_ada') => (await s.get('/v1/me', device)).body.data.subscriber.attributes

describe('what is sent', () => {
  test('is merged, answered flat and seen by the next read', async () => {
    const first = await set({ plan: 'gold', $email: 'ada@example.com', empty: '' })
    const { id } = await rowOf(s, 'svc_ada')
    expect(first.body).toEqual({
      data: {
        subscriber: { id, appUserId: null, attributes: { plan: 'gold', $email: 'ada@example.com', empty: '' } },
      },
    })
    await set({ plan: 'silver', mood: 'good', empty: null, absent: null })
    expect(await attributesOf()).toEqual({ plan: 'silver', mood: 'good', $email: 'ada@example.com' })
    expect(await eventTypes(s, id)).toEqual([])
  })

  test('may be nothing, which writes nothing but the row', async () => {
    expect((await set({})).body.data.subscriber.attributes).toEqual({})
    const before = await everything(s)
    expect((await set({})).status).toBe(200)
    expect(await everything(s)).toEqual(before)
  })

  test('must have the member, as an object; unknown members beside it are ignored', async () => {
    await s.get('/v1/me', 'svc_ada')
    for (const body of ['{}', '{"attributes":null}', '{"attributes":[]}', '{"attributes":"x"}', '[]', '7', '{'])
      await expectRefused(s, () => raw(body), 400, 'VALIDATION_ERROR')
    expect((await raw('{"attributes":{"plan":"gold"},"colour":"red"}')).status).toBe(200)
  })

  test('is refused whole, and the message names every bad key', async () => {
    await set({ plan: 'gold' })
    const answer = await expectRefused(
      s,
      () => set({ plan: null, mood: 'good', 'bad key': 'x', $nope: 'x', age: 7, note: 'x'.repeat(501), $email: 'x' }),
      400,
      'VALIDATION_ERROR',
    )
    expect(answer.body.error.message).toBe(
      [
        'bad key: a key has 1 to 40 letters, digits, _, . or -',
        '$nope: is not a reserved key',
        'age: must be a string or null',
        'note: must have at most 500 characters',
        '$email: must be an e-mail address of at most 254 characters',
      ].join('; '),
    )
  })

  test('is at most 50 custom keys after the merge', async () => {
    await set(Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`key_${index}`, 'x'])))
    const answer = await expectRefused(s, () => set({ another: 'x' }), 400, 'VALIDATION_ERROR')
    expect(answer.body.error.message).toBe('attributes: at most 50 custom keys, this would make 51')
    expect((await set({ another: 'x', key_0: null, $email: 'ada@example.com' })).status).toBe(200)
    expect(Object.keys(await attributesOf())).toHaveLength(51)
  })

  test('may hold any text that is UTF-8: four-byte characters, quotes, controls but NUL', async () => {
    const values = {
      emoji: '\u{1f469}\u{1f3fd}\u200d\u{1f680} \u{20bb7}\u{1d11e}',
      quotes: `'"\\ "; drop table subscribers; --`,
      controls: 'a\u0001\u001f\n\t\u007f\u2028b',
      rtl: '\u202e\u05d0\u05d1',
      combined: 'e\u0301',
    }
    await set(values)
    expect(await attributesOf()).toEqual(values)
    expect((await stored()).emoji?.value).toBe(values.emoji)
    for (const text of ['{"attributes":{"nul":"a\\u0000b"}}', '{"attributes":{"half":"\\ud83d"}}'])
      await expectRefused(s, () => raw(text), 400, 'VALIDATION_ERROR')
  })

  test('may be keyed __proto__ or constructor without harm', async () => {
    const answer = await raw('{"attributes":{"__proto__":"harmless","constructor":"x","toString":"y"}}')
    expect(answer.status).toBe(200)
    const attributes = (await s.get('/v1/me', 'svc_ada')).body.data.subscriber.attributes
    expect(Object.entries(attributes).sort()).toEqual([
      ['__proto__', 'harmless'],
      ['constructor', 'x'],
      ['toString', 'y'],
    ])
    expect(({} as Record<string, unknown>).harmless).toBeUndefined()
    expect((await raw('{"attributes":{"__proto__":{"plan":"gold"}}}')).status).toBe(400)
    expect((await raw('{"attributes":{"__proto__":null,"constructor":null,"toString":null}}')).status).toBe(200)
    expect(await attributesOf()).toEqual({})
  })
})

test("the source is the device's or the server's, by the key and not by the route", async () => {
  await set({ a: 'x' })
  s.ctx.clock.advance(MINUTE)
  const at = s.ctx.clock.now()
  const path = '/v1/subscribers/svc_ada/attributes'
  await s.post(path, { attributes: { b: 'x' } })
  await s.post(path, { attributes: { c: 'x' } }, { key: s.project.secretKey })
  expect(await stored()).toEqual({
    a: { value: 'x', source: 'sdk', updatedAt: at - MINUTE },
    b: { value: 'x', source: 'sdk', updatedAt: at },
    c: { value: 'x', source: 'api', updatedAt: at },
  })
})

test('the keys of attribution tools need the project setting', async () => {
  await s.get('/v1/me', 'svc_ada')
  await expectRefused(s, () => set({ $idfa: 'x' }), 400, 'VALIDATION_ERROR')
  await changeSettings(s, { extraReservedKeys: true })
  expect((await set({ $idfa: 'x', $campaign: 'spring' })).status).toBe(200)
  await changeSettings(s, {})
  // Existing values stay and cannot be changed any more.
  expect(await attributesOf()).toEqual({ $idfa: 'x', $campaign: 'spring' })
  await expectRefused(s, () => set({ $idfa: null }), 400, 'VALIDATION_ERROR')
})

test('writes at once of one subscriber lose nothing', async () => {
  await s.get('/v1/me', 'svc_ada')
  const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => set({ [`key_${index}`]: 'x' })))
  expect(answers.every(({ status }) => status === 200)).toBe(true)
  expect(Object.keys(await attributesOf())).toHaveLength(40)
})

test('writes at once never pass the cap together', async () => {
  await set(Object.fromEntries(Array.from({ length: 45 }, (_, index) => [`key_${index}`, 'x'])))
  const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => set({ [`more_${index}`]: 'x' })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 400, 400, 400, 400, 400])
  expect(Object.keys(await attributesOf())).toHaveLength(50)
})

test('writes at once with a merge reach the survivor', async () => {
  await identify(s, 'svc_old', 'ada')
  const writes = Array.from({ length: 10 }, (_, index) => set({ [`key_${index}`]: 'x' }, 'svc_old'))
  const [identified, ...answers] = await Promise.all([identify(s, 'svc_new', 'ada'), ...writes])
  expect([identified.status, ...answers.map(({ status }) => status)]).toEqual(Array(11).fill(200))
  expect(Object.keys(await attributesOf('svc_new'))).toHaveLength(10)
})
