import { slice } from '../../base/slice'
import { previewOperatorRoutes, previewPageRoutes } from './routes'

export const funnelPreview = slice({
  name: 'funnel-preview',
  operatorRoutes: previewOperatorRoutes,
  publicRoutes: previewPageRoutes,
})
