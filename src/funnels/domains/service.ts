import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { toHostname } from './hostname'
import { type DomainRow, findVerified, listDomains, listVerified } from './queries'

export { NameServers } from './dns'
export { toHostname } from './hostname'
export type { DomainRow }

/** The verified names of all projects. Only for these may a certificate be asked for. */
export const verifiedHostnames = async (handle: Handle): Promise<string[]> =>
  (await listVerified(handle)).map(({ hostname }) => hostname)

/** The verified domain with a name, in any spelling; null for every other name. */
export async function findVerifiedDomain(handle: Handle, given: string): Promise<DomainRow | null> {
  const hostname = given.length > LONGEST ? null : toHostname(given)
  return hostname === null ? null : findVerified(handle, hostname)
}

const LONGEST = 1000

/** The verified names of a project, oldest first. */
export const listProjectHostnames = async (handle: Handle, projectId: string): Promise<string[]> =>
  (await listDomains(handle, projectId)).filter(({ status }) => status === 'VERIFIED').map(({ hostname }) => hostname)

/** The verified domain that a request came to, as it is now; null on every other host. */
export async function domainOfRequest(ctx: Context, { url }: Request): Promise<DomainRow | null> {
  const host = ctx.state.customHosts.at(url)
  return host && findVerifiedDomain(ctx, host.hostname)
}
