import { askedChart } from '../asked'
import { countCreated, createdRows } from '../created'

export const newSubscribers = askedChart({
  id: 'new-subscribers',
  title: 'New subscribers',
  unit: 'count',
  definition:
    'Subscribers that were created in the cell: by a device, by your server, by a message of a store or by an import. One that is merged with another later still counts.',
  formula: 'number of subscribers by the time of their creation',
  valueNames: ['value'],
  askCell: async (handle, scope, cell) => ({ value: await countCreated(handle, scope, cell) }),
  rows: { value: createdRows },
})
