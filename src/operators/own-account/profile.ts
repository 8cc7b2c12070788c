import type { Context } from '../../base/context'
import { AppError, invalid, notFound } from '../../base/errors'
import { isTimezone } from '../../base/lib/timezone'
import type { Actor } from '../../projects/audit/audit'
import type { Session } from '../../projects/doors/sessions'
import { given, isSame } from '../../projects/project/edit'
import { recordAccount } from '../accounts/audit-entry'
import { lockUser } from '../accounts/begin'
import type { Visit } from '../accounts/cookies'
import { hashPassword } from '../accounts/passwords'
import type { Theme } from '../accounts/tables'
import { type Account, findAccount, updateUser } from '../accounts/users'
import { changePassword, requirePerson } from '../sign-in/password'
import { findPreferences, type PreferencesRow, savePreferences } from './queries'

/** 404 when the user was deleted meanwhile. */
export async function getAccount(ctx: Context, userId: string): Promise<Account> {
  const account = await findAccount(ctx, userId)
  if (!account) throw notFound('account')
  return account
}

export async function renameUser(
  ctx: Context,
  actor: Actor,
  userId: string,
  name: string | undefined,
): Promise<Account> {
  return ctx.write(async (tx) => {
    await lockUser(tx, userId)
    const account = await findAccount(tx, userId)
    if (!account) throw notFound('account')
    const { user } = account
    if (name === undefined || name === user.name) return account
    const set = { name, updatedAt: tx.clock.now() }
    await updateUser(tx, userId, set)
    await recordAccount(tx, actor, userId, 'user.update', { before: { name: user.name }, after: { name } })
    return { ...account, user: { ...user, ...set } }
  })
}

export interface Preferences {
  locale: string
  theme: Theme
  timezone: string
  /** Charts and screens in the sidebar, by their paths below a project. */
  favourites: readonly string[]
}

const DEFAULTS: Preferences = { locale: 'en', theme: 'SYSTEM', timezone: 'UTC', favourites: [] }

export async function getPreferences(ctx: Context, userId: string): Promise<Preferences> {
  return toPreferences(await findPreferences(ctx, userId))
}

const toPreferences = (row: PreferencesRow | null): Preferences => {
  const { locale, theme, timezone, favourites } = row ?? DEFAULTS
  return { locale, theme, timezone, favourites: favourites ?? [] }
}

/** The members of a change; undefined = not given. */
type Some<Members> = { [Name in keyof Members]?: Members[Name] | undefined }

export async function updatePreferences(
  ctx: Context,
  actor: Actor,
  userId: string,
  change: Some<Preferences>,
): Promise<Preferences> {
  if (change.timezone !== undefined && !isTimezone(change.timezone))
    throw invalid('timezone: a time zone like Europe/Istanbul or UTC')
  return ctx.write(async (tx) => {
    await lockUser(tx, userId)
    const before = toPreferences(await findPreferences(tx, userId))
    const after: Preferences = { ...before, ...given(change) } as Preferences // `given` drops what is undefined.
    if (isSame(before, after)) return before
    await savePreferences(tx, { userId, ...after, updatedAt: tx.clock.now() })
    await recordAccount(tx, actor, userId, 'user.update_preferences', { before, after })
    return after
  })
}

interface PasswordChange {
  session: Session | null
  currentPassword: string | undefined
  password: string
}

/**
 * Sets the password of the signed-in person. Who has a password gives it; who has none has a session of at most 10
 * minutes. The other sessions end.
 */
export async function setPassword(
  ctx: Context,
  visit: Visit,
  actor: Actor,
  userId: string,
  { session, currentPassword, password }: PasswordChange,
): Promise<void> {
  const account = await getAccount(ctx, userId)
  const { passwordHash: known } = account.user
  if (known !== null && currentPassword === undefined) throw invalid('currentPassword: it is required')
  const proof = known === null ? undefined : currentPassword
  await requirePerson(ctx, visit, account, { session, password: proof })
  const passwordHash = await hashPassword(password)
  const isDone = await ctx.write(async (tx) => {
    await lockUser(tx, userId)
    const now = await findAccount(tx, userId)
    if (now?.user.passwordHash !== known) return false
    const keptSession = session?.id ?? null
    await changePassword(tx, actor, now, { passwordHash, action: 'user.change_password', keptSession })
    return true
  })
  if (!isDone) throw new AppError('UNAUTHORIZED', undefined, { message: 'The password was changed meanwhile' })
}
