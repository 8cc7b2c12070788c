import { canonicalJson } from '../../base/lib/hash'
import { expand } from './payment-expand'
import { type Answer, type Form, readForm, textsAt } from './payment-form'
import { answerRequest } from './payment-routes'
import type { PaymentWorld } from './payment-world'

/** One recorded request. */
export interface RecordedRequest {
  method: string
  path: string
  /** The fields of the body, or of the query. */
  form: Form
  idempotencyKey: string | null
  /** The `Stripe-Account` header. */
  account: string | null
  apiVersion: string | null
}

/**
 * Answers a request. The same idempotency key with the same request gets the first answer again; with another request
 * it is refused.
 */
export function answerOnce(world: PaymentWorld, { method, path, form, idempotencyKey }: RecordedRequest): Written {
  const request = canonicalJson([method, path, form])
  const known = idempotencyKey === null ? undefined : world.answered.get(idempotencyKey)
  if (known?.request === request) return known.answer
  if (known) return written(world, { status: 400, type: 'idempotency_error', code: 'idempotency_key' }, [])
  const paths = Object.values(textsAt(form, 'expand'))
  const answer = written(world, answerRequest(world, method, path, form), paths)
  if (idempotencyKey !== null) world.answered.set(idempotencyKey, { request, answer })
  return answer
}

export interface Written {
  status: number
  body: string
}

export function written(world: PaymentWorld, answer: Answer, expanded: readonly string[]): Written {
  if ('object' in answer) return { status: 200, body: JSON.stringify(expand(world, answer.object, expanded)) }
  const { status, type, code } = answer
  return { status, body: JSON.stringify({ error: { type, code, message: `Simulated: ${code}` } }) }
}

export async function recordOf(request: Request): Promise<RecordedRequest> {
  const { method, url, headers } = request
  const { pathname, search } = new URL(url)
  return {
    method,
    path: pathname,
    form: readForm(method === 'POST' ? await request.text() : search),
    idempotencyKey: headers.get('idempotency-key'),
    account: headers.get('stripe-account'),
    apiVersion: headers.get('stripe-version'),
  }
}
