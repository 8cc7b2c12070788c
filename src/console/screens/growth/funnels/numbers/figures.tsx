import { useRead } from '../../../../api/queries'
import { Count, Money } from '../../../../kit/values'
import { useProject } from '../../../../lib/session'
import { DAYS, sinceDays } from '../flow/use-page-figures'

/** One figure of a funnel in the last 30 days; what test stores sold is not counted. */
export function FunnelFigures({ id, figure }: { id: string; figure: 'sessions' | 'paid' | 'revenue' }) {
  const { path } = useProject()
  const stats = useRead('/dashboard/projects/{projectId}/funnels/{id}/stats', {
    params: { path: { ...path, id }, query: { from: sinceDays(DAYS) } },
  })
  if (!stats.data) return <span>—</span>
  if (figure !== 'revenue') return <Count value={stats.data[figure]} />
  const { amountMicros, currency } = stats.data.revenue
  return <Money micros={amountMicros} currency={currency} />
}
