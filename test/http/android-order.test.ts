import { describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/lib/clock'
import { canonicalJson } from '../../src/base/lib/hash'
import type { AndroidStore } from '../../src/test-store/stores/android-store'
import { ANDROID_MONTHLY, ANDROID_YEARLY, type AndroidStage, androidStage } from '../support/android'
import { eventTypes, rowOf } from '../support/facts'
import { someOrders } from '../support/permutations'

const DEVICE = 'svc_ada'
/** Each life has its own stage, so the test takes long. */
const PATIENCE_MS = 600_000

/** One delivery to the server: a push or a post of the device. */
type Word = () => Promise<{ status: number }>

/**
 * The changes of a life at the store, each some days after the one before. The result is the tokens that a device would
 * post.
 */
type Life = ((store: AndroidStore, tokens: string[]) => void)[]

const first = (tokens: string[]): string => tokens[0] ?? ''
const buy = (store: AndroidStore, tokens: string[]) => tokens.push(store.subscribe(ANDROID_MONTHLY, { accountId: 'a' }))

const lives: [name: string, life: Life][] = [
  [
    'a month, cancelled, taken up again, and renewed',
    [
      buy,
      (store, tokens) => store.cancel(first(tokens)),
      (store, tokens) => store.restart(first(tokens)),
      (store, tokens) => store.renew(first(tokens)),
    ],
  ],
  [
    'a month, revoked and voided',
    [
      buy,
      (store, tokens) => store.renew(first(tokens)),
      (store, tokens) => store.revoke(first(tokens)),
      (store, tokens) => store.refund(first(tokens)),
    ],
  ],
  [
    'a month, and an upgrade that charges the rest of the period',
    [
      buy,
      (store, tokens) => {
        const prorated = { amountMicros: 3_330_000, currency: 'USD' }
        tokens.push(store.upgrade(first(tokens), ANDROID_YEARLY, { prorated }))
      },
      (store, tokens) => store.cancel(tokens.at(-1) ?? ''),
    ],
  ],
  [
    'a month, an upgrade, and trouble with the payment',
    [
      buy,
      (store, tokens) => tokens.push(store.upgrade(first(tokens), ANDROID_YEARLY)),
      (store, tokens) => store.failPayment(tokens.at(-1) ?? ''),
    ],
  ],
]

const OWN = ['id', 'projectId', 'subscriberId', 'purchaseId', 'createdAt', 'updatedAt', 'recordedAt', 'cause']

const bare = (row: Record<string, unknown>): string =>
  canonicalJson(Object.fromEntries(Object.entries(row).filter(([name]) => !OWN.includes(name))))

/** What a device has at the end of its life, as text without ids. */
async function outcome(s: AndroidStage): Promise<string> {
  const { purchases, transactions, observations } = s.ctx.tables
  const { id, toldAccess } = await rowOf(s, DEVICE)
  await eventTypes(s, id)
  const owners = (await s.ctx.db.select().from(purchases)).map(({ subscriberId }) => subscriberId === id)
  const tables = [purchases, transactions, observations].map(async (table) =>
    (await s.ctx.db.select().from(table)).map(bare).sort(),
  )
  const { body } = await s.get('/v1/me/access', DEVICE)
  return canonicalJson({ tables: await Promise.all(tables), owners, toldAccess, access: body.data.access })
}

/**
 * Runs a life on its own stage. `deliver` sends the pushes and posts, either after each change or all after the last
 * one.
 */
async function live(life: Life, isLate: boolean, deliver: (words: Word[]) => Promise<unknown>): Promise<string> {
  const s = await androidStage()
  const tokens: string[] = []
  const waiting: Word[] = []
  for (const [index, turn] of life.entries()) {
    s.ctx.clock.advance(7 * DAY)
    turn(s.server.store, tokens)
    const isLast = index === life.length - 1
    if (isLate && !isLast) continue
    // Signed only now, because the tokens of pushes are valid for an hour.
    for (const push of await s.pushes()) waiting.push(() => s.deliver(push))
    for (const token of tokens) waiting.push(() => s.token(DEVICE, token, 'pro'))
    await deliver(waiting.splice(0))
  }
  const text = await outcome(s)
  await s.close()
  return text
}

const oneByOne = (order: (words: Word[]) => Word[]) => async (words: Word[]) => {
  for (const word of order(words)) expect((await word()).status).toBe(200)
}

for (const [name, life] of lives)
  describe(name, () => {
    test(
      'ends alike in any order in which all of it is heard after the end',
      async () => {
        const expected = await live(
          life,
          true,
          oneByOne((words) => words),
        )
        for (const order of someOrders([0, 1, 2, 3, 4], 29)) {
          const shuffled = (words: Word[]) =>
            words.map((word, n) => [order[n] ?? n, word] as const).toSorted(([a], [b]) => a - b)
          const text = await live(
            life,
            true,
            oneByOne((words) => shuffled(words).map(([, word]) => word)),
          )
          expect([order, text]).toEqual([order, expected])
        }
      },
      PATIENCE_MS,
    )
    test(
      'ends alike when each turn is heard as it happens: in reverse, twice, and all at once',
      async () => {
        const expected = await live(
          life,
          false,
          oneByOne((words) => words),
        )
        expect(
          await live(
            life,
            false,
            oneByOne((words) => words.toReversed()),
          ),
        ).toBe(expected)
        expect(
          await live(
            life,
            false,
            oneByOne((words) => [...words, ...words]),
          ),
        ).toBe(expected)
        const atOnce = async (words: Word[]) => {
          const answers = await Promise.all([...words, ...words.toReversed()].map((word) => word()))
          for (const { status } of answers) expect([200, 409]).toContain(status)
          // A store that gets a 409 pushes again.
          for (const word of words) expect((await word()).status).toBe(200)
        }
        expect(await live(life, false, atOnce)).toBe(expected)
      },
      PATIENCE_MS,
    )
  })

test('a plan taken in place of one on hold is a change, whichever of the two is heard of first', async () => {
  for (const order of [
    [0, 1],
    [1, 0],
  ]) {
    const s = await androidStage()
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    await s.deliverAll()
    s.ctx.clock.advance(31 * DAY)
    s.server.store.hold(token)
    await s.deliverAll()
    s.ctx.clock.advance(DAY)
    s.server.store.upgrade(token, ANDROID_YEARLY)
    const pushes = await s.pushes()
    expect(pushes.map(({ type }) => type)).toEqual(['SUBSCRIPTION_PURCHASED', 'SUBSCRIPTION_EXPIRED'])
    for (const index of order) {
      const push = pushes[index]
      if (push) expect((await s.deliver(push)).status).toBe(200)
    }
    const lines = await s.ctx.db.select().from(s.ctx.tables.transactions)
    expect(lines.map(({ kind }) => kind).sort()).toEqual(['INITIAL', 'PRODUCT_CHANGE'])
    await s.close()
  }
})
