import type { Context, Tx } from '../../base/context'
import { AppError } from '../../base/errors'
import { canonicalJson } from '../../base/lib/hash'
import { toIso } from '../../base/lib/time'
import { type AnswerFault, judgeAnswer } from '../../core/funnel/answers'
import { type Answers, answerTo } from '../../core/funnel/conditions-hold'
import type { FunnelDocument, FunnelField, FunnelPage } from '../../core/funnel/model'
import { fieldsOf, pageById } from '../../core/funnel/way'
import { keptAnswer, storedValue } from './answers'
import { answersOf } from './counted'
import { otherPage } from './current-page'
import { lockedSession, type PresentedSession } from './presented'
import { deleteAnswers, type SessionRow, saveAnswer, updateSession } from './queries'

const MAX_ANSWER_BYTES = 16 * 1024

export interface Saving {
  document: FunnelDocument
  page: FunnelPage
  before: Answers
  after: Answers
}

/** Writes what changed in the answers to the fields of a page. */
export async function saveAnswers(
  tx: Tx,
  session: SessionRow,
  { document, page, before, after }: Saving,
): Promise<void> {
  const changed = fieldsOf(page).filter(
    ({ id }) => canonicalJson(answerTo(before, id)) !== canonicalJson(answerTo(after, id)),
  )
  const withdrawn = changed.filter(({ id }) => answerTo(after, id) === null).map(({ id }) => id)
  if (withdrawn.length > 0) await deleteAnswers(tx, session.id, withdrawn)
  for (const field of changed)
    if (!withdrawn.includes(field.id))
      await saveOne(tx, session, { document, page, field, value: answerTo(after, field.id) })
}

interface One extends Pick<Saving, 'document' | 'page'> {
  field: FunnelField
  value: unknown
}

async function saveOne(tx: Tx, session: SessionRow, { document, page, field, value }: One): Promise<void> {
  const now = tx.clock.now()
  const shown = { locale: session.locale, defaultLocale: document.defaultLocale, at: toIso(now) }
  const key = { sessionId: session.id, fieldId: field.id }
  const stored = storedValue(tx, key, field, keptAnswer(field, value, shown))
  await saveAnswer(tx, { ...key, projectId: session.projectId, pageId: page.id, ...stored, answeredAt: now })
}

/**
 * The answers of a page that was shown. 400 naming every field that is refused; 409 `CONFLICT` for another page, and once
 * the session is paid. An abandoned session is in progress again.
 */
export const answerSession = (
  ctx: Context,
  { session: { id }, document }: PresentedSession,
  pageId: string,
  given: Readonly<Record<string, unknown>>,
): Promise<void> =>
  ctx.write(async (tx) => {
    const session = await lockedSession(tx, id)
    if (session.paidAt !== null)
      throw new AppError('CONFLICT', undefined, { message: 'The session is paid; its answers stay as they are' })
    const page = session.path.includes(pageId) ? pageById(document.pages, pageId) : null
    if (!page) throw otherPage(session)
    const before = await answersOf(tx, id)
    await saveAnswers(tx, session, { document, page, before, after: judgedAnswers(page, before, given) })
    await updateSession(tx, id, { activeAt: tx.clock.now(), state: 'IN_PROGRESS' })
  })

function judgedAnswers(page: FunnelPage, before: Answers, given: Readonly<Record<string, unknown>>): Answers {
  const faults: Record<string, AnswerFault | 'unknown_field'> = {}
  const after: Record<string, unknown> = { ...before }
  const fields = new Map(fieldsOf(page).map((field) => [field.id, field]))
  for (const [id, value] of Object.entries(given)) {
    const field = fields.get(id)
    const verdict = field ? judged(field, value) : { fault: 'unknown_field' as const }
    if ('fault' in verdict) faults[id] = verdict.fault
    else if (verdict.value === null) delete after[id]
    else after[id] = verdict.value
  }
  refuseFaults(faults)
  return after
}

function judged(field: FunnelField, value: unknown): ReturnType<typeof judgeAnswer> {
  if (Buffer.byteLength(JSON.stringify(value)) > MAX_ANSWER_BYTES) return { fault: 'too_long' }
  return judgeAnswer(field, value)
}

/** 400 with every field and why it is refused. */
export function refuseFaults(faults: Readonly<Record<string, string>>): void {
  const fields = Object.keys(faults)
  if (fields.length === 0) return
  const message = fields.map((id) => `${id}: ${(faults[id] ?? '').replaceAll('_', ' ')}`).join('; ')
  throw new AppError('VALIDATION_ERROR', { fields }, { message: `answers: ${message}`.slice(0, 1000) })
}
