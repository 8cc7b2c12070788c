import type { Fault } from '../../core/text/fault'
import { jsonFault, textFault } from '../../core/text/json-fault'

/** The most saved views and annotations of a project. */
export const MOST_VIEWS = 200
export const MOST_ANNOTATIONS = 1000

const MOST_BYTES = 8 * 1024
const MOST_LEVELS = 5

/** Everything that is wrong with a view that is about to be saved. */
export const viewFaults = ({ name, params }: { name: string; params: object }): Fault[] => [
  ...faultsAt('name', lineFault(name)),
  ...faultsAt('params', jsonFault(params) ?? sizeFault(params)),
]

/** Everything that is wrong with an annotation; `at` is null for a text that is no time. */
export const annotationFaults = ({ at, text }: { at: number | null; text: string }): Fault[] => [
  ...faultsAt('at', at === null ? 'must be an ISO 8601 time such as 2026-11-20T08:00:00.000Z' : null),
  ...faultsAt('text', text.trim() === '' ? 'must not be blank' : textFault(text)),
]

const faultsAt = (path: string, message: string | null): Fault[] =>
  message === null ? [] : [{ path, message: `${path} ${message}` }]

function lineFault(text: string): string | null {
  if (text.trim() === '') return 'must not be blank'
  return /\p{Cc}/u.test(text) ? 'must not contain line breaks or other control characters' : textFault(text)
}

function sizeFault(params: object): string | null {
  if (levelsOf(params) > MOST_LEVELS) return `must not be nested more than ${MOST_LEVELS} levels`
  const isLarge = Buffer.byteLength(JSON.stringify(params)) > MOST_BYTES
  return isLarge ? `must not be larger than ${MOST_BYTES / 1024} KiB as JSON` : null
}

/** The value is at most as deep as `jsonFault` allows. */
const levelsOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(levelsOf)) : 0
