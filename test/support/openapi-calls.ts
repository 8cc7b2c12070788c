import { runCommandLine } from '../../src/cli/main'
import { openapiCommand } from '../../src/cli/openapi'
import { PROGRAM } from '../../src/program'

interface Schema {
  properties?: Record<string, unknown>
  required?: string[]
}

interface Operation {
  requestBody?: { content: { 'application/json': { schema: Schema & { $ref?: string } } } }
}

/** What the OpenAPI document says about a call. */
export interface Described {
  /** Null when the call takes no body. */
  body: { members: string[]; required: string[] } | null
}

/** Finds what the OpenAPI document says about a path; null when there is no such call. */
export type Describe = (method: string, path: string) => Described | null

export async function readOpenApi(): Promise<Describe> {
  const out: string[] = []
  const io = {
    ...{ out: (line: string) => void out.push(line), err: () => {}, isTerminal: false, env: {} },
    ...{ confirm: async () => false, progress: () => {}, program: PROGRAM, stopped: new Promise<void>(() => {}) },
  }
  await runCommandLine([openapiCommand.name, '--json'], io as never)
  const { paths, components } = JSON.parse(out.join('')) as {
    paths: Record<string, Record<string, Operation>>
    components: { schemas: Record<string, Schema> }
  }
  const templates = Object.keys(paths).sort((a, b) => Number(a.includes('{')) - Number(b.includes('{')))
  return (method, path) => {
    const template = templates.find((one) => new RegExp(`^${one.replace(/\{\w+\}/g, '[^/]+')}$`).test(path))
    const operation = paths[template ?? '']?.[method.toLowerCase()]
    if (!operation) return null
    if (!operation.requestBody) return { body: null }
    const { $ref, ...inline } = operation.requestBody.content['application/json'].schema
    const { properties = {}, required = [] } = $ref ? (components.schemas[$ref.split('/').at(-1) ?? ''] ?? {}) : inline
    return { body: { members: Object.keys(properties), required } }
  }
}
