import { expect, test } from 'bun:test'
import { allPostgresFiles } from '../postgres-files'
import { divide, filesBelow, type Part, planParts } from './plan'

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

test('the longest part begins first', () => {
  const seconds = planParts({ isRelease: false, skipped: [] }).map((part) => part.seconds)
  expect(seconds).toEqual(seconds.toSorted((a, b) => b - a))
})

test('files are divided so that the parts take about the same time', () => {
  const secondsOf = (file: string) => ({ a: 9, b: 5, c: 4, d: 1 })[file] ?? 0
  expect(divide(['d', 'c', 'b', 'a'], 2, secondsOf).map(({ files }) => files)).toEqual([
    ['a', 'd'],
    ['b', 'c'],
  ])
})
