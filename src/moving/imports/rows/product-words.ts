import { isRealPeriod } from '../../../intake/missing-products/period-between'
import type { FileProductType } from '../row'

/** Words of stores and vendors, without signs and capitals. */
const TYPES: Readonly<Record<string, FileProductType>> = {
  ...{ subscription: 'SUBSCRIPTION', subscriptions: 'SUBSCRIPTION', subs: 'SUBSCRIPTION', recurring: 'SUBSCRIPTION' },
  ...{ autorenewable: 'SUBSCRIPTION', autorenewablesubscription: 'SUBSCRIPTION', autorenewing: 'SUBSCRIPTION' },
  ...{ autorenewingsubscription: 'SUBSCRIPTION', prepaid: 'SUBSCRIPTION', nonrenewing: 'SUBSCRIPTION' },
  ...{ nonrenewingsubscription: 'SUBSCRIPTION', nonrenewable: 'SUBSCRIPTION' },
  ...{ consumable: 'CONSUMABLE', nonconsumable: 'NON_CONSUMABLE', lifetime: 'NON_CONSUMABLE' },
  ...{ inapp: 'ONE_TIME', onetime: 'ONE_TIME', onetimepurchase: 'ONE_TIME', onetimeproduct: 'ONE_TIME' },
}

/** The type of a product in the words of a file; null for any other text. */
export function readProductType(text: string): FileProductType | null {
  const word = text.toLowerCase().replace(/[^a-z]/g, '')
  return Object.hasOwn(TYPES, word) ? (TYPES[word] ?? null) : null
}

const NAMED: Readonly<Record<string, string>> = {
  ...{ daily: 'P1D', weekly: 'P1W', monthly: 'P1M', quarterly: 'P3M', yearly: 'P1Y', annual: 'P1Y', annually: 'P1Y' },
  ...{ biweekly: 'P2W', bimonthly: 'P2M', semiannual: 'P6M', semiannually: 'P6M', halfyearly: 'P6M' },
}
const COUNTS: Readonly<Record<string, number>> = { one: 1, two: 2, three: 3, six: 6, twelve: 12 }

/** A period as files write it: `P1M`, `1 month`, `ONE_MONTH`, `30 days`, `monthly`. Null for any other text. */
export function readPeriod(text: string): string | null {
  const upper = text.toUpperCase()
  if (isRealPeriod(upper)) return upper
  const word = text.toLowerCase().replace(/[^a-z0-9]/g, '')
  if (Object.hasOwn(NAMED, word)) return NAMED[word] ?? null
  const [, count = '', unit = ''] = /^(\d{1,3}|one|two|three|six|twelve|)(day|week|month|year)s?$/.exec(word) ?? []
  if (unit === '') return null
  const number = count === '' ? 1 : (COUNTS[count] ?? Number(count))
  return number > 0 ? `P${number}${unit.charAt(0).toUpperCase()}` : null
}
