import { roundHalfAway } from '../../../core/money/money'
import { activeRows, activesIn, sessionRows, sessionsIn } from '../app-sessions'
import { askedChart } from '../asked'
import { inGroup } from '../chart'
import { countDeliveries, deliveryRows } from '../sent'

/** Of apps and webhooks. */
export const APP = inGroup('app', [
  askedChart({
    id: 'sessions',
    title: 'Sessions',
    unit: 'count',
    definition:
      'How often apps reported that they were opened. The days are those of UTC that begin in the period. Sessions are kept for 400 days.',
    formula: 'number of sessions that were opened',
    valueNames: ['value'],
    askCell: async (handle, scope, cell) => ({ value: (await sessionsIn(handle, scope, cell)).sessions }),
    rows: { value: sessionRows('opens') },
  }),
  askedChart({
    id: 'play-time',
    title: 'Time in the app',
    unit: 'ms',
    definition:
      'The sum of the lengths of sessions that apps reported. The days are those of UTC that begin in the period. Sessions are kept for 400 days.',
    formula: 'sum of session lengths',
    valueNames: ['value'],
    askCell: async (handle, scope, cell) => ({ value: (await sessionsIn(handle, scope, cell)).playMs }),
    rows: { value: sessionRows('playMs') },
  }),
  askedChart({
    id: 'session-length',
    title: 'Length of a session',
    unit: 'ms',
    definition:
      'How long the sessions were on average that apps reported a length of. The days are those of UTC that begin in the period. Sessions are kept for 400 days. An average has no rows.',
    formula: 'sum of session lengths ÷ number of lengths',
    valueNames: ['value'],
    askCell: async (handle, scope, cell) => {
      const { playMs, timed } = await sessionsIn(handle, scope, cell)
      return { value: timed === 0 ? null : roundHalfAway(playMs / timed) }
    },
    rows: {},
  }),
  askedChart({
    id: 'active-users',
    title: 'Active users',
    unit: 'count',
    definition:
      'Subscribers with at least one session event in the period, each counted once: daily actives by day, weekly ones by week, monthly ones by month. The days are those of UTC that begin in the period. Sessions are kept for 400 days.',
    formula: 'number of subscribers with a session event',
    valueNames: ['value'],
    askCell: async (handle, scope, cell) => ({ value: await activesIn(handle, scope, cell) }),
    rows: { value: activeRows() },
  }),
  askedChart({
    id: 'weekly-active-users',
    title: 'Weekly active users',
    unit: 'count',
    definition:
      'Subscribers with at least one session event in the 7 days that end with the last day of the period, each counted once. The days are those of UTC that begin in the period. Sessions are kept for 400 days.',
    formula: 'number of subscribers with a session event in 7 days',
    valueNames: ['value'],
    askCell: async (handle, scope, cell) => ({ value: await activesIn(handle, scope, cell, 7) }),
    rows: { value: activeRows(7) },
  }),
  askedChart({
    id: 'monthly-active-users',
    title: 'Monthly active users',
    unit: 'count',
    definition:
      'Subscribers with at least one session event in the 30 days that end with the last day of the period, each counted once. The days are those of UTC that begin in the period. Sessions are kept for 400 days.',
    formula: 'number of subscribers with a session event in 30 days',
    valueNames: ['value'],
    askCell: async (handle, scope, cell) => ({ value: await activesIn(handle, scope, cell, 30) }),
    rows: { value: activeRows(30) },
  }),
  askedChart({
    id: 'stickiness',
    title: 'Stickiness',
    unit: 'share',
    definition:
      'Of the subscribers who were active in the 30 days that end with the last day of the period, the share that was active on that day. Its rows are those who were active on it. The days are those of UTC that begin in the period. Sessions are kept for 400 days.',
    formula: 'active on the last day ÷ active in 30 days',
    valueNames: ['value'],
    askCell: async (handle, scope, cell) => {
      const month = await activesIn(handle, scope, cell, 30)
      return { value: month === 0 ? null : (await activesIn(handle, scope, cell, 1)) / month }
    },
    rows: { value: activeRows(1) },
    rowUnit: 'count',
  }),
  askedChart({
    id: 'webhook-deliveries',
    title: 'Webhook deliveries',
    unit: 'count',
    definition:
      'Deliveries to webhook endpoints that were made in the period. Tests and skipped ones do not count. Deliveries that are no longer in the log are not counted any more.',
    formula: 'number of deliveries',
    valueNames: ['value'],
    askCell: async (handle, scope, cell) => ({ value: (await countDeliveries(handle, scope, cell)).made }),
    rows: { value: deliveryRows('ALL') },
  }),
  askedChart({
    id: 'webhook-success',
    title: 'Webhook success',
    unit: 'share',
    definition:
      'The share of the deliveries to webhook endpoints made in the period that the receiver has taken by now. Tests and skipped ones do not count. Deliveries that are no longer in the log are not counted any more. Its rows are those that it has taken.',
    formula: 'succeeded ÷ deliveries',
    valueNames: ['value'],
    askCell: async (handle, scope, cell) => {
      const { made, succeeded } = await countDeliveries(handle, scope, cell)
      return { value: made === 0 ? null : succeeded / made }
    },
    rows: { value: deliveryRows('SUCCEEDED') },
    rowUnit: 'count',
  }),
])
