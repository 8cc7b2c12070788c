import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'

const ROOT = join(import.meta.dir, '..')
const SOURCE = join(ROOT, 'src', 'sdk')

/** The entry points of the client, and the files that they load on demand. */
const ENTRIES: Record<string, string> = {
  svc: 'web.ts',
  core: 'core/index.ts',
  late: 'core/late.ts',
  checkout: 'checkout/index.ts',
  react: 'react/index.ts',
  'react-native': 'react-native/index.ts',
  node: 'node/index.ts',
  cases: 'cases/run.ts',
}

/** The files of the client by their names. */
export type ClientFiles = Record<string, string>

/**
 * Builds the client: each entry as `.js` and as `.cjs`, one file for pages without modules, the declarations and the
 * cases. The part that is loaded later is a file of its own that imports nothing, so that the first one needs no helpers.
 */
export async function buildSdk(): Promise<ClientFiles> {
  const files: ClientFiles = {}
  for (const [name, entry] of Object.entries(ENTRIES)) {
    files[`${name}.js`] = await bundle(entry, 'esm')
    if (name !== 'svc') files[`${name}.cjs`] = asRequired(await bundle(entry, 'cjs'))
  }
  files['svc.iife.js'] = asGlobal(await bundle('web.ts', 'iife'))
  for (const name of readdirSync(join(SOURCE, 'cases')))
    if (/\.(json|md)$/.test(name)) files[`cases/${name}`] = readFileSync(join(SOURCE, 'cases', name), 'utf8')
  return { ...files, ...declarations() }
}

async function bundle(entry: string, format: 'esm' | 'cjs' | 'iife'): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [join(SOURCE, entry)],
    target: 'browser',
    format: format === 'iife' ? 'esm' : format,
    minify: true,
    packages: 'external',
    plugins: format === 'iife' ? [] : [apart(format === 'cjs' ? '.cjs' : '.js')],
  })
  return (await outputs[0]?.text()) ?? ''
}

/** Files that another one loads with `import()`, as it writes them. */
const LATER = /^\.\/(late|checkout)$/

/** Keeps files that are loaded on demand out of the bundle, and imports them by their own file name. */
const apart = (ending: string): Bun.BunPlugin => ({
  name: 'apart',
  setup: (build) =>
    void build.onResolve({ filter: LATER }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path: path + ending, external: true } : undefined,
    ),
})

/** `import()` of a CommonJS file gives its members only as a default, so it is required. */
const asRequired = (text: string): string =>
  text.replace(/import\(("\.\/[\w-]+\.cjs")\)/g, 'Promise.resolve().then(()=>require($1))')

/** A module as a script that sets the global `svc`. */
function asGlobal(module: string): string {
  const exported = /export\s*\{([^}]*)\};?\s*$/.exec(module)
  if (!exported) throw new Error('The bundle of the client has no exports')
  const members = (exported[1] ?? '').split(',').map((one) => {
    const [local = '', name = local] = one.trim().split(/\s+as\s+/)
    return `${name}:${local}`
  })
  return `(()=>{${module.slice(0, exported.index)}globalThis.svc={${members.join(',')}}})();\n`
}

/** The declarations of all files, with the endings that Node wants in imports. */
function declarations(): ClientFiles {
  const folder = mkdtempSync(join(tmpdir(), 'svc-sdk-types-'))
  try {
    const tsc = join(ROOT, 'node_modules', '.bin', 'tsc')
    const options = ['--declaration', '--emitDeclarationOnly', '--noEmit', 'false', '--rootDir', join(ROOT, 'src')]
    const made = Bun.spawnSync([tsc, '-p', SOURCE, ...options, '--outDir', folder])
    if (made.exitCode !== 0) throw new Error(made.stdout.toString())
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.d.ts'))
    const known = new Set(names)
    const entries = names.map((name) => [`types/${name}`, withEndings(folder, name, known)] as const)
    return Object.fromEntries(entries)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const withEndings = (folder: string, name: string, known: ReadonlySet<string>): string =>
  readFileSync(join(folder, name), 'utf8').replace(/(from |import\()(['"])(\.[^'"]+)\2/g, (_, before, quote, path) => {
    const target = relative(folder, join(folder, name, '..', path))
    return `${before}${quote}${path}${known.has(`${target}.d.ts`) ? '' : '/index'}.js${quote}`
  })

/** Writes the client as one packed file, as the server reads it. Who reads meanwhile gets the former file. */
export async function packSdk(folder: string): Promise<void> {
  const packed = gzipSync(JSON.stringify(await buildSdk()), { level: 9 })
  mkdirSync(folder, { recursive: true })
  const beside = join(folder, `.${process.pid}`)
  writeFileSync(beside, packed)
  renameSync(beside, join(folder, 'client.json.gz'))
}

if (import.meta.main) await packSdk(join(ROOT, 'dist', 'sdk'))
