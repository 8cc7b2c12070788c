import type { Document, LineCounter, ParsedNode, YAMLMap, YAMLSeq, Scalar as YamlScalar } from 'yaml'
import { readInt64 } from '../../base/lib/int64'
import { formatPath, type LocatedProblem, type Path, type Position, type Problem, problem } from './problem'
import { yaml } from './yaml'

/** A text that was read as YAML, and where its lines start. */
interface YamlText {
  document: Document.Parsed<ParsedNode>
  lines: LineCounter
}

// The builder of the tree finds repeated keys, because it compares their text: for YAML, `1` and `"1"` are different
// keys.
const OPTIONS = { prettyErrors: false, uniqueKeys: false } as const

function readYaml(text: string): YamlText {
  const { LineCounter, parseDocument } = yaml()
  const lines = new LineCounter()
  return { document: parseDocument(text, { ...OPTIONS, lineCounter: lines }), lines }
}

/** A `bigint` is only at paths for which `isInt64` is true. */
export type Scalar = string | number | bigint | boolean | null

export interface Member {
  /** The position of its name; for an item of a list, the position of its first character. */
  at: Position
  node: Node
}

export type Node =
  | { kind: 'map'; members: ReadonlyMap<string, Member> }
  | { kind: 'list'; items: readonly Member[] }
  | ScalarNode

export interface ScalarNode {
  kind: 'scalar'
  value: Scalar
  /** The variable that a placeholder named, its text, and whether a reader of secrets has taken it. */
  variable?: string
  text?: string
  isSecret?: boolean
}

export const MAX_FILE_CHARS = 4 * 1024 * 1024
const MAX_NODES = 300_000
const MAX_DEPTH = 32
const NOTHING: Node = { kind: 'scalar', value: null }

/** An integer beyond ±(2^53−1). */
export interface Long {
  path: Path
  at: Position
  /** It is also beyond ±(2^63−1). */
  isTooLong: boolean
}

/** A text as plain nodes. The nodes are worth nothing when there are problems. */
export interface BuiltTree {
  root: Node
  problems: readonly LocatedProblem[]
  longs: readonly Long[]
}

type IsInt64 = (path: Path) => boolean

/**
 * The file as plain nodes with their positions, or the problems with its YAML. An integer beyond ±(2^53−1) is a
 * problem, except at the paths that `isInt64` names: there its digits are kept.
 */
export function readTree(
  text: string,
  isInt64: IsInt64 = () => false,
  { root, problems, longs }: BuiltTree = buildTree(text),
): { root: Node } | { problems: LocatedProblem[] } {
  const wrong = longs.flatMap((long) => problemOfLong(long, isInt64))
  if (problems.length + wrong.length === 0) return { root }
  return { problems: [...problems, ...wrong].sort(byPosition) }
}

function problemOfLong({ path, at, isTooLong }: Long, isInt64: IsInt64): LocatedProblem[] {
  if (!isInt64(path)) return [faultAt(at, 'This number is beyond ±(2^53-1); write it as text in quotes', path)]
  return isTooLong ? [faultAt(at, 'This number is beyond ±(2^63-1)', path)] : []
}

const byPosition = (a: Position, b: Position): number => a.line - b.line || a.column - b.column

/** Everything that follows from the text alone, so that it can be done in another thread. */
export function buildTree(text: string): BuiltTree {
  if (text.length > MAX_FILE_CHARS) {
    const fault = faultAt({ line: 1, column: 1 }, `The file is over ${MAX_FILE_CHARS} characters`)
    return { root: NOTHING, problems: [fault], longs: [] }
  }
  const { document, lines } = readYaml(text)
  const builder = new Builder(lines)
  for (const { pos, message } of [...document.errors, ...document.warnings]) builder.refuse(pos[0], [], message)
  const root = builder.problems.length > 0 ? NOTHING : builder.build(document.contents, [])
  return { root, problems: builder.problems, longs: builder.longs }
}

/** The position of a path, or of the longest part of it that the file has. */
export function locate(root: Node, path: Path): Position {
  let at: Position = { line: 1, column: 1 }
  let node = root
  for (const step of path) {
    const member = typeof step === 'number' ? itemOf(node, step) : memberOf(node, step)
    if (!member) return at
    ;({ at, node } = member)
  }
  return at
}

const itemOf = (node: Node, index: number): Member | undefined => (node.kind === 'list' ? node.items[index] : undefined)

