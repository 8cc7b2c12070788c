import { slice } from '../../base/slice'
import { androidAcknowledge } from './acknowledge'
import { androidNotificationRoutes } from './notification-routes'
import { androidReceiptRoutes } from './receipt-routes'

export const androidIntake = slice({
  name: 'android-intake',
  routes: androidReceiptRoutes,
  publicRoutes: androidNotificationRoutes,
  jobs: [androidAcknowledge],
})
