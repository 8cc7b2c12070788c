import { entryChart } from '../chart'
import { atEnd } from '../figure'

export const autoRenewing = entryChart({
  id: 'auto-renewing',
  title: 'Subscriptions that are to renew',
  unit: 'count',
  definition:
    'Subscriptions that have not ended at the end of the cell and whose auto-renewal is on. Without a word of the store it is on.',
  formula: 'number of subscriptions with auto-renewal',
  values: { value: atEnd('renewing') },
})
