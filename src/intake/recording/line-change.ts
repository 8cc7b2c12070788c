import { transactionLines } from '../../people/purchases/lines'
import { replacedPeriod } from '../../people/purchases/records'
import type { Observation, ProductType } from '../../stores/observation'
import type { LineChange } from './grant-booking'

export { replacedPeriod }

/** The money lines by the observations that were known, and by all. */
export const linesOf = (
  known: readonly Observation[],
  all: readonly Observation[],
  productType: ProductType,
): LineChange => ({
  before: known.length > 0 ? transactionLines(known, productType, replacedPeriod(known)) : [],
  after: transactionLines(all, productType, replacedPeriod(all)),
})
