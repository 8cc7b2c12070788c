import type { Context } from '../../../base/context'
import type { Clawback } from '../../../core/project/settings'
import { revisionAfter } from '../../audit/revisions'
import { given, isSame, type ProjectActor, refuseFaults } from '../../project/edit'
import { VIRTUAL_CURRENCIES } from '../project-file/virtual-currencies'
import type { CurrencyRow } from '../queries'
import { identifierFault, isBlank, MOST } from '../rules'
import { writeCatalog } from '../service'
import type { Currency } from '../snapshot'
import { type CurrencyView, toCurrencyView } from './currency-view'
import {
  type CatalogEdit,
  editCatalog,
  refuseOverfull,
  refuseTaken,
  requireObject,
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

/**
 * 400 `VALIDATION_ERROR`, 409 `IDENTIFIER_TAKEN`, 409 `CONFLICT` for the 101st. The code of an archived currency brings
 * that currency back, with its balances, as a project file does.
 */
export const createCurrency = (ctx: Context, by: ProjectActor, input: CurrencyInput): Promise<CurrencyView> =>
  withTotals(ctx, by, async (edit) => {
    const { code, name, clawback = null } = input
    const archived = edit.rows.currencies.find((row) => row.code === code && row.archivedAt !== null)
    const id = archived?.id ?? edit.tx.ids.next('vcy')
    const row: Currency = { id, code, name, clawback, archivedAt: null }
    check(edit, row)
    refuseOverfull('virtual currencies', edit.rows.currencies.filter(isLive).length + 1, MOST.virtualCurrencies)
    const before = archived ? withoutStamps(archived) : null
    await save(edit, before, row)
    return stamped(edit, row, archived?.createdAt)
  })

/** Members that are left out keep their value. 404 for an archived one; refusals as for `createCurrency`. */
export const updateCurrency = (
  ctx: Context,
  by: ProjectActor,
  id: string,
  change: Partial<CurrencyInput>,
): Promise<CurrencyView> =>
  withTotals(ctx, by, async (edit) => {
    const saved = await requireObject(edit, 'currency', edit.rows.currencies.filter(isLive), id)
    const before = withoutStamps(saved)
    const after: Currency = { ...before, ...given(change) }
    check(edit, after)
    if (isSame(before, after)) return saved
    await save(edit, before, after)
    return stamped(edit, after, saved.createdAt)
  })

/** Archives it: balances stay and cannot change any more. 409 `CONFLICT` while a product grants it. */
export const archiveCurrency = (ctx: Context, by: ProjectActor, id: string): Promise<void> =>
  editCatalog(ctx, by, async (edit) => {
    const before = withoutStamps(await requireObject(edit, 'currency', edit.rows.currencies.filter(isLive), id))
    await refuseUsed(edit, VIRTUAL_CURRENCIES, before.code)
    await save(edit, before, { ...before, archivedAt: edit.now }, 'archive')
  })

const isLive = ({ archivedAt }: Currency): boolean => archivedAt === null

async function save(edit: CatalogEdit, before: Currency | null, after: Currency, verb?: string): Promise<void> {
  const [created, updated] = before === null ? [[after], []] : [[], [after]]
  await writeCatalog(edit.tx, edit.projectId, { currencies: { created, updated, deletedIds: [] } })
  const change = { before, after }
  edit.entries.push(entryOf('virtualCurrency', verb ?? (before === null ? 'create' : 'update'), change, currencyImage))
}

/** Every balance is read for the totals, so they are read after the transaction. */
async function withTotals(
  ctx: Context,
  by: ProjectActor,
  work: (edit: CatalogEdit) => Promise<CurrencyRow>,
): Promise<CurrencyView> {
  const { row, revision } = await editCatalog(ctx, by, async (edit) => {
    const saved = await work(edit)
    return { row: saved, revision: await revisionAfter(edit, saved.id) }
  })
  return { ...toCurrencyView(row, await ctx.state.currencyTotals([row.id])), revision }
}

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
