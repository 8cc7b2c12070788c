import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const SOURCE = import.meta.dir

/** The members of manifests that a server needs long after its start, by the part of the executable that has them. */
export const LATER_PARTS: Readonly<Record<string, readonly string[]>> = {
  'project-part': ['operatorRoutes', 'searchObjects'],
  'account-part': ['accountRoutes'],
  'sign-in-part': ['authRoutes'],
  'admin-part': ['adminRoutes'],
  'command-part': ['commands'],
  'doctor-part': ['doctor'],
  'file-part': ['projectFile'],
}

/** The form of such a member in a manifest: a name, a list of names, or several routes as one. */
const VALUE = String.raw`\w+|\[[\w,\s]+\]|\(ctx\) => new Elysia\(\)(?:\.use\(\w+\(ctx\)\))+`

interface Parts {
  entrypoints: string[]
  /** The sources of the parts, which are in no folder. */
  files: Record<string, string>
  plugin: Bun.BunPlugin
}

/**
 * Moves these members into parts of the executable that are loaded at their first use. A start is a fifth quicker so, and
 * needs less memory. The manifests in the sources have them as usual.
 */
export function laterParts(): Parts {
  const files = Object.assign({}, ...Object.keys(LATER_PARTS).map(partFiles))
  return {
    entrypoints: Object.keys(LATER_PARTS).map((part) => join(SOURCE, `${part}.ts`)),
    files,
    plugin: {
      name: 'later-parts',
      setup(build) {
        build.onLoad({ filter: /slice\.ts$/ }, ({ path }) => {
          const known = SLICE_FILES.find((file) => join(SOURCE, file) === path)
          return known === undefined ? undefined : { loader: 'js', contents: startingManifest(known) }
        })
      },
    },
  }
}

const SLICE_FILES: readonly string[] = [...new Bun.Glob('**/*slice.ts').scanSync(SOURCE)]
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path !== 'base/slice.ts')
  .sort()

const textOf = (file: string): string => readFileSync(join(SOURCE, file), 'utf8')

/** A part: its members of each manifest in a file of its own, with what they import, and one file that lists them. */
function partFiles(part: string): Record<string, string> {
  const withMembers = SLICE_FILES.flatMap((file) => {
    const members = membersOf(file, part)
    return members.length === 0 ? [] : [{ file, members, path: join(SOURCE, file.replace(/\.ts$/, `-${part}.ts`)) }]
  })
  const files = withMembers.map(({ file, members, path }): [string, string] => {
    const imports = textOf(file).match(/^import [^;]*? from '[^']+'$/gm) ?? []
    return [path, onlyUsed(`${imports.join('\n')}\nexport const members = { ${members.join(', ')} }`)]
  })
  const imported = withMembers.map(({ path }, at) => `import { members as m${at} } from ${JSON.stringify(path)}`)
  const listed = withMembers.map(({ file }, at) => `${JSON.stringify(file)}: m${at}`)
  const list = `${imported.join('\n')}\nexport const manifests = { ${listed.join(', ')} }`
  return Object.fromEntries([...files, [join(SOURCE, `${part}.ts`), list]])
}

const transpiler = new Bun.Transpiler({ loader: 'ts', target: 'bun', trimUnusedImports: true })

/** A module without its types and without the imports that are not used. */
const onlyUsed = (text: string): string => transpiler.transformSync(text)

const memberPattern = (name: string): RegExp => new RegExp(`\\b${name}: (?:${VALUE})(?=,\\n|, \\w| \\})`, 'g')

/** The members of a part that a manifest has, as it has them. */
function membersOf(file: string, part: string): string[] {
  const text = textOf(file)
  return (LATER_PARTS[part] ?? []).flatMap((name) => {
    const found = text.match(memberPattern(name)) ?? []
    const named = text.match(new RegExp(`(?<![\\w/'-])${name}\\s*[:,(]`, 'g')) ?? []
    if (found.length !== named.length)
      throw new Error(`${file} has ${name} in a new form; adapt src/build-later.ts to it`)
    return found
  })
}

/** A manifest as a start loads it: each of these members loads its part when it is read, and routes when they are mounted. */
function startingManifest(file: string): string {
  const replaced = Object.entries(LATER_PARTS).reduce(
    (text, [part, names]) =>
      names.reduce((rest, name) => {
        const member = `loadPart('${part}')['${file}'].${name}`
        const isRoutes = name.endsWith('Routes')
        return rest.replace(memberPattern(name), () =>
          isRoutes ? `${name}: (ctx) => ${member}(ctx)` : `get ${name}() { return ${member} }`,
        )
      }, text),
    textOf(file),
  )
  const loader = JSON.stringify(join(SOURCE, 'base', 'lib', 'load-part.ts'))
  return onlyUsed(`import { loadPart } from ${loader}\n${replaced}`)
}
