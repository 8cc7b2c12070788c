import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'

const ROOT = join(import.meta.dir, '..')

/** The file with which the reading thread starts. The bundler needs it as a separate entry point. */
const THREAD = join(ROOT, 'src', 'base', 'db', 'thread-connection-worker.ts')

/**
 * Builds one executable of a program and returns its size in bytes. Throws the messages of the bundler when it fails.
 * Identifiers keep their names, because Elysia reads some of them from the source of its handlers.
 */
export async function buildExecutable(entry: string, outfile: string): Promise<number> {
  mkdirSync(dirname(outfile), { recursive: true })
  await Bun.build({
    entrypoints: [entry, THREAD],
    target: 'bun',
    format: 'esm',
    bytecode: true,
    minify: { whitespace: true, syntax: true, identifiers: false },
    sourcemap: 'linked',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [staticBinding],
    compile: { outfile, autoloadDotenv: false, autoloadBunfig: false },
  })
  rmSync(`${outfile}.map`, { force: true }) // The executable contains its own copy.
  return statSync(outfile).size
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
