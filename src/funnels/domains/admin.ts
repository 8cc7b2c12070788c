import type { Context, Tx } from '../../base/context'
import { AppError, invalid, notFound } from '../../base/errors'
import { DAY, MINUTE } from '../../base/lib/clock'
import { toIso } from '../../base/lib/time'
import { isHttpsUrl } from '../../core/text/addresses'
import type { AuditEntry } from '../../projects/audit/audit'
import { requireRevision, revisionAfter } from '../../projects/audit/revisions'
import { type Edit, editDashboard, given, isSame, type ProjectActor } from '../../projects/project/edit'
import { findFunnel } from '../publication/service'
import { NameServers, serverName } from './dns'
import { readHostname } from './hostname'
import { beginning } from './lifecycle'
import {
  countDomains,
  type DomainRow,
  deleteDomain,
  deleteFreed,
  type FreedRow,
  findDomain,
  findFreed,
  findOwnName,
  findVerified,
  insertDomain,
  saveFreed,
  updateDomain,
} from './queries'
import { type DomainView, textName, textOf, viewsOf } from './view'
import { forgetWallets } from './wallets'

declare module '../../base/state' {
  interface SliceHooks {
    /** The most custom domains that a project may have; null = no limit. */
    mostCustomDomains: (tx: Tx, projectId: string) => Promise<number | null>
  }
}

export interface DomainInput {
  rootFunnelId?: string | null
  redirectTo?: string | null
}

/** How long a name that was freed is kept from other projects: its DNS may still lead here. */
export const FREED_MS = 7 * DAY

/**
 * A new domain, which waits for its DNS. 400 `HOSTNAME_INVALID`, `ROOT_FUNNEL_INVALID`; 409 `CUSTOM_DOMAIN_LIMIT_REACHED`;
 * 409 `HOSTNAME_TAKEN` for a name that this project has already, that another project has proved, or that another project
 * has freed within the last 7 days, unless its TXT record shows the token of this project. The message names the token.
 */
export async function createDomain(
  ctx: Context,
  by: ProjectActor,
  { hostname: text, ...input }: DomainInput & { hostname: string },
): Promise<DomainView> {
  const hostname = requireHostname(ctx, text)
  refuseRedirect(hostname, input.redirectTo ?? null)
  const token = await tokenFor(ctx, by.projectId, hostname)
  return editDashboard(ctx, by, async (edit) => {
    const { tx, projectId, entries, now } = edit
    await refuseTooMany(tx, projectId)
    await refuseRoot(edit, input.rootFunnelId ?? null)
    refuseBoth(input)
    const row: DomainRow = {
      ...{ id: tx.ids.next('dom'), projectId, hostname, token, ...beginning(now) },
      ...{ rootFunnelId: input.rootFunnelId ?? null, redirectTo: input.redirectTo ?? null },
      ...{ checkedAt: null, nextCheckAt: now + MINUTE },
      ...{ seenTexts: null, address: null, certificate: null, wallets: null },
      ...{ createdAt: now, updatedAt: now },
    }
    await refuseHeld(tx, projectId, hostname)
    await insertDomain(tx, row)
    await deleteFreed(tx, hostname)
    entries.push(domainEntry('create', null, row))
    return viewAfter(edit, row)
  })
}

function requireHostname({ config }: Context, text: string): string {
  const rules = { ownHost: serverName(config), reserved: [...config.domains.reservedHosts, ...config.tls.names] }
  const read = readHostname(text.trim(), rules)
  if (read.ok) return read.hostname
  throw new AppError('HOSTNAME_INVALID', { hostname: text, reason: read.reason }, { message: read.message })
}

async function refuseTooMany(tx: Tx, projectId: string): Promise<void> {
  for (const find of tx.hooks.mostCustomDomains ?? []) {
    const most = await find(tx, projectId)
    if (most !== null && (await countDomains(tx, projectId)) >= most) throw new AppError('CUSTOM_DOMAIN_LIMIT_REACHED')
  }
}

/** A name that is not proved yet may be claimed by several projects: the first that proves it gets it. */
async function refuseHeld(tx: Tx, projectId: string, hostname: string): Promise<void> {
  const held = (await findOwnName(tx, projectId, hostname)) ?? (await findVerified(tx, hostname))
  if (!held) return
  const message = `${hostname} is a custom domain of ${held.projectId === projectId ? 'this' : 'another'} project already`
  throw new AppError('HOSTNAME_TAKEN', undefined, { message })
}

/** The token of a new domain. A name of another project was freed a short time ago: then its DNS must show the token. */
async function tokenFor(ctx: Context, projectId: string, hostname: string): Promise<string> {
  const freed = await findFreed(ctx, hostname)
  const isBlocked = freed && freed.projectId !== projectId && ctx.clock.now() < freed.freedAt + FREED_MS
  if (!isBlocked) return ctx.ids.token(TOKEN_LENGTH)
  const token = claimToken(ctx, projectId, freed)
  const texts = await new NameServers(ctx.config.domains.nameServers).texts(textName(hostname))
  if (texts?.includes(textOf(token))) return token
  throw new AppError('HOSTNAME_TAKEN', undefined, { message: freedSentence(freed, token) })
}

