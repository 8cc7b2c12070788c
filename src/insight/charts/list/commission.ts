import { entryChart } from '../chart'
import { flow } from '../figure'

export const commission = entryChart({
  id: 'commission',
  title: 'Commission of the stores',
  unit: 'USD',
  definition:
    'What the stores keep of the charges: the rates of the project, else 15 % of Google subscriptions, and of other iOS and Android purchases 30 % in their first year and 15 % after it. The year begins with the first paid charge. Returned money gives its commission back.',
  formula: 'sum of charge × rate − what refunds give back',
  values: { value: flow({ commission: 1 }) },
  unconverted: flow({ unconverted: 1 }),
})
