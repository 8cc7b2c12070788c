import type { Context, Tx } from '../../base/context'
import { AppError } from '../../base/errors'
import { toIso } from '../../base/lib/time'
import type { AnswerFault } from '../../core/funnel/answers'
import type { Answers } from '../../core/funnel/conditions-hold'
import type { FunnelAction, FunnelDocument, FunnelPage } from '../../core/funnel/model'
import { exitsOf } from '../../core/funnel/publish'
import { offers, type StepResult, takeStep, type Visit } from '../../core/funnel/step'
import { countedAnswers, nextPage, pageById } from '../../core/funnel/way'
import { answersOf } from './counted'
import { currentPage, otherPage } from './current-page'
import { recordReached, recordSessionEvent } from './events'
import { lockedSession, type PresentedSession } from './presented'
import { type SessionRow, saveAdvance, updateSession } from './queries'
import { saveAnswers } from './save-answers'

export interface SessionStep {
  /** The page that the visitor saw; null = whichever is the current one. */
  pageId: string | null
  action: FunnelAction
  /** The answers of the page; empty where they were saved before. */
  given: Answers
}

export interface Stepped {
  session: SessionRow
  kind: StepResult['kind']
  answers: Answers
  faults: Readonly<Record<string, AnswerFault>>
}

/**
 * One step of a visitor, in one transaction with its answers and events. 409 `CONFLICT` on another page than the current
 * one, and where only a payment leads on. A step that is refused for its answers writes nothing.
 */
export const stepSession = (ctx: Context, presented: PresentedSession, step: SessionStep): Promise<Stepped> =>
  ctx.write(async (tx) => {
    const session = await lockedSession(tx, presented.session.id)
    const page = currentPage(presented.document, session)
    if (step.pageId !== null && step.pageId !== page.id) throw otherPage(session)
    const visit = { path: session.path, answers: await answersOf(tx, session.id) }
    refuseUnpaid(session, page, step.action)
    const result = resultOf(presented.document, session, visit, { page, step, now: tx.clock.now() })
    const { answers } = result.visit
    if (result.kind === 'refused') return { session, kind: result.kind, answers, faults: result.faults }
    const saving = { document: presented.document, page, before: visit.answers, after: answers }
    if (session.paidAt === null) await saveAnswers(tx, session, saving)
    return { session: await moved(tx, session, page, step, result), kind: result.kind, answers, faults: {} }
  })

/** Another tab was faster, or only a payment leads on: where the visitor is now counts. */
export function unlessElsewhere(error: unknown): null {
  if (error instanceof AppError && error.refusal === 'CONFLICT') return null
  throw error
}

/** A session that was paid is led on from payment pages: nothing is left to pay there. */
export async function passPaidPages(ctx: Context, presented: PresentedSession): Promise<PresentedSession> {
  const { document, session } = presented
  const page = currentPage(document, session)
  if (session.paidAt === null || page.type !== 'payment' || exitsOf(page, 0).length === 0) return presented
  const step = { pageId: page.id, action: { type: 'next' as const }, given: {} }
  const stepped = await stepSession(ctx, presented, step).catch(unlessElsewhere)
  if (!stepped) return presented
  const next = { ...presented, session: stepped.session }
  return stepped.session.path.length > session.path.length ? passPaidPages(ctx, next) : next
}

/** Only a payment leads on from a payment page, or a button of it that leads elsewhere. */
function refuseUnpaid(session: SessionRow, page: FunnelPage, action: FunnelAction): void {
  if (page.type !== 'payment' || session.paidAt !== null || action.type === 'back') return
  if (action.type !== 'next' && offers(page, action)) return
  throw new AppError(
    'CONFLICT',
    { current_page_id: page.id },
    { message: 'This page is left by paying: make a payment intent, pay it and confirm it' },
  )
}

interface Moment {
  page: FunnelPage
  step: SessionStep
  now: number
}

function resultOf(
  document: FunnelDocument,
  session: SessionRow,
  visit: Visit,
  { page, step, now }: Moment,
): StepResult {
  const today = toIso(now).slice(0, 10)
  if (session.paidAt === null) return takeStep(document.pages, visit, { action: step.action, given: step.given, today })
  if (step.action.type === 'back') return backWhenPaid(document, visit, page)
  const next = nextPage(document.pages, page, {
    answers: countedAnswers(document.pages, visit.path, visit.answers),
    today,
  })
  if (!next) return { kind: 'end', visit }
  const path = visit.path.includes(next.id) ? visit.path : [...visit.path, next.id]
  return { kind: 'page', visit: { ...visit, path }, page: next }
}

/** Nothing leads back to a payment that is done. */
function backWhenPaid({ pages }: FunnelDocument, visit: Visit, page: FunnelPage): StepResult {
  const before = pageById(pages, visit.path.at(-2) ?? '')
  if (!before || before.type === 'payment') return { kind: 'page', visit, page }
  return { kind: 'page', visit: { ...visit, path: visit.path.slice(0, -1) }, page: before }
}

async function moved(
  tx: Tx,
  session: SessionRow,
  from: FunnelPage,
  { action }: SessionStep,
  result: Exclude<StepResult, { kind: 'refused' }>,
): Promise<SessionRow> {
  const now = tx.clock.now()
  const isOn = action.type !== 'back'
  const isEnd = isOn && (result.kind === 'end' || result.page.type === 'success')
  const completedAt = isEnd ? (session.completedAt ?? now) : session.completedAt
  const state = session.state === 'ABANDONED' ? ('IN_PROGRESS' as const) : session.state
  const change = { path: result.visit.path, activeAt: now, completedAt, state }
  await updateSession(tx, session.id, change)
  const after = { ...session, ...change }
  if (!isOn) return after
  await saveAdvance(tx, session.id, from.id, now)
  if (result.kind === 'page' && result.page.id !== from.id) await recordReached(tx, after, result.page.id)
  if (isEnd && session.completedAt === null)
    await recordSessionEvent(tx, 'funnel.session.completed', after, after.path.at(-1) ?? null)
  return after
}
