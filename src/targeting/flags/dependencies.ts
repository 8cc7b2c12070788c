import type { Handle } from '../../base/db/handle'
import { AppError } from '../../base/errors'
import type { Fault } from '../../base/lib/matches'
import { type DependencyFault, dependencyFault, dependencySentence } from '../../core/rules/dependencies'
import { flagKeyOf } from '../../core/rules/model'
import { parseRules } from '../../core/rules/rules'
import { readsOf } from '../../core/rules/walk'
import { refuseFaults } from '../../projects/project/edit'
import type { AudienceReference } from '../audiences/check'
import { listAudiences } from '../audiences/service'
import { flagName } from './file-state'
import { listFlags } from './service'

/** A flag with what decides which other flags it reads. Audiences are named as the map of them names them. */
export interface ReadingFlag {
  key: string
  env: string
  rules: readonly { audience: string | null; conditions: unknown; bucketBy: string | null }[]
}

/** Rules documents, by the id or the name of the audience. */
type Documents = ReadonlyMap<string, unknown>

/** The keys of the flags that a rules document reads. */
export function flagsReadIn(document: unknown): readonly string[] {
  const parsed = parseRules(document ?? null)
  return parsed.ok ? readsOf(parsed.rules).flags : []
}

/** The keys of the flags that a flag reads, also through its audiences. */
export const flagsReadBy = ({ rules }: ReadingFlag, audiences: Documents): string[] => [
  ...new Set(
    rules.flatMap(({ audience, conditions, bucketBy }) => [
      ...flagsReadIn(conditions),
      ...(audience === null ? [] : flagsReadIn(audiences.get(audience))),
      ...(bucketBy === null ? [] : (flagKeyOf(bucketBy) ?? [])),
    ]),
  ),
]

/** What is wrong with flags that read each other, of the first environment that has a fault; null = nothing. */
export function dependencyFaultIn(flags: readonly ReadingFlag[], audiences: Documents): DependencyFault | null {
  for (const [, own] of Map.groupBy(flags, ({ env }) => env)) {
    const fault = dependencyFault(new Map(own.map((flag) => [flag.key, flagsReadBy(flag, audiences)])))
    if (fault) return fault
  }
  return null
}

type StoredFlag = Awaited<ReturnType<typeof listFlags>>[number]

const toReading = ({ key, env, rules }: Pick<StoredFlag, 'key' | 'env' | 'rules'>): ReadingFlag => ({
  key,
  env,
  // Rules that somebody broke by hand read nothing.
  rules: (Array.isArray(rules) ? rules : []).map((rule) => ({
    audience: rule?.audienceId ?? null,
    conditions: rule?.conditions ?? null,
    bucketBy: rule?.bucketBy ?? null,
  })),
})

/** 400 `VALIDATION_ERROR` when the flag would complete a circle, or a chain that is too long. */
export async function refuseDependencies(
  handle: Handle,
  projectId: string,
  flag: Pick<StoredFlag, 'id' | 'key' | 'env' | 'rules'>,
  place: string,
): Promise<void> {
  const audiences = await documentsOf(handle, projectId)
  // A flag that reads no other completes nothing.
  if (flagsReadBy(toReading(flag), audiences).length === 0) return
  const others = (await listFlags(handle, projectId)).filter(({ id, env }) => id !== flag.id && env === flag.env)
  const fault = dependencyFaultIn([flag, ...others].map(toReading), audiences)
  if (fault) refuseFaults([{ path: `${place}rules`, message: dependencySentence(fault) }])
}

/** What would be wrong with the flags of a project if an audience had these rules. */
export async function audienceDependencies(
  handle: Handle,
  projectId: string,
  { id, rules }: { id: string; rules: unknown },
): Promise<Fault[]> {
  if (flagsReadIn(rules).length === 0) return []
  const audiences = new Map([...(await documentsOf(handle, projectId)), [id, rules]])
  const fault = dependencyFaultIn((await listFlags(handle, projectId)).map(toReading), audiences)
  return fault ? [{ path: 'rules', message: dependencySentence(fault) }] : []
}

const documentsOf = async (handle: Handle, projectId: string): Promise<Map<string, unknown>> =>
  new Map((await listAudiences(handle, projectId)).map(({ id, rules }) => [id, rules]))

/** 409 `CONFLICT` with everything that reads the flag in its environment. `verb` is what cannot be done with it. */
export async function refuseWhileRead(
  handle: Handle,
  projectId: string,
  flag: Pick<StoredFlag, 'id' | 'key' | 'env'>,
  verb: string,
): Promise<void> {
  const references = await readersOf(handle, projectId, flag)
  if (references.length === 0) return
  const named = references.slice(0, 5).map(({ type, name }) => `${type} ${name}`)
  const more = references.length > named.length ? ` and ${references.length - named.length} more` : ''
  const message = `${flagName(flag.key, flag.env)} cannot be ${verb}: svc.flag.${flag.key} is read by ${named.join(', ')}${more}; change that first`
  throw new AppError('CONFLICT', { references }, { message })
}

async function readersOf(
  handle: Handle,
  projectId: string,
  flag: Pick<StoredFlag, 'id' | 'key' | 'env'>,
): Promise<AudienceReference[]> {
  const [flags, audiences] = await Promise.all([listFlags(handle, projectId), listAudiences(handle, projectId)])
  const none = new Map<string, unknown>()
  const others = flags.filter(({ id, env }) => id !== flag.id && env === flag.env)
  return [
    ...others
      .filter((other) => flagsReadBy(toReading(other), none).includes(flag.key))
      .map(({ id, key, env }) => ({ type: 'flag', id, name: flagName(key, env) })),
    ...audiences
      .filter(({ rules }) => flagsReadIn(rules).includes(flag.key))
      .map(({ id, name }) => ({ type: 'audience', id, name })),
  ]
}
