import { askedChart } from '../asked'
import { countDeliveries, deliveryRows } from '../sent'

export const webhookSuccess = askedChart({
  id: 'webhook-success',
  title: 'Webhook success',
  unit: 'share',
  definition:
    'The share of the deliveries to webhook endpoints made in the cell that the receiver has taken by now. Tests and skipped ones do not count. Deliveries that are no longer in the log are not counted any more. Its rows are those that it has taken.',
  formula: 'succeeded ÷ deliveries',
  valueNames: ['value'],
  askCell: async (handle, scope, cell) => {
    const { made, succeeded } = await countDeliveries(handle, scope, cell)
    return { value: made === 0 ? null : succeeded / made }
  },
  rows: { value: deliveryRows('SUCCEEDED') },
  rowUnit: 'count',
})
