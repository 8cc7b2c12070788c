import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { startBackground } from '../../src/background'
import { databaseUnavailable } from '../../src/base/db/errors'
import { touchConfig } from '../../src/projects/project/service'
import { WaitingAssignments } from '../../src/targeting/experiments/waiting-assignments'
import { type Stage, stage } from '../support/cast'
import { expectDrawsToHold } from '../support/draws'
import { ADA, BO, CY } from '../support/experiments'
import { identify } from '../support/facts'
import { clearRemote, configOf, configure, HALVES, variantsOf } from '../support/remote'

let s: Stage
beforeAll(async () => {
  s = await stage()
})
afterEach(() => clearRemote(s))
afterAll(() => s.close())

// Buckets of ADA in price_test: 6286, in the holdout: 4215.
const stringify = (value: unknown) => JSON.stringify(value)
const rows = () => s.ctx.db.select().from(s.ctx.tables.assignments)
const flush = () => s.ctx.state.assignments.flush()
const idOf = async (device: string) => {
  const { subscribers } = s.ctx.tables
  return (await s.ctx.db.select().from(subscribers).where(eq(subscribers.deviceKey, device)))[0]?.id ?? ''
}

/** Lets the server put its assignments into another waiting list meanwhile, as in another process or during a fault. */
async function keepingIn(waiting: WaitingAssignments, work: () => Promise<void>): Promise<void> {
  const usual = s.ctx.state.assignments
  Object.assign(s.ctx.state, { assignments: waiting })
  await work().finally(() => Object.assign(s.ctx.state, { assignments: usual }))
}

type Change = Partial<Stage['ctx']['tables']['experiments']['$inferInsert']>

/** Changes an experiment as a committed change of its project. */
async function change(key: string, set: Change): Promise<void> {
  const { experiments } = s.ctx.tables
  await s.ctx.write(async (tx) => {
    await tx.db.update(experiments).set(set).where(eq(experiments.key, key))
    await touchConfig(tx, s.project.id)
  })
}

const weighted = (first: number) => [
  { id: 'a', name: 'Control', weight: first, value: 1 },
  { id: 'b', name: 'Treatment', weight: 1 - first, value: 2 },
]

