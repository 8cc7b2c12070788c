import { expect, test } from 'bun:test'
import type { CachedResponse } from './clock-cache'
import { ResponseCache } from './response-cache'

const isRowId = (id: string) => id.startsWith('sub_') || id.startsWith('pur_')

const source = () => {
  const state = { version: 1, isBroken: false }
  return Object.assign(state, {
    listen() {},
    foreignVersion() {
      if (state.isBroken) throw new Error('the disk is gone')
      return state.version
    },
  })
}

const answer = (callerId: string, body = '{}', members: Partial<CachedResponse> = {}): CachedResponse => ({
  body,
  etag: '"1"',
  callerId,
  rowIds: [callerId],
  edition: 1,
  from: 0,
  until: Number.POSITIVE_INFINITY,
  ...members,
})

test('an answer stays until its subscriber changes', () => {
  const cache = new ResponseCache(source(), isRowId)
  for (const id of ['sub_1', 'sub_2']) cache.keep(`of ${id}`, answer(id), cache.mark())
  cache.keep('another of sub_1', answer('sub_1'), cache.mark())
  expect(cache.find('of sub_1', 0)).toMatchObject({ callerId: 'sub_1', body: '{}' })
  cache.forget('sub_1')
  const names = ['of sub_1', 'another of sub_1', 'of sub_2']
  expect(names.map((name) => cache.find(name, 0)?.callerId)).toEqual([undefined, undefined, 'sub_2'])
})

test('words that mean somebody else by now fall with that subscriber', () => {
  const cache = new ResponseCache(source(), isRowId)
  for (const id of ['sub_1', 'sub_2']) cache.keep('a', answer(id), cache.mark())
  expect(cache.find('a', 0)?.callerId).toBe('sub_2')
  cache.forget('sub_2')
  expect(cache.find('a', 0)).toBeUndefined()
})

test('an answer falls with each row that it was made of', () => {
  const cache = new ResponseCache(source(), isRowId)
  const rowIds = ['sub_old', 'sub_1', 'pur_1', 'pur_2']
  for (const id of rowIds) {
    cache.keep('a', answer('sub_1', '{}', { rowIds }), cache.mark())
    cache.keep('b', answer('sub_2', '{}', { rowIds: ['sub_2', 'pur_3'] }), cache.mark())
    cache.forget(id)
    expect([cache.find('a', 0), cache.find('b', 0)?.callerId]).toEqual([undefined, 'sub_2'])
  }
})

test('what took the place of an answer falls with its own rows', () => {
  const cache = new ResponseCache(source(), isRowId)
  for (const id of ['pur_1', 'pur_2']) cache.keep('a', answer('sub_1', '{}', { rowIds: ['sub_1', id] }), cache.mark())
  cache.forget('pur_2')
  expect(cache.find('a', 0)).toBeUndefined()
})

test('what was made of rows that changes do not name is not kept', () => {
  const cache = new ResponseCache(source(), isRowId)
  cache.keep('a', answer('sub_1', '{}', { rowIds: ['sub_1', 'grant_1'] }), cache.mark())
  expect(cache.find('a', 0)).toBeUndefined()
})

test('an answer holds from its instant up to the one at which the clock changes it', () => {
  const cache = new ResponseCache(source(), isRowId)
  cache.keep('a', answer('sub_1', '{}', { from: 100, until: 200 }), cache.mark())
  expect([99, 100, 199, 200].map((now) => cache.find('a', now) !== undefined)).toEqual([false, true, true, false])
  cache.keep('a', answer('sub_1', '{}', { from: 200 }), cache.mark())
  expect([199, 200, 9000].map((now) => cache.find('a', now) !== undefined)).toEqual([false, true, true])
})

test('what was begun before a change is not kept after it', () => {
  const cache = new ResponseCache(source(), isRowId)
  const [forSome, forAll] = [cache.mark(), cache.mark()]
  cache.forget('sub_1')
  cache.keep('a', answer('sub_1'), forSome)
  cache.clear()
  cache.keep('a', answer('sub_1'), forAll)
  expect(cache.find('a', 0)).toBeUndefined()
  cache.keep('a', answer('sub_1'), cache.mark())
  expect(cache.find('a', 0)?.callerId).toBe('sub_1')
})

