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
  /** About how many seconds it takes. */
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
const SECONDS_OF_A_SOURCE = 0.1
const START_SECONDS = 4
const SECONDS_OF_A_TEST = 0.3

/** How much longer the same file takes on PostgreSQL. */
const POSTGRES_FACTOR = 2

/**
 * Every part of a run. Parts of tests that start processes wait for them most of the time, and all others compute. The
 * longest of each kind begins first, and both kinds end together, so that all processors have work until the end.
 */
export function planParts(needs: Needs): Part[] {
  const computing = [
    ...checks(),
    ...testParts('sources', filesBelow('src'), 1, SECONDS_OF_A_SOURCE),
    ...testParts('http', filesBelow('test/http'), 6),
    ...testParts('stories and others', othersBelow(), 1),
    ...(needs.skipped.includes('postgres') ? [] : onPostgres(needs)),
  ]
  return mix(longestFirst(computing), longestFirst(testParts('process', filesBelow('test/process'), 12)))
}

const longestFirst = (parts: readonly Part[]): Part[] => parts.toSorted((a, b) => b.seconds - a.seconds)

/** Both lists in their order; next is always the one of which the larger share is left. */
export function mix(one: readonly Part[], other: readonly Part[]): Part[] {
  const place = (parts: readonly Part[]) => {
    const whole = secondsIn(parts)
    return parts.map((part, index) => ({ part, begun: secondsIn(parts.slice(0, index)) / whole }))
  }
  return [...place(one), ...place(other)].sort((a, b) => a.begun - b.begun).map(({ part }) => part)
}

const secondsIn = (parts: readonly Part[]): number => parts.reduce((sum, { seconds }) => sum + seconds, 0)

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

function testParts(group: string, files: readonly string[], count: number, usual = USUAL_SECONDS): Part[] {
  return divide(files, count, (file) => knownSeconds(file) ?? usual).map(({ files, seconds }) => ({
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
const LIVES_ON_POSTGRES = '60'

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
export function divide(files: readonly string[], count: number, secondsOf: (file: string) => number) {
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

const knownSeconds = (file: string): number | undefined => (costs as Record<string, number>)[file]