describe('who gets which variant', () => {
  test('is the same by the specification, on every database, and after a restart', () => expectDrawsToHold(s))

  test('the answer names experiment and variant, with its value', async () => {
    const variants = [
      { id: 'a', name: 'Control', weight: 0.5, value: 'standard' },
      { id: 'b', name: 'Treatment', weight: 0.5, value: 'summer' },
    ]
    await configure(s, { experiments: [{ id: 'exp_1', key: 'checkout_test', type: 'OFFERING', variants }] })
    expect((await configOf(s, BO)).body.data.experiments).toEqual({
      checkout_test: {
        experimentId: 'exp_1',
        key: 'checkout_test',
        type: 'OFFERING',
        variantId: 'b',
        variantName: 'Treatment',
        value: 'summer',
      },
    })
  })

  test('the bucket of the device key decides', async () => {
    await configure(s, { experiments: [{ key: 'checkout_test' }] })
    expect(await variantsOf(s, ADA)).toEqual({ checkout_test: 'a' })
    expect(await variantsOf(s, BO)).toEqual({ checkout_test: 'b' })
  })

  test.each(['DRAFT', 'PAUSED', 'COMPLETED'] as const)('%s is in no answer, and nobody is drawn', async (status) => {
    await configure(s, { experiments: [{ key: 'checkout_test', status }] })
    expect(await variantsOf(s, ADA)).toEqual({})
    await flush()
    expect(await rows()).toEqual([])
  })

  test('pausing takes it from the next answer, and resuming brings the same variant back', async () => {
    await configure(s, { experiments: [{ key: 'checkout_test' }] })
    await variantsOf(s, BO)
    await change('checkout_test', { status: 'PAUSED', variants: weighted(1) })
    expect(await variantsOf(s, BO)).toEqual({})
    await change('checkout_test', { status: 'RUNNING' })
    expect(await variantsOf(s, BO)).toEqual({ checkout_test: 'b' })
  })

  test('the audience must match now, whatever is held', async () => {
    await configure(s, {
      audiences: [{ id: 'aud_tr', rules: { country: 'TR' } }],
      experiments: [{ key: 'checkout_test', audienceId: 'aud_tr' }],
    })
    const post = async (country: string) => {
      const { body } = await s.post(`/v1/config?subscriberId=${BO}`, { attributes: { country } })
      return Object.keys(body.data.experiments)
    }
    expect(await post('DE')).toEqual([])
    expect(await post('TR')).toEqual(['checkout_test'])
    await flush()
    expect(await post('DE')).toEqual([])
    expect(await rows()).toHaveLength(1)
  })

  test('a group has one experiment for each subscriber, the first in order, also while that one is paused', async () => {
    const mutualExclusionGroup = 'paywall'
    await configure(s, {
      experiments: [
        { key: 'later', mutualExclusionGroup, createdAt: 2 },
        { key: 'first', mutualExclusionGroup, createdAt: 1 },
        { key: 'beside', createdAt: 3 },
      ],
    })
    expect(Object.keys(await variantsOf(s, ADA)).sort()).toEqual(['beside', 'first'])
    await change('first', { status: 'PAUSED' })
    expect(Object.keys(await variantsOf(s, ADA))).toEqual(['beside'])
    expect(Object.keys(await variantsOf(s, BO)).sort()).toEqual(['beside', 'later'])
    await flush()
    expect(Object.keys(await variantsOf(s, ADA))).toEqual(['beside'])
    await change('first', { status: 'COMPLETED' })
    expect(Object.keys(await variantsOf(s, ADA)).sort()).toEqual(['beside', 'later'])
  })

  test.each([
    [42.16, {}],
    [42.15, { checkout_test: 'a' }],
  ])('a holdout of %p %% takes the buckets below it', async (holdoutPercentage, expected) => {
    const own = await stage({ settings: { holdoutPercentage } })
    await configure(own, { experiments: [{ key: 'checkout_test' }] })
    expect(await variantsOf(own, ADA)).toEqual(expected)
    await own.ctx.state.assignments.flush()
    const held = await own.ctx.db.select().from(own.ctx.tables.assignments)
    expect(held).toHaveLength(Object.keys(expected).length)
    await own.close()
  })

  test('experiments of another project are never seen', async () => {
    await configure(s, { experiments: [{ key: 'theirs' }] }, s.other.id)
    expect(await variantsOf(s, ADA)).toEqual({})
  })
})

