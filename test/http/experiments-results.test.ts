import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq, isNull } from 'drizzle-orm'
import { DAY, MINUTE } from '../../src/base/lib/clock'
import { fillHoldoutBuckets } from '../../src/people/subscribers/holdout-buckets'
import { COINS, MONTHLY, type Stage, stage } from '../support/cast'
import { change, countsOf, expose, resultsOf, track } from '../support/experiments'
import { changeSettings, damage, identify, refund, renew, rowOf } from '../support/facts'
import { trustForProduction } from '../support/notify'
import { clearRemote, configOf, configure, HALVES } from '../support/remote'
import { expectSubmitted } from '../support/story'

let s: Stage
let count = 0
let startedAt: number
const device = (name: string) => `svc_${name}_${count}`
beforeAll(async () => {
  s = await stage()
  trustForProduction(s)
})
beforeEach(async () => {
  count++
  s.ctx.clock.advance(MINUTE)
  startedAt = s.ctx.clock.now()
  await configure(s, { experiments: [{ id: 'exp_1', key: 'checkout_test', startedAt, metrics: ['purchase'] }] })
})
afterEach(() => clearRemote(s))
afterAll(() => s.close())

const secret = () => ({ key: s.project.secretKey })

type Product = Parameters<Stage['buy']>[0]

/** Somebody buys now, in production or in the sandbox. */
async function buys(who: string, product: Product = MONTHLY, environment = 'Production', more = {}) {
  const bought = { ...s.buy(product, more), environment } as ReturnType<Stage['buy']>
  await expectSubmitted(s.receipt(who, bought))
  return bought
}

const variantOf = async (id: string) =>
  (await resultsOf(s)).variants.find(({ variantId }: { variantId: string }) => variantId === id)
const revenueOf = async (id: string) => (await variantOf(id)).revenue.amountMicros

describe('refused', () => {
  test('with a public key', async () => {
    const { status, body } = await s.get('/v1/experiments/checkout_test/results')
    expect([status, body.error.code]).toEqual([403, 'FORBIDDEN'])
  })
  test('for an experiment that nobody has, or another project', async () => {
    await configure(s, { experiments: [{ id: 'exp_theirs', key: 'theirs' }] }, s.other.id)
    for (const reference of ['none', 'exp_theirs', 'theirs']) {
      const { status, body } = await s.get(`/v1/experiments/${reference}/results`, undefined, secret())
      expect([status, body.error.code]).toEqual([404, 'NOT_FOUND'])
    }
  })
  test('where analytics is switched off', async () => {
    const own = await stage({ env: { SVC_ANALYTICS_URL: 'off' } })
    await configure(own, { experiments: [{ key: 'checkout_test' }] })
    const options = { key: own.project.secretKey }
    const { status, body, headers } = await own.get('/v1/experiments/checkout_test/results', undefined, options)
    expect([status, body.error.code, headers.get('retry-after')]).toEqual([503, 'ANALYTICS_UNAVAILABLE', null])
    await own.close()
  })
})

test('an analytics database that is none of ours is refused at the start, and its password is not repeated', async () => {
  for (const url of [
    'postgres://u:secret@host/db',
    'http://u:secret@host:8123',
    'http://u:secret@host/a/b',
    'nowhere',
  ]) {
    const starting = stage({ env: { SVC_ANALYTICS_URL: url } })
    await expect(starting).rejects.toThrow(
      'SVC_ANALYTICS_URL is set but not usable; it must be off, or an address of ClickHouse such as https://USER:PASSWORD@HOST:8123/DATABASE.',
    )
  }
})

