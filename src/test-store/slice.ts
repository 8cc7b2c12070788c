import { slice } from '../base/slice'
import { deliverAllBilling } from './billing/loop'
import { testBilling } from './billing/provider'
import { billingSimulatorTables } from './billing/tables'
import { simulateCommand } from './command/simulate'
import { testStoreRoutes } from './dashboard/operator-routes'
import { sellToSdk } from './dashboard/sdk-sale'
import { testStoreExamination } from './doctor'
import { deliverWaiting } from './driver/deliver'
import { testStores } from './in-process'
import { eraseTestPurchases } from './personal-data'
import { simulatorTables } from './stores/tables'

export const testStore = slice({
  name: 'test-store',
  tables: (k) => ({ ...simulatorTables(k), ...billingSimulatorTables(k) }),
  billingTestStore: testBilling,
  onErase: eraseTestPurchases,
  sdkTestSale: sellToSdk,
  state: { testStores },
  cachedRows: {
    simulatorChains: 'NOBODY',
    simulatorStores: 'NOBODY',
    simulatorMessages: 'NOBODY',
    simulatorBilling: 'NOBODY',
  },
  personalData: {
    simulatorChains: 'ERASED',
    simulatorStores: 'NOTHING',
    simulatorMessages: 'ERASED',
    simulatorBilling: 'NOTHING',
  },
  exportedRows: {
    simulatorChains: { withheld: 'the other side of a test purchase, as a store would keep it' },
    simulatorMessages: { withheld: 'messages of the test store that are not delivered yet' },
  },
  loops: [
    { name: 'test store', everyMs: 2000, isOn: ({ isSimulatorOn }) => isSimulatorOn, run: deliverWaiting },
    {
      name: 'billing test store',
      everyMs: 10_000,
      isRunAtStart: true,
      isOn: ({ cloud }) => cloud?.provider === 'TEST_STORE',
      run: deliverAllBilling,
    },
  ],
  commands: [simulateCommand],
  operatorRoutes: testStoreRoutes,
  doctor: testStoreExamination,
})
