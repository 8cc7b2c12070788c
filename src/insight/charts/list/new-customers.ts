import { countChart } from '../counted-people'
import { customerRows } from '../customers'

export const newCustomers = countChart({
  id: 'new-customers',
  title: 'New customers',
  unit: 'count',
  definition:
    'Subscribers who were charged more than nothing in the cell and never before it. With a filter or in a group only the charges of that count.',
  formula: 'number of subscribers with their first charge above zero',
  question: 'NEW',
  rows: { value: customerRows('NEW') },
})
