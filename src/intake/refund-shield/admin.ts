import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { integerAt, readCursor, toList } from '../../base/http/list'
import { listRevisions, requireRevision } from '../../projects/audit/revisions'
import { saveStoreSettings } from '../../projects/connections/credentials'
import { editProject, isSame, type ProjectActor } from '../../projects/project/edit'
import { findStoreSettings } from '../../projects/project/service'
import { toResponseView, toSettingsView } from './operator-wire'
import type { RefundOutcome } from './outcome'
import type { RefundShieldStatus } from './plan'
import { listResponsesAfter } from './queries'
import { type RefundShieldSettings, readRefundShield } from './settings'

/** The section of the store settings, and the id of the settings in the audit log. */
const SECTION = 'refundShield'

export async function getRefundShieldView(handle: Handle, projectId: string) {
  // Before the settings: a change between the two reads makes a later `If-Match` fail.
  const revisions = await listRevisions(handle, projectId, [SECTION])
  const saved = await findStoreSettings(handle, projectId, SECTION)
  return toSettingsView(readRefundShield(saved?.config ?? {}), revisions.get(SECTION) ?? unchanged(saved), saved)
}

/** The revision of settings that were never changed: 0 before the first save, so that two first saves conflict. */
const unchanged = (saved: unknown): 0 | 1 => (saved ? 1 : 0)

/** Replaces the settings, as a project file does. Equal settings are no change. 409 `CONFLICT` by the revision. */
export const saveRefundShield = (
  ctx: Context,
  by: ProjectActor,
  settings: RefundShieldSettings,
  expected: number | null,
) =>
  editProject(ctx, by, async ({ tx, projectId, entries }) => {
    const saved = await findStoreSettings(tx, projectId, SECTION)
    await requireRevision(tx, projectId, SECTION, expected, unchanged(saved))
    const before = saved && readRefundShield(saved.config)
    if (before && isSame(before, settings)) return
    const config = { ...saved?.config, ...settings }
    await saveStoreSettings(tx, projectId, SECTION, { config, secrets: 'keep' })
    const action = before ? 'store.update' : 'store.create'
    entries.push({ action, target: { type: 'store', id: SECTION }, before, after: settings })
  })

interface PageQuery {
  status?: RefundShieldStatus | undefined
  outcome?: RefundOutcome | undefined
  limit?: number | undefined
  cursor?: string | undefined
}

/** One page of the requests of the iOS store, the newest first. */
export async function listResponsePage(ctx: Context, projectId: string, query: PageQuery) {
  const { status, outcome, limit = 50, cursor } = query
  const scope = ['refund-shield', projectId, status, outcome]
  const last = readCursor(cursor, scope, 2)
  const after = last && { createdAt: integerAt(last, 0), id: String(last[1]) }
  const rows = await listResponsesAfter(ctx, projectId, { status, outcome, after, limit: limit + 1 })
  return toList(rows, limit, scope, { positionOf: ({ createdAt, id }) => [createdAt, id], toItem: toResponseView })
}
