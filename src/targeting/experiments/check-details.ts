import { MAX_INSTANT } from '../../base/lib/time'
import { isAttributeName, NAMES_AN_ATTRIBUTE } from '../../core/flag/names'
import type { Fault } from '../../core/text/fault'
import { jsonFault } from '../../core/text/json-fault'

const MAX_METRICS = 50
const MAX_LABEL_CHARACTERS = 255
const MAX_ID_CHARACTERS = 40

export interface ExperimentDetails {
  name: string
  metrics: readonly string[]
  mutualExclusionGroup: string | null
  bucketBy: string | null
  placementId: string | null
  scheduledStartAt: number | null
  scheduledStopAt: number | null
}

/** What is wrong apart from key, type and variants; `before` null = new. A time that changes must be in the future. */
export function checkDetails(wanted: ExperimentDetails, before: ExperimentDetails | null, now: number): Fault[] {
  const { name, metrics, mutualExclusionGroup: group, placementId, bucketBy } = wanted
  const found: [path: string, message: string | null][] = [
    ['name', labelFault(name)],
    ...metricFaults(metrics),
    ['mutualExclusionGroup', group === null ? null : labelFault(group)],
    ['bucketBy', bucketBy === null || isAttributeName(bucketBy) ? null : NAMES_AN_ATTRIBUTE],
    ['placementId', placementId === null ? null : labelFault(placementId, MAX_ID_CHARACTERS)],
    ['scheduledStartAt', timeFault(wanted.scheduledStartAt, before?.scheduledStartAt ?? null, now)],
    ['scheduledStopAt', timeFault(wanted.scheduledStopAt, before?.scheduledStopAt ?? null, now)],
    ['scheduledStopAt', orderFault(wanted)],
  ]
  return found.flatMap(([path, message]) => (message === null ? [] : [{ path, message: `${path} ${message}` }]))
}

function labelFault(text: unknown, max = MAX_LABEL_CHARACTERS): string | null {
  const isLabel = typeof text === 'string' && text.trim() !== '' && text.length <= max
  return isLabel ? jsonFault(text) : `must be a text of 1 to ${max} characters`
}

function metricFaults(metrics: unknown): [path: string, message: string | null][] {
  if (!Array.isArray(metrics)) return [['metrics', 'must be a list']]
  if (metrics.length > MAX_METRICS)
    return [['metrics', `must not be more than ${MAX_METRICS}, and there are ${metrics.length}`]]
  return metrics.map((metric: unknown, index) => [`metrics[${index}]`, labelFault(metric)])
}

function timeFault(at: unknown, before: number | null, now: number): string | null {
  if (at === null || at === before) return null
  if (typeof at !== 'number' || !Number.isInteger(at) || at < 0 || at > MAX_INSTANT) return 'must be a time'
  return at > now ? null : 'must lie ahead; leave it out to start or stop by hand'
}

const orderFault = ({ scheduledStartAt: start, scheduledStopAt: stop }: ExperimentDetails): string | null =>
  start !== null && stop !== null && stop <= start ? 'must come after scheduledStartAt' : null

/** An experiment whose end has passed would be stopped as soon as it runs, and that is final. */
export const endFaults = ({ scheduledStopAt }: Pick<ExperimentDetails, 'scheduledStopAt'>, now: number): Fault[] =>
  scheduledStopAt !== null && scheduledStopAt <= now
    ? [{ path: 'scheduledStopAt', message: 'scheduledStopAt has passed; move it or remove it first' }]
    : []
