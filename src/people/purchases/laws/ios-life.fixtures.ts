import fc from 'fast-check'
import { DAY, HOUR } from '../../../base/lib/clock'
import { IOS_TURNS, type IosTurn, wait } from './ios-turns.fixtures'
import { IOS_SHOP, type IosChain, IosWorld, openChain } from './ios-world.fixtures'

export const IOS_START = Date.UTC(2026, 10, 20, 8)
/** The test store's certificates end ten years after it was made. */
const LONGEST_MS = 7 * 365 * DAY

const OPENINGS = ['PLAIN', 'TRIAL', 'INTRODUCTORY', 'CODE', 'YEARLY', 'COMMITTED'] as const

interface Step {
  turn: IosTurn
  /** Milliseconds since the previous step. */
  gap: number
  pick: number
  /** Whether it concerns the family member's share of a subscription. */
  isShared: boolean
}

export interface IosScript {
  opening: (typeof OPENINGS)[number]
  steps: readonly Step[]
}

const TURNS = Object.keys(IOS_TURNS) as IosTurn[]

/** Two changes may happen at one instant. */
const anyGap = fc.oneof(
  { weight: 2, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 3 * HOUR }) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 40 }).map((days) => days * DAY) },
)

/** A script for a customer of the App Store, in its shortest form. */
export const anyIosScript: fc.Arbitrary<IosScript> = fc.record({
  opening: fc.constantFrom(...OPENINGS),
  steps: fc.array(
    fc.record({
      turn: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...TURNS) },
        { weight: 1, arbitrary: fc.constantFrom<IosTurn>('RENEW', 'EXPIRE', 'RESUBSCRIBE', 'REFUND', 'UPGRADE') },
      ),
      gap: anyGap,
      pick: fc.nat({ max: 11 }),
      isShared: fc.nat({ max: 9 }).map((one) => one === 9),
    }),
    { maxLength: 10 },
  ),
})

interface Staging {
  /** Beginning of each transaction id, decimal. */
  name?: string
  startsAt?: number
  /** The store never signs two versions at one instant. */
  hasNoTies?: boolean
  hasFamily?: boolean
  /** Whether the store sells subscriptions that never renew. The cast of the tests with a database has none. */
  hasPasses?: boolean
  /** Called with each turn that was taken. */
  count?: (turn: IosTurn) => void
}

/** Runs a script at the test store; returns what it signed and its data at the end. */
export function liveIos({ opening, steps }: IosScript, staging: Staging = {}): IosWorld {
  const { name, startsAt = IOS_START, hasNoTies = false, hasFamily = true, hasPasses = false, count } = staging
  const world = new IosWorld(startsAt, name, hasPasses)
  open(world, opening)
  for (const { turn, gap, pick, isShared } of steps) {
    if (world.now - startsAt > LONGEST_MS) break
    wait(world, gap, hasNoTies ? 1 : 0)
    const taken = take(world, chainFor(world, hasFamily && isShared), turn, pick)
    if (taken) count?.(taken)
  }
  return world
}

/** The turn or, where it is impossible for the chain, another one that is possible; returns the one that was taken. */
function take(world: IosWorld, chain: IosChain, turn: IosTurn, pick: number): IosTurn | null {
  const before = world.facts.length
  for (let hop = 0; hop < TURNS.length; hop++) {
    const next = TURNS[(TURNS.indexOf(turn) + hop * STRIDE) % TURNS.length]
    if (next) IOS_TURNS[next](world, chain, pick)
    if (next && world.facts.length > before) return next
  }
  return null
}

/** Prime to the number of turns, so the search reaches each turn once. */
const STRIDE = 5

function open(world: IosWorld, opening: IosScript['opening']): void {
  const product = { YEARLY: IOS_SHOP.yearly, COMMITTED: IOS_SHOP.committed }[String(opening)] ?? IOS_SHOP.monthly
  const chain = openChain(world, { product, withTrial: opening === 'TRIAL' })
  const [sale] = chain.sales
  if (opening === 'INTRODUCTORY')
    Object.assign(sale?.payload ?? {}, { offerType: 1, offerDiscountType: 'PAY_UP_FRONT', price: 1990 })
  if (opening === 'CODE') Object.assign(sale?.payload ?? {}, { offerType: 3, offerIdentifier: 'SPRING' })
  world.notifyOf([opening === 'CODE' ? 'OFFER_REDEEMED' : 'SUBSCRIBED', 'INITIAL_BUY'], chain)
}

/** The customer's own subscription, or the shared one. If there is none, it is bought now. */
function chainFor(world: IosWorld, isOfFamily: boolean): IosChain {
  const isWanted = ({ sales: [first] }: IosChain) =>
    (first?.payload.inAppOwnershipType === 'FAMILY_SHARED') === isOfFamily
  const held = world.chains.find(isWanted)
  if (held) return held
  const ownershipType = isOfFamily ? ('FAMILY_SHARED' as const) : ('PURCHASED' as const)
  const chain = openChain(world, { product: IOS_SHOP.monthly, ownershipType })
  world.notifyOf(['SUBSCRIBED', 'INITIAL_BUY'], chain)
  return chain
}
