import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const ROOT = join(import.meta.dir, '../../..')

export interface Import {
  line: number
  /** Path of the imported file below `src`, without its extension. */
  to: string
  isType: boolean
}

export interface Source {
  /** Path from the root of the repository, for messages. */
  path: string
  /** Path below `src`, without its extension. */
  name: string
  lines: string[]
  imports: Import[]
}

const STATEMENT =
  /^(?:import|export)\s+(type\s)?(?:([^'"`;]*?)\sfrom\s+)?['"](\.[^'"]+)['"]|\bimport\(\s*['"](\.[^'"]+)['"]/gm

export const withoutEnding = (path: string): string => path.replace(/(\.d)?\.tsx?$/, '')

const ALL = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .sort()

/** The console runs in a browser and is a program of its own. */
const isConsole = (file: string): boolean => file.startsWith('console/')

/** Every file of the server below `src`, including tests. */
export const FILES = ALL.filter((file) => !isConsole(file))

/** Every file except tests. */
export const SOURCES: readonly Source[] = FILES.filter((file) => !/\.test\.tsx?$/.test(file)).map(toSource)

/** The files of the product: no tests, and no files that only tests use. */
export const PRODUCT: readonly Source[] = SOURCES.filter(({ name }) => !name.endsWith('.fixtures'))

/** The files of the console, but for those that are made by a program. */
export const CONSOLE: readonly Source[] = ALL.filter((file) => isConsole(file) && !file.endsWith('.d.ts')).map(toSource)

function toSource(file: string): Source {
  const path = join('src', file)
  const name = withoutEnding(file)
  const text = readFileSync(join(ROOT, path), 'utf8')
  return { path, name, lines: text.split('\n'), imports: readImports(name, text) }
}

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
