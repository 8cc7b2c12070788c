import { afterEach, beforeEach, expect, type Mock, spyOn, test } from 'bun:test'
import type { Storage } from './handle'
import { SILENCE_MS } from './silence'
import { createWrite } from './write'

/** The time within which a response must be sent (wire 3.2). */
const PROMISED_MS = 8000
const ATTEMPT_MS = 5

// A clock that only moves when the test says so or when the code sleeps.
let nowMs = 0
let spies: Mock<() => unknown>[] = []
beforeEach(() => {
  nowMs = 0
  const sleep = async (ms: number | Date) => {
    nowMs += Number(ms)
  }
  spies = [
    spyOn(performance, 'now').mockImplementation(() => nowMs),
    spyOn(Bun, 'sleep').mockImplementation(sleep) as Mock<() => unknown>,
  ]
})
afterEach(() => {
  for (const spy of spies) spy.mockRestore()
})

const writerOver = (transaction: () => unknown) => {
  const storage = { driver: 'file', assertPresent() {}, transaction }
  return createWrite(storage as unknown as Storage, { begin: (tx) => tx, committed() {} })
}

const failure = (code: string) => Object.assign(new Error(code), { code })
const REFUSED = { status: 'rejected', reason: { refusal: 'DATABASE_UNAVAILABLE' } }

test('writers that meet a lock wait for it, but all of them together no longer than one may', async () => {
  const write = writerOver(async () => {
    nowMs += ATTEMPT_MS
    throw failure('SQLITE_BUSY')
  })
  const endedAt: number[] = []
  const writers = Array.from({ length: 300 }, () => write(async () => 1).finally(() => endedAt.push(nowMs)))
  for (const ended of await Promise.allSettled(writers)) expect(ended).toMatchObject(REFUSED)
  expect(Math.min(...endedAt)).toBeGreaterThanOrEqual(5000)
  expect(Math.max(...endedAt)).toBeLessThan(PROMISED_MS)
})

test('writers that wait behind one that hung are let go with it', async () => {
  const { promise, reject } = Promise.withResolvers<never>()
  const begun = Promise.withResolvers<void>()
  let attempts = 0
  const write = writerOver(() => {
    attempts++
    begun.resolve()
    return promise
  })
  const first = write(async () => 1)
  await begun.promise
  const behind = Array.from({ length: 100 }, () => write(async () => 1))
  nowMs += SILENCE_MS
  reject(failure('CONNECT_TIMEOUT'))
  for (const ended of await Promise.allSettled([first, ...behind])) expect(ended).toMatchObject(REFUSED)
  expect(attempts).toBe(1)
})

test('writers that wait behind one that failed at once get an attempt of their own', async () => {
  let attempts = 0
  const begun = Promise.withResolvers<void>()
  const { promise, reject } = Promise.withResolvers<never>()
  const write = writerOver(async () => {
    attempts++
    begun.resolve()
    return attempts === 1 ? promise : [{ tx: null, result: 'written' }]
  })
  const first = write(async () => 1)
  await begun.promise
  const second = write(async () => 1)
  reject(failure('ECONNRESET'))
  expect(await Promise.allSettled([first, second])).toMatchObject([REFUSED, { value: 'written' }])
})

test('a silent database is given up in time for the answer', () => {
  expect(SILENCE_MS).toBeLessThan(PROMISED_MS)
})
