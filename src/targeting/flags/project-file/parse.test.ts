import { expect, test } from 'bun:test'
import { problemsOf, wantedIn } from '../../../projects/project-file/parse.fixtures'
import { FLAGS } from './check'
import { flagSection } from './section'

const flag = (environment: string, type = 'BOOLEAN') =>
  `flags:\n  f:\n    type: ${type}\n    environments:\n      PROD: ${environment}`

const V = 'VALIDATION_ERROR'

const cases: [fact: string, text: string, problems: string[]][] = [
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
    flag('{ default: false, rules: [{ conditions: { plan: { $like: x } }, value: true }] }'),
    [
      `6:63 flags.f.environments.PROD.rules[0].conditions.plan.$like ${V} This is not an operator of rules; /docs/guide/reference/rules lists them`,
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
]
for (const [fact, text, problems] of cases)
  test(fact, () => expect(problemsOf([flagSection], `version: 1\n${text}`)).toEqual(problems))

test('absent members take their defaults', () => {
  const text = flag('{ default: 1, rules: [{ value: 2 }] }', 'NUMBER')
  expect(wantedIn([flagSection], FLAGS, `version: 1\n${text}`)?.[0]?.state).toEqual({
    type: 'NUMBER',
    environments: {
      PROD: {
        type: 'NUMBER',
        description: null,
        isEnabled: true,
        defaultValue: 1,
        rules: [{ audience: null, conditions: null, value: 2, rolloutPercentage: null, bucketBy: null }],
      },
    },
  })
})
