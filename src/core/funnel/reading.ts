import { type Fault, faultAt } from '../text/fault'

export type Members = Record<string, unknown>

export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads a document of which nothing is known yet; it collects the faults and never throws. */
export class Reading {
  readonly faults: Fault[] = []

  refuse(path: string, message: string): void {
    this.faults.push(faultAt(path, message))
  }

  /** The members of an object; unknown members are faults. */
  object(value: unknown, path: string, known: readonly string[]): Members {
    if (!isObject(value)) {
      this.refuse(path, `must be an object with ${known.join(', ')}`)
      return {}
    }
    for (const name of Object.keys(value))
      if (!known.includes(name)) this.refuse(`${path}.${name}`, `is not known here; there are ${known.join(', ')}`)
    return value
  }

  /** The items of a list with their places; an absent list is empty. */
  list(value: unknown, path: string, max: number): [item: unknown, path: string][] {
    if (value == null) return []
    if (Array.isArray(value) && value.length <= max) return value.map((item, index) => [item, `${path}[${index}]`])
    this.refuse(path, Array.isArray(value) ? `must not be more than ${max}` : 'must be a list')
    return []
  }

  text(value: unknown, path: string, max: number): string {
    if (typeof value === 'string' && value.trim() !== '' && value.length <= max && isStorable(value)) return value
    this.refuse(path, `must be a text of 1 to ${max} characters`)
    return ''
  }

  oneOf<Value extends string>(value: unknown, path: string, values: readonly [Value, ...Value[]]): Value {
    const found = values.find((candidate) => candidate === value)
    if (found === undefined) this.refuse(path, `must be one of ${values.join(', ')}`)
    return found ?? values[0]
  }

  id(value: unknown, path: string): string {
    if (typeof value === 'string' && isId(value)) return value
    this.refuse(path, 'must be 1 to 64 letters, digits, dollar signs, underscores, dots or dashes')
    return ''
  }

  /** Adds a fault for each id that occurred before. */
  unique(ids: readonly [id: string, path: string][], what: string): void {
    const seen = new Set<string>()
    for (const [id, path] of ids) {
      if (id !== '' && seen.has(id)) this.refuse(path, `stands twice; every ${what} needs an id of its own`)
      seen.add(id)
    }
  }
}

/** Whether every database can store the text. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

const ID = /^[A-Za-z0-9$_.-]{1,64}$/

/** Whether a text can name a page, a field, a block, an option or a package. */
export const isId = (text: string): boolean => ID.test(text) && text !== '__proto__'
