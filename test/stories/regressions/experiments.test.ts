import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { MINUTE } from '../../../src/base/lib/clock'
import { COINS, MONTHLY, type Stage, stage } from '../../support/cast'
import {
  assignmentsOf,
  change,
  countsOf,
  experimentEventTypes,
  expose,
  resultsOf,
  track,
} from '../../support/experiments'
import { expectRefused, identify, refund, rowOf } from '../../support/facts'
import { trustForProduction } from '../../support/notify'
import { clearRemote, configure, HALVES, variantsOf } from '../../support/remote'
import { expectSubmitted } from '../../support/story'

let s: Stage
let count = 0
beforeAll(async () => {
  s = await stage()
  trustForProduction(s)
})
beforeEach(() => {
  count++
  s.ctx.clock.advance(10 * MINUTE)
})
afterEach(() => clearRemote(s))
afterAll(() => s.close())

const iso = (at: number) => new Date(at).toISOString()
const person = (name: string) => `svc_${name}_${count}`
const label = () => `${count}@example.com`
const begin = (metrics = ['purchase']) =>
  configure(s, { experiments: [{ id: 'exp_1', key: 'checkout_test', startedAt: s.ctx.clock.now(), metrics }] })
const refuses = (device: string, variantId: string) =>
  expectRefused(s, () => expose(s, device, variantId), 400, 'VALIDATION_ERROR')
const otherThan = (variantId: string | undefined) => (variantId === 'a' ? 'b' : 'a')

/** The bucket computed with decimal digits, as a client computes it, without our library. */
function clientBucket(id: string, salt: string): number {
  const hex = createHash('sha256').update(`${id}:${salt}`, 'utf8').digest('hex')
  return Number.parseInt(hex.slice(0, 8), 16) % 10_000
}

function clientVariant(id: string, key: string, variants: { id: string; weight: number }[]): string | undefined {
  const drawn = clientBucket(id, key)
  let border = 0
  for (const variant of variants) {
    border += variant.weight * 10_000
    if (drawn < Math.floor(border + 0.5)) return variant.id
  }
  return variants.at(-1)?.id
}

describe('a draw that differs between client and server', () => {
  const weights = [[0.5, 0.5], [0.34, 0.33, 0.33], [0.07, 0.93], [0.1, 0.2, 0.7], Array(20).fill(0.05)]
  test('never, for keys of every script and weights of every kind', async () => {
    const experiments = weights.map((each, index) => ({
      key: `draw_${index}.x`,
      variants: each.map((weight: number, n: number) => ({ id: `v${n}`, name: `V${n}`, weight, value: n })),
    }))
    await configure(s, { experiments })
    const devices = Array.from(
      { length: 60 },
      (_, n) => `svc_${n % 3 === 0 ? '用户' : n % 3 === 1 ? 'é' : 'x'}_${n * 7}`,
    )
    const drawn = new Set<string>()
    for (const device of [...devices, 'svc_8fK2mQ7xLw', 'svc_Zt4Rr0Pn1c']) {
      const expected = experiments.map(({ key, variants }) => [key, clientVariant(device, key, variants)])
      expect(await variantsOf(s, device)).toEqual(Object.fromEntries(expected))
      for (const [key, variant] of expected) drawn.add(`${key} ${variant}`)
    }
    expect(drawn.size).toBeGreaterThan(25) // Otherwise the test would have compared nothing.
  })
})

describe('an exposure accepted for another variant', () => {
  test('than the one that waits to be written, is written, or was exposed', async () => {
    await begin()
    const held = (await variantsOf(s, person('ada'))).checkout_test
    await refuses(person('ada'), otherThan(held))
    await s.ctx.state.assignments.flush()
    await refuses(person('ada'), otherThan(held))
    expect((await expose(s, person('ada'), held ?? '')).status).toBe(200)
    await refuses(person('ada'), otherThan(held))
    expect((await countsOf(s)).sort()).toEqual([`${held} 1/0`, `${otherThan(held)} 0/0`].sort())
  })

  test('than the one that a merge brought, whichever device tells', async () => {
    await begin()
    await expose(s, person('old'), 'a')
    for (const name of ['old', 'new']) await identify(s, person(name), label())
    for (const name of ['old', 'new']) await refuses(person(name), 'b')
    expect(await countsOf(s)).toEqual(['a 1/0', 'b 0/0'])
  })
})

