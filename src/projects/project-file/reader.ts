import type { ErrorCode } from '../../base/errors'
import type { SectionKey } from './model'
import { type Path, type Problem, problem } from './problem'
import { suggest } from './suggest'
import type { Node } from './tree'

/** A place of the file that names another object. */
export interface Reference {
  /** Of the object that is named. */
  kind: string
  name: string
  path: Path
  refusal: ReferenceRefusal
}

/** How a name that leads nowhere is refused; `names`: all such names of the kind, refused with the same code. */
export interface ReferenceRefusal {
  code: ErrorCode
  details(kind: string, names: readonly string[]): Record<string, unknown> | null
}

const UNKNOWN_REFERENCES: ReferenceRefusal = {
  code: 'UNKNOWN_REFERENCES',
  details: (resource, ids) => ({ resource, ids }),
}

/** What reading a file brings to light beside its values. */
export interface Findings {
  problems: Problem[]
  references: Reference[]
}

/** One value of the file while it is being read, with the way to complain about it. */
export class Spot {
  constructor(
    readonly node: Node,
    readonly path: Path,
    private readonly findings: Findings,
  ) {}

  /** Records a problem; gives nothing, so that a reader can return it. */
  fail(message: string, code?: ErrorCode, details?: Record<string, unknown>): undefined {
    this.findings.problems.push(problem(this.path, message, code, details ?? null))
  }

  /** Records a problem somewhere below. */
  failAt(steps: Path, message: string): undefined {
    this.findings.problems.push(problem([...this.path, ...steps], message))
  }

  /** How many problems the file has so far. */
  get problemCount(): number {
    return this.findings.problems.length
  }

  /** Records that an object of a section is named here. */
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

/** Reads one value, or fails at its spot and gives nothing. */
export type Read<Value> = (spot: Spot) => Value | undefined

/**
 * The members of a mapping, read by name; `close` complains about the ones that nobody asked for. What stands in for
 * a value that failed is never used: a file with problems is refused as a whole.
 */
export class Members {
  private readonly asked = new Set<string>()

  constructor(private readonly spot: Spot) {}

  /** A member that may be absent (or null). */
  optional<Value>(name: string, read: Read<Value>, fallback: Value): Value {
    const member = this.take(name)
    return member === null || member.isNull ? fallback : (read(member) ?? fallback)
  }

  required<Value>(name: string, read: Read<Value>, standIn: Value): Value {
    const member = this.take(name)
    if (member !== null && !member.isNull) return read(member) ?? standIn
    this.spot.fail(`${name} is missing`)
    return standIn
  }

  /** The member as it stands, or null. */
  take(name: string): Spot | null {
    this.asked.add(name)
    const member = this.spot.node.kind === 'map' ? this.spot.node.members.get(name) : undefined
    return member === undefined ? null : this.spot.at(name, member.node)
  }

  close(): void {
    if (this.spot.node.kind !== 'map') return
    for (const [name, { node }] of this.spot.node.members)
      if (!this.asked.has(name)) this.spot.at(name, node).fail(this.unknownKey(name))
  }

  private unknownKey(name: string): string {
    const likely = suggest(name, [...this.asked])
    return `Unknown key "${name}"${likely === null ? '' : `; did you mean ${likely}?`}`
  }
}

/** Reads a mapping through its members; an empty value counts as `{}`. */
export const object =
  <Value>(read: (members: Members, spot: Spot) => Value): Read<Value> =>
  (spot) => {
    if (spot.node.kind !== 'map' && !spot.isNull) return spot.fail('This must be a mapping of names to values')
    const members = new Members(spot)
    const value = read(members, spot)
    members.close()
    return value
  }

/** Every member of a mapping, in the order of the file. */
export const entries =
  <Value>(read: (name: string, spot: Spot) => Value | undefined): Read<Value[]> =>
  (spot) => {
    if (spot.node.kind !== 'map') return spot.fail('This must be a mapping of names to values; write {} for none')
    const values = [...spot.node.members].map(([name, { node }]) => read(name, spot.at(name, node)))
    return values.filter((value) => value !== undefined)
  }

export const list =
  <Value>(read: Read<Value>, max: number): Read<Value[]> =>
  (spot) => {
    if (spot.node.kind !== 'list') return spot.fail('This must be a list')
    if (spot.node.items.length > max) return spot.fail(`At most ${max} entries`)
    return spot.node.items.map(({ node }, index) => read(spot.at(index, node))).filter((value) => value !== undefined)
  }

export const text =
  (max: number, min = 1): Read<string> =>
  (spot) => {
    const value = spot.node.kind === 'scalar' ? spot.node.value : null
    if (typeof value === 'number' || typeof value === 'boolean') return spot.fail('This must be text; put it in quotes')
    if (typeof value !== 'string') return spot.fail('This must be text')
    if (value.length < min || value.length > max) return spot.fail(`This must have ${min} to ${max} characters`)
    return value
  }

/** Text that passes a check; the check gives the complaint or null. */
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
    const given = spot.node.kind === 'scalar' ? spot.node.value : null
    return values.find((value) => value === given) ?? spot.fail(`This must be one of ${values.join(', ')}`)
  }

export const bool: Read<boolean> = (spot) => {
  const value = spot.node.kind === 'scalar' ? spot.node.value : null
  return typeof value === 'boolean' ? value : spot.fail('This must be true or false')
}

export const number =
  (min: number, max: number): Read<number> =>
  (spot) => {
    const value = spot.node.kind === 'scalar' ? spot.node.value : null
    const fits = typeof value === 'number' && value >= min && value <= max
    return fits ? value : spot.fail(`This must be a number from ${min} to ${max}`)
  }

export const integer =
  (min: number, max: number): Read<number> =>
  (spot) => {
    const value = spot.node.kind === 'scalar' ? spot.node.value : null
    const fits = typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
    return fits ? value : spot.fail(`This must be a whole number from ${min} to ${max}`)
  }

/** The node as the plain JSON value that it stands for. */
export function toJson(node: Node): unknown {
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'list') return node.items.map((item) => toJson(item.node))
  return Object.fromEntries([...node.members].map(([name, member]) => [name, toJson(member.node)]))
}
