import { Type } from '@sinclair/typebox'
import { createApp } from '../../src/app'
import type { Context } from '../../src/base/context'
import { api } from '../../src/projects/doors/api'
import type { Answer, Stage } from './cast'

export interface Probe {
  /** How often the handler ran. */
  runs: number
  /** Posts with an Idempotency-Key, or with none. */
  post(key: string | null, options?: ProbeOptions): Promise<Answer>
}

interface ProbeOptions {
  body?: string
  path?: string
  headers?: Record<string, string>
}

type Handle = (body: Record<string, unknown>) => unknown

const schemas = {
  body: Type.Object({}, { additionalProperties: true }),
  response: Type.Object({ data: Type.Object({ run: Type.Integer(), value: Type.Integer() }) }),
}

/** The app with two routes, `/v1/probe` and `/v1/other`. They count their runs and call the handler of the test. */
export function probeOf(s: Stage, handle: Handle = () => 1, ctx: Context = s.ctx): Probe {
  const seen: Probe = { runs: 0, post: (key, options) => send(requestOf(s, key, options)) }
  // The result is what the test's handler returns. A text is a response that breaks the schema of the route.
  const run = async ({ body }: { body: unknown }) => {
    seen.runs++
    return { data: { run: seen.runs, value: (await handle(body as Record<string, unknown>)) as number } }
  }
  const routes = api(ctx, { key: 'any' }).post('/v1/probe', run, schemas).post('/v1/other', run, schemas)
  const app = createApp(ctx).use(routes)
  async function send(request: Request): Promise<Answer> {
    const response = await app.handle(request)
    return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
  }
  return seen
}

function requestOf(s: Stage, key: string | null, options: ProbeOptions = {}): Request {
  const { body = '{"n":1}', path = '/v1/probe', headers = {} } = options
  const all = {
    authorization: `Bearer ${s.project.publicKey}`,
    'content-type': 'application/json',
    ...(key === null ? {} : { 'idempotency-key': key }),
    ...headers,
  }
  return new Request(`http://localhost${path}`, { method: 'POST', headers: all, body })
}

export const isReplay = ({ headers }: Answer): boolean => headers.get('idempotent-replay') === 'true'
