import { useState } from 'react'
import { useRead } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { useStream } from '../../api/stream'
import { Columns } from '../../kit/card'
import { Skeleton } from '../../kit/empty'
import { Failure } from '../../kit/failure'
import { Page } from '../../kit/page'
import { now } from '../../lib/clock'
import { useProject, useSession } from '../../lib/session'
import { useText } from '../../text/catalogue'
import { Aside } from './first-run-aside'
import { CallStep, KeyStep, type Progress, PurchaseStep } from './first-run-steps'
import { type Heard, Waiting } from './first-run-waiting'

const EVENTS_KEPT = 8

interface FirstRunProps {
  /** The person has seen the first purchase and wants the overview. */
  onDone?: () => void
}

/** A project without purchases: three steps, and a line that shows the first call and the first purchase as they come. */
export default function FirstRun({ onDone }: FirstRunProps) {
  const t = useText('signIn')
  const { me } = useSession()
  const { path, project } = useProject()
  const overview = useRead('/dashboard/projects/{projectId}/overview', { params: { path } })
  const keys = useRead('/dashboard/projects/{projectId}/api-keys', { params: { path } })
  const heard = useFirsts()
  if (overview.error && !overview.data)
    return (
      <Page title={t.welcome(me.name)}>
        <Failure error={overview.error} onRetry={() => void overview.refetch()} />
      </Page>
    )
  if (!overview.data || (!keys.data && !keys.error))
    return (
      <Page title={t.welcome(me.name)}>
        <Skeleton lines={6} />
      </Page>
    )
  const first = { ...overview.data.first, ...withoutNulls(heard.first) }
  const key = keys.data?.items.find(({ publicKey, revokedAt }) => publicKey !== null && revokedAt === null)
  const progress: Progress = { first, publicKey: key?.publicKey ?? null }
  return (
    <Page title={t.welcome(me.name)} purpose={t.firstPurpose(project.name)}>
      <Columns
        main={
          <ol className="grid grid-cols-[minmax(0,1fr)]">
            <KeyStep {...progress} />
            <CallStep {...progress} />
            <PurchaseStep {...progress}>
              <Waiting heard={heard} first={first} {...(onDone && { onDone })} />
            </PurchaseStep>
          </ol>
        }
        side={<Aside />}
      />
    </Page>
  )
}

type First = Schemas['OverviewFirsts']

const withoutNulls = ({ call, purchase }: First): Partial<First> => ({
  ...(call !== null && { call }),
  ...(purchase !== null && { purchase }),
})

/** What the live overview has reported since the page was opened. */
function useFirsts(): Heard {
  const { api } = useProject()
  const [openedAt] = useState(now)
  const [first, setFirst] = useState<First>({ call: null, purchase: null })
  const [events, setEvents] = useState<Heard['events']>([])
  const state = useStream(`${api}/overview/live`, {
    on: {
      first: (data) => setFirst(data as First),
      event: (data) => {
        const one = data as Heard['events'][number]
        setEvents((before) => (before.some(({ id }) => id === one.id) ? before : [...before, one].slice(-EVENTS_KEPT)))
      },
    },
  })
  return { first, events, state, openedAt }
}