test('the document has the shape of the specification, by id and by key', async () => {
  await expose(s, device('ada'), 'a')
  const results = await resultsOf(s)
  expect(await resultsOf(s, 'exp_1')).toEqual(results)
  expect(results).toEqual({
    ...{ experimentId: 'exp_1', key: 'checkout_test', status: 'RUNNING' },
    computedAt: new Date(s.ctx.clock.now()).toISOString(),
    variants: [
      {
        ...{ variantId: 'a', name: 'Control', weight: 0.5, exposures: 1, conversions: 0, conversionRate: 0 },
        ...{ revenue: { amountMicros: 0, currency: 'USD' }, interval95: [0, 0.841886], pValue: null },
        ...{ probabilityBest: expect.any(Number), expectedLoss: expect.any(Number) },
      },
      {
        ...{ variantId: 'b', name: 'Treatment', weight: 0.5, exposures: 0, conversions: 0, conversionRate: 0 },
        ...{ revenue: { amountMicros: 0, currency: 'USD' }, interval95: [0, 1], pValue: 1 },
        ...{ probabilityBest: expect.any(Number), expectedLoss: expect.any(Number) },
      },
    ],
    srm: { chi2: 1, df: 1, pValue: 0.317311, isMismatch: false },
    recommendation: {
      ...{ action: 'KEEP_RUNNING', reason: 'MIN_DURATION' },
      sentence: 'Keep running: 0 of 7 full days have passed.',
    },
  })
})

test('a draft has results too: nothing yet', async () => {
  await change(s, 'checkout_test', { status: 'DRAFT', startedAt: null })
  const { recommendation, variants } = await resultsOf(s)
  expect([recommendation.sentence, variants[0].exposures]).toEqual([
    'Start the experiment: nothing has been measured yet.',
    0,
  ])
})

describe('a purchase', () => {
  test('after the exposure converts and is revenue of the variant, once for each person', async () => {
    await expose(s, device('ada'), 'b')
    await buys(device('ada'))
    await buys(device('ada'), COINS)
    await buys(device('stranger'))
    expect([await countsOf(s), await revenueOf('a'), await revenueOf('b')]).toEqual([
      ['a 0/0', 'b 1/1'],
      0,
      9_990_000 + 990_000,
    ])
  })

  test('counts the same when the exposure is told after it', async () => {
    const at = new Date(s.ctx.clock.now()).toISOString()
    s.ctx.clock.advance(MINUTE)
    await buys(device('ada'))
    await expose(s, device('ada'), 'b', { exposedAt: at })
    expect([await countsOf(s), await revenueOf('b')]).toEqual([['a 0/0', 'b 1/1'], 9_990_000])
  })

  test('before the exposure is none of it, neither is its refund', async () => {
    const bought = await buys(device('ada'))
    s.ctx.clock.advance(1)
    await expose(s, device('ada'), 'a')
    await expectSubmitted(s.receipt(device('ada'), refund(s, bought)))
    expect([await countsOf(s), await revenueOf('a')]).toEqual([['a 1/0', 'b 0/0'], 0])
  })

  test('beside a tracked event converts once', async () => {
    await expose(s, device('ada'), 'a')
    await buys(device('ada'))
    await track(s, device('ada'), [{ type: 'purchase' }])
    await expose(s, device('bo'), 'a')
    await track(s, device('bo'), [{ type: 'purchase' }])
    await expose(s, device('cy'), 'a')
    await buys(device('cy'))
    expect(await countsOf(s)).toEqual(['a 3/3', 'b 0/0'])
  })

  test('converts only where the metrics name purchase; revenue it always is', async () => {
    await change(s, 'checkout_test', { metrics: ['signup'] })
    await expose(s, device('ada'), 'a')
    await buys(device('ada'))
    expect([await countsOf(s), await revenueOf('a')]).toEqual([['a 1/0', 'b 0/0'], 9_990_000])
  })

  test('in the sandbox is in no figure', async () => {
    await expose(s, device('ada'), 'a')
    await buys(device('ada'), MONTHLY, 'Sandbox')
    expect([await countsOf(s), await revenueOf('a')]).toEqual([['a 1/0', 'b 0/0'], 0])
  })

  test('by trial converts when it is paid, and a renewal is revenue alone', async () => {
    await expose(s, device('ada'), 'a')
    const trial = await buys(device('ada'), MONTHLY, 'Production', { withTrial: true })
    expect(await countsOf(s)).toEqual(['a 1/0', 'b 0/0'])
    s.ctx.clock.advance(7 * DAY)
    const paid = renew(s, trial, MONTHLY)
    await expectSubmitted(s.receipt(device('ada'), paid))
    expect([await countsOf(s), await revenueOf('a')]).toEqual([['a 1/1', 'b 0/0'], 9_990_000])
    s.ctx.clock.advance(30 * DAY)
    await expose(s, device('bo'), 'b')
    const bos = await buys(device('bo'), MONTHLY, 'Production', { now: startedAt })
    s.ctx.clock.advance(MINUTE)
    for (const [who, before] of [
      [device('ada'), paid],
      [device('bo'), bos],
    ] as const)
      await expectSubmitted(s.receipt(who, renew(s, before, MONTHLY)))
    expect([await countsOf(s), await revenueOf('a'), await revenueOf('b')]).toEqual([
      ['a 1/1', 'b 1/0'],
      2 * 9_990_000,
      9_990_000,
    ])
  })

  test('in another currency is left out of the money, and converts', async () => {
    await expose(s, device('ada'), 'a')
    await buys(device('ada'), { ...MONTHLY, currency: 'TRY' })
    expect([await countsOf(s), await revenueOf('a')]).toEqual([['a 1/1', 'b 0/0'], 0])
  })

  test('while the experiment pauses, or after its end, is none of it; a refund after the end is', async () => {
    await expose(s, device('ada'), 'a')
    const bought = await buys(device('ada'), COINS)
    await expose(s, device('bo'), 'a')
    s.ctx.clock.advance(MINUTE)
    await change(s, 'checkout_test', { status: 'PAUSED' })
    await buys(device('bo'))
    expect([await countsOf(s), await revenueOf('a')]).toEqual([['a 2/1', 'b 0/0'], 990_000])
    s.ctx.clock.advance(MINUTE)
    await change(s, 'checkout_test', { status: 'RUNNING' })
    expect(await countsOf(s)).toEqual(['a 2/1', 'b 0/0'])
    s.ctx.clock.advance(MINUTE)
    await change(s, 'checkout_test', { status: 'COMPLETED', completedAt: s.ctx.clock.now() })
    await buys(device('bo'), COINS)
    expect([await countsOf(s), await revenueOf('a')]).toEqual([['a 2/1', 'b 0/0'], 990_000])
    await expectSubmitted(s.receipt(device('ada'), refund(s, bought)))
    expect([await countsOf(s), await revenueOf('a')]).toEqual([['a 2/1', 'b 0/0'], 0])
  })
})