describe('a drawn variant stays', () => {
  test('before it is written, and after', async () => {
    await configure(s, { experiments: [{ key: 'checkout_test' }] })
    await variantsOf(s, BO)
    await change('checkout_test', { variants: weighted(1) })
    expect(await variantsOf(s, BO)).toEqual({ checkout_test: 'b' })
    expect(await rows()).toEqual([])
    const drawnAt = s.ctx.clock.now()
    s.ctx.clock.advance(500)
    await flush()
    expect(await rows()).toMatchObject([
      { projectId: s.project.id, variantId: 'b', hashVersion: 1, assignedAt: drawnAt, exposedAt: null },
    ])
    expect(await variantsOf(s, BO)).toEqual({ checkout_test: 'b' })
    expect(await variantsOf(s, 'svc_newcomer')).toEqual({ checkout_test: 'a' })
  })

  test('also when it is written between the read of a call and its answer', async () => {
    class WrittenMeanwhile extends WaitingAssignments {
      private calls = 0
      override of(origin: Parameters<WaitingAssignments['of']>[0]) {
        const found = super.of(origin)
        return ++this.calls % 2 === 0 ? new Map() : found
      }
    }
    await configure(s, { experiments: [{ key: 'checkout_test' }] })
    await keepingIn(new WrittenMeanwhile(s.ctx.write, s.ctx.log), async () => {
      await variantsOf(s, BO)
      await change('checkout_test', { variants: weighted(1) })
      expect(await variantsOf(s, BO)).toEqual({ checkout_test: 'b' })
    })
  })

  test('for calls at once on both sides of a change too', async () => {
    await configure(s, { experiments: [{ key: 'checkout_test' }] })
    await configOf(s, BO, '&env=dev').then(flush)
    await s.ctx.write((tx) => tx.db.delete(tx.tables.assignments))
    const asking = Array.from({ length: 6 }, () => variantsOf(s, BO))
    const changing = change('checkout_test', { variants: weighted(1) })
    const answers = new Set((await Promise.all([...asking, changing.then(() => variantsOf(s, BO))])).map(stringify))
    expect(answers.size).toBe(1)
    await flush()
    expect(await rows()).toHaveLength(1)
  })

  test('many calls at once, and many rounds, write it once', async () => {
    await configure(s, { experiments: [{ key: 'checkout_test' }, { key: 'price_test' }] })
    await Promise.all(Array.from({ length: 8 }, () => variantsOf(s, ADA)))
    await Promise.all([flush(), flush(), variantsOf(s, ADA)])
    await flush()
    expect(await rows()).toHaveLength(2)
  })

  test('the row that another process wrote wins from then on', async () => {
    await configure(s, { experiments: [{ id: 'exp_x', key: 'checkout_test' }] })
    expect(await variantsOf(s, BO)).toEqual({ checkout_test: 'b' })
    const subscriberId = await idOf(BO)
    const { assignments } = s.ctx.tables
    const row = { experimentId: 'exp_x', subscriberId, projectId: s.project.id, variantId: 'a', hashVersion: 1 }
    await s.ctx.write((tx) => tx.db.insert(assignments).values({ ...row, assignedAt: 7 }))
    expect(await variantsOf(s, BO)).toEqual({ checkout_test: 'a' })
    await flush()
    expect(await rows()).toMatchObject([{ variantId: 'a', assignedAt: 7 }])
    expect(await variantsOf(s, BO)).toEqual({ checkout_test: 'a' })
  })

  test('a process that starts later gives it too', async () => {
    await configure(s, { experiments: [{ key: 'checkout_test' }] })
    await variantsOf(s, BO)
    await flush()
    await change('checkout_test', { variants: weighted(1) })
    await keepingIn(new WaitingAssignments(s.ctx.write, s.ctx.log), async () =>
      expect(await variantsOf(s, BO)).toEqual({ checkout_test: 'b' }),
    )
  })

  test('a variant that is no longer declared is drawn again in place of its row, written or not', async () => {
    await configure(s, { experiments: [{ key: 'checkout_test' }] })
    const renamed = [HALVES[0], { ...HALVES[1], id: 'c' }] as typeof HALVES
    await variantsOf(s, BO)
    await change('checkout_test', { variants: renamed })
    expect(await variantsOf(s, BO)).toEqual({ checkout_test: 'c' })
    await flush()
    expect(await rows()).toMatchObject([{ variantId: 'c' }])
    await change('checkout_test', { variants: HALVES })
    expect(await variantsOf(s, BO)).toEqual({ checkout_test: 'b' })
    await change('checkout_test', { variants: weighted(0.99) })
    expect(await variantsOf(s, BO)).toEqual({ checkout_test: 'b' })
    await flush()
    expect(await rows()).toMatchObject([{ variantId: 'b' }])
  })
})

