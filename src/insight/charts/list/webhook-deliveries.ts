import { askedChart } from '../asked'
import { countDeliveries, deliveryRows } from '../sent'

export const webhookDeliveries = askedChart({
  id: 'webhook-deliveries',
  title: 'Webhook deliveries',
  unit: 'count',
  definition:
    'Deliveries to webhook endpoints that were made in the cell. Tests and skipped ones do not count. Deliveries that are no longer in the log are not counted any more.',
  formula: 'number of deliveries',
  valueNames: ['value'],
  askCell: async (handle, scope, cell) => ({ value: (await countDeliveries(handle, scope, cell)).made }),
  rows: { value: deliveryRows('ALL') },
})
