import { and, count, eq, gte, inArray, lt } from 'drizzle-orm'
import type { Examination } from '../../base/cli/doctor'
import { DAY } from '../../base/lib/clock'
import { type Finding, finding } from '../../core/finding/findings'

/** Whether the requests of people are done, and soon: the law gives an operator about a month. */
export const dataRequestExamination: Examination = {
  name: 'data-requests',
  async project({ handle: { db, tables }, now }, { id }) {
    const { dataRequests: r } = tables
    const isLate = and(inArray(r.status, ['PENDING', 'RUNNING']), lt(r.createdAt, now - DAY))
    const hasFailed = and(eq(r.status, 'FAILED'), gte(r.completedAt, now - 30 * DAY))
    const countOf = async (which: typeof isLate) => {
      const [row] = await db
        .select({ count: count() })
        .from(r)
        .where(and(eq(r.projectId, id), which))
      return Number(row?.count ?? 0)
    }
    const [late, failed] = [await countOf(isLate), await countOf(hasFailed)]
    return {
      faults: [...(late > 0 ? [lateFinding(late)] : []), ...(failed > 0 ? [failedFinding(failed)] : [])],
    }
  },
}

const lateFinding = (count: number): Finding =>
  finding(
    'DATA_REQUESTS_LATE',
    { count },
    `${count} data requests have waited for more than a day; svc dsar list says why.`,
  )

const failedFinding = (count: number): Finding =>
  finding(
    'DATA_REQUESTS_FAILED',
    { count },
    `${count} data requests failed in the last 30 days; svc dsar list says why.`,
  )
