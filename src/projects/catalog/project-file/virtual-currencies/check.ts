import { lost, tooMany } from '../../../project-file/checks'
import type { Problem } from '../../../project-file/problem'
import type { Checking } from '../../../project-file/section'
import { type CurrencyState, VIRTUAL_CURRENCIES } from './model'

/** The most virtual currencies that a project may have (wire section 6). Archived ones are not counted. */
const MAX_CURRENCIES = 100

/** Refuses pruning a currency that is in use, and too many currencies. */
export function checkCurrencies({ pairs, users }: Checking<CurrencyState, unknown, CurrencyState>): Problem[] {
  const used = pairs.filter(({ before }) => !before?.isArchived)
  return [
    ...lost(VIRTUAL_CURRENCIES, used, users),
    ...tooMany(VIRTUAL_CURRENCIES, pairs, MAX_CURRENCIES, ({ isArchived }) => !isArchived),
  ]
}
