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

// A push only names a token, and the store is asked what became of it. So order means two things: within a turn of a
// life, between whose words nothing changes at the store, all of it may come in any order, and the rows are the same.
// Of words that come after further turns, the store no longer tells the orders in between: then what is held in the end
// is the same, and of the money what was asked about in its time.

let s: AndroidStage
beforeAll(async () => {
  s = await androidStage({ settings: { clawback: 'full' } })
})
afterAll(() => s.close())

let count = 0

/** Something that reaches us: a push, or the device's own post. */
type Word = () => Promise<Answer>

/** Takes in the words of a turn, or of the whole life once it is over. */
type Listener = (words: readonly Word[], isOver: boolean) => Promise<void>

/** A life told to a device of its own; gives what that holds in the end. */
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

/** The stand-in behind the API knows what the world of this life knows, at its time. */
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

/** Tokens and orders by the place at which the life made them. */
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

/** A token that was never paid for, or not any more, is refused; everything else is taken. */
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

/** All at once, each twice; the store pushes again what it was told to. */
const atOnce: Listener = async (words) => {
  const answers = await Promise.all([...words, ...words.toReversed()].map((word) => word()))
  for (const { status } of answers) expect([200, 400, 409]).toContain(status)
  for (const word of words) await say(word)
}

/** Some words wait for later turns, and what is left of them for the end. */
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
