import { expect, test } from 'bun:test'
import { TurnQueue } from './turn-queue'

/** A queue whose works end when the test says so. */
function queueOf(places: number) {
  const queue = new TurnQueue(Array.from({ length: places }, (_, index) => index))
  const began: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) => () => {
    began.push(name)
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
  }
  const run = (name: string, signal?: AbortSignal) => {
    const result = queue.run(work(name), { group: name.charAt(0), signal })
    result.catch(() => {})
    return result
  }
  const end = async (name: string) => {
    ends.get(name)?.()
    await settled()
  }
  return { queue, work, began, run, end }
}

const settled = () => new Promise(setImmediate)

test('groups take turns: one with many works is no longer before another one', async () => {
  const { began, run, end } = queueOf(1)
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) void run(name)
  await settled()
  for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']) await end(name)
  expect(began).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

test('a group has one work running, whatever places are free', async () => {
  const { began, run, end } = queueOf(2)
  for (const name of ['a1', 'a2', 'b1', 'c1']) void run(name)
  await settled()
  expect(began).toEqual(['a1', 'b1'])
  await end('b1')
  expect(began).toEqual(['a1', 'b1', 'c1'])
  await end('a1')
  expect(began).toEqual(['a1', 'b1', 'c1', 'a2'])
})

test('a work whose caller left while it waited does not begin, and its turn passes on', async () => {
  const { began, run, end } = queueOf(1)
  void run('a1')
  const leaving = new AbortController()
  const left = run('b1', leaving.signal)
  void run('c1')
  await settled()
  leaving.abort()
  await expect(left).rejects.toMatchObject({ refusal: 'HTTP_ERROR' })
  await expect(run('d1', AbortSignal.abort())).rejects.toMatchObject({ refusal: 'HTTP_ERROR' })
  await end('a1')
  expect(began).toEqual(['a1', 'c1'])
})

test('a work that fails gives its place back', async () => {
  const { queue, began, run } = queueOf(1)
  await expect(queue.run(() => Promise.reject(new Error('no')), { group: 'a' })).rejects.toThrow('no')
  void run('a1')
  await settled()
  expect(began).toEqual(['a1'])
})

test('what runs alone waits for what runs, and all others wait for it', async () => {
  const { queue, work, began, run, end } = queueOf(2)
  void run('a1')
  void run('b1')
  const alone = queue.runAlone(work('alone'))
  void run('c1')
  await settled()
  await end('b1')
  expect(began).toEqual(['a1', 'b1'])
  await end('a1')
  expect(began).toEqual(['a1', 'b1', 'alone'])
  await end('alone')
  expect([await alone, began]).toEqual(['alone', ['a1', 'b1', 'alone', 'c1']])
})