describe('a merge between draw and write', () => {
  test('takes the variant along, and both devices get it', async () => {
    await configure(s, { experiments: [{ key: 'checkout_test' }] })
    await identify(s, CY, 'cy@example.com')
    expect(await variantsOf(s, CY)).toEqual({ checkout_test: 'a' })
    await identify(s, BO, 'cy@example.com') // The row of Cy is merged into that of Bo, whose own bucket gives b.
    expect(await variantsOf(s, CY)).toEqual({ checkout_test: 'a' })
    await flush()
    expect(await rows()).toMatchObject([{ subscriberId: await idOf(BO), variantId: 'a' }])
    for (const device of [BO, CY]) expect(await variantsOf(s, device)).toEqual({ checkout_test: 'a' })
  })

  test('never takes the place of what the survivor holds, written or not', async () => {
    for (const write of [flush, async () => {}]) {
      await clearRemote(s)
      const [survivor, other, label] = [`svc_s_${write.name}`, `svc_o_${write.name}`, `di_${write.name}@example.com`]
      await configure(s, { experiments: [{ key: 'checkout_test', variants: weighted(1) }] })
      expect(await variantsOf(s, survivor)).toEqual({ checkout_test: 'a' })
      await write()
      await identify(s, other, label)
      await change('checkout_test', { variants: weighted(0) })
      expect(await variantsOf(s, other)).toEqual({ checkout_test: 'b' })
      await identify(s, survivor, label)
      await flush()
      for (const device of [survivor, other]) expect(await variantsOf(s, device)).toEqual({ checkout_test: 'a' })
      expect(await rows()).toMatchObject([{ subscriberId: await idOf(survivor), variantId: 'a' }])
    }
  })

  test('comes after what the survivor drew before it', async () => {
    await configure(s, { experiments: [{ key: 'checkout_test', variants: weighted(1) }] })
    await identify(s, 'svc_first', 'gus@example.com')
    expect(await variantsOf(s, 'svc_first')).toEqual({ checkout_test: 'a' })
    await change('checkout_test', { variants: weighted(0) })
    s.ctx.clock.advance(10)
    expect(await variantsOf(s, 'svc_second')).toEqual({ checkout_test: 'b' })
    s.ctx.clock.advance(10)
    await identify(s, 'svc_second', 'gus@example.com')
    await flush()
    expect(await rows()).toMatchObject([{ subscriberId: await idOf('svc_second'), variantId: 'b' }])
    for (const device of ['svc_first', 'svc_second'])
      expect(await variantsOf(s, device)).toEqual({ checkout_test: 'b' })
  })

  test('at the very moment of the write: nothing is lost, nothing stays behind', async () => {
    await configure(s, { experiments: [{ key: 'checkout_test' }, { key: 'price_test' }] })
    const people = Array.from({ length: 12 }, (_, n) => n)
    const installs = people.flatMap((n) => [`svc_race_${n}_a`, `svc_race_${n}_b`])
    for (const n of people) await identify(s, `svc_race_${n}_a`, `race_${n}@example.com`)
    await Promise.all(installs.map((device) => configOf(s, device)))
    const merges = people.map((n) => identify(s, `svc_race_${n}_b`, `race_${n}@example.com`))
    const calls = installs.map((device) => configOf(s, device))
    await Promise.all([flush(), ...merges, flush(), ...calls])
    await flush()
    const survivors = await Promise.all(people.map((n) => idOf(`svc_race_${n}_b`)))
    const held = (await rows()).map(({ subscriberId }) => subscriberId).sort()
    expect(held).toEqual(survivors.flatMap((id) => [id, id]).sort())
  })

  test('an account that changes on a device leaves its draws with the row that it leaves', async () => {
    await configure(s, { experiments: [{ key: 'checkout_test', variants: weighted(1) }] })
    await identify(s, 'svc_shared', 'eve@example.com')
    expect(await variantsOf(s, 'svc_shared')).toEqual({ checkout_test: 'a' })
    const left = await idOf('svc_shared')
    await change('checkout_test', { variants: weighted(0) })
    await identify(s, 'svc_shared', 'flo@example.com')
    expect(await variantsOf(s, 'svc_shared')).toEqual({ checkout_test: 'b' })
    await flush()
    const held = (await rows()).map(({ subscriberId, variantId }) => [subscriberId, variantId])
    expect(new Map(held as [string, string][])).toEqual(
      new Map([
        [left, 'a'],
        [await idOf('svc_shared'), 'b'],
      ]),
    )
  })
})

