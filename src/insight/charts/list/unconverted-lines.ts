import { entryChart } from '../chart'
import { flow } from '../figure'

export const unconvertedLines = entryChart({
  id: 'unconverted-lines',
  title: 'Money lines without a rate',
  unit: 'count',
  definition:
    'Charges and refunds that no chart of money can count, because no exchange rate is known for their currency on their day or earlier.',
  formula: 'number of money lines without a rate',
  values: { value: flow({ unconverted: 1 }) },
})
