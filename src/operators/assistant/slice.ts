import { MINUTE, SECOND } from '../../base/lib/clock'
import { slice } from '../../base/slice'
import { askCommand } from './ask/command'
import { INTENT_PROPOSED } from './intents/notices'
import { Proposals } from './intents/registry'
import { intentRetention } from './intents/retention'
import { assistantRoutes } from './operator-routes'
import { assistantTables } from './tables'
import { eraseMessages, exportMessages } from './threads/erase'
import { endStoppedTurns, releaseTurns } from './threads/release'
import { threadRetention } from './threads/retention'
import { Turns } from './threads/turns'
import { Toolbox } from './tools/toolbox'

declare module '../../base/state' {
  interface SliceState {
    toolbox: Toolbox
    proposals: Proposals
    assistantTurns: Turns
  }
}

declare module '../../base/lib/ids' {
  interface IdPrefixes {
    cth: string
    cms: string
    cin: string
  }
}

/** The assistant of a project, and the tools that it shares with agents. */
export const assistant = slice({
  name: 'assistant',
  tables: assistantTables,
  cachedRows: {
    ...{ assistantCredentials: 'NOBODY', assistantThreads: 'NOBODY' },
    ...{ assistantMessages: 'NOBODY', assistantUsage: 'NOBODY', assistantIntents: 'NOBODY' },
    assistantReservations: 'NOBODY',
  },
  personalData: {
    ...{ assistantCredentials: 'NOTHING', assistantUsage: 'NOTHING', assistantReservations: 'NOTHING' },
    ...{ assistantThreads: 'REDUCED', assistantMessages: 'ERASED', assistantIntents: 'ERASED' },
  },
  exportedRows: {
    assistantThreads: { withheld: 'what their marks stand for is in the messages' },
    assistantMessages: 'assistant.jsonl',
    assistantIntents: 'assistant.jsonl',
  },
  tags: [
    {
      name: 'Assistant',
      description:
        'The assistant, which reads with the rights of the person who asks and proposes changes that a person approves.',
    },
  ],
  operatorRoutes: assistantRoutes,
  commands: [askCommand],
  noticeKinds: [INTENT_PROPOSED],
  retention: [threadRetention, intentRetention],
  loops: [
    { name: 'stopped answers', everyMs: 2 * SECOND, run: endStoppedTurns },
    { name: 'lost answers', everyMs: MINUTE, run: releaseTurns },
  ],
  onErase: eraseMessages,
  onExport: exportMessages,
  state: {
    toolbox: (ctx) => new Toolbox(ctx),
    proposals: (ctx) => new Proposals(ctx),
    assistantTurns: () => new Turns(),
  },
})
