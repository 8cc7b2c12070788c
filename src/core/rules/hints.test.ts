import { expect, test } from 'bun:test'
import { BUILT_IN_FACTS } from './built-in-facts'
import { compileAudience } from './compile'
import { hintsOf } from './hints'
import { fixedSubject } from './interpreter.fixtures'
import { BUILT_INS } from './model'
import { OPERATORS } from './operands'
import { OPERATOR_FACTS } from './operators'

const hinted = (document: unknown) => hintsOf(document).map(({ reason, path }) => `${reason} ${path}`)

const cases: [document: unknown, hints: string[]][] = [
  [{ appVersion: { $gte: '2.10.0' } }, ['VERSION rules.appVersion.$gte']],
  [{ appVersion: { $gte: 2.1 } }, ['VERSION rules.appVersion.$gte']],
  [{ build: { $lt: 'v2' } }, ['VERSION rules.build.$lt']],
  [{ score: { $gte: '2.10' } }, []],
  [{ appVersion: { $gte: 2 } }, []],
  [{ appVersion: { $vgte: '2.10.0' } }, []],
  [{ appVersion: '2.10.0' }, []],
  [{ $or: [{ renewsAt: { $lt: '2026-11-27' } }] }, ['TIME rules.$or[0].renewsAt.$lt']],
  [{ renewsAt: { $gt: '2026-11-27T08:00:00Z' } }, ['TIME rules.renewsAt.$gt']],
  [{ 'svc.firstSeenAt': { $gt: '2026-11-27T08:00:00Z' } }, []],
  [{ renewsAt: { $dgt: '2026-11-27' } }, []],
  [{ 'svc.access': { $nin: ['pro'] } }, ['LIST rules.svc.access.$nin']],
  [{ 'svc.access': '[]' }, ['LIST rules.svc.access']],
  [{ 'svc.access': { $all: ['pro'] } }, []],
  [{ tags: { $in: ['["a"]', 'b'] } }, ['LIST_TEXT rules.tags.$in']],
  [{ tags: { $in: ['[a]', 'b'] } }, []],
  [{ tags: { $elemMatch: { $gt: '1.2.3' } } }, ['VERSION rules.tags.$elemMatch.$gt']],
  [{ tags: { $gt: '1.2.3', $like: 1 } }, []],
  [{ $or: [{ 'svc.acces': { $in: ['pro'] } }] }, ['NAME rules.$or[0].svc.acces.$in']],
  [{ 'svc.flag.new_checkout': true, svc: 1, 'svcs.plan': 'gold' }, []],
  [{ 'svc.flag.': true }, ['NAME rules.svc.flag.']],
]

test('what is probably meant differently is hinted at, and nothing else', () => {
  expect(cases.map(([document]) => hinted(document))).toEqual(cases.map(([, hints]) => hints))
})

test('the reference has every operator and every built-in name, and each of its examples holds', () => {
  const names = OPERATOR_FACTS.map(({ name }) => name)
  expect(names.toSorted()).toEqual([...OPERATORS.keys(), '$elemMatch'].toSorted())
  expect(BUILT_IN_FACTS.map(({ name }) => name)).toEqual([...BUILT_INS])
  const now = { 'svc.now': '2026-11-28T12:00:00.000Z' }
  const failing = OPERATOR_FACTS.filter(({ example: [condition, value] }) => {
    const subject = fixedSubject({ a: value }, now, { groups: { 'Beta testers': ['ada'] } })
    const [whole, missing] = [compileAudience({ a: condition }), compileAudience({ a: { $not: condition } })]
    return !whole.matches(subject) || (typeof condition === 'object' && missing.matches(subject))
  })
  expect(failing.map(({ name }) => name)).toEqual([])
})
