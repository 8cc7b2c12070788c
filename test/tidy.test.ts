import { expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { AREAS } from '../src/docs/guide/areas'
import { areaOf, heightOf, NO_SLICES, sliceOf } from './support/tidy/areas'
import { type Edge, stepsInCircles } from './support/tidy/circles'
import { usesOfSharedTypes } from './support/tidy/shared-types'
import { CONSOLE, FILES, type Import, PRODUCT, ROOT, SOURCES, type Source, withoutEnding } from './support/tidy/sources'

// The rules for the code that can be checked automatically. Each violation is one line: file:line, then what to do.

const MAX_FILE_LINES = 400
const MAX_FUNCTION_LINES = 70
const MAX_OWN_IMPORTS = 14

/** Files that are one table of data. They may be longer than other files. */
const TABLES = ['src/base/error-codes.ts']

/** Code that is allowed only in the listed files. */
const HOMES: { banned: RegExp; homes: string[]; instead: string }[] = [
  { banned: /\bconsole\.\w/, homes: [], instead: 'use ctx.log, or io in a command' },
  {
    banned: /\bprocess\.(stdout|stderr)\.write\b/,
    homes: [
      'src/main.ts',
      'src/cli/main.ts',
      'src/base/lib/log.ts',
      'src/build.ts',
      'src/build-release.ts',
      'src/generate.ts',
      'src/trace.ts',
    ],
    instead: 'use ctx.log, or io in a command',
  },
  {
    banned: /\bDate\.now\(/,
    homes: ['src/base/lib/clock.ts', 'src/console/lib/clock.ts', 'src/sdk/core/configure.ts'],
    instead: 'use the clock',
  },
  { banned: /\bnew Date\(\)/, homes: ['src/base/lib/clock.ts'], instead: 'use ctx.clock' },
  { banned: /\bMath\.random\b/, homes: [], instead: 'use ctx.ids' },
  { banned: /\brandomUUID\(/, homes: ['src/base/lib/ids.ts'], instead: 'use ctx.ids' },
  {
    banned: /\bprocess\.env\b/,
    homes: [
      ...['src/base/config.ts', 'src/main.ts', 'src/cli/main.ts', 'src/build.ts', 'src/generate.ts'],
      'src/build-console.ts',
    ],
    instead: 'read it in config.ts',
  },
  { banned: /\b(TODO|FIXME)\b/, homes: [], instead: 'do it, or write an issue' },
  {
    banned: /biome-ignore lint\/(suspicious\/noExplicitAny|style\/noNonNullAssertion)/,
    homes: [],
    instead: 'give it its real type',
  },
]

/** What the lowest folders may import, and what they may import only as a type: prefixes of paths below `src`. */
const LAW: Record<string, { values: string[]; types: string[] }> = {
  core: { values: [], types: [] },
  sdk: { values: ['core'], types: [] },
  'base/lib': { values: ['core'], types: [] },
  'base/db': { values: ['base/lib', 'base/errors'], types: ['base/config', 'base/context', 'base/state'] },
  'base/metrics': { values: ['base/lib'], types: ['base/state'] },
  'base/jobs': {
    values: ['base/lib', 'base/errors', 'base/db', 'base/cli/doctor'],
    types: ['base/context', 'base/metrics', 'base/state'],
  },
  'base/http': {
    values: ['core', 'base/lib', 'base/errors', 'base/db', 'base/jobs', 'base/version'],
    types: ['base/config', 'base/context', 'base/metrics', 'base/state'],
  },
  'stores/test-keys': {
    values: ['base/lib', 'base/errors', 'base/db', 'base/slice', 'stores'],
    types: [],
  },
  stores: {
    values: ['core', 'base/lib', 'base/errors'],
    types: ['base/config', 'base/context', 'base/db/handle', 'base/state'],
  },
  'base/errors': { values: ['base/error-codes'], types: [] },
  'base/error-codes': { values: [], types: [] },
  'base/version': { values: [], types: [] },
}

/** Single imports that are allowed against the rules, each with the reason. */
const BESIDE_THE_LAW: { from: RegExp; to: RegExp; why: string }[] = [
  {
    from: /^(intake|people|moving|targeting)\//,
    to: /^people\/purchases\/queries$/,
    why: 'purchases have no service: the code that receives store facts writes them',
  },
]

/** Files that put the parts together. They may import more files than others. */
const WIDE = [
  'main',
  'app',
  'server',
  'base/http-slice',
  'create-context',
  'program',
  'slices',
  'outward/integrations/registry',
]

/** Files that keep state of the process itself, each with the reason. Other state belongs in the state of a slice. */
const PROCESS_STATE: readonly [file: string, why: string][] = [
  ['base/http/request', 'facts of a request, as long as the request is there'],
  ['base/db/prepared', 'prepared statements of a connection, as long as the connection is there'],
  ['base/db/thread-connection-worker', 'the one connection of a thread'],
  ['sdk/core/module', 'the client of an app that was configured last, on which the functions of the module act'],
  ['test-store/stores/android-server', 'keys of the servers of a test, which are slow to make'],
]

/** A migration of a table that no installation had rows in. */
const INTO_EMPTY_TABLES = ['0003_refund_shield_requests.sql']

/** Fails with the list of violations, one per line. */
const expectNone = (violations: readonly string[]): void => expect(violations.join('\n')).toBe('')

test(`no source file is longer than ${MAX_FILE_LINES} lines`, () => {
  const long = [...SOURCES, ...CONSOLE].filter(
    ({ path, lines }) => lines.length - 1 > MAX_FILE_LINES && !TABLES.includes(path),
  )
  expectNone(
    long.map(
      ({ path, lines }) => `${path}:${MAX_FILE_LINES + 1} has ${lines.length - 1} lines; take a calculation out of it`,
    ),
  )
})

test('what has one home stands nowhere else', () => {
  const violations = [...SOURCES, ...CONSOLE].flatMap(({ path, lines }) =>
    HOMES.filter(({ homes }) => !homes.includes(path)).flatMap(({ banned, instead }) =>
      findBanned(banned, lines).map(({ line, text }) => `${path}:${line} has ${text}; ${instead}`),
    ),
  )
  expectNone(violations)
})

/** Finds matches outside of comments. Patterns about comments are searched everywhere. */
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

/** Runs biome with only these rules, for checks that need a parser. */
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

/** Whether a long function is only a chain of routes or a list of columns. Each handler in it is checked by itself. */
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

test('the folders at the bottom import little, and slices go through services', () => {
  const steps = PRODUCT.flatMap((source) => source.imports.map((found) => ({ source, found })))
  const violations = steps.flatMap(({ source, found }) => {
    return lawViolation(source, found) ?? []
  })
  expectNone(violations)
})

function lawViolation(source: Source, found: Import): string | null {
  const { path, name } = source
  if (BESIDE_THE_LAW.some(({ from, to }) => from.test(name) && to.test(found.to))) return null
  const say = (sentence: string) => `${path}:${found.line} imports ${found.to}: ${sentence}`
  const folder = Object.keys(LAW).find((prefix) => isBelow(name, prefix))
  const law = folder === undefined ? undefined : LAW[folder]
  if (folder !== undefined && law) return isBelow(found.to, folder) ? null : layerViolation(folder, law, found, say)
  return sliceViolation(source, found, say)
}

const isBelow = (name: string, prefix: string): boolean => name === prefix || name.startsWith(`${prefix}/`)

function layerViolation(
  folder: string,
  law: { values: string[]; types: string[] },
  found: Import,
  say: (sentence: string) => string,
): string | null {
  if (law.values.some((prefix) => isBelow(found.to, prefix))) return null
  if (law.types.some((prefix) => isBelow(found.to, prefix))) return found.isType ? null : say('allowed as a type only')
  return say(
    law.values.length === 0 ? `${folder} imports nothing of ours` : `${folder} imports ${law.values.join(', ')}`,
  )
}

function sliceViolation({ name }: Source, found: Import, say: (sentence: string) => string): string | null {
  const area = areaOf(name)
  if (area === null || area === 'cli' || area === 'base') return null
  if (found.to === 'base/config' && !found.isType) return say('a slice takes the configuration as a type only')
  const isOther = sliceOf(found.to) !== sliceOf(name) && areaOf(found.to) !== 'base'
  return isOther && /\/(routes|queries)$/.test(found.to) ? say("go through the other slice's service") : null
}

interface Step {
  source: Source
  line: number
  /** The text for messages: `imports x`. */
  what: string
  to: string
}

const USES = usesOfSharedTypes(PRODUCT)

/** All imports. A use of a member of a shared type counts as an import of the file that declares the member. */
const STEPS: readonly Step[] = PRODUCT.flatMap((source) => [
  ...source.imports.map(({ line, to }) => ({ source, line, what: `imports ${to}`, to })),
  ...(USES.get(source) ?? []).map(({ line, what, to }) => ({
    source,
    line,
    what: `uses ${what} of ${to}`,
    to: to.replace(/-slice$/, '/slice'),
  })),
])

const sourceOf = (name: string, text: string): Source => ({ path: name, name, lines: text.split('\n'), imports: [] })

test('a circle is found with its way back, and what leads to it is none', () => {
  const found = stepsInCircles(['ab', 'bc', 'ca', 'da', 'aa'].map(([from = '', to = '']) => [from, to]))
  expect(found.map(({ edge, circle }) => `${edge.join('->')}: ${circle.join(' ')}`)).toEqual([
    'a->b: a b c a',
    'b->c: b c a b',
    'c->a: c a b c',
  ])
})

test('what another slice declared into a shared type is found where it is used', () => {
  const made = `export const cupTables = (k: Kit) => ({
  cups: k.table('cups', {}),
  saucers: k.table('saucers', {}),
})
declare module '../../base/db/tables' {
  interface Tables extends CupTables {}
}
`
  const state = `declare module '../../base/state' {
  interface SliceState {
    kettle: Kettle
  }
}
`
  const used = `const { cups: c } = tx.tables
const f = ({ db, tables: { saucers } }: Handle) => db.select().from(tables.saucers)
const g = (ctx: Context, own: { state: Own }) => [ctx.state.kettle.boil(), own.state.kettle, ctx.state.unknown]`
  const sources = [sourceOf('a/x/tables', made), sourceOf('a/x/slice', state), sourceOf('a/y/service', used)]
  const found = sources.map((source) => usesOfSharedTypes(sources).get(source) ?? [])
  expect(found.map((uses) => uses.map(({ line, what, to }) => `${line} ${what} ${to}`).sort())).toEqual([
    [],
    [],
    [
      '1 tables.cups a/x/tables',
      '2 tables.saucers a/x/tables',
      '2 tables.saucers a/x/tables',
      '3 state.kettle a/x/slice',
    ],
  ])
})

test('areas only stand on those below them', () => {
  const upward = STEPS.filter(({ source: { name }, to }) => heightOf(to) > heightOf(name))
  expectNone(
    upward.map(
      ({ source, line, what, to }) =>
        `${source.path}:${line} ${what}: ${areaOf(source.name)} lies below ${areaOf(to) ?? 'the files beside the areas'}`,
    ),
  )
})

test('no slices stand on each other in a circle', () => {
  const inside = STEPS.filter(({ source: { name }, to }) => areaOf(to) === areaOf(name))
  expectNone(circlesOf(inside, sliceOf, 'slices'))
})

test('no files import each other in a circle, types included', () => {
  const imports = STEPS.filter(({ what }) => what.startsWith('imports'))
  expectNone(circlesOf(imports, (name) => name, 'files'))
})

test('the console stands on nothing of the server but the core, and its screens not on each other', () => {
  const steps = CONSOLE.flatMap((source) => source.imports.map((found) => ({ source, found })))
  const screenOf = (name: string) => /^console\/screens\/([^/]+)\//.exec(name)?.[1]
  const wrong = steps.filter(({ source: { name }, found: { to } }) => {
    const [from, into] = [screenOf(name), screenOf(to)]
    if (to.startsWith('core/')) return false
    return !to.startsWith('console/') || (from !== undefined && into !== undefined && from !== into)
  })
  expectNone(wrong.map(({ source, found }) => `${source.path}:${found.line} imports ${found.to}`))
})

test('the core is checked without the types of a runtime, and imports no library but TypeBox', () => {
  expect(JSON.parse(readFileSync(join(ROOT, 'src/core/tsconfig.json'), 'utf8')).compilerOptions).toEqual({
    lib: ['ESNext'],
    types: [],
  })
  expect(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts['check:types']).toContain('-p src/core')
  const foreign = PRODUCT.filter(({ name }) => name.startsWith('core/')).flatMap(({ path, lines }) =>
    lines.flatMap((line, at) => {
      const library = / from '([^.'][^']*)'/.exec(line)?.[1]
      return library === undefined || library === '@sinclair/typebox' ? [] : [`${path}:${at + 1} imports ${library}`]
    }),
  )
  expectNone(foreign)
})

test('the client is checked without the types of a runtime, and imports no library but React', () => {
  expect(JSON.parse(readFileSync(join(ROOT, 'src/sdk/tsconfig.json'), 'utf8')).compilerOptions).toEqual({
    lib: ['ESNext'],
    types: [],
  })
  expect(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts['check:types']).toContain('-p src/sdk')
  const foreign = PRODUCT.filter(({ name }) => name.startsWith('sdk/')).flatMap(({ path, name, lines }) =>
    lines.flatMap((line, at) => {
      const library = / from '([^.'][^']*)'/.exec(line)?.[1]
      const isAllowed = library === undefined || (library === 'react' && name.startsWith('sdk/react/'))
      return isAllowed ? [] : [`${path}:${at + 1} imports ${library}`]
    }),
  )
  expectNone(foreign)
})

test('no files of the console import each other in a circle, types included', () => {
  const steps = CONSOLE.flatMap((source) =>
    source.imports.map(({ line, to }): Step => ({ source, line, what: `imports ${to}`, to })),
  )
  expectNone(circlesOf(steps, (name) => name, 'files'))
})

/** The messages for all steps that are part of a circle of nodes. */
function circlesOf(steps: readonly Step[], nodeOf: (name: string) => string, nodes: string) {
  const edgeOf = ({ source, to }: Step): Edge => [nodeOf(source.name), nodeOf(to)]
  const circles = new Map(stepsInCircles(steps.map(edgeOf)).map(({ edge, circle }) => [edge.join(' -> '), circle]))
  return steps.flatMap((step) => {
    const key = edgeOf(step).join(' -> ')
    const circle = circles.get(key)?.join(' -> ')
    const { source, line, what } = step
    return circle === undefined ? [] : [`${source.path}:${line} ${what}: a circle of ${nodes}: ${circle}`]
  })
}

test('every folder of src is an area with a purpose, and there are at most 18', () => {
  const folders = foldersOf('src')
  expect(folders).toEqual(AREAS.map(({ name }) => name).sort())
  expect(folders.length).toBeLessThanOrEqual(18)
})

test('every folder of an area stands in the list of the guide, and no other', () => {
  const listed = AREAS.flatMap(({ name, folders }) => Object.keys(folders).map((folder) => `src/${name}/${folder}`))
  const found = AREAS.flatMap(({ name }) => foldersOf(`src/${name}`).map((folder) => `src/${name}/${folder}`))
  const missing = found.filter((folder) => !listed.includes(folder))
  expectNone(missing.map((folder) => `${folder} is not in src/docs/guide/areas.ts; say there what it is about`))
  const gone = listed.filter((folder) => !found.includes(folder))
  expectNone(gone.map((folder) => `src/docs/guide/areas.ts names ${folder}, which is not there; take it out`))
})

const foldersOf = (path: string): string[] =>
  readdirSync(join(ROOT, path), { withFileTypes: true })
    .filter((one) => one.isDirectory())
    .map(({ name }) => name)
    .sort()

test('every slice has a manifest, which is in the list of slices', () => {
  const folders = new Set(PRODUCT.map(({ name }) => sliceOf(name)).filter((name) => isFolder(name)))
  const listed = PRODUCT.find(({ name }) => name === 'slices')?.imports.map(({ to }) => to) ?? []
  const slices = [...folders].filter((folder) => !NO_SLICES.some(([exempt]) => exempt.test(folder)))
  expectNone(
    slices.flatMap((folder) => {
      if (!existsSync(join(ROOT, 'src', folder, 'slice.ts'))) return [`src/${folder} has no slice.ts`]
      return listed.includes(`${folder}/slice`) ? [] : [`src/${folder}/slice.ts:1 is not in src/slices.ts`]
    }),
  )
})

const isFolder = (name: string): boolean => existsSync(join(ROOT, 'src', name)) && name.includes('/')

/** A line that declares a module variable, or a map or set that begins empty. */
const STATE = /^(?:export )?(?:let \w|const (\w+)(?!: Readonly)[^=]*= new (?:Weak)?(?:Map|Set)\b(?:<.*>)?\(\)$)/

test('no module keeps state of its own', () => {
  const isExcused = (name: string) => PROCESS_STATE.some(([file]) => file === name)
  const found = PRODUCT.flatMap(({ path, name, lines }) =>
    lines.flatMap((line, at) =>
      STATE.test(line) && !/: Readonly(Map|Set)</.test(line)
        ? [{ name, sentence: `${path}:${at + 1} keeps state in a module; make it in the manifest` }]
        : [],
    ),
  )
  expectNone(found.flatMap(({ name, sentence }) => (isExcused(name) ? [] : [sentence])))
  const needless = PROCESS_STATE.filter(([file]) => !found.some(({ name }) => name === file))
  expectNone(needless.map(([file]) => `${file} is excused and keeps no state; take it off the list`))
})

test(`only the wiring imports more than ${MAX_OWN_IMPORTS} of our files outside of the core`, () => {
  const counted = SOURCES.map(({ path, name, imports }) => ({
    path,
    name,
    // The words and rules of the product are used everywhere, and knowing them couples no two parts.
    count: new Set(imports.map(({ to }) => to).filter((to) => !to.startsWith('core/'))).size,
  }))
  const wide = counted.filter(({ name, count }) => count > MAX_OWN_IMPORTS && !WIDE.includes(name))
  expectNone(
    wide.map(
      ({ path, count }) => `${path}:1 imports ${count} of our files outside of the core; split it by what it knows`,
    ),
  )
})

test('a column that a migration adds to a table has a default, or may be null, because the table has rows', () => {
  const added = ['sqlite', 'postgres'].flatMap((dialect) => {
    const folder = join(ROOT, 'migrations', dialect)
    const names = readdirSync(folder).filter((name) => name.endsWith('.sql') && !INTO_EMPTY_TABLES.includes(name))
    return names.flatMap((name) =>
      readFileSync(join(folder, name), 'utf8')
        .split('\n')
        .filter((line) => /^ALTER TABLE \S+ ADD .*\bNOT NULL\b/.test(line) && !/\bDEFAULT\b/.test(line))
        .map((line) => `migrations/${dialect}/${name}: write DEFAULT and a value before NOT NULL: ${line}`),
    )
  })
  expectNone(added)
})

test('every exception is still needed', () => {
  const paths = [...FILES.map((file) => join('src', file)), ...CONSOLE.map(({ path }) => path)]
  const listed = [...TABLES, ...HOMES.flatMap(({ homes }) => homes)]
  expectNone(listed.filter((path) => !paths.includes(path)).map((path) => `${path}:1 is excused but not there`))
  const isUsed = ({ from, to }: { from: RegExp; to: RegExp }) =>
    SOURCES.some(({ name, imports }) => from.test(name) && imports.some((found) => to.test(found.to)))
  expectNone(
    BESIDE_THE_LAW.filter((edge) => !isUsed(edge)).map(({ why }) => `An edge beside the rules is not used: ${why}`),
  )
  const folders = PRODUCT.map(({ name }) => sliceOf(name))
  expectNone(
    NO_SLICES.filter(([folder]) => !folders.some((name) => folder.test(name))).map(
      ([folder]) => `${folder} is excused from a manifest but not there`,
    ),
  )
})
