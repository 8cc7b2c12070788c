import { COINS, LIFETIME, YEARLY } from './cast'
import { type Bought, DAY, type MadePerson, pro, subscription } from './compared-people'
import { seconds } from './old-vendor'

/** A difference that was planted: about whom, and of which kind. */
export interface Planted {
  person: string
  kind: string
}

type Made = Omit<MadePerson, 'deviceKey' | 'label'> & { label?: string | null; deviceKey?: string }
type Maker = (now: number, id: string) => Made

const month = (transaction: string, change: Partial<Bought> = {}): Bought => ({ transaction, ...change })

const whole = (instant: number): number => Math.floor(instant / 1000) * 1000

/** People about whom nothing is to be reported, each kind by one of the rules of what is expected to differ. */
const EXPECTED: Record<string, Maker> = {
  'the same month': (now, id) => ({ bought: [month(id)], there: pro(now, id) }),
  'milliseconds here': (now, id) => ({
    bought: [month(id, { expiresAt: whole(now + 20 * DAY) + 640, purchaseDate: whole(now - 10 * DAY) + 999 })],
    there: pro(now, id),
  }),
  'grace in its own member': (now, id) => ({
    bought: [month(id, { expiresAt: now - DAY, gracePeriodExpiresAt: now + 5 * DAY, billingTrouble: 'GRACE' })],
    there: pro(now, id, {
      ...{ expires_date: seconds(now - DAY), grace_period_expires_date: seconds(now + 5 * DAY) },
      billing_issues_detected_at: seconds(now - DAY),
    }),
  }),
  'ended on both sides': (now, id) => ({
    bought: [month(id, { expiresAt: now - 3 * DAY })],
    there: pro(now, id, { expires_date: seconds(now - 3 * DAY) }),
  }),
  'a grant': (now, id) => ({
    bought: [month(id, { store: 'MANUAL', product: null, access: ['pro'] })],
    there: pro(now, id, { store: 'promotional' }, 'rc_promo_pro_monthly'),
  }),
  'a grant that ended': (now, id) => ({
    there: pro(now, id, { store: 'promotional', expires_date: seconds(now - DAY) }, 'rc_promo_pro_monthly'),
  }),
  'sandbox there': (now, id) => ({ there: pro(now, id, { is_sandbox: true }) }),
  'sandbox here': (_now, id) => ({ bought: [month(id, { environment: 'SANDBOX' })], there: {} }),
  'another purchase of the product before': (now, id) => ({
    bought: [month(id), month(`${id}9`, { purchaseDate: now - 90 * DAY, expiresAt: now - 60 * DAY })],
    there: pro(now, id),
  }),
  'a chain that changed its product': (now, id) => {
    const ended = { expires_date: seconds(now - 10 * DAY), purchase_date: seconds(now - 40 * DAY) }
    const first = { original_purchase_date: seconds(now - 40 * DAY) }
    const there = pro(now, id, first)
    const earlier = subscription(now, `${id}1`, { ...ended, ...first })
    return {
      bought: [month(id, { originalPurchaseDate: now - 40 * DAY })],
      there: { ...there, subscriptions: { ...there.subscriptions, [YEARLY.productId]: earlier } },
    }
  },
  'no renewal': (now, id) => ({
    bought: [month(id, { autoRenews: false, cancelledAt: now - 2 * DAY })],
    there: pro(now, id, { unsubscribe_detected_at: seconds(now - DAY) }),
  }),
  'a refund': (now, id) => ({
    bought: [month(id, { refundedAt: now - 4 * DAY })],
    there: pro(now, id, { refunded_at: seconds(now - 3 * DAY), expires_date: seconds(now - 3 * DAY) }),
  }),
  'billing retry': (now, id) => ({
    bought: [month(id, { expiresAt: now - 16 * DAY, purchaseDate: now - 46 * DAY, billingTrouble: 'RETRY' })],
    there: pro(now, id, { expires_date: seconds(now - DAY), billing_issues_detected_at: seconds(now - 15 * DAY) }),
  }),
  'for ever': (now, id) => ({
    bought: [month(id, { product: 'lifetime' })],
    there: {
      entitlements: {
        pro: { expires_date: null, purchase_date: seconds(now - 10 * DAY), product_identifier: LIFETIME.productId },
      },
      non_subscriptions: { [LIFETIME.productId]: [once(now, id)] },
    },
  }),
  coins: (now, id) => ({
    bought: [month(id, { product: 'coins_100' })],
    there: { non_subscriptions: { [COINS.productId]: [once(now, id)] } },
  }),
  'a store that is not here': (now, id) => ({ there: pro(now, id, { store: 'amazon' }) }),
  'for hours': (now) => ({
    there: {
      entitlements: {
        pro: { expires_date: seconds(now + DAY / 2), purchase_date: seconds(now), product_identifier: 'stand_in' },
      },
    },
  }),
  'unknown there, and nothing here': () => ({ there: null }),
  'an anonymous id': (now, id) => ({
    ...{ bought: [month(id)], there: pro(now, id), label: null },
    deviceKey: `$RCAnonymousID:${id.padStart(32, '0')}`,
  }),
}

