import type { RefundOutcome } from '../../stores/ios/notification-decode'

export type { RefundOutcome }

/** The parts of a request that its outcome depends on. Instants are by the store's clock. */
export interface OpenRequest {
  askedAt: number
  outcome: RefundOutcome | null
  outcomeAt: number | null
}

export interface Decision {
  outcome: RefundOutcome
  decidedAt: number
}

/**
 * The request that a decision is about: the last one that the store had made by the time of the decision. So a decision
 * that arrives late is not matched with a later request about the same transaction. Null when there is none.
 */
export function findDecided<Request extends OpenRequest>(
  requests: readonly Request[],
  { decidedAt }: Decision,
): Request | null {
  const asked = requests.filter(({ askedAt }) => askedAt <= decidedAt)
  return asked.toSorted((a, b) => a.askedAt - b.askedAt).at(-1) ?? null
}

/** Whether the decision replaces the known outcome: a newer one does, and of two at one instant the reversal. */
export function isUpdate({ outcome: known, outcomeAt }: OpenRequest, { outcome, decidedAt }: Decision): boolean {
  if (known === null || outcomeAt === null || outcomeAt < decidedAt) return true
  return outcomeAt === decidedAt && known !== outcome && outcome === 'REFUND_REVERSED'
}
