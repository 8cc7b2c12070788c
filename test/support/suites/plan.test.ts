import { expect, test } from 'bun:test'
import { allPostgresFiles } from '../postgres-files'
import { chooseRuns } from './cover'
import { divide, filesBelow, mix, type Part, patternOf, planParts } from './plan'

const filesOf = (parts: readonly Part[]): string[] =>
  parts.flatMap(({ command }) => command.filter((word) => /\.test\.tsx?$/.test(word))).sort()
const onFiles = (parts: readonly Part[]) => parts.filter(({ group }) => group !== 'PostgreSQL')
const onPostgres = (parts: readonly Part[]) => parts.filter(({ group }) => group === 'PostgreSQL')

test('the suites run in parts, and every test file is in exactly one of them', () => {
  const parts = planParts({ isRelease: false, skipped: [] })
  expect(filesOf(onFiles(parts))).toEqual([...filesBelow('src'), ...filesBelow('test')].sort())
})

test('what a release runs on PostgreSQL is everything that can run there; otherwise it is a part of that', () => {
  expect(filesOf(onPostgres(planParts({ isRelease: true, skipped: [] })))).toEqual(allPostgresFiles())
  const usual = filesOf(onPostgres(planParts({ isRelease: false, skipped: [] })))
  expect(usual.length).toBeGreaterThan(0)
  expect(allPostgresFiles()).toEqual(expect.arrayContaining(usual))
})

test('without PostgreSQL nothing runs on it', () => {
  expect(onPostgres(planParts({ isRelease: false, skipped: ['postgres'] }))).toEqual([])
})

test('of the parts that compute and of those that wait, the longest begins first', () => {
  const parts = planParts({ isRelease: false, skipped: [] })
  const [waiting, computing] = [true, false].map((isWaiting) =>
    parts.filter(({ group }) => (group === 'process') === isWaiting).map(({ seconds }) => seconds),
  )
  expect(waiting).toEqual(waiting?.toSorted((a, b) => b - a))
  expect(computing).toEqual(computing?.toSorted((a, b) => b - a))
})

test('parts of two kinds begin by turns, so that both kinds end together', () => {
  const part = (seconds: number): Part => ({ group: '', command: [], env: {}, isCheck: false, seconds })
  const secondsOf = (one: number[], other: number[]) =>
    mix(one.map(part), other.map(part)).map(({ seconds }) => seconds)
  expect(secondsOf([40, 20, 20], [8, 6, 4, 2])).toEqual([40, 8, 6, 20, 4, 20, 2])
  expect(secondsOf([1, 2], [])).toEqual([1, 2])
})

test('files are divided so that the parts take about the same time', () => {
  const secondsOf = (file: string) => ({ a: 9, b: 5, c: 4, d: 1 })[file] ?? 0
  expect(divide(['d', 'c', 'b', 'a'], 2, secondsOf).map(({ files }) => files)).toEqual([
    ['a', 'd'],
    ['b', 'c'],
  ])
})

test('of tests that run the same statements, the cheapest run on PostgreSQL, and none beside the given', () => {
  const recording = {
    'a#0': ['one', 'two'],
    'a#1': ['one', 'two', 'three'],
    'b#0': ['three'],
    c: ['four'],
    d: ['four'],
  }
  const costs: Record<string, number> = { 'a#0': 1, 'a#1': 9, 'b#0': 1, c: 5, d: 5 }
  expect(chooseRuns([recording], (run) => costs[run] ?? 0, ['d'])).toEqual(['a#0', 'b#0'])
})

test('the pattern of names matches each whole name as the runner compares it, and nothing else', () => {
  const pattern = new RegExp(patternOf(['charts > of (all) $1.50', 'a.b', 'oracle, seed 1']))
  expect(['charts of (all) $1.50', 'a.b', 'oracle, seed 1'].filter((name) => !pattern.test(name))).toEqual([])
  const others = ['charts of (all) $1.50 more', 'of (all) $1.50', 'aXb', 'charts', 'oracle, seed 2']
  expect(others.filter((name) => pattern.test(name))).toEqual([])
})

test('a law is found whatever its seed is', () => {
  const pattern = new RegExp(patternOf(['laws (seed 20261120) > hold']))
  expect(['laws (seed 7) hold', 'laws (seed 20261120) hold'].filter((name) => !pattern.test(name))).toEqual([])
  expect(pattern.test('laws (seed x) hold')).toBe(false)
})
