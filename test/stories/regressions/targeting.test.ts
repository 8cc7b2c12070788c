import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createExperiment } from '../../../src/targeting/experiments/admin'
import { startExperiment } from '../../../src/targeting/experiments/admin-actions'
import { createFlag, updateFlag } from '../../../src/targeting/flags/admin'
import { COINS, type Stage, stage } from '../../support/cast'
import { clearRemote, configOf, flagsOf, HALVES } from '../../support/remote'
import { by } from '../../support/targeting'

let s: Stage
beforeAll(async () => {
  s = await stage()
})
afterAll(() => s.close())
beforeEach(() => clearRemote(s))

const DEVICES = Array.from({ length: 200 }, (_, n) => `svc_device_${n}`)

interface Seen {
  flags: Record<string, unknown>
  experiments: Record<string, { variantId: string }>
}

const seenBy = (devices: readonly string[]): Promise<Seen[]> =>
  Promise.all(devices.map(async (device) => (await configOf(s, device)).body.data as Seen))

const rollout = (key: string, ...shares: number[]) =>
  createFlag(s.ctx, by(s), {
    key,
    env: 'PROD',
    type: 'NUMBER',
    defaultValue: -1,
    rules: shares.map((rolloutPercentage, value) => ({ value, rolloutPercentage })),
  })

/** Share of the answers. The devices are fixed, so that it is the same in every run. */
const share = (seen: readonly Seen[], holds: (seen: Seen) => boolean) => seen.filter(holds).length / seen.length
const expectNear = (found: number, wanted: number) => expect(Math.abs(found - wanted)).toBeLessThan(0.1)

describe('a rollout without a salt of its own', () => {
  test('two flags for half of the people are two halves, not one', async () => {
    await rollout('one', 0.5)
    await rollout('two', 0.5)
    const seen = await seenBy(DEVICES)
    expectNear(
      share(seen, ({ flags }) => flags.one === 0),
      0.5,
    )
    expectNear(
      share(seen, ({ flags }) => flags.one === 0 && flags.two === 0),
      0.25,
    )
  })
  test('a second rule has its own chance with those who lost the first', async () => {
    await rollout('chain', 0.5, 0.5)
    const seen = await seenBy(DEVICES)
    const [first, second] = [0, 1].map((rule) => share(seen, ({ flags }) => flags.chain === rule))
    expectNear(first ?? 0, 0.5)
    expectNear(second ?? 0, 0.25)
  })
  test('an experiment is drawn apart from a flag', async () => {
    await rollout('half', 0.5)
    const input = { key: 'test', name: 'T', type: 'FLAG' as const, audienceId: null, variants: HALVES }
    const { id } = await createExperiment(s.ctx, by(s), input)
    await startExperiment(s.ctx, by(s), id)
    const seen = await seenBy(DEVICES)
    expectNear(
      share(seen, ({ flags, experiments }) => flags.half === 0 && experiments.test?.variantId === 'a'),
      0.25,
    )
  })
  test('a wider rollout keeps everybody who is in', async () => {
    const { id } = await rollout('wide', 0.2)
    const isIn = async () => (await seenBy(DEVICES)).map(({ flags }) => flags.wide === 0)
    const before = await isIn()
    await updateFlag(s.ctx, by(s), id, { rules: [{ value: 0, rolloutPercentage: 0.4 }] })
    const after = await isIn()
    expect(before.filter((was, index) => was && !after[index])).toEqual([])
    expect(after.filter(Boolean).length).toBeGreaterThan(before.filter(Boolean).length)
  })
})

describe('numbers compared as text', () => {
  const cases: [attribute: string, condition: unknown, matches: boolean][] = [
    ['10', { $gt: 9 }, true],
    ['10', { $gt: '9' }, true],
    ['9', { $lt: 10 }, true],
    ['100', { $lte: 20 }, false],
    ['-5', { $lt: -10 }, false],
    ['-5', { $gt: -10 }, true],
    ['1e3', { $gt: 999 }, true],
    ['0.5', { $gte: 0.25 }, true],
    ['5.0', 5, true],
    ['05', { $in: ['5'] }, true],
    ['5', { $nin: [5.0] }, false],
    // A text that is not a number as a whole is compared as text.
    ['1.10.0', { $gt: '1.9.0' }, false],
    ['10 coins', { $gt: 9 }, false],
    ['', { $lt: 1 }, true],
  ]
  for (const [n, [attribute, condition, matches]] of cases.entries())
    test(`"${attribute}" ${JSON.stringify(condition)} is ${matches}`, async () => {
      const rules = [{ conditions: { level: condition }, value: true }]
      await createFlag(s.ctx, by(s), { key: 'level', env: 'PROD', type: 'BOOLEAN', defaultValue: false, rules })
      const { body } = await s.post(`/v1/config?subscriberId=svc_n${n}`, { attributes: { level: attribute } })
      expect(body.data.flags).toEqual({ level: matches })
    })

  test('what svc computes is compared as numbers too', async () => {
    for (let n = 0; n < 11; n++) await s.receipt('svc_spender', s.buy(COINS))
    const rules = [{ conditions: { 'svc.lifetimeSpendUsd': { $gt: 9 } }, value: true }]
    await createFlag(s.ctx, by(s), { key: 'spender', env: 'PROD', type: 'BOOLEAN', defaultValue: false, rules })
    expect(await flagsOf(s, 'svc_spender')).toEqual({ spender: true }) // 10.89
  })
})
