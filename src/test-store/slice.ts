import type { Context } from '../base/context'
import { slice } from '../base/slice'
import type { TestStores } from '../stores/in-process'
import { deliverWaiting } from './driver/deliver'
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
  state: { testStores },
  cachedRows: {
    simulatorChains: 'NOBODY',
    simulatorStores: 'NOBODY',
    simulatorMessages: 'NOBODY',
  },
  loops: [{ name: 'test store', everyMs: 2000, isOn: ({ isSimulatorOn }) => isSimulatorOn, run: deliverWaiting }],
})
