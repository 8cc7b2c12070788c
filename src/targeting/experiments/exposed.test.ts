import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Exposed, joinExposed, partExposed, toExposed, UNEXPOSED } from './exposed'

const SEED = 20261120
const NOW = 1000

type Held = Exposed & { variantId: string }
const held = (variantId: string, exposedAt: number | null, more: Partial<Exposed> = {}): Held => ({
  ...UNEXPOSED,
  ...{ variantId, exposedAt, ...more },
})

const cases: [name: string, kept: Held, gone: Held, joined: Partial<Exposed>][] = [
  ['neither has seen anything', held('a', null), held('b', null), {}],
  ['only the survivor has', held('a', 5), held('b', null), { exposedAt: 5 }],
  ['the same variant, only the other has', held('a', null), held('a', 5), { exposedAt: 5 }],
  ['the same variant, the other earlier', held('a', 9), held('a', 5), { exposedAt: 5 }],
  ['the same variant, the other later', held('a', 5), held('a', 9), { exposedAt: 5 }],
  ['another variant follows, and has crossed', held('a', null), held('b', 5), { exposedAt: 5, crossedAt: NOW }],
  ['another variant beside an own one', held('a', 9), held('b', 5), { exposedAt: 9, crossedAt: NOW }],
  [
    'a conversion follows with its exposure',
    held('a', null),
    held('b', 5, { convertedAt: 6 }),
    { exposedAt: 5, convertedAt: 6, crossedAt: NOW },
  ],
  [
    'a conversion of another variant does not become one of this',
    held('a', 9),
    held('b', 5, { convertedAt: 6 }),
    { exposedAt: 9, crossedAt: NOW },
  ],
  [
    'of two conversions the earlier',
    held('a', 5, { convertedAt: 8 }),
    held('a', 6, { convertedAt: 7 }),
    { exposedAt: 5, convertedAt: 7 },
  ],
  [
    'the place goes with the exposure that counts',
    held('a', 9, { placementId: 'plc_late', country: 'TR' }),
    held('a', 5, { placementId: 'plc_early', platform: 'ios' }),
    { exposedAt: 5, placementId: 'plc_early', platform: 'ios' },
  ],
  ['who had crossed still has', held('a', null), held('a', 5, { crossedAt: 7 }), { exposedAt: 5, crossedAt: 7 }],
]
for (const [name, kept, gone, joined] of cases)
  test(name, () => expect(joinExposed(kept, gone, NOW)).toEqual({ ...UNEXPOSED, ...joined }))

const instant = fc.option(fc.integer({ min: 0, max: 20 }), { nil: null })
const anybody = fc
  .record({ variantId: fc.constantFrom('a', 'b'), exposedAt: instant, convertedAt: instant, crossedAt: instant })
  .map(({ variantId, exposedAt, ...rest }) => held(variantId, exposedAt, exposedAt === null ? {} : rest))

test('no exposure is lost, and undoing gives back what was', () => {
  fc.assert(
    fc.property(anybody, anybody, (kept, gone) => {
      const after = joinExposed(kept, gone, NOW)
      expect(after.exposedAt === null).toBe(kept.exposedAt === null && gone.exposedAt === null)
      if (kept.variantId !== gone.variantId && gone.exposedAt !== null) expect(after.crossedAt).not.toBeNull()
      const before = toExposed(kept)
      expect(partExposed(after, { before, after })).toEqual(before)
    }),
    { seed: SEED },
  )
})

test('undoing keeps what came after the merge', () => {
  const before = toExposed(held('a', null))
  const after = joinExposed(held('a', null), held('b', 5), NOW)
  expect(partExposed({ ...after, convertedAt: 2000 }, { before, after })).toEqual({ ...UNEXPOSED, convertedAt: 2000 })
})
