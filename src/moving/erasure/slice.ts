import { slice } from '../../base/slice'
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
    erasedList: ({ config, state }) => new ErasedList(config.dataDir, () => state.erasedKeys.fingerprint()),
    remains: (ctx) => new Remains(ctx),
  },
})
