import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256Hex } from './base/lib/hash'
import { VERSION } from './base/version'
import { buildFor, describe } from './build'
import { bundleConsole } from './build-console'
import { billOfMaterials, type Component, ordered, PackageCollector } from './build-sbom'

const ROOT = join(import.meta.dir, '..')
const FOLDER = join(ROOT, 'dist', 'release')

interface Target {
  /** The name that Bun has for it. Bun gets the runtime of another machine from the package registry. */
  bun: Bun.Build.CompileTarget
  /** The package with libsql's native code for it. */
  binding: string
}

/** The machines that a release is made for, by the names of its files. */
export const TARGETS: Readonly<Record<string, Target>> = {
  'linux-x64': { bun: 'bun-linux-x64', binding: '@libsql/linux-x64-gnu' },
  'linux-x64-musl': { bun: 'bun-linux-x64-musl', binding: '@libsql/linux-x64-musl' },
  'linux-arm64': { bun: 'bun-linux-arm64', binding: '@libsql/linux-arm64-gnu' },
  'linux-arm64-musl': { bun: 'bun-linux-arm64-musl', binding: '@libsql/linux-arm64-musl' },
  'darwin-arm64': { bun: 'bun-darwin-arm64', binding: '@libsql/darwin-arm64' },
  'windows-x64': { bun: 'bun-windows-x64', binding: '@libsql/win32-x64-msvc' },
}

/**
 * Builds the executables of a release, with the console of `dist/console`: for each machine an archive with the
 * executable and the licence, and its bill of materials; `SHA256SUMS` has the digests of all of them.
 */
async function release(names: readonly string[]): Promise<void> {
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  const work = mkdtempSync(join(tmpdir(), 'svc-release-'))
  try {
    const ofConsole = new PackageCollector()
    await bundleConsole(join(work, 'console'), [ofConsole.plugin])
    const workshop = { work, bindings: fetchBindings(work), shared: ofConsole.components() }
    for (const name of names) say(await releaseFor(name, workshop))
    writeFileSync(join(FOLDER, 'SHA256SUMS'), sums(names))
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

interface Workshop {
  work: string
  /** A `node_modules` with libsql's native code for every machine. */
  bindings: string
  /** The packages in the console, which is the same for all. */
  shared: readonly Component[]
}

/** Makes the files of one machine, and returns the line about them. */
async function releaseFor(name: string, { work, bindings, shared }: Workshop): Promise<string> {
  const { bun, binding } = targetOf(name)
  const folder = join(work, name)
  const program = name.startsWith('windows') ? 'svc.exe' : 'svc'
  const outfile = join(folder, program)
  const collector = new PackageCollector()
  const bytes = await buildFor(bun, {
    outfile,
    binding: join(bindings, binding, 'index.node'),
    plugins: [collector.plugin],
  })
  chmodSync(outfile, 0o755)
  copyFileSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
  const file = archiveName(name)
  pack(folder, [program, 'LICENSE'], join(FOLDER, file))
  rmSync(outfile)
  const components = ordered([RUNTIME, ...shared, ...collector.components()])
  const subject = { file, sha256: digestOf(file), version: VERSION, components }
  writeFileSync(join(FOLDER, billName(name)), billOfMaterials(subject))
  const size = readFileSync(join(FOLDER, file)).byteLength
  return `dist/release/${file}: ${megabytes(size)} packed, ${megabytes(bytes)} unpacked, ${components.length} packages`
}

const archiveName = (name: string): string => `svc-${VERSION}-${name}.tar.gz`
const billName = (name: string): string => `svc-${VERSION}-${name}.cdx.json`
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
const digestOf = (file: string): string => sha256Hex(readFileSync(join(FOLDER, file)))

/** The one part that is in no bundle. */
const RUNTIME: Component = { name: 'bun', version: Bun.version, licence: 'MIT' }

function targetOf(name: string): Target {
  const target = TARGETS[name]
  if (!target) throw new Error(`There is no ${name}. A release is made for ${Object.keys(TARGETS).join(', ')}`)
  return target
}

/** Installs libsql's native code for all targets. The copied lock file makes Bun verify the digest of each package. */
function fetchBindings(work: string): string {
  const folder = join(work, 'bindings')
  mkdirSync(folder)
  for (const name of ['package.json', 'bun.lock']) copyFileSync(join(ROOT, name), join(folder, name))
  const options = ['--frozen-lockfile', '--production', '--ignore-scripts', '--os=*', '--cpu=*']
  run(process.execPath, ['install', ...options], folder)
  return join(folder, 'node_modules')
}

/** Packs files so that the same build gives the same bytes. */
function pack(folder: string, files: readonly string[], archive: string): void {
  const options = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner']
  run('tar', [...options, '--use-compress-program=gzip -9n', '-cf', `${archive}.part`, ...files], folder)
  renameSync(`${archive}.part`, archive)
}

function run(program: string, words: readonly string[], cwd: string): void {
  const { status, stderr, error } = spawnSync(program, words, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${words[0]} failed: ${error?.message ?? stderr}`)
}

/** In the form that `sha256sum --check` reads. */
const sums = (names: readonly string[]): string =>
  names
    .flatMap((name) => [archiveName(name), billName(name)])
    .map((file) => `${digestOf(file)}  ${file}\n`)
    .join('')

const say = (line: string): boolean => process.stdout.write(`${line}\n`)

async function main(given: readonly string[]): Promise<void> {
  try {
    given.forEach(targetOf)
    await release(given.length > 0 ? given : Object.keys(TARGETS))
  } catch (error) {
    process.stderr.write(`The release failed:\n${describe(error)}\n`)
    process.exitCode = 1
  }
}

if (import.meta.main) void main(process.argv.slice(2))
