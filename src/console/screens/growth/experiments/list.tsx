import { Plus } from 'lucide-react'
import { useEvery } from '../../../api/every'
import { Button, LinkButton } from '../../../kit/button'
import { Card } from '../../../kit/card'
import { Empty } from '../../../kit/empty'
import { FilterSelect } from '../../../kit/filter-select'
import { Page } from '../../../kit/page'
import { State } from '../../../kit/state'
import { DataTable } from '../../../kit/table'
import { Time } from '../../../kit/values'
import { roleFor, useProject } from '../../../lib/session'
import { useParam } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'
import { TONES } from './model'

const STATUSES = ['DRAFT', 'RUNNING', 'PAUSED', 'COMPLETED'] as const

/** Experiments, the newest first. */
export default function Experiments() {
  const t = useText('growth')
  const common = useText('common')
  const { base, path, can } = useProject()
  const [status, setStatus] = useParam('status')
  const list = useEvery('/dashboard/projects/{projectId}/experiments', { params: { path, query: { limit: 200 } } })
  const items = list.items.filter((one) => status === '' || one.status === status)
  const create = can('experiments:write') ? (
    <LinkButton variant="primary" icon={<Plus aria-hidden size={14} />} href={`${base}/growth/experiments/new`}>
      {t.newExperiment}
    </LinkButton>
  ) : (
    <Button reason={common.roleNeeded(roleFor('experiments:write'))}>{t.newExperiment}</Button>
  )
  return (
    <Page
      title={common.experiments}
      purpose={t.experimentsPurpose}
      actions={create}
      filters={
        <FilterSelect
          label={common.status}
          value={status}
          onChange={({ target }) => setStatus(target.value)}
          options={[['', common.all], ...STATUSES.map((one) => [one, t.statuses[one]] as const)]}
        />
      }
    >
      <Card flush>
        <DataTable
          label={common.experiments}
          list={{ ...list, items }}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => `${base}/growth/experiments/${id}`}
          empty={
            status === '' ? (
              <Empty title={t.noExperiments} action={create}>
                {t.noExperimentsHint}
              </Empty>
            ) : (
              <Empty title={common.nothingFound} />
            )
          }
          columns={[
            { title: common.name, cell: ({ name }) => name, whole: ({ name }) => name },
            {
              title: common.status,
              cell: (one) => <State tone={TONES[one.status]}>{t.statuses[one.status]}</State>,
            },
            {
              title: t.flagKey,
              cell: ({ key }) => <span className="font-mono text-xs">{key}</span>,
              whole: ({ key }) => key,
            },
            { title: t.experimentOver, isExtra: true, cell: ({ type }) => t.experimentTypes[type] },
            { title: t.variants, isNumber: true, isExtra: true, cell: ({ variants }) => variants.length },
            { title: t.startedAt, isExtra: true, cell: ({ startedAt }) => <Time at={startedAt} /> },
          ]}
        />
      </Card>
    </Page>
  )
}
