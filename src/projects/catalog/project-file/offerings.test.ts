import { describe, expect, test } from 'bun:test'
import { EMPTY, type Held } from '../../project-file/held.fixtures'
import { type Plan, plannedIn } from '../../project-file/plan'
import { having, planOf, refused } from '../../project-file/plan.fixtures'
import { OFFERINGS } from './offerings'

describe('the default offering', () => {
  const defaults = (plan: Plan) =>
    plannedIn(plan.pairs)
      .of(OFFERINGS)
      .filter(({ after }) => after?.isDefault)
      .map(({ name }) => name)
  const marked = having('offerings: { a: {}, b: { isDefault: true } }')

  const cases: [fact: string, text: string, current: Held, prune: boolean, expected: string[]][] = [
    [
      'a mark moves, also away from an offering that the file leaves alone',
      'offerings: { a: { isDefault: true } }',
      marked,
      false,
      ['a'],
    ],
    ['without a mark the present default stays', 'offerings: { a: {}, b: {} }', marked, false, ['b']],
    [
      'without any default the one called default becomes it',
      'offerings: { a: {}, default: {} }',
      EMPTY,
      false,
      ['default'],
    ],
    ['else the first by identifier', 'offerings: { c: {}, b: {} }', EMPTY, false, ['b']],
    ['a pruned default hands the mark on', 'offerings: { a: {}, c: {} }', marked, true, ['a']],
    ['no offering, no default', 'offerings: {}', marked, true, []],
  ]
  for (const [fact, text, current, prune, expected] of cases)
    test(fact, () => expect(defaults(planOf(text, current, { prune }))).toEqual(expected))

  test('a second mark is refused', () => {
    expect(refused(planOf('offerings: { a: { isDefault: true }, b: { isDefault: true } }'))).toEqual([
      ['VALIDATION_ERROR', 'offerings.b.isDefault', null],
    ])
  })
})
