import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { HOUR } from '../../src/base/lib/clock'
import { sweepPurchases } from '../../src/intake/recording/sweep'
import type { TransactionPayload } from '../../src/stores/ios/decode'
import { type SimulatedProduct, simulatedRenewal } from '../../src/test-store/stores/ios'
import type { NotificationKind } from '../../src/test-store/stores/notification'
import { ANDROID_MONTHLY, ANDROID_YEARLY, type AndroidStage, androidStage } from '../support/android'
import { type Answer, COINS, LIFETIME, MONTHLY, YEARLY } from '../support/cast'
import { access, eventTypes, identify, refund, type SubscriberRow } from '../support/facts'
import { notify } from '../support/notify'
import { isPostgresRun } from '../support/postgres'
import { moreInRelease } from '../support/release'

const DEVICES = ['svc_1', 'svc_2', 'svc_3']
const PRODUCTS = [MONTHLY, YEARLY, COINS, LIFETIME]
const RUNS = moreInRelease(isPostgresRun() ? 4 : 12, 30)

/** Three devices, all purchases so far at both stores, and two numbers that choose among them. */
interface World {
  s: AndroidStage
  ios: TransactionPayload[]
  tokens: string[]
  renewals: number
}

const chosen = <Item>(items: readonly Item[], pick: number): Item | undefined => items[pick % Math.max(items.length, 1)]
const deviceOf = (pick: number): string => chosen(DEVICES, pick) ?? ''
const sold = ({ productId }: TransactionPayload): SimulatedProduct =>
  PRODUCTS.find((product) => product.productId === productId) ?? MONTHLY

type Turn = (world: World, who: number, what: number) => Promise<Answer[]>

/** The App Store changes a subscription and sends a notification. */
const atApple =
  (
    kind: (what: number) => NotificationKind,
    change: (one: TransactionPayload, world: World) => TransactionPayload,
  ): Turn =>
  async (world, _who, what) => {
    const one = chosen(world.ios, what)
    if (!one?.expiresDate) return []
    const next = change(one, world)
    world.ios[what % world.ios.length] = next
    return [await notify(world.s, kind(what), next)]
  }
const asItIs = (one: TransactionPayload): TransactionPayload => one
const either = (a: NotificationKind, b: NotificationKind) => (what: number) => (what % 2 === 0 ? a : b)
const always = (kind: NotificationKind) => () => kind

type StoreTurn = 'renew' | 'hold' | 'failPayment' | 'pause' | 'cancel' | 'restart' | 'revoke' | 'expire' | 'refund'

/** Google Play changes a subscription. Its push waits until the step `hear` delivers it. */
const atGoogle =
  (turn: StoreTurn): Turn =>
  async ({ s, tokens }, _who, what) => {
    const token = chosen(tokens, what)
    if (token !== undefined && s.server.store.subscriptions.has(token)) s.server.store[turn](token)
    return []
  }

const asServer = ({ s }: World, path: string, body: object): Promise<Answer> =>
  s.post(`/v1/subscribers/${path}`, body, { key: s.project.secretKey })

const showToken = async ({ s, tokens }: World, who: number, what: number): Promise<Answer[]> => {
  const token = chosen(tokens, what)
  if (token === undefined) return []
  const bought = s.server.store.products.get(token)?.resource.productLineItem?.[0]?.productId
  return [await s.token(deviceOf(who), token, bought ?? 'pro')]
}

const TURNS: Record<string, Turn> = {
  async buyAtApple({ s, ios }, who, what) {
    const one = s.buy(chosen(PRODUCTS, what) ?? MONTHLY)
    ios.push(one)
    if (what % 3 > 0) return [await s.receipt(deviceOf(who), one)]
    return [await notify(s, one.expiresDate ? ['SUBSCRIBED', 'INITIAL_BUY'] : ['ONE_TIME_CHARGE', null], one)]
  },
  async shareAtApple({ s, ios }, who) {
    const one = s.buy(YEARLY, { ownershipType: 'FAMILY_SHARED' })
    ios.push(one)
    return [await s.receipt(deviceOf(who), one)]
  },
  async showReceipt({ s, ios }, who, what) {
    const one = chosen(ios, what)
    return one ? [await s.receipt(deviceOf(who), one)] : []
  },
  renewAtApple: atApple(always(['DID_RENEW', null]), (one, world) => {
    const transactionId = String(2900000000000000 + ++world.renewals)
    return simulatedRenewal(one, { product: sold(one), transactionId, now: world.s.ctx.clock.now() })
  }),
  refundAtApple: atApple(either(['REFUND', null], ['REVOKE', null]), (one, { s }) => refund(s, one)),
  reverseAtApple: atApple(
    always(['REFUND_REVERSED', null]),
    ({ revocationDate: _1, revocationReason: _2, ...one }) => one,
  ),
  endAtApple: atApple(always(['EXPIRED', 'VOLUNTARY']), asItIs),
  failAtApple: atApple(either(['DID_FAIL_TO_RENEW', 'GRACE_PERIOD'], ['DID_FAIL_TO_RENEW', null]), asItIs),
  upgradeAtApple: atApple(always(['DID_CHANGE_RENEWAL_PREF', 'UPGRADE']), (previous, { s }) => {
    const next = s.buy(sold(previous) === MONTHLY ? YEARLY : MONTHLY, { previous })
    return { ...next, inAppOwnershipType: previous.inAppOwnershipType ?? 'PURCHASED' }
  }),
  async buyAtGoogle(world, who, what) {
    const { store } = world.s.server
    const plan = what % 2 === 0 ? ANDROID_MONTHLY : ANDROID_YEARLY
    const token = what % 5 === 0 ? store.buy('coins.100') : store.subscribe(plan, { withTrial: what % 3 === 0 })
    world.tokens.push(token)
    return what % 4 === 0 ? [] : showToken(world, who, world.tokens.length - 1)
  },
  showToken,
  async upgradeAtGoogle({ s, tokens }, _who, what) {
    const token = chosen(tokens, what)
    const { store } = s.server
    if (token === undefined || !store.subscriptions.has(token)) return []
    tokens.push(store.upgrade(token, what % 2 === 0 ? ANDROID_YEARLY : ANDROID_MONTHLY))
    return []
  },
  renewAtGoogle: atGoogle('renew'),
  holdAtGoogle: atGoogle('hold'),
  graceAtGoogle: atGoogle('failPayment'),
  pauseAtGoogle: atGoogle('pause'),
  cancelAtGoogle: atGoogle('cancel'),
  restartAtGoogle: atGoogle('restart'),
  revokeAtGoogle: atGoogle('revoke'),
  endAtGoogle: atGoogle('expire'),
  refundAtGoogle: atGoogle('refund'),
  hear: ({ s }) => s.deliverAll(),
  identify: async ({ s }, who, what) => [await identify(s, deviceOf(who), what % 2 === 0 ? 'x' : 'y')],
  transfer: async (world, who, what) => [
    await asServer(world, 'transfer', { fromAppUserId: deviceOf(who), toAppUserId: deviceOf(what) }),
  ],
  async undo(world, _who, what) {
    const transfer = chosen(await world.s.ctx.db.select().from(world.s.ctx.tables.transfers), what)
    return transfer ? [await asServer(world, `transfer/${transfer.id}/undo`, {})] : []
  },
  async sweep({ s }) {
    await sweepPurchases(s.ctx)
    return []
  },
}

