import type { InternalRoute } from 'elysia'
import { type Json, liftSchema } from '../../../base/lib/json-schema'
import { READ_OPERATIONS, toolName } from './catalogue'

export const PROJECT_PREFIX = '/dashboard/projects/:projectId'

/** An operation of a project that can be called by name. */
export interface Tool {
  name: string
  description: string
  /** JSON Schema of an object: the members of path, query and body together. */
  input: ToolInput
  operationId: string
  summary: string
  /** The role or the capability that its route requires. */
  capability: string
  method: string
  /** As it is registered, such as `/dashboard/projects/:projectId/subscribers/:id`. */
  path: string
  /** Where each member of the input belongs. */
  places: ReadonlyMap<string, Place>
}

export interface ToolInput extends Json {
  type: 'object'
  properties: Record<string, Json>
  required: string[]
  additionalProperties: false
}

export type Place = 'path' | 'query' | 'body'

/** The reading tools, in the order of the catalogue. Throws for an operation that no route has. */
export function readingTools(routes: readonly InternalRoute[]): Tool[] {
  const find = toolFinder(routes)
  return READ_OPERATIONS.map(find)
}

/** Finds the tool of an operation by its id. It throws for one that no route has. */
export function toolFinder(routes: readonly InternalRoute[]): (operationId: string) => Tool {
  const known = new Map(routes.filter(isOfProject).map((route) => [route.hooks.detail?.operationId, route]))
  return (operationId) => {
    const route = known.get(operationId)
    if (!route) throw new Error(`no route of a project is called ${operationId}`)
    return toolOf(operationId, route)
  }
}

const isOfProject = ({ path }: InternalRoute): boolean =>
  path === PROJECT_PREFIX || path.startsWith(`${PROJECT_PREFIX}/`)

function toolOf(operationId: string, { method, path, hooks }: InternalRoute): Tool {
  const parts: readonly [Place, ToolInput][] = [
    ['path', pathInput(path, hooks.params)],
    ['query', inputOf(hooks.query)],
    ['body', inputOf(hooks.body)],
  ]
  const places = new Map<string, Place>()
  for (const [place, { properties }] of parts)
    for (const name of Object.keys(properties)) {
      if (places.has(name)) throw new Error(`${operationId} has ${name} twice`)
      places.set(name, place)
    }
  const { summary = '', description } = hooks.detail ?? {}
  return {
    name: toolName(operationId),
    description: [summary, description].filter(Boolean).join('. '),
    input: joined(parts.map(([, input]) => input)),
    ...{ operationId, summary, capability: String(hooks.detail?.['x-who'] ?? ''), method, path, places },
  }
}

const joined = (inputs: readonly ToolInput[]): ToolInput => ({
  type: 'object',
  properties: Object.assign({}, ...inputs.map(({ properties }) => properties)),
  required: inputs.flatMap(({ required }) => required),
  additionalProperties: false,
})

/** Every parameter of a path is needed, also one that the route does not describe. */
function pathInput(path: string, schema: unknown): ToolInput {
  const names = [...path.slice(PROJECT_PREFIX.length).matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const { properties } = inputOf(schema)
  const described = names.map((name) => [name, properties[name] ?? { type: 'string', maxLength: 255 }] as const)
  return { type: 'object', properties: Object.fromEntries(described), required: names, additionalProperties: false }
}

/** The members of a schema as plain JSON Schema; of none, no members. */
function inputOf(schema: unknown): ToolInput {
  // A plain copy, without the symbols of TypeBox.
  const plain = schema === undefined ? {} : liftSchema(JSON.parse(JSON.stringify(schema)))
  const properties = { ...(plain.properties as Record<string, Json> | undefined) }
  delete properties.projectId
  const required = ((plain.required ?? []) as string[]).filter((name) => name in properties)
  return { type: 'object', properties, required, additionalProperties: false }
}
