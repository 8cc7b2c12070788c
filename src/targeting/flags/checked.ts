import type { Handle } from '../../base/db/handle'
import { descriptionFault, rulesFaults } from '../../core/audience/check'
import { checkFlag, environmentSizeFault, MAX_PER_ENVIRONMENT } from '../../core/flag/check'
import { type KeyHolder, sharedKey } from '../../core/flag/names'
import { conflict, type Edit, refuseFaults } from '../../projects/project/edit'
import { listAudienceNames } from '../audiences/service'
import { refuseDependencies, refuseWhileRead } from './dependencies'
import { countFlags, type Flag, listFlagsIn, listFlagsOfKey, plainRule } from './service'

/** A flag that is written together with the same key of all other environments. */
export interface PartOfKey {
  /** Where the flag is in the request: `environments.PROD.` */
  place: string
}

/** The flag in the form in which it is saved, or a refusal. */
export async function checked(edit: Edit, flag: Flag, before: Flag | null, part: PartOfKey | null): Promise<Flag> {
  const { tx, projectId } = edit
  const audiences = await listAudienceNames(tx, projectId)
  const surroundings = {
    hasAudience: (id: string) => audiences.has(id),
    checkConditions: (document: unknown) => rulesFaults(document, new Set(audiences.values())),
  }
  const message = descriptionFault(flag.description)
  const described = message === null ? [] : [{ path: 'description', message: `description ${message}` }]
  const faults = [...checkFlag(flag, surroundings), ...described]
  const place = part?.place ?? ''
  refuseFaults(faults.map(({ path, message: text }) => ({ path: place + path, message: place + text })))
  await refuseDependencies(tx, projectId, flag, place)
  if (before && before.key !== flag.key) await refuseWhileRead(tx, projectId, before, 'renamed')
  await refuseCollision(edit, flag, before, part)
  return { ...flag, rules: flag.rules.map(plainRule) }
}

/** Refuses a flag that collides with another object of the same key, or for which the environment has no room. */
async function refuseCollision(edit: Edit, flag: Flag, before: Flag | null, part: PartOfKey | null): Promise<void> {
  const { tx, projectId } = edit
  const { id, key, env, type } = flag
  const others = (await listFlagsOfKey(tx, projectId, key)).filter((other) => other.id !== id)
  if (others.some((other) => other.env === env))
    throw conflict(`There is a flag ${key} in ${env} already; choose another key`)
  const unlike = part ? undefined : others.find((other) => other.type !== type)
  if (unlike)
    refuseFaults([{ path: 'type', message: `type must be ${unlike.type}, as the flag ${key} has it in ${unlike.env}` }])
  if (key !== before?.key) await refuseHeldKey(edit, key)
  if (env !== before?.env && (await countFlags(tx, projectId, env)) >= MAX_PER_ENVIRONMENT)
    throw conflict(`${env} has ${MAX_PER_ENVIRONMENT} flags, which is the most there can be; delete one first`)
  await refuseSize(edit, flag)
}

async function refuseSize({ tx, projectId }: Edit, flag: Flag): Promise<void> {
  const there = await listFlagsIn(tx, projectId, flag.env)
  const others = there.filter(({ id }) => id !== flag.id)
  const message = environmentSizeFault(flag.env, there, [...others, flag])
  if (message) throw conflict(message)
}

declare module '../../base/state' {
  interface SliceHooks {
    /** What of another slice has a key of this project, so that no flag may have it; null = nothing. */
    keyHolder: (handle: Handle, projectId: string, key: string) => Promise<KeyHolder | null>
  }
}

/** 409 `CONFLICT` when the key names something other than a flag. */
async function refuseHeldKey({ tx, projectId }: Edit, key: string): Promise<void> {
  for (const findHolder of tx.hooks.keyHolder ?? []) {
    const holder = await findHolder(tx, projectId, key)
    if (holder) throw conflict(sharedKey(key, holder))
  }
}