const memberOf = (node: Node, name: string): Member | undefined =>
  node.kind === 'map' ? node.members.get(name) : undefined

/** Adds the position to each problem, and sorts the problems by position. */
export const located = (root: Node, problems: readonly Problem[]): LocatedProblem[] =>
  problems.map((found) => ({ ...locate(root, found.path), ...found, path: formatPath(found.path) })).sort(byPosition)

const faultAt = (at: Position, message: string, path: Path = []): LocatedProblem => ({
  ...at,
  ...problem(path, message),
  path: formatPath(path),
})

class Builder {
  readonly problems: LocatedProblem[] = []
  readonly longs: Long[] = []
  private readonly anchors = new Map<string, ParsedNode>()
  private count = 0

  constructor(private readonly lines: LineCounter) {}

  refuse(offset: number, path: Path, message: string): Node {
    this.problems.push(faultAt(this.position(offset), message, path))
    return NOTHING
  }

  build(node: ParsedNode | null, path: Path): Node {
    if (node === null) return NOTHING
    if (++this.count > MAX_NODES || path.length > MAX_DEPTH) return this.refuseSize(node, path)
    if (yaml().isAlias(node)) return this.build(this.anchors.get(node.source) ?? null, path)
    if (node.anchor !== undefined) this.anchors.set(node.anchor, node)
    if (yaml().isMap(node)) return this.buildMap(node, path)
    if (yaml().isSeq(node)) return this.buildList(node, path)
    return yaml().isScalar(node) ? this.buildScalar(node.value, node, path) : NOTHING
  }

  private buildMap(node: YAMLMap.Parsed, path: Path): Node {
    const members = new Map<string, Member>()
    for (const { key, value } of node.items) {
      const name = this.keyText(key, path)
      if (name === null) continue
      if (members.has(name)) this.refuse(key.range[0], [...path, name], `"${name}" stands here twice`)
      members.set(name, { at: this.position(key.range[0]), node: this.build(value, [...path, name]) })
    }
    return { kind: 'map', members }
  }

  /** The text of the key as it is written, so that an unquoted `007` or `null` is an ordinary name. */
  private keyText(key: ParsedNode, path: Path): string | null {
    const text = yaml().isScalar(key) ? (typeof key.value === 'string' ? key.value : key.source) : null
    if (text !== null && isStorable(text)) return text
    this.refuse(key.range[0], path, 'A key must be text')
    return null
  }

  private buildList(node: YAMLSeq.Parsed, path: Path): Node {
    const items = node.items.map((item, index) => ({
      at: this.position(item.range[0]),
      node: this.build(item, [...path, index]),
    }))
    return { kind: 'list', items }
  }

  private buildScalar(value: unknown, { source, range: [offset] }: YamlScalar.Parsed, path: Path): Node {
    if (value === null || typeof value === 'boolean') return { kind: 'scalar', value }
    if (typeof value === 'string' && isStorable(value)) return { kind: 'scalar', value }
    if (typeof value !== 'number') return this.refuse(offset, path, 'This text holds NUL or an unpaired surrogate')
    if (!Number.isFinite(value)) return this.refuse(offset, path, 'This is not a number that JSON knows')
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) return this.buildLong(source, offset, path)
    return { kind: 'scalar', value: value === 0 ? 0 : value } // The database would return -0 as 0.
  }

  private buildLong(source: string, offset: number, path: Path): Node {
    const value = readInt64(source.replace(/^\+/, ''))
    this.longs.push({ path, at: this.position(offset), isTooLong: value === null })
    return { kind: 'scalar', value }
  }

  private refuseSize(node: ParsedNode, path: Path): Node {
    const isFirst = this.problems.length === 0
    return isFirst
      ? this.refuse(node.range[0], path, 'The file has too many values, or is nested too deep here')
      : NOTHING
  }

  private position(offset: number): Position {
    const { line, col } = this.lines.linePos(offset)
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
}

// PostgreSQL cannot store other text.
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/**
 * The number of YAML tokens in a text. Counting ends at `most` + 1, so a text of any size costs a bounded time: about
 * 1 µs for each token. Reading a text into nodes costs about 4 µs for each of its tokens.
 */
export function countTokens(text: string, most: number): number {
  const { Lexer } = yaml()
  const tokens = new Lexer().lex(text)
  let count = 0
  while (count <= most && !tokens.next().done) count++
  return count
}
