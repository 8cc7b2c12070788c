import { type FeatureDefinition, GrowthBookClient, type UserContext } from '@growthbook/growthbook'
import type { SubjectFacts } from '../../src/targeting/audiences/built-ins'
import { evaluateSnapshot, toConfiguration } from '../../src/targeting/remote-config/evaluate'
import { compileRemote } from '../../src/targeting/remote-config/snapshot'
import type { Arena } from './arena'
import { alternate, pieceRound } from './measure'
import { type Aim, loadRow, type Row } from './report'
import { AUDIENCES, EXPERIMENTS, FLAGS } from './targeting'

const SUBSCRIBERS = 20_000
const FASTER: Aim = { of: 'ratio', is: 'at least', value: 1 }

/**
 * Evaluation alone: 13 features for many subscribers, and GrowthBook with equal rules in the same process. The
 * documentation of GrowthBook recommends its multi-user client for servers, and it is faster than one instance for each
 * user.
 */
export async function benchEvaluation({ rounds }: Arena): Promise<Row[]> {
  const people = Array.from({ length: SUBSCRIBERS }, (_, index) => personOf(index))
  const [ours, theirs] = [ourEvaluator(), theirEvaluator()]
  expectAgreement(people.map((person) => [ours(factsOf(person)), theirs(contextOf(person))]))
  const [facts, contexts] = [people.map(factsOf), people.map(contextOf)]
  const timed = async (work: () => void) => {
    const startedAt = performance.now()
    work()
    return pieceRound(SUBSCRIBERS, performance.now() - startedAt)
  }
  const all = await alternate(rounds, {
    ours: () => timed(() => facts.forEach(ours)),
    theirs: () => timed(() => contexts.forEach(theirs)),
  })
  const what = `evaluation of ${FLAGS.length} flags and ${EXPERIMENTS.length} experiments (yardstick: GrowthBook)`
  const row = loadRow(what, all.ours, inSubscribers(all.theirs.perSecond), FASTER)
  return [{ ...row, result: inSubscribers(all.ours.perSecond) }]
}

const inSubscribers = (value: number) => ({ value, unit: 'subscribers/s' as const })

interface Person {
  deviceKey: string
  country: string
  appVersion: number
  plan: string
  locale: string
  sessions: number
}

const personOf = (index: number): Person => ({
  deviceKey: `device-${index}`,
  country: ['DE', 'AT', 'US', 'GB', 'FR'][index % 5] ?? '',
  appVersion: 20 + (index % 31),
  plan: ['free', 'pro', 'trial', 'beta'][index % 4] ?? '',
  locale: ['de-DE', 'en-GB', 'fr-FR'][index % 3] ?? '',
  sessions: index % 43,
})

/** A value by the key of a flag or an experiment. */
type Values = Record<string, unknown>

function ourEvaluator(): (facts: SubjectFacts) => Values {
  const rows = {
    fingerprint: '',
    audiences: AUDIENCES,
    flags: FLAGS.map((row) => ({ ...row, id: row.key, env: 'PROD' as const, isEnabled: true })),
    experiments: EXPERIMENTS.map((row, createdAt) => ({
      ...row,
      id: row.key,
      type: 'FLAG' as const,
      status: 'RUNNING' as const,
      mutualExclusionGroup: null,
      createdAt,
    })),
  }
  const { snapshot, faults } = compileRemote(rows)
  if (faults.length > 0) throw new Error(JSON.stringify(faults))
  const held = new Map<string, string>()
  return (facts) => {
    const bucketingId = facts.person.deviceKey
    const env = 'PROD' as const
    const hash = () => Buffer.alloc(16)
    const asked = {
      env,
      hash,
      flags: snapshot.environments.PROD.flags,
      withExperiments: true,
      facts,
      bucketingId,
      held,
    }
    const { flags, experiments } = toConfiguration(evaluateSnapshot(snapshot, { ...asked, holdoutPercentage: 0 }))
    const values: Values = flags
    for (const { key } of EXPERIMENTS) values[key] = experiments[key]?.value ?? null
    return values
  }
}

