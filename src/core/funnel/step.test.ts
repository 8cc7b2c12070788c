import { describe, expect, test } from 'bun:test'
import { judgeAnswer } from './answers'
import { conditionsHold } from './conditions-hold'
import type { FunnelField, Operator } from './model'
import { readPages } from './pages'
import { takeStep, type Visit } from './step'
import { countedAnswers, progressAt } from './way'

const TODAY = '2026-11-29'
const field = (kind: FunnelField['kind'], more: Partial<FunnelField> = {}): FunnelField => ({
  id: 'f',
  kind,
  required: false,
  options: [],
  min: null,
  max: null,
  ...more,
})

describe('a condition', () => {
  const holds = (answer: unknown, op: Operator, value?: unknown) =>
    conditionsHold(
      { match: 'all', when: [{ field: 'f', op, value }] },
      { answers: answer === undefined ? {} : { f: answer }, today: TODAY },
    )

  test.each<[op: Operator, value: unknown]>([
    ['is_empty', undefined],
    ['ne', 'a'],
    ['not_in', ['a']],
  ])('%s holds of a missing answer', (op, value) => expect(holds(undefined, op, value)).toBe(true))

  test.each<[op: Operator, value: unknown]>([
    ['eq', 'a'],
    ['in', ['a']],
    ['contains', ''],
    ['gt', 0],
    ['gte', 0],
    ['lt', 0],
    ['lte', 0],
    ['between', [0, 0]],
    ['before', TODAY],
    ['after', TODAY],
    ['older_than_days', 0],
    ['within_days', 0],
    ['is_answered', undefined],
  ])('%s does not hold of a missing answer', (op, value) => {
    expect(holds(undefined, op, value)).toBe(false)
    expect(holds('', op, value)).toBe(false)
    expect(holds([], op, value)).toBe(false)
  })

  test.each<[answer: unknown, op: Operator, value: unknown, expected: boolean]>([
    ['a', 'eq', 'a', true],
    ['1', 'eq', 1, false],
    [['a', 'b'], 'eq', ['b', 'a'], true],
    [['a', 'b'], 'eq', 'a', false],
    [['a'], 'eq', 'a', true],
    [['a', 'b'], 'in', ['a'], false],
    [['a', 'b'], 'contains', 'a', true],
    ['Sleep', 'contains', 'lee', true],
    ['Sleep', 'contains', 'LEE', false],
    [5, 'between', [5, 7], true],
    [7, 'between', [5, 7], true],
    [7.1, 'between', [5, 7], false],
    ['2026-11-28', 'before', TODAY, true],
    [TODAY, 'before', TODAY, false],
    [TODAY, 'gte', '2026-11-29', true],
    ['2026-11-19', 'older_than_days', 9, true],
    ['2026-11-20', 'older_than_days', 9, false],
    [TODAY, 'within_days', 0, true],
    ['2026-11-30', 'within_days', 3, false],
    ['5', 'gt', 4, false],
    [true, 'eq', true, true],
    [{ accepted: true, at: 1 }, 'eq', true, true],
  ])('%j %s %j is %p', (answer, op, value, expected) => expect(holds(answer, op, value)).toBe(expected))

  test('all of nothing holds, any of nothing does not', () => {
    const moment = { answers: {}, today: TODAY }
    expect(conditionsHold({ match: 'all', when: [] }, moment)).toBe(true)
    expect(conditionsHold({ match: 'any', when: [] }, moment)).toBe(false)
  })
})

describe('an answer', () => {
  const options = [
    { id: 'a', label: {} },
    { id: 'b', label: {} },
  ]
  test.each<[what: string, field: FunnelField, given: unknown, expected: object]>([
    ['chosen', field('single', { options }), 'a', { value: 'a' }],
    ['chosen of none', field('single', { options }), 'c', { fault: 'unknown_option' }],
    ['several, in the order of the options', field('multi', { options }), ['b', 'a'], { value: ['a', 'b'] }],
    ['several, one twice', field('multi', { options }), ['a', 'a'], { value: ['a'] }],
    ['too few', field('multi', { options, min: 2 }), ['a'], { fault: 'too_few' }],
    ['too many', field('multi', { options, max: 1 }), ['a', 'b'], { fault: 'too_many' }],
    ['a number', field('number'), 1.5, { value: 1.5 }],
    ['a number as text', field('number'), '1.5', { fault: 'not_a_number' }],
    ['too low', field('weight', { min: 30 }), 29.9, { fault: 'too_low' }],
    ['half a star', field('rating'), 1.5, { fault: 'not_a_number' }],
    ['six stars', field('rating'), 6, { fault: 'too_high' }],
    ['no day', field('date'), '2026-02-30', { fault: 'not_a_date' }],
    ['too early', field('date', { min: '2026-01-01' }), '2025-12-31', { fault: 'too_early' }],
    ['an address', field('email'), ' ada@example.com ', { value: 'ada@example.com' }],
    ['no address', field('email'), 'ada@example', { fault: 'not_an_email' }],
    ['a phone', field('phone'), '+44 20 7946 0000', { value: '+44 20 7946 0000' }],
    ['a postal code', field('text', { pattern: 'zip' }), 'SW1A 1AA', { value: 'SW1A 1AA' }],
    ['too long', field('text', { max: 2 }), 'abc', { fault: 'too_long' }],
    ['a text with NUL', field('text'), 'a\0', { fault: 'wrong_type' }],
    ['consent', field('consent'), true, { value: true }],
    ['no consent where it is needed', field('consent', { required: true }), false, { fault: 'not_accepted' }],
    ['nothing where it is needed', field('text', { required: true }), '', { fault: 'required' }],
    ['nothing', field('text'), undefined, { value: null }],
  ])('%s', (_what, asked, given, expected) => expect(judgeAnswer(asked, given)).toEqual(expected as never))
})

