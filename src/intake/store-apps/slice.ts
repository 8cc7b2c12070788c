import { slice } from '../../base/slice'
import { storeStatusRoutes } from './routes'

export const storeApps = slice({ name: 'store-apps', operatorRoutes: storeStatusRoutes })
