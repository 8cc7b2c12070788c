import { HOUR } from '../../base/lib/clock'
import { slice } from '../../base/slice'
import { eraseAgain } from './again'
import { ErasedList } from './erased-list'
import { Remains } from './remains'
import { erasureTables } from './tables'

declare module '../../base/state' {
  interface SliceState {
    erasedList: ErasedList
    remains: Remains
  }
}

/** Erases people, and proves it. */
export const erasure = slice({
  name: 'erasure',
  tables: erasureTables,
  cachedRows: { erasures: 'NOBODY' },
  personalData: { erasures: 'NOTHING' },
  state: {
    erasedList: ({ config, state }) => new ErasedList(config.dataDir, () => state.erasedKeys),
    remains: (ctx) => new Remains(ctx),
  },
  loops: [
    { name: 'erased people', everyMs: HOUR, isRunAtStart: true, run: async (ctx) => void (await eraseAgain(ctx)) },
  ],
})
