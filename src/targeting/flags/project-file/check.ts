import { environmentSizeFault, MAX_PER_ENVIRONMENT } from '../../../core/flag/check'
import { dependencyFaultIn, flagsReadBy, type ReadingFlag } from '../../../core/flag/dependencies'
import type { FlagEntry, FlagState } from '../../../core/flag/file'
import { splitFlagName } from '../../../core/flag/names'
import { dependencySentence } from '../../../core/rules/dependencies'
import { type Pair, sectionKey } from '../../../projects/project-file/model'
import { gone, live } from '../../../projects/project-file/pair'
import { type Problem, problem } from '../../../projects/project-file/problem'
import type { Checking, Planned } from '../../../projects/project-file/section'
import { AUDIENCES } from '../../audiences/project-file/form'

/** The name of an object consists of the key and the environment. */
export const FLAGS = sectionKey<FlagState, FlagEntry>('flags', 'flag')

type Pairs = readonly Pair<FlagState>[]

/** Refuses flags with two types, too many flags, and flags that are too large. */
export const checkFlags = ({ pairs, planned, isWhole }: Checking<FlagEntry, unknown, FlagState>): Problem[] => [
  ...dependencyProblems(pairs, documentsOf(planned)),
  ...mixedTypes(pairs).filter(({ path }) => isWhole(path)),
  ...tooManyFlags(pairs),
  ...tooLargeFlags(pairs),
]

const documentsOf = (planned: Planned): ReadonlyMap<string, unknown> =>
  new Map(live(planned.of(AUDIENCES)).map(({ name, after }) => [name, after.rules]))

/** Refuses flags that read each other in a circle or too deep, and pruned or renamed flags that are still read. */
function dependencyProblems(pairs: Pairs, audiences: ReadonlyMap<string, unknown>): Problem[] {
  const flags = live(pairs).map(({ name, after }) => ({ ...splitFlagName(name), rules: after.rules }))
  const fault = dependencyFaultIn(flags, audiences)
  const circle = fault ? [problem([FLAGS.name, fault.chain[0] ?? ''], dependencySentence(fault))] : []
  return [...circle, ...missedFlags(pairs, flags, audiences)]
}

function missedFlags(pairs: Pairs, flags: readonly ReadingFlag[], audiences: ReadonlyMap<string, unknown>): Problem[] {
  const leaving = gone(pairs).map(({ name }) => splitFlagName(name))
  return leaving.flatMap(({ key, env }) => {
    const reader = flags.find((flag) => flag.env === env && flagsReadBy(flag, audiences).includes(key))
    if (!reader) return []
    return [
      problem([FLAGS.name], `flag ${key} (${env}) cannot be pruned: flag ${reader.key} (${env}) reads it`, 'CONFLICT'),
    ]
  })
}

/** A key must have the same type in all environments. */
function mixedTypes(flags: Pairs): Problem[] {
  const byKey = Map.groupBy(live(flags), ({ name }) => splitFlagName(name).key)
  return [...byKey].flatMap(([key, pairs]) => {
    const named = pairs.find(({ path }) => path !== null)
    const other = pairs.find(({ path, after }) => path === null && after.type !== named?.after.type)
    if (!named || !other) return []
    const { env } = splitFlagName(other.name)
    const message = `${env} has the type ${other.after.type}, and a flag has one type: give ${env} here too`
    return [problem([FLAGS.name, key, 'type'], message)]
  })
}

/** Refuses too many flags, but only if the file adds one: otherwise the file did not cause it. */
function tooManyFlags(flags: Pairs): Problem[] {
  const byEnv = Map.groupBy(live(flags), ({ name }) => splitFlagName(name).env)
  return [...byEnv].flatMap(([env, pairs]) => {
    if (pairs.length <= MAX_PER_ENVIRONMENT || pairs.every(({ before }) => before !== null)) return []
    return [problem([FLAGS.name], `${pairs.length} flags in ${env}, but at most ${MAX_PER_ENVIRONMENT}`, 'CONFLICT')]
  })
}

function tooLargeFlags(flags: Pairs): Problem[] {
  const byEnv = Map.groupBy(flags, ({ name }) => splitFlagName(name).env)
  return [...byEnv].flatMap(([env, pairs]) => {
    const fault = environmentSizeFault(
      env,
      pairs.flatMap(({ before }) => before ?? []),
      pairs.flatMap(({ after }) => after ?? []),
    )
    return fault === null ? [] : [problem([FLAGS.name], fault, 'CONFLICT')]
  })
}