describe('a visitor', () => {
  const { pages, faults } = readPages([
    {
      id: 'goal',
      type: 'question',
      fields: [
        {
          id: 'goal',
          kind: 'single',
          required: true,
          options: [
            { id: 'sleep', value: 3 },
            { id: 'focus', value: 1 },
          ],
        },
      ],
      blocks: [{ id: 'leave', type: 'button', props: { label: {}, action: { type: 'to', pageId: 'end' } } }],
      next: {
        rules: [
          { match: 'all', when: [{ field: 'score', op: 'gte', value: 3 }], to: 'hours' },
          { match: 'all', when: [{ field: 'goal', op: 'eq', value: 'none' }], to: 'end' },
        ],
        default: 'end',
      },
    },
    { id: 'hours', type: 'question', fields: [{ id: 'hours', kind: 'number' }], next: { default: 'end' } },
    { id: 'end', type: 'success' },
  ])
  const start: Visit = { path: ['goal'], answers: {} }
  const step = (visit: Visit, type: 'next' | 'back' | 'skip', given = {}) =>
    takeStep(pages, visit, { action: { type }, given, today: TODAY })

  test('follows the first rule that matches, also by the score of what was chosen', () => {
    expect(faults).toEqual([])
    expect(step(start, 'next', { goal: 'sleep' })).toMatchObject({ kind: 'page', visit: { path: ['goal', 'hours'] } })
    expect(step(start, 'next', { goal: 'focus' })).toMatchObject({ kind: 'page', visit: { path: ['goal', 'end'] } })
  })

  test('stays on a page whose answer is refused, and what was typed stays', () => {
    expect(step(start, 'next')).toEqual({ kind: 'refused', visit: start, faults: { goal: 'required' } })
  })

  test('skips only where the page offers it', () => {
    expect(step(start, 'skip').kind).toBe('refused')
  })

  test('goes where a button leads, and nowhere that the page does not lead', () => {
    const given = { goal: 'sleep' }
    const to = (pageId: string) => takeStep(pages, start, { action: { type: 'to', pageId }, given, today: TODAY })
    expect(to('end')).toMatchObject({ visit: { path: ['goal', 'end'] } })
    expect(to('hours')).toMatchObject({ visit: { path: ['goal', 'hours'] } })
    expect(to('goal')).toMatchObject({ visit: { path: ['goal', 'hours'] } })
  })

  test('goes back without losing answers, and answers of a branch that was left do not count', () => {
    const further = { path: ['goal', 'hours'], answers: { goal: 'sleep', hours: 7 } }
    expect(step(further, 'back')).toMatchObject({ visit: { path: ['goal'], answers: { hours: 7 } } })
    expect(countedAnswers(pages, ['goal', 'end'], further.answers)).toEqual({ goal: 'sleep', score: 3 })
    expect(step(start, 'back')).toMatchObject({ visit: start })
  })

  test('ends after the last page', () => {
    expect(step({ path: ['goal', 'end'], answers: {} }, 'next').kind).toBe('end')
    expect(step({ path: ['gone'], answers: {} }, 'next').kind).toBe('end')
  })

  test('who has answered nothing has no answer to a field called constructor either', () => {
    const read = readPages([
      { id: 'a', type: 'question', fields: [{ id: 'constructor', kind: 'text', required: true }] },
    ])
    const step = { action: { type: 'next' as const }, given: {}, today: TODAY }
    expect(takeStep(read.pages, { path: ['a'], answers: {} }, step)).toMatchObject({
      faults: { constructor: 'required' },
    })
  })

  test('sees progress grow from 0 to 1', () => {
    expect([['goal'], ['goal', 'hours'], ['goal', 'hours', 'end']].map((path) => progressAt(pages, path))).toEqual([
      0, 0.5, 1,
    ])
  })
})
