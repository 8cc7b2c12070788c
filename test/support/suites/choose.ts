import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FOR_POSTGRES, TOLD_IN_ORDER } from '../postgres-files'
import known from './costs.json'
import { canRunOnPostgres, chooseRuns, type Recording } from './cover'
import { ROOT } from './plan'

// Writes what the plan of the suites is made of: `costs.json`, the files that take longer than usual, and
// `postgres-tests.json`, the fewest tests that run every statement on PostgreSQL:
// `bun test/support/suites/choose.ts FOLDER`. The folder has the recordings of a run on local files:
// `SVC_TEST_BY_TEST=1 SVC_TEST_COST=F/a.tsv SVC_TEST_STATEMENTS=F/a.json bun test test/http test/stories 2>F/a.log`.

const FROM_SECONDS = 2
const LEAST_SECONDS = 0.05

/** What the first test of a file costs more: the file is loaded. */
const FILE_SECONDS = 0.2

const [folder = ''] = process.argv.slice(2)
const read = (ending: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
const write = (name: string, value: unknown): void =>
  writeFileSync(join(ROOT, 'test/support/suites', name), `${JSON.stringify(value, null, 2)}\n`)

function writeCosts(): void {
  const lines = read('.tsv').flatMap((text) => text.trim().split('\n'))
  const costs = lines.map((line): [string, number] => [line.split('\t')[1] ?? '', Number(line.split('\t')[0])])
  const measured = new Set(costs.map(([file]) => file))
  const unmeasured = Object.entries(known).filter(([file]) => !measured.has(file))
  const long = costs.filter(([, seconds]) => seconds >= FROM_SECONDS)
  const entries = [...unmeasured, ...long.map(([file, seconds]) => [file, Math.round(seconds)] as const)]
  write('costs.json', Object.fromEntries(entries.sort()))
}

/** Tests that do not run on PostgreSQL what they run on files. */
const OTHERWISE_THERE: readonly [name: string, why: string][] = [
  ['the rare ones are found by their status, and all others by their project', 'asks SQLite for its plans'],
]

const isOtherwise = (name: string): boolean => OTHERWISE_THERE.some(([one]) => one === name)

/** What runs as a whole: one test, or a file that is told in order. */
interface Run {
  file: string
  names: string[]
  seconds: number
}

function writeTests(): void {
  const runs = runsOf(new Map(read('.log').flatMap(testsIn)))
  const given = new Set(FOR_POSTGRES.map(([file]) => file))
  const whole = [...runs.keys()].filter((key) => given.has(fileOf(key)))
  const chosen = chooseRuns(
    read('.json').map(recordingOf),
    (key) => (runs.get(key)?.seconds ?? 0) + LEAST_SECONDS,
    whole,
  )
  const files = Map.groupBy(chosen, fileOf)
  const namesOf = (key: string): string[] => runs.get(key)?.names ?? []
  write('postgres-tests.json', Object.fromEntries([...files].map(([file, keys]) => [file, keys.flatMap(namesOf)])))

  /** What a file does after its last test has no name. */
  function recordingOf(text: string): Recording {
    const statements = new Map<string, string[]>()
    for (const [key, some] of Object.entries(JSON.parse(text) as Recording))
      if (runs.has(runOf(key))) statements.set(runOf(key), [...(statements.get(runOf(key)) ?? []), ...some])
    return Object.fromEntries(statements)
  }
}

function runsOf(tests: ReadonlyMap<string, Run>): Map<string, Run> {
  const runs = new Map<string, Run>()
  for (const [key, { file, names, seconds }] of tests) {
    const before = runs.get(runOf(key)) ?? { names: [], seconds: 0 }
    runs.set(runOf(key), { file, names: [...before.names, ...names], seconds: before.seconds + seconds })
  }
  return runs
}

/** The file of a key. */
const fileOf = (key: string): string => key.replace(/#\d+$/, '')
const runOf = (key: string): string => (TOLD_IN_ORDER.includes(fileOf(key)) ? fileOf(key) : key)

/** The tests of a run by the keys of its recording. */
function testsIn(log: string): [key: string, test: Run][] {
  const tests: ReturnType<typeof testsIn> = []
  let file = ''
  let count = 0
  for (const line of log.split('\n')) {
    if (line.endsWith(':') && line.startsWith('test/')) [file, count] = [line.slice(0, -1), 0]
    const [, name, ms = '0'] = /^\(pass\) (.*?)(?: \[([\d.]+)ms\])?$/.exec(line) ?? []
    if (name === undefined || !canRunOnPostgres(file)) continue
    const seconds = Number(ms) / 1000 + (count === 0 ? FILE_SECONDS : 0)
    if (!isOtherwise(name)) tests.push([`${file}#${count}`, { file, names: [name], seconds }])
    count += 1
  }
  return tests
}

writeCosts()
writeTests()
Bun.spawnSync(['bun', 'run', 'biome', 'format', '--config-path=.ci', '--write', 'test/support/suites'], { cwd: ROOT })
