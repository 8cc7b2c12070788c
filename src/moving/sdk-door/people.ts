import type { Context, Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { AppError } from '../../base/errors'
import { causeOf } from '../../people/events/model'
import { mergeSubscribers } from '../../people/identity/merge'
import type { Creation } from '../../people/subscribers/creation'
import { labelDeviceKey } from '../../people/subscribers/device-key'
import {
  assertLive,
  ensureSubscriber,
  findByDevice,
  findByLabel,
  findErased,
  insertNew,
  type SubscriberRow,
  updateSubscriber,
} from '../../people/subscribers/service'
import { requireIdentity } from '../../projects/identity-tokens/require'
import type { ProjectState } from '../../projects/project/state'
import type { SdkCaller } from './model'
import { INVALID_KEY, INVALID_PERSON, SdkRefusal } from './refusal'

const ANONYMOUS = /^\$RCAnonymousID:[0-9a-f]{32}$/i
/** Ids that the vendor's own SDKs refuse: they are the texts of mistakes. */
const REFUSED = new Set(
  'no_user null none nil (null) NaN \\x00 unidentified undefined unknown'.split(' ').map((id) => id.toLowerCase()),
)
const MAX_ID = 255

export const isAnonymousId = (id: string): boolean => ANONYMOUS.test(id)

/** Returns the id; 400 with 7220 for one that no person can have. */
export function checkPersonId(id: unknown): string {
  const isUsable =
    typeof id === 'string' &&
    id.trim() !== '' &&
    id.length <= MAX_ID &&
    !id.includes('/') &&
    !/\p{Cc}/u.test(id) &&
    id.isWellFormed() &&
    !REFUSED.has(id.trim().toLowerCase())
  if (!isUsable) throw new SdkRefusal(400, INVALID_PERSON, 'The app user id is empty or not valid')
  return id
}

/** The device key of an anonymous id. */
const anonymousKey = (id: string): string => `rc:${id}`

/**
 * Refuses a call for a person with an id of the app's own when the project asks for identity tokens and the call has
 * none. The answer is the same whether or not the person exists. Anonymous ids are secrets of their devices.
 */
export async function requirePerson(ctx: Context, { project, key }: SdkCaller, id: string, headers: Headers) {
  if (isAnonymousId(id)) return
  try {
    await requireIdentity(ctx, { project, key, label: id, deviceKey: labelDeviceKey(id), headers })
  } catch (error) {
    const isForbidden = error instanceof AppError && error.refusal === 'FORBIDDEN'
    throw isForbidden ? new SdkRefusal(403, INVALID_KEY, 'This person needs an identity token') : error
  }
}

/** Whether `requirePerson` lets every call for this person pass. */
export const isShownToAll = (project: ProjectState, id: string): boolean =>
  project.settings.identityVerification === 'off' || isAnonymousId(id)

/** Whether `requirePerson` lets a call pass. */
export async function mayBeShown(ctx: Context, caller: SdkCaller, id: string, headers: Headers): Promise<boolean> {
  try {
    await requirePerson(ctx, caller, id, headers)
    return true
  } catch (error) {
    if (error instanceof SdkRefusal) return false
    throw error
  }
}

/** The person that an id names; null when there is none. Ids that an import has brought are found too. */
export async function findPerson(handle: Handle, projectId: string, id: string): Promise<SubscriberRow | null> {
  if (!isAnonymousId(id)) return (await findByLabel(handle, projectId, id)) ?? importedPerson(handle, projectId, id)
  const known = await findByDevice(handle, projectId, anonymousKey(id))
  return known ?? (await findByDevice(handle, projectId, id)) ?? importedPerson(handle, projectId, id)
}

/** Whether an id names the row itself: every change of who is meant by the id is then a change of this row. */
export const isOwnRow = ({ appUserId, deviceKey }: SubscriberRow, id: string): boolean =>
  isAnonymousId(id) ? deviceKey === anonymousKey(id) : appUserId === id

const importedPerson = (handle: Handle, projectId: string, id: string): Promise<SubscriberRow | null> =>
  findByDevice(handle, projectId, `import:${id}`)

export interface EnsuredPerson {
  row: SubscriberRow
  isNew: boolean
}

/** The live person that an id names; creates the row of an unknown id. 409 for one who was erased. */
export async function ensurePerson(
  ctx: Context,
  projectId: string,
  id: string,
  creation: Creation,
): Promise<EnsuredPerson> {
  const found = await findPerson(ctx, projectId, id)
  if (found) return { row: seen(ctx, assertLive(found)), isNew: false }
  creation.place?.take()
  const made = await ctx.write((tx) => makePerson(tx, projectId, id, creation))
  return { ...made, row: seen(ctx, made.row) }
}

function seen(ctx: Context, row: SubscriberRow): SubscriberRow {
  ctx.state.presence.see(row.id, ctx.clock.now())
  return row
}

async function makePerson(tx: Tx, projectId: string, id: string, creation: Creation): Promise<EnsuredPerson> {
  await tx.lock(`label:${projectId}:${id}`)
  const found = await findPerson(tx, projectId, id)
  if (found) {
    creation.place?.found(tx)
    return { row: assertLive(found), isNew: false }
  }
  if (isAnonymousId(id)) return live(await ensureSubscriber(tx, projectId, anonymousKey(id), creation))
  const erased = await findErased(tx, projectId, { kind: 'LABEL', value: id })
  if (erased) assertLive(erased)
  const deviceKey = labelDeviceKey(id)
  const made = await insertNew(tx, projectId, deviceKey, creation)
  if (!made) return live(await ensureSubscriber(tx, projectId, deviceKey, creation))
  await updateSubscriber(tx, made.id, { appUserId: id })
  return { row: { ...made, appUserId: id }, isNew: true }
}

const live = ({ row, isNew }: EnsuredPerson): EnsuredPerson => ({ row: assertLive(row), isNew })

export interface Switch {
  from: string
  to: string
  creation: Creation
  requestId: string
}

/**
 * Switches to another id, as a log-in does. An anonymous person who was nobody else's becomes part of the new one, which
 * is a transfer and can be undone; a known person stays as they are. `isNew`: the new id was not known.
 */
export async function switchPerson(
  ctx: Context,
  { project }: SdkCaller,
  { from, to, creation, requestId }: Switch,
): Promise<EnsuredPerson> {
  const target = await ensurePerson(ctx, project.id, to, creation)
  if (!isAnonymousId(from) || from === to) return target
  await ctx.write(async (tx) => {
    const left = await findPerson(tx, project.id, from)
    const into = await findPerson(tx, project.id, to)
    if (!left || !into || left.id === into.id || left.appUserId !== null || left.erasedAt !== null) return
    const cause = causeOf('IDENTIFY', requestId)
    await mergeSubscribers(tx, project, { from: left, into, cause, transferCause: 'IDENTIFY', takesLabel: false })
  })
  const row = (await findPerson(ctx, project.id, to)) ?? target.row
  return { row, isNew: target.isNew }
}
