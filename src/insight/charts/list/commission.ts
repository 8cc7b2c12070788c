import { entryChart } from '../chart'
import { flow } from '../figure'

export const commission = entryChart({
  id: 'commission',
  title: 'Commission of the stores',
  unit: 'USD',
  definition:
    'What the stores keep of the charges: the rates of the project, else 30 % of iOS and Android purchases in their first year and 15 % after it. Returned money gives its commission back.',
  formula: 'sum of charge × rate − what refunds give back',
  values: { value: flow({ commission: 1 }) },
  unconverted: flow({ unconverted: 1 }),
})
