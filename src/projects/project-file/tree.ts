import type { LineCounter, ParsedNode, YAMLMap, YAMLSeq, Scalar as YamlScalar } from 'yaml'
import { readInt64 } from '../../base/lib/int64'
import { readYaml, type YamlText } from './document'
import { formatPath, type LocatedProblem, type Path, type Position, type Problem, problem } from './problem'
import { yaml } from './yaml'

/** A `bigint` stands only where `readTree` was told that 64 bits are expected. */
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

/**
 * The file as plain nodes with their positions, or the problems with its YAML. An integer beyond ±(2^53−1) is a problem,
 * except at the paths that `isInt64` names: there its digits are kept. `read` is the text when it was already read.
 */
export function readTree(
  text: string,
  isInt64: (path: Path) => boolean = () => false,
  read?: YamlText,
): { root: Node } | { problems: LocatedProblem[] } {
  if (text.length > MAX_FILE_CHARS)
    return { problems: [faultAt({ line: 1, column: 1 }, `The file is over ${MAX_FILE_CHARS} characters`)] }
  const { document, lines } = read ?? readYaml(text)
  const builder = new Builder(lines, isInt64)
  for (const { pos, message } of [...document.errors, ...document.warnings]) builder.refuse(pos[0], [], message)
  const root = builder.problems.length > 0 ? NOTHING : builder.build(document.contents, [])
  return builder.problems.length > 0 ? { problems: builder.problems } : { root }
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
  problems
    .map((found) => ({ ...locate(root, found.path), ...found, path: formatPath(found.path) }))
    .sort((a, b) => a.line - b.line || a.column - b.column)

const faultAt = (at: Position, message: string, path: Path = []): LocatedProblem => ({
  ...at,
  ...problem(path, message),
  path: formatPath(path),
})

class Builder {
  readonly problems: LocatedProblem[] = []
  private readonly anchors = new Map<string, ParsedNode>()
  private count = 0

  constructor(
    private readonly lines: LineCounter,
    private readonly isInt64: (path: Path) => boolean,
  ) {}

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
    if (!this.isInt64(path))
      return this.refuse(offset, path, 'This number is beyond ±(2^53-1); write it as text in quotes')
    const value = readInt64(source.replace(/^\+/, ''))
    return value === null ? this.refuse(offset, path, 'This number is beyond ±(2^63-1)') : { kind: 'scalar', value }
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