describe('faults', () => {
  test('of the database keeps draws waiting, and no read fails', async () => {
    await configure(s, { experiments: [{ key: 'checkout_test' }] })
    let isDown = true
    const waiting = new WaitingAssignments(
      (work) => (isDown ? Promise.reject(databaseUnavailable(new Error('away'))) : s.ctx.write(work)),
      s.ctx.log,
    )
    await keepingIn(waiting, async () => {
      await variantsOf(s, BO)
      await expect(waiting.flush()).rejects.toThrow()
      await waiting.finish() // Tells of it, and does not throw.
      expect(s.ctx.lines.some((line) => line.includes('assignments were not written'))).toBe(true)
      await change('checkout_test', { variants: weighted(1) })
      expect(await variantsOf(s, BO)).toEqual({ checkout_test: 'b' })
      expect(await rows()).toEqual([])
      isDown = false
      await waiting.flush()
      expect(await rows()).toMatchObject([{ variantId: 'b' }])
    })
  })

  test('that would last gives the draws up, so that those behind are written', async () => {
    await configure(s, { experiments: [{ key: 'checkout_test' }] })
    const waiting = new WaitingAssignments(() => Promise.reject(new Error('a fault of ours')), s.ctx.log)
    await keepingIn(waiting, async () => {
      await variantsOf(s, BO)
      await waiting.flush()
      await change('checkout_test', { variants: weighted(1) })
      expect(await variantsOf(s, BO)).toEqual({ checkout_test: 'a' })
      expect(s.ctx.lines.some((line) => line.includes('assignments were given up'))).toBe(true)
    })
  })

  test('above the bound nothing more is kept, and the answers are the same', async () => {
    await configure(s, { experiments: [{ key: 'checkout_test' }] })
    const waiting = new WaitingAssignments(s.ctx.write, s.ctx.log, 1)
    await keepingIn(waiting, async () => {
      expect(await variantsOf(s, ADA)).toEqual({ checkout_test: 'a' })
      for (let turn = 0; turn < 2; turn++) expect(await variantsOf(s, BO)).toEqual({ checkout_test: 'b' })
      await waiting.flush()
      expect(await rows()).toHaveLength(1)
      expect(s.ctx.lines.filter((line) => line.includes('too many assignments wait'))).toHaveLength(1)
    })
  })

  test('a subscriber that is gone, erased or lost takes no other draw along', async () => {
    await configure(s, { experiments: [{ key: 'checkout_test' }] })
    const devices = ['svc_gone', 'svc_erased', 'svc_lost', 'svc_stays']
    for (const device of devices) await variantsOf(s, device)
    const { subscribers: t } = s.ctx.tables
    await s.ctx.write(async (tx) => {
      await tx.db.delete(t).where(eq(t.deviceKey, 'svc_gone'))
      await tx.db.update(t).set({ erasedAt: 1 }).where(eq(t.deviceKey, 'svc_erased'))
      await tx.db.update(t).set({ mergedInto: 'sub_none' }).where(eq(t.deviceKey, 'svc_lost'))
    })
    await flush()
    expect((await rows()).map(({ subscriberId }) => subscriberId)).toEqual([await idOf('svc_stays')])
  })

  test('stopping writes what still waits', async () => {
    await configure(s, { experiments: [{ key: 'checkout_test' }] })
    const background = startBackground(s.ctx)
    await variantsOf(s, BO)
    await background.stop()
    expect(await rows()).toMatchObject([{ variantId: 'b' }])
  })
})
