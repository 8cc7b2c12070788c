import type { Context } from '../base/context'
import type { TestStores } from '../stores/in-process'
import { isSelling } from './dashboard/admin'
import { testSales } from './driver/sales'
import { appStoreInProcess } from './stores/app-store'
import { playInProcess } from './stores/play'
import { providerInProcess } from './stores/provider'

/** The test stores of a project, which answer in this process. */
export const testStores = (ctx: Context): TestStores => ({
  ios: (projectId) => appStoreInProcess(ctx, projectId, ctx.config.isSimulatorOn),
  android: (projectId) => playInProcess(ctx, projectId, ctx.config.isSimulatorOn),
  payment: (projectId) => providerInProcess(ctx, projectId, ctx.config.isSimulatorOn),
  sales: (projectId) => (isSelling(ctx) ? testSales(ctx, projectId) : null),
})
