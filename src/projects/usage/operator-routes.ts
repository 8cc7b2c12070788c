import type { Context } from '../../base/context'
import { operator } from '../doors/operator'
import { toUsageView, UsageAnswer, UsageQuery } from './operator-wire'
import { readUsage } from './service'

/** What a project uses. Answered by every deployment, also where projects are not billed. */
export const usageRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' }).get(
    '/usage',
    async ({ project, query: { month } }) => ({ data: toUsageView(await readUsage(ctx, project.id, month)) }),
    {
      query: UsageQuery,
      response: UsageAnswer,
      detail: {
        tags: ['Usage'],
        summary: 'What the project used in a month',
        description: USAGE,
        operationId: 'getUsage',
      },
    },
  )

const USAGE = `Months and days of UTC. \`events\` counts the events of the event log and what apps report: each session event
and each event of POST /v1/events once, repetitions never. A session event counts on the day on which it happened, which
may be up to 48 hours before it arrived. \`sqlQueries\` counts the queries that were executed in the SQL editor, also those
that were ended at a limit, and none that was refused. The figures are written in the transaction that makes what they
count, so they are those that \`svc billing recount\` finds.`
