import { STAND_INS } from './all'
import { json, type SeenRequest, type StandInAnswer } from './stand-in'

export interface SeenCall extends SeenRequest {
  /** The provider's name in lower case. */
  provider: string
  answered: StandInAnswer
}

/** All providers on one loopback port, each below the path of its name: the value of `SVC_INTEGRATIONS_URL`. */
export interface IntegrationServer extends AsyncDisposable {
  url: string
  /** Every request so far, in the order of arrival. */
  calls: SeenCall[]
  callsOf(provider: string): SeenCall[]
  /** Answers the next requests to a provider, one each, in the place of its stand-in. */
  answerNext(provider: string, ...answers: Planned[]): void
}

/** An answer, or what happens while the provider is asked. */
type Planned = StandInAnswer | (() => Promise<StandInAnswer>)

export function serveIntegrations(): IntegrationServer {
  const calls: SeenCall[] = []
  const planned = new Map<string, Planned[]>()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { provider, seen } = await read(request)
      const next = planned.get(provider)?.shift() ?? answerOf(provider, seen)
      const answered = typeof next === 'function' ? await next() : next
      calls.push({ ...seen, provider, answered })
      return new Response(answered.body, { status: answered.status, headers: answered.headers ?? {} })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    calls,
    callsOf: (provider) => calls.filter((call) => call.provider === provider),
    answerNext: (provider, ...answers) => {
      planned.set(provider, [...(planned.get(provider) ?? []), ...answers])
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}

async function read(request: Request): Promise<{ provider: string; seen: SeenRequest }> {
  const { pathname, searchParams: query } = new URL(request.url)
  const [, provider = '', ...rest] = pathname.split('/')
  const { method, headers } = request
  return { provider, seen: { method, path: `/${rest.join('/')}`, query, headers, body: await request.text() } }
}

const answerOf = (provider: string, seen: SeenRequest): StandInAnswer =>
  STAND_INS.find(({ name }) => name === provider)?.answer(seen) ?? json(404, { error: 'no such provider' })
