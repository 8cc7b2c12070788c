import { roundHalfAway } from '../../../core/money/money'
import { type ChartAbout, type ChartValues, type FilterName, inGroup } from '../chart'
import { funnelMoneyRows, readFunnelMoney, readSessionMoney } from '../funnel-money'
import {
  readSessions,
  readSteps,
  type SessionFact,
  type SessionGroup,
  sessionFactRows,
  stepRows,
} from '../funnel-sessions'
import { type Counts, ownGroupChart } from '../own-groups'

const filters: readonly FilterName[] = ['environment']
const KEPT = 'Sessions without a payment are kept for 30 days after the last step.'
const BY_FUNNEL = 'The groups are the funnels, without being asked for. Name a group to open its rows.'

/** A chart of what became of the sessions that started in a cell. */
const sessionChart = (
  about: Omit<ChartAbout, 'filters' | 'unit'>,
  facts: Readonly<Record<string, SessionFact>>,
  by: SessionGroup = 'funnel',
) => {
  const names = Object.entries(facts)
  return ownGroupChart({
    ...about,
    unit: 'count',
    filters,
    valueNames: Object.keys(facts),
    read: readSessions(by),
    valuesOf: (within): ChartValues => Object.fromEntries(names.map(([name, fact]) => [name, within[fact] ?? 0])),
    rows: Object.fromEntries(names.map(([name, fact]) => [name, sessionFactRows(fact, by)])),
  })
}

const shareOf =
  (part: SessionFact, whole: SessionFact) =>
  (within: Counts): ChartValues => {
    const all = within[whole] ?? 0
    return { value: all === 0 ? null : (within[part] ?? 0) / all }
  }

/** Of web funnels: sessions, steps, payments and money. */
export const FUNNELS = inGroup('funnels', [
  sessionChart(
    {
      id: 'funnel-sessions',
      title: 'Sessions in funnels',
      definition: `Visits to published funnels that began in the period. Previews do not count. ${KEPT} ${BY_FUNNEL}`,
      formula: 'number of sessions that began',
    },
    { value: 'started' },
  ),
  sessionChart(
    {
      id: 'funnel-conversion',
      title: 'Conversion of funnels',
      definition: `Sessions that began in the period, those of them that have reached the end by now, and those in which something was bought. A payment counts in the environment of what was bought. ${KEPT} ${BY_FUNNEL}`,
      formula: 'numbers of sessions that began, that reached the end, and with a payment',
    },
    { started: 'started', finished: 'finished', paid: 'paid' },
  ),
  ownGroupChart({
    id: 'funnel-paid-share',
    title: 'Sessions of funnels with a payment',
    unit: 'share',
    filters,
    definition: `Of the sessions that began in the period, the share in which something was bought by now. Its rows are those sessions. A payment counts in the environment of what was bought. ${KEPT} ${BY_FUNNEL}`,
    formula: 'sessions with a payment ÷ sessions that began',
    valueNames: ['value'],
    read: readSessions('funnel'),
    valuesOf: shareOf('paid', 'started'),
    rows: { value: sessionFactRows('paid', 'funnel') },
    rowUnit: 'count',
  }),
  ownGroupChart({
    id: 'funnel-steps',
    title: 'Conversion of funnels by step',
    unit: 'count',
    definition: `How many of the sessions that began in the period saw each page, and how many of them went on from it. Steps belong to no environment. ${KEPT} The groups are the pages as funnel/page, without being asked for; the totals add up all pages. Name a group to open its rows.`,
    formula: 'numbers of sessions that saw a page and of those that went on from it',
    valueNames: ['viewed', 'advanced'],
    read: readSteps,
    valuesOf: ({ viewed = 0, advanced = 0 }) => ({ viewed, advanced }),
    rows: { viewed: stepRows('viewed'), advanced: stepRows('advanced') },
  }),
  sessionChart(
    {
      id: 'funnel-sources',
      title: 'Sessions in funnels by source',
      definition: `Sessions that began in the period, and those of them in which something was bought by now, by the utm_source of the address. A payment counts in the environment of what was bought. ${KEPT} The groups are the sources, without being asked for; the empty one is of sessions without a source. Name a group to open its rows.`,
      formula: 'numbers of sessions that began and of those with a payment',
    },
    { started: 'started', paid: 'paid' },
    'source',
  ),
  ownGroupChart({
    id: 'funnel-revenue',
    title: 'Revenue of funnels',
    unit: 'USD',
    filters,
    definition: `Charges of purchases that were made in a funnel, on the day of the charge, renewals too; what was given back of them, on the day when it was given back; and the difference. ${BY_FUNNEL}`,
    formula: 'gross − refunds = net',
    valueNames: ['gross', 'refunds', 'net'],
    read: readFunnelMoney,
    valuesOf: ({ gross = 0, refunds = 0 }) => ({ gross, refunds, net: gross - refunds }),
    rows: { gross: funnelMoneyRows('gross'), refunds: funnelMoneyRows('refunds'), net: funnelMoneyRows('net') },
  }),
  ownGroupChart({
    id: 'funnel-session-value',
    title: 'Revenue of a funnel session',
    unit: 'USD',
    filters,
    definition: `What the sessions that began in the period have brought by now on average: charges less refunds, renewals too. An average has no rows. ${KEPT} The groups are the funnels, without being asked for.`,
    formula: 'net of the purchases of the sessions ÷ sessions that began',
    valueNames: ['value'],
    read: readSessionMoney,
    valuesOf: ({ sessions = 0, micros = 0 }) => ({ value: sessions === 0 ? null : roundHalfAway(micros / sessions) }),
    rows: {},
  }),
  ownGroupChart({
    id: 'funnel-claim-share',
    title: 'Purchases of funnels opened in the app',
    unit: 'share',
    filters,
    definition: `Of the sessions that began in the period and in which something was bought, the share whose purchase was claimed in the app by now. Its rows are those sessions. ${BY_FUNNEL}`,
    formula: 'claimed ÷ sessions with a payment',
    valueNames: ['value'],
    read: readSessions('funnel'),
    valuesOf: shareOf('claimed', 'paid'),
    rows: { value: sessionFactRows('claimed', 'funnel') },
    rowUnit: 'count',
  }),
])
