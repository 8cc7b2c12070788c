import { Type } from '@sinclair/typebox'
import { listAnswer, listQuery } from '../../base/http/list'
import { toIso, toIsoOrNull } from '../../base/lib/time'
import { SettingsSchema } from '../../core/project/schema'
import type { pageJobs } from './queries'

const strict = { additionalProperties: false } as const
const orNull = <Inner extends Parameters<typeof Type.Union>[0][number]>(inner: Inner) =>
  Type.Union([inner, Type.Null()])
const stamps = { createdAt: Type.String(), updatedAt: Type.String() }
const q = Type.Optional(Type.String({ minLength: 1, maxLength: 255, pattern: '^[^\\u0000]*$' }))
const instant = Type.Optional(Type.String({ minLength: 1, maxLength: 40 }))
const JobStateName = Type.Union([Type.Literal('WAITING'), Type.Literal('RUNNING'), Type.Literal('DEAD')])

const ProjectSummary = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    ownerEmail: orNull(Type.String()),
    members: Type.Integer(),
    subscribers: Type.Integer(),
    mrr: orNull(Type.Integer({ description: 'USD micros' })),
    tier: orNull(Type.String({ description: 'The plan, in the cloud' })),
    suspendedAt: orNull(Type.String()),
    lastActivityAt: orNull(Type.String()),
    ...stamps,
  },
  { ...strict, title: 'ProjectSummary' },
)

const ProjectDetails = Type.Object(
  {
    ...ProjectSummary.properties,
    keys: Type.Integer({ description: 'API keys that are not revoked' }),
    stores: Type.Array(Type.String()),
    settings: SettingsSchema,
  },
  { ...strict, title: 'ProjectDetails' },
)

const UserSummary = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    emailVerified: Type.Boolean(),
    twoFactorEnabled: Type.Boolean(),
    projects: Type.Integer(),
    lastSeenAt: orNull(Type.String()),
    ...stamps,
  },
  { ...strict, title: 'UserSummary' },
)

const JobSchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    state: JobStateName,
    attempts: Type.Integer(),
    maxAttempts: Type.Integer(),
    runAt: Type.String(),
    leasedUntil: orNull(Type.String()),
    lastError: orNull(Type.String()),
    createdAt: Type.String(),
  },
  { ...strict, title: 'Job' },
)

const Metrics = Type.Object(
  {
    projects: Type.Integer(),
    users: Type.Integer(),
    subscribers: Type.Integer(),
    activeSubscriptions: Type.Integer({ description: 'Production subscriptions that give access now' }),
    requestsPerMinute: Type.Integer({ description: 'Of the process that answers' }),
    queueDepth: Type.Object({ WAITING: Type.Integer(), RUNNING: Type.Integer(), DEAD: Type.Integer() }, strict),
    webhookLagSeconds: Type.Number(),
    storeEventLagSeconds: Type.Number({ description: 'Age of the oldest notification that waits' }),
    databaseBytes: orNull(Type.Integer()),
  },
  { ...strict, title: 'PlatformMetrics' },
)

export const ProjectsQuery = Type.Object(
  {
    ...listQuery,
    q,
    suspended: Type.Optional(Type.Union([Type.Literal('true'), Type.Literal('false')])),
  },
  strict,
)
export const UsersQuery = Type.Object({ ...listQuery, q }, strict)
export const JobsQuery = Type.Object({ ...listQuery, state: Type.Optional(JobStateName), name: q }, strict)
export const MetricsQuery = Type.Object({ from: instant, to: instant }, strict)
export const NoBody = Type.Object({}, strict)
export const SuspensionBody = Type.Object(
  { reason: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' }) },
  { ...strict, title: 'Suspension' },
)

export const ProjectsAnswer = listAnswer(ProjectSummary)
export const ProjectAnswer = Type.Object({ data: ProjectDetails }, strict)
export const UsersAnswer = listAnswer(UserSummary)
export const UserAnswer = Type.Object({ data: UserSummary }, strict)
export const SignedOutAnswer = Type.Object({ data: Type.Object({ sessions: Type.Integer() }, strict) }, strict)
export const JobsAnswer = listAnswer(JobSchema)
export const MetricsAnswer = Type.Object({ data: Metrics }, strict)

/** Without the payload, which may contain what only the job needs to know. */
export const toJobView = (job: Awaited<ReturnType<typeof pageJobs>>[number]) => ({
  id: job.id,
  name: job.name,
  state: job.state,
  attempts: job.attempts,
  maxAttempts: job.maxAttempts,
  runAt: toIso(job.runAt),
  leasedUntil: toIsoOrNull(job.leasedUntil),
  lastError: job.lastError,
  createdAt: toIso(job.createdAt),
})
