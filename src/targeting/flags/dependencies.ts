import type { Handle } from '../../base/db/handle'
import { AppError } from '../../base/errors'
import type { AudienceReference } from '../../core/audience/check'
import { dependencyFaultIn, flagsReadBy, flagsReadIn, toReading } from '../../core/flag/dependencies'
import { flagName } from '../../core/flag/names'
import { dependencySentence } from '../../core/rules/dependencies'
import type { Fault } from '../../core/text/fault'
import { refuseFaults } from '../../projects/project/edit'
import { listAudiences } from '../audiences/service'
import { listFlags } from './service'

type StoredFlag = Awaited<ReturnType<typeof listFlags>>[number]

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
