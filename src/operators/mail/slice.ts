import { Elysia } from 'elysia'
import { SECOND } from '../../base/lib/clock'
import { slice } from '../../base/slice'
import { outboxRoutes } from './admin-routes'
import { outboxCommand } from './command'
import { Mailer } from './mailer'
import { mailRetention } from './retention'
import { sendDueMails } from './send'
import { mailTables } from './tables'
import { unsubscribeRoutes } from './unsubscribe-routes'
import { mailWebhookRoutes } from './webhook-routes'

declare module '../../base/lib/ids' {
  interface IdPrefixes {
    mal: string
  }
}

declare module '../../base/state' {
  interface SliceState {
    mailer: Mailer
  }
}

/** Mail to the people who run projects. */
export const mail = slice({
  name: 'mail',
  tables: mailTables,
  cachedRows: { mails: 'NOBODY', mailSuppressions: 'NOBODY' },
  personalData: { mails: 'ERASED', mailSuppressions: 'NOTHING' },
  exportedRows: { mails: { withheld: 'their links are secrets, and what they tell is in other files' } },
  state: { mailer: (ctx) => new Mailer(ctx, () => sendDueMails(ctx)) },
  loops: [
    {
      name: 'outbox',
      everyMs: 15 * SECOND,
      isRunAtStart: true,
      run: (ctx) => ctx.state.mailer.serve(),
      end: (ctx) => ctx.state.mailer.close(),
    },
  ],
  retention: [mailRetention],
  publicRoutes: (ctx) => new Elysia().use(unsubscribeRoutes(ctx)).use(mailWebhookRoutes(ctx)),
  adminRoutes: outboxRoutes,
  commands: [outboxCommand],
})
