import type * as Yaml from 'yaml'
import { type FileKind, SECTIONS } from './project-file'

/**
 * Members of an object as the file writes them, in the order of the file. `null`: the file leaves the member out.
 * `undefined`: the form does not know the member, and it stays.
 */
export type FileMembers = Readonly<Record<string, unknown>>

/** An object of a form, as the project file writes it. */
export interface FileDraft {
  /** What the form calls the object. When that is another name, the file renames it. */
  name?: string
  members: FileMembers
  /** Changed members of a member, where the form does not have all of them. */
  inside?: Readonly<Record<string, FileMembers>>
  /** A member that no other object of the section keeps. */
  single?: string
}

/** The members of an exported file that name an object of another section. `*` matches every name and place. */
const USES: Partial<Record<FileKind, readonly (readonly string[])[]>> = {
  access: [['products', '*', 'access', '*']],
  virtualCurrency: [['products', '*', 'grants', '*', 'currency']],
  product: [['offerings', '*', 'packages', '*', 'product']],
  offering: [
    ['experiments', 'OFFERING', 'variants', '*', 'value'],
    ['placements', '*', 'rows', '*', 'target', 'offering'],
  ],
  audience: [
    ['flags', '*', 'environments', '*', 'rules', '*', 'audience'],
    ['experiments', '*', 'audience'],
    ['placements', '*', 'rows', '*', 'audience'],
  ],
  experiment: [['placements', '*', 'rows', '*', 'target', 'experiment']],
}

/** The exported file with one object as the form has it. */
export function changedFile(
  yaml: typeof Yaml,
  file: string,
  kind: FileKind,
  identifier: string,
  draft: FileDraft,
): string {
  const document = yaml.parseDocument(file, { intAsBigInt: true })
  const { name = identifier, members, inside = {}, single } = draft
  const section = kind === 'project' ? [] : [SECTIONS[kind]]
  const path = kind === 'project' ? [SECTIONS.project] : [SECTIONS[kind], identifier]
  const isRenamed = kind !== 'project' && name !== identifier && name !== ''
  const value = document.getIn(path, true)
  const object = yaml.isMap(value) ? value : new yaml.YAMLMap()
  if (single !== undefined) removeFromOthers(yaml, document.getIn(section, true), identifier, single)
  write(yaml, document, object, isRenamed ? { was: identifier, ...members } : members)
  for (const [member, own] of Object.entries(inside)) writeInside(yaml, document, object, member, own)
  if (!yaml.isMap(value)) document.setIn(path, object)
  if (isRenamed) {
    rename(yaml, document.getIn(section, true), identifier, name)
    for (const use of USES[kind] ?? []) renameIn(yaml, document.contents, use, identifier, name)
  }
  return document.toString({ lineWidth: 0, flowCollectionPadding: false })
}

/** Gives a map these members, in this order. Nodes whose value is the same stay as they are written. */
function write(yaml: typeof Yaml, document: Yaml.Document, map: Yaml.YAMLMap, members: FileMembers): void {
  const before = new Map(map.items.map((pair) => [String(pair.key), pair]))
  const named = Object.entries(members).flatMap(([name, value]) => {
    const old = before.get(name)
    if (value === null || (value === undefined && !old)) return []
    const isKept = old && (value === undefined || isEqual(jsonOf(old.value), value))
    return [isKept ? old : document.createPair(name, nodeOf(yaml, document, value))]
  })
  const others = map.items.filter((pair) => !(String(pair.key) in members))
  map.items = [...named, ...others]
  if (map.items.length > 0) map.flow = false
}

function writeInside(
  yaml: typeof Yaml,
  document: Yaml.Document,
  object: Yaml.YAMLMap,
  member: string,
  members: FileMembers,
): void {
  const found = object.get(member, true)
  const map = yaml.isMap(found) ? found : new yaml.YAMLMap()
  const before = map.items.map((pair) => String(pair.key))
  const order = [...before, ...Object.keys(members).filter((name) => !before.includes(name))]
  write(yaml, document, map, Object.fromEntries(order.map((name) => [name, members[name]])))
  if (map.items.length === 0) object.delete(member)
  else if (!yaml.isMap(found)) object.set(member, map)
}

function removeFromOthers(yaml: typeof Yaml, section: unknown, identifier: string, member: string): void {
  if (!yaml.isMap(section)) return
  for (const { key, value } of section.items) if (String(key) !== identifier && yaml.isMap(value)) value.delete(member)
}

function rename(yaml: typeof Yaml, section: unknown, old: string, name: string): void {
  if (!yaml.isMap(section)) return
  const pair = section.items.find(({ key }) => String(key) === old)
  if (pair && yaml.isScalar(pair.key)) pair.key.value = name
}

/** Gives another name to what the members at a path name. A capital word among the steps is the type of the object. */
function renameIn(yaml: typeof Yaml, node: unknown, path: readonly string[], old: string, name: string): void {
  const [step, ...rest] = path
  if (step === undefined) {
    if (yaml.isScalar(node) && node.value === old) node.value = name
  } else if (yaml.isSeq(node)) {
    for (const item of node.items) renameIn(yaml, item, rest, old, name)
  } else if (yaml.isMap(node)) {
    for (const { key, value } of node.items) if (isStep(yaml, step, key, value)) renameIn(yaml, value, rest, old, name)
  }
}

function isStep(yaml: typeof Yaml, step: string, key: unknown, value: unknown): boolean {
  if (step === '*' || step === String(key)) return true
  return step === step.toUpperCase() && yaml.isMap(value) && value.get('type') === step
}

const jsonOf = (node: unknown): unknown =>
  node !== null && typeof node === 'object' && 'toJSON' in node ? (node as Yaml.Node).toJSON() : node

/** Whether two values are written in the same way. Whole numbers are `bigint` on one side. */
const isEqual = (a: unknown, b: unknown): boolean => textOf(a) === textOf(b)

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_name, member: unknown) => (typeof member === 'bigint' ? Number(member) : member))

/** Lists of plain values are written in one line, as in the export. */
function nodeOf(yaml: typeof Yaml, document: Yaml.Document, value: unknown): Yaml.Node {
  const node = document.createNode(value)
  yaml.visit(node, {
    Seq(_key, list) {
      list.flow = list.items.every(yaml.isScalar)
    },
  })
  return node
}

/** Null for what the file leaves out because it is the default: nothing, an empty text, list or map. */
export function filled(value: unknown): unknown {
  if (value === undefined || value === null || value === '') return null
  return typeof value === 'object' && Object.keys(value).length === 0 ? null : value
}
