import { formatPath, type LocatedProblem, type Path, type Position, problem } from './problem'
import type { Sections } from './section'
import type { BuiltTree, Member, Node } from './tree'

/** A project as the content of a file, as `toFileContent` gives it. */
type Content = Readonly<Record<string, unknown>>

/** The file that a patch makes of a project. */
export interface Patched {
  tree: BuiltTree
  /**
   * The patch removes something. Then its sections are in the file with all their objects, so that what the file no
   * longer names is what the patch removes, and the file must be applied with `prune`.
   */
  removes: boolean
}

const START: Position = { line: 1, column: 1 }

/**
 * Puts a patch over the content of a project, as JSON Merge Patch (RFC 7396) does: mappings are merged, everything else
 * is replaced, `null` removes. The file has the sections of the patch alone, and in them only the objects that the patch
 * names. What comes from the project has the position of the part of the patch in which it is.
 */
export function patchedFile(patch: BuiltTree, content: Content, sections: Sections): Patched {
  const { root } = patch
  if (root.kind !== 'map' || patch.problems.length > 0) return { tree: patch, removes: false }
  const removes = hasNull(root)
  const whole = new Set(sections.filter(({ isOneObject }) => removes || isOneObject).map(({ key }) => key.name))
  const members = new Map<string, Member>([['version', { at: START, node: { kind: 'scalar', value: 1 } }]])
  const problems: LocatedProblem[] = []
  for (const [name, { at, node }] of root.members) {
    if (isNull(node))
      problems.push(refused([name], at, 'A patch removes single objects: give each of them the value null'))
    const base = objectsOf(content, name)
    const named = removes || whole.has(name) ? base : onlyNamed(base, node)
    members.set(name, { at, node: merged(withRenames(named, base, node), node, at, { path: [name], problems }) })
  }
  return { tree: { ...patch, root: { kind: 'map', members }, problems }, removes }
}

/** The sections of a file, as the project has them. Applying it with `prune` must change nothing. */
export function filedSections({ root, ...rest }: BuiltTree, content: Content): BuiltTree {
  if (root.kind !== 'map') return { root, ...rest }
  const kept = [...root.members.keys()].filter((name) => name === 'version' || Object.hasOwn(content, name))
  const named = Object.fromEntries(kept.map((name) => [name, content[name]]))
  return { root: nodeOf({ ...named, version: 1 }, START), problems: [], longs: [] }
}

const refused = (path: Path, at: Position, message: string): LocatedProblem => ({
  ...at,
  ...problem(path, message),
  path: formatPath(path),
})

/**
 * Whether a place is inside a value that is a mapping, in which null is a value too: metadata, the JSON of a flag, the
 * rules of an audience. Everywhere else a member that is null is the same as one that is absent.
 */
export function isInValue([section, , member, environment, of, ...rest]: Path): boolean {
  if (environment === undefined) return false
  if (section === 'flags') return member === 'environments' && of === 'default' && rest.length > 0
  return member === 'metadata' || (section === 'audiences' && member === 'rules')
}

const NULL_IN_VALUE =
  'In a patch null removes, and there is nothing to remove here: where a value has to hold null, apply a file with the whole object (svc apply -f)'

const isNull = (node: Node): boolean => node.kind === 'scalar' && node.value === null

function hasNull(node: Node): boolean {
  if (node.kind === 'map') return [...node.members.values()].some((member) => hasNull(member.node))
  return isNull(node)
}

function objectsOf(content: Content, name: string): Content {
  const found = Object.hasOwn(content, name) ? content[name] : null
  return isObject(found) ? found : {}
}

const onlyNamed = (base: Content, patch: Node): Content =>
  Object.fromEntries(Object.entries(base).filter(([name]) => patch.kind === 'map' && patch.members.has(name)))

/** An object with a new name starts as the object that it was. */
function withRenames(named: Content, base: Content, patch: Node): Content {
  const result: Record<string, unknown> = { ...named }
  if (patch.kind !== 'map') return result
  for (const [name, { node }] of patch.members) {
    const was = formerName(node)
    if (was === null || Object.hasOwn(base, name) || !Object.hasOwn(base, was)) continue
    result[name] = base[was]
    if (!patch.members.has(was)) delete result[was]
  }
  return result
}

function formerName(node: Node): string | null {
  const was = node.kind === 'map' ? node.members.get('was')?.node : undefined
  return was?.kind === 'scalar' && typeof was.value === 'string' ? was.value : null
}

/** Where a merged part is in the file, and the problems that were found so far. */
interface Place {
  path: Path
  problems: LocatedProblem[]
}

function merged(base: unknown, patch: Node, at: Position, { path, problems }: Place): Node {
  if (patch.kind !== 'map') return patch
  const own = isObject(base) ? base : {}
  const members = new Map(Object.entries(own).map(([name, value]) => [name, { at, node: nodeOf(value, at) }]))
  for (const [name, member] of patch.members) {
    const before = Object.hasOwn(own, name) ? own[name] : null
    const inner = [...path, name]
    if (!isNull(member.node))
      members.set(name, { at: member.at, node: merged(before, member.node, member.at, { path: inner, problems }) })
    else if (!members.delete(name) && isInValue(inner)) problems.push(refused(inner, member.at, NULL_IN_VALUE))
  }
  return { kind: 'map', members }
}

/** A value of the content as a node. */
function nodeOf(value: unknown, at: Position): Node {
  if (Array.isArray(value)) return { kind: 'list', items: value.map((item) => ({ at, node: nodeOf(item, at) })) }
  if (JSON.isRawJSON(value)) return { kind: 'scalar', value: BigInt(value.rawJSON) }
  if (!isObject(value)) return { kind: 'scalar', value: value as string | number | boolean | null }
  const given = Object.entries(value).filter(([, member]) => member !== undefined)
  return { kind: 'map', members: new Map(given.map(([name, member]) => [name, { at, node: nodeOf(member, at) }])) }
}

const isObject = (value: unknown): value is Content =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value)
