import type { ErrorCode } from '../../base/errors'
import { type JsonInteger, MAX_INT64, toJsonInteger } from '../../base/lib/int64'
import { suggest } from '../../base/lib/suggest'
import type { SectionKey } from './model'
import { type Path, type Problem, problem } from './problem'
import type { BuiltTree, Node } from './tree'

/** Reads the text of placeholders; null if there is none. Paths are relative to the project file. */
export interface Sources {
  env(name: string): string | null
  file(path: string): string | null
  /** Why the file must have no secret as text, so that each is refused; absent = it may have them. */
  secretFault?: string
  /** The text of a file as YAML, when it was already read. */
  tree?(path: string): BuiltTree | undefined
}

/** A JSON Schema (draft 2020-12) as plain JSON. */
export type Schema = Record<string, unknown>

/**
 * The schema of one value, drawn by the reader of the value: a spot with a sketch has nothing to read, and its reader
 * writes down what it accepts. So the schema of the project file cannot differ from what is read.
 */
export class Sketch {
  schema: Schema = {}
}

const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] })

/** A place in the file that names another object. */
export interface Reference {
  /** The kind of the named object. */
  kind: string
  name: string
  path: Path
  refusal: ReferenceRefusal
}

/** How the name of an unknown object is refused. `names`: all unknown names of the kind with the same code. */
export interface ReferenceRefusal {
  code: ErrorCode
  details(kind: string, names: readonly string[]): Record<string, unknown> | null
}

const UNKNOWN_REFERENCES: ReferenceRefusal = {
  code: 'UNKNOWN_REFERENCES',
  details: (resource, ids) => ({ resource, ids }),
}

/** A file during reading: the problems and references that were found, and what its placeholders can name. */
export interface Findings {
  problems: Problem[]
  references: Reference[]
  sources: Sources
}

/** One value of the file during reading, with the methods that record a problem with it. */
export class Spot {
  constructor(
    readonly node: Node,
    readonly path: Path,
    private readonly findings: Findings,
    /** Set while the schema of the file is drawn; then there is no value. */
    readonly sketch: Sketch | null = null,
  ) {}

  /** Draws what is accepted here; false when there is a value to read. */
  draws(schema: () => Schema): boolean {
    if (this.sketch) this.sketch.schema = schema()
    return this.sketch !== null
  }

  /** A place inside this one of which the schema is drawn. */
  inner(step: string | number): Spot {
    return new Spot(this.node, [...this.path, step], this.findings, new Sketch())
  }

  /** What a reader accepts at a place inside this one. */
  schemaOf(read: Read<unknown>, step: string | number = 0): Schema {
    const inner = this.inner(step)
    read(inner)
    return inner.sketch?.schema ?? {}
  }

  /** Records a problem. Returns undefined, so that a reader can return the result of this call. */
  fail(message: string, code?: ErrorCode, details?: Record<string, unknown>): undefined {
    this.findings.problems.push(problem(this.path, message, code, details ?? null))
  }

  /** Records a problem with a value inside this one. */
  failAt(steps: Path, message: string, code?: ErrorCode, details?: Record<string, unknown>): undefined {
    this.findings.problems.push(problem([...this.path, ...steps], message, code, details ?? null))
  }

  get sources(): Sources {
    return this.findings.sources
  }

  /** The number of problems that were found in the file so far. */
  get problemCount(): number {
    return this.findings.problems.length
  }

  /** Records that this value names an object of a section. */
  refer({ kind }: SectionKey<unknown>, name: string, refusal: ReferenceRefusal = UNKNOWN_REFERENCES): void {
    this.findings.references.push({ kind, name, path: this.path, refusal })
  }

  at(step: string | number, node: Node): Spot {
    return new Spot(node, [...this.path, step], this.findings)
  }

  get isNull(): boolean {
    return this.node.kind === 'scalar' && this.node.value === null
  }
}

/** Reads one value. If it is wrong, records a problem at its spot and returns undefined. */
export type Read<Value> = (spot: Spot) => Value | undefined

