import { expect, test } from 'bun:test'
import { problemsOf, wantedIn } from '../../../projects/project-file/parse.fixtures'
import { EXPERIMENTS } from './form'
import { experimentSection } from './section'

const experiment = (variants: string, type = 'FLAG', more = '') =>
  `experiments:\n  e:\n    name: E\n    type: ${type}\n    variants:\n${variants}${more}`
const variant = (id: string, weight: string, value: string) =>
  `      - { id: ${id}, name: V, weight: ${weight}, value: ${value} }\n`

const V = 'VALIDATION_ERROR'

const cases: [fact: string, text: string, problems: string[]][] = [
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
for (const [fact, text, problems] of cases)
  test(fact, () => expect(problemsOf([experimentSection], `version: 1\n${text}`)).toEqual(problems))

test('absent members take their defaults', () => {
  const text = experiment(variant('a', '0.5', '1') + variant('b', '0.5', '2'))
  expect(wantedIn([experimentSection], EXPERIMENTS, `version: 1\n${text}`)?.[0]?.state).toMatchObject({
    audience: null,
    metrics: [],
    mutualExclusionGroup: null,
    scheduledStartAt: null,
    status: null,
  })
})
