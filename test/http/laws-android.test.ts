import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { sha256Hex } from '../../src/base/lib/hash'
import { sweepPurchases } from '../../src/intake/recording/sweep'
import {
  anyPlayScript,
  livePlay,
  PLAY_START,
  type PlayScript,
} from '../../src/people/purchases/laws/android-life.fixtures'
import { type AndroidFact, PlayWorld } from '../../src/people/purchases/laws/android-world.fixtures'
import { type Arrival, anyArrival, arrive } from '../../src/people/purchases/laws/arrivals.fixtures'
import { pushBody } from '../../src/test-store/stores/android-push'
import { type AndroidStage, androidStage, PACKAGE } from '../support/android'
import type { Answer } from '../support/cast'
import { type Outcome, outcomeOf } from '../support/law-outcome'
import { checkLawAsync, LAW_PATIENCE_MS, SEEDED, WITH_DATABASE } from '../support/laws'

// A push contains only a token, and the server then reads the present state from the store. So the order matters in two
// cases. Deliveries of one step of a life, during which nothing changes at the store, may come in any order, and all
// rows are the same. For deliveries after later steps, the store no longer returns the states in between. Then the
// final access and balances are the same, and the money contains what was read in time.

let s: AndroidStage
beforeAll(async () => {
  s = await androidStage({ settings: { clawback: 'full' } })
})
afterAll(() => s.close())

let count = 0

/** One delivery: a push, or a post of the device. */
type Word = () => Promise<Answer>

/** Gets the deliveries of a step, or of the whole life once it is over. */
type Listener = (words: readonly Word[], isOver: boolean) => Promise<void>

/** Runs a life for its own device; returns what this device has at the end. */
async function live(script: PlayScript, listen: Listener): Promise<Outcome> {
  count += 1
  const world = new PlayWorld(PLAY_START, `law-${count}`)
  const device = `svc_law_${count}`
  const deliverFacts = async (facts: readonly AndroidFact[]) => {
    showStore(world)
    const words = facts.map((fact) => wordOf(fact, device))
    await sweepPurchases(s.ctx)
    await listen(words, false)
  }
  await livePlay(script, deliverFacts, { leastGapMs: 1, world })
  await listen([], true)
  return outcomeOf(s, device, renaming(world))
}

/** Puts the state of this life's world, at its time, into the server of the test store. */
function showStore({ store, now }: PlayWorld): void {
  s.ctx.clock.set(now)
  for (const [token, one] of store.subscriptions) s.server.store.subscriptions.set(token, one)
  for (const [token, one] of store.products) s.server.store.products.set(token, one)
}

let messages = 0

function wordOf(fact: AndroidFact, device: string): Word {
  if (fact.kind === 'POST') return () => s.token(device, fact.token, fact.productId)
  const { notification, at } = fact
  const messageId = String(++messages)
  const body = pushBody(PACKAGE, notification, { messageId, now: at })
  return async () => {
    const authorization = `Bearer ${await s.server.pushToken(s.identity)}`
    return s.deliver({ messageId, type: notification.type, body, authorization })
  }
}

/** Names tokens and orders by the position at which the life created them. */
function renaming({ store, chains, items, name: account }: PlayWorld): (text: string) => string {
  const tokens = [...chains, ...items].map(({ token }) => token)
  const names = tokens.flatMap((token, place) => {
    const orderId = store.subscriptions.get(token)?.orderId ?? store.products.get(token)?.resource.orderId ?? token
    return [
      [token, `<token ${place}>`],
      [sha256Hex(token).slice(0, 32), `<hash ${place}>`],
      [orderId, `<order ${place}>`],
    ] as const
  })
  return (text) =>
    [...names, [account, '<account>'] as const].reduce((told, [own, name]) => told.replaceAll(own, name), text)
}

/** A token that is not paid, or no longer paid, is refused; all others are accepted. */
async function say(word: Word): Promise<void> {
  const { status, body } = await word()
  if (status !== 200)
    expect([status, body.error.code]).toEqual([400, expect.stringMatching(/purchase_not_paid|INVALID/)])
}

const oneByOne =
  (arrival: Arrival): Listener =>
  async (words) => {
    if (words.length > 0) for (const word of arrive(words, arrival)) await say(word)
  }

/** All deliveries at once, each twice; the store pushes again what was refused. */
const atOnce: Listener = async (words) => {
  const answers = await Promise.all([...words, ...words.toReversed()].map((word) => word()))
  for (const { status } of answers) expect([200, 400, 409]).toContain(status)
  for (const word of words) await say(word)
}

/** Some deliveries wait for later steps, and the rest for the end. */
function late({ ranks, again }: Arrival): Listener {
  let waiting: Word[] = []
  let turn = 0
  return async (words, isOver) => {
    waiting.push(...words)
    const isDelivered = (index: number) => isOver || ((ranks[turn % ranks.length] ?? 0) + index) % 3 === 0
    const delivered = waiting.filter((_, index) => isDelivered(index))
    waiting = waiting.filter((_, index) => !isDelivered(index))
    turn += 1
    if (delivered.length > 0)
      for (const word of arrive(delivered, { ranks, again: isOver ? again : [] })) await say(word)
  }
}

const IN_ORDER: Arrival = { ranks: [0], again: [] }
const anyLife = fc.record({ script: anyPlayScript, arrival: anyArrival })
const law = (name: string, body: () => Promise<void>) => test(name, body, LAW_PATIENCE_MS)

describe(`laws of any life at Google Play, in the database ${SEEDED}`, () => {
  law('the words of each turn, in any order and some of them twice, come to the same rows', () =>
    checkLawAsync(
      anyLife,
      async ({ script, arrival }) => {
        const expected = await live(script, oneByOne(IN_ORDER))
        expect(await live(script, oneByOne(arrival))).toEqual(expected)
      },
      WITH_DATABASE,
    ),
  )

  law('the words of each turn all at once come to the same rows', () =>
    checkLawAsync(
      anyPlayScript,
      async (script) => expect(await live(script, atOnce)).toEqual(await live(script, oneByOne(IN_ORDER))),
      WITH_DATABASE / 2,
    ),
  )

  law('words that come late, in any order, come to the same access and to no money that was not charged', () =>
    checkLawAsync(
      anyLife,
      async ({ script, arrival }) => {
        const prompt = await live(script, oneByOne(IN_ORDER))
        const other = await live(script, late(arrival))
        expect(other.access).toEqual(prompt.access)
        expect(keysOf(prompt)).toEqual(expect.arrayContaining(keysOf(other)))
      },
      WITH_DATABASE / 2,
    ),
  )
})

const keysOf = ({ transactions }: Outcome): string[] =>
  transactions.map((row) => String((JSON.parse(row) as { revenueKey: string }).revenueKey))
