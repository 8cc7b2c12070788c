import { SECOND } from '../../base/lib/clock'
import { slice } from '../../base/slice'
import { figuresExamination } from './doctor'
import { figureCron } from './jobs'
import { AnswerKeeper } from './kept/keeper'
import { keptTables } from './kept/tables'
import { saveSettledAnswers } from './kept/turn'
import { recordCounted } from './on-recorded'
import { rebuildAfterConversion } from './rebuild'
import { recordManyEntries, takeBackEntries } from './record'
import { rollTables } from './rolls/tables'
import { rollUp } from './rolls/turn'
import { figureTables } from './tables'
import { type SettingsSeen, watchSettings } from './watch-settings'

declare module '../../base/state' {
  interface SliceState {
    answers: AnswerKeeper
    figureSettings: SettingsSeen
  }
}

export const figures = slice({
  name: 'figures',
  tables: (k) => ({ ...figureTables(k), ...rollTables(k), ...keptTables(k) }),
  cachedRows: {
    figureEntries: 'NOBODY',
    figureProjects: 'NOBODY',
    figureRolls: 'NOBODY',
    figureGroups: 'NOBODY',
    figureSums: 'NOBODY',
    figureAnswers: 'NOBODY',
  },
  personalData: {
    figureEntries: 'KEPT_WITHOUT_IDENTITY',
    figureProjects: 'NOTHING',
    figureRolls: 'NOTHING',
    figureGroups: 'NOTHING',
    figureSums: 'NOTHING',
    figureAnswers: 'NOTHING',
  },
  exportedRows: { figureEntries: { withheld: 'computed from purchases.jsonl and transactions.jsonl' } },
  state: { answers: (ctx) => new AnswerKeeper(ctx), figureSettings: () => ({ revision: null }) },
  doctor: figuresExamination,
  onRecorded: recordCounted,
  onRecordedMany: recordManyEntries,
  onUnrecorded: takeBackEntries,
  onConverted: rebuildAfterConversion,
  cron: figureCron,
  loops: [
    { name: 'settings of figures', everyMs: SECOND, isRunAtStart: true, run: watchSettings },
    {
      name: 'sums of figures',
      everyMs: { file: 2000, remote: 5000, replica: 5000, postgres: 5000 },
      run: (ctx) => rollUp(ctx),
    },
    {
      name: 'kept answers',
      everyMs: { file: 2000, remote: 5000, replica: 5000, postgres: 5000 },
      run: saveSettledAnswers,
    },
  ],
})