/** Steps that other steps depend on are chosen more often. */
const OFTEN = [
  'buyAtGoogle',
  'upgradeAtGoogle',
  'upgradeAtGoogle',
  'showToken',
  'showToken',
  'showToken',
  'showReceipt',
  'hear',
]
const NAMES = [...Object.keys(TURNS), ...OFTEN, ...OFTEN]

/**
 * Checks the events of a subscriber: numbers without a gap, each access granted and revoked alternately, and at the end
 * equal to the present access.
 */
async function expectEventsInOrder(s: AndroidStage, { id, deviceKey, mergedInto }: SubscriberRow): Promise<void> {
  await eventTypes(s, id)
  const held = new Set<string>()
  for (const { type, data } of await s.events(id)) {
    const name = String(data.access)
    if (!type.startsWith('entitlement.')) continue
    expect([deviceKey, name, held.has(name)]).toEqual([deviceKey, name, type === 'entitlement.revoked'])
    if (type === 'entitlement.granted') held.add(name)
    else held.delete(name)
  }
  if (mergedInto !== null) expect([deviceKey, ...held]).toEqual([deviceKey])
  else if (DEVICES.includes(deviceKey)) expect([...held].sort()).toEqual(Object.keys(await access(s, deviceKey)).sort())
}

/**
 * Purchases and their lines belong to subscribers that are not merged, no charge is refunded above its amount, and
 * balances equal their ledger.
 */
async function expectSound(s: AndroidStage): Promise<void> {
  const { subscribers, purchases, transactions, ledger, balances } = s.ctx.tables
  const people = await s.ctx.db.select().from(subscribers)
  for (const one of people) await expectEventsInOrder(s, one)
  const live = new Set(people.filter(({ mergedInto }) => mergedInto === null).map(({ id }) => id))
  const owners = new Map((await s.ctx.db.select().from(purchases)).map(({ id, subscriberId }) => [id, subscriberId]))
  for (const owner of owners.values()) expect(live.has(owner)).toBe(true)
  const lines = await s.ctx.db.select().from(transactions)
  for (const { purchaseId, subscriberId } of lines) expect(owners.get(purchaseId)).toBe(subscriberId)
  for (const own of Map.groupBy(lines, ({ storeTransactionId: id, purchaseId }) => `${purchaseId} ${id}`).values())
    expect(own.reduce((sum, { amountMicros }) => sum + (amountMicros ?? 0), 0)).toBeGreaterThanOrEqual(0)
  const entries = await s.ctx.db.select().from(ledger)
  for (const { subscriberId, currencyId, balance } of await s.ctx.db.select().from(balances)) {
    const own = entries.filter((entry) => entry.subscriberId === subscriberId && entry.currencyId === currencyId)
    expect(own.reduce((sum, { amount }) => sum + amount, 0n)).toBe(balance)
  }
}

test('whatever three devices, two stores and the support do, all of it stays sound, and nothing is a 5xx', async () => {
  const turn = fc.record({
    name: fc.constantFrom(...NAMES),
    who: fc.nat(50),
    what: fc.nat(50),
    hours: fc.constantFrom(0, 0, 1, 24, 7 * 24, 31 * 24),
  })
  const setting = fc.constantFrom('whenAnonymous' as const, 'always' as const, 'never' as const)
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 8, maxLength: 20 }), setting, async (turns, purchaseTransfer) => {
      const s = await androidStage({ settings: { clawback: 'full', purchaseTransfer } })
      try {
        const world: World = { s, ios: [], tokens: [], renewals: 0 }
        const answers: Answer[] = []
        for (const { name, who, what, hours } of turns) {
          s.ctx.clock.advance(hours * HOUR + 1)
          answers.push(...((await TURNS[name]?.(world, who, what)) ?? []))
        }
        for (const answer of await s.deliverAll()) expect(answer.status).toBe(200)
        await sweepPurchases(s.ctx)
        for (const { status } of answers) expect(status).toBeLessThan(500)
        await expectSound(s)
      } finally {
        await s.close()
      }
    }),
    { numRuns: RUNS },
  )
}, 600_000)
