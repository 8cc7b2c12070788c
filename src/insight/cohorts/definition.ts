import { DAY } from '../../base/lib/clock'
import { parseIso } from '../../base/lib/time'
import type { Fault } from '../../core/text/fault'
import { textFault } from '../../core/text/json-fault'
import { type CohortDefinition, type CohortFilters, eventFault } from './model'

const LAST_DAYS = /^P([1-9]\d{0,3})D$/
const ATTRIBUTE = /^[A-Za-z0-9_.-]{1,40}$/
const MOST_ATTRIBUTES = 10

/** Instants of events that count, both included. */
export interface Span {
  from: number
  to: number
}

/** When an event must have happened, asked at `now`. What an app has dated into the future does not count yet. */
export function spanOf({ within }: CohortDefinition, now: number): Span {
  if (within === undefined) return { from: 0, to: now }
  if (typeof within === 'string') return { from: now - daysIn(within) * DAY, to: now }
  return { from: parseIso(within.from) ?? 0, to: Math.min(now, (parseIso(within.to) ?? 0) - 1) }
}

const daysIn = (within: string): number => Number(LAST_DAYS.exec(within)?.[1] ?? 0)

/** Everything that is wrong with a definition, with its place: `definition.within.to`. */
export function definitionFaults(definition: CohortDefinition, isProduct: (id: string) => boolean): Fault[] {
  const { event, within, filters = {} } = definition
  return [
    ...faultAt('definition.event', eventFault(event)),
    ...withinFaults(within),
    ...filterFaults(filters, isProduct),
  ]
}

function withinFaults(within: CohortDefinition['within']): Fault[] {
  if (within === undefined) return []
  const place = 'definition.within'
  if (typeof within === 'string')
    return faultAt(place, LAST_DAYS.test(within) ? null : 'must be a number of days such as P30D, or {from, to}')
  const [from, to] = [parseIso(within.from), parseIso(within.to)]
  const isOrdered = from === null || to === null || from < to
  return [
    ...faultAt(`${place}.from`, from === null ? NO_TIME : null),
    ...faultAt(`${place}.to`, to === null ? NO_TIME : isOrdered ? null : 'must be after from'),
  ]
}

const NO_TIME = 'must be an ISO 8601 time such as 2026-11-20T08:00:00.000Z'

function filterFaults({ productId, country, attributes }: CohortFilters, isProduct: (id: string) => boolean): Fault[] {
  const names = Object.keys(attributes ?? {})
  const place = 'definition.filters'
  return [
    ...faultAt(
      `${place}.productId`,
      productId === undefined || isProduct(productId) ? null : 'must be a product of this project',
    ),
    ...faultAt(`${place}.country`, country === undefined ? null : textFault(country)),
    ...faultAt(`${place}.attributes`, names.length > MOST_ATTRIBUTES ? `must be at most ${MOST_ATTRIBUTES}` : null),
    ...Object.entries(attributes ?? {}).flatMap(([name, value]) => [
      ...faultAt(`${place}.attributes`, ATTRIBUTE.test(name) ? null : 'must be keys of custom attributes'),
      ...faultAt(`${place}.attributes.${name}`, textFault(value)),
    ]),
  ]
}

const faultAt = (path: string, message: string | null): Fault[] =>
  message === null ? [] : [{ path, message: `${path} ${message}` }]
