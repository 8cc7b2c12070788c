import { holderRows, ledgerRows, readLedger } from '../currency-ledger'
import { type Counts, ownGroupChart } from '../own-groups'

const heldIn = ({ issued = 0, spent = 0, withdrawn = 0, transferred = 0 }: Counts): number =>
  issued - spent - withdrawn + transferred

export const virtualCurrency = ownGroupChart({
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
})
