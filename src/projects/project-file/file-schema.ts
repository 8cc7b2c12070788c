import { type Schema, Sketch, type Sources, Spot } from './reader'
import type { Sections } from './section'
import { inFileOrder } from './sections'
import type { Node } from './tree'

export const SCHEMA_PATH = '/svc.schema.json'

const NOTHING: Node = { kind: 'scalar', value: null }
const NO_SOURCES: Sources = { env: () => null, file: () => null }

const PLACEHOLDER = {
  type: 'string',
  pattern: '^\\$\\{(env|file):[^}]+\\}$',
  description: 'The name of a variable of the environment, or the path of a file, that svc apply reads',
}

/** The JSON Schema of the project file, drawn by the readers of its sections. */
export function projectFileSchema(sections: Sections): Schema {
  const definitions: Schema = { placeholder: PLACEHOLDER }
  const drawn = inFileOrder(sections).map(({ key, parse }): [string, Schema] => {
    const spot = new Spot(NOTHING, [key.name], { problems: [], references: [], sources: NO_SOURCES }, new Sketch())
    parse(spot)
    return [key.name, lift(spot.sketch?.schema ?? {}, definitions)]
  })
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'svc project file',
    type: 'object',
    properties: { version: { const: 1 }, ...Object.fromEntries(drawn) },
    required: ['version'],
    additionalProperties: false,
    $defs: definitions,
  }
}

/**
 * Moves definitions to the root, and lets each text and number also be a placeholder. Strict validators take one type in a
 * schema, so several become alternatives.
 */
function lift(schema: Schema, definitions: Schema): Schema {
  const { type } = schema
  if (Array.isArray(type)) return { anyOf: type.map((one: string) => lift(ofType(schema, one), definitions)) }
  const { $defs = {}, ...rest } = schema
  for (const [name, one] of Object.entries($defs as Record<string, Schema>)) {
    if (name in definitions) continue
    definitions[name] = {} // A definition may refer to itself.
    definitions[name] = lift(one, definitions)
  }
  const lifted = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, liftMember(name, value, definitions)]),
  )
  return takesPlaceholder(lifted) ? { anyOf: [lifted, { $ref: '#/$defs/placeholder' }] } : lifted
}

const ofType = (schema: Schema, type: string): Schema =>
  type === 'array' || type === 'object' ? { ...schema, type } : { type }

function liftMember(name: string, value: unknown, definitions: Schema): unknown {
  if (name === 'anyOf') return (value as Schema[]).map((one) => lift(one, definitions))
  if (name === 'properties')
    return Object.fromEntries(
      Object.entries(value as Schema).map(([key, one]) => [key, lift(one as Schema, definitions)]),
    )
  const isSchema = ['items', 'additionalProperties'].includes(name) && typeof value === 'object'
  return isSchema ? lift(value as Schema, definitions) : value
}

const takesPlaceholder = ({ type, enum: values }: Schema): boolean =>
  values !== undefined || (typeof type === 'string' && ['string', 'integer', 'number'].includes(type))
