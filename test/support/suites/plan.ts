import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { allPostgresFiles, FOR_POSTGRES } from '../postgres-files'
import costs from './costs.json'
import postgresTests from './postgres-tests.json'

export const ROOT = join(import.meta.dir, '../../..')

/** One process of the whole run. */
export interface Part {
  /** What the table at the end adds up. */
  group: string
  command: readonly string[]
  env: Record<string, string>
  /** A check passes or fails as a whole; of tests, each one counts. */
  isCheck: boolean
  /** About how many seconds it takes. The longest part begins first. */
  seconds: number
}

interface Needs {
  /** Everything, as before a release: all that can run on PostgreSQL, with all lives and all kills. */
  isRelease: boolean
  /** What the machine does not have: `postgres`. */
  skipped: readonly string[]
}

/** Seconds of a file that is not in `costs.json`, and of a process that runs no test. */
const USUAL_SECONDS = 0.8
const START_SECONDS = 4
const SECONDS_OF_A_TEST = 0.3

/** How much longer the same file takes on PostgreSQL. */
const POSTGRES_FACTOR = 2

/** Every part of a run, the longest first. */
export function planParts(needs: Needs): Part[] {
  const parts = [
    ...checks(),
    ...testParts('sources', filesBelow('src'), 1),
    ...testParts('http', filesBelow('test/http'), 6),
    ...testParts('stories and others', othersBelow(), 1),
    ...testParts('process', filesBelow('test/process'), 6),
    ...(needs.skipped.includes('postgres') ? [] : onPostgres(needs)),
  ]
  return parts.sort((a, b) => b.seconds - a.seconds)
}

function checks(): Part[] {
  const check = (name: string, seconds: number, ...command: string[]): Part => ({
    group: `check: ${name}`,
    command,
    env: {},
    isCheck: true,
    seconds,
  })
  const { execPath: bun } = process
  return [
    check('types', 40, bun, 'run', '--bun', 'check:types'),
    check('lint', 10, bun, 'run', 'biome', 'check', '--config-path=.ci', 'src', 'test'),
    check('unused', 10, bun, 'run', 'check:unused'),
  ]
}

function testParts(group: string, files: readonly string[], count: number): Part[] {
  return divide(files, count).map(({ files, seconds }) => ({
    group,
    command: [process.execPath, ...TEST, ...files],
    env: FEWER_COMPILERS,
    isCheck: false,
    seconds,
  }))
}

/** The last compiler of the engine costs these short processes more than it saves: 8 % of their processor time. */
const FEWER_COMPILERS = { BUN_JSC_useFTLJIT: '0' }

/** Only a test that hangs takes ten minutes, also on a machine with much else to do. */
const TEST = ['test', '--timeout', '600000']

/** On files the laws run at full length. Here fewer lives look for differences between the databases. */
const LIVES_ON_POSTGRES = '100'

/**
 * Before a release everything that can run there; otherwise the files that are about it, and the fewest tests of others
 * that together run every statement there (`choose.ts`). The run fails when one statement did not.
 */
function onPostgres({ isRelease }: Needs): Part[] {
  const parts = isRelease
    ? testParts('PostgreSQL', allPostgresFiles(), 2)
    : [...testParts('PostgreSQL', FOR_POSTGRES.map(firstOf), 1).map(withFewerLives), ...chosenTests()]
  return parts.map((part) => ({
    ...part,
    command: [process.execPath, 'test/support/with-postgres.ts', ...part.command],
    seconds: part.seconds * POSTGRES_FACTOR,
  }))
}

/** The chosen tests run at full length, because fewer lives would not run every statement. */
const withFewerLives = (part: Part): Part => ({
  ...part,
  env: { ...part.env, SVC_LAW_RUNS: process.env.SVC_LAW_RUNS ?? LIVES_ON_POSTGRES },
})

const firstOf = <T>([file]: readonly [string, T]): string => file

/** In the files of the list, only the tests of these names run. */
function chosenTests(): Part[] {
  const tests = Object.entries(postgresTests as Record<string, string[]>)
  const names = [...new Set(tests.flatMap(([, of]) => of))]
  return testParts('PostgreSQL', tests.map(firstOf), 1).map(({ command, ...part }) => ({
    ...part,
    command: [...command, '--test-name-pattern', patternOf(names)],
    seconds: START_SECONDS + names.length * SECONDS_OF_A_TEST,
  }))
}

/**
 * Matches the given names, which the runner prints as `group > test` and compares without the arrow, and nothing else. A law
 * has its seed in its name, and may have any.
 */
export function patternOf(names: readonly string[]): string {
  const patterns = names.map((name) => RegExp.escape(name.replaceAll(' > ', ' ')))
  return `^(${patterns.join('|').replace(/(?<=\\\(seed\\x20)\d+/g, '\\d+')})$`
}

const othersBelow = (): string[] => filesBelow('test').filter((file) => !/^test\/(http|process)\//.test(file))

/** The test files of a folder, by their paths from the root. */
export const filesBelow = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.test\.tsx?$/.test(file))
    .map((file) => relative(ROOT, join(ROOT, folder, file)))
    .sort()

/** Divides files so that each part takes about as long as the others: the longest file first, into the shortest part. */
export function divide(files: readonly string[], count: number, secondsOf = usualSeconds) {
  const parts = Array.from({ length: Math.min(count, files.length) }, () => ({
    files: [] as string[],
    seconds: START_SECONDS,
  }))
  for (const file of files.toSorted((a, b) => secondsOf(b) - secondsOf(a))) {
    const shortest = parts.reduce((least, part) => (part.seconds < least.seconds ? part : least))
    shortest.files.push(file)
    shortest.seconds += secondsOf(file)
  }
  for (const part of parts) part.files.sort()
  return parts
}

const usualSeconds = (file: string): number => (costs as Record<string, number>)[file] ?? USUAL_SECONDS
