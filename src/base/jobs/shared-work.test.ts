import { expect, test } from 'bun:test'
import { type Awaited, SharedWork } from './shared-work'

test('work of one name runs once for all who ask meanwhile, and again afterwards', async () => {
  const shared = new SharedWork()
  let runs = 0
  const { promise, resolve } = Promise.withResolvers<void>()
  const work = () => {
    runs++
    return promise
  }
  const both = Promise.all([shared.run('a', work), shared.run('a', work), shared.run('b', work)])
  expect(runs).toBe(2)
  resolve()
  await both
  await shared.run('a', work)
  expect(runs).toBe(3)
})

test('everybody who waits gets the error, and the next one starts it again', async () => {
  const shared = new SharedWork()
  const broken = () => Promise.reject(new Error('broken'))
  const [first, second] = [shared.run('a', broken), shared.run('a', broken)]
  await expect(first).rejects.toThrow('broken')
  await expect(second).rejects.toThrow('broken')
  await shared.run('a', async () => {})
})

test('closing tells the work to stop, and waits for it', async () => {
  const shared = new SharedWork()
  const steps: string[] = []
  const running = shared.run('a', async ({ isStopping }) => {
    while (!isStopping()) await new Promise(setImmediate)
    steps.push('stopped')
  })
  shared.drain()
  await shared.close()
  expect(steps).toEqual(['stopped'])
  await running
  await shared.run('b', async () => void steps.push('begun'))
  expect(steps).toEqual(['stopped'])
})

test('it ends when the last of its callers has left, and the next one starts it again', async () => {
  const shared = new SharedWork()
  const begun: AbortSignal[] = []
  const work = ({ signal }: Awaited) => {
    begun.push(signal)
    return new Promise<void>(() => {})
  }
  const [ada, bo] = [new AbortController(), new AbortController()]
  const both = [shared.run('a', work, ada.signal), shared.run('a', work, bo.signal)]
  ada.abort()
  await expect(both[0]).rejects.toMatchObject({ refusal: 'HTTP_ERROR' })
  expect([begun.length, begun[0]?.aborted]).toEqual([1, false])
  bo.abort()
  await expect(both[1]).rejects.toMatchObject({ refusal: 'HTTP_ERROR' })
  expect(begun[0]?.aborted).toBe(true)
  void shared.run('a', work)
  expect([begun.length, begun[1]?.aborted]).toEqual([2, false])
  await expect(shared.run('c', work, AbortSignal.abort())).rejects.toMatchObject({ refusal: 'HTTP_ERROR' })
  expect(begun).toHaveLength(2)
})

test('a caller who cannot leave keeps it running', async () => {
  const shared = new SharedWork()
  const { promise, resolve } = Promise.withResolvers<void>()
  const leaving = new AbortController()
  let signal: AbortSignal | undefined
  const work = (awaited: Awaited) => {
    signal = awaited.signal
    return promise
  }
  const left = shared.run('a', work, leaving.signal)
  const stays = shared.run('a', () => promise)
  leaving.abort()
  await expect(left).rejects.toMatchObject({ refusal: 'HTTP_ERROR' })
  expect(signal?.aborted).toBe(false)
  resolve()
  await stays
})
