import { slice } from '../../base/slice'
import type { CachedRoute } from './cached'
import { answerFromCache } from './response-cache'
import type { SessionStore } from './sessions'

declare module '../../base/state' {
  interface SliceState {
    /** By path below `/v1`. `cached` adds each route when the routes are created. */
    cachedRoutes: Map<string, CachedRoute>
    /** The users, sessions and tokens of the dashboard. The slice of the accounts makes it. */
    sessions: SessionStore
  }
}

/** The groups of the dashboard's OpenAPI document. Routes of many slices are in each, so they are declared here. */
const DASHBOARD_TAGS = [
  { name: 'Account', description: 'What belongs to the signed-in person: profile, sessions, tokens, two factors.' },
  { name: 'Administration', description: 'The whole platform: projects, users, support grants, jobs.' },
  {
    name: 'Analytics',
    description: 'Numbers, charts and the rows behind them, SQL, cohorts, leaderboards, data exports.',
  },
  { name: 'Audit log', description: 'Who changed what, and the proof that nobody changed the log.' },
  { name: 'Catalogue', description: 'Accesses, products, offerings and virtual currencies.' },
  {
    name: 'Integrations',
    description: 'Connections to advertising, analytics, attribution, lifecycle and chat providers.',
  },
  { name: 'Members', description: 'Members, invitations, ownership and support grants of a project.' },
  { name: 'Money', description: 'Subscriptions, transactions, refunds, grants and scheduled actions.' },
  { name: 'Notifications', description: 'Notices and mail to the people who run projects.' },
  { name: 'People', description: 'Subscribers: lists, search, one person with everything about them.' },
  { name: 'Project file', description: 'A whole project as text: read, compared and applied.' },
  { name: 'Projects', description: 'Projects, their settings and API keys.' },
  { name: 'Sign-in', description: 'Signing up, in and out.' },
  { name: 'Store events', description: 'Notifications of the stores, as they arrived.' },
  { name: 'Stores', description: 'Store credentials, notification addresses, test notifications, catalogues.' },
  { name: 'Targeting', description: 'Audiences, flags, experiments and placements.' },
  { name: 'Webhooks', description: 'Webhook endpoints, deliveries, events and forwarded store notifications.' },
]

export const doors = slice({
  name: 'doors',
  tags: DASHBOARD_TAGS,
  state: { cachedRoutes: () => new Map() },
  earlyAnswers: answerFromCache,
})
