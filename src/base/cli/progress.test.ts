import { expect, test } from 'bun:test'
import { renderProgress, startProgress } from './progress'

const state = { label: 'Backing up', unit: 'rows', total: 3000, done: 1500, elapsedMs: 4000 }

const lines: [name: string, change: Partial<typeof state>, line: string][] = [
  ['half', {}, 'Backing up [############............]  50 %  1,500 of 3,000 rows, 4 s left'],
  ['the beginning', { done: 0 }, 'Backing up [........................]   0 %  0 of 3,000 rows'],
  ['the first second', { elapsedMs: 999 }, 'Backing up [############............]  50 %  1,500 of 3,000 rows'],
  ['the end', { done: 3000 }, 'Backing up [########################] 100 %  3,000 of 3,000 rows'],
  ['more than was expected', { done: 3001 }, 'Backing up [########################] 100 %  3,001 of 3,000 rows'],
  ['nothing to do', { total: 0, done: 0 }, 'Backing up [########################] 100 %  0 of 0 rows'],
  ['minutes', { done: 10 }, 'Backing up [........................]   0 %  10 of 3,000 rows, 20 min left'],
  ['hours', { done: 1 }, 'Backing up [........................]   0 %  1 of 3,000 rows, 3 h left'],
  [
    'days, which nobody can tell so early',
    { done: 1, total: 300_000 },
    'Backing up [........................]   0 %  1 of 300,000 rows',
  ],
]
for (const [name, change, line] of lines)
  test(`the line of ${name}`, () => expect(renderProgress({ ...state, ...change })).toBe(line))

test('a line is drawn at most ten times a second, and taken away at the end', () => {
  const drawn: (string | null)[] = []
  let now = 0
  const progress = startProgress(
    { progress: (line) => drawn.push(line) },
    { label: 'Restoring', unit: 'rows', total: 1000, nowMs: () => now },
  )
  for (; now < 1000; now += 10) progress.at(now)
  expect(drawn).toHaveLength(9)
  progress.end()
  expect(drawn.at(-1)).toBeNull()
})
