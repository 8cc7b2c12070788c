import type { Clawback } from '../../../project/settings'
import { sectionKey } from '../../../project-file/model'

export interface CurrencyState {
  name: string
  /** Null = the setting of the project applies. */
  clawback: Clawback | null
  isArchived: boolean
}

export const VIRTUAL_CURRENCIES = sectionKey<CurrencyState>('virtualCurrencies', 'virtualCurrency')
