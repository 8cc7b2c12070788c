import { canonicalJson } from '../../base/lib/hash'
import { parseExact } from '../../base/lib/int64'
import type { Wanted } from '../../projects/project-file/model'
import type { ParsedFile } from '../../projects/project-file/parse'
import type { Path } from '../../projects/project-file/problem'
import type { AnySection } from '../../projects/project-file/section'
import { writePart } from '../../projects/project-file/write-yaml'

/** An object of a file. */
export interface KeptObject {
  /** Its content as JSON, with the members in the order of the file. */
  json: string
  /** The members that the file leaves as they are. They are not in `json`, and no difference. */
  leaves: Path[]
}

export interface KeptSection {
  /** Whether the file had all objects of the section, so that another one is a difference. */
  isWhole: boolean
  /** By name. The name is empty where a section is one object. */
  objects: Record<string, KeptObject>
}

export type KeptSections = Record<string, KeptSection>

/** An object that is no longer as the file had it. Null: it is not in the file, or not in the project. */
export interface Difference {
  section: string
  name: string
  file: string | null
  project: string | null
}

/** The content of a project as `toFileContent` gives it, once the file is applied. */
type Content = Readonly<Record<string, unknown>>

/** The content of a file for the project to which it was just applied. */
export function keptOf(
  { sections, wanted }: Pick<ParsedFile, 'sections' | 'wanted'>,
  content: Content,
  isPruned: boolean,
): KeptSections {
  const kept = sections.flatMap((section): [string, KeptSection][] => {
    const { name } = section.key
    const objects = wanted.get(name)
    return objects ? [[name, keptSection(section, objects, content[name], isPruned)]] : []
  })
  return Object.fromEntries(kept)
}

function keptSection(
  section: AnySection,
  wanted: readonly Wanted<unknown>[],
  content: unknown,
  isPruned: boolean,
): KeptSection {
  const isOne = wanted.some(({ path }) => path.length === 1)
  const named = new Map(wanted.map((one) => [nameIn(one.path), section.leaves?.(one, wanted, isPruned) ?? []]))
  const kept = [...objectsOf(content, isOne)].filter(([name]) => isPruned || named.has(name))
  return {
    isWhole: isPruned,
    objects: Object.fromEntries(kept.map(([name, object]) => [name, keep(object, named.get(name) ?? [])])),
  }
}

const keep = (object: unknown, leaves: Path[]): KeptObject => ({ json: textOf(object, leaves), leaves })

/** The objects that differ, in the order of the file. */
export function driftOf(kept: KeptSections, content: Content): Difference[] {
  const order = Object.keys(content)
  const sections = Object.entries(kept).sort(([a], [b]) => order.indexOf(a) - order.indexOf(b))
  return sections.flatMap(([section, { isWhole, objects }]) => {
    const now = objectsOf(content[section], Object.hasOwn(objects, ''))
    const names = new Set([...Object.keys(objects), ...(isWhole ? now.keys() : [])])
    return [...names].sort().flatMap((name) => {
      const file = Object.hasOwn(objects, name) ? (objects[name] ?? null) : null
      const project = now.has(name) ? textOf(now.get(name), file?.leaves ?? []) : null
      return isEqual(file?.json ?? null, project) ? [] : [{ section, name, file: file?.json ?? null, project }]
    })
  })
}

/** The difference with its objects as YAML instead of JSON. */
export const toYaml = ({ file, project, ...place }: Difference): Difference => ({
  ...place,
  file: file === null ? null : writePart(parseExact(file)),
  project: project === null ? null : writePart(parseExact(project)),
})

/** Another version of svc may write the members in another order. */
const isEqual = (a: string | null, b: string | null): boolean =>
  a === b || (a !== null && b !== null && canonicalJson(parseExact(a)) === canonicalJson(parseExact(b)))

const nameIn = (path: Path): string => String(path[1] ?? '')

const textOf = (object: unknown, leaves: readonly Path[]): string => JSON.stringify(leaves.reduce(without, object))

/** The value without the member at the path. */
function without(value: unknown, [name, ...rest]: Path): unknown {
  if (name === undefined || !isObject(value) || !Object.hasOwn(value, name)) return value
  const { [name]: member, ...others } = value
  return rest.length === 0 ? others : { ...value, [name]: without(member, rest) }
}

function objectsOf(content: unknown, isOne: boolean): Map<string, unknown> {
  if (!isObject(content)) return new Map()
  return isOne ? new Map([['', content]]) : new Map(Object.entries(content))
}

const isObject = (value: unknown): value is Record<string | number, unknown> =>
  typeof value === 'object' && value !== null
