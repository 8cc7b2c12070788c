import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { staticBinding } from './build-binding'
import { laterParts } from './build-later'
import { packedLibraries } from './build-packed'
import { usedPartsOnly } from './build-used-parts'

const ROOT = join(import.meta.dir, '..')

/** The file with which the reading thread starts. The bundler needs it as a separate entry point. */
const THREAD = join(ROOT, 'src', 'base', 'db', 'thread-connection-worker.ts')

/**
 * Builds one executable of a program and returns its size in bytes. Throws the messages of the bundler when it fails.
 * Identifiers keep their names, because Elysia reads some of them from the source of its handlers.
 *
 * The source maps of its parts lie beside it (`svc.map`) and not in it, where they would be 4 MB: `src/trace.ts` reads
 * them. The bundler writes maps only with an executable that contains them, so the program is bundled twice; the code is
 * the same.
 */
export async function buildExecutable(entry: string, outfile: string): Promise<number> {
  mkdirSync(dirname(outfile), { recursive: true })
  const folder = mkdtempSync(join(tmpdir(), 'svc-build-'))
  try {
    const packed = await packedLibraries(folder, OPTIONS)
    const later = laterParts()
    const plugins = [packed, later.plugin, staticBinding, packedFiles, metricsOnly, usedPartsOnly]
    const parts = { entrypoints: [entry, THREAD, ...later.entrypoints], files: later.files, plugins }
    const mapped = join(folder, 'mapped', basename(outfile))
    await bundle({ ...parts, outfile: mapped, sourcemap: 'linked' })
    writeFileSync(`${outfile}.map`, joinMaps(dirname(mapped)))
    await bundle({ ...parts, outfile, sourcemap: 'none' })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return statSync(outfile).size
}

interface Parts {
  entrypoints: string[]
  files: Record<string, string>
  outfile: string
  sourcemap: 'linked' | 'none'
  plugins: Bun.BunPlugin[]
}

const OPTIONS = {
  target: 'bun' as const,
  minify: { whitespace: true, syntax: true, identifiers: false },
  define: { 'process.env.NODE_ENV': '"production"' },
}

const bundle = ({ outfile, ...parts }: Parts) =>
  Bun.build({
    ...parts,
    root: join(ROOT, 'src'),
    ...OPTIONS,
    format: 'esm',
    splitting: true,
    bytecode: true,
    compile: { outfile, autoloadDotenv: false, autoloadBunfig: false, assets: [join(ROOT, 'dist', 'console')] },
  })

/** The source maps in a folder as one text, by the names of the files that they are of. */
function joinMaps(folder: string): string {
  const names = readdirSync(folder).filter((name) => name.endsWith('.map'))
  const members = names.map(
    (name) => `${JSON.stringify(name.slice(0, -'.map'.length))}:${readFileSync(join(folder, name), 'utf8')}`,
  )
  return `{${members.join(',')}}`
}

/** Embeds the files of the API page and the parser of queries gzipped: they are two megabytes less so. */
const packedFiles: Bun.BunPlugin = {
  name: 'packed-files',
  setup(build) {
    build.onLoad({ filter: /(swagger-ui-dist[\\/]swagger-ui(-bundle\.js|\.css)|libpg-query\.wasm)$/ }, ({ path }) => ({
      loader: 'file',
      contents: gzipSync(readFileSync(path), { level: 9 }),
    }))
  },
}

/**
 * The four classes of prom-client that are used. Its index also loads metrics of the process and of clusters, which load
 * a fifth of a start: `cluster`, `perf_hooks`, `v8` and OpenTelemetry.
 */
const metricsOnly: Bun.BunPlugin = {
  name: 'prom-client-metrics-only',
  setup(build) {
    build.onLoad({ filter: /[\\/]node_modules[\\/]prom-client[\\/]index\.js$/ }, () => ({
      loader: 'js',
      contents: ['Registry', 'Counter', 'Gauge', 'Histogram']
        .map((name) => `exports.${name} = require('./lib/${name.toLowerCase()}')`)
        .join('\n'),
    }))
  },
}

function describe(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describe).join('\n')
  const position = (error as Partial<BuildMessage>).position
  const message = error instanceof Error ? error.message : String(error)
  return position ? `${relative(ROOT, position.file)}:${position.line}:${position.column}: ${message}` : message
}

async function main(): Promise<void> {
  const outfile = join(ROOT, 'dist', 'svc')
  try {
    const bytes = await buildExecutable(join(ROOT, 'src', 'main.ts'), outfile)
    process.stdout.write(`${relative(process.cwd(), outfile)}: ${(bytes / 1e6).toFixed(1)} MB\n`)
  } catch (error) {
    process.stderr.write(`The build failed:\n${describe(error)}\n`)
    process.exitCode = 1
  }
}

if (import.meta.main) void main()
