import type { RowChanges } from '../../../base/db/row-changes'
import { CLAWBACKS } from '../../../core/project/settings'
import { contentByName } from '../../../core/project-file/content'
import { label } from '../../project-file/fields'
import { type Formed, form, must, never, objects, orNone } from '../../project-file/form'
import { sectionKey } from '../../project-file/model'
import { changed, lost, planObjects, savedAs, tooMany } from '../../project-file/pair'
import type { Problem } from '../../project-file/problem'
import { oneOf } from '../../project-file/reader'
import type { Checking, Section, Writing } from '../../project-file/section'
import { MOST } from '../rules'
import { loadCatalogRows, writeCatalog } from '../service'
import type { Currency } from '../snapshot'

const FORM = form({
  name: must(label, ''),
  /** Null = the setting of the project applies. */
  clawback: orNone(oneOf(CLAWBACKS)),
  isArchived: never(false as boolean),
})

type CurrencyState = Formed<typeof FORM>

export const VIRTUAL_CURRENCIES = sectionKey<CurrencyState>('virtualCurrencies', 'virtualCurrency')

type Rows = readonly Currency[]

/** The virtual currencies of a project. They are archived instead of deleted. */
export const currencySection: Section<CurrencyState, Rows, CurrencyState, RowChanges<Currency>> = {
  key: VIRTUAL_CURRENCIES,
  idPrefix: 'vcy',
  takenCode: 'IDENTIFIER_TAKEN',
  parse: objects(FORM.from),
  load: async ({ once }) => (await once(loadCatalogRows)).currencies,
  names: (rows) => new Map(rows.map(({ id, code }) => [id, code])),
  current: (rows, names) =>
    rows.map(({ id, code, name, clawback, archivedAt }) =>
      savedAs(names.of(VIRTUAL_CURRENCIES), id, code, { name, clawback, isArchived: archivedAt !== null }),
    ),
  plan: (given) => planObjects(given, ({ state }) => ({ ...state, isArchived: true })),
  isNameable: ({ isPruned }) => !isPruned,
  check,
  named: (code) => ({ code }),
  rows: rowsOf,
  write: (tx, projectId, currencies) => writeCatalog(tx, projectId, { currencies }),
  content: (saved) =>
    contentByName(
      saved.filter(({ state }) => !state.isArchived),
      FORM.write,
    ),
}

/** Refuses pruning a currency that is in use, and too many currencies. Archived ones are not counted. */
function check({ pairs, users }: Checking<CurrencyState, unknown, CurrencyState>): Problem[] {
  const used = pairs.filter(({ before }) => !before?.isArchived)
  return [
    ...lost(VIRTUAL_CURRENCIES, used, users),
    ...tooMany(VIRTUAL_CURRENCIES, pairs, MOST.virtualCurrencies, ({ isArchived }) => !isArchived),
  ]
}

function rowsOf({ pairs, rows, now }: Writing<Rows, CurrencyState>): RowChanges<Currency> {
  const archivedAt = new Map(rows.map((currency) => [currency.id, currency.archivedAt]))
  return changed(pairs, (id, code, { isArchived, ...state }) => ({
    id,
    code,
    ...state,
    archivedAt: isArchived ? (archivedAt.get(id) ?? now) : null,
  }))
}
