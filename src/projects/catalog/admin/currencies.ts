import type { Context } from '../../../base/context'
import type { Handle } from '../../../base/db/handle'
import type { Page, Paged } from '../../../base/db/page'
import { pageOf } from '../../../base/http/id-list'
import { toJsonInteger } from '../../../base/lib/int64'
import { toIso, toIsoOrNull } from '../../../base/lib/time'
import type { Hooks } from '../../../base/state'
import { listRevisionsWith } from '../../audit/revisions'
import { given, isSame, type ProjectActor, refuseFaults } from '../../project/edit'
import type { Clawback } from '../../project/settings'
import type { CurrencyTotals } from '../hooks'
import { VIRTUAL_CURRENCIES } from '../project-file/virtual-currencies/model'
import { writeCatalogPart } from '../project-file/write'
import { type CurrencyRow, loadCatalog } from '../queries'
import { identifierFault, isBlank, MOST } from '../rules'
import type { Currency } from '../snapshot'
import {
  type CatalogEdit,
  editCatalog,
  refuseOverfull,
  refuseTaken,
  requireObject,
  revised,
  stamped,
  withoutStamps,
} from './edit-catalog'
import { currencyImage, entryOf } from './images'
import { refuseUsed } from './users'

export interface CurrencyInput {
  code: string
  name: string
  /** Null = the setting of the project applies. */
  clawback?: Clawback | null
}

const toView = (row: CurrencyRow, totals: ReadonlyMap<string, CurrencyTotals>) => ({
  id: row.id,
  code: row.code,
  name: row.name,
  clawback: row.clawback,
  archivedAt: toIsoOrNull(row.archivedAt),
  holders: totals.get(row.id)?.holders ?? 0,
  total: toJsonInteger(totals.get(row.id)?.total ?? 0n),
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})

export type CurrencyView = ReturnType<typeof toView> & { revision: number }

/** The newest first, archived ones included. */
export async function listCurrencies(ctx: Context, projectId: string, page: Page): Promise<Paged<CurrencyView>> {
  const revisions = await listRevisionsWith(ctx, projectId, 'vcy')
  const { items, hasMore } = pageOf((await loadCatalog(ctx, projectId)).currencies, page)
  const totals = await totalsOf(
    ctx,
    items.map(({ id }) => id),
  )
  return { items: items.map((row) => ({ ...toView(row, totals), revision: revisions.get(row.id) ?? 1 })), hasMore }
}

async function totalsOf(
  handle: Handle & { hooks: Hooks },
  ids: readonly string[],
): Promise<ReadonlyMap<string, CurrencyTotals>> {
  const [count] = handle.hooks.currencyTotals ?? []
  return count && ids.length > 0 ? count(handle, ids) : new Map()
}

/**
 * 400 `VALIDATION_ERROR`, 409 `IDENTIFIER_TAKEN`, 409 `CONFLICT` for the 101st. The code of an archived currency brings
 * that currency back, with its balances, as a project file does.
 */
export const createCurrency = (ctx: Context, by: ProjectActor, input: CurrencyInput): Promise<CurrencyView> =>
  editCatalog(ctx, by, async (edit) => {
    const { code, name, clawback = null } = input
    const archived = edit.rows.currencies.find((row) => row.code === code && row.archivedAt !== null)
    const id = archived?.id ?? edit.tx.ids.next('vcy')
    const row: Currency = { id, code, name, clawback, archivedAt: null }
    check(edit, row)
    refuseOverfull('virtual currencies', edit.rows.currencies.filter(isLive).length + 1, MOST.virtualCurrencies)
    const before = archived ? withoutStamps(archived) : null
    await save(edit, before, row)
    return view(edit, stamped(edit, row, archived?.createdAt))
  })

/** Members that are left out keep their value. 404 for an archived one; refusals as for `createCurrency`. */
export const updateCurrency = (
  ctx: Context,
  by: ProjectActor,
  id: string,
  change: Partial<CurrencyInput>,
): Promise<CurrencyView> =>
  editCatalog(ctx, by, async (edit) => {
    const saved = await requireObject(edit, edit.rows.currencies.filter(isLive), id)
    const before = withoutStamps(saved)
    const after: Currency = { ...before, ...given(change) }
    check(edit, after)
    if (isSame(before, after)) return view(edit, saved)
    await save(edit, before, after)
    return view(edit, stamped(edit, after, saved.createdAt))
  })

/** Archives it: balances stay and cannot change any more. 409 `CONFLICT` while a product grants it. */
export const archiveCurrency = (ctx: Context, by: ProjectActor, id: string): Promise<void> =>
  editCatalog(ctx, by, async (edit) => {
    const before = withoutStamps(await requireObject(edit, edit.rows.currencies.filter(isLive), id))
    await refuseUsed(edit, VIRTUAL_CURRENCIES, before.code)
    await save(edit, before, { ...before, archivedAt: edit.now }, 'archive')
  })

const isLive = ({ archivedAt }: Currency): boolean => archivedAt === null

async function save(edit: CatalogEdit, before: Currency | null, after: Currency, verb?: string): Promise<void> {
  const [created, updated] = before === null ? [[after], []] : [[], [after]]
  await writeCatalogPart(edit.tx, edit.projectId, { currencies: { created, updated, deletedIds: [] } })
  const change = { before, after }
  edit.entries.push(entryOf('virtualCurrency', verb ?? (before === null ? 'create' : 'update'), change, currencyImage))
}

const view = async (edit: CatalogEdit, row: CurrencyRow): Promise<CurrencyView> =>
  revised(edit, toView(row, await totalsOf(edit.tx, [row.id])))

function check({ rows }: CatalogEdit, { id, code, name }: Currency): void {
  const found = { code: identifierFault(code), name: isBlank(name) ? 'must not be blank' : null }
  refuseFaults(
    Object.entries(found).flatMap(([path, message]) =>
      message === null ? [] : [{ path, message: `${path} ${message}` }],
    ),
  )
  const named = rows.currencies.map((row) => ({ id: row.id, name: row.code }))
  refuseTaken('virtualCurrency', named, { id, name: code })
}
