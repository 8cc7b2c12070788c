import { slice } from '../../base/slice'
import { missingProductRoutes } from './operator-routes'
import { sumsReader } from './sums-reader'

/** Store products that people bought and the catalogue lacks. */
export const missingProducts = slice({
  name: 'missing-products',
  state: { waitingSums: sumsReader },
  operatorRoutes: missingProductRoutes,
})
