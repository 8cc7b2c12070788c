import { expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

// The few rules of the house that a machine can judge. Each violation is one line: file:line, then what to do.

const MAX_FILE_LINES = 400
const MAX_FUNCTION_LINES = 70
const MAX_OWN_IMPORTS = 14

/** Files that are one table of data; only their length is excused. */
const TABLES = ['src/base/errors.ts']

/** What may stand only in its one home. */
const HOMES: { banned: RegExp; homes: string[]; instead: string }[] = [
  { banned: /\bconsole\./, homes: [], instead: 'use ctx.log, or io in a command' },
  {
    banned: /\bprocess\.(stdout|stderr)\.write\b/,
    homes: ['src/main.ts', 'src/cli/main.ts', 'src/base/lib/log.ts', 'src/build.ts', 'src/generate.ts'],
    instead: 'use ctx.log, or io in a command',
  },
  { banned: /\bDate\.now\(/, homes: ['src/base/lib/clock.ts'], instead: 'use ctx.clock' },
  { banned: /\bnew Date\(\)/, homes: ['src/base/lib/clock.ts'], instead: 'use ctx.clock' },
  { banned: /\bMath\.random\b/, homes: [], instead: 'use ctx.ids' },
  { banned: /\brandomUUID\(/, homes: ['src/base/lib/ids.ts'], instead: 'use ctx.ids' },
  {
    banned: /\bprocess\.env\b/,
    homes: ['src/base/config.ts', 'src/main.ts', 'src/cli/main.ts', 'src/build.ts', 'src/generate.ts'],
    instead: 'read it in config.ts',
  },
  { banned: /\b(TODO|FIXME)\b/, homes: [], instead: 'do it, or write an issue' },
  {
    banned: /biome-ignore lint\/(suspicious\/noExplicitAny|style\/noNonNullAssertion)/,
    homes: [],
    instead: 'give it its real type',
  },
]

/** The import law. `types` may be imported as types only; a name is an area or a file without its ending. */
const LAW: Record<string, { values: string[]; types: string[] }> = {
  lib: { values: [], types: [] },
  db: { values: ['lib', 'errors'], types: ['context', 'config', 'projects/state'] },
  jobs: { values: ['lib', 'errors', 'db'], types: ['context', 'projects/state'] },
  http: { values: ['lib', 'errors', 'db', 'version'], types: ['context', 'projects/state'] },
  stores: { values: ['lib', 'errors'], types: ['config', 'db/handle'] },
  errors: { values: [], types: [] },
  version: { values: [], types: [] },
}

/** Single edges beside the law, each with its reason. */
const BESIDE_THE_LAW: { from: RegExp; to: RegExp; onlyTypes: boolean; why: string }[] = [
  { from: /^db\/schema$/, to: /\/tables$/, onlyTypes: false, why: 'collects the tables of all slices' },
  { from: /\/tables$/, to: /^db\/kit$/, onlyTypes: true, why: 'tables are written with the column kit' },
]

/** What only the wiring may reach: a slice takes the context as a type and never knows what runs it. */
const WIRING = ['main', 'app', 'server', 'background', 'cli', 'context', 'config']
const MAY_REACH_WIRING = ['main', 'app', 'server', 'background', 'cli', 'context', 'build']

/** Who may import more than the others: what puts the parts together. */
const WIDE = ['main', 'app', 'context', 'cli', 'db/schema']

const ROOT = join(import.meta.dir, '..')

interface Import {
  line: number
  /** Name of the imported file below `src`, without its ending. */
  to: string
  isType: boolean
}

interface Source {
  /** Path from the root, for the reader. */
  path: string
  /** Path below `src` without its ending. */
  name: string
  /** Folder below `src`, or the name of a file that lies directly in it. */
  area: string
  lines: string[]
  imports: Import[]
}

function toSource(file: string): Source {
  const path = join('src', file)
  const name = withoutEnding(file)
  const text = readFileSync(join(ROOT, path), 'utf8')
  return { path, name, area: name.split('/')[0] ?? '', lines: text.split('\n'), imports: readImports(name, text) }
}

const withoutEnding = (path: string): string => path.replace(/(\.d)?\.tsx?$/, '')

const STATEMENT =
  /^(?:import|export)\s+(type\s)?(?:([^'"`;]*?)\sfrom\s+)?['"](\.[^'"]+)['"]|\bimport\(\s*['"](\.[^'"]+)['"]/gm

function readImports(name: string, text: string): Import[] {
  return [...text.matchAll(STATEMENT)].map((match) => {
    const [, type, named = '', from, dynamic] = match
    const to = withoutEnding(join(dirname(name), from ?? dynamic ?? ''))
    const line = text.slice(0, match.index).split('\n').length
    return { line, to, isType: type !== undefined || namesTypesOnly(named) }
  })
}

function namesTypesOnly(named: string): boolean {
  const inner = /^\{([\s\S]*)\}$/.exec(named.trim())?.[1]
  const names = inner?.split(',').filter((name) => name.trim() !== '') ?? []
  return names.length > 0 && names.every((name) => /^\s*type\s/.test(name))
}

const ALL = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .sort()
const SOURCES = ALL.filter((file) => !/\.test\.tsx?$/.test(file)).map(toSource)
const AREAS_WITH_LAW = Object.keys(LAW)
const isSlice = ({ area, name }: Source): boolean =>
  name.includes('/') && !AREAS_WITH_LAW.includes(area) && area !== 'cli'

/** Fails with the list, one violation per line. */
const expectNone = (violations: readonly string[]): void => expect(violations.join('\n')).toBe('')

test(`no source file is longer than ${MAX_FILE_LINES} lines`, () => {
  const long = SOURCES.filter(({ path, lines }) => lines.length - 1 > MAX_FILE_LINES && !TABLES.includes(path))
  expectNone(
    long.map(
      ({ path, lines }) => `${path}:${MAX_FILE_LINES + 1} has ${lines.length - 1} lines; take a calculation out of it`,
    ),
  )
})

test('what has one home stands nowhere else', () => {
  const violations = SOURCES.flatMap(({ path, lines }) =>
    HOMES.filter(({ homes }) => !homes.includes(path)).flatMap(({ banned, instead }) =>
      findBanned(banned, lines).map(({ line, text }) => `${path}:${line} has ${text}; ${instead}`),
    ),
  )
  expectNone(violations)
})

/** Matches outside of comments; what comments must not hold is looked for everywhere. */
function findBanned(banned: RegExp, lines: readonly string[]): { line: number; text: string }[] {
  const isAboutComments = /TODO|biome-ignore/.test(banned.source)
  return lines.flatMap((line, index) => {
    const code = isAboutComments ? line : line.replace(/^\s*(\*|\/\*).*|(^|\s)\/\/.*/, '')
    const [text] = banned.exec(code) ?? []
    return text === undefined ? [] : [{ line: index + 1, text }]
  })
}

interface Finding {
  message: string
  category: string
  location: { path: string; start: { line: number } }
}

/** What needs a parser is asked of biome, with these rules alone. */
function lint(rules: object): Finding[] {
  const folder = mkdtempSync(join(tmpdir(), 'svc-tidy-'))
  try {
    const config = {
      root: true,
      files: { includes: ['**/*.ts', '**/*.tsx'] },
      linter: { rules: { preset: 'none', ...rules } },
    }
    writeFileSync(join(folder, 'biome.json'), JSON.stringify(config))
    const biome = join(ROOT, 'node_modules', '.bin', 'biome')
    const command = [
      biome,
      'lint',
      `--config-path=${folder}`,
      '--reporter=json',
      '--max-diagnostics=none',
      'src',
      'test',
    ]
    const { stdout } = Bun.spawnSync(command, { cwd: ROOT, stderr: 'ignore' })
    const { diagnostics } = JSON.parse(stdout.toString()) as { diagnostics: Finding[] }
    return diagnostics.filter(({ category }) => category.startsWith('lint/'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const isTest = (path: string): boolean => path.startsWith('test/') || /\.test\.tsx?$/.test(path)

test(`no function is longer than ${MAX_FUNCTION_LINES} lines`, () => {
  const options = { maxLines: MAX_FUNCTION_LINES, skipBlankLines: true }
  const found = lint({ complexity: { noExcessiveLinesPerFunction: { level: 'error', options } } })
  const long = found.filter(({ location }) => !isTest(location.path) && !isTable(location.path, location.start.line))
  expectNone(
    long.map(({ location, message }) => `${location.path}:${location.start.line} ${message} Take a step out of it.`),
  )
})

/** A chain of routes and the columns of a slice are tables; each handler in them counts by itself. */
function isTable(path: string, line: number): boolean {
  const source = SOURCES.find((candidate) => candidate.path === path)
  const kind = /\/(routes|tables)$/.exec(source?.name ?? '')?.[1]
  const head = kind === 'routes' ? /^export const \w+Routes = \(/ : /^export const \w+Tables = \(/
  return kind !== undefined && head.test(source?.lines[line - 1] ?? '')
}

test('nothing is typed any and no null is waved away', () => {
  const found = lint({ suspicious: { noExplicitAny: 'error' }, style: { noNonNullAssertion: 'error' } })
  expectNone(
    found.map(({ location, category }) => `${location.path}:${location.start.line} ${category}; give it its real type`),
  )
})

test('the import reader sees every import that Bun sees', () => {
  const transpiler = new Bun.Transpiler({ loader: 'ts' })
  const missed = SOURCES.flatMap(({ path, name, lines, imports }) =>
    transpiler
      .scanImports(lines.join('\n'))
      .filter((found) => found.path.startsWith('.'))
      .map((found) => withoutEnding(join(dirname(name), found.path)))
      .filter((to) => !imports.some((known) => known.to === to && !known.isType))
      .map((to) => `${path} imports ${to}`),
  )
  expectNone(missed)
})

test('imports follow the law of the layers', () => {
  expectNone(SOURCES.flatMap((source) => source.imports.flatMap((found) => lawViolation(source, found) ?? [])))
})

function lawViolation(source: Source, found: Import): string | null {
  const { path, area } = source
  if (areaOf(found.to) === area || isBesideTheLaw(source, found)) return null
  const say = (sentence: string) => `${path}:${found.line} imports ${found.to}: ${sentence}`
  const law = LAW[area]
  if (law) return layerViolation(area, law, found, say)
  if (isSlice(source)) return sliceViolation(found, say)
  const isWiring = WIRING.includes(areaOf(found.to)) && !found.isType
  return isWiring && !MAY_REACH_WIRING.includes(area) ? say('only the wiring may reach that') : null
}

const areaOf = (name: string): string => name.split('/')[0] ?? ''

const isBesideTheLaw = ({ name }: Source, { to, isType }: Import): boolean =>
  BESIDE_THE_LAW.some((edge) => edge.from.test(name) && edge.to.test(to) && (isType || !edge.onlyTypes))

function layerViolation(
  area: string,
  law: { values: string[]; types: string[] },
  found: Import,
  say: (sentence: string) => string,
): string | null {
  const names = [areaOf(found.to), found.to]
  if (names.some((name) => law.values.includes(name))) return null
  const isKnownType = names.some((name) => law.types.includes(name))
  if (isKnownType) return found.isType ? null : say('allowed as a type only')
  return say(
    law.values.length === 0 ? `${area} imports nothing of ours` : `${area} imports only ${law.values.join(', ')}`,
  )
}

function sliceViolation(found: Import, say: (sentence: string) => string): string | null {
  if (WIRING.includes(areaOf(found.to))) return found.isType ? null : say('a slice takes the wiring as a type only')
  const isOfSlice = found.to.includes('/') && !AREAS_WITH_LAW.includes(areaOf(found.to))
  if (isOfSlice && /\/(routes|queries)$/.test(found.to)) return say("go through the other slice's service")
  return null
}

test('no values are imported in a circle', () => {
  const edges = new Map(
    SOURCES.map(({ name, imports }) => [name, imports.filter(({ isType }) => !isType).map(({ to }) => to)]),
  )
  expectNone(
    findCycles(edges).map((cycle) => `src/${cycle[0]}.ts:1 is in a circle: ${[...cycle, cycle[0]].join(' -> ')}`),
  )
})

/** One circle for each way back that a walk from every file meets. */
function findCycles(edges: Map<string, string[]>): string[][] {
  const done = new Set<string>()
  const cycles: string[][] = []
  const walk = (name: string, trail: string[]): void => {
    const start = trail.indexOf(name)
    if (start !== -1) cycles.push(trail.slice(start))
    if (start !== -1 || done.has(name)) return
    for (const next of edges.get(name) ?? []) walk(next, [...trail, name])
    done.add(name)
  }
  for (const name of edges.keys()) walk(name, [])
  return cycles
}

test(`only the wiring imports more than ${MAX_OWN_IMPORTS} of our files`, () => {
  const counted = SOURCES.map(({ path, name, area, imports }) => ({
    path,
    name,
    area,
    count: new Set(imports.map(({ to }) => to)).size,
  }))
  const wide = counted.filter(
    ({ name, area, count }) => count > MAX_OWN_IMPORTS && !WIDE.includes(name) && !WIDE.includes(area),
  )
  expectNone(wide.map(({ path, count }) => `${path}:1 imports ${count} of our files; split it by what it knows`))
})

test('every exception is still needed', () => {
  const paths = ALL.map((file) => join('src', file))
  const listed = [...TABLES, ...HOMES.flatMap(({ homes }) => homes)]
  expectNone(listed.filter((path) => !paths.includes(path)).map((path) => `${path}:1 is excused but not there`))
  const isUsed = ({ from, to }: { from: RegExp; to: RegExp }) =>
    SOURCES.some(({ name, imports }) => from.test(name) && imports.some((found) => to.test(found.to)))
  expectNone(
    BESIDE_THE_LAW.filter((edge) => !isUsed(edge)).map(({ why }) => `An edge beside the law is not used: ${why}`),
  )
})
