import { slice } from '../../base/slice'
import { webhookCommand } from './command'
import { ENDPOINT_DISABLED } from './disable'
import { webhookExamination } from './doctor'
import { webhookDeliveries } from './kind'
import { webhookOperatorRoutes } from './operator-routes'
import { endpointSection } from './project-file/section'
import { searchEndpoints } from './search'
import { webhookTables } from './tables'

declare module '../../base/lib/ids' {
  interface IdPrefixes {
    whe: string
  }
}

/** Addresses of the customer that get the events of a project, signed. */
export const webhooks = slice({
  name: 'webhooks',
  tables: webhookTables,
  cachedRows: { webhookEndpoints: 'NOBODY' },
  personalData: { webhookEndpoints: 'NOTHING' },
  projectFile: [endpointSection],
  operatorRoutes: webhookOperatorRoutes,
  deliveryKind: webhookDeliveries,
  noticeKinds: [ENDPOINT_DISABLED],
  searchObjects: searchEndpoints,
  doctor: webhookExamination,
  commands: [webhookCommand],
})
