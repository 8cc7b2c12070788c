import { slice } from '../../base/slice'
import { relinkCron, relinkJob } from './jobs'
import { relinkWritten } from './on-products-written'
import { relinkOperatorRoutes } from './operator-routes'

export const relink = slice({
  name: 'relink',
  operatorRoutes: relinkOperatorRoutes,
  onProductsWritten: relinkWritten,
  jobs: [relinkJob],
  cron: relinkCron,
})
