import { type Answers, answerTo, conditionsHold, type Moment } from './conditions-hold'
import { SCORE } from './fields'
import type { FunnelField, FunnelPage } from './model'

type Pages = readonly FunnelPage[]

export const pageById = (pages: Pages, id: string): FunnelPage | null => pages.find((page) => page.id === id) ?? null

/** The fields of a page. A page of type `email` without an address field has one all the same, `email`. */
export function fieldsOf({ type, fields }: FunnelPage): readonly FunnelField[] {
  if (type !== 'email' || fields.some(({ kind }) => kind === 'email')) return fields
  return [...fields, EMAIL]
}

const EMAIL: FunnelField = { id: 'email', kind: 'email', required: true, options: [], min: null, max: null }

/** The answers that count: those of pages in the path, with the score of the chosen options (funnels 11). */
export function countedAnswers(pages: Pages, path: readonly string[], answers: Answers): Answers {
  const asked = pages.filter(({ id }) => path.includes(id)).flatMap(fieldsOf)
  const counted = asked.filter(({ id }) => Object.hasOwn(answers, id)).map(({ id }) => [id, answers[id]] as const)
  return { ...Object.fromEntries(counted), [SCORE]: scoreOf(asked, answers) }
}

/** Whether the visitor was asked for consent on the path, and accepted every one. */
export function hasConsented(pages: Pages, path: readonly string[], answers: Answers): boolean {
  const asked = pages.filter(({ id }) => path.includes(id)).flatMap(fieldsOf)
  const given = asked.filter(({ id, kind }) => kind === 'consent' && answerTo(answers, id) !== null)
  return given.length > 0 && given.every(({ id }) => answerTo(answers, id) === true)
}

function scoreOf(fields: readonly FunnelField[], answers: Answers): number {
  return fields.reduce((sum, { id, options }) => {
    const chosen = [answerTo(answers, id)].flat()
    return sum + options.reduce((own, option) => own + (chosen.includes(option.id) ? (option.value ?? 0) : 0), 0)
  }, 0)
}

/** The page after this one: the first rule that matches, else the default; null = the end, or a page that is gone. */
export function nextPage(pages: Pages, { next }: FunnelPage, moment: Moment): FunnelPage | null {
  const rule = next.rules.find((candidate) => conditionsHold(candidate, moment))
  const id = rule?.to ?? next.default
  return id === null ? null : pageById(pages, id)
}

/** How far a visitor is, from 0 to 1: the pages behind, of those on the longest way from here on. */
export function progressAt(pages: Pages, path: readonly string[]): number {
  const behind = Math.max(path.length - 1, 0)
  const current = path.at(-1)
  const ahead = current === undefined ? 0 : longestFrom(pages, current, new Set(path.slice(0, -1)))
  return behind + ahead === 0 ? 1 : behind / (behind + ahead)
}

const MOST_STEPS = 2000

/** The number of pages after this one on the longest way; a page counts once, and the search is bounded. */
function longestFrom(pages: Pages, from: string, passed: ReadonlySet<string>): number {
  const exits = new Map(pages.map(({ id, next }) => [id, [...next.rules.map(({ to }) => to), next.default]]))
  const known = new Map<string, number>()
  let steps = 0
  const walk = (id: string, trail: ReadonlySet<string>): number => {
    const found = known.get(id)
    if (found !== undefined || ++steps > MOST_STEPS) return found ?? 0
    const here = new Set([...trail, id])
    const ahead = (exits.get(id) ?? []).filter((to) => to !== null && exits.has(to) && !here.has(to)) as string[]
    const length = ahead.length === 0 ? 0 : 1 + Math.max(...ahead.map((to) => walk(to, here)))
    known.set(id, length)
    return length
  }
  return walk(from, passed)
}
