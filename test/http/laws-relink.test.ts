import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq, like } from 'drizzle-orm'
import fc from 'fast-check'
import { MINUTE } from '../../src/base/lib/clock'
import { relinkProject } from '../../src/intake/relink/relink'
import { causeOf } from '../../src/people/events/model'
import { anyArrival, arrive } from '../../src/people/purchases/laws/arrivals.fixtures'
import { anyIosScript } from '../../src/people/purchases/laws/ios-life.fixtures'
import type { IosFact } from '../../src/people/purchases/laws/ios-world.fixtures'
import { COINS, LIFETIME, MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import { type Delivery, deliverAll, outcome, prepare, send } from '../support/ios-lives'
import { checkLawAsync, LAW_PATIENCE_MS, SEEDED, WITH_DATABASE } from '../support/laws'
import { dataOf } from '../support/operator'
import { bothAnswers } from '../support/relink'
import { type StaffCalls, staff } from '../support/staff'

let s: Stage
let dev: StaffCalls
beforeAll(async () => {
  s = await stage({ settings: { clawback: 'full' } })
  dev = staff(s).as('DEVELOPER')
})
afterAll(() => s.close())

const PRODUCTS = { pro_monthly: MONTHLY, pro_yearly: YEARLY, coins_100: COINS, lifetime: LIFETIME }
type Identifier = keyof typeof PRODUCTS
const NAMES = Object.keys(PRODUCTS) as Identifier[]

async function setStoreId(identifier: Identifier, ios: string | null): Promise<void> {
  const { items } = await dataOf(dev.get('/products'))
  const product = items.find((one: { identifier: string }) => one.identifier === identifier)
  await dataOf(dev.patch(`/products/${product.id}`, { storeIds: { ios } }))
}

const relinkAll = () =>
  relinkProject(s.ctx, { projectId: s.project.id, productIds: null, cause: causeOf('DASHBOARD', null) })

/** Access and explain say the same of every owner of the life's purchases. */
async function expectAgreement({ name }: Delivery): Promise<void> {
  const { purchases: p } = s.ctx.tables
  const owners = await s.ctx.db
    .selectDistinct({ id: p.subscriberId })
    .from(p)
    .where(like(p.originalTransactionId, `%${name}%`))
  for (const { id } of owners) {
    const { access, explained } = await bothAnswers(s, id)
    expect(explained).toEqual(access)
  }
}

interface Lateness {
  /** The products that come late, in the order in which they come. */
  missing: readonly Identifier[]
  /** Of 100: the share of the notifications that comes before the first of them. */
  share: number
  /** Whether the job runs after each edit, or once after all. */
  isLinkedEach: boolean
}

/** Only the store reports before the products are there: a receipt of an unknown product is refused. */
async function deliverLate(
  delivery: Delivery,
  facts: readonly IosFact[],
  { missing, share, isLinkedEach }: Lateness,
): Promise<void> {
  const told = facts.filter(({ kind }) => kind !== 'RECEIPT')
  const early = told.slice(0, Math.ceil((told.length * share) / 100))
  const rest = facts.filter((fact) => !early.includes(fact))
  for (const identifier of missing) await setStoreId(identifier, null)
  for (const fact of early) await send(s, delivery.device, fact)
  await expectAgreement(delivery)
  for (const identifier of missing) {
    await setStoreId(identifier, PRODUCTS[identifier].productId)
    await expectAgreement(delivery)
    if (isLinkedEach) await relinkAll()
    await expectAgreement(delivery)
  }
  for (const fact of rest) await send(s, delivery.device, fact)
  await relinkAll()
  await expectAgreement(delivery)
}

const anyLateness: fc.Arbitrary<Lateness> = fc.record({
  missing: fc.shuffledSubarray(NAMES, { minLength: 1 }),
  share: fc.integer({ min: 1, max: 100 }),
  isLinkedEach: fc.boolean(),
})

/** By product: what the money lines and the figures of a life come to. */
async function sumsOf(device: string) {
  const { transactions: t, figureEntries: f, subscribers, purchases: p, products } = s.ctx.tables
  const [owner] = await s.ctx.db.select().from(subscribers).where(eq(subscribers.deviceKey, device))
  const own = await s.ctx.db
    .select({ id: p.id })
    .from(p)
    .where(eq(p.subscriberId, owner?.id ?? ''))
  const names = new Map((await s.ctx.db.select().from(products)).map(({ id, identifier }) => [id, identifier]))
  const sums: Record<string, number> = {}
  const add = (key: string, amount: number) => {
    sums[key] = (sums[key] ?? 0) + amount
  }
  for (const line of await s.ctx.db
    .select()
    .from(t)
    .where(eq(t.subscriberId, owner?.id ?? '')))
    add(`line ${names.get(line.productId ?? '')}`, line.usdMicros ?? 0)
  for (const { id } of own)
    for (const { product, gross } of await s.ctx.db.select().from(f).where(eq(f.purchaseId, id)))
      add(`figure ${product}`, gross)
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0))
}

describe(`laws of products that come later ${SEEDED}`, () => {
  const anyLife = fc.record({ script: anyIosScript, arrival: anyArrival, lateness: anyLateness })
  const law = 'a life ends as if its products had been there, and access and explain agree at each step'
  test(
    law,
    () =>
      checkLawAsync(
        anyLife,
        async ({ script, arrival, lateness }) => {
          const [usual, late] = [prepare(script), prepare(script)]
          const expected = await deliverAll(s, usual)
          const sums = await sumsOf(usual.device)
          s.ctx.clock.set(late.endsAt - MINUTE)
          await deliverLate(late, arrive(late.world.facts, arrival), lateness)
          expect(await outcome(s, late, late.device)).toEqual(expected)
          expect(await sumsOf(late.device)).toEqual(sums)
        },
        WITH_DATABASE,
      ),
    LAW_PATIENCE_MS,
  )
})
