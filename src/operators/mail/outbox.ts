import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { toIso, toIsoOrNull } from '../../base/lib/time'
import { type Letter, openLetter } from './letter'
import { findMail, listMails, type MailRow } from './queries'
import { renderLetter } from './render'

type Parts = Pick<Context, 'vault' | 'clock' | 'state'>

/**
 * Why a text can be read or not. `BLANKED`: it was sent, held back, or its link has died. `IN_MEMORY`: there is no
 * master key, so only the process that wrote it has it. `UNREADABLE`: it was encrypted with another master key.
 * `WITHHELD`: its link opens something, and only the machine of the server shows it.
 */
export type TextState = 'READABLE' | 'BLANKED' | 'IN_MEMORY' | 'UNREADABLE' | 'WITHHELD'

/** A mail of the outbox as people read it. */
export function toMailView({ vault, clock, state }: Parts, row: MailRow) {
  const isDead = row.status === 'SENT' || row.status === 'SUPPRESSED' || isPast(row.expiresAt, clock.now())
  const letter = isDead ? null : (openLetter(vault, row) ?? state.mailer.findHeld(row.id))
  return {
    id: row.id,
    kind: row.kind,
    to: row.toAddress,
    userId: row.userId,
    projectId: row.projectId,
    subject: row.subject,
    status: row.status,
    attempts: row.attempts,
    nextAttemptAt: toIsoOrNull(row.nextAttemptAt),
    lastError: row.lastError,
    sentAt: toIsoOrNull(row.sentAt),
    expiresAt: toIsoOrNull(row.expiresAt),
    textState: isDead ? ('BLANKED' as const) : textStateOf(letter, row),
    text: letter && renderLetter(letter, null).text,
    link: letter?.action?.url ?? null,
    createdAt: toIso(row.createdAt),
    updatedAt: toIso(row.updatedAt),
  }
}

export type MailView = ReturnType<typeof toMailView>

/**
 * A mail as it is shown over HTTP: without a text whose link resets a password, proves an address or accepts an
 * invitation. Otherwise an administrator of the platform could become the owner of every project.
 */
export function toRemoteMailView(parts: Parts, row: MailRow) {
  const { link, ...view } = toMailView(parts, row)
  return link === null ? { ...view, link } : { ...view, textState: 'WITHHELD' as const, text: null, link: null }
}

const isPast = (instant: number | null, now: number): boolean => instant !== null && instant <= now

function textStateOf(letter: Letter | null, { sealed }: MailRow): TextState {
  if (letter) return 'READABLE'
  return sealed === null ? 'IN_MEMORY' : 'UNREADABLE'
}

export const listOutbox = (ctx: Context, filter: Parameters<typeof listMails>[1]): Promise<MailRow[]> =>
  listMails(ctx, filter)

/** When a mail was written; null when it is forgotten. */
export const mailWrittenAt = async (handle: Handle, id: string): Promise<number | null> =>
  (await findMail(handle, id))?.createdAt ?? null
