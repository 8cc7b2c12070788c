import { AppError } from '../../../base/errors'
import { canonicalJson, sha256Hex } from '../../../base/lib/hash'
import { MAX_FUNNELS, slugFault } from '../../../core/funnel/limits'
import type { FunnelContent } from '../../../core/funnel/model'
import type { AuditEntry } from '../../../projects/audit/audit'
import { requireRevision } from '../../../projects/audit/revisions'
import { conflict, type Edit } from '../../../projects/project/edit'
import { type FunnelRow, listFunnelNames } from '../queries'
import { getFunnel } from '../service'

/** The funnel, or 404; 409 `CONFLICT` when it has another revision than the caller expects. */
export async function requireFunnel({ tx, projectId }: Edit, id: string, expected?: number | null): Promise<FunnelRow> {
  const row = await getFunnel(tx, projectId, id)
  await requireRevision(tx, projectId, id, expected ?? null)
  return row
}

/** 400 `VALIDATION_ERROR` for a slug that cannot be a part of the address of a funnel. */
export function refuseReserved(slug: string): void {
  const message = slugFault(slug)
  if (message !== null) throw new AppError('VALIDATION_ERROR', { fields: ['slug'] }, { message: `slug ${message}` })
}

/** 409 `IDENTIFIER_TAKEN` for a slug of another funnel; 409 `CONFLICT` for one funnel too many. */
export async function refuseTaken({ tx, projectId }: Edit, slug: string, ownId: string | null): Promise<void> {
  const there = await listFunnelNames(tx, projectId)
  if (there.some((other) => other.slug === slug && other.id !== ownId))
    throw new AppError('IDENTIFIER_TAKEN', { resource: 'funnel', identifier: slug })
  if (ownId === null && there.length >= MAX_FUNNELS)
    throw conflict(`A project has at most ${MAX_FUNNELS} funnels; delete one first`)
}

/** Archived funnels are kept as they are. */
export function refuseArchived({ slug, status }: FunnelRow): void {
  if (status === 'ARCHIVED') throw conflict(`${slug} is archived; restore it first`)
}

export const entry = (verb: string, before: FunnelRow | null, after: FunnelRow | null): AuditEntry => ({
  action: `funnel.${verb}`,
  target: { type: 'funnel', id: (after ?? before)?.id ?? '' },
  before: before && imageOf(before),
  after: after && imageOf(after),
})

/** A draft may have half a megabyte, so the audit log keeps its hash; versions keep what was published. */
const imageOf = ({ slug, name, status, currentVersionNo, draft }: FunnelRow) => ({
  slug,
  name,
  status,
  currentVersionNo,
  draftHash: sha256Hex(canonicalJson(draft)),
})

export const EMPTY: FunnelContent = { pages: [], theme: {}, settings: {}, defaultLocale: 'en', locales: ['en'] }
