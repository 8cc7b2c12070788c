import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEPENDENT_TESTS, FOR_POSTGRES, SQLITE_TESTS } from '../postgres-files'
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

/** What is chosen as a whole: one test, or a file of dependent tests. */
interface Run {
  names: string[]
  seconds: number
}

function writeTests(): void {
  const runs = runsIn(read('.log').join('\n'))
  const given = new Set(FOR_POSTGRES.map(([file]) => file))
  const chosen = chooseRuns(
    read('.json').map((text) => byRun(JSON.parse(text), runs)),
    (key) => (runs.get(key)?.seconds ?? 0) + LEAST_SECONDS,
    [...runs.keys()].filter((key) => given.has(fileOf(key))),
  )
  const tests = [...Map.groupBy(chosen, fileOf)].map(([file, keys]) => [
    file,
    keys.flatMap((key) => runs.get(key)?.names ?? []),
  ])
  write('postgres-tests.json', Object.fromEntries(tests))
}

/** The recording with the statements of each run together. What has no name, such as the end of a file, is left out. */
function byRun(recording: Recording, runs: ReadonlyMap<string, Run>): Recording {
  const known = Object.entries(recording).filter(([key]) => runs.has(runOf(key)))
  const grouped = Map.groupBy(known, ([key]) => runOf(key))
  return Object.fromEntries([...grouped].map(([run, parts]) => [run, parts.flatMap(([, statements]) => statements)]))
}

/** The runs that a log of the test runner names, by their keys in the recording. */
function runsIn(log: string): Map<string, Run> {
  const runs = new Map<string, Run>()
  let file = ''
  let count = 0
  for (const line of log.split('\n')) {
    if (line.endsWith(':') && line.startsWith('test/')) [file, count] = [line.slice(0, -1), 0]
    const [, name, ms = '0'] = /^\(pass\) (.*?)(?: \[([\d.]+)ms\])?$/.exec(line) ?? []
    if (name === undefined || !canRunOnPostgres(file)) continue
    const key = runOf(`${file}#${count}`)
    const { names, seconds } = runs.get(key) ?? { names: [], seconds: count === 0 ? FILE_SECONDS : 0 }
    if (!isForSqlite(name)) runs.set(key, { names: [...names, name], seconds: seconds + Number(ms) / 1000 })
    count += 1
  }
  return runs
}

const isForSqlite = (name: string): boolean => SQLITE_TESTS.some(([one]) => one === name)

/** The file of a key such as `test/http/feed.test.ts#3`. */
const fileOf = (key: string): string => key.replace(/#\d+$/, '')

const runOf = (key: string): string => (DEPENDENT_TESTS.includes(fileOf(key)) ? fileOf(key) : key)

writeCosts()
writeTests()
const biome = ['run', 'biome', 'format', '--config-path=.ci', '--write', 'test/support/suites']
process.exitCode = Bun.spawnSync([process.execPath, ...biome], { cwd: ROOT }).exitCode
