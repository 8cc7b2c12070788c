import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { noteAway } from '../shell/server-state'
import { failureOf, Unreachable } from './failure'

/** A call of a reading route whose path is known only when it is made. */
export interface ReadCall {
  method: string
  path: string
  body: object | null
}

/** The answer of a call that the assistant made, as it is now and with the rights of the reader. */
export const useReadAgain = (call: ReadCall, within: string): UseQueryResult<unknown, Error> =>
  useQuery({
    queryKey: [call.path, call.method, call.body],
    queryFn: () => readAgain(call, within),
    retry: false,
  })

/** Calls nothing outside of the project. */
async function readAgain({ method, path, body }: ReadCall, within: string): Promise<unknown> {
  const url = new URL(path, location.origin)
  const isWithin = url.pathname === within || url.pathname.startsWith(`${within}/`)
  if (url.origin !== location.origin || !isWithin) throw new Error(`${path} is not of this project`)
  const response = await fetch(url, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  }).catch((cause: unknown) => {
    noteAway()
    throw new Unreachable('the server does not answer', { cause })
  })
  const answer = (await response.json().catch(() => null)) as { data?: unknown } | null
  if (!response.ok) throw failureOf(response, answer)
  return answer?.data ?? null
}
