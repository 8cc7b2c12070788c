import type { Context, Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { notFound } from '../../base/errors'
import { listRevisions, requireRevision } from '../../projects/audit/revisions'
import type { User } from '../../projects/doors/sessions'
import { editProject, isSame, type ProjectActor } from '../../projects/project/edit'
import { actorOf, recordAccount } from '../accounts/audit-entry'
import { hasUnsubscribed, resubscribe } from '../mail/suppression'
import { type Notified, notify } from './notify'
import {
  changePreferences,
  NOTHING_GIVEN,
  type PreferenceChange,
  type Preferences,
  resolvePreferences,
} from './preferences'
import {
  deleteOldestDevices,
  deletePushDevice,
  findDefaults,
  findDeviceOwner,
  findNotice,
  findPreferences,
  markRead,
  type NoticeRow,
  type PushDeviceRow,
  saveDefaults,
  savePreferences,
  savePushDevice,
} from './queries'
import type { PushPlatform } from './tables'

type Hooked = Handle & Pick<Context, 'hooks'>

const kindsOf = ({ hooks }: Pick<Context, 'hooks'>): string[] => (hooks.noticeKinds ?? []).map(({ kind }) => kind)

/** Marks a notice as read. 404 for a notice of another user. */
export const readNotice = (ctx: Context, userId: string, id: string): Promise<NoticeRow> =>
  ctx.write(async (tx) => {
    await markRead(tx, userId, id, tx.clock.now())
    const row = await findNotice(tx, userId, id)
    if (!row) throw notFound('notice', id)
    return row
  })

/** Marks all notices of a user as read. Returns how many were unread. */
export const readAllNotices = (ctx: Context, userId: string): Promise<number> =>
  ctx.write((tx) => markRead(tx, userId, null, tx.clock.now()))

/** Mail is shown as off for an address that has unsubscribed by the link of a mail. */
export async function getPreferences(handle: Hooked, { id, email }: Pick<User, 'id' | 'email'>): Promise<Preferences> {
  const given = (await findPreferences(handle, [id])).get(id) ?? NOTHING_GIVEN
  const resolved = resolvePreferences([given], kindsOf(handle))
  const hasLeft = await hasUnsubscribed(handle, email)
  return { ...resolved, channels: { ...resolved.channels, email: resolved.channels.email && !hasLeft } }
}

/** Merges a change. Who switches mail on gets optional mail again, also after unsubscribing. */
export const updatePreferences = (
  ctx: Context,
  user: Pick<User, 'id' | 'email'>,
  change: PreferenceChange,
): Promise<Preferences> =>
  ctx.write(async (tx) => {
    await tx.lock(`notification_preferences:${user.id}`)
    const before = (await findPreferences(tx, [user.id])).get(user.id) ?? NOTHING_GIVEN
    const after = changePreferences(before, change)
    if (!isSame(before, after)) {
      await savePreferences(tx, user.id, after, tx.clock.now())
      await recordAccount(tx, actorOf(user), user.id, 'user.update_notifications', { before, after })
    }
    if (change.channels?.email === true) await resubscribe(tx, user.email)
    return getPreferences(tx, user)
  })

/** Sends the user a notice and a mail, as they prefer. */
export const sendTestNotice = (ctx: Context, { id, email, isEmailVerified }: User): Promise<Notified> =>
  ctx.write((tx) =>
    notify(tx, {
      kind: 'test',
      projectId: null,
      people: [{ userId: id, email, isProved: isEmailVerified }],
      title: 'A test of your notifications',
      body: 'Notifications reach you. You can choose which ones in your account.',
      mail: {},
    }),
  )

/** The defaults of a project are one object, with one revision. */
const DEFAULTS_ID = 'notification-defaults'

export interface ProjectDefaults extends Preferences {
  revision: number
}

export async function getDefaults(handle: Hooked, projectId: string): Promise<ProjectDefaults> {
  const given = (await findDefaults(handle, projectId)) ?? NOTHING_GIVEN
  const revisions = await listRevisions(handle, projectId, [DEFAULTS_ID])
  return { ...resolvePreferences([given], kindsOf(handle)), revision: revisions.get(DEFAULTS_ID) ?? 1 }
}

/** Merges a change; one that changes nothing is not recorded. */
export const updateDefaults = (
  ctx: Context,
  by: ProjectActor,
  change: PreferenceChange,
  expected: number | null,
): Promise<void> =>
  editProject(ctx, by, async ({ tx, projectId, now, entries }) => {
    await requireRevision(tx, projectId, DEFAULTS_ID, expected)
    const before = (await findDefaults(tx, projectId)) ?? NOTHING_GIVEN
    const after = changePreferences(before, change)
    if (isSame(before, after)) return
    await saveDefaults(tx, projectId, after, now)
    const target = { type: 'notificationDefaults', id: DEFAULTS_ID }
    entries.push({ action: 'notificationDefaults.update', target, before, after })
  })

/** With more devices, the ones that were not registered for longest are forgotten. */
const MAX_DEVICES = 20

/** A device that is known by its token keeps its row, and belongs to the user who registered it last. */
export const registerDevice = (
  ctx: Context,
  user: Pick<User, 'id' | 'email'>,
  { token, platform }: { token: string; platform: PushPlatform },
): Promise<PushDeviceRow> =>
  ctx.write(async (tx: Tx) => {
    const now = tx.clock.now()
    const isKnown = (await findDeviceOwner(tx, token)) === user.id
    const row = { id: tx.ids.next('psd'), userId: user.id, token, platform, createdAt: now, updatedAt: now }
    const saved = await savePushDevice(tx, row)
    await deleteOldestDevices(tx, user.id, MAX_DEVICES)
    if (!isKnown) await recordDevice(tx, user, 'create', saved.id)
    return saved
  })

/** 404 for a device of another user. */
export const forgetDevice = (ctx: Context, user: Pick<User, 'id' | 'email'>, id: string): Promise<void> =>
  ctx.write(async (tx) => {
    if (!(await deletePushDevice(tx, user.id, id))) throw notFound('device for notices', id)
    await recordDevice(tx, user, 'delete', id)
  })

const recordDevice = (tx: Tx, user: Pick<User, 'id' | 'email'>, verb: 'create' | 'delete', id: string): Promise<void> =>
  recordAccount(tx, actorOf(user), user.id, `push_device.${verb}`, { [verb === 'create' ? 'after' : 'before']: { id } })
