import { slice } from '../../base/slice'
import { guideRoutes } from './routes'

export const guide = slice({ name: 'guide', publicRoutes: guideRoutes })