/** Subscribers who were exposed at the start: those with even numbers to the control, the others to the variant. */
async function crowd(size: number): Promise<{ n: number; id: string; variantId: string }[]> {
  const { assignments, subscribers } = s.ctx.tables
  await configOf(s, device('sample'))
  const sample = await rowOf(s, device('sample'))
  const people = Array.from({ length: size }, (_, n) => ({
    n,
    id: device(`crowd${n}`),
    variantId: n % 2 === 0 ? 'a' : 'b',
  }))
  const held = { experimentId: 'exp_1', projectId: s.project.id, hashVersion: 1, assignedAt: startedAt }
  await s.ctx.write(async (tx) => {
    await tx.db.insert(subscribers).values(people.map(({ id }) => ({ ...sample, id, deviceKey: id })))
    const exposed = people.map(({ id, variantId }) => ({ ...held, subscriberId: id, variantId, exposedAt: startedAt }))
    await tx.db.insert(assignments).values(exposed)
  })
  return people
}

test('refunds stop a winner, once the purchases are seven days old and not before', async () => {
  const people = await crowd(300)
  const reason = async () => (await resultsOf(s)).recommendation.reason
  s.ctx.clock.advance(MINUTE)
  for (const { n, id, variantId } of people) {
    if (n >= (variantId === 'b' ? 100 : 20)) continue
    const bought = await buys(id, COINS)
    if (variantId === 'b' && n < 20) await expectSubmitted(s.receipt(id, refund(s, bought)))
  }
  expect(await countsOf(s)).toEqual(['a 150/10', 'b 150/50'])
  s.ctx.clock.set(startedAt + 7 * DAY - 1)
  expect(await reason()).toBe('MIN_DURATION')
  s.ctx.clock.set(startedAt + 7 * DAY + MINUTE - 1)
  expect(await reason()).toBe('SHIP')
  s.ctx.clock.advance(1)
  expect((await resultsOf(s)).recommendation).toMatchObject({ action: 'KEEP_CONTROL', reason: 'REFUND_GUARD' })
})

