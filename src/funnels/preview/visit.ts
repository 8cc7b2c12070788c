import type { Answers } from '../../core/funnel/conditions-hold'
import { formAnswers } from '../../core/funnel/form'
import type { FunnelContent, FunnelPage } from '../../core/funnel/model'
import { isObject } from '../../core/funnel/reading'
import { actionOfValue, type StepResult, takeStep, type Visit } from '../../core/funnel/step'
import { pageById } from '../../core/funnel/way'

/** What a preview shows: the page, how far the visitor is, and what was wrong in the last answers. */
export interface PreviewStep {
  page: FunnelPage
  visit: Visit
  faults: Extract<StepResult, { kind: 'refused' }>['faults']
}

/**
 * The step that an address asks for. A preview keeps nothing on the server: the pages that were shown and the answers so
 * far are hidden members of each form. What does not fit the document starts at the first page. Null = no pages.
 */
export function previewStep({ pages }: FunnelContent, form: URLSearchParams, today: string): PreviewStep | null {
  const [first] = pages
  if (!first) return null
  const visit = visitOf(pages, first, form)
  const page = pageById(pages, visit.path.at(-1) ?? '') ?? first
  const action = hasPaid(page, form) ? 'next' : form.get('action')
  if (action === null) return { page, visit, faults: {} }
  const step = takeStep(pages, visit, { action: actionOfValue(action), given: formAnswers(page, form), today })
  const { visit: reached } = step
  if (step.kind === 'refused') return { page, visit: reached, faults: step.faults }
  return { page: step.kind === 'page' ? step.page : page, visit: reached, faults: {} }
}

/** What the buttons of the sheet do in a preview; nothing is made at a store. */
const PAYING = new Set(['pays', 'authenticated', 'check'])

const hasPaid = ({ type }: FunnelPage, form: URLSearchParams): boolean =>
  type === 'payment' && PAYING.has(form.get('pay') ?? '')

function visitOf(pages: FunnelContent['pages'], first: FunnelPage, form: URLSearchParams): Visit {
  const path = (form.get('path') ?? '').split(',').filter((id) => pageById(pages, id))
  return { path: path.length > 0 ? path : [first.id], answers: answersOf(form.get('answers') ?? '') }
}

function answersOf(text: string): Answers {
  try {
    const answers: unknown = JSON.parse(text)
    return isObject(answers) ? answers : {}
  } catch {
    return {} // The address was changed by hand.
  }
}

/** The hidden members of the form that follows. */
export const keptOf = ({ path, answers }: Visit): Record<string, string> => ({
  path: path.join(','),
  answers: JSON.stringify(answers),
})
