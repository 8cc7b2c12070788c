import { Plus } from 'lucide-react'
import { useList } from '../../api/queries'
import { Button } from '../../kit/button'
import { Card } from '../../kit/card'
import { Empty } from '../../kit/empty'
import { Page } from '../../kit/page'
import { DataTable } from '../../kit/table'
import { Time } from '../../kit/values'
import { roleFor, useProject } from '../../lib/session'
import { useParams } from '../../lib/url-state'
import { useHref } from '../../parts/use-href'
import { useText } from '../../text/catalogue'
import { LeaderboardForm } from './leaderboard-form'

const BOARDS = '/dashboard/projects/{projectId}/leaderboards'

/** People by balances, payments or events. */
export default function Leaderboards() {
  const t = useText('charts')
  const common = useText('common')
  const href = useHref()
  const { path, can } = useProject()
  const [params, set] = useParams()
  const reason = can('leaderboards:write') ? null : common.roleNeeded(roleFor('leaderboards:write'))
  const list = useList(BOARDS, { params: { path, query: { limit: 100 } } })
  return (
    <Page
      title={common.leaderboards}
      crumbs={[[common.charts, href('/charts')]]}
      purpose={t.leaderboardsPurpose}
      actions={
        <Button
          variant="primary"
          icon={<Plus aria-hidden size={14} />}
          reason={reason}
          onClick={() => set({ do: 'new' }, { push: true })}
        >
          {t.newLeaderboard}
        </Button>
      }
    >
      <Card flush>
        <DataTable
          label={common.leaderboards}
          list={list}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => href(`/charts/leaderboards/${id}`)}
          empty={<Empty title={t.noLeaderboards}>{t.noLeaderboardsHint}</Empty>}
          columns={[
            { title: common.name, cell: ({ name }) => <bdi>{name}</bdi>, whole: ({ name }) => name },
            {
              title: t.identifier,
              isExtra: true,
              cell: ({ identifier }) => <code className="font-mono text-xs">{identifier}</code>,
            },
            { title: t.metric, cell: ({ metric }) => t.metrics[metric] },
            { title: t.windowTitle, isExtra: true, cell: ({ window }) => t.windows[window] },
            { title: t.computedAt, isExtra: true, cell: ({ computedAt }) => <Time at={computedAt} /> },
          ]}
        />
      </Card>
      {params.get('do') === 'new' && <LeaderboardForm board={null} reason={reason} onClose={() => set({ do: null })} />}
    </Page>
  )
}
