import { AGES, nameOfAge, retainedRows, usersRetained } from '../app-retention'
import { askedChart } from '../asked'
import { inGroup } from '../chart'
import { holderRows, ledgerRows, readLedger } from '../currency-ledger'
import { exposureRows, readExposures } from '../exposures'
import { type Counts, ownGroupChart } from '../own-groups'
import { placementRows, readPlacements } from '../placement-exposures'

const heldIn = ({ issued = 0, spent = 0, withdrawn = 0, transferred = 0 }: Counts): number =>
  issued - spent - withdrawn + transferred

/** Of app users, currencies, experiments and placements. */
export const USAGE = inGroup('usage', [
  askedChart({
    id: 'user-retention',
    title: 'Retention of app users',
    unit: 'share',
    definition:
      'The subscribers whose first session event fell on a day of the period, and the share of them that was active 1, 7, 14 and 30 days later, on that day itself. A share appears when that day is over for all of them. The days are those of UTC that begin in the period. Sessions are kept for 400 days. Its rows are those that were active.',
    formula: 'active n days after the first day ÷ first active in the period',
    valueNames: AGES.map(nameOfAge),
    askCell: usersRetained,
    rows: Object.fromEntries(AGES.map((age) => [nameOfAge(age), retainedRows(age)])),
    rowUnit: 'count',
  }),
  ownGroupChart({
    id: 'virtual-currency',
    title: 'Virtual currencies',
    unit: 'count',
    definition:
      'What was granted, what was spent, what was withdrawn by refunds and expiry, and what moved between subscribers; start and end are what all subscribers hold. The groups are the currencies by their codes, without being asked for; the totals add up amounts of all of them. Name a group to open its rows.',
    formula: 'start + issued − spent − withdrawn + transferred = end',
    valueNames: ['start', 'issued', 'spent', 'withdrawn', 'transferred', 'end'],
    read: readLedger,
    valuesOf: (within, until) => {
      const { issued = 0, spent = 0, withdrawn = 0, transferred = 0 } = within
      const end = heldIn(until)
      return { start: end - heldIn(within), issued, spent, withdrawn, transferred, end }
    },
    rows: {
      start: holderRows('start'),
      issued: ledgerRows('issued'),
      spent: ledgerRows('spent'),
      withdrawn: ledgerRows('withdrawn'),
      transferred: ledgerRows('transferred'),
      end: holderRows('end'),
    },
  }),
  ownGroupChart({
    id: 'experiment-conversion',
    title: 'Exposure and conversion of experiments',
    unit: 'count',
    definition:
      'Subscribers who were first exposed to an experiment in the period, and those of them who have converted by now as its results count it: by an event of a client or, where purchases are a metric, by buying while it ran. The groups are the variants as key/variant, without being asked for. Name a group to open its rows.',
    formula: 'numbers of first exposures and of those that converted',
    valueNames: ['exposed', 'converted'],
    read: readExposures,
    valuesOf: ({ exposed = 0, converted = 0 }) => ({ exposed, converted }),
    rows: { exposed: exposureRows('EXPOSED'), converted: exposureRows('CONVERTED') },
  }),
  ownGroupChart({
    id: 'placement-conversion',
    title: 'Exposure and purchases of placements',
    unit: 'count',
    definition:
      'Subscribers who were first exposed to an experiment in the period where the app named a placement of the project, and those of them who bought in production afterwards, by now, with a receipt that names the same placement. The groups are the placements, without being asked for. Name a group to open its rows.',
    formula: 'numbers of exposures at a placement and of those followed by a purchase there',
    valueNames: ['shown', 'bought'],
    read: readPlacements,
    valuesOf: ({ shown = 0, bought = 0 }) => ({ shown, bought }),
    rows: { shown: placementRows('SHOWN'), bought: placementRows('BOUGHT') },
  }),
])
