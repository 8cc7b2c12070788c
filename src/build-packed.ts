import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { startLibraries } from './base/lib/packed'
import { usedPartsOnly } from './build-used-parts'

/**
 * The libraries that only a few calls need, by the name of their file. Those that share classes or packages are in one
 * file. Source code loads them with `import()`, or with `require` in a function, and never at the start.
 */
export const PACKED: Readonly<Record<string, readonly string[]>> = {
  // The first is for the second, and must be there before it starts.
  certificates: ['reflect-metadata', '@peculiar/x509', '@simplewebauthn/server'],
  clickhouse: ['@clickhouse/client-web'],
  'file-type': ['file-type'],
  google: ['googleapis/build/src/apis/androidpublisher', 'googleapis/build/src/apis/pubsub', 'google-auth-library'],
  mail: ['nodemailer'],
  openid: ['openid-client'],
  otp: ['otpauth'],
  parquet: ['hyparquet-writer'],
  parser: ['libpg-query/wasm/libpg-query.js'],
  stripe: ['stripe'],
  yaml: ['yaml'],
}

type Options = Omit<Bun.BuildConfig, 'entrypoints' | 'compile'>

/**
 * Embeds these libraries as gzipped files that are unpacked at their first use. As a part of the program each would be
 * five times its text, because the bytecode that makes a start quick is four times. The files are written to a folder.
 */
export async function packedLibraries(folder: string, options: Options): Promise<Bun.BunPlugin> {
  const packs = await Promise.all(
    Object.entries(PACKED).map(([name, libraries]) => pack(name, libraries, { folder, options })),
  )
  const modules = new Map(packs.flat())
  return {
    name: 'packed-libraries',
    setup(build) {
      build.onResolve({ filter: patternOf([...modules.keys()]) }, ({ path, kind, importer }) => {
        if (!path.startsWith(`${NAMESPACE}:`) && kind === 'import-statement')
          throw new Error(`${importer} imports ${path} at the start, which is packed; load it at its first use`)
        return { path, namespace: NAMESPACE }
      })
      build.onLoad({ filter: /./, namespace: NAMESPACE }, ({ path }) => ({
        loader: 'js',
        contents: modules.get(path) ?? '',
      }))
    },
  }
}

const NAMESPACE = 'packed'

const patternOf = (names: readonly string[]): RegExp =>
  new RegExp(`^(${names.map((name) => name.replaceAll('.', '\\.')).join('|')})$`)

/** Writes one file and returns the modules that load it: one for the file, and one for each library in it. */
async function pack(
  name: string,
  libraries: readonly string[],
  { folder, options }: { folder: string; options: Options },
): Promise<[string, string][]> {
  const path = join(folder, `${name}.js.gz`)
  const text = await bundle(`${path}.ts`, libraries, options)
  writeFileSync(path, gzipSync(text, { level: 9 }))
  const started = startLibraries(text, name)
  const file = `${NAMESPACE}:${name}`
  const modules = libraries.map((library): [string, string] => [
    library,
    libraryModule(file, library, Object.keys(started[library] ?? {})),
  ])
  return [[file, fileModule(path)], ...modules]
}

/** The libraries and all that they import as the text of one function. */
async function bundle(entry: string, libraries: readonly string[], options: Options): Promise<string> {
  const lines = libraries.map((name) => `export * as '${name}' from '${Bun.resolveSync(name, import.meta.dir)}'`)
  const files = { [entry]: lines.join('\n') }
  const plugins = [...(options.plugins ?? []), usedPartsOnly]
  const { outputs } = await Bun.build({ ...options, entrypoints: [entry], files, plugins, format: 'cjs' })
  const [output] = outputs
  if (!output) throw new Error(`${entry} has no output`)
  return (await output.text()).replace(/^\/\/ @bun.*\n/, '').trim()
}

const fileModule = (path: string): string => `import file from ${JSON.stringify(path)} with { type: 'file' }
import { loadPacked } from ${JSON.stringify(join(import.meta.dir, 'base/lib/packed.ts'))}
export const libraries = loadPacked(file)`

const libraryModule = (file: string, library: string, names: readonly string[]): string =>
  `import { libraries } from ${JSON.stringify(file)}
const library = libraries[${JSON.stringify(library)}]
${names.map((name, at) => `const e${at} = library[${JSON.stringify(name)}]`).join('\n')}
export { ${names.map((name, at) => `e${at} as ${name}`).join(', ')} }`
