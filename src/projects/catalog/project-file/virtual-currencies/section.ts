import type { RowChanges } from '../../../../base/db/row-changes'
import { contentByName, withoutEmpty } from '../../../project-file/content'
import { planObjects } from '../../../project-file/pair'
import type { Section, Writing } from '../../../project-file/section'
import { changed, savedAs } from '../../../project-file/stored'
import { loadCatalogRows } from '../../service'
import type { Currency } from '../../snapshot'
import { writeCatalogPart } from '../write'
import { checkCurrencies } from './check'
import { type CurrencyState, VIRTUAL_CURRENCIES } from './model'
import { parseCurrencies } from './parse'

type Rows = readonly Currency[]

/** The virtual currencies of a project. They are archived instead of deleted. */
export const currencySection: Section<CurrencyState, Rows, CurrencyState, RowChanges<Currency>> = {
  key: VIRTUAL_CURRENCIES,
  idPrefix: 'vcy',
  takenCode: 'IDENTIFIER_TAKEN',
  parse: parseCurrencies,
  load: async ({ once }) => (await once(loadCatalogRows)).currencies,
  names: (rows) => new Map(rows.map(({ id, code }) => [id, code])),
  current: (rows, names) => rows.map((row) => savedAs(names.of(VIRTUAL_CURRENCIES), row.id, row.code, stateOf(row))),
  plan: (given) => planObjects(given, ({ state }) => ({ ...state, isArchived: true })),
  isNameable: ({ isPruned }) => !isPruned,
  check: checkCurrencies,
  named: (code) => ({ code }),
  rows: rowsOf,
  write: (tx, projectId, currencies) => writeCatalogPart(tx, projectId, { currencies }),
  content: (saved) =>
    contentByName(
      saved.filter(({ state }) => !state.isArchived),
      ({ name, clawback }) => withoutEmpty({ name, clawback }),
    ),
}

const stateOf = ({ name, clawback, archivedAt }: Currency): CurrencyState => ({
  name,
  clawback,
  isArchived: archivedAt !== null,
})

function rowsOf({ pairs, rows, now }: Writing<Rows, CurrencyState>): RowChanges<Currency> {
  const archivedAt = new Map(rows.map((currency) => [currency.id, currency.archivedAt]))
  return changed(pairs, (id, code, { isArchived, ...state }) => ({
    id,
    code,
    ...state,
    archivedAt: isArchived ? (archivedAt.get(id) ?? now) : null,
  }))
}