describe('a conversion recorded for an experiment that does not run', () => {
  const buys = async (device: string) =>
    expectSubmitted(s.receipt(device, { ...s.buy(COINS), environment: 'Production' } as ReturnType<Stage['buy']>))
  for (const status of ['PAUSED', 'COMPLETED'] as const)
    test(`${status}: neither by an event nor by a purchase, with the key or without`, async () => {
      await begin(['purchase', 'signup'])
      await expose(s, person('ada'), 'a')
      s.ctx.clock.advance(MINUTE)
      await change(s, 'checkout_test', { status, completedAt: status === 'COMPLETED' ? s.ctx.clock.now() : null })
      for (const key of [null, 'checkout_test']) await track(s, person('ada'), [{ type: 'signup', key }])
      await buys(person('ada'))
      expect(await countsOf(s)).toEqual(['a 1/0', 'b 0/0'])
      expect((await resultsOf(s)).variants[0].revenue.amountMicros).toBe(0)
      expect(await experimentEventTypes(s, person('ada'))).toEqual(['experiment.exposed'])
      await expectRefused(s, () => expose(s, person('bo'), 'a'), 409, 'EXPERIMENT_NOT_RUNNING')
    })

  test('PAUSED: what happened before the pause and is told in it converts, and what happens in it does not', async () => {
    await begin(['signup'])
    const before = iso(s.ctx.clock.now())
    for (const name of ['ada', 'bo']) await expose(s, person(name), 'a')
    s.ctx.clock.advance(MINUTE)
    await change(s, 'checkout_test', { status: 'PAUSED' })
    await track(s, person('ada'), [{ type: 'signup', timestamp: before }])
    await track(s, person('bo'), [{ type: 'signup' }])
    expect(await countsOf(s)).toEqual(['a 2/1', 'b 0/0'])
  })

  test('DRAFT: not even by somebody who holds a variant', async () => {
    await begin(['signup'])
    await variantsOf(s, person('ada'))
    await s.ctx.state.assignments.flush()
    await change(s, 'checkout_test', { status: 'DRAFT', startedAt: null })
    await track(s, person('ada'), [{ type: 'signup' }])
    expect(await countsOf(s)).toEqual(['a 0/0', 'b 0/0'])
  })
})

describe('two result readings that disagree', () => {
  const ORDERS = ['012345', '543210', '250314', '413502']

  test('what happened gives the same results, in whatever order it is told, and however often it is read', async () => {
    await configure(s, {
      experiments: ORDERS.map((order) => ({
        key: `told_${order}`,
        startedAt: s.ctx.clock.now(),
        metrics: ['purchase'],
      })),
    })
    const at = s.ctx.clock.now()
    s.ctx.clock.advance(9 * MINUTE)
    for (const order of ORDERS) {
      const who = (name: string) => `${person(name)}_${order}`
      const production = (minute: number) =>
        ({ ...s.buy(COINS, { now: at + minute * MINUTE }), environment: 'Production' }) as ReturnType<Stage['buy']>
      const [early, late, returned] = [production(1), production(4), production(5)]
      const reports = [
        () => expose(s, who('ada'), 'a', { exposedAt: iso(at + 2 * MINUTE) }, `told_${order}`),
        () => s.receipt(who('ada'), early),
        () => s.receipt(who('ada'), late),
        () => expose(s, who('bo'), 'b', { exposedAt: iso(at + 2 * MINUTE) }, `told_${order}`),
        () => track(s, who('bo'), [{ type: 'purchase', timestamp: iso(at + 3 * MINUTE), key: `told_${order}` }]),
        () => s.receipt(who('bo'), refund(s, returned)),
      ]
      for (const index of order) expect((await reports[Number(index)]?.())?.status).toBe(200)
    }
    const readings = await Promise.all(
      [...ORDERS, ...ORDERS].map(async (order) => {
        const { experimentId: _id, key: _key, ...rest } = await resultsOf(s, `told_${order}`)
        return rest
      }),
    )
    expect(readings[0].variants).toMatchObject([
      { exposures: 1, conversions: 1, revenue: { amountMicros: 990_000 } },
      { exposures: 1, conversions: 1, revenue: { amountMicros: 0 } },
    ])
    for (const reading of readings) expect(reading).toEqual(readings[0])
  })

  test('one that is read while everything comes in at once is possible', async () => {
    await begin(['purchase'])
    const crowd = Array.from({ length: 30 }, (_, n) => person(`crowd${n}`))
    const buy = (device: string) =>
      s.receipt(device, { ...s.buy(MONTHLY), environment: 'Production' } as ReturnType<Stage['buy']>)
    const coming = crowd.flatMap((device) => [
      expose(s, device, 'a'),
      track(s, device, [{ type: 'purchase' }]),
      buy(device),
    ])
    const readings = await Promise.all(Array.from({ length: 4 }, () => resultsOf(s)))
    await Promise.all(coming)
    for (const { variants } of readings) expect(variants[0].conversions).toBeLessThanOrEqual(variants[0].exposures)
    expect(await countsOf(s)).toEqual(['a 30/30', 'b 0/0'])
  })
})

