import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { touchConfig } from '../../src/projects/project/service'
import { type Stage, stage } from '../support/cast'
import { changeSettings, identify, rowOf } from '../support/facts'
import { clearRemote, configOf, configure, variantsOf } from '../support/remote'

let s: Stage
beforeAll(async () => {
  s = await stage()
  const { offerings } = s.ctx.tables
  const at = { projectId: s.project.id, packages: [], metadata: {}, createdAt: 0, updatedAt: 0 }
  const summer = { ...at, id: 'off_summer', identifier: 'summer', isDefault: false }
  await s.ctx.write(async (tx) => {
    await tx.db.insert(offerings).values([summer, { ...summer, id: 'off_winter', identifier: 'winter' }])
    await touchConfig(tx, s.project.id)
  })
  for (const device of [ADA, BO]) await configOf(s, device)
})
afterEach(() => clearRemote(s))
afterAll(() => s.close())

// Buckets of price_test: svc_8fK2mQ7xLw 6286; of checkout_test: svc_8fK2mQ7xLw 3507, svc_d4 9080; holdout: svc_8fK2mQ7xLw 4215.
const ADA = 'svc_8fK2mQ7xLw'
const BO = 'svc_d4'
const CHECKOUT = { id: 'exp_1', key: 'checkout_test', type: 'OFFERING' as const }

const halves = (a: string, b: string) => [
  { id: 'a', name: 'Control', weight: 0.5, value: a },
  { id: 'b', name: 'Treatment', weight: 0.5, value: b },
]
const VARIANTS = halves('standard', 'summer')

/** What a device gets: the defaults of the list, the answer for `default`, and the two headers. */
async function offeringsFor(device?: string, options = {}) {
  const list = await s.get('/v1/offerings', device, options)
  const one = await s.get('/v1/offerings/default', device, options)
  const views: { identifier: string; isDefault: boolean }[] = list.body.data.offerings
  expect(views.map(({ identifier }) => identifier)).toEqual(['standard', 'summer', 'winter'])
  expect(one.headers.get('x-svc-experiment')).toBe(list.headers.get('x-svc-experiment'))
  expect(one.body.data.isDefault).toBe(true)
  const defaults = views.filter(({ isDefault }) => isDefault).map(({ identifier }) => identifier)
  expect(defaults).toEqual([one.body.data.identifier])
  return [defaults[0] ?? '', list.headers.get('x-svc-experiment')]
}

const rows = async () => {
  await s.ctx.state.assignments.flush()
  return s.ctx.db.select().from(s.ctx.tables.assignments)
}

describe('a running experiment over offerings', () => {
  test('the variant offering is the only default, and the header names where it came from', async () => {
    await configure(s, { experiments: [{ ...CHECKOUT, variants: VARIANTS }] })
    expect(await offeringsFor(BO)).toEqual(['summer', 'checkout_test:b'])
    expect(await offeringsFor(ADA)).toEqual(['standard', 'checkout_test:a'])
    expect(await variantsOf(s, BO)).toEqual({ checkout_test: 'b' })
  })

  test('what was shown holds: weights that change later move nobody, and no exposure is written', async () => {
    await configure(s, { experiments: [{ ...CHECKOUT, variants: VARIANTS }] })
    await offeringsFor(BO)
    const { experiments, events } = s.ctx.tables
    const [row] = await rows()
    expect(row).toMatchObject({ experimentId: 'exp_1', variantId: 'b', exposedAt: null, hashVersion: 1 })
    const variants = VARIANTS.map((variant, index) => ({ ...variant, weight: index === 0 ? 0.999 : 0.001 }))
    await s.ctx.write(async (tx) => {
      await tx.db.update(experiments).set({ variants })
      await touchConfig(tx, s.project.id)
    })
    expect(await offeringsFor(BO)).toEqual(['summer', 'checkout_test:b'])
    expect(await rows()).toHaveLength(1)
    expect(await s.ctx.db.$count(events, eq(events.type, 'experiment.exposed'))).toBe(0)
  })

  test('a merged device is shown what the surviving row draws', async () => {
    await configure(s, { experiments: [{ ...CHECKOUT, variants: VARIANTS }] })
    await identify(s, 'svc_d5', 'user_1')
    await identify(s, 'svc_d6', 'user_1')
    expect(await offeringsFor('svc_d6')).toEqual(await offeringsFor('svc_d5'))
    expect(await rows()).toHaveLength(1)
  })

  test('another variant has another tag, and 304 names the experiment too', async () => {
    const plain = (await s.get('/v1/offerings', BO)).headers.get('etag')
    await configure(s, { experiments: [{ ...CHECKOUT, variants: VARIANTS }] })
    for (const path of ['/v1/offerings', '/v1/offerings/default']) {
      const etag = (await s.get(path, BO)).headers.get('etag') ?? ''
      expect(etag).not.toBe(plain ?? '')
      const again = await s.get(path, BO, { headers: { 'if-none-match': etag } })
      expect([again.status, again.headers.get('x-svc-experiment')]).toEqual([304, 'checkout_test:b'])
    }
  })
})

