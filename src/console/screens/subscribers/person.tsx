import { useParams } from 'wouter'
import { useRead, useRefresh } from '../../api/queries'
import { useStream } from '../../api/stream'
import { Columns } from '../../kit/card'
import { Skeleton } from '../../kit/empty'
import { Failure } from '../../kit/failure'
import { Page } from '../../kit/page'
import { useProject } from '../../lib/session'
import { useParam } from '../../lib/url-state'
import { useHref } from '../../parts/use-href'
import { PERSON_PATHS, PersonContext, usePerson } from '../../parts/use-person'
import { nameOf } from '../../parts/words'
import { useText } from '../../text/catalogue'
import { AccessCard, useAccessNames } from './person/access'
import { useAsOf } from './person/as-of'
import { Events } from './person/events'
import { Actions, Head, Notes, PersonState } from './person/head'
import { Lifeline } from './person/lifeline'
import { Side } from './person/side'
import { Sheets } from './sheets/sheets'

/** One person: their accesses with the reasons, their purchases, and their events. */
export default function PersonScreen() {
  const { id = '' } = useParams<{ id: string }>()
  const c = useText('common')
  const { path } = useProject()
  const href = useHref()
  const { data, error, refetch } = useRead(
    '/dashboard/projects/{projectId}/subscribers/{id}',
    { params: { path: { ...path, id } } },
    { keep: false },
  )
  if (!data)
    return (
      <Page title={c.people} crumbs={[[c.subscribers, href('/subscribers')]]}>
        {error ? <Failure error={error} onRetry={() => void refetch()} /> : <Skeleton lines={8} />}
      </Page>
    )
  return (
    <PersonContext.Provider value={data} key={id}>
      <Whole />
    </PersonContext.Provider>
  )
}

function Whole() {
  const c = useText('common')
  const href = useHref()
  const { subscriber } = usePerson()
  const asOf = useAsOf()
  const [chosen] = useParam('access')
  const { names, isLoading } = useAccessNames()
  const access = names.includes(chosen) ? chosen : names[0]
  useLive(subscriber.id)
  return (
    <Page
      title={nameOf(subscriber)}
      crumbs={[
        [c.subscribers, href('/subscribers')],
        [c.people, href('/subscribers')],
      ]}
      beside={<PersonState />}
      purpose={<Head />}
      actions={<Actions />}
    >
      <Notes />
      <Columns
        main={
          <>
            <AccessCard asOf={asOf} chosen={access} names={names} isLoading={isLoading} />
            <Lifeline asOf={asOf} access={access} />
            <Events asOf={asOf} />
          </>
        }
        side={<Side />}
      />
      <Sheets asOf={asOf} access={access} />
    </Page>
  )
}

/** What the stores, the app and other people change appears by itself. */
function useLive(id: string): void {
  const { api } = useProject()
  const refresh = useRefresh()
  useStream(`${api}/events/stream?subscriberId=${encodeURIComponent(id)}`, {
    on: { event: () => refresh(...PERSON_PATHS) },
  })
}
