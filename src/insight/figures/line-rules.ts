import { MAX_INSTANT } from '../../base/lib/time'
import type { RecordedPurchase } from '../../intake/recording/on-recorded'
import type { PurchaseState, TransactionLine } from '../../people/purchases/model'
import type { LineRules } from './lines'
import { timeline } from './timeline'

/** What the entries of a purchase's money lines depend on. */
export const lineRulesOf = (recorded: RecordedPurchase): LineRules => ({
  productType: recorded.purchase.fold.productType,
  commission: recorded.project.commission,
  pendingUntil: pendingUntilOf(recorded),
})

/** When it is decided that a trial is not charged: when neither it nor the attempts to charge it go on. */
const pendingUntilOf =
  ({ observations, purchase: { fold } }: RecordedPurchase) =>
  ({ occurredAt }: TransactionLine): number => {
    const decided = timeline(observations, fold.productType, occurredAt).find(({ state }) => !isOpenTrial(state))
    return decided?.at ?? MAX_INSTANT
  }

const isOpenTrial = (state: PurchaseState | null): boolean =>
  state?.isTrial === true && ['TRIAL', 'GRACE_PERIOD', 'BILLING_RETRY'].includes(state.status)
