/** A JSON object with unknown members. */
export type Json = Record<string, unknown>

// Keywords whose value is a map of schemas, a list of schemas, or one schema.
export const MAPS = ['properties', 'patternProperties', '$defs']
export const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems']
export const SINGLES = ['items', 'additionalProperties', 'propertyNames', 'not']

/**
 * A TypeBox schema as plain JSON Schema 2020-12: without `$id`, records as `additionalProperties`, unions of literals
 * as `enum`, and `x-format` (a format that is described but not checked by the schema) as `format`. When Elysia accepts
 * a value also as text, only the value itself is described. Null stays a branch of its union.
 */
export function liftSchema(schema: Json): Json {
  const { $id, 'x-format': format, ...drawn } = schema
  if (format !== undefined) drawn.format = format
  const lifted = Object.fromEntries(Object.entries(drawn).map(([name, value]) => [name, liftMember(name, value)]))
  return foldUnion(foldRecord(lifted))
}

function liftMember(name: string, value: unknown): unknown {
  if (MAPS.includes(name)) return mapValues(value as Record<string, Json>, liftSchema)
  if (LISTS.includes(name)) return (value as Json[]).map(liftSchema)
  if (SINGLES.includes(name) && isObject(value)) return liftSchema(value)
  return value
}

const mapValues = (members: Record<string, Json>, change: (schema: Json) => Json): Json =>
  Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, change(schema)]))

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const ANY_KEY = '^(.*)$'

/** TypeBox writes a record as `patternProperties` with one pattern. This writes it as `additionalProperties`. */
function foldRecord(schema: Json): Json {
  const { patternProperties, additionalProperties, ...rest } = schema
  const [only, ...others] = isObject(patternProperties) ? Object.entries(patternProperties) : []
  if (!only || others.length > 0) return schema
  const [pattern, member] = only
  if (pattern === ANY_KEY) return { ...rest, additionalProperties: member }
  if (additionalProperties !== false) return schema
  return { ...rest, propertyNames: { pattern }, additionalProperties: member }
}

/** Formats of texts from which Elysia's `t` reads a value in a query or path. */
const TEXT_FORMS = ['integer', 'numeric', 'boolean']

function foldUnion(schema: Json): Json {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf)) return schema
  const branches = joinLiterals((anyOf as Json[]).filter(({ format }) => !TEXT_FORMS.includes(String(format))))
  const [only, ...others] = branches
  return only && others.length === 0 ? { ...only, ...rest } : { ...rest, anyOf: branches }
}

/** Joins the literals of one type into one `enum`, at the position of the first literal. */
function joinLiterals(branches: readonly Json[]): Json[] {
  const joined: Json[] = []
  for (const branch of branches) {
    const known = isLiteral(branch)
      ? joined.find((other) => other.enum !== undefined && other.type === branch.type)
      : null
    if (known) (known.enum as unknown[]).push(branch.const)
    else joined.push(isLiteral(branch) ? { type: branch.type, enum: [branch.const] } : branch)
  }
  return joined
}

/** Whether a branch is a bare literal. A literal with a description stays a branch, so that the description is kept. */
const isLiteral = (branch: Json): boolean => 'const' in branch && 'type' in branch && Object.keys(branch).length === 2