for (const [name, variants] of [
  ['no list', { a: 1 }],
  ['nothing in it', [null, null]],
  ['one alone', [{ id: 'a', name: 'A', weight: 1, value: 1 }]],
  ['no weights', ['a', 'b'].map((id) => ({ id, name: id, weight: 0, value: id }))],
] as const)
  test(`variants that were broken in the database (${name}) are logged, and nobody gets them`, async () => {
    await s.ctx.write((tx) => tx.db.update(tx.tables.experiments).set({ variants: variants as never }))
    const { status, body } = await s.get('/v1/experiments/checkout_test/results', undefined, secret())
    expect([status, body.error.code]).toEqual([404, 'NOT_FOUND'])
    expect(body.error.message).toStartWith('The variants of this experiment are broken in the database')
    const refused = await expose(s, device('ada'), 'a')
    expect([refused.status, refused.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })

test('who was shown a variant that was removed counts as changed, before they are given another', async () => {
  const more = { id: 'c', name: 'Third', weight: 0.01, value: 3 }
  const halves = HALVES.map((variant) => ({ ...variant, weight: 0.495 }))
  await change(s, 'checkout_test', { variants: [...halves, more] })
  await crowd(300)
  s.ctx.clock.set(startedAt + 8 * DAY)
  await expose(s, device('ada'), 'c')
  await change(s, 'checkout_test', { variants: HALVES })
  const { variants, recommendation } = await resultsOf(s)
  expect(variants.map(({ exposures }: { exposures: number }) => exposures)).toEqual([150, 150])
  expect([recommendation.reason, recommendation.sentence]).toEqual([
    'CROSSOVER',
    'Stop and look for a fault: 1 of 301 exposed subscribers (0.332%) changed variant, and at most 0.1% may.',
  ])
})

describe('asked for again', () => {
  const exposuresOf = async (): Promise<number[]> =>
    (await resultsOf(s)).variants.map(({ exposures }: { exposures: number }) => exposures)
  const fill = async (variantId: string, count: number) => {
    const row = { experimentId: 'exp_1', projectId: s.project.id, hashVersion: 1, assignedAt: startedAt }
    for (let n = 0; n < count; n += 2000) {
      const chunk = Array.from({ length: Math.min(2000, count - n) }, (_, index) => ({
        ...{ ...row, subscriberId: device(`many${n + index}`), variantId, exposedAt: startedAt },
      }))
      await s.ctx.write((tx) => tx.db.insert(tx.tables.assignments).values(chunk))
    }
  }

  test('a few people are counted each time; many, again after five seconds or when something was changed', async () => {
    await fill('a', 9_999)
    expect(await exposuresOf()).toEqual([9_999, 0])
    await expose(s, device('ada'), 'b')
    const { computedAt } = await resultsOf(s)
    expect(await exposuresOf()).toEqual([9_999, 1])
    await expose(s, device('bo'), 'b')
    s.ctx.clock.advance(4_999)
    expect([(await resultsOf(s)).computedAt, await exposuresOf()]).toEqual([computedAt, [9_999, 1]])
    s.ctx.clock.advance(1)
    expect(await exposuresOf()).toEqual([9_999, 2])
    await expose(s, device('cy'), 'b')
    await change(s, 'checkout_test', { status: 'PAUSED' })
    expect([(await resultsOf(s)).status, await exposuresOf()]).toEqual(['PAUSED', [9_999, 3]])
    await expect(resultsOf(s, 'none')).rejects.toThrow('404')
  })

  test('by many at once it is counted once or twice, and all are told alike', async () => {
    await fill('a', 10_000)
    const { readInThread } = s.ctx.storage
    let readings = 0
    Object.assign(s.ctx.storage, {
      readInThread: (work: Parameters<typeof readInThread>[0]) => {
        readings++
        return readInThread(work)
      },
    })
    const answers = await Promise.all(Array.from({ length: 20 }, () => resultsOf(s)))
    Object.assign(s.ctx.storage, { readInThread })
    expect(readings).toBeLessThanOrEqual(2)
    for (const answer of answers) expect(answer).toEqual(answers[0])
  })
})

describe('those held out', () => {
  afterEach(() => changeSettings(s, {}))
  // Buckets of the holdout: svc_f6 4602, svc_eve 4575, svc_gus 988, svc_fay 2407.
  const row = async () =>
    (await resultsOf(s)).variants.find((one: { variantId: string }) => one.variantId === '__holdout__')

  test('are in no results while nobody is held out', async () => {
    await configOf(s, 'svc_gus')
    expect(await row()).toBeUndefined()
  })

  test('are counted by their bucket: who was seen in the run, and what they bought since', async () => {
    await changeSettings(s, { holdoutPercentage: 45.75 })
    const { subscribers } = s.ctx.tables
    await s.ctx.write((tx) => tx.db.update(subscribers).set({ holdoutBucket: 9999 }))
    for (const one of ['svc_f6', 'svc_eve', 'svc_gus', 'svc_fay'])
      await s.ctx.write((tx) => tx.db.delete(subscribers).where(eq(subscribers.deviceKey, one)))
    expect(await row()).toMatchObject({ exposures: 0, conversions: 0 })
    for (const one of ['svc_f6', 'svc_eve', 'svc_gus', 'svc_fay']) await configOf(s, one)
    expect(await row()).toMatchObject({ exposures: 2, conversions: 0, weight: 0, pValue: null, probabilityBest: null })
    await buys('svc_gus')
    await track(s, 'svc_gus', [{ type: 'purchase' }])
    await track(s, 'svc_fay', [{ type: 'purchase' }, { type: 'purchase', key: 'checkout_test' }])
    expect(await row()).toMatchObject({ exposures: 2, conversions: 2, revenue: { amountMicros: 9_990_000 } })
    await damage(s, (await rowOf(s, 'svc_fay')).id, { erasedAt: 1 })
    expect(await row()).toMatchObject({ exposures: 1, conversions: 1 })
    await identify(s, 'svc_gus', 'gus@example.com')
    await identify(s, 'svc_f6', 'gus@example.com') // The surviving subscriber is not held out.
    expect(await row()).toMatchObject({ exposures: 0, conversions: 0 })
  })

  test('are counted where they were exposed, before the holdout grew to them', async () => {
    await expose(s, device('ada'), 'a')
    await changeSettings(s, { holdoutPercentage: 100 })
    const others = (await row()).exposures
    await configOf(s, device('bo'))
    expect([(await row()).exposures - others, (await variantOf('a')).exposures]).toEqual([1, 1])
    await configure(s, { experiments: [{ key: 'beside', startedAt }] })
    const beside = (await resultsOf(s, 'beside')).variants.at(-1)
    expect(beside.exposures).toBe(others + 2) // For that experiment she is held out like everybody.
  })

  test('are no longer counted when they were not seen since the start', async () => {
    await changeSettings(s, { holdoutPercentage: 100 })
    await configOf(s, device('early'))
    s.ctx.clock.advance(DAY)
    const seen = (await row()).exposures
    await configure(s, { experiments: [{ key: 'later', startedAt: s.ctx.clock.now() }] })
    const later = await resultsOf(s, 'later')
    expect([seen > 0, later.variants.at(-1)]).toMatchObject([true, { variantId: '__holdout__', exposures: 0 }])
  })

  test('rows of an older release get their bucket', async () => {
    const { subscribers } = s.ctx.tables
    await configOf(s, 'svc_dan')
    await s.ctx.write((tx) => tx.db.update(subscribers).set({ holdoutBucket: null }))
    const rows = await s.ctx.db.$count(subscribers)
    expect(await fillHoldoutBuckets(s.ctx, () => true)).toBe(0)
    expect(await fillHoldoutBuckets(s.ctx)).toBe(rows)
    expect([
      (await rowOf(s, 'svc_dan')).holdoutBucket,
      await s.ctx.db.$count(subscribers, isNull(subscribers.holdoutBucket)),
    ]).toEqual([5395, 0])
    expect(await fillHoldoutBuckets(s.ctx)).toBe(0)
  })
})
