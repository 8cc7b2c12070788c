import type { ParsedFile } from '../../projects/project-file/parse'
import type { Path } from '../../projects/project-file/problem'
import { writePart } from '../../projects/project-file/write-yaml'

/** The objects of a section as YAML, by name. The name is empty where a section is one object. */
type Texts = Record<string, string>

export interface KeptSection {
  /** Whether the file had all objects of the section, so that another one is a difference. */
  isWhole: boolean
  objects: Texts
}

export type KeptSections = Record<string, KeptSection>

/** An object that is no longer as the file had it. Null: it is not in the file, or not in the project. */
export interface Drifted {
  section: string
  name: string
  file: string | null
  project: string | null
}

/** The content of a project as `toFileContent` gives it: what it says once the file is applied. */
type Content = Readonly<Record<string, unknown>>

/** What a file says of a project to which it was just applied. */
export function keptOf({ wanted }: Pick<ParsedFile, 'wanted'>, content: Content, isPruned: boolean): KeptSections {
  const sections = [...wanted].map(([section, objects]): [string, KeptSection] => {
    const isOne = objects.some(({ path }) => path.length === 1)
    const names = new Set(objects.map(({ path }) => nameIn(path)))
    const kept = [...textsOf(content[section], isOne)].filter(([name]) => isPruned || names.has(name))
    return [section, { isWhole: isPruned, objects: Object.fromEntries(kept) }]
  })
  return Object.fromEntries(sections)
}

/** The objects that differ, in the order of the file. */
export function driftOf(kept: KeptSections, content: Content): Drifted[] {
  const order = Object.keys(content)
  const sections = Object.entries(kept).sort(([a], [b]) => order.indexOf(a) - order.indexOf(b))
  return sections.flatMap(([section, { isWhole, objects }]) => {
    const now = textsOf(content[section], '' in objects)
    const names = new Set([...Object.keys(objects), ...(isWhole ? now.keys() : [])])
    return [...names]
      .sort()
      .map((name) => ({ section, name, file: ownText(objects, name), project: now.get(name) ?? null }))
      .filter(({ file, project }) => file !== project)
  })
}

const nameIn = (path: Path): string => String(path[1] ?? '')

const ownText = (texts: Texts, name: string): string | null =>
  Object.hasOwn(texts, name) ? (texts[name] ?? null) : null

function textsOf(content: unknown, isOne: boolean): Map<string, string> {
  if (typeof content !== 'object' || content === null) return new Map()
  if (isOne) return new Map([['', writePart(content)]])
  return new Map(Object.entries(content).map(([name, object]) => [name, writePart(object)]))
}
