import { ChartColumn } from 'lucide-react'
import { api } from '../../api/client'
import { useList, useRead } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Button, LinkButton } from '../../kit/button'
import { Card, Columns, Facts } from '../../kit/card'
import { CopyText, Id } from '../../kit/copy'
import { Empty } from '../../kit/empty'
import { Page } from '../../kit/page'
import { DataTable } from '../../kit/table'
import { Count, Money, Time } from '../../kit/values'
import { roleFor, useProject } from '../../lib/session'
import { useParams } from '../../lib/url-state'
import { Identicon } from '../../parts/identicon'
import { useNameByKeys } from '../../parts/person-link'
import { useHref } from '../../parts/use-href'
import { type Texts, useText } from '../../text/catalogue'
import { Analysis } from './cohort-analysis'
import { CohortForm } from './cohort-form'
import { ById, DeleteNamed } from './named'

type Cohort = Schemas['Cohort']
const COHORTS = '/dashboard/projects/{projectId}/cohorts'

export default function CohortById() {
  const common = useText('common')
  const { path } = useProject()
  const cohorts = useRead(COHORTS, { params: { path, query: { limit: 200 } } }, { every: 30_000 })
  return (
    <ById title={common.cohorts} list={cohorts}>
      {(cohort) => <CohortScreen cohort={cohort} />}
    </ById>
  )
}

function CohortScreen({ cohort }: { cohort: Cohort }) {
  const t = useText('charts')
  const common = useText('common')
  const href = useHref()
  const { can } = useProject()
  const [params, set] = useParams()
  const reason = can('audiences:write') ? null : common.roleNeeded(roleFor('audiences:write'))
  const open = params.get('do')
  const close = () => set({ do: null })
  return (
    <Page
      title={cohort.name}
      crumbs={[
        [common.charts, href('/charts')],
        [common.cohorts, href('/charts/cohorts')],
      ]}
      purpose={<CopyText text={cohort.identifier} />}
      actions={
        <>
          <Button variant="quiet" reason={reason} onClick={() => set({ do: 'delete' }, { push: true })}>
            {t.deleteCohort}
          </Button>
          <LinkButton
            href={href('/charts/mrr', { cohort: cohort.identifier })}
            icon={<ChartColumn aria-hidden size={14} />}
          >
            {t.openCharts}
          </LinkButton>
          <Button data-edit reason={reason} onClick={() => set({ do: 'edit' }, { push: true })}>
            {t.edit}
          </Button>
        </>
      }
    >
      <Columns
        main={
          <>
            <Analysis cohort={cohort} />
            <Members cohort={cohort} />
          </>
        }
        side={<Definition cohort={cohort} />}
      />
      {open === 'edit' && <CohortForm cohort={cohort} reason={reason} onClose={close} />}
      {open === 'delete' && <DeleteCohort cohort={cohort} reason={reason} onClose={close} />}
    </Page>
  )
}

function Definition({ cohort }: { cohort: Cohort }) {
  const t = useText('charts')
  const common = useText('common')
  const { event, filters = {} } = cohort.definition
  const { environment, store, country, platform, productId, attributes = {} } = filters
  return (
    <Card title={t.definition}>
      <Facts
        items={[
          [t.members, cohort.size === null ? t.counting : <Count key="size" value={cohort.size} />],
          [
            t.event,
            <code key="event" className="font-mono text-xs">
              {event}
            </code>,
          ],
          [t.within, withinText(t, cohort.definition)],
          [t.filters.environment, environment === 'SANDBOX' ? common.sandbox : common.production],
          ...(store ? [[common.store, t.stores[store] ?? store] as const] : []),
          ...(country ? [[t.country, country] as const] : []),
          ...(platform ? [[t.filters.platform, platform] as const] : []),
          ...(productId ? [[common.product, <Id key="product" id={productId} />] as const] : []),
          ...Object.entries(attributes).map(([name, value]) => [<bdi key={name}>{name}</bdi>, value] as const),
          [t.foundAt, <Time key="at" at={cohort.computedAt} />],
        ]}
      />
    </Card>
  )
}

function Members({ cohort }: { cohort: Cohort }) {
  const t = useText('charts')
  const href = useHref()
  const { path } = useProject()
  const nameOf = useNameByKeys()
  const list = useList('/dashboard/projects/{projectId}/cohorts/{id}/members', {
    params: { path: { ...path, id: cohort.id }, query: { limit: 50 } },
  })
  return (
    <Card flush title={t.members} aside={cohort.size !== null && <Count value={cohort.size} />}>
      <DataTable
        label={t.members}
        list={list}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => href(`/subscribers/${id}`)}
        empty={<Empty title={t.noMembers}>{t.noMembersHint}</Empty>}
        columns={[
          {
            title: t.subscriber,
            cell: ({ id, appUserId, deviceKey }) => (
              <span className="inline-flex max-w-full items-center gap-2 align-middle">
                <Identicon id={id} size={18} />
                <bdi className="truncate">{nameOf({ id, appUserId, deviceKey })}</bdi>
              </span>
            ),
            whole: ({ id }) => id,
          },
          { title: t.access, isExtra: true, cell: ({ access }) => (access.length > 0 ? access.join(', ') : '—') },
          { title: t.since, cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            title: t.spend,
            isNumber: true,
            cell: ({ lifetimeSpend }) => (
              <Money micros={lifetimeSpend.amountMicros} currency={lifetimeSpend.currency} />
            ),
          },
        ]}
      />
    </Card>
  )
}

interface DeleteProps {
  cohort: Cohort
  reason: string | null
  onClose: () => void
}

function DeleteCohort({ cohort, reason, onClose }: DeleteProps) {
  const t = useText('charts')
  const { path } = useProject()
  const remove = (header: { 'If-Match': string }) =>
    api.delete('/dashboard/projects/{projectId}/cohorts/{id}', { params: { path: { ...path, id: cohort.id }, header } })
  return (
    <DeleteNamed
      {...{ object: cohort, title: t.deleteCohort, remove, list: COHORTS, screen: '/charts/cohorts', reason, onClose }}
    >
      {t.deleteCohortText}
    </DeleteNamed>
  )
}

/** When the event of a cohort happened, in words. */
export function withinText(t: Texts['charts'], { within }: Schemas['CohortDefinition']): string {
  if (within === undefined) return t.anyTime
  if (typeof within === 'string') return t.lastDays(Number(within.slice(1, -1)))
  return `${within.from.slice(0, 10)} – ${within.to.slice(0, 10)}`
}