function factsOf({ deviceKey, ...attributes }: Person): SubjectFacts {
  const texts = Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, String(value)]))
  const person = { appUserId: null, deviceKey, firstSeenAt: 0, lastSeenAt: 0, platform: null }
  return { now: 0, person, attributes: texts, entitlements: [], purchases: [], spentUsdMicros: 0 }
}

const contextOf = ({ deviceKey, ...attributes }: Person): UserContext => ({
  attributes: { id: deviceKey, ...attributes },
})

function theirEvaluator(): (context: UserContext) => Values {
  const features = Object.fromEntries([...FLAGS.map(flagFeature), ...EXPERIMENTS.map(experimentFeature)])
  const client = new GrowthBookClient().initSync({ payload: { features } })
  const keys = Object.keys(features)
  return (context) => {
    const values: Values = {}
    for (const key of keys) values[key] = client.evalFeature(key, context).value
    return values
  }
}

type Rule = NonNullable<FeatureDefinition['rules']>[number]
type Condition = NonNullable<Rule['condition']>

/** Our rules use the language that GrowthBook's rules are based on. */
const audienceOf = (id: string | null | undefined): Condition =>
  (AUDIENCES.find((audience) => audience.id === id)?.rules ?? {}) as Condition

/** Each rollout has its own seed, as in our evaluation. */
const flagFeature = ({ key, defaultValue, rules }: (typeof FLAGS)[number]): [string, FeatureDefinition] => [
  key,
  {
    defaultValue,
    rules: rules.map(({ audienceId, conditions, rolloutPercentage, value }, index): Rule => {
      const condition: Condition = { ...audienceOf(audienceId), ...(conditions as object | undefined) }
      const rollout =
        rolloutPercentage == null ? {} : { coverage: rolloutPercentage, hashVersion: 2, seed: `${key}:${index}` }
      return { force: value, condition, ...rollout }
    }),
  },
]

const experimentFeature = ({
  key,
  audienceId,
  variants,
}: (typeof EXPERIMENTS)[number]): [string, FeatureDefinition] => [
  key,
  {
    defaultValue: null,
    rules: [
      {
        key,
        hashVersion: 2,
        condition: audienceOf(audienceId),
        variations: variants.map(({ value }) => value),
        weights: variants.map(({ weight }) => weight),
      },
    ],
  },
]

/**
 * Another hash function gives the same share to other subscribers. The shares may differ by this part of all
 * subscribers.
 */
const TOLERANCE = 0.015

/** Without a rollout both must give the same answer for each subscriber; with one, for the same share of them. */
function expectAgreement(answers: readonly (readonly [ours: Values, theirs: Values])[]): void {
  const drawn = new Set([...FLAGS.filter(hasRollout).map(({ key }) => key), ...EXPERIMENTS.map(({ key }) => key)])
  for (const key of Object.keys(answers[0]?.[1] ?? {})) {
    const [ours, theirs] = [0, 1].map((side) => sharesOf(answers.map((pair) => pair[side as 0 | 1][key])))
    const differing = answers.filter(([a, b]) => !Bun.deepEquals(a[key], b[key])).length
    const values = new Set([...(ours?.keys() ?? []), ...(theirs?.keys() ?? [])])
    const furthest = Math.max(
      ...[...values].map((value) => Math.abs((ours?.get(value) ?? 0) - (theirs?.get(value) ?? 0))),
    )
    if (drawn.has(key) ? furthest > TOLERANCE : differing > 0)
      throw new Error(`${key}: GrowthBook differs for ${differing} of ${answers.length}, by a share of ${furthest}`)
  }
}

const hasRollout = ({ rules }: (typeof FLAGS)[number]): boolean =>
  rules.some(({ rolloutPercentage }) => rolloutPercentage != null)

function sharesOf(values: readonly unknown[]): Map<string, number> {
  const shares = new Map<string, number>()
  for (const value of values) {
    const name = JSON.stringify(value)
    shares.set(name, (shares.get(name) ?? 0) + 1 / values.length)
  }
  return shares
}
