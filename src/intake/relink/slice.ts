import { slice } from '../../base/slice'
import { missingProductsExamination } from './doctor'
import { relinkCron, relinkJob } from './jobs'
import { relinkWritten } from './on-products-written'
import { relinkOperatorRoutes } from './operator-routes'

export const relink = slice({
  name: 'relink',
  doctor: missingProductsExamination,
  operatorRoutes: relinkOperatorRoutes,
  onProductsWritten: relinkWritten,
  jobs: [relinkJob],
  cron: relinkCron,
})
