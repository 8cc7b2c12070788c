import { expect, test } from 'bun:test'
import { createIds } from './ids'

const inOrder = (ids: readonly string[]) => expect(ids).toEqual([...new Set(ids)].sort())

test('ids of one millisecond sort by their making, however many', () => {
  const ids = createIds(() => 1_793_000_000_000)
  inOrder(Array.from({ length: 20_000 }, () => ids.next('sev')))
})

test('ids sort by their making while the clock goes on, stands and trembles', () => {
  const instants = [5, 6, 6, 6, 7, 6, 5, 7, 8].map((ms) => 1_793_000_000_000 + ms)
  const ids = createIds(() => instants.shift() ?? 1_793_000_000_009)
  inOrder(Array.from({ length: 12 }, () => ids.next('evt')))
})

test('a clock that was set back is believed', () => {
  let now = 1_793_000_000_000
  const ids = createIds(() => now)
  const before = ids.next('evt')
  now -= 60_000
  const after = ids.next('evt')
  expect(after < before).toBe(true)
  expect(after).toMatch(/^evt_[0-9a-hjkmnp-tv-z]{26}$/)
})

test('two processes that begin in the same millisecond make different ids', () => {
  const made = Array.from({ length: 1000 }, () => createIds(() => 1_793_000_000_000).next('req'))
  expect(new Set(made).size).toBe(1000)
})
