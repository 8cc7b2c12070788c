import { slice } from '../../base/slice'
import { storeCommand } from './command'
import { storeStatusRoutes } from './routes'

export const storeApps = slice({
  name: 'store-apps',
  operatorRoutes: storeStatusRoutes,
  commands: [storeCommand],
})
