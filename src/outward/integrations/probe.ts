import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { SECOND } from '../../base/lib/clock'
import { urlFault } from '../../base/lib/outgoing-url'
import { refuseFaults } from '../../projects/project/edit'
import { destinationOf } from './address'
import { type Credentials, credentialFaults } from './credentials'
import type { Provider, ProviderAnswer, ProviderRequest } from './provider'

const LIMITS = { timeoutMs: 10 * SECOND, maxBytes: 16 * 1024, isCut: true }

/**
 * Asks the provider whether it accepts the credentials. 400 `VALIDATION_ERROR` for their form, `WEBHOOK_URL_REJECTED` for
 * an address among them, `INTEGRATION_CREDENTIALS_REJECTED` `{reason}` when the provider refuses them or gives no answer.
 */
export async function probeCredentials(ctx: Context, provider: Provider, credentials: Credentials): Promise<void> {
  refuseFaults(credentialFaults(provider, credentials))
  for (const address of provider.addressesOf?.(credentials) ?? []) await refuseAddress(ctx, address)
  refuse(provider.faultOf?.(credentials) ?? null)
  for (const request of provider.probe(credentials)) refuse(await ask(ctx, provider, request))
}

function refuse(reason: string | null): void {
  if (reason !== null) throw new AppError('INTEGRATION_CREDENTIALS_REJECTED', { reason })
}

/** With `SVC_INTEGRATIONS_URL` the address itself is not called, so its host is not looked up. */
async function refuseAddress({ config, state }: Context, address: string): Promise<void> {
  const reason = config.integrationsUrl === null ? await state.outgoing.faultOf(address) : urlFault(address, config)
  if (reason) throw new AppError('WEBHOOK_URL_REJECTED', { reason })
}

/** Why the provider does not accept the credentials; null when it does. */
async function ask({ config, state }: Context, provider: Provider, request: ProviderRequest): Promise<string | null> {
  const { address, query } = destinationOf(config, provider.name, request)
  const { method, headers, body } = request
  const init = { method, headers: { ...headers }, body, secretQuery: query }
  const result = await state.outgoing.call(address, init, LIMITS)
  if (!result.ok) return result.reason === 'timeout' ? 'timeout' : 'unreachable'
  const answer: ProviderAnswer = { status: result.status, body: new TextDecoder().decode(result.body) }
  const judged = provider.judgeProbe?.(answer)
  return judged === undefined ? probeReason(answer.status) : judged
}

/** What a status alone means for the credentials; null when they are accepted. */
export function probeReason(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status === 401 || status === 403) return 'unauthorized'
  if (status === 404) return 'not_found'
  return status === 429 || status >= 500 ? 'unreachable' : 'refused'
}
