import { inArray } from 'drizzle-orm'
import type { OnExport } from '../../people/subscribers/hooks'

/** For the data export of a person: which customer of the payment provider the person is. */
export const exportCustomers: OnExport = ({ db, tables: { paymentCustomers: c } }, _project, { ids }) => ({
  'subscriber.json': (async function* () {
    const rows = await db
      .select({ customerId: c.customerId })
      .from(c)
      .where(inArray(c.subscriberId, [...ids]))
    if (rows.length > 0) yield { paymentCustomerIds: rows.map(({ customerId }) => customerId) }
  })(),
})
