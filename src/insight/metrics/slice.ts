import { slice } from '../../base/slice'
import { metricOperatorRoutes, metricRoutes } from './routes'

export const metrics = slice({ name: 'metrics', operatorRoutes: metricOperatorRoutes, publicRoutes: metricRoutes })
