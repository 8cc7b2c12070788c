import type { Context } from '../../base/context'
import { AppError, callersWord } from '../../base/errors'
import { URL_FAULTS, type UrlFault } from '../../base/lib/outgoing-url'
import { refuseFaults } from '../../projects/project/edit'
import { checkEndpoint } from './check'
import type { EndpointSettings } from './model'
import type { EndpointRow } from './queries'

/** 400 `VALIDATION_ERROR` with every place that is wrong. */
export const refuseFaulty = (settings: EndpointSettings, authorization: string | null): void =>
  refuseFaults(checkEndpoint(settings, authorization))

/** 400 `WEBHOOK_URL_REJECTED` with the first reason that holds. */
export async function refuseUrl(ctx: Context, url: string): Promise<void> {
  const reason = await ctx.state.outgoing.faultOf(url)
  if (reason === null) return
  const hint = OWN_MACHINE.includes(reason)
    ? `; to send to your own machine: svc listen --forward-to ${callersWord(url)}`
    : ''
  throw new AppError('WEBHOOK_URL_REJECTED', { reason }, { message: `url ${URL_FAULTS[reason]}${hint}` })
}

/** The fault of the address of a developer's own machine. */
const OWN_MACHINE: readonly UrlFault[] = ['insecure', 'host_not_allowed', 'private_address']

export function refuseTaken(saved: readonly EndpointRow[], name: string, ownId: string | null): void {
  if (!saved.some((row) => row.name === name && row.id !== ownId)) return
  const message = `There is a webhook endpoint called ${name} already; choose another name`
  throw new AppError('IDENTIFIER_TAKEN', { resource: 'webhookEndpoint', identifier: name }, { message })
}