/** A reader that also knows how its value is written, if the file does not have the value as it is. */
export type Written<Value> = Read<Value> & { write?(value: Value): unknown }

export const writtenAs = <Value>(read: Read<Value>, write: (value: Value) => unknown): Written<Value> =>
  Object.assign((spot: Spot) => read(spot), { write })

/**
 * The members of a mapping, read by name. `close` records a problem for each member that was not read. The replacement
 * for a value that failed is never used: a file with problems is refused as a whole.
 */
export class Members {
  private readonly knownNames = new Set<string>()
  private readonly requiredNames: string[] = []
  private readonly drawn = new Map<string, Spot>()

  constructor(private readonly spot: Spot) {}

  /** Reads a member that may be absent or null. */
  optional<Value>(name: string, read: Read<Value>, fallback: Value): Value {
    const member = this.take(name)
    if (member?.sketch) {
      read(member)
      member.sketch.schema = orNull(member.sketch.schema)
      return fallback
    }
    return member === null || member.isNull ? fallback : (read(member) ?? fallback)
  }

  required<Value>(name: string, read: Read<Value>, standIn: Value): Value {
    const member = this.take(name)
    if (member?.sketch) {
      read(member)
      this.requiredNames.push(name)
      return standIn
    }
    if (member !== null && !member.isNull) return read(member) ?? standIn
    this.spot.fail(`${name} is missing`)
    return standIn
  }

  /** The member without reading it; null if it is absent. */
  take(name: string): Spot | null {
    this.knownNames.add(name)
    if (this.spot.sketch) return this.draw(name)
    const member = this.spot.node.kind === 'map' ? this.spot.node.members.get(name) : undefined
    return member === undefined ? null : this.spot.at(name, member.node)
  }

  private draw(name: string): Spot {
    const inner = this.drawn.get(name) ?? this.spot.inner(name)
    this.drawn.set(name, inner)
    return inner
  }

  /** The schema of a mapping with the members that were read. */
  get schema(): Schema {
    const properties = Object.fromEntries([...this.drawn].map(([name, { sketch }]) => [name, sketch?.schema ?? {}]))
    const required = this.requiredNames.length > 0 ? { required: this.requiredNames } : {}
    return { type: 'object', properties, ...required, additionalProperties: false }
  }

  close(): void {
    if (this.spot.node.kind !== 'map') return
    for (const [name, { node }] of this.spot.node.members)
      if (!this.knownNames.has(name)) this.spot.at(name, node).fail(this.unknownKey(name))
  }

  private unknownKey(name: string): string {
    const likely = suggest(name, [...this.knownNames])
    return `Unknown key "${name}"${likely === null ? '' : `; did you mean ${likely}?`}`
  }
}

/** Reads a mapping by its members. An empty value is read as `{}`. */
export const object =
  <Value>(read: (members: Members, spot: Spot) => Value): Read<Value> =>
  (spot) => {
    if (spot.node.kind !== 'map' && !spot.isNull) return spot.fail('This must be a mapping of names to values')
    const members = new Members(spot)
    const value = read(members, spot)
    members.close()
    spot.draws(() => members.schema)
    return value
  }

/** Reads all members of a mapping, in the order of the file. */
export const entries =
  <Value>(read: (name: string, spot: Spot) => Value | undefined): Read<Value[]> =>
  (spot) => {
    const drawEntries = () => ({ type: 'object', additionalProperties: spot.schemaOf((inner) => read('name', inner)) })
    if (spot.draws(drawEntries)) return []
    if (spot.node.kind !== 'map') return spot.fail('This must be a mapping of names to values; write {} for none')
    const values = [...spot.node.members].map(([name, { node }]) => read(name, spot.at(name, node)))
    return values.filter((value) => value !== undefined)
  }

export const list = <Value>(read: Written<Value>, max: number): Written<Value[]> =>
  writtenAs(
    (spot) => {
      if (spot.draws(() => ({ type: 'array', items: spot.schemaOf(read), maxItems: max }))) return undefined
      if (spot.node.kind !== 'list') return spot.fail('This must be a list')
      if (spot.node.items.length > max) return spot.fail(`At most ${max} entries`)
      return spot.node.items.map(({ node }, index) => read(spot.at(index, node))).filter((value) => value !== undefined)
    },
    (values) => values.map((value) => read.write?.(value) ?? value),
  )

