import { lost, tooMany } from '../../../project-file/checks'
import type { Problem } from '../../../project-file/problem'
import type { Checking } from '../../../project-file/section'
import { type CurrencyState, VIRTUAL_CURRENCIES } from './model'

/** Of a project (wire section 6), archived ones not counted. */
const MAX_CURRENCIES = 100

/** What planned currencies must not be: taken from products, too many. */
export function checkCurrencies({ pairs, users }: Checking<CurrencyState, unknown, CurrencyState>): Problem[] {
  const used = pairs.filter(({ before }) => !before?.isArchived)
  return [
    ...lost(VIRTUAL_CURRENCIES, used, users),
    ...tooMany(VIRTUAL_CURRENCIES, pairs, MAX_CURRENCIES, ({ isArchived }) => !isArchived),
  ]
}
