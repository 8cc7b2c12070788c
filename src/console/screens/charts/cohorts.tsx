import { Plus } from 'lucide-react'
import { useList } from '../../api/queries'
import { Button } from '../../kit/button'
import { Card } from '../../kit/card'
import { Empty } from '../../kit/empty'
import { Page } from '../../kit/page'
import { DataTable } from '../../kit/table'
import { Count, Time } from '../../kit/values'
import { roleFor, useProject } from '../../lib/session'
import { useParams } from '../../lib/url-state'
import { useHref } from '../../parts/use-href'
import { useText } from '../../text/catalogue'
import { withinText } from './cohort'
import { CohortForm } from './cohort-form'

const COHORTS = '/dashboard/projects/{projectId}/cohorts'

/** Groups of people by their events. */
export default function Cohorts() {
  const t = useText('charts')
  const common = useText('common')
  const href = useHref()
  const { path, can } = useProject()
  const [params, set] = useParams()
  const reason = can('audiences:write') ? null : common.roleNeeded(roleFor('audiences:write'))
  const list = useList(COHORTS, { params: { path, query: { limit: 100 } } })
  const create = (
    <Button
      variant="primary"
      icon={<Plus aria-hidden size={14} />}
      reason={reason}
      onClick={() => set({ do: 'new' }, { push: true })}
    >
      {t.newCohort}
    </Button>
  )
  return (
    <Page
      title={common.cohorts}
      crumbs={[[common.charts, href('/charts')]]}
      purpose={t.cohortsPurpose}
      actions={create}
    >
      <Card flush>
        <DataTable
          label={common.cohorts}
          list={list}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => href(`/charts/cohorts/${id}`)}
          empty={<Empty title={t.noCohorts}>{t.noCohortsHint}</Empty>}
          columns={[
            { title: common.name, cell: ({ name }) => <bdi>{name}</bdi>, whole: ({ name }) => name },
            {
              title: t.identifier,
              isExtra: true,
              cell: ({ identifier }) => <code className="font-mono text-xs">{identifier}</code>,
            },
            {
              title: t.event,
              isExtra: true,
              cell: ({ definition }) => <code className="font-mono text-xs">{definition.event}</code>,
            },
            { title: t.within, isExtra: true, cell: ({ definition }) => withinText(t, definition) },
            { title: t.foundAt, isExtra: true, cell: ({ computedAt }) => <Time at={computedAt} /> },
            {
              title: t.members,
              isNumber: true,
              cell: ({ size }) => (size === null ? t.counting : <Count value={size} />),
            },
          ]}
        />
      </Card>
      {params.get('do') === 'new' && <CohortForm cohort={null} reason={reason} onClose={() => set({ do: null })} />}
    </Page>
  )
}
