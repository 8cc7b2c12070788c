import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FOR_POSTGRES } from '../postgres-files'
import known from './costs.json'
import { chooseFiles, type Recording } from './cover'
import { filesBelow, ROOT } from './plan'

// Measures every test file that runs in this process, and writes what the plan of the suites is made of: `costs.json`,
// the files that take longer than usual, and `postgres-files.json`, the fewest files that run every statement on
// PostgreSQL: `bun test/support/suites/choose.ts FOLDER`. The folder has the recordings of a run:
// `SVC_TEST_COST=FOLDER/a.tsv SVC_TEST_STATEMENTS=FOLDER/a.json bun test --timeout 120000 test/http test/stories`.

const FROM_SECONDS = 2

const [folder = ''] = process.argv.slice(2)
const read = (ending: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => readFileSync(join(folder, name), 'utf8'))

const costs = new Map(
  read('.tsv').flatMap((text) =>
    text
      .trim()
      .split('\n')
      .map((line): [string, number] => [line.split('\t')[1] ?? '', Number(line.split('\t')[0])]),
  ),
)
const write = (name: string, value: unknown): void =>
  writeFileSync(join(ROOT, 'test/support/suites', name), `${JSON.stringify(value, null, 2)}\n`)

const long = [...costs].filter(([, seconds]) => seconds >= FROM_SECONDS)
const unmeasured = Object.entries(known).filter(([file]) => !costs.has(file))
write(
  'costs.json',
  Object.fromEntries([...unmeasured, ...long.map(([file, seconds]) => [file, Math.round(seconds)] as const)].sort()),
)

const recordings = read('.json').map((text) => JSON.parse(text) as Recording)
const possible = new Set([...filesBelow('test/http'), ...filesBelow('test/stories')])
const usable = recordings.map((one) => Object.fromEntries(Object.entries(one).filter(([file]) => possible.has(file))))
write(
  'postgres-files.json',
  chooseFiles(
    usable,
    (file) => Math.max(costs.get(file) ?? 0, 0.3),
    FOR_POSTGRES.map(([file]) => file),
  ),
)
