import { expect, test } from 'bun:test'
import { SharedWork } from './shared-work'

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
  const running = shared.run('a', async (isStopping) => {
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
