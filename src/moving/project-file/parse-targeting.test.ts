import { expect, test } from 'bun:test'
import { parseProjectFile, tellProblems } from './parse'

/** `line:column path code message` of every problem. */
function problemsOf(text: string): string[] {
  const parsed = parseProjectFile(`version: 1\n${text}`, { env: () => null, file: () => null })
  const found = 'unreadable' in parsed ? parsed.unreadable : tellProblems(parsed, parsed.problems)
  return found.map(({ line, column, path, code, message }) => `${line}:${column} ${path} ${code} ${message}`)
}

const deep = (levels: number): string => (levels === 0 ? '{ a: x }' : `{ $not: ${deep(levels - 1)} }`)
const flag = (environment: string, type = 'BOOLEAN') =>
  `flags:\n  f:\n    type: ${type}\n    environments:\n      PROD: ${environment}`
const experiment = (variants: string, type = 'FLAG', more = '') =>
  `experiments:\n  e:\n    name: E\n    type: ${type}\n    variants:\n${variants}${more}`
const variant = (id: string, weight: string, value: string) =>
  `      - { id: ${id}, name: V, weight: ${weight}, value: ${value} }\n`
const V = 'VALIDATION_ERROR'

const cases: [fact: string, text: string, problems: string[]][] = [
  [
    'an unknown operator is told where it stands',
    'audiences:\n  Turkey:\n    rules:\n      country: TR\n      age: { $like: 3 }',
    [
      `6:14 audiences.Turkey.rules.age.$like ${V} This is not an operator; use $eq, $ne, $gt, $gte, $lt, $lte, $in, $nin, $exists, $all, $size, $and, $or, $nor or $not`,
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
  [
    'values are of the flag’s type, each where it stands',
    flag('{ default: "no", rules: [{ value: true }, { value: 1 }] }'),
    [
      `6:15 flags.f.environments.PROD.default ${V} This must be true or false`,
      `6:57 flags.f.environments.PROD.rules[1].value ${V} This must be true or false`,
    ],
  ],
  [
    'conditions are rules',
    flag('{ default: false, rules: [{ conditions: { plan: { $regex: x } }, value: true }] }'),
    [
      `6:63 flags.f.environments.PROD.rules[0].conditions.plan.$regex ${V} This is not an operator; use $eq, $ne, $gt, $gte, $lt, $lte, $in, $nin, $exists, $all, $size, $and, $or, $nor or $not`,
    ],
  ],
  [
    'a rollout is a fraction',
    flag('{ default: false, rules: [{ value: true, rollout: 25 }] }'),
    [`6:54 flags.f.environments.PROD.rules[0].rollout ${V} This must be a number from 0 to 1`],
  ],
  [
    'a member in other words is told with the likely one',
    flag('{ default: false, rules: [{ value: true, rolout: 0.1 }] }'),
    [`6:54 flags.f.environments.PROD.rules[0].rolout ${V} Unknown key "rolout"; did you mean rollout?`],
  ],
  [
    'an environment is one of three',
    'flags: { f: { type: STRING, environments: { prod: { default: a } } } }',
    [`2:45 flags.f.environments.prod ${V} Unknown key "prod"; did you mean PROD?`],
  ],
  [
    'at most 50 rules',
    flag(`{ default: false, rules: [${'{ value: true }, '.repeat(51)}] }`),
    [`6:31 flags.f.environments.PROD.rules ${V} At most 50 entries`],
  ],
  [
    'a value has at most 64 KiB',
    flag(`{ default: "${'x'.repeat(65535)}" }`, 'STRING'),
    [`6:15 flags.f.environments.PROD.default ${V} This must not be larger than 64 KiB as JSON`],
  ],
  [
    'a flag has a type and an environment',
    'flags:\n  f: { environments: {} }',
    [
      `3:3 flags.f ${V} type is missing`,
      `3:8 flags.f.environments ${V} This must have at least one of PROD, STAGING, DEVELOPMENT`,
    ],
  ],
  ['an empty environment is not passed over', flag(''), [`6:7 flags.f.environments.PROD ${V} default is missing`]],
  [
    'weights add up to one',
    experiment(variant('a', '0.5', '1') + variant('b', '0.4', '2')),
    [`6:5 experiments.e.variants ${V} This must have weights that add up to 1, and they add up to 0.9`],
  ],
  [
    'variant ids differ',
    experiment(variant('a', '0.5', '1') + variant('a', '0.5', '2')),
    [`8:11 experiments.e.variants[1].id ${V} This stands twice; every variant needs an id of its own`],
  ],
  [
    'our own ids are taken',
    experiment(variant('__holdout__', '0.5', '1') + variant('b', '0.5', '2')),
    [
      `7:11 experiments.e.variants[0].id ${V} This must be 1 to 40 letters, digits, underscores or dashes, not beginning with __`,
    ],
  ],
  [
    'one variant is no experiment',
    experiment(variant('a', '1', '1')),
    [`6:5 experiments.e.variants ${V} This must be 2 to 20, and there are 1`],
  ],
  [
    'offerings differ from variant to variant',
    experiment(variant('a', '0.5', 'default') + variant('b', '0.5', 'default'), 'OFFERING'),
    [`8:40 experiments.e.variants[1].value ${V} This stands twice; every variant needs another offering`],
  ],
  [
    'a funnel is named as such',
    experiment(variant('a', '0.5', 'x') + variant('b', '0.5', 'y'), 'FUNNEL'),
    ['7', '8'].flatMap((line, index) => [
      `${line}:9 experiments.e.variants[${index}] ${V} funnel is missing`,
      `${line}:40 experiments.e.variants[${index}].value ${V} Unknown key "value"`,
    ]),
  ],
  [
    'times have an offset, and a status is one of four',
    experiment(
      variant('a', '0.5', '1') + variant('b', '0.5', '2'),
      'FLAG',
      '    scheduledStartAt: tomorrow\n    status: STARTED',
    ),
    [
      `9:5 experiments.e.scheduledStartAt ${V} This must be an ISO 8601 time with its offset, like 2026-12-01T08:00:00Z`,
      `10:5 experiments.e.status ${V} This must be one of DRAFT, RUNNING, PAUSED, COMPLETED`,
    ],
  ],
]
for (const [fact, text, problems] of cases) test(fact, () => expect(problemsOf(text)).toEqual(problems))

test('absent members take their defaults', () => {
  const parsed = parseProjectFile(
    `version: 1\n${flag('{ default: 1, rules: [{ value: 2 }] }', 'NUMBER')}\n${experiment(variant('a', '0.5', '1') + variant('b', '0.5', '2'))}`,
    { env: () => null, file: () => null },
  )
  if ('unreadable' in parsed) throw new Error('unreadable')
  expect(parsed.problems).toEqual([])
  expect(parsed.file.audiences).toBeNull()
  expect(parsed.file.flags?.[0]?.state).toEqual({
    type: 'NUMBER',
    environments: {
      PROD: {
        type: 'NUMBER',
        description: null,
        isEnabled: true,
        defaultValue: 1,
        rules: [{ audience: null, conditions: null, value: 2, rolloutPercentage: null }],
      },
    },
  })
  expect(parsed.file.experiments?.[0]?.state).toMatchObject({
    audience: null,
    metrics: [],
    mutualExclusionGroup: null,
    scheduledStartAt: null,
    status: null,
  })
})