/** Leaves out entries of a list that it has already. */
export const unique = <Value>(read: Written<Value[]>): Written<Value[]> =>
  Object.assign((spot: Spot) => {
    const values = read(spot)
    return values && [...new Set(values)]
  }, read.write && { write: read.write })

export const text =
  (max: number, min = 1): Read<string> =>
  (spot) => {
    if (spot.draws(() => ({ type: 'string', minLength: min, maxLength: max }))) return undefined
    const value = spot.node.kind === 'scalar' ? (spot.node.text ?? spot.node.value) : null
    if (typeof value !== 'string' && value !== null) return spot.fail('This must be text; put it in quotes')
    if (typeof value !== 'string') return spot.fail('This must be text')
    if (value.length < min || value.length > max) return spot.fail(`This must have ${min} to ${max} characters`)
    return value
  }

/** Reads a text that passes a check. The check returns the message of the problem, or null. */
export const checkedText =
  (max: number, check: (value: string) => string | null): Read<string> =>
  (spot) => {
    const value = text(max)(spot)
    const complaint = value === undefined ? null : check(value)
    return complaint === null ? value : spot.fail(complaint)
  }

export const oneOf =
  <Value extends string>(values: readonly Value[]): Read<Value> =>
  (spot) => {
    if (spot.draws(() => ({ enum: values }))) return undefined
    const given = spot.node.kind === 'scalar' ? (spot.node.text ?? spot.node.value) : null
    return values.find((value) => value === given) ?? spot.fail(`This must be one of ${values.join(', ')}`)
  }

export const bool: Read<boolean> = (spot) => {
  if (spot.draws(() => ({ type: 'boolean' }))) return undefined
  const value = spot.node.kind === 'scalar' ? spot.node.value : null
  return typeof value === 'boolean' ? value : spot.fail('This must be true or false')
}

export const number =
  (min: number, max: number): Read<number> =>
  (spot) => {
    if (spot.draws(() => ({ type: 'number', minimum: min, maximum: max }))) return undefined
    const value = spot.node.kind === 'scalar' ? spot.node.value : null
    const fits = typeof value === 'number' && value >= min && value <= max
    return fits ? value : spot.fail(`This must be a number from ${min} to ${max}`)
  }

export const integer =
  (min: number, max: number): Read<number> =>
  (spot) => {
    if (spot.draws(() => ({ type: 'integer', minimum: min, maximum: max }))) return undefined
    const value = spot.node.kind === 'scalar' ? spot.node.value : null
    const fits = typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
    return fits ? value : spot.fail(`This must be a whole number from ${min} to ${max}`)
  }

/** Reads a whole number of 64 bits, up to 2^63−1. The section must name its path in `isInt64`. */
export const int64 =
  (min: number): Read<JsonInteger> =>
  (spot) => {
    if (spot.draws(() => ({ type: 'integer', minimum: min }))) return undefined
    const value = spot.node.kind === 'scalar' ? spot.node.value : null
    const isWhole = typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))
    return isWhole && value >= min
      ? toJsonInteger(BigInt(value))
      : spot.fail(`This must be a whole number from ${min} to ${MAX_INT64}`)
  }

/** A reader whose schema is given, because it looks at the value itself. */
export const drawnAs =
  <Value>(schema: Schema, read: Read<Value>): Read<Value> =>
  (spot) =>
    spot.draws(() => schema) ? undefined : read(spot)

/** Draws that a value is one of those of several readers. */
export const drawsAny = (spot: Spot, reads: readonly Read<unknown>[]): boolean =>
  spot.draws(() => ({ anyOf: reads.map((read) => spot.schemaOf(read)) }))

/** The JSON value of a node. */
export function toJson(node: Node): unknown {
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'list') return node.items.map((item) => toJson(item.node))
  return Object.fromEntries([...node.members].map(([name, member]) => [name, toJson(member.node)]))
}
