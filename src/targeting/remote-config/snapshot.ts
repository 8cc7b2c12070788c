import { bucket } from '../../base/lib/bucket'
import {
  type Audiences,
  compileAudiences,
  type Mentioned,
  matchersOver,
  nothingMentioned,
} from '../../core/audience/matchers'
import { type CompiledFlag, compileFlag } from '../../core/flag/compile'
import type { FlagEnvironment } from '../../core/flag/names'
import type { FlagRow } from '../../core/flag/schema'
import type { BuiltIn, RuleReads, Subject } from '../../core/rules/model'
import type { Fault } from '../../core/text/fault'
import { Group } from '../audiences/groups/group'
import { compileExperiments } from '../experiments/compile'
import type { CompiledExperiment, ExperimentRow } from '../experiments/model'
import { type FactsNeeded, factsNeeded } from './needs'

/** A project's flags, audiences and experiments, compiled once per version of its configuration. */
export interface RemoteSnapshot {
  /** The fingerprint of the rows that it was compiled from: streams report a change when it differs, and only then. */
  fingerprint: string
  environments: Readonly<Record<FlagEnvironment, EnvironmentSnapshot>>
  /** In the order in which they are decided. */
  experiments: readonly CompiledExperiment<Subject>[]
  /** Whether any experiment runs: if none does, assignments need not be read. */
  isAnyRunning: boolean
  /** By id. */
  audiences: Audiences
  /** The lists of ids of audiences, by name. */
  groups: ReadonlyMap<string, Group>
  /** What the audiences of running experiments mention, outside of an environment. */
  askedByRunning: readonly BuiltIn[]
}

export interface EnvironmentSnapshot {
  /** By key, ascending, with the disabled ones. */
  flags: readonly CompiledFlag<Subject>[]
  byKey: ReadonlyMap<string, CompiledFlag<Subject>>
  /** What the rules of its enabled flags and of running experiments mention. */
  needs: FactsNeeded
}

/** What is broken in a stored row. The broken row matches no subscriber; the others are not affected. */
export interface StoredFault extends Fault {
  kind: 'audience' | 'flag' | 'experiment'
  id: string
}

interface Rows {
  fingerprint: string
  audiences: readonly { id: string; rules: unknown }[]
  flags: readonly FlagRow[]
  experiments: readonly ExperimentRow[]
  /** The lists of ids, by the name of the audience. */
  members?: readonly { name: string; hashes: string }[]
}

export function compileRemote(rows: Rows): { snapshot: RemoteSnapshot; faults: StoredFault[] } {
  const faults: StoredFault[] = []
  const audiences = compileAudiences(rows.audiences)
  for (const [id, { fault }] of audiences)
    if (fault) faults.push({ kind: 'audience', id, path: fault.path, message: fault.message })
  const experiments = compileAll(rows, audiences, faults)
  const byExperiments = mentionedByRunning(rows, audiences)
  const environment = (env: FlagEnvironment): EnvironmentSnapshot => {
    const mentioned = { builtIns: new Set(byExperiments.builtIns), flags: new Set<string>() }
    const own = rows.flags.filter((row) => row.env === env)
    const flags = own.flatMap((row) => compileOne(row, audiences, mentioned, faults) ?? [])
    return { flags, byKey: new Map(flags.map((flag) => [flag.key, flag])), needs: factsNeeded(mentioned.builtIns) }
  }
  const environments = {
    PROD: environment('PROD'),
    STAGING: environment('STAGING'),
    DEVELOPMENT: environment('DEVELOPMENT'),
  }
  for (const { id, env } of rows.flags)
    if (!Object.hasOwn(environments, env))
      faults.push({ kind: 'flag', id, path: 'env', message: 'env must be PROD, STAGING or DEVELOPMENT' })
  const isAnyRunning = experiments.some(({ status }) => status === 'RUNNING')
  return {
    snapshot: {
      fingerprint: rows.fingerprint,
      environments,
      experiments,
      isAnyRunning,
      audiences,
      groups: new Map((rows.members ?? []).map(({ name, hashes }) => [name, new Group(hashes)])),
      askedByRunning: readInProd(byExperiments, environments),
    },
    faults,
  }
}

/** A disabled flag is compiled for calls that ask for it by its key; nothing is read for what its rules mention. */
function compileOne(
  row: FlagRow,
  audiences: Audiences,
  mentioned: Mentioned,
  faults: StoredFault[],
): CompiledFlag<Subject> | null {
  const compiled = compileFlag(row, matchersOver(audiences, row.isEnabled ? mentioned : nothingMentioned()), bucket)
  faults.push(...compiled.faults.map((fault): StoredFault => ({ kind: 'flag', id: row.id, ...fault })))
  return compiled.flag
}

function compileAll({ experiments }: Rows, audiences: Audiences, faults: StoredFault[]): CompiledExperiment<Subject>[] {
  const compiled = compileExperiments(experiments, matchersOver(audiences, nothingMentioned()))
  const idOf = (key: string): string => experiments.find((row) => row.key === key)?.id ?? key
  faults.push(...compiled.faults.map((fault): StoredFault => ({ kind: 'experiment', id: idOf(fault.path), ...fault })))
  return compiled.experiments
}

function mentionedByRunning({ experiments }: Rows, audiences: Audiences): RuleReads {
  const running = experiments.filter(({ status }) => status === 'RUNNING')
  const reads = running.flatMap(({ audienceId }) =>
    audienceId === null ? [] : (audiences.get(audienceId)?.reads ?? []),
  )
  return { builtIns: reads.flatMap(({ builtIns }) => builtIns), flags: reads.flatMap(({ flags }) => flags) }
}

/** What rules read outside of an environment: they read the flags of PROD, and so what those read. */
export const readInProd = (
  { builtIns, flags }: RuleReads,
  environments: RemoteSnapshot['environments'],
): readonly BuiltIn[] => (flags.length === 0 ? builtIns : [...builtIns, ...environments.PROD.needs.names])
