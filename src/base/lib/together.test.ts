import { expect, test } from 'bun:test'
import { Together } from './together'

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('work of one turn goes on together, and does not wait for work of a later turn', async () => {
  const together = new Together()
  const [quick, slow, later] = [1, 2, 3].map(() => Promise.withResolvers<string>())
  if (!quick || !slow || !later) throw new Error('no work')
  const ended: string[] = []
  const all = [quick, slow].map(async ({ promise }) => ended.push(await together.run(() => promise)))
  await nextTurn()
  all.push(together.run(() => later.promise).then((text) => ended.push(text)))
  quick.resolve('quick')
  await nextTurn()
  await nextTurn()
  expect(ended).toEqual([])
  slow.resolve('slow')
  await nextTurn()
  expect(ended.toSorted()).toEqual(['quick', 'slow'])
  later.resolve('later')
  await Promise.all(all)
})

test('work begins at the end of the turn in which it was asked for', async () => {
  const together = new Together()
  const begun: number[] = []
  const all = [1, 2].map((name) => together.run(async () => begun.push(name)))
  await Promise.resolve()
  expect(begun).toEqual([])
  await Promise.all(all)
  expect(begun).toEqual([1, 2])
})

test('work that fails fails alone', async () => {
  const together = new Together()
  const [good, bad] = await Promise.allSettled([
    together.run(() => Promise.resolve(1)),
    together.run(() => Promise.reject(new Error('bad'))),
  ])
  expect(good).toEqual({ status: 'fulfilled', value: 1 })
  expect(bad).toMatchObject({ status: 'rejected', reason: new Error('bad') })
})
