import { slice } from '../../base/slice'
import { restoreRoutes } from './routes'

export const restore = slice({ name: 'restore', routes: restoreRoutes })
