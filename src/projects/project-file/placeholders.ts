import { readInt64 } from '../../base/lib/int64'
import { type Path, type Problem, problem } from './problem'
import type { Node, Scalar, ScalarNode } from './tree'

/** A value that names a variable or a file in its place: `${env:API_NAME}`. */
export const PLACEHOLDER = /^\$\{(env|file):([^}]+)\}$/

/** A text that looks like a placeholder and is none has one more `$` in the file. */
const ESCAPED = /^\$(?=\$+\{(env|file):)/
const NEEDS_ESCAPE = /^\$+\{(env|file):/

/** A secret in an exported file: the variable that has its text. */
export class SecretVariable {
  constructor(private readonly name: string) {}

  toString(): string {
    return `\${env:${this.name}}`
  }
}

/** The text of a variable; null if it is not set. */
type ReadVariable = (name: string) => string | null

interface Place {
  path: Path
  node: ScalarNode
}

/**
 * Puts the values of variables in the place of the placeholders that name them. The answer is those that have no value:
 * readers of secrets keep the saved secret then, and everywhere else it is a problem.
 */
export function fillPlaceholders(root: Node, env: ReadVariable, isInt64: (path: Path) => boolean): Place[] {
  const unset: Place[] = []
  const fill = (node: Node, path: Path): void => {
    if (node.kind === 'list') for (const [index, item] of node.items.entries()) fill(item.node, [...path, index])
    else if (node.kind === 'map') for (const [name, member] of node.members) fill(member.node, [...path, name])
    else if (!fillScalar(node, env, isInt64(path))) unset.push({ path, node })
  }
  fill(root, [])
  return unset
}

/** False when the variable has no value. */
function fillScalar(node: ScalarNode, env: ReadVariable, isInt64: boolean): boolean {
  if (typeof node.value !== 'string') return true
  const [, kind, name] = PLACEHOLDER.exec(node.value.trim()) ?? []
  node.value = node.value.replace(ESCAPED, '')
  if (kind !== 'env' || name === undefined) return true
  node.variable = name
  const text = env(name)?.trim()
  if (!text) return false
  node.text = text
  node.value = toScalar(text, isInt64)
  return true
}

const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/

/** The text as a plain value of YAML is read. Readers of text take the text itself. */
function toScalar(text: string, isInt64: boolean): Scalar {
  if (text === 'true' || text === 'false') return text === 'true'
  if (!NUMBER.test(text)) return text
  const value = Number(text)
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return value
  return (isInt64 ? readInt64(text) : null) ?? text
}

/** The problems of a file, with one for each variable that has no value and was not read as a secret. */
export function withUnset(problems: readonly Problem[], unset: readonly Place[]): Problem[] {
  const missing = unset.flatMap(({ path, node }) =>
    node.isSecret ? [] : [problem(path, `${node.variable} is not set`)],
  )
  if (missing.length === 0) return [...problems]
  const known = new Set(missing.map(({ path }) => JSON.stringify(path)))
  return [...problems.filter(({ path }) => !known.has(JSON.stringify(path))), ...missing]
}

/** Content of a file as it is written: secrets by their variables, and texts that look like placeholders with a `$` more. */
export function escaped(value: unknown): unknown {
  if (typeof value === 'string') return NEEDS_ESCAPE.test(value) ? `$${value}` : value
  if (value instanceof SecretVariable) return value.toString()
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return value
  if (Array.isArray(value)) return value.map(escaped)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, escaped(member)]))
}
