import type { Tx } from '../../base/context'
import { ROLES, type Role } from '../../core/roles/roles'
import type { Letter } from '../mail/letter'
import { queueMail } from '../mail/queue-mail'
import { peopleOf } from '../members/hooks'
import { isWanted, NOTHING_GIVEN } from './preferences'
import { findDefaults, findPreferences, insertNotices } from './queries'

/** A person who can get notices. */
export interface Person {
  userId: string
  email: string
  /** False: nothing has proved that the address is theirs, so nothing is mailed there. Absent = true. */
  isProved?: boolean
}

/** A kind of notice that people can switch off. */
export interface NoticeKind {
  kind: string
  description: string
}

declare module '../../base/state' {
  interface SliceHooks {
    noticeKinds: readonly NoticeKind[]
  }
}

/** Whom a notice is for. `userIds` are members of the project; others are ignored. */
type Receivers = { roles: readonly Role[] } | { userIds: readonly string[] } | { people: readonly Person[] }

export type Notice = Receivers & {
  /** One of the kinds that a slice declares (`noticeKinds`). */
  kind: string
  projectId: string | null
  title: string
  /** Plain text. */
  body: string
  /**
   * With this member it is also sent by mail, to those who want it. Subject and text are those of the notice, if
   * absent.
   */
  mail?: Partial<Pick<Letter, 'subject' | 'paragraphs' | 'action'>>
  /** It does not appear in the dashboard. */
  isMailOnly?: true
}

export interface Notified {
  inapp: number
  email: number
}

/**
 * Tells people something, in the transaction of the change that it is about: a notice in the dashboard and an optional
 * mail, each as they prefer. Returns how many of both were written.
 */
export async function notify(tx: Tx, notice: Notice): Promise<Notified> {
  const people = await receiversOf(tx, notice)
  const userIds = people.map(({ userId }) => userId)
  const chosen = await findPreferences(tx, userIds)
  const defaults = notice.projectId === null ? null : await findDefaults(tx, notice.projectId)
  const wanting = (channel: 'inapp' | 'email') =>
    people.filter(({ userId }) =>
      isWanted([chosen.get(userId) ?? NOTHING_GIVEN, defaults ?? NOTHING_GIVEN], notice.kind, channel),
    )
  const readers = notice.isMailOnly ? [] : wanting('inapp')
  await insertNotices(
    tx,
    readers.map(({ userId }) => toRow(tx, notice, userId)),
  )
  const mailed = notice.mail ? wanting('email').filter(({ isProved = true }) => isProved) : []
  for (const person of mailed) await queueMail(tx, toLetter(notice, person))
  return { inapp: readers.length, email: mailed.length }
}

/** Everybody once. */
async function receiversOf(tx: Tx, notice: Notice): Promise<Person[]> {
  const found = 'people' in notice ? notice.people : await membersOf(tx, notice)
  return [...new Map(found.map((person) => [person.userId, person])).values()]
}

async function membersOf(tx: Tx, notice: Exclude<Notice, { people: unknown }>): Promise<Person[]> {
  const { projectId } = notice
  if (projectId === null) return []
  const roles = 'roles' in notice ? notice.roles : ROLES
  const found = await peopleOf(tx, projectId, roles)
  const wanted = 'userIds' in notice ? new Set(notice.userIds) : null
  return found.filter(({ userId }) => wanted?.has(userId) ?? true)
}

const toRow = (tx: Tx, { kind, projectId, title, body }: Notice, userId: string) => ({
  id: tx.ids.next('ntc'),
  userId,
  projectId,
  kind,
  title,
  body,
  readAt: null,
  createdAt: tx.clock.now(),
})

const toLetter = ({ kind, projectId, title, body, mail = {} }: Notice, { userId, email }: Person): Letter => ({
  kind,
  to: email,
  subject: title,
  paragraphs: [body],
  ...mail,
  userId,
  projectId,
  isOptional: true,
})
