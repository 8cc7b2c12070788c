import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type CachedResponse, ClockCache } from './clock-cache'

const SEED = 20261120

const answer = (rowIds: readonly string[], body = '{}'): CachedResponse => ({
  body,
  etag: '"1"',
  callerId: rowIds[0] ?? '',
  rowIds,
  edition: 1,
  from: 0,
  until: Number.POSITIVE_INFINITY,
})

const full = 1_000_000

test('what nobody has asked for goes first', () => {
  const name = (index: number) => `name ${String(index).padStart(2, '0')}`
  const put = (cache: ClockCache, index: number) => cache.put(name(index), answer([`sub_${index}`]))
  const roomy = new ClockCache(full)
  for (let index = 0; index < 10; index++) put(roomy, index)
  const cache = new ClockCache(roomy.bytes)
  for (let index = 0; index < 10; index++) put(cache, index)
  for (const index of [0, 3, 9]) cache.find(name(index))
  for (let index = 10; index < 16; index++) put(cache, index)
  const left = Array.from({ length: 16 }, (_, index) => index).filter((index) => cache.find(name(index)))
  expect(left).toEqual([0, 3, 8, 9, 10, 11, 12, 13, 14, 15])
})

test('one who asks in ever new words pushes out their own answers alone', () => {
  const cache = new ClockCache(full)
  cache.put('of another', answer(['sub_2']))
  for (let index = 0; index < 100; index++) cache.put(`name ${index}`, answer(['sub_1', 'pur_1']))
  const left = Array.from({ length: 100 }, (_, index) => index).filter((index) => cache.find(`name ${index}`))
  expect(left).toEqual([84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99])
  expect(cache.find('of another')?.callerId).toBe('sub_2')
})

test('a body that many share counts once, and as long as one of them is there', () => {
  const cache = new ClockCache(full)
  const body = 'x'.repeat(10_000)
  for (const id of ['sub_1', 'sub_2', 'sub_3']) cache.put(id, answer([id], body))
  expect(cache.bytes).toBeWithin(20_000, 25_000)
  for (const id of ['sub_1', 'sub_3']) cache.forget(id)
  expect([cache.bytes > 20_000, cache.find('sub_2')?.body]).toEqual([true, body])
  cache.forget('sub_2')
  expect(cache.bytes).toBe(0)
})

test('whatever happens it gives what was put last and no row has changed since, and its size is that of what it holds', () => {
  const name = fc.integer({ min: 0, max: 30 }).map((number) => `name ${number}`)
  const rowIds = fc.uniqueArray(
    fc.integer({ min: 0, max: 9 }).map((number) => `sub_${number}`),
    { minLength: 1, maxLength: 3 },
  )
  const body = fc.integer({ min: 0, max: 3 }).map((number) => 'x'.repeat(number * 300))
  const step = fc.oneof(
    fc.record({ kind: fc.constant('put' as const), name, rowIds, body }),
    fc.record({ kind: fc.constant('find' as const), name }),
    fc.record({ kind: fc.constant('forget' as const), rowId: fc.integer({ min: 0, max: 9 }).map((n) => `sub_${n}`) }),
  )
  const law = (steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[], most: number): void => {
    const cache = new ClockCache(most)
    const truth = new Map<string, CachedResponse>()
    for (const one of steps) {
      if (one.kind === 'put') {
        truth.set(one.name, answer(one.rowIds, one.body))
        cache.put(one.name, answer(one.rowIds, one.body))
      } else if (one.kind === 'forget') {
        for (const [key, { rowIds }] of truth) if (rowIds.includes(one.rowId)) truth.delete(key)
        cache.forget(one.rowId)
      } else {
        const found = cache.find(one.name)
        if (found) expect(found).toMatchObject(truth.get(one.name) ?? { body: 'it was forgotten' })
      }
      expect(cache.bytes).toBeLessThanOrEqual(most)
    }
    for (let number = 0; number < 10; number++) cache.forget(`sub_${number}`)
    expect(cache.bytes).toBe(0)
  }
  const most = fc.constantFrom(0, 1500, 5000, full)
  fc.assert(fc.property(fc.array(step, { maxLength: 120 }), most, law), { seed: SEED, numRuns: 400 })
})

test('with room enough nothing is lost', () => {
  const cache = new ClockCache(full)
  for (let index = 0; index < 500; index++) cache.put(`name ${index}`, answer([`sub_${index}`], `{"n":${index % 9}}`))
  for (let index = 0; index < 500; index++) expect(cache.find(`name ${index}`)?.body).toBe(`{"n":${index % 9}}`)
})
