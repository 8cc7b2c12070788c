import type { Fault } from '../../core/text/fault'
import { eventFault, FIRST_SEEN } from '../cohorts/model'
import type { LeaderboardMeasure } from './model'

/** Everything that is wrong with what a leaderboard counts. `isCurrency`: the project has it, and it is not archived. */
export function measureFaults(
  { metric, currencyId, eventType }: LeaderboardMeasure,
  isCurrency: (id: string) => boolean,
): Fault[] {
  return [
    ...faultAt(
      'currencyId',
      metric === 'currency' ? currencyFault(currencyId, isCurrency) : unusedFault(currencyId, 'currency'),
    ),
    ...faultAt('eventType', metric === 'event' ? typeFault(eventType) : unusedFault(eventType, 'event')),
  ]
}

const unusedFault = (value: string | null, metric: string): string | null =>
  value === null ? null : `is only for the metric ${metric}`

function currencyFault(currencyId: string | null, isCurrency: (id: string) => boolean): string | null {
  if (currencyId === null) return 'is required for the metric currency'
  return isCurrency(currencyId) ? null : 'must be a currency of this project that is not archived'
}

function typeFault(eventType: string | null): string | null {
  if (eventType === null) return 'is required for the metric event'
  if (eventType === FIRST_SEEN) return 'must be an event that can happen more than once'
  return eventFault(eventType)
}

const faultAt = (path: string, message: string | null): Fault[] =>
  message === null ? [] : [{ path, message: `${path} ${message}` }]
