import { expect, test } from 'bun:test'
import type { Schedule } from './shapes'
import { dayOf, FROM, subscription } from './shapes.fixtures'
import { nextPrices } from './subscription'

const phase = (from: number, to: number, ...prices: string[]) => ({
  start_date: dayOf(from),
  end_date: dayOf(to),
  items: prices.map((price) => ({ price })),
})

const schedule = (phases: Schedule['phases'], members: Partial<Schedule> = {}): Schedule => ({
  id: 'sub_sched_1',
  status: 'active',
  current_phase: { start_date: FROM, end_date: dayOf(30) },
  phases,
  ...members,
})

const [item] = subscription.items.data
const addon = {
  ...item,
  id: 'si_2',
  price: { id: 'price_2' },
  current_period_start: FROM,
  current_period_end: dayOf(30),
}
const two = { ...subscription, items: { data: [...subscription.items.data, addon] } }
const nextOf = (given: Schedule | null, of = subscription) =>
  Object.fromEntries([...nextPrices(of, given)].map(([id, price]) => [id, price?.id ?? null]))

test('the next phase names the next price', () => {
  expect(nextOf(schedule([phase(0, 30, 'price_1'), phase(30, 60, 'price_9')]))).toEqual({ si_1: 'price_9' })
})
test('a phase after the next one does not', () => {
  const later = schedule([phase(0, 30, 'price_1'), phase(30, 60, 'price_1'), phase(60, 90, 'price_9')])
  expect(nextOf(later)).toEqual({ si_1: null })
})
test('of two items only the one that changes has another', () => {
  expect(nextOf(schedule([phase(0, 30), phase(30, 60, 'price_1', 'price_9')]), two)).toEqual({
    si_1: null,
    si_2: 'price_9',
  })
})
test('nothing is known without a schedule, after its last phase, and of one that is over', () => {
  const phases = [phase(0, 30, 'price_1'), phase(30, 60, 'price_9')]
  const none = [null, schedule([phase(0, 30, 'price_1')]), schedule(phases, { current_phase: null })]
  const over = ['released', 'canceled', 'completed', 'not_started'].map((status) => schedule(phases, { status }))
  for (const one of [...none, ...over]) expect(nextOf(one)).toEqual({ si_1: null })
})