const once = (now: number, transaction: string) => ({
  ...{ id: `n${transaction}`, is_sandbox: false, purchase_date: seconds(now - 10 * DAY), store: 'app_store' },
  store_transaction_id: transaction,
})

/** What is planted, and how often: 37 differences of 9 kinds. */
const PLANTED: [kind: string, times: number, make: Maker][] = [
  ['ACCESS_ONLY_THERE', 3, (now, id) => ({ there: pro(now, id) })],
  ['ACCESS_ONLY_THERE', 2, (now, id) => ({ bought: [month(id, { expiresAt: now - DAY })], there: pro(now, id) })],
  ['ACCESS_ONLY_HERE', 2, (_now, id) => ({ bought: [month(id)], there: {} })],
  [
    'ACCESS_ONLY_HERE',
    2,
    (now, id) => ({ bought: [month(id)], there: pro(now, id, { expires_date: seconds(now - DAY) }) }),
  ],
  [
    'OTHER_END',
    4,
    (now, id) => ({ bought: [month(id)], there: pro(now, id, { expires_date: seconds(now + 50 * DAY) }) }),
  ],
  ['OTHER_END', 1, (now, id) => ({ bought: [month(id)], there: pro(now, id, { expires_date: null }) })],
  ['OTHER_PRODUCT', 4, (now, id) => ({ bought: [month(id)], there: pro(now, id, {}, YEARLY.productId) })],
  ['OTHER_STORE', 4, (now, id) => ({ bought: [month(id)], there: pro(now, id, { store: 'stripe' }) })],
  [
    'PURCHASE_ONLY_THERE',
    4,
    (now, id) => ({
      bought: [month(id)],
      there: { ...pro(now, id), non_subscriptions: { [COINS.productId]: [once(now, `${id}7`)] } },
    }),
  ],
  [
    'PURCHASE_ONLY_HERE',
    4,
    (now, id) => ({ bought: [month(id), month(`${id}7`, { product: 'coins_100' })], there: pro(now, id) }),
  ],
  ['OTHER_STATE', 2, (now, id) => ({ bought: [month(id)], there: pro(now, id, { period_type: 'trial' }) })],
  ['OTHER_STATE', 2, (now, id) => ({ bought: [month(id, { autoRenews: false })], there: pro(now, id) })],
]

const OWNERS = 3

/** Many people of whom 37 differ. */
export function makeWorld(now: number, size: number): { people: MadePerson[]; planted: Planted[] } {
  const people: MadePerson[] = []
  const planted: Planted[] = []
  let number = 0
  const add = (make: Maker): MadePerson => {
    const n = ++number
    const made = make(now, String(1000 + n))
    const person = { label: `user_${n}`, deviceKey: `svc_${n}`, ...made }
    people.push(person)
    return person
  }
  const makers = Object.values(EXPECTED)
  const all = PLANTED.flatMap(([kind, times, make]) => Array.from({ length: times }, () => ({ kind, make })))
  const between = Math.floor(size / (all.length + OWNERS + 1))
  while (people.length < size - 2 * OWNERS) {
    const next = people.length % between === 0 ? all.pop() : undefined
    if (next) planted.push({ person: add(next.make).label ?? '', kind: next.kind })
    else add(makers[people.length % makers.length] ?? (() => ({ there: null })))
  }
  for (let owner = 0; owner < OWNERS; owner++) {
    // The purchase of one person here is the one of another there; every second time the owner here comes first.
    const here = (_now: number, id: string) => ({ bought: [month(`7${owner}`)], there: {}, label: `owner_${id}` })
    const there = () => ({ there: pro(now, `7${owner}`) })
    const [first, second] = owner % 2 === 0 ? [here, there] : [there, here]
    const pair = [add(first), add(second)]
    planted.push({ person: pair[owner % 2 === 0 ? 1 : 0]?.label ?? '', kind: 'OTHER_OWNER' })
  }
  if (all.length > 0) throw new Error('not everything was planted')
  return { people, planted }
}
