import type { RefundOutcome } from '../../stores/ios/notification-decode'

export type { RefundOutcome }

/** A request, as far as the outcome of it depends on it. Instants are the store's. */
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
 * The request that a decision is about: of those that the store had asked by then, the last one. So a decision that
 * comes late is not taken for the answer to a later request of the same transaction. Null when there is none.
 */
export function findDecided<Request extends OpenRequest>(
  requests: readonly Request[],
  { decidedAt }: Decision,
): Request | null {
  const asked = requests.filter(({ askedAt }) => askedAt <= decidedAt)
  return asked.toSorted((a, b) => a.askedAt - b.askedAt).at(-1) ?? null
}

/** Whether the decision says more than what is known: a newer word counts, and of one instant the reversal. */
export function isNews({ outcome: known, outcomeAt }: OpenRequest, { outcome, decidedAt }: Decision): boolean {
  if (known === null || outcomeAt === null || outcomeAt < decidedAt) return true
  return outcomeAt === decidedAt && known !== outcome && outcome === 'REFUND_REVERSED'
}
