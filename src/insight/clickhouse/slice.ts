import type { FairQueue } from '../../base/http/fair-queue'
import { HOUR, SECOND } from '../../base/lib/clock'
import { slice } from '../../base/slice'
import { analyticsCommand } from './command'
import { copyChanges } from './copy-changes'
import { clickhouseExamination } from './doctor'
import { mirrorTables } from './mirror'
import { Mirror } from './mirror-state'
import { figureQueueOf } from './numbers'
import { forgetMirror } from './prepare'
import { noteErasure } from './queries'
import { checkMirror } from './status'
import { clickhouseTables } from './tables'

declare module '../../base/state' {
  interface SliceState {
    /** Null where figures are read from the database itself. */
    analytics: Mirror | null
    /** The calls that compute figures wait here for their project's turn. */
    figureQueue: FairQueue
  }
}

/** Where `SVC_ANALYTICS_URL` names ClickHouse: copies there what figures are made of, and reads them there. */
export const clickhouse = slice({
  name: 'clickhouse',
  tables: clickhouseTables,
  cachedRows: { analyticsChanges: 'NOBODY', analyticsTables: 'NOBODY', analyticsState: 'NOBODY' },
  personalData: { analyticsChanges: 'NOTHING', analyticsTables: 'NOTHING', analyticsState: 'NOTHING' },
  state: {
    analytics: (ctx) => {
      const { analytics } = ctx.config
      return analytics && new Mirror(ctx, analytics, mirrorTables())
    },
    figureQueue: figureQueueOf,
  },
  onErase: noteErasure,
  afterErase: async ({ state }) => state.analytics?.forgetErased(),
  commands: [analyticsCommand],
  doctor: clickhouseExamination,
  readiness: { analytics: checkMirror },
  loops: [
    {
      name: 'copy to ClickHouse',
      everyMs: SECOND,
      isOn: ({ analytics }) => analytics !== null,
      isRunAtStart: true,
      run: copyChanges,
    },
    {
      name: 'end of the copy in ClickHouse',
      everyMs: HOUR,
      isOn: ({ analytics }) => analytics === null,
      isRunAtStart: true,
      run: forgetMirror,
    },
  ],
})
