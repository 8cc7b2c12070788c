import type { Context } from '../../base/context'
import { requireRevision } from '../../projects/audit/revisions'
import { saveStoreSettings } from '../../projects/connections/credentials'
import { editProject, isSame, type ProjectActor } from '../../projects/project/edit'
import { findStoreSettings } from '../../projects/project/service'

const SECTION = 'commissionRates'

/** Fractions between 0 and 1 that each store keeps; null = its usual ones (wire 5.11). */
export interface CommissionRates {
  IOS_STORE: number | null
  ANDROID_STORE: number | null
  PAYMENT: number | null
}

/** Replaces the rates, as a project file does. Equal rates are no change. 409 `CONFLICT` by the revision. */
export const saveCommissionRates = (ctx: Context, by: ProjectActor, rates: CommissionRates, expected: number | null) =>
  editProject(ctx, by, async ({ tx, projectId, entries }) => {
    await requireRevision(tx, projectId, SECTION, expected)
    const saved = await findStoreSettings(tx, projectId, SECTION)
    const before = saved && readRates(saved.config)
    if (before && isSame(before, rates)) return
    await saveStoreSettings(tx, projectId, SECTION, { config: { ...rates }, secrets: 'keep' })
    const action = before ? 'store.update' : 'store.create'
    entries.push({ action, target: { type: 'store', id: SECTION }, before, after: rates })
  })

const readRates = (config: Readonly<Record<string, unknown>>): CommissionRates => {
  const rate = (store: string) => (typeof config[store] === 'number' ? config[store] : null)
  return { IOS_STORE: rate('IOS_STORE'), ANDROID_STORE: rate('ANDROID_STORE'), PAYMENT: rate('PAYMENT') }
}
