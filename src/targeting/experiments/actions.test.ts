import { describe, expect, test } from 'bun:test'
import { type ExperimentAction, fixedMembers, moveExperiment, stopExperiment } from './actions'
import type { ExperimentStatus, ExperimentType } from './model'

const STATUSES: ExperimentStatus[] = ['DRAFT', 'RUNNING', 'PAUSED', 'COMPLETED']

/** The status after each action in DRAFT, RUNNING, PAUSED and COMPLETED; `refused` = 400 EXPERIMENT_STATE. */
const moves: [ExperimentAction, (ExperimentStatus | 'refused' | null)[]][] = [
  ['edit', ['DRAFT', 'RUNNING', 'refused', 'refused']],
  ['start', ['RUNNING', 'refused', 'refused', 'refused']],
  ['pause', ['refused', 'PAUSED', 'refused', 'refused']],
  ['resume', ['refused', 'refused', 'RUNNING', 'refused']],
  ['stop', ['refused', 'COMPLETED', 'COMPLETED', 'refused']],
  ['delete', [null, 'refused', 'refused', 'refused']],
  ['duplicate', ['DRAFT', 'RUNNING', 'PAUSED', 'COMPLETED']],
]
for (const [action, results] of moves)
  for (const [index, status] of STATUSES.entries())
    test(`${action} of ${status}: ${results[index]}`, () => {
      const move = moveExperiment(action, status)
      if (results[index] !== 'refused') return expect(move).toMatchObject({ isAllowed: true, status: results[index] })
      expect(move).toEqual({ isAllowed: false, refusal: 'EXPERIMENT_STATE', details: { action, status } })
    })

test('only start and stop set an instant; going on after a pause starts nothing anew', () => {
  expect(moveExperiment('start', 'DRAFT')).toMatchObject({ sets: 'startedAt' })
  expect(moveExperiment('stop', 'PAUSED')).toMatchObject({ sets: 'completedAt' })
  expect(moveExperiment('resume', 'PAUSED')).toMatchObject({ sets: null })
  expect(moveExperiment('edit', 'RUNNING')).toMatchObject({ sets: null })
})

describe('stop', () => {
  const variants = [
    { id: 'a', name: 'Control', weight: 0.5, value: 1 },
    { id: 'b', name: 'Treatment', weight: 0.5, value: null },
  ]
  const running = (type: ExperimentType, status: ExperimentStatus = 'RUNNING') => ({ type, status, variants })

  test('needs no winner', () => {
    expect(stopExperiment(running('FUNNEL'), {})).toEqual({ isAllowed: true, winner: null, newFlagDefault: null })
  })
  test('with a winner promotes nothing unless asked', () => {
    const stop = stopExperiment(running('FLAG'), { winnerVariantId: 'a' })
    expect(stop).toMatchObject({ isAllowed: true, winner: { id: 'a' }, newFlagDefault: null })
  })
  test('promotes the value of the winner, whatever it is', () => {
    const stop = stopExperiment(running('FLAG'), { winnerVariantId: 'b', promoteToFlag: true })
    expect(stop).toMatchObject({ newFlagDefault: { value: null } })
  })
  for (const type of ['FUNNEL', 'OFFERING'] as const)
    test(`of ${type} promotes nothing, whoever wins`, () => {
      for (const winnerVariantId of [null, 'a', 'gone'])
        expect(stopExperiment(running(type), { winnerVariantId, promoteToFlag: true })).toEqual({
          isAllowed: false,
          refusal: 'promote_requires_flag_experiment',
          details: { type },
        })
    })
  test('is refused for its state before anything else', () => {
    expect(stopExperiment(running('FUNNEL', 'COMPLETED'), { promoteToFlag: true })).toEqual({
      isAllowed: false,
      refusal: 'EXPERIMENT_STATE',
      details: { action: 'stop', status: 'COMPLETED' },
    })
  })
  test('with an unknown winner is refused, promoted or not', () => {
    for (const winnerVariantId of ['c', ''])
      for (const promoteToFlag of [true, false])
        expect(stopExperiment(running('FLAG'), { winnerVariantId, promoteToFlag })).toEqual({
          isAllowed: false,
          refusal: 'UNKNOWN_REFERENCES',
          details: { resource: 'variant', ids: [winnerVariantId] },
        })
  })
  test('with a promotion of nobody is refused', () => {
    expect(stopExperiment(running('FLAG'), { promoteToFlag: true })).toMatchObject({
      isAllowed: false,
      refusal: 'VALIDATION_ERROR',
      fault: { path: 'winnerVariantId' },
    })
  })
})

test('once started, key and type are fixed, and only they', () => {
  const before = { key: 'checkout_test', type: 'FLAG' as const, startedAt: 1 }
  const change = { key: 'other', type: 'FUNNEL' as const }
  expect(fixedMembers(before, change).map(({ path }) => path)).toEqual(['key', 'type'])
  expect(fixedMembers(before, { key: 'checkout_test', type: 'FLAG' })).toEqual([])
  expect(fixedMembers(before, {})).toEqual([])
  expect(fixedMembers({ ...before, startedAt: null }, change)).toEqual([])
  expect(fixedMembers({ ...before, startedAt: 0 }, change)).toHaveLength(2)
})