describe('nothing is put in place of the default', () => {
  const PLAIN = ['standard', null]

  test('for an anonymous caller, or one that no call has made yet; and no row is made', async () => {
    await configure(s, { experiments: [{ ...CHECKOUT, variants: halves('summer', 'winter') }] })
    expect(await offeringsFor()).toEqual(PLAIN)
    expect(await offeringsFor('svc_stranger')).toEqual(PLAIN)
    expect(await rowOf(s, 'svc_stranger').catch(() => null)).toBeFalsy()
    expect(await rows()).toEqual([])
  })

  test.each(['DRAFT', 'PAUSED', 'COMPLETED'] as const)('while the experiment is %s', async (status) => {
    await configure(s, { experiments: [{ ...CHECKOUT, status, variants: VARIANTS }] })
    expect(await offeringsFor(BO)).toEqual(PLAIN)
    expect(await rows()).toEqual([])
  })

  test.each(['FLAG', 'FUNNEL'] as const)('by an experiment of type %s, and it draws nobody', async (type) => {
    await configure(s, { experiments: [{ ...CHECKOUT, type, variants: VARIANTS }] })
    expect(await offeringsFor(BO)).toEqual(PLAIN)
    expect(await rows()).toEqual([])
  })

  test('outside of the audience', async () => {
    await configure(s, {
      audiences: [{ id: 'aud_tr', rules: { country: 'TR' } }],
      experiments: [{ ...CHECKOUT, audienceId: 'aud_tr', variants: VARIANTS }],
    })
    expect(await offeringsFor(BO)).toEqual(PLAIN)
    expect(await rows()).toEqual([])
  })

  test('when its offering is gone; the next experiment takes its place', async () => {
    await configure(s, { experiments: [{ ...CHECKOUT, createdAt: 1, variants: halves('gone', 'summer') }] })
    expect(await offeringsFor(ADA)).toEqual(PLAIN)
    expect(await rows()).toEqual([])
    const next = { id: 'exp_2', key: 'price_test', type: 'OFFERING' as const, createdAt: 2 }
    await configure(s, { experiments: [{ ...next, variants: halves('winter', 'summer') }] })
    expect(await offeringsFor(ADA)).toEqual(['summer', 'price_test:b'])
    expect((await rows()).map(({ experimentId }) => experimentId)).toEqual(['exp_2'])
  })

  test('when another experiment of its group comes first', async () => {
    const mutualExclusionGroup = 'g'
    await configure(s, {
      experiments: [
        { key: 'first', createdAt: 1, mutualExclusionGroup },
        { ...CHECKOUT, createdAt: 2, mutualExclusionGroup, variants: VARIANTS },
      ],
    })
    expect(await offeringsFor(BO)).toEqual(PLAIN)
    expect(await rows()).toEqual([])
    expect(await variantsOf(s, BO)).toHaveProperty('first')
  })

  test('by an experiment of another project', async () => {
    await configure(s, { experiments: [{ ...CHECKOUT, variants: VARIANTS }] }, s.other.id)
    expect(await offeringsFor(BO)).toEqual(PLAIN)
  })

  test('in the answer to another name, not even to the variant or the default by theirs', async () => {
    await configure(s, { experiments: [{ ...CHECKOUT, variants: VARIANTS }] })
    for (const [name, isDefault] of [
      ['standard', true],
      ['summer', false],
      ['winter', false],
    ] as const) {
      const { body, headers } = await s.get(`/v1/offerings/${name}`, BO)
      expect([body.data.identifier, body.data.isDefault, headers.get('x-svc-experiment')]).toEqual([
        name,
        isDefault,
        null,
      ])
    }
    expect((await s.get('/v1/offerings/gone', BO)).status).toBe(404)
    expect(await rows()).toEqual([])
  })
})

test('those held out see the control, and are told of no experiment', async () => {
  await changeSettings(s, { holdoutPercentage: 50 })
  await configure(s, { experiments: [{ ...CHECKOUT, variants: halves('winter', 'summer') }] })
  expect(await offeringsFor(ADA)).toEqual(['winter', null])
  expect(await rows()).toEqual([])
  await changeSettings(s, { holdoutPercentage: 0 })
  expect(await offeringsFor(ADA)).toEqual(['winter', 'checkout_test:a'])
})
