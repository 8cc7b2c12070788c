import { expect, test } from 'bun:test'
import { DecodingMemory } from './decoding-memory'

/** Works that end when they are told to, and the names of those that run. */
function works(memory: DecodingMemory) {
  const running = new Set<string>()
  const ends = new Map<string, () => void>()
  const begin = (name: string, bytes: number) =>
    memory.run(bytes, async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      running.add(name)
      ends.set(name, resolve)
      await promise.finally(() => running.delete(name))
    })
  const end = (name: string) => ends.get(name)?.()
  return { begin, end, running: () => Bun.sleep(0).then(() => [...running].join('')) }
}

test('pictures are decoded at once while they fit, and then in their order', async () => {
  const { begin, end, running } = works(new DecodingMemory(100))
  const all = [begin('a', 40), begin('b', 40), begin('c', 60), begin('d', 10)]
  expect(await running()).toBe('ab') // The small one does not pass the large one.
  end('a')
  expect(await running()).toBe('bc')
  end('b')
  expect(await running()).toBe('cd')
  end('c')
  end('d')
  await Promise.all(all)
})

test('one that needs more than there is runs alone', async () => {
  const { begin, end, running } = works(new DecodingMemory(100))
  const all = [begin('a', 10), begin('b', 500), begin('c', 1)]
  expect(await running()).toBe('a')
  end('a')
  expect(await running()).toBe('b')
  end('b')
  expect(await running()).toBe('c')
  end('c')
  await Promise.all(all)
})

test('work that fails gives its memory back', async () => {
  const memory = new DecodingMemory(100)
  const failed = memory.run(100, async () => {
    throw new Error('cut off')
  })
  await expect(failed).rejects.toThrow('cut off')
  expect(await memory.run(100, async () => 'next')).toBe('next')
})
