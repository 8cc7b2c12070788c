import type { Context } from '../base/context'
import { slice } from '../base/slice'
import type { TestStores } from '../stores/in-process'
import { simulateCommand } from './command/simulate'
import { testStoreRoutes } from './dashboard/operator-routes'
import { testStoreExamination } from './doctor'
import { deliverWaiting } from './driver/deliver'
import { eraseTestPurchases } from './personal-data'
import { appStoreInProcess } from './stores/app-store'
import { playInProcess } from './stores/play'
import { providerInProcess } from './stores/provider'
import { simulatorTables } from './stores/tables'

const testStores = (ctx: Context): TestStores => ({
  ios: (projectId) => appStoreInProcess(ctx, projectId, ctx.config.isSimulatorOn),
  android: (projectId) => playInProcess(ctx, projectId, ctx.config.isSimulatorOn),
  payment: (projectId) => providerInProcess(ctx, projectId, ctx.config.isSimulatorOn),
})

export const testStore = slice({
  name: 'test-store',
  tables: simulatorTables,
  onErase: eraseTestPurchases,
  state: { testStores },
  cachedRows: {
    simulatorChains: 'NOBODY',
    simulatorStores: 'NOBODY',
    simulatorMessages: 'NOBODY',
  },
  personalData: { simulatorChains: 'ERASED', simulatorStores: 'NOTHING', simulatorMessages: 'ERASED' },
  exportedRows: {
    simulatorChains: { withheld: 'the other side of a test purchase, as a store would keep it' },
    simulatorMessages: { withheld: 'messages of the test store that are not delivered yet' },
  },
  loops: [{ name: 'test store', everyMs: 2000, isOn: ({ isSimulatorOn }) => isSimulatorOn, run: deliverWaiting }],
  commands: [simulateCommand],
  operatorRoutes: testStoreRoutes,
  doctor: testStoreExamination,
})
