import { slice } from '../../base/slice'
import { checkoutExamination } from './doctor'
import { checkoutRoutes } from './routes'

export const checkout = slice({
  name: 'checkout',
  tags: [{ name: 'Commerce', description: 'Receipts, offer signatures, offerings, checkout and the billing portal.' }],
  routes: checkoutRoutes,
  doctor: checkoutExamination,
})
