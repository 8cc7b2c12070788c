import type { Item, Price, Schedule, Subscription } from './shapes'

/**
 * The price that each item will have in the next phase of the subscription's schedule, by item id; null = the same, or
 * there is no next phase. A price of which only the id is known has no amount. An item whose price is in the next phase
 * keeps it; the others take the prices that come anew, in order.
 */
export function nextPrices({ items }: Subscription, schedule: Schedule | null): Map<string, Price | null> {
  const next = nextPhase(schedule)
  const coming = next?.items.map(({ price }) => (typeof price === 'string' ? { id: price } : price)) ?? []
  const isKept = ({ price }: Item) => coming.some(({ id }) => id === price.id)
  const fresh = coming.filter(({ id }) => !items.data.some((item) => item.price.id === id))
  const changing = items.data.filter((item) => !isKept(item))
  return new Map(items.data.map((item) => [item.id, fresh[changing.indexOf(item)] ?? null]))
}

/** A schedule that was released, cancelled or completed changes nothing any more. */
function nextPhase(schedule: Schedule | null): Schedule['phases'][number] | null {
  if (schedule?.status !== 'active' || !schedule.current_phase) return null
  const { end_date } = schedule.current_phase
  return schedule.phases.find(({ start_date }) => start_date >= end_date) ?? null
}
