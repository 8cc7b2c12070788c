import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/lib/clock'
import type { ImportJobRow } from '../../src/moving/imports/queries'
import type { SubscriberRow } from '../../src/people/subscribers/service'
import { addCustomer, subscribe } from '../../src/test-store/stores/payment-billing'
import { NO_FAULTS } from '../../src/test-store/stores/payment-server'
import { endNow, renew } from '../../src/test-store/stores/payment-turns'
import { access, eventTypes, everything, money } from '../support/facts'
import {
  anchor,
  anchorsOf,
  counted,
  importedPerson,
  importedPurchase,
  jobOf,
  purchasesOf,
  verifiedJob,
  verify,
} from '../support/import-verification'
import { type PaymentStage, paymentStage, stopSelling } from '../support/payment'

const ADA = 'svc_ada'

let s: PaymentStage
let job: ImportJobRow
let ada: SubscriberRow
beforeEach(async () => {
  s = await paymentStage()
  job = await verifiedJob(s, { skipSandbox: false })
  ada = await importedPerson(s, 'ada', ADA)
})
afterEach(() => s.close())

const provider = (id: string) => ({ kind: 'PROVIDER', id }) as const

/** Sold long ago, by another backend. */
const sold = () => subscribe(s.world, { priceId: 'price_monthly', customerId: addCustomer(s.world).id } as never).id

const imported = (chainKey: string) =>
  importedPurchase(s, job, ada, {
    store: 'PAYMENT',
    chainKey,
    environment: 'SANDBOX',
    transactions: [
      {
        id: `${chainKey}:1`,
        product: 'price_monthly',
        from: s.ctx.clock.now() - DAY,
        to: s.ctx.clock.now() + 30 * DAY,
      },
    ],
  })

describe('an id of the provider', () => {
  test('alone makes the purchase of its person, without events of a purchase', async () => {
    const id = sold()
    await anchor(s, job, ada, 'PAYMENT', provider(id))
    expect((await verify(s, job)).outcome).toBe('COMPLETED')
    expect(await purchasesOf(s, ada.id)).toMatchObject([{ chainKey: id, status: 'ACTIVE' }])
    expect(Object.keys(await access(s, ADA))).toEqual(['pro'])
    expect(await eventTypes(s, ada.id)).toEqual(['entitlement.granted'])
    expect(await money(s, ada.id)).toHaveLength(1)
    expect(await counted(s, job)).toEqual([1, 0, 0])
  })

  test('teaches whose customer it is, so that later news of the provider meets the purchase', async () => {
    const id = sold()
    await s.deliveries() // What the provider told the old backend.
    await anchor(s, job, ada, 'PAYMENT', provider(id))
    await verify(s, job)
    s.ctx.clock.advance(31 * DAY)
    renew(s.world, id)
    await s.deliverAll()
    expect(await purchasesOf(s, ada.id)).toHaveLength(1)
    expect(await money(s, ada.id)).toHaveLength(2)
  })

  test('of a subscription that has ended since ends it', async () => {
    const id = sold()
    const purchase = await imported(id)
    s.ctx.clock.advance(DAY)
    endNow(s.world, id)
    await anchor(s, job, ada, 'PAYMENT', provider(id), purchase.id)
    await verify(s, job)
    expect(await purchasesOf(s, ada.id)).toMatchObject([{ id: purchase.id, status: 'EXPIRED' }])
    expect(await access(s, ADA)).toEqual({})
    expect((await eventTypes(s, ada.id)).filter((type) => type.startsWith('purchase.'))).toEqual([])
  })

  test('whose events made a synthetic buyer goes to the person of the import', async () => {
    const id = sold()
    await s.deliverAll()
    await anchor(s, job, ada, 'PAYMENT', provider(id))
    await verify(s, job)
    expect(await purchasesOf(s, ada.id)).toMatchObject([{ chainKey: id }])
  })

  test('of a purchase of somebody else stays theirs', async () => {
    const { id: bo } = (await s.get('/v1/me', 'svc_bo')).body.data.subscriber
    const { id } = subscribe(s.world, { priceId: 'price_monthly', metadata: { svc_subscriber_id: bo } })
    await s.deliverAll()
    await anchor(s, job, ada, 'PAYMENT', provider(id))
    await verify(s, job)
    expect(await purchasesOf(s, ada.id)).toEqual([])
    expect(await purchasesOf(s, bo)).toHaveLength(1)
    expect((await jobOf(s, job.id)).findings.verification).toMatchObject({ conflicts: 1 })
  })

  const unusable: [fact: string, id: string, state: string, calls: number][] = [
    ['that it does not know', 'sub_unknown', 'UNRECOGNISED', 1],
    ['of a payment that it does not know', 'pi_unknown', 'UNRECOGNISED', 1],
    ['of another kind', 'cus_1', 'UNVERIFIABLE', 0],
    ['that could change the address', 'sub_../../charges', 'UNVERIFIABLE', 0],
  ]
  for (const [fact, id, state, calls] of unusable)
    test(`${fact} makes nothing`, async () => {
      await anchor(s, job, ada, 'PAYMENT', provider(id))
      const before = await everything(s)
      expect((await verify(s, job)).outcome).toBe('COMPLETED')
      expect(await anchorsOf(s, job)).toMatchObject([{ state }])
      expect(await everything(s)).toEqual(before)
      expect(s.server.requests).toHaveLength(calls)
    })
})

test('without an account nothing is asked, and the job completes', async () => {
  await stopSelling(s, s.project)
  await anchor(s, job, ada, 'PAYMENT', provider(sold()))
  expect((await verify(s, job)).outcome).toBe('COMPLETED')
  expect(s.server.requests).toEqual([])
  expect(await counted(s, job)).toEqual([0, 1, 0])
})

test('a refused key leaves the rows waiting and says what to do', async () => {
  await anchor(s, job, ada, 'PAYMENT', provider(sold()))
  await anchor(s, job, ada, 'PAYMENT', provider(sold()))
  s.server.faults = { ...NO_FAULTS, status: 401 }
  expect((await verify(s, job)).outcome).toBe('VERIFICATION_INCOMPLETE')
  expect(s.server.requests).toHaveLength(1)
  expect((await jobOf(s, job.id)).error).toBe(
    'The payment provider refused the key (401): correct the settings of the store; 2 rows wait. Resume to go on.',
  )
  s.server.faults = NO_FAULTS
  expect((await verify(s, job)).outcome).toBe('COMPLETED')
  expect([await counted(s, job), (await jobOf(s, job.id)).error]).toEqual([[2, 0, 0], null])
})

test('too many calls are waited for as the provider says', async () => {
  await anchor(s, job, ada, 'PAYMENT', provider(sold()))
  s.server.faults = { ...NO_FAULTS, status: 429, retryAfter: 90 }
  const running = verify(s, job, {
    wait: async (ms) => {
      if (ms > 200) waits.push(ms)
      s.ctx.clock.advance(ms)
      s.server.faults = NO_FAULTS
    },
  })
  const waits: number[] = []
  expect((await running).outcome).toBe('COMPLETED')
  expect(waits).toEqual([90_000])
  expect(await anchorsOf(s, job)).toMatchObject([{ state: 'VERIFIED', attempts: 0 }])
})
