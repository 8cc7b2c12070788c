import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'

const ROOT = join(import.meta.dir, '..')

/** The file with which the reading thread starts. The bundler needs it as a separate entry point. */
const THREAD = join(ROOT, 'src', 'base', 'db', 'thread-connection-worker.ts')

/**
 * Builds one executable of a program and returns its size in bytes. Throws the messages of the bundler when it fails.
 * Identifiers keep their names, because Elysia reads some of them from the source of its handlers.
 *
 * The source map lies beside it (`svc.map`) and not in it, where it would be 4 MB: `src/trace.ts` reads it. The bundler
 * writes a map only with an executable that contains it, so the program is bundled twice; the code is the same.
 */
export async function buildExecutable(entry: string, outfile: string): Promise<number> {
  mkdirSync(dirname(outfile), { recursive: true })
  const mapped = mkdtempSync(join(tmpdir(), 'svc-build-'))
  try {
    await bundle(entry, join(mapped, basename(outfile)), 'linked')
    copyFileSync(join(mapped, `${basename(outfile)}.map`), `${outfile}.map`)
  } finally {
    rmSync(mapped, { recursive: true, force: true })
  }
  await bundle(entry, outfile, 'none')
  return statSync(outfile).size
}

const bundle = (entry: string, outfile: string, sourcemap: 'linked' | 'none') =>
  Bun.build({
    entrypoints: [entry, THREAD],
    target: 'bun',
    format: 'esm',
    bytecode: true,
    minify: { whitespace: true, syntax: true, identifiers: false },
    sourcemap,
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [staticBinding, packedFiles, metricsOnly, usedPartsOnly],
    compile: { outfile, autoloadDotenv: false, autoloadBunfig: false },
  })

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

const LOADER = /function requireNative\(\) \{[\s\S]*?\n\}\n/

/** libsql computes the name of its native binding at run time. The bundler needs it, so the build inserts the name. */
const staticBinding: Bun.BunPlugin = {
  name: 'libsql-static-binding',
  setup(build) {
    build.onLoad({ filter: /[\\/]node_modules[\\/]libsql[\\/]index\.js$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8')
      if (!LOADER.test(source)) throw new Error(`${path} loads its binding in a new way; adapt src/build.ts to it`)
      const name = findBinding(path)
      return {
        loader: 'js',
        contents: source.replace(LOADER, `function requireNative() { return require("${name}") }\n`),
      }
    })
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

/**
 * Areas and objects of the payment provider's interface that svc never calls, such as cards that a company issues. Their
 * classes stay and are empty.
 */
const UNUSED_AREAS =
  'Apps|Climate|Entitlements|FinancialConnections|Forwarding|Identity|Issuing|ProductCatalog|Radar|Reporting|Reserve|Sigma|Tax|Terminal|TestHelpers|ThreeDSecure|Treasury|V2'
const UNUSED_OBJECTS = 'CreditNotes|InvoiceItems|PaymentLinks|Plans|Quotes|SubscriptionSchedules|Transfers'

/** Ways to sign in at Google from machines of other clouds; svc does it with the key of a service account. */
const UNUSED_SIGN_INS =
  'awsclient|downscopedclient|externalAccountAuthorizedUserClient|gdchclient|identitypoolclient|pluggable-auth-client'

/**
 * Leaves out parts of libraries that are never used: those above, the types of files in mails, which have none, the
 * metadata of Google's machines, and the earlier versions of Pub/Sub. They would be a megabyte of the executable.
 */
const usedPartsOnly: Bun.BunPlugin = {
  name: 'used-parts-only',
  setup(build) {
    const stripe = `/stripe/esm/resources/((${UNUSED_AREAS})/.*|${UNUSED_OBJECTS})\\.js$`
    replace(build, stripe, (source) =>
      [...source.matchAll(/^export class (\w+) /gm)].map(([, name]) => `export class ${name} {}`).join('\n'),
    )
    replace(
      build,
      '/nodemailer/dist/esm/mime-funcs/mime-types\\.js$',
      () => `export const detectMimeType = () => 'application/octet-stream'
export const detectExtension = () => 'bin'`,
    )
    replace(build, `/google-auth-library/build/src/auth/(${UNUSED_SIGN_INS})\\.js$`, (source) => {
      const [named = ''] = /^(exports\.\w+ = )+void 0;$/m.exec(source) ?? []
      return [...named.matchAll(/exports\.\w+/g)].map(([name]) => `${name} = class {}`).join('\n')
    })
    // Only machines of Google's cloud have this service.
    replace(build, '/gcp-metadata/build/src/index\\.js$', () => 'exports.isAvailable = async () => false')
    replace(build, '/googleapis/build/src/apis/pubsub/(v1beta1a|v1beta2)\\.js$', (_source, [, name]) => {
      return `exports.pubsub_${name} = { Pubsub: class {} }`
    })
  },
}

/** Replaces the text of the modules whose path, with slashes, fits a pattern. */
function replace(
  build: Bun.PluginBuilder,
  pattern: string,
  write: (source: string, match: readonly string[]) => string,
): void {
  const filter = new RegExp(pattern.replaceAll('/', '[\\\\/]'))
  build.onLoad({ filter }, ({ path }) => ({
    loader: 'js',
    contents: write(readFileSync(path, 'utf8'), filter.exec(path) ?? []),
  }))
}

/** The installed binding that this machine can load. On Linux there may be one for each C library; only one loads. */
function findBinding(libsql: string): string {
  const fromLibsql = createRequire(libsql)
  const platform = `${process.platform}-${process.arch}`
  const names = ['-gnu', '-musl', '', '-msvc'].map((suffix) => `@libsql/${platform}${suffix}`)
  const found = names.find((name) => isLoadable(fromLibsql, name))
  if (!found) throw new Error(`None of ${names.join(', ')} can be loaded; run: bun install`)
  return found
}

function isLoadable(load: NodeJS.Require, name: string): boolean {
  try {
    load(name)
    return true
  } catch {
    return false
  }
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
