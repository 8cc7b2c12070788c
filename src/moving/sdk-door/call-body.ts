import type { Context } from '../../base/context'
import { BadText, BodyFault, parseJsonObject } from '../../base/http/body'
import type { ArrivedCall } from './admitted'
import { BAD_REQUEST, INVALID_RECEIPT, SdkRefusal } from './refusal'
import { storable } from './storable'

const MAX_RECEIPT_BYTES = 4 * 1024 * 1024

/** The body of a call; empty for a call without one. */
export async function readBody(ctx: Context, { call, request, facts }: ArrivedCall): Promise<Record<string, unknown>> {
  if (request.method === 'GET') return {}
  const arriving = ctx.state.bodies.expect(request, call.name === 'receipts' ? MAX_RECEIPT_BYTES : undefined)
  try {
    facts.rawBody = await arriving.read()
  } finally {
    arriving.end()
  }
  const parsed = parseJsonObject(facts.rawBody, null, request.headers.get('content-encoding'))
  if (parsed instanceof BadText) return storable(parsed.value)
  if (!(parsed instanceof BodyFault)) return { ...parsed }
  throw new SdkRefusal(400, call.name === 'receipts' ? INVALID_RECEIPT : BAD_REQUEST, parsed.message)
}
