import { expect, test } from 'bun:test'
import { Recent } from './recent'

let now = 1000
let computed: string[] = []
const recentOf = (keepMs: number) => {
  computed = []
  return new Recent<string>(
    () => now,
    () => keepMs,
  )
}
const compute = (answer: string) => async () => {
  computed.push(answer)
  await Bun.sleep(1)
  return answer
}

test('an answer is given again until its time is over, for its own question only', async () => {
  const recent = recentOf(10)
  expect(await recent.of('q', compute('one'))).toBe('one')
  now += 9
  expect([await recent.of('q', compute('two')), await recent.of('other', compute('three'))]).toEqual(['one', 'three'])
  now += 1
  expect(await recent.of('q', compute('four'))).toBe('four')
  expect(computed).toEqual(['one', 'three', 'four'])
})

test('what need not be kept is computed each time', async () => {
  const recent = recentOf(0)
  for (const answer of ['one', 'two']) expect(await recent.of('q', compute(answer))).toBe(answer)
})

test('who asks while one is computed gets the next, and all of them share it', async () => {
  const recent = recentOf(0)
  const first = recent.of('q', compute('first'))
  await Promise.resolve()
  const later = ['second', 'third', 'fourth'].map((answer) => recent.of('q', compute(answer)))
  expect([await first, ...(await Promise.all(later))]).toEqual(['first', 'second', 'second', 'second'])
  expect(computed).toEqual(['first', 'second'])
})

test('a failure reaches those who asked, and is not kept', async () => {
  const recent = recentOf(10)
  const asked = ['no', 'neither'].map((why) => recent.of('q', () => Promise.reject(new Error(why))))
  expect(await Promise.allSettled(asked)).toMatchObject([{ reason: { message: 'no' } }, { reason: { message: 'no' } }])
  expect(await recent.of('q', compute('yes'))).toBe('yes')
})
