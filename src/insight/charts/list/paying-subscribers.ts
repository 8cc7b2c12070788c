import { countChart } from '../counted-people'
import { customerRows } from '../customers'

export const payingSubscribers = countChart({
  id: 'paying-subscribers',
  title: 'Paying subscribers',
  unit: 'count',
  definition: 'Subscribers who were charged more than nothing in the cell, each counted once.',
  formula: 'number of subscribers with a charge above zero',
  question: 'PAYING',
  rows: { value: customerRows('PAYING') },
})
