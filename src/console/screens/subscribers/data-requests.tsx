import { Download } from 'lucide-react'
import { useEffect } from 'react'
import { useList, useRefresh } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { DownloadButton, LinkButton } from '../../kit/button'
import { Card } from '../../kit/card'
import { Id } from '../../kit/copy'
import { Empty } from '../../kit/empty'
import { FilterSelect } from '../../kit/filter-select'
import { Page } from '../../kit/page'
import { State, toneOf } from '../../kit/state'
import { DataTable } from '../../kit/table'
import { Time } from '../../kit/values'
import { useProject } from '../../lib/session'
import { useParam } from '../../lib/url-state'
import { PersonLink } from '../../parts/person-link'
import { useReason } from '../../parts/store-reason'
import { useHref } from '../../parts/use-href'
import { PERSON_PATHS } from '../../parts/use-person'
import { useText } from '../../text/catalogue'

type Request = Schemas['ListedDataRequest']

const REQUESTS = '/dashboard/projects/{projectId}/dsar'
const EVERY_MS = 2000

/** Exports and erasures that people asked for. */
export default function DataRequests() {
  const t = useText('subscribers')
  const c = useText('common')
  const { path } = useProject()
  const [type, setType] = useParam('type')
  const [status, setStatus] = useParam('status')
  const list = useList(REQUESTS, {
    params: {
      path,
      query: { limit: 100, type: type as Request['type'], status: status as Request['status'] },
    },
  })
  useProgress(list.items)
  return (
    <Page
      title={c.dataRequests}
      purpose={t.requestsPurpose}
      filters={
        <>
          <FilterSelect
            label={c.type}
            value={type}
            onChange={(event) => setType(event.target.value)}
            options={[['', c.all], ...Object.entries(t.requestTypes)]}
          />
          <FilterSelect
            label={c.status}
            value={status}
            onChange={(event) => setStatus(event.target.value)}
            options={[['', c.all], ...Object.entries(t.requestStates)]}
          />
        </>
      }
    >
      <Card flush>
        <Table list={list} isFiltered={type !== '' || status !== ''} />
      </Card>
    </Page>
  )
}

/** While a request waits or runs, the list is read again every two seconds; at its end the person is, too. */
export function useProgress(requests: readonly Pick<Request, 'status'>[]): void {
  const refresh = useRefresh()
  const isOpen = requests.some(({ status }) => status === 'PENDING' || status === 'RUNNING')
  // biome-ignore lint/correctness/useExhaustiveDependencies: `refresh` is another function at every render
  useEffect(() => {
    if (!isOpen) return
    const timer = setInterval(() => document.hidden || refresh(REQUESTS), EVERY_MS)
    return () => {
      clearInterval(timer)
      refresh(...PERSON_PATHS)
    }
  }, [isOpen])
}

function Table({
  list,
  isFiltered,
}: {
  list: ReturnType<typeof useList<'/dashboard/projects/{projectId}/dsar'>>
  isFiltered: boolean
}) {
  const t = useText('subscribers')
  const c = useText('common')
  const reasonOf = useReason()
  return (
    <DataTable
      label={c.dataRequests}
      list={list}
      keyOf={({ id }) => id}
      empty={isFiltered ? <Empty title={c.nothingFound} /> : <NoRequests />}
      columns={[
        { title: c.id, cell: ({ id }) => <Id id={id} /> },
        { title: c.type, cell: ({ type }) => t.requestTypes[type] },
        { title: c.state, whole: ({ error }) => reasonOf(error ?? ''), cell: (row) => <RequestState row={row} /> },
        { title: t.person, cell: ({ subscriberId, person }) => <PersonLink id={subscriberId} person={person} /> },
        {
          title: t.requestedBy,
          isExtra: true,
          whole: ({ requestedBy }) => requestedBy,
          cell: ({ requestedBy }) => requestedBy,
        },
        { title: c.createdAt, isExtra: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
        { title: t.downloadEnds, isExtra: true, cell: ({ expiresAt }) => <Time at={expiresAt} /> },
        { title: t.download, cell: (row) => <Result row={row} /> },
      ]}
    />
  )
}

const RequestState = ({ row: { status, error } }: { row: Request }) => {
  const t = useText('subscribers')
  const reasonOf = useReason()
  return (
    <State tone={toneOf(status)} live={status === 'RUNNING'}>
      {t.requestStates[status]}
      {error !== null && <span className="text-ink-2">{reasonOf(error)}</span>}
    </State>
  )
}

/** The file of an export, or the certificate of an erasure. */
export function Result({ row }: { row: Request }) {
  const t = useText('subscribers')
  const { api } = useProject()
  if (!row.downloadReady) return <span>—</span>
  return (
    <DownloadButton href={`${api}/dsar/${row.id}/download`} icon={<Download aria-hidden size={14} />}>
      {row.type === 'EXPORT' ? t.downloadExport : t.downloadCertificate}
    </DownloadButton>
  )
}

function NoRequests() {
  const t = useText('subscribers')
  const href = useHref()
  return (
    <Empty title={t.noRequests} action={<LinkButton href={href('/subscribers')}>{t.openPeople}</LinkButton>}>
      {t.noRequestsWhy}
    </Empty>
  )
}
