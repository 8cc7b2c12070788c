import { slice } from '../../base/slice'
import { bootstrapRoutes } from './routes'

export const bootstrap = slice({ name: 'bootstrap', routes: bootstrapRoutes })
