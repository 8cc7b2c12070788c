import { expect, test } from 'bun:test'
import { problemsOf } from '../../../projects/project-file/parse.fixtures'
import { audienceSection } from './section'

const deep = (levels: number): string => (levels === 0 ? '{ a: x }' : `{ $not: ${deep(levels - 1)} }`)

const V = 'VALIDATION_ERROR'

const cases: [fact: string, text: string, problems: string[]][] = [
  [
    'an unknown operator is told where it stands',
    'audiences:\n  Turkey:\n    rules:\n      country: TR\n      age: { $like: 3 }',
    [
      `6:14 audiences.Turkey.rules.age.$like ${V} This is not an operator of rules; /docs/guide/reference/rules lists them`,
    ],
  ],
  [
    'a place in a list of rules is counted',
    'audiences:\n  A:\n    rules:\n      $or:\n        - { a: x }\n        - { a: [x] }',
    [`7:13 audiences.A.rules.$or[1].a ${V} This is a list; use $in or $all with it`],
  ],
  [
    'rules nest eight levels',
    `audiences:\n  A: { rules: ${deep(8)} }`,
    [`3:73 audiences.A.rules${'.$not'.repeat(8)} ${V} This lies deeper than 8 levels`],
  ],
  ['an audience has rules', 'audiences: { A: {} }', [`2:14 audiences.A ${V} rules is missing`]],
  [
    'rules are an object',
    'audiences: { A: { rules: everybody } }',
    [`2:19 audiences.A.rules ${V} This must be an object of attributes and what they have to be`],
  ],
  [
    'the name of an audience is one line',
    'audiences:\n  "a\\nb": { rules: {} }\n  " ": { rules: {} }',
    [
      `3:3 audiences.a\nb ${V} The name of an audience must not contain line breaks or other control characters`,
      `4:3 audiences.  ${V} The name of an audience must be a text of 1 to 255 characters`,
    ],
  ],
  [
    'a name stands once',
    'audiences:\n  A: { rules: {} }\n  A: { rules: {} }',
    [`4:3 audiences.A ${V} "A" stands here twice`],
  ],
]
for (const [fact, text, problems] of cases)
  test(fact, () => expect(problemsOf([audienceSection], `version: 1\n${text}`)).toEqual(problems))
