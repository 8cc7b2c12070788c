import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { ProviderRequest } from '../../../src/outward/integrations/provider'

/** A request as a stand-in sees it: without the origin and without its own name at the front of the path. */
export interface SeenRequest {
  method: string
  /** `/2/httpapi` */
  path: string
  query: URLSearchParams
  headers: Headers
  body: string
}

export interface StandInAnswer {
  status: number
  body: string
  headers?: Record<string, string>
}

/**
 * Checks requests to one provider as strictly as its published documentation allows: unknown members, wrong types,
 * missing members and wrong credentials are refused, in the form in which the provider refuses.
 */
export interface StandIn {
  /** The provider's name in lower case: the path below `SVC_INTEGRATIONS_URL`. */
  name: string
  answer(request: SeenRequest): StandInAnswer
}

export const json = (status: number, body: unknown): StandInAnswer => ({
  status,
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
})

/** The first fault of a JSON text by a schema, as `path: message`; null when there is none. */
export function faultOf(schema: TSchema, text: string): string | null {
  try {
    const first = Value.Errors(schema, JSON.parse(text)).First()
    return first ? `${first.path}: ${first.message}` : null
  } catch {
    return 'not JSON'
  }
}

/** How a stand-in would answer a request that a provider's adapter made. */
export function checkWith({ answer }: StandIn): (request: ProviderRequest) => StandInAnswer {
  return ({ method, url, headers, body }) => {
    const { pathname, searchParams } = new URL(url)
    return answer({ method, path: pathname, query: searchParams, headers: new Headers(headers), body: body ?? '' })
  }
}
