import { slice } from '../../base/slice'
import { catalogRoutes } from './routes'

export const offerings = slice({ name: 'offerings', routes: catalogRoutes })
