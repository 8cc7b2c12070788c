/** A project file, as far as the client names its members. */
export interface NamedParts {
  access?: object
  virtualCurrencies?: object
  offerings?: object
  placements?: object
  flags?: Record<string, { type: string; environments?: Record<string, FlagPart | undefined> }>
  experiments?: Record<string, { variants?: { id: string }[] }>
}

interface FlagPart {
  default?: unknown
  rules?: { value?: unknown }[]
}

/**
 * A declaration file that tells the client which flags, experiments, placements, offerings, access levels and currencies
 * a project has. Other names do not compile then.
 */
export function clientTypes(project: string, file: NamedParts): string {
  const { access, virtualCurrencies, offerings, placements, flags = {}, experiments = {} } = file
  const members = [
    `access: ${namesOf(access)}`,
    `offerings: ${namesOf(offerings)}`,
    `placements: ${namesOf(placements)}`,
    `currencies: ${namesOf(virtualCurrencies)}`,
    block(
      'flags',
      Object.entries(flags).map(([key, flag]) => `${quote(key)}: ${flagType(flag)}`),
    ),
    block(
      'experiments',
      Object.entries(experiments).map(([key, one]) => `${quote(key)}: ${variantsOf(one)}`),
    ),
  ]
  return `// The names of the project ${project}. Made by \`svc types\`; do not edit.
import '@svc/client/core'

declare module '@svc/client/core' {
  interface Project {
    ${members.join('\n    ')}
  }
}
`
}

const quote = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`

const union = (types: readonly string[]): string => [...new Set(types)].sort().join(' | ') || 'never'

const namesOf = (objects: object = {}): string => union(Object.keys(objects).map(quote))

const variantsOf = ({ variants = [] }: { variants?: { id: string }[] }): string =>
  union(variants.map(({ id }) => quote(id)))

function block(name: string, lines: readonly string[]): string {
  if (lines.length === 0) return `${name}: Record<never, never>`
  return `${name}: {\n${[...lines]
    .sort()
    .map((line) => `      ${line}`)
    .join('\n')}\n    }`
}

const PLAIN: Readonly<Record<string, string>> = { BOOLEAN: 'boolean', NUMBER: 'number', STRING: 'string' }

/** The type of a flag. That of JSON is what all its values have, in every environment. */
function flagType({ type, environments = {} }: NonNullable<NamedParts['flags']>[string]): string {
  const plain = PLAIN[type]
  if (plain !== undefined) return plain
  const parts = Object.values(environments).flatMap((part) => (part ? [part] : []))
  const values = parts.flatMap((part) => [part.default, ...(part.rules ?? []).map(({ value }) => value)])
  return union(values.map(typeOf))
}

function typeOf(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return value.length === 0 ? 'unknown[]' : `(${union(value.map(typeOf))})[]`
  if (typeof value !== 'object') return typeof value
  const members = Object.entries(value).map(([key, one]) => `${quote(key)}: ${typeOf(one)}`)
  return members.length === 0 ? 'object' : `{ ${members.sort().join('; ')} }`
}
