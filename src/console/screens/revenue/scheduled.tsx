import { useState } from 'react'
import { api } from '../../api/client'
import { useList, useRead } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Button, LinkButton } from '../../kit/button'
import { Card } from '../../kit/card'
import { Id } from '../../kit/copy'
import { Empty } from '../../kit/empty'
import { FilterSelect } from '../../kit/filter-select'
import { Page } from '../../kit/page'
import { State, toneOf } from '../../kit/state'
import { DataTable } from '../../kit/table'
import { Time } from '../../kit/values'
import { roleFor, useProject } from '../../lib/session'
import { useParam } from '../../lib/url-state'
import { PersonLink } from '../../parts/person-link'
import { Removal } from '../../parts/removal'
import { useStoreReason } from '../../parts/store-reason'
import { useHref } from '../../parts/use-href'
import { useLiveRows } from '../../parts/use-live-rows'
import { useText } from '../../text/catalogue'

type Action = Schemas['ScheduledAction']
const SCHEDULED = '/dashboard/projects/{projectId}/subscriptions/scheduled'

/** Cancellations that wait for their time, and those that had it. */
export default function Scheduled() {
  const t = useText('revenue')
  const c = useText('common')
  const { path } = useProject()
  const [status, setStatus] = useParam('status')
  const href = useHref()
  const reasonOf = useStoreReason()
  const [chosen, choose] = useState<Action | null>(null)
  useLiveRows(SCHEDULED)
  const list = useList(SCHEDULED, { params: { path, query: { limit: 100, status: status as Action['status'] } } })
  return (
    <Page
      title={c.scheduled}
      purpose={t.scheduledPurpose}
      filters={
        <FilterSelect
          label={c.status}
          value={status}
          onChange={(event) => setStatus(event.target.value)}
          options={[['', t.any], ...Object.entries(t.actionStates)]}
        />
      }
    >
      <Card flush>
        <DataTable
          label={c.scheduled}
          list={list}
          keyOf={({ id }) => id}
          phone={{
            hrefOf: ({ purchaseId }) => href('/revenue/transactions', { purchaseId }),
            lines: ({ status, dueAt, purchaseId, createdAt }) => ({
              title: <Time at={dueAt} absolute />,
              amount: <State tone={toneOf(status)}>{t.actionStates[status]}</State>,
              detail: <span className="font-mono">{purchaseId}</span>,
              aside: <Time at={createdAt} />,
            }),
          }}
          empty={status === '' ? <Nothing /> : <Empty title={c.nothingFound} />}
          columns={[
            { title: t.due, cell: ({ dueAt }) => <Time at={dueAt} absolute /> },
            {
              title: t.purchase,
              cell: ({ purchaseId }) => <OfPurchase id={purchaseId} />,
            },
            {
              title: c.state,
              whole: ({ error }) => (error === null ? '' : reasonOf(error)),
              cell: (row) => (
                <State tone={toneOf(row.status)}>
                  {t.actionStates[row.status]}
                  {row.error !== null && <span className="text-ink-2">{reasonOf(row.error)}</span>}
                </State>
              ),
            },
            { title: c.createdAt, isExtra: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
            { title: c.id, isExtra: true, cell: ({ id }) => <Id id={id} /> },
            {
              title: <span className="sr-only">{c.actions}</span>,
              cell: (row) => <CallOff row={row} onChoose={() => choose(row)} />,
            },
          ]}
        />
      </Card>
      {chosen && <CallOffDialog action={chosen} onClose={() => choose(null)} />}
    </Page>
  )
}

/** The purchase, and the person who has it. */
function OfPurchase({ id }: { id: string }) {
  const { path } = useProject()
  const { data } = useRead('/dashboard/projects/{projectId}/transactions', {
    params: { path, query: { purchaseId: id, limit: 1 } },
  })
  const owner = data?.items[0]?.subscriberId
  return (
    <span className="inline-flex items-center gap-3">
      <Id id={id} />
      {owner && <PersonLink id={owner} query={{ purchase: id }} />}
    </span>
  )
}

function CallOff({ row, onChoose }: { row: Action; onChoose: () => void }) {
  const t = useText('revenue')
  const c = useText('common')
  const { can } = useProject()
  if (row.status !== 'PENDING') return null
  return (
    <Button onClick={onChoose} reason={can('subscribers:write') ? null : c.roleNeeded(roleFor('subscribers:write'))}>
      {t.callOff}
    </Button>
  )
}

function CallOffDialog({ action, onClose }: { action: Action; onClose: () => void }) {
  const t = useText('revenue')
  const { path } = useProject()
  return (
    <Removal
      title={t.callOffTitle}
      word={t.callOff}
      done={t.calledOff}
      run={() =>
        api.delete('/dashboard/projects/{projectId}/subscriptions/{purchaseId}/schedule', {
          params: { path: { ...path, purchaseId: action.purchaseId } },
        })
      }
      refreshes={[SCHEDULED]}
      onClose={onClose}
    >
      <p>{t.callOffEffect}</p>
      <OfPurchase id={action.purchaseId} />
    </Removal>
  )
}

function Nothing() {
  const t = useText('revenue')
  const href = useHref()
  return (
    <Empty title={t.noScheduled} action={<LinkButton href={href('/subscribers')}>{t.openPeople}</LinkButton>}>
      {t.noScheduledWhy}
    </Empty>
  )
}
