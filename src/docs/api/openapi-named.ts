import { isObject, type Json, LISTS, MAPS, SINGLES } from '../../base/lib/json-schema'

/** A part of a document, and the schemas that were taken out of it, by name. */
export interface NamedSchemas {
  paths: Json
  schemas: Record<string, Json>
}

/**
 * Moves every schema with a capitalised `title` to the named schemas of the document and leaves a reference in its place, so that
 * generated clients get one type for each. Throws when two different schemas have one title.
 */
export function nameSchemas(paths: Json): NamedSchemas {
  const schemas: Record<string, Json> = {}
  return { paths: inOperations(paths, (schema) => referTo(schema, schemas)) as Json, schemas: sorted(schemas) }
}

/** Replaces the schemas of parameters, headers and contents. Examples are data and stay as they are. */
function inOperations(value: unknown, replace: (schema: Json) => Json): unknown {
  if (Array.isArray(value)) return value.map((item) => inOperations(item, replace))
  if (!isObject(value)) return value
  return mapMembers(value, (member, name) => {
    if (name === 'example') return member
    return name === 'schema' ? replace(member as Json) : inOperations(member, replace)
  })
}

function referTo(schema: Json, schemas: Record<string, Json>): Json {
  const { title, ...rest } = mapMembers(schema, (member, name) => inMember(member, name, schemas))
  if (!isName(title)) return { ...rest, ...(title !== undefined && { title }) }
  const known = schemas[title]
  if (known && !Bun.deepEquals(known, rest)) throw new Error(`Two different schemas have the title ${title}`)
  schemas[title] = rest
  return { $ref: `#/components/schemas/${title}` }
}

function inMember(member: unknown, name: string, schemas: Record<string, Json>): unknown {
  if (MAPS.includes(name)) return mapMembers(member as Json, (schema) => referTo(schema as Json, schemas))
  if (LISTS.includes(name)) return (member as Json[]).map((schema) => referTo(schema, schemas))
  return SINGLES.includes(name) && isObject(member) ? referTo(member, schemas) : member
}

/** Other titles are headings, as of a parameter. */
const isName = (title: unknown): title is string => typeof title === 'string' && /^[A-Z]/.test(title)

const mapMembers = (members: Json, change: (member: unknown, name: string) => unknown): Json =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, change(member, name)]))

const sorted = (schemas: Record<string, Json>): Record<string, Json> =>
  Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)))
