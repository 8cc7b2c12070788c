import { PROJECT_PREFIX, type Tool } from './tool'

/** What a tool asks a route; `fault` = what is wrong with the arguments, for the one who called the tool. */
export type Order = { path: string; body: Record<string, unknown> | null } | { fault: string }

/**
 * The address and the body of a call with arguments that a model wrote. Whether the values are allowed is for the route to
 * say; here they must only be put where they belong, and must not lead to another address.
 */
export function orderOf(tool: Tool, projectId: string, given: Readonly<Record<string, unknown>>): Order {
  const unknown = Object.keys(given).filter((name) => !tool.places.has(name))
  if (unknown.length > 0) return { fault: `${tool.name} takes no ${unknown.slice(0, 5).join(', ')}` }
  const missing = tool.input.required.filter((name) => given[name] === undefined || given[name] === null)
  if (missing.length > 0) return { fault: `${tool.name} needs ${missing.join(', ')}` }
  const wrong = Object.entries(given).find(([name, value]) => !fits(tool, name, value))
  if (wrong) return { fault: `${wrong[0]} must be a text, a number or a boolean` }
  return build(tool, projectId, given)
}

function fits({ places }: Tool, name: string, value: unknown): boolean {
  if (places.get(name) === 'body' || value === null) return true
  if (places.get(name) === 'path') return isName(value)
  return ['string', 'number', 'boolean'].includes(typeof value)
}

/** A dot alone would be taken out of an address, and the part before it with it. */
const isName = (value: unknown): boolean =>
  (typeof value === 'string' && value !== '' && value !== '.' && value !== '..' && value.isWellFormed()) ||
  (typeof value === 'number' && Number.isSafeInteger(value))

function build(tool: Tool, projectId: string, given: Readonly<Record<string, unknown>>): Order {
  const query = new URLSearchParams()
  const body: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) {
    const place = tool.places.get(name)
    if (place === 'query' && value !== null) query.set(name, String(value))
    if (place === 'body') body[name] = value
  }
  const below = tool.path
    .slice(PROJECT_PREFIX.length)
    .replace(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(String(given[name])))
  const path = `/dashboard/projects/${encodeURIComponent(projectId)}${below}`
  return { path: query.size === 0 ? path : `${path}?${query}`, body: tool.method === 'GET' ? null : body }
}
