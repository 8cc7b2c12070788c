import { CLAWBACKS, type Clawback } from '../../../project/settings'
import { label } from '../../../project-file/fields'
import type { Wanted } from '../../../project-file/model'
import { objects } from '../../../project-file/objects'
import { oneOf, type Read } from '../../../project-file/reader'
import type { CurrencyState } from './model'

export const parseCurrencies: Read<Wanted<CurrencyState>[]> = objects((members) => ({
  name: members.required('name', label, ''),
  clawback: members.optional<Clawback | null>('clawback', oneOf(CLAWBACKS), null),
  isArchived: false,
}))
