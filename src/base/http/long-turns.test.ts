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

test('the pause of work without a turn keeps pieces waiting, and they keep it waiting', async () => {
  const [done, pauses]: [string[], (() => void)[]] = [[], []]
  const turns = new LongTurns(() => new Promise<void>((resolve) => pauses.push(resolve)))
  const rested = turns.rest(20, { group: 'a' }).then(() => done.push('a rested'))
  const run = turns.run(() => done.push('b ran'), { group: 'b' })
  void turns.rest(20, { group: 'c' }).then(() => done.push('c rested'))
  await settled()
  expect([done, pauses.length]).toEqual([[], 1])
  pauses[0]?.()
  await Promise.all([rested, run])
  expect([done, pauses.length]).toEqual([['a rested', 'b ran'], 2])
  pauses[1]?.()
  await settled()
  expect(pauses).toHaveLength(3)
  pauses[2]?.()
  await settled()
  expect(done).toEqual(['a rested', 'b ran', 'c rested'])
})

test('short parts run at once, and wait for a pause in a turn when they have held the main thread for long', async () => {
  const pauses: number[] = []
  const turns = new LongTurns(async (ms) => void pauses.push(ms))
  const inPieces = turns.parts({ group: 'a' })
  const other = Promise.withResolvers<void>()
  const piece = turns.run(() => other.promise, { group: 'b' })
  for (let count = 0; count < 5; count++) await inPieces(() => {})
  expect(pauses).toEqual([])
  let isOver = false
  const long = inPieces(() => hold(25)).then(() => {
    isOver = true
  })
  await settled()
  expect(isOver).toBe(false)
  other.resolve()
  await Promise.all([piece, long])
  expect(pauses.at(-1)).toBeGreaterThanOrEqual(25)
  expect(pauses).toHaveLength(2)
})

function hold(ms: number): void {
  for (const began = performance.now(); performance.now() - began < ms; );
}
