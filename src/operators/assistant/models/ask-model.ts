import type { ProviderName } from '../../../base/config-assistant'
import type { Context } from '../../../base/context'
import { SECOND } from '../../../base/lib/clock'
import { ANTHROPIC } from './anthropic'
import { CHAT_COMPLETIONS } from './chat-completions'
import { type Dialect, type ModelAccess, type ModelEvent, ModelFault, type ModelRequest } from './model'
import { streamedMessages } from './streamed-messages'

const ADDRESSES: Readonly<Record<ProviderName, string>> = {
  anthropic: 'https://api.anthropic.com',
  openai: 'https://api.openai.com',
  compatible: '',
}

/** The longest that one answer of a model may take. */
export const STEP_MS = 60 * SECOND

/** Asks a model once. What it sends is passed on as it comes; everything else is a `ModelFault`. */
export async function* askModel(
  ctx: Pick<Context, 'state'>,
  access: ModelAccess,
  request: ModelRequest,
): AsyncGenerator<ModelEvent> {
  const ends = AbortSignal.any([request.signal, AbortSignal.timeout(STEP_MS)])
  const dialect = access.provider === 'anthropic' ? ANTHROPIC : CHAT_COMPLETIONS
  try {
    const response = await send(ctx, access, dialect, { ...request, signal: ends })
    yield* dialect.read(streamedMessages(response))
  } catch (error) {
    if (error instanceof ModelFault) throw error
    request.signal.throwIfAborted()
    if (ends.aborted) throw new ModelFault('timeout', 'the model took longer than a minute')
    throw new ModelFault('unreachable', 'the connection to the model ended')
  }
}

/** `/v1` is added to an address that does not end in it. */
export function addressOf({ provider, baseUrl }: ModelAccess, { path }: Dialect): string {
  const base = (baseUrl ?? ADDRESSES[provider]).replace(/\/+$/, '')
  return `${base}${base.endsWith('/v1') ? '' : '/v1'}${path}`
}

async function send(
  { state }: Pick<Context, 'state'>,
  access: ModelAccess,
  dialect: Dialect,
  request: ModelRequest,
): Promise<Response> {
  const address = addressOf(access, dialect)
  const init: RequestInit = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...dialect.headers(access.apiKey) },
    body: JSON.stringify(dialect.body(access, request)),
    signal: request.signal,
    redirect: 'manual',
  }
  // The address in the server's own configuration may be one of its own network.
  const response = access.isOfServer ? await fetch(address, init) : await openChecked(state, address, init)
  if (response.status === 200) return response
  const text = (await response.text().catch(() => '')).slice(0, 2000)
  throw new ModelFault(reasonOf(response.status, text), `the model answered with status ${response.status}`)
}

async function openChecked({ outgoing }: Context['state'], address: string, init: RequestInit): Promise<Response> {
  const result = await outgoing.open(address, init, STEP_MS)
  if (result.ok) return result.response
  throw new ModelFault('unreachable', `the address cannot be called: ${result.reason}`)
}

function reasonOf(status: number, text: string): ModelFault['reason'] {
  if (status === 401 || status === 403) return 'rejected'
  if (status === 429) return 'limited'
  if (status === 404) return 'no_model'
  if (status === 400 || status === 422) return /model/i.test(text) && !/tool/i.test(text) ? 'no_model' : 'refused'
  return 'unreachable'
}
