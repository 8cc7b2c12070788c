import type { Document, Node as YamlNode } from 'yaml'
import { escaped } from './placeholders'
import type { Path } from './problem'
import { savedNames } from './rename'
import type { AnySection, Current } from './section'
import { inFileOrder } from './sections'
import { yaml } from './yaml'

/**
 * A project as the content of a project file: sections in the order of the file, objects sorted by identifier, members
 * in the documented order without default values. Applying this content to the project changes nothing.
 */
export function toFileContent({ sections, rows }: Current): Record<string, unknown> {
  const names = savedNames(sections, rows)
  const contents = inFileOrder(sections).map((section): [string, unknown] => {
    const own = rows.get(section.key.name)
    return [section.key.name, section.content(section.current(own, names), own)]
  })
  const written = contents.filter(([, content]) => content !== undefined)
  return { version: 1, ...(escaped(Object.fromEntries(written)) as object) }
}

export interface WriteOptions {
  /** Whether the ids are added as comments. */
  withIds: boolean
}

/** The project as YAML. */
export function writeYaml(current: Current, { withIds }: WriteOptions): string {
  const document = documentOf(toFileContent(current))
  separateSections(document)
  if (withIds) commentIds(document, current)
  return textOf(document)
}

/** A part of the content of a project file, written as the whole file writes it. */
export const writePart = (content: unknown): string => textOf(documentOf(content))

function documentOf(content: unknown): Document {
  const { Document, isScalar, visit } = yaml()
  const document: Document = new Document(content, writeDigits)
  visit(document, {
    Seq(_key, list) {
      list.flow = list.items.every(isScalar)
    },
  })
  return document
}

const textOf = (document: Document): string => document.toString({ lineWidth: 0, flowCollectionPadding: false })

const writeDigits = (_name: unknown, value: unknown): unknown => (JSON.isRawJSON(value) ? BigInt(value.rawJSON) : value)

/** Adds an empty line above every section. */
function separateSections({ contents }: Document): void {
  const { isMap, isScalar } = yaml()
  if (!isMap(contents)) return
  for (const { key } of contents.items.slice(1)) if (isScalar(key)) key.spaceBefore = true
}

function commentIds(document: Document, { sections, rows }: Current): void {
  for (const section of sections)
    for (const [place, id] of placesOf(section, rows.get(section.key.name))) comment(document.getIn(place, true), id)
}

const placesOf = (section: AnySection, rows: unknown): [place: Path, id: string][] =>
  section.places?.(rows) ?? [...section.names(rows)].map(([id, name]) => [[section.key.name, name], id])

/** Writes the comment above the first member of the object. */
function comment(node: unknown, id: string): void {
  if (yaml().isMap(node) || yaml().isSeq(node)) (node as YamlNode).commentBefore = ` ${id}`
}
