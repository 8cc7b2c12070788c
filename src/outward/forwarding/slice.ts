import { slice } from '../../base/slice'
import { forwardKind } from './deliver'
import { forwardExamination } from './doctor'
import { forwardOperatorRoutes } from './operator-routes'
import { passOn } from './pass-on'
import { eraseForwards } from './personal-data'
import { forwardingTables } from './tables'
import { changeTargets } from './targets'

/** Sends the stores' notifications on to other receivers, such as a vendor that runs beside svc during a move. */
export const forwarding = slice({
  name: 'forwarding',
  tables: forwardingTables,
  cachedRows: { forwardBodies: 'NOBODY' },
  onErase: eraseForwards,
  personalData: { forwardBodies: 'ERASED' },
  exportedRows: { forwardBodies: { withheld: 'copies of messages in store-messages.jsonl that wait to be forwarded' } },
  operatorRoutes: forwardOperatorRoutes,
  onNotification: passOn,
  onForwards: changeTargets,
  deliveryKind: forwardKind,
  doctor: forwardExamination,
})
