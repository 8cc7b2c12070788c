import fc from 'fast-check'
import { DAY, HOUR } from '../../../base/lib/clock'
import { IOS_TURNS, type IosTurn, wait } from './ios-turns.fixtures'
import { IOS_SHOP, type IosChain, IosWorld, openChain } from './ios-world.fixtures'

export const IOS_START = Date.UTC(2026, 10, 20, 8)
/** The test store's certificates end ten years after it was made. */
const LONGEST_MS = 7 * 365 * DAY

const OPENINGS = ['PLAIN', 'TRIAL', 'INTRODUCTORY', 'CODE', 'YEARLY'] as const

interface Step {
  turn: IosTurn
  /** Milliseconds since the step before. */
  gap: number
  pick: number
  /** Of a subscription that somebody in the family shares. */
  isShared: boolean
}

export interface IosScript {
  opening: (typeof OPENINGS)[number]
  steps: readonly Step[]
}

const TURNS = Object.keys(IOS_TURNS) as IosTurn[]

/** Two things may happen at one instant. */
const anyGap = fc.oneof(
  { weight: 2, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 3 * HOUR }) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 40 }).map((days) => days * DAY) },
)

/** What happens to a customer of the App Store, as short as it can be said. */
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
  /** Begin of every transaction id, decimal. */
  name?: string
  startsAt?: number
  /** The store never says two things at one instant. */
  hasNoTies?: boolean
  hasFamily?: boolean
}

/** Lives through a script at the test store: what it signed, and what it knows in the end. */
export function liveIos({ opening, steps }: IosScript, staging: Staging = {}): IosWorld {
  const { name, startsAt = IOS_START, hasNoTies = false, hasFamily = true } = staging
  const world = new IosWorld(startsAt, name)
  open(world, opening)
  for (const { turn, gap, pick, isShared } of steps) {
    if (world.now - startsAt > LONGEST_MS) break
    wait(world, gap, hasNoTies ? 1 : 0)
    take(world, chainFor(world, hasFamily && isShared), turn, pick)
  }
  return world
}

/** The turn or, where the chain cannot take it, another that it can. */
function take(world: IosWorld, chain: IosChain, turn: IosTurn, pick: number): void {
  const told = world.facts.length
  for (let hop = 0; world.facts.length === told && hop < TURNS.length; hop++) {
    const next = TURNS[(TURNS.indexOf(turn) + hop * STRIDE) % TURNS.length]
    if (next) IOS_TURNS[next](world, chain, pick)
  }
}

/** Prime to the number of turns, so that each comes once. */
const STRIDE = 5

function open(world: IosWorld, opening: IosScript['opening']): void {
  const product = opening === 'YEARLY' ? IOS_SHOP.yearly : IOS_SHOP.monthly
  const chain = openChain(world, { product, withTrial: opening === 'TRIAL' })
  const [sale] = chain.sales
  if (opening === 'INTRODUCTORY')
    Object.assign(sale?.payload ?? {}, { offerType: 1, offerDiscountType: 'PAY_UP_FRONT', price: 1990 })
  if (opening === 'CODE') Object.assign(sale?.payload ?? {}, { offerType: 3, offerIdentifier: 'SPRING' })
  world.notifyOf([opening === 'CODE' ? 'OFFER_REDEEMED' : 'SUBSCRIBED', 'INITIAL_BUY'], chain)
}

/** The customer's own subscription, or the one that they share; bought now if there is none. */
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
