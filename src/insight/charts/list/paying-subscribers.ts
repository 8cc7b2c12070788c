import { peopleChart } from '../asked'
import { countCustomers, customerRows } from '../customers'

export const payingSubscribers = peopleChart({
  id: 'paying-subscribers',
  title: 'Paying subscribers',
  unit: 'count',
  definition: 'Subscribers who were charged more than nothing in the cell, each counted once.',
  formula: 'number of subscribers with a charge above zero',
  valueNames: ['value'],
  askCell: async (handle, scope, cell) => ({ value: await countCustomers(handle, scope, cell, 'PAYING') }),
  rows: { value: customerRows('PAYING') },
})
