import type { Json } from '../../base/lib/json-schema'
import { codeSpan } from './page'

/** What a schema accepts, as HTML: `text`, `time or null`, one of the words of an enum. */
export function typeWords(schema: Json): string {
  const { const: only, enum: words, anyOf, title, type, format, items, additionalProperties: values } = schema
  if (Array.isArray(anyOf)) return (anyOf as Json[]).map(typeWords).join(' or ')
  if (only !== undefined) return codeSpan(Bun.escapeHTML(String(only)))
  if (Array.isArray(words)) return words.map((word) => codeSpan(Bun.escapeHTML(String(word)))).join(' or ')
  if (typeof title === 'string') return `<a href="#${title}">${title}</a>`
  if (type === 'array') return `list of ${typeWords((items ?? {}) as Json)}`
  if (type === 'object') return objectWords(schema, values)
  return format === 'date-time' ? 'time' : (NAMES[String(type)] ?? 'anything')
}

const NAMES: Record<string, string> = {
  boolean: 'true or false',
  integer: 'integer',
  null: 'null',
  number: 'number',
  string: 'text',
}

function objectWords({ properties }: Json, values: unknown): string {
  if (properties !== undefined)
    return Object.keys(properties as Json)
      .map(codeSpan)
      .join(', ')
  return typeof values === 'object' && values !== null ? `by name: ${typeWords(values as Json)}` : 'object'
}

/** The rows of a table of the members of an object: name, type, meaning. */
export function memberRows({ properties = {}, required = [] }: Json, none: string): string[][] {
  return Object.entries(properties as Record<string, Json>).map(([name, schema]) => [
    codeSpan(name),
    `${typeWords(schema)}${(required as string[]).includes(name) ? '' : ', can be absent'}`,
    Bun.escapeHTML(String(schema.description ?? '')) || none,
  ])
}
