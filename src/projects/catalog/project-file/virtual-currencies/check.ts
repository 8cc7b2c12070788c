import { lost, tooMany } from '../../../project-file/checks'
import type { Problem } from '../../../project-file/problem'
import type { Checking } from '../../../project-file/section'
import { MOST } from '../../rules'
import { type CurrencyState, VIRTUAL_CURRENCIES } from './model'

/** Refuses pruning a currency that is in use, and too many currencies. Archived ones are not counted. */
export function checkCurrencies({ pairs, users }: Checking<CurrencyState, unknown, CurrencyState>): Problem[] {
  const used = pairs.filter(({ before }) => !before?.isArchived)
  return [
    ...lost(VIRTUAL_CURRENCIES, used, users),
    ...tooMany(VIRTUAL_CURRENCIES, pairs, MOST.virtualCurrencies, ({ isArchived }) => !isArchived),
  ]
}
