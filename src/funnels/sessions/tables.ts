import type { Kit } from '../../base/db/kit'
import type { FunnelSessionState } from './model'

export const sessionTables = (k: Kit) => ({
  /** One way of a visitor through a funnel. It stays on the version that it started with. */
  funnelSessions: k.table(
    'funnel_sessions',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      funnelId: k.str().notNull(),
      versionNo: k.int().notNull(),
      state: k.str().$type<FunnelSessionState>().notNull(),
      /** The pages that were shown and not left by going back, the current one last. */
      path: k.json<readonly string[]>().notNull(),
      locale: k.str().notNull(),
      /** The SHA-256 of the secret that the cookie or the header presents. */
      secretHash: k.str().notNull(),
      /** The parameters of the address that texts may use. */
      query: k.json<Readonly<Record<string, string>>>().notNull(),
      utm: k.json<Readonly<Record<string, string>>>().notNull(),
      /** The host that the visitor came from. */
      referrer: k.str(),
      country: k.str(),
      device: k.str().notNull(),
      visitorId: k.str(),
      placement: k.str(),
      experimentId: k.str(),
      variantId: k.str(),
      /** Who bought, and later who claimed it. Null before the payment. */
      subscriberId: k.str(),
      startedAt: k.int().notNull(),
      /** The last call of the visitor. */
      activeAt: k.int().notNull(),
      paidAt: k.int(),
      completedAt: k.int(),
      /** The fence of the newest lease. */
      leaseFence: k.int().notNull(),
      /** The process that holds the lease; null when none does. */
      leaseHolder: k.str(),
      leaseUntil: k.int(),
    },
    (t) => [
      k.index('funnel_sessions_funnel').on(t.funnelId, t.startedAt),
      k.index('funnel_sessions_project').on(t.projectId, t.startedAt),
      k.index('funnel_sessions_idle').on(t.state, t.activeAt),
      k.index('funnel_sessions_subscriber').on(t.subscriberId),
      k.index('funnel_sessions_lease').on(t.leaseUntil),
    ],
  ),

  /** The last answer of a session to each field. */
  funnelAnswers: k.table(
    'funnel_answers',
    {
      sessionId: k.str().notNull(),
      fieldId: k.str().notNull(),
      projectId: k.str().notNull(),
      pageId: k.str().notNull(),
      /** Sealed, as text, when the field is sensitive. */
      value: k.json<unknown>().notNull(),
      isSealed: k.bool().notNull(),
      answeredAt: k.int().notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.sessionId, t.fieldId] }), k.index('funnel_answers_project').on(t.projectId)],
  ),

  /** When a session saw a page for the first time, and when it first left that page for the next. */
  funnelSteps: k.table(
    'funnel_steps',
    {
      sessionId: k.str().notNull(),
      pageId: k.str().notNull(),
      projectId: k.str().notNull(),
      viewedAt: k.int().notNull(),
      advancedAt: k.int(),
    },
    (t) => [k.primaryKey({ columns: [t.sessionId, t.pageId] }), k.index('funnel_steps_project').on(t.projectId)],
  ),
})

type SessionTables = ReturnType<typeof sessionTables>

declare module '../../base/db/tables' {
  interface Tables extends SessionTables {}
}
