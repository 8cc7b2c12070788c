import { slice } from '../../base/slice'
import { docsRoutes } from './routes'

export const apiDocs = slice({ name: 'api-docs', publicRoutes: docsRoutes })
