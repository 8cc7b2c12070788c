import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { checkExperiment, type ExperimentDraft, targetsOf } from './check'
import type { ExperimentType, Variant } from './model'

const SEED = 20261120
const a: Variant = { id: 'a', name: 'Control', weight: 0.5, value: 1 }
const b: Variant = { id: 'b', name: 'Treatment', weight: 0.5, value: 2 }
const sound = { key: 'checkout_test', type: 'FLAG', variants: [a, b] }
const placesOf = (change: object): string[] =>
  checkExperiment({ ...sound, ...change } as ExperimentDraft).map(({ path }) => path)

const even = (count: number): Variant[] =>
  Array.from({ length: count }, (_, index) => ({ id: `v${index}`, name: 'V', weight: 1 / count, value: index }))
const weighing = (...weights: unknown[]) => ({
  variants: weights.map((weight, i) => ({ ...a, id: `v${i}`, weight, value: i })),
})
const valued = (type: ExperimentType, ...values: unknown[]) => ({
  type,
  variants: values.map((value, index) => ({ id: `v${index}`, name: 'V', weight: 1 / values.length, value })),
})

describe('saved', () => {
  const taken: [name: string, change: object][] = [
    ['two variants', {}],
    ['twenty variants', { variants: even(20) }],
    ['three thirds', weighing(1 / 3, 1 / 3, 1 / 3)],
    ['weights a millionth below one', weighing(0.5, 0.499999)],
    ['weights a millionth above one', weighing(0.5, 0.500001)],
    ['an id of 40 characters', { variants: [{ ...a, id: 'x'.repeat(40) }, b] }],
    ['an id with one underscore in front', { variants: [{ ...a, id: '_a' }, b] }],
    ['ids that differ by case', { variants: [a, { ...b, id: 'A' }] }],
    ['two of three values alike', valued('FLAG', 1, 1, 2)],
    [
      'two of three funnels alike',
      valued('FUNNEL', { funnelId: 'fnl_1' }, { funnelId: 'fnl_1' }, { funnelId: 'fnl_2' }),
    ],
    ['different offerings', valued('OFFERING', 'default', 'discount', 'yearly')],
    ['a number and its text', valued('FLAG', 1, '1')],
  ]
  for (const [name, change] of taken) test(name, () => expect(placesOf(change)).toEqual([]))
})

describe('refused, with the place', () => {
  let deep: unknown = 1
  for (let level = 0; level < 30_000; level++) deep = [deep]
  const refused: [name: string, change: object, places: string[]][] = [
    ['no variants', { variants: [] }, ['variants']],
    ['one variant', { variants: [{ ...a, weight: 1 }] }, ['variants']],
    ['21 variants', { variants: even(21) }, ['variants']],
    ['variants that are no list', { variants: { a } }, ['variants']],
    ['a variant that is null', { variants: [a, null] }, ['variants[1]']],
    ['an empty key', { key: '' }, ['key']],
    ['a key with a space', { key: 'a b' }, ['key']],
    ['an unknown type', { type: 'PAYWALL' }, ['type']],
    ['an empty id', { variants: [{ ...a, id: '' }, b] }, ['variants[0].id']],
    ['an id of 41 characters', { variants: [{ ...a, id: 'x'.repeat(41) }, b] }, ['variants[0].id']],
    ['an id of ours', { variants: [{ ...a, id: '__holdout__' }, b] }, ['variants[0].id']],
    ['an id with a dot', { variants: [a, { ...b, id: 'a.b' }] }, ['variants[1].id']],
    ['an id with a line end', { variants: [a, { ...b, id: 'b\n' }] }, ['variants[1].id']],
    ['an id that is a number', { variants: [{ ...a, id: 1 }, b] }, ['variants[0].id']],
    ['an id twice', { variants: [a, { ...b, id: 'a' }] }, ['variants[1].id']],
    ['a blank name', { variants: [{ ...a, name: ' ' }, b] }, ['variants[0].name']],
    ['a name of 256 characters', { variants: [{ ...a, name: 'x'.repeat(256) }, b] }, ['variants[0].name']],
    ['an unknown member', { variants: [{ ...a, isControl: true }, b] }, ['variants[0].isControl']],
    ['a weight of 0', weighing(0, 1), ['variants[0].weight']],
    ['a weight below 0', weighing(-0.5, 1.5), ['variants[0].weight', 'variants[1].weight']],
    ['a weight that is a text', weighing('0.5', 0.5), ['variants[0].weight', 'variants']],
    ['a weight that is no number', weighing(Number.NaN, 0.5), ['variants[0].weight', 'variants']],
    ['weights in per cent', weighing(50, 50), ['variants[0].weight', 'variants[1].weight', 'variants']],
    ['weights two millionths below one', weighing(0.5, 0.499998), ['variants']],
    ['weights two millionths above one', weighing(0.5, 0.500002), ['variants']],
    ['values all alike', valued('FLAG', { x: 1, y: 2 }, { y: 2, x: 1 }), ['variants']],
    ['funnels all alike', valued('FUNNEL', { funnelId: 'fnl_1' }, { funnelId: 'fnl_1' }), ['variants']],
    ['two of three offerings alike', valued('OFFERING', 'default', 'discount', 'default'), ['variants[2].value']],
    ['a funnel by its bare id', valued('FUNNEL', 'fnl_1', { funnelId: 'fnl_2' }), ['variants[0].value']],
    [
      'a funnel with more beside it',
      valued('FUNNEL', { funnelId: 'fnl_1', x: 1 }, { funnelId: 'fnl_2' }),
      ['variants[0].value'],
    ],
    ['an offering that is no text', valued('OFFERING', 'default', { id: 'discount' }), ['variants[1].value']],
    ['an offering without a name', valued('OFFERING', 'default', ''), ['variants[1].value']],
    ['a flag value of null', valued('FLAG', null, 1), ['variants[0].value']],
    ['a flag value too large', valued('FLAG', 'x'.repeat(65_536), 1), ['variants[0].value']],
    ['a flag value too deep', valued('FLAG', deep, 1), ['variants[0].value']],
  ]
  for (const [name, change, places] of refused) test(name, () => expect(placesOf(change)).toEqual(places))
})

test('targets are what must exist, each once', () => {
  const variantsOf = (...values: unknown[]) => valued('FLAG', ...values).variants as Variant[]
  expect(targetsOf('FLAG', variantsOf('x', { funnelId: 'fnl_1' }))).toEqual([])
  expect(targetsOf('OFFERING', variantsOf('default', 'discount'))).toEqual(['default', 'discount'])
  expect(targetsOf('FUNNEL', variantsOf({ funnelId: 'fnl_1' }, { funnelId: 'fnl_1' }, null))).toEqual(['fnl_1'])
})

test('nothing that is sent makes the check throw', () => {
  const odd = fc.dictionary(fc.constantFrom('id', 'name', 'weight', 'value', 'other'), fc.anything())
  const type = fc.constantFrom('FLAG', 'FUNNEL', 'OFFERING', 'constructor')
  fc.assert(
    fc.property(fc.anything(), type, fc.array(odd, { minLength: 2 }), fc.anything(), (key, type, variants, other) => {
      placesOf({ key, type, variants })
      placesOf({ key, type: other, variants: other })
    }),
    { seed: SEED, numRuns: 300 },
  )
})