test('what was begun before a change of another row is kept', () => {
  const cache = new ResponseCache(source(), isRowId)
  const mark = cache.mark()
  cache.forget('sub_2')
  cache.keep('a', answer('sub_1'), mark)
  expect(cache.find('a', 0)?.callerId).toBe('sub_1')
})

test('what was begun before so many changes that not all are remembered is not kept', () => {
  const cache = new ResponseCache(source(), isRowId)
  const mark = cache.mark()
  for (let index = 0; index < 10_001; index++) cache.forget(`sub_other_${index}`)
  cache.keep('a', answer('sub_1'), mark)
  expect(cache.find('a', 0)).toBeUndefined()
  cache.keep('a', answer('sub_1'), cache.mark())
  expect(cache.find('a', 0)?.callerId).toBe('sub_1')
})

test('nothing is kept or used while changes by others are not watched', () => {
  let isWatching = true
  const far = Object.assign(source(), { isWatching: () => isWatching })
  const cache = new ResponseCache(far, isRowId)
  cache.keep('a', answer('sub_1'), cache.mark())
  expect(cache.find('a', 0)?.callerId).toBe('sub_1')
  isWatching = false
  expect(cache.find('a', 0)).toBeUndefined()
  cache.keep('b', answer('sub_1'), cache.mark())
  isWatching = true
  expect([cache.find('a', 0)?.callerId, cache.find('b', 0)]).toEqual(['sub_1', undefined])
})

test('another process is looked for a hundred times a second, also while the clock stands still or was set', () => {
  const far = source()
  let elapsed = 5000
  const cache = new ResponseCache(far, isRowId, undefined, () => elapsed)
  const keep = () => cache.keep('a', answer('sub_1'), cache.mark())
  keep()
  far.version++
  elapsed = 5009
  expect([0, 5000, 90_000].map((now) => cache.find('a', now)?.callerId)).toEqual(['sub_1', 'sub_1', 'sub_1'])
  elapsed = 5010
  expect(cache.find('a', 5000)).toBeUndefined()
  keep()
  expect(cache.find('a', 5000)?.callerId).toBe('sub_1')
})

test('nothing is kept where changes cannot be seen', () => {
  const far = source()
  for (const cache of [
    new ResponseCache(null, isRowId),
    new ResponseCache(Object.assign(far, { isBroken: true }), isRowId),
  ]) {
    cache.keep('a', answer('sub_1'), cache.mark())
    expect(cache.find('a', 0)).toBeUndefined()
  }
  far.isBroken = false
  let elapsed = 0
  const cache = new ResponseCache(far, isRowId, undefined, () => elapsed)
  cache.keep('a', answer('sub_1'), cache.mark())
  far.isBroken = true
  expect(cache.find('a', 0)?.callerId).toBe('sub_1')
  elapsed = 10
  expect(cache.find('a', 0)).toBeUndefined()
})

test('memory is bounded, and what is asked for stays', () => {
  const most = 100_000
  const cache = new ResponseCache(source(), isRowId, most)
  for (let index = 0; index < 5000; index++) {
    const body = 'x'.repeat(100) + (index % 7)
    cache.keep(`name ${index}`, answer(`sub_${index}`, body), cache.mark())
    expect(cache.find('name 0', 0)?.callerId).toBe('sub_0')
    expect(cache.bytes).toBeLessThanOrEqual(most)
  }
  expect([cache.find('name 10', 0), cache.find('name 4999', 0)?.body.length]).toEqual([undefined, 101])
  cache.keep('n'.repeat(1001), answer('sub_long'), cache.mark())
  expect(cache.find('n'.repeat(1001), 0)).toBeUndefined()
  cache.forget('sub_0')
  expect(cache.find('name 0', 0)).toBeUndefined()
})
