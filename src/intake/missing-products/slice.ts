import { slice } from '../../base/slice'
import { missingProductRoutes } from './operator-routes'

/** Store products that people bought and the catalogue lacks. */
export const missingProducts = slice({ name: 'missing-products', operatorRoutes: missingProductRoutes })
