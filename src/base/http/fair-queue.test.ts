import { expect, test } from 'bun:test'
import { AppError } from '../errors'
import { FairQueue } from './fair-queue'

/** A queue whose works end, and whose waits grow long, when the test says so. */
function queueOf(limits = {}) {
  const began: string[] = []
  const ends: (() => void)[] = []
  const timers = new Set<() => void>()
  const queue = new FairQueue(
    { places: 2, placesOfGroup: 1, waitingOfGroup: 2, patienceMs: 1, ...limits },
    (_, run) => {
      timers.add(run)
      return () => void timers.delete(run)
    },
  )
  const run = (name: string, signal?: AbortSignal) =>
    queue
      .run(name.charAt(0), signal, () => {
        began.push(name)
        return new Promise<string>((resolve) => ends.push(() => resolve(name)))
      })
      .catch((error: AppError) => error.refusal)
  const end = async (index: number) => {
    ends[index]?.()
    await settled()
  }
  const timeOut = () => {
    for (const timer of [...timers]) timer()
  }
  return { queue, began, run, end, timers, timeOut }
}

const settled = () => new Promise(setImmediate)

test('a group waits for its own works, and another one does not wait for them', async () => {
  const { began, run, end } = queueOf({ waitingOfGroup: 9 })
  for (const name of ['a1', 'a2', 'a3', 'b1']) void run(name)
  await settled()
  expect(began).toEqual(['a1', 'b1'])
  await end(0)
  expect(began).toEqual(['a1', 'b1', 'a2'])
})

test('a free place goes to the group whose newest work began first', async () => {
  const { began, run, end } = queueOf({ places: 1, waitingOfGroup: 9 })
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) void run(name)
  await settled()
  for (let index = 0; index < 6; index++) await end(index)
  expect(began).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

test('one too many of a group is refused with when to come again; another group is not', async () => {
  const { began, run } = queueOf()
  for (const name of ['a1', 'a2', 'a3']) void run(name)
  expect(await run('a4')).toBe('RATE_LIMITED')
  void run('b1')
  await settled()
  expect(began).toEqual(['a1', 'b1'])
})

test('one who waited too long is refused, and its place in the line is free', async () => {
  const { began, run, end, timers, timeOut } = queueOf({ places: 1 })
  void run('a1')
  const late = [run('a2'), run('b1')]
  await settled()
  timeOut()
  expect(await Promise.all(late)).toEqual(['QUEUE_UNAVAILABLE', 'QUEUE_UNAVAILABLE'])
  void run('c1')
  await end(0)
  expect([began, timers.size]).toEqual([['a1', 'c1'], 0])
})

test('one who leaves gets no place, before and while waiting', async () => {
  const { began, run, end } = queueOf({ places: 1 })
  void run('a1')
  const leaving = new AbortController()
  const left = run('b1', leaving.signal)
  void run('c1')
  leaving.abort()
  expect([await left, await run('d1', AbortSignal.abort())]).toEqual(['HTTP_ERROR', 'HTTP_ERROR'])
  await end(0)
  expect(began).toEqual(['a1', 'c1'])
})

test('a work that fails gives its place back', async () => {
  const { queue, began, run } = queueOf({ places: 1 })
  expect(queue.run('a', undefined, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  await settled()
  void run('a1')
  await settled()
  expect(began).toEqual(['a1'])
})

test('a stopped queue refuses who waits and who comes, and lets end what runs', async () => {
  const { queue, run, end } = queueOf({ places: 1 })
  const [running, waiting] = [run('a1'), run('b1')]
  await settled()
  queue.stop(new AppError('DATABASE_UNAVAILABLE'))
  expect([await waiting, await run('c1')]).toEqual(['DATABASE_UNAVAILABLE', 'DATABASE_UNAVAILABLE'])
  await end(0)
  expect(await running).toBe('a1')
})
