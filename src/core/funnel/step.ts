import { type AnswerFault, judgeAnswer } from './answers'
import { type Answers, answerTo } from './conditions-hold'
import type { FunnelAction, FunnelBlock, FunnelPage } from './model'
import { blocksOf } from './walk'
import { countedAnswers, fieldsOf, nextPage, pageById } from './way'

/** Where a visitor is: the ids of the pages that were shown, the current one last, and everything answered so far. */
export interface Visit {
  path: readonly string[]
  answers: Answers
}

export type StepResult =
  | { kind: 'page'; visit: Visit; page: FunnelPage }
  | { kind: 'end'; visit: Visit }
  | { kind: 'refused'; visit: Visit; faults: Readonly<Record<string, AnswerFault>> }

export interface Step {
  action: FunnelAction
  /** The answers of the current page as they were given; a field that is absent keeps its answer. */
  given: Answers
  /** The day in UTC. */
  today: string
}

/**
 * One step of a visitor: the answers of the page are judged, and the rules choose the next page. Going back and skipping
 * judge nothing. A step that the page does not offer is taken as `next`.
 */
export function takeStep(pages: readonly FunnelPage[], visit: Visit, { action, given, today }: Step): StepResult {
  const page = pageById(pages, visit.path.at(-1) ?? '')
  if (!page) return { kind: 'end', visit }
  if (action.type === 'back') return wentBack(pages, visit, page)
  const { answers, faults } =
    action.type === 'skip' && offers(page, action) ? { ...visit, faults: {} } : judged(page, visit, given)
  const answered = { ...visit, answers }
  if (Object.keys(faults).length > 0) return { kind: 'refused', visit: answered, faults }
  const counted = countedAnswers(pages, visit.path, answers)
  const chosen = action.type === 'to' && offers(page, action) ? pageById(pages, action.pageId) : null
  const next = chosen ?? nextPage(pages, page, { answers: counted, today })
  return next
    ? { kind: 'page', visit: { path: pathTo(visit.path, next.id), answers }, page: next }
    : { kind: 'end', visit: answered }
}

/** A page that was shown before is gone back to, so that a path never grows without end. */
function pathTo(path: readonly string[], id: string): readonly string[] {
  const before = path.indexOf(id)
  return before < 0 ? [...path, id] : path.slice(0, before + 1)
}

function wentBack(pages: readonly FunnelPage[], visit: Visit, page: FunnelPage): StepResult {
  const path = visit.path.length > 1 ? visit.path.slice(0, -1) : visit.path
  return { kind: 'page', visit: { ...visit, path }, page: pageById(pages, path.at(-1) ?? '') ?? page }
}

function judged(page: FunnelPage, { answers }: Visit, given: Answers) {
  const faults: Record<string, AnswerFault> = {}
  const kept: Record<string, unknown> = { ...answers }
  for (const field of fieldsOf(page)) {
    const answer = answerTo(Object.hasOwn(given, field.id) ? given : answers, field.id)
    const verdict = judgeAnswer(field, answer)
    if ('fault' in verdict) faults[field.id] = verdict.fault
    else if (verdict.value === null) delete kept[field.id]
    else kept[field.id] = verdict.value
  }
  return { answers: kept, faults }
}

/** Whether a button or a timer of the page takes this step. */
export const offers = (page: FunnelPage, action: FunnelAction): boolean =>
  blocksOf(page, '').some(([block]) => {
    const own = actionOf(block)
    return (
      own?.type === action.type && (own.type !== 'to' || own.pageId === (action.type === 'to' ? action.pageId : ''))
    )
  })

export const actionOf = (block: FunnelBlock): FunnelAction | null =>
  block.type === 'button' ? block.props.action : block.type === 'timer' ? block.props.then : null

/** An action as the value of a button, and back; any other text is `next`. */
export const actionValue = (action: FunnelAction): string =>
  action.type === 'to' ? `to:${action.pageId}` : action.type

export function actionOfValue(value: string): FunnelAction {
  if (value.startsWith('to:')) return { type: 'to', pageId: value.slice(3) }
  return value === 'back' || value === 'skip' ? { type: value } : { type: 'next' }
}
