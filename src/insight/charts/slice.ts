import { slice } from '../../base/slice'
import { chartRoutes } from './routes'

export const charts = slice({ name: 'charts', operatorRoutes: chartRoutes })
