import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { staticBinding } from './build-binding'
import { laterParts } from './build-later'
import { packedLibraries } from './build-packed'
import { usedPartsOnly } from './build-used-parts'

const ROOT = join(import.meta.dir, '..')

/** The files with which threads start. The bundler needs them as separate entry points. */
const THREADS = [
  'base/db/thread-connection-worker.ts',
  'projects/project-file/file-reader-worker.ts',
  'funnels/fonts/font-worker.ts',
].map((name) => join(ROOT, 'src', name))

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
    const parts = await partsOf(entry, folder, { binding: null, plugins: [] })
    const mapped = join(folder, 'mapped', basename(outfile))
    await bundle({ ...parts, outfile: mapped, sourcemap: 'linked' })
    writeFileSync(`${outfile}.map`, joinMaps(dirname(mapped)))
    await bundle({ ...parts, outfile, sourcemap: 'none' })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return statSync(outfile).size
}

interface Foreign {
  outfile: string
  /** The file with the native code of libsql for the target. */
  binding: string
  /** They come before all others. */
  plugins: Bun.BunPlugin[]
}

/** Builds the program for another machine, without source maps, and returns its size in bytes. */
export async function buildFor(target: Bun.Build.CompileTarget, { outfile, ...given }: Foreign): Promise<number> {
  mkdirSync(dirname(outfile), { recursive: true })
  const folder = mkdtempSync(join(tmpdir(), 'svc-build-'))
  try {
    const parts = await partsOf(join(ROOT, 'src', 'main.ts'), folder, given)
    await bundle({ ...parts, outfile, sourcemap: 'none', target })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return statSync(outfile).size
}

/** The inputs of the bundle: the program, its worker threads and the parts that are loaded on demand. */
async function partsOf(
  entry: string,
  folder: string,
  { binding, plugins: first }: { binding: string | null; plugins: Bun.BunPlugin[] },
) {
  const packed = await packedLibraries(folder, { ...OPTIONS, plugins: first })
  const later = laterParts()
  const plugins = [...first, packed, later.plugin, staticBinding(binding), packedFiles, metricsOnly, usedPartsOnly]
  return { entrypoints: [entry, ...THREADS, ...later.entrypoints], files: later.files, plugins }
}

interface Parts {
  entrypoints: string[]
  files: Record<string, string>
  outfile: string
  sourcemap: 'linked' | 'none'
  plugins: Bun.BunPlugin[]
  /** Without it, this machine. */
  target?: Bun.Build.CompileTarget
}

const OPTIONS = {
  target: 'bun' as const,
  minify: { whitespace: true, syntax: true, identifiers: false },
  define: { 'process.env.NODE_ENV': '"production"' },
}

const bundle = ({ outfile, target, ...parts }: Parts) =>
  Bun.build({
    ...parts,
    root: join(ROOT, 'src'),
    ...OPTIONS,
    format: 'esm',
    splitting: true,
    bytecode: true,
    compile: {
      outfile,
      autoloadDotenv: false,
      autoloadBunfig: false,
      assets: [join(ROOT, 'dist', 'console'), join(ROOT, 'dist', 'sdk')],
      ...(target && { target }),
    },
  })

/** The source maps in a folder as one text, by the names of the files that they are of. */
function joinMaps(folder: string): string {
  const names = readdirSync(folder).filter((name) => name.endsWith('.map'))
  const members = names.map(
    (name) => `${JSON.stringify(name.slice(0, -'.map'.length))}:${readFileSync(join(folder, name), 'utf8')}`,
  )
  return `{${members.join(',')}}`
}

const PACKED_FILES = /(swagger-ui-dist[\\/]swagger-ui(-bundle\.js|\.css)|lottie_light\.min\.js|libpg-query\.wasm)$/

/** Embeds the files of the API page, the player of animations and the parser of queries gzipped: they are two megabytes less so. */
const packedFiles: Bun.BunPlugin = {
  name: 'packed-files',
  setup(build) {
    build.onLoad({ filter: PACKED_FILES }, ({ path }) => ({
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

/** The messages of the bundler, or of another error. */
export function describe(error: unknown): string {
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
