import { expect, test } from 'bun:test'
import { inParallel } from './parallel'

/** Work that ends only when the test says so. */
function heldWork() {
  const held = new Map<string, PromiseWithResolvers<void>>()
  const work = (item: string): Promise<void> => {
    const one = Promise.withResolvers<void>()
    held.set(item, one)
    return one.promise
  }
  return {
    begun: () => [...held.keys()],
    end: (item: string) => held.get(item)?.resolve(),
    fail: (item: string) => held.get(item)?.reject(new Error(`${item} failed`)),
    work,
  }
}

/** Lets everything run that waits for nothing but promises. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('at most so many items are worked on at a time, in their order', async () => {
  const { begun, end, work } = heldWork()
  const all = inParallel(['a', 'b', 'c'], 2, work)
  expect(begun()).toEqual(['a', 'b'])
  end('b')
  await settled()
  expect(begun()).toEqual(['a', 'b', 'c'])
  end('a')
  end('c')
  await all
})

test('after a failure nothing more is begun, and it ends when all that was begun has ended, with the first failure', async () => {
  const { begun, fail, work } = heldWork()
  let hasEnded = false
  const all = inParallel(['a', 'b', 'c', 'd'], 2, work).finally(() => {
    hasEnded = true
  })
  const failure = all.catch((error: Error) => error.message)
  fail('b')
  await settled()
  expect([begun(), hasEnded]).toEqual([['a', 'b'], false])
  fail('a')
  expect(await failure).toBe('b failed')
  expect(begun()).toEqual(['a', 'b'])
})
