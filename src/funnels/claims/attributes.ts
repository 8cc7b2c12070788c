import type { Answers } from '../../core/funnel/conditions-hold'
import type { FunnelPage } from '../../core/funnel/model'
import { fieldsOf } from '../../core/funnel/way'
import { applyAttributes } from '../../people/subscribers/attributes'
import type { StoredAttributes } from '../../people/subscribers/tables'

/** What answers become of a subscriber: attributes by key, of the fields that name one. */
export function answeredAttributes(pages: readonly FunnelPage[], answers: Answers): [key: string, value: string][] {
  return pages.flatMap(fieldsOf).flatMap(({ id, attribute, sensitive }) => {
    const value = Object.hasOwn(answers, id) ? textOf(answers[id]) : null
    // An attribute is shown in many places, so a sensitive answer never becomes one.
    return attribute === undefined || sensitive || value === null ? [] : [[attribute, value]]
  })
}

/** Chosen options are joined by commas. Null for no answer. */
function textOf(answer: unknown): string | null {
  if (Array.isArray(answer)) return answer.length === 0 ? null : answer.join(',')
  if (typeof answer === 'number' || typeof answer === 'boolean') return String(answer)
  return typeof answer === 'string' && answer !== '' ? answer : null
}

/** The attributes with the answers. One that breaks a rule of attributes, or has no room, is left out and counted. */
export function withAnswers(
  stored: StoredAttributes,
  answered: readonly (readonly [key: string, value: string])[],
  rules: { now: number; extraReservedKeys: boolean },
): { attributes: StoredAttributes; dropped: number } {
  let attributes = stored
  let dropped = 0
  for (const [key, value] of answered) {
    const result = applyAttributes(attributes, { [key]: value }, { ...rules, source: 'funnel' })
    if (result.ok) attributes = result.attributes
    else dropped++
  }
  return { attributes, dropped }
}