describe('a merge that loses or doubles an assignment', () => {
  const merge = async () => {
    await identify(s, person('old'), label())
    s.ctx.clock.advance(MINUTE)
    await identify(s, person('new'), label())
  }
  const rows = async () =>
    (await assignmentsOf(s)).sort((one, other) => (one.subscriberId < other.subscriberId ? -1 : 1))
  const undo = async () => {
    const { transfers: t } = s.ctx.tables
    const { id } = await rowOf(s, person('new'))
    const [transfer] = await s.ctx.db.select().from(t).where(eq(t.toSubscriberId, id))
    const options = { key: s.project.secretKey }
    const { status } = await s.post(`/v1/subscribers/transfer/${transfer?.id}/undo`, {}, options)
    expect(status).toBe(200)
  }

  type Sight = 'unseen' | 'drawn' | 'held' | 'exposed'
  /** Gives a device a variant in one of the possible ways. */
  async function bring(device: string, variantId: string, sight: Sight): Promise<void> {
    await s.get('/v1/me', device)
    if (sight === 'unseen') return
    const only = variantId === 'a' ? 1 : 0
    const variants = HALVES.map((variant, index) => ({ ...variant, weight: index === 0 ? only : 1 - only }))
    await change(s, 'checkout_test', { variants })
    await variantsOf(s, device)
    await change(s, 'checkout_test', { variants: HALVES })
    if (sight !== 'drawn') await s.ctx.state.assignments.flush()
    if (sight === 'exposed') expect((await expose(s, device, variantId)).status).toBe(200)
  }

  const cases: [old: [string, Sight], fresh: [string, Sight], counts: string[], crossed: number][] = [
    [['a', 'exposed'], ['a', 'unseen'], ['a 1/0', 'b 0/0'], 0],
    [['a', 'exposed'], ['a', 'drawn'], ['a 1/0', 'b 0/0'], 0],
    [['a', 'exposed'], ['a', 'held'], ['a 1/0', 'b 0/0'], 0],
    [['a', 'exposed'], ['a', 'exposed'], ['a 1/0', 'b 0/0'], 0],
    [['a', 'exposed'], ['b', 'held'], ['a 0/0', 'b 1/0'], 1],
    [['a', 'exposed'], ['b', 'exposed'], ['a 0/0', 'b 1/0'], 1],
    [['a', 'held'], ['b', 'exposed'], ['a 0/0', 'b 1/0'], 0],
    [['a', 'drawn'], ['b', 'exposed'], ['a 0/0', 'b 1/0'], 0],
    [['a', 'unseen'], ['b', 'exposed'], ['a 0/0', 'b 1/0'], 0],
    [['a', 'held'], ['b', 'held'], ['a 0/0', 'b 0/0'], 0],
  ]
  for (const [old, fresh, counts, crossed] of cases)
    test(`${old.join(' ')} into ${fresh.join(' ')}, and back`, async () => {
      await begin()
      await bring(person('old'), ...old)
      s.ctx.clock.advance(MINUTE)
      await bring(person('new'), ...fresh)
      const before = await rows()
      await merge()
      await s.ctx.state.assignments.flush()
      const merged = await rows()
      expect([await countsOf(s), merged.length]).toEqual([counts, 1])
      expect(merged.filter(({ crossedAt }) => crossedAt !== null)).toHaveLength(crossed)
      for (const name of ['old', 'new'])
        expect(await variantsOf(s, person(name))).toEqual({ checkout_test: merged[0]?.variantId ?? '' })
      await undo()
      if (![old[1], fresh[1]].includes('drawn')) expect(await rows()).toEqual(before)
    })

  test('one device was shown it and the other one converted: told of and counted at the merge, and taken back', async () => {
    await begin(['signup'])
    await s.get('/v1/me', person('new'))
    await expose(s, person('old'), 'a')
    await track(s, person('new'), [{ type: 'signup' }, { type: 'signup', key: 'another' }])
    expect(await countsOf(s)).toEqual(['a 1/0', 'b 0/0'])
    await merge()
    expect([await countsOf(s), await experimentEventTypes(s, person('new'))]).toEqual([
      ['a 1/1', 'b 0/0'],
      ['experiment.converted'],
    ])
    await undo()
    expect(await countsOf(s)).toEqual(['a 1/0', 'b 0/0'])
    expect((await rows()).map(({ convertedAt }) => convertedAt)).toEqual([null])
  })

  test('what the other device did before the exposure, or for another experiment, converts nobody at the merge', async () => {
    await begin(['signup'])
    await track(s, person('new'), [{ type: 'signup', timestamp: iso(s.ctx.clock.now() - 1) }])
    await track(s, person('new'), [{ type: 'signup', key: 'another' }, { type: 'other' }])
    await expose(s, person('old'), 'a')
    await merge()
    expect([await countsOf(s), await experimentEventTypes(s, person('new'))]).toEqual([['a 1/0', 'b 0/0'], []])
  })

  test('at the very moment of both exposures there is one row, and one exposure', async () => {
    await begin()
    const people = Array.from({ length: 8 }, (_, n) => [person(`o${n}`), person(`n${n}`)] as const)
    for (const [n, [old]] of people.entries()) await identify(s, old, `${n}-${label()}`)
    const coming = people.flatMap(([old, fresh], n) => [
      expose(s, old, 'a'),
      identify(s, fresh, `${n}-${label()}`),
      expose(s, fresh, 'a'),
    ])
    expect(new Set((await Promise.all(coming)).map(({ status }) => status))).toEqual(new Set([200]))
    expect([await countsOf(s), (await rows()).length]).toEqual([['a 8/0', 'b 0/0'], 8])
    const typesOfEach = await Promise.all(
      people.flatMap((pair) => pair.map((device) => experimentEventTypes(s, device))),
    )
    expect(typesOfEach.every((types) => types.length <= 1)).toBe(true)
  })

  test('who crossed is told: the experiment is stopped for it', async () => {
    await begin()
    await bring(person('old'), 'a', 'exposed')
    await bring(person('new'), 'b', 'exposed')
    await merge()
    const { id: subscriberId } = await rowOf(s, person('new'))
    const row = { experimentId: 'exp_1', projectId: s.project.id, hashVersion: 1, assignedAt: 1, exposedAt: 1 }
    const crowd = Array.from({ length: 400 }, (_, n) => ({
      ...row,
      ...{ subscriberId: `${subscriberId}_${n}`, variantId: n % 2 === 0 ? 'a' : 'b' },
    }))
    await s.ctx.write((tx) => tx.db.insert(tx.tables.assignments).values(crowd))
    await change(s, 'checkout_test', { startedAt: 1 })
    expect((await resultsOf(s)).recommendation).toMatchObject({ action: 'STOP', reason: 'CROSSOVER' })
  })
})
