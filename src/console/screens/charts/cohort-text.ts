import type { Schemas } from '../../api/schemas'
import type { Texts } from '../../text/catalogue'

/** When the event of a cohort happened, in words. */
export function withinText(t: Texts['charts'], { within }: Schemas['CohortDefinition']): string {
  if (within === undefined) return t.anyTime
  if (typeof within === 'string') return t.lastDays(Number(within.slice(1, -1)))
  return `${within.from.slice(0, 10)} – ${within.to.slice(0, 10)}`
}
