import { slice } from '../../base/slice'
import { customerTables } from './customer-tables'
import { linkSale } from './link-sale'
import { paymentEventRoutes } from './notification-routes'
import { eraseCustomers, exportCustomers } from './personal-data'

export const paymentIntake = slice({
  name: 'payment-intake',
  tables: customerTables,
  cachedRows: { paymentCustomers: 'NOBODY' },
  onErase: eraseCustomers,
  personalData: { paymentCustomers: 'ERASED' },
  exportedRows: { paymentCustomers: 'subscriber.json' },
  onExport: exportCustomers,
  linkSale,
  publicRoutes: paymentEventRoutes,
})
