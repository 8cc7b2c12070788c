import { expect, test } from 'bun:test'
import { DAY, MINUTE } from '../../base/lib/clock'
import { decideExposure, type ExposureFacts } from './expose'

const NOW = Date.UTC(2026, 10, 20, 8)
const variant = (id: string) => ({ id, name: id, weight: 0.5, value: id })
const running = { status: 'RUNNING' as const, startedAt: NOW - DAY, variants: [variant('a'), variant('b')] }
const decide = (facts: Partial<ExposureFacts>) =>
  decideExposure({ experiment: running, variantId: 'a', exposedAt: null, held: null, now: NOW, ...facts })

const outOfRange = { exposedAt: NOW + DAY }
const otherHeld = { held: { variantId: 'b', exposedAt: null } }

const refused: [name: string, facts: Partial<ExposureFacts>, refusal: string][] = [
  ['an unknown experiment', { experiment: null }, 'NOT_FOUND'],
  ['a draft', { experiment: { ...running, status: 'DRAFT', startedAt: null } }, 'EXPERIMENT_NOT_RUNNING'],
  ['a paused one', { experiment: { ...running, status: 'PAUSED' } }, 'EXPERIMENT_NOT_RUNNING'],
  ['a completed one', { experiment: { ...running, status: 'COMPLETED' } }, 'EXPERIMENT_NOT_RUNNING'],
  [
    'a paused one in which the exposure is counted',
    { experiment: { ...running, status: 'PAUSED' }, held: { variantId: 'a', exposedAt: 1 } },
    'EXPERIMENT_NOT_RUNNING',
  ],
  ['an undeclared variant', { variantId: 'c' }, 'VALIDATION_ERROR'],
  ['an empty variant', { variantId: '' }, 'VALIDATION_ERROR'],
  ['a time before the start', { exposedAt: NOW - DAY - 1 }, 'exposure_out_of_range'],
  ['a time more than five minutes ahead', { exposedAt: NOW + 5 * MINUTE + 1 }, 'exposure_out_of_range'],
  ['a time that is none', { exposedAt: Number.NaN }, 'exposure_out_of_range'],
  ['now, before a start that lies ahead', { experiment: { ...running, startedAt: NOW + 1 } }, 'exposure_out_of_range'],
  ['another variant than the held one', otherHeld, 'VALIDATION_ERROR'],
  ['another variant than the exposed one', { held: { variantId: 'b', exposedAt: NOW } }, 'VALIDATION_ERROR'],
  [
    'state before variant',
    { experiment: { ...running, status: 'PAUSED' }, variantId: 'c', ...outOfRange, ...otherHeld },
    'EXPERIMENT_NOT_RUNNING',
  ],
  ['variant before range', { variantId: 'c', ...outOfRange, ...otherHeld }, 'VALIDATION_ERROR'],
  ['range before the held variant', { ...outOfRange, ...otherHeld }, 'exposure_out_of_range'],
]
for (const [name, facts, refusal] of refused)
  test(`refused: ${name}`, () => expect(decide(facts)).toMatchObject({ isAccepted: false, refusal }))

const accepted: [
  name: string,
  facts: Partial<ExposureFacts>,
  reason: string,
  assignment: string | null,
  exposedAt: number | null,
][] = [
  ['without a held variant it writes one', {}, 'FIRST', 'INSERT', NOW],
  ['the time of the device is kept', { exposedAt: NOW - 1 }, 'FIRST', 'INSERT', NOW - 1],
  ['at the start', { exposedAt: NOW - DAY }, 'FIRST', 'INSERT', NOW - DAY],
  ['five minutes ahead', { exposedAt: NOW + 5 * MINUTE }, 'FIRST', 'INSERT', NOW + 5 * MINUTE],
  ['of the held variant', { held: { variantId: 'a', exposedAt: null } }, 'FIRST', null, NOW],
  ['a repeat changes nothing', { held: { variantId: 'a', exposedAt: NOW - 1 } }, 'REPEATED', null, null],
  [
    'a repeat that tells an earlier time changes nothing',
    { held: { variantId: 'a', exposedAt: NOW }, exposedAt: NOW - 9 },
    'REPEATED',
    null,
    null,
  ],
  ['at instant zero it is counted already', { held: { variantId: 'a', exposedAt: 0 } }, 'REPEATED', null, null],
  ['a removed variant is replaced', { held: { variantId: 'gone', exposedAt: null } }, 'FIRST', 'REPLACE', NOW],
  [
    'a removed variant is replaced, its exposure stays the first',
    { held: { variantId: 'gone', exposedAt: NOW - 9 } },
    'REPEATED',
    'REPLACE',
    null,
  ],
]
for (const [name, facts, reason, assignment, exposedAt] of accepted)
  test(`accepted: ${name}`, () =>
    expect(decide(facts)).toEqual({ isAccepted: true, reason, assignment, exposedAt } as never))

test('a refusal of the body says what to change', () => {
  expect(decide({ variantId: 'c' })).toMatchObject({ message: 'variantId must name a variant of the experiment' })
  expect(decide({ experiment: null })).toMatchObject({ message: null })
})
