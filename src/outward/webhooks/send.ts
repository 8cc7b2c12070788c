import type { Context } from '../../base/context'
import type { OutgoingInit } from '../../base/http/outgoing'
import type { AttemptResult } from '../deliveries/model'
import { authorizationTexts, redacted } from '../deliveries/redacted'
import type { FormattedRequest } from './formats'
import { signatureOf } from './sign'

/** One after the other, as long as they are taken. The last answer is that of the attempt. */
export async function sendAll(
  requests: readonly FormattedRequest[],
  send: (request: FormattedRequest) => Promise<AttemptResult>,
): Promise<AttemptResult> {
  let result: AttemptResult = { kind: 'skip', reason: 'no_mapping' }
  for (const request of requests) {
    result = await send(request)
    if (!isTaken(result)) break
  }
  return result
}

const isTaken = (result: AttemptResult): boolean =>
  result.kind === 'answer' && result.status >= 200 && result.status < 300

export async function sendOne(
  ctx: Context,
  request: FormattedRequest,
  secrets: readonly string[],
  call: (init: OutgoingInit) => Promise<AttemptResult>,
): Promise<AttemptResult> {
  const { id, body } = request
  const timestamp = Math.floor(ctx.clock.now() / 1000)
  const signature = signatureOf(secrets, { id, timestamp, body })
  const answer = await call({ method: 'POST', body, headers: headersOf(request, timestamp, signature) })
  return withoutSecrets(answer, [...secrets, ...signature.split(/[ ,]/), ...authorizationsOf(request)])
}

const headersOf = ({ id, headers }: FormattedRequest, timestamp: number, signature: string) => ({
  'user-agent': 'svc-webhooks/1',
  'content-type': 'application/json',
  ...headers,
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': signature,
})

/** The log of deliveries shows the start of an answer to people who may not know the secrets. */
function withoutSecrets(answer: AttemptResult, secrets: readonly string[]): AttemptResult {
  if (answer.kind !== 'answer') return answer
  const text = redacted(new TextDecoder().decode(answer.body), secrets)
  return { ...answer, body: new TextEncoder().encode(text) }
}

const authorizationsOf = ({ headers: { authorization } }: FormattedRequest): string[] =>
  authorization === undefined ? [] : authorizationTexts(authorization)