const TOKEN_LENGTH = 32

/** Equal for each attempt of a project, and another one each time that the name was freed. */
const claimToken = ({ mac }: Pick<Context, 'mac'>, projectId: string, { hostname, freedAt }: FreedRow): string =>
  mac
    .sign(`${projectId} ${hostname} ${freedAt}`, 'freed hostname')
    .replace(/[^A-Za-z0-9]/g, '0')
    .slice(0, TOKEN_LENGTH)

const freedSentence = ({ hostname, freedAt }: FreedRow, token: string): string =>
  `Another project gave ${hostname} up a short time ago. Set the TXT record ${textName(hostname)} to ${textOf(token)} and try again, or wait until ${toIso(freedAt + FREED_MS)}`

/** Members that are left out stay. Refusals as for `createDomain`, and 409 `CONFLICT` for another revision. */
export const updateDomainSettings = (
  ctx: Context,
  by: ProjectActor,
  id: string,
  change: DomainInput,
): Promise<DomainView> =>
  editDashboard(ctx, by, async (edit) => {
    const before = await requireDomain(edit, id, by.expected)
    const after = { ...before, ...given(change), updatedAt: edit.now }
    refuseRedirect(before.hostname, after.redirectTo)
    refuseBoth(after)
    if (change.rootFunnelId !== undefined && after.rootFunnelId !== before.rootFunnelId)
      await refuseRoot(edit, after.rootFunnelId)
    if (isSame(imageOf(before), imageOf(after))) return viewAfter(edit, before)
    const { rootFunnelId, redirectTo, updatedAt } = after
    await updateDomain(edit.tx, id, { rootFunnelId, redirectTo, updatedAt })
    edit.entries.push(domainEntry('update', before, after))
    return viewAfter(edit, after)
  })

/** Its pages stop at once. For 7 days no other project gets the name without its DNS. */
export async function removeDomain(ctx: Context, by: ProjectActor, id: string): Promise<void> {
  await editDashboard(ctx, by, async (edit) => {
    const row = await requireDomain(edit, id, by.expected)
    await freeDomain(edit.tx, row)
    edit.entries.push(domainEntry('delete', row, null))
  })
  await ctx.state.customHosts.refresh()
}

/** Deletes a domain and remembers its name, unless it was never proved: then its DNS does not lead here. */
export async function freeDomain(tx: Tx, { id, hostname, projectId, status }: DomainRow): Promise<void> {
  await deleteDomain(tx, id)
  if (status !== 'VERIFIED') return
  await saveFreed(tx, { hostname, projectId, freedAt: tx.clock.now() })
  await forgetWallets(tx, projectId, hostname)
}

async function requireDomain({ tx, projectId }: Edit, id: string, expected: number | null = null): Promise<DomainRow> {
  const row = await findDomain(tx, projectId, id)
  if (!row) throw notFound('custom domain', id)
  await requireRevision(tx, projectId, id, expected)
  return row
}

async function refuseRoot({ tx, projectId }: Edit, rootFunnelId: string | null): Promise<void> {
  if (rootFunnelId === null) return
  const funnel = await findFunnel(tx, projectId, rootFunnelId)
  if (funnel?.status !== 'PUBLISHED') throw new AppError('ROOT_FUNNEL_INVALID')
}

function refuseBoth({ rootFunnelId, redirectTo }: DomainInput): void {
  if (rootFunnelId && redirectTo)
    throw invalid('rootFunnelId and redirectTo: only one of them can be at the root of the name; set the other to null')
}

function refuseRedirect(hostname: string, redirectTo: string | null): void {
  if (redirectTo === null) return
  const url = isHttpsUrl(redirectTo) ? URL.parse(redirectTo) : null
  if (!url || redirectTo.includes('\0')) throw invalid('redirectTo must be an https address')
  if (url.hostname === hostname) throw invalid('redirectTo must not lead to the same name')
}

const imageOf = ({ hostname, status, rootFunnelId, redirectTo }: DomainRow) => ({
  ...{ hostname, status, rootFunnelId, redirectTo },
})

export const domainEntry = (
  verb: 'create' | 'update' | 'delete' | 'verify' | 'check',
  before: DomainRow | null,
  after: DomainRow | null,
): AuditEntry => ({
  action: `customDomain.${verb}`,
  target: { type: 'customDomain', id: (after ?? before)?.id ?? '' },
  before: before && imageOf(before),
  after: after && imageOf(after),
})

/** The view of a row inside of its edit. */
export async function viewAfter(edit: Edit, row: DomainRow): Promise<DomainView> {
  const revision = await revisionAfter(edit, row.id)
  const [view] = await viewsOf(edit.tx, [row], new Map([[row.id, revision]]))
  if (!view) throw new Error('a domain has no view')
  return view
}
