import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { SPANS } from './support/doc-blocks'
import { apply, isOutput, type Output, RECIPES, recipesOf } from './support/recipes'

// Every recipe of the page is followed in a copy of the tree, in the order of the page: its changes are made, and where the
// page says what a command prints, the command runs on what is there by then.

const ROOT = resolve(import.meta.dir, '..')
const PARTS = ['src', 'test', 'migrations', 'package.json', 'tsconfig.json', 'bunfig.toml', '.ci', 'README.md']
const PATIENCE = 1_800_000

/** Types, generated files and whole suites take minutes, so they are tried before a release only. */
const isRelease = process.env.SVC_TEST_RELEASE === '1'

const recipes = recipesOf(RECIPES)
const changes = recipes.flatMap(({ steps }) => steps.flatMap((step) => (isOutput(step) ? [] : [step])))
const paths = [...new Set(changes.map(({ path }) => path))]
const copy = mkdtempSync(join(tmpdir(), 'svc-recipes-'))

beforeAll(() => {
  for (const part of PARTS) cpSync(join(ROOT, part), join(copy, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

/** Runs a line of the page in the copy; answers with all that it prints. */
function run(line: string): { code: number; told: string } {
  const command = line.replace(/^bun /, `"${process.execPath}" `).replace('test ', `test --timeout ${PATIENCE} `)
  const env = { ...process.env, SVC_TEST_RELEASE: '', PATH: `${resolve(process.execPath, '..')}:${process.env.PATH}` }
  const ran = Bun.spawnSync(['bash', '-c', command], { cwd: copy, env })
  return { code: ran.exitCode, told: `${ran.stdout}${ran.stderr}` }
}

test('the page has the eight recipes', () => {
  expect(recipes.map(({ title }) => title)).toEqual([
    ...['A chart', 'An integration', 'An error code', 'An operator for rules', 'A command', 'A table'],
    ...['A field of the subscriber', 'A screen of the console'],
  ])
})

test('each step names its files outside of the blocks too, because not every viewer shows the path of a block', () => {
  const named = new Set(SPANS.filter(({ where }) => where === RECIPES).flatMap(({ text }) => expanded(text)))
  expect(paths.filter((path) => !named.has(path))).toEqual([])
})

/** `a/{b,c}.ts` is `a/b.ts` and `a/c.ts`. */
function expanded(text: string): string[] {
  const [, before = '', names, after = ''] = /^(.*?)\{([^}]*)\}(.*)$/.exec(text) ?? []
  return names === undefined ? [text] : names.split(',').flatMap((name) => expanded(before + name + after))
}

const isSlow = ({ command }: Output): boolean => !command.startsWith('bun test ')

describe('followed step by step', () => {
  for (const { title, steps } of recipes)
    test(
      title,
      () => {
        for (const step of steps) {
          if (!isOutput(step)) apply(copy, step)
          else if (isRelease || !isSlow(step)) expectPrinted(step)
        }
      },
      PATIENCE,
    )
})

function expectPrinted({ command, text }: Output): void {
  const { code, told } = run(command)
  expect([command, code === 0]).toEqual([command, false])
  const plain = told.replace(/ \[[\d.]+m?s\]/g, '')
  for (const line of text.split('\n')) expect(plain).toContain(line.trim())
}

test('every changed file can be parsed', () => {
  for (const path of paths) {
    const text = readFileSync(join(copy, path), 'utf8')
    if (path.endsWith('.json')) JSON.parse(text)
    if (/\.tsx?$/.test(path)) new Bun.Transpiler({ loader: path.endsWith('x') ? 'tsx' : 'ts' }).transformSync(text)
  }
})

test(
  'the product has what was added',
  () => {
    const { code, told } = run(`bun test/support/recipe-facts.ts`)
    expect([code, told.split('\n').at(-2)]).toEqual([0, JSON.stringify(FACTS)])
  },
  PATIENCE,
)

const FACTS = {
  chart: ['cancellations', 'voluntary-cancellation-share', 'cancellations-taken-back'],
  chartGroup: 'endings',
  chartTitles: ['Anteil gewollter Kündigungen', 'İsteyerek iptal edilenlerin payı', '任意キャンセルの割合'],
  guideLine: true,
  provider: ['PostHog', ['projectToken']],
  error: { status: [409], message: 'No more saved views in this project', details: ['limit'] },
  operator: [true, false, false],
  command: 'simulate balances store',
  table: 'notes: ERASED in notes.jsonl',
  field: 'nickname',
  screen: ['/catalogue/balances', 'Balances', 'Guthaben', 'Bakiyeler', '残高'],
}

describe.skipIf(!isRelease)('before a release', () => {
  test(
    'the changes have the form of the sources',
    () => expect(run(`node_modules/.bin/biome check --config-path=.ci ${paths.join(' ')}`)).toMatchObject({ code: 0 }),
    PATIENCE,
  )

  for (const command of [
    'bun run generate --name recipes',
    'bun run types',
    'bun run check:types',
    'bun test test/tidy.test.ts',
    "bun test test/http/contract.test.ts -t 'raised over HTTP'",
    'bun test src/core src/targeting test/http/project-file-problems.test.ts test/console src/cli/first-run.test.ts',
    'bun test test/personal-data.test.ts test/retention.test.ts test/project-move.test.ts test/dump-tables.test.ts',
    'bun test test/http/charts.test.ts test/http/charts-oracle.test.ts test/http/chart-notes.test.ts',
    'bun test test/http/integration-providers.test.ts test/http/erasure.test.ts test/http/dsar-export.test.ts',
  ])
    test(
      `${command} finds nothing wrong`,
      () => {
        const { code, told } = run(command)
        expect([code, code === 0 ? '' : told.slice(-4000)]).toEqual([0, ''])
      },
      PATIENCE,
    )
})
