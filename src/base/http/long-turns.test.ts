import { expect, test } from 'bun:test'
import { LongTurns } from './long-turns'

const settled = () => new Promise(setImmediate)

test('one piece runs at a time, projects take turns, and a pause lies between', async () => {
  const [done, pauses]: [string[], (() => void)[]] = [[], []]
  const turns = new LongTurns(() => new Promise<void>((resolve) => pauses.push(resolve)))
  const run = (name: string) => turns.run(() => done.push(name), { group: name.charAt(0) })
  const first = run('a1')
  const others = ['a2', 'a3', 'b1'].map(run)
  expect(await first).toBe(1)
  await settled()
  expect(done).toEqual(['a1'])
  for (let count = 0; count < 3; count++) {
    pauses[count]?.()
    await settled()
  }
  await Promise.all(others)
  expect(done).toEqual(['a1', 'b1', 'a2', 'a3'])
})

test('a piece that fails says so, and the next one runs', async () => {
  const turns = new LongTurns(async () => {})
  const failing = turns.run(() => Promise.reject(new Error('no')), { group: 'a' })
  await expect(failing).rejects.toThrow('no')
  expect(await turns.run(() => 'next', { group: 'a' })).toBe('next')
})

test('whoever has left gets no turn', async () => {
  const turns = new LongTurns(async () => {})
  const left = turns.run(() => 'run', { group: 'a', signal: AbortSignal.abort() })
  await expect(left).rejects.toMatchObject({ refusal: 'HTTP_ERROR' })
})
