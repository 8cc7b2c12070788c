import { api } from '../../../api/client'
import { useAction, useList, useRead, useRefresh } from '../../../api/queries'
import type { Schemas } from '../../../api/schemas'
import { Button } from '../../../kit/button'
import { Card, Facts } from '../../../kit/card'
import { CopyText, Id } from '../../../kit/copy'
import { Dialog } from '../../../kit/dialog'
import { Empty, Skeleton } from '../../../kit/empty'
import { Failure, FormFailure } from '../../../kit/failure'
import { FilterSelect } from '../../../kit/filter-select'
import { Because } from '../../../kit/mark'
import { Page } from '../../../kit/page'
import { Chip, State, toneOf } from '../../../kit/state'
import { DataTable } from '../../../kit/table'
import { toast } from '../../../kit/toast'
import { Time } from '../../../kit/values'
import { useProject } from '../../../lib/session'
import { useParams } from '../../../lib/url-state'
import { useStoreReason } from '../../../parts/store-reason'
import { useText } from '../../../text/catalogue'
import { Json, JsonText } from '../shared/json'
import { useEvery } from '../shared/live'
import { decoded } from './decode'

type StoreEvent = Schemas['StoreEvent']
const PATH = '/dashboard/projects/{projectId}/store-events'
const STATES = ['RECEIVED', 'PROCESSING', 'PROCESSED', 'FAILED', 'IGNORED'] as const
const STORES = ['IOS_STORE', 'ANDROID_STORE', 'PAYMENT'] as const

export default function StoreEvents() {
  const t = useText('connections')
  const common = useText('common')
  const { path, base, environment } = useProject()
  const [values, set] = useParams()
  const refresh = useRefresh()
  const status = STATES.find((one) => one === values.get('status'))
  const store = STORES.find((one) => one === values.get('store'))
  const chosenOnes = { ...(status && { status }), ...(store && { store }) }
  const list = useList(PATH, { params: { path, query: { ...chosenOnes, environment } } })
  useEvery(list.items.length > 200 ? null : 5000, () => refresh(PATH))
  const link = new URLSearchParams({ ...chosenOnes })
  const chosen = values.get('event')
  return (
    <Page
      title={common.storeInbox}
      purpose={t.inboxPurpose}
      filters={
        <>
          <FilterSelect
            label={common.store}
            value={store ?? ''}
            onChange={({ target }) => set({ store: target.value })}
            options={[['', common.all], ...STORES.map((one) => [one, common.storeNames[one]] as const)]}
          />
          <FilterSelect
            label={common.status}
            value={status ?? ''}
            onChange={({ target }) => set({ status: target.value })}
            options={[['', common.all], ...STATES.map((one) => [one, t.inboxStates[one]] as const)]}
          />
        </>
      }
    >
      <Card flush>
        <DataTable
          label={common.storeInbox}
          list={list}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => {
            link.set('event', id)
            return `${base}/connections/store-events?${link}`
          }}
          phone={{
            lines: (one) => ({
              title: <span className="font-mono text-sm">{one.type}</span>,
              amount: <span className="text-sm font-normal">{storeOf(common.storeNames, one)}</span>,
              detail: (
                <span className="flex items-center gap-2">
                  <InboxState event={one} />
                  <EnvironmentMark event={one} />
                </span>
              ),
              aside: <Time at={one.receivedAt} />,
            }),
          }}
          empty={
            <Empty title={status || store ? common.nothingFound : t.noStoreEvents}>
              {!status && !store && t.noStoreEventsWhy}
            </Empty>
          }
          columns={[
            {
              title: common.type,
              cell: ({ type }) => <span className="font-mono text-xs">{type}</span>,
              whole: ({ type }) => type,
            },
            { title: common.status, cell: (one) => <InboxState event={one} /> },
            { title: common.store, cell: (one) => storeOf(common.storeNames, one) },
            { title: common.environment, cell: (one) => <EnvironmentMark event={one} /> },
            { title: t.errorText, cell: ({ error }) => error ?? '—', whole: ({ error }) => error ?? '', isExtra: true },
            { title: t.received, cell: ({ receivedAt }) => <Time at={receivedAt} />, isExtra: true },
          ]}
        />
      </Card>
      {chosen && <Sheet id={chosen} onClose={() => set({ event: null })} />}
    </Page>
  )
}

const storeOf = (names: Record<string, string>, { store }: { store: string }): string => names[store] ?? store

function InboxState({ event: { status } }: { event: StoreEvent }) {
  const t = useText('connections')
  return <State tone={toneOf(status)}>{t.inboxStates[status]}</State>
}

/** A notification that names no environment is listed with both. */
function EnvironmentMark({ event: { environment } }: { event: StoreEvent }) {
  const common = useText('common')
  if (environment === null) return <Chip>{common.noEnvironment}</Chip>
  return environment === 'SANDBOX' ? <Chip tone="warn">{common.sandbox}</Chip> : <Chip>{common.production}</Chip>
}

function Sheet({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useText('connections')
  const common = useText('common')
  const reasonOf = useStoreReason()
  const { path } = useProject()
  const read = useRead(`${PATH}/{id}`, { params: { path: { ...path, id } } }, { keep: false })
  const event = read.data
  const again = useAction({
    run: () => api.post(`${PATH}/{id}/reprocess`, { params: { path: { ...path, id } }, body: {} }),
    refreshes: [PATH],
    onDone: ({ status }) => toast(t.reprocessed(t.inboxStates[status]), { isBad: status === 'FAILED' }),
  })
  return (
    <Dialog title={event?.type ?? common.storeInbox} kind="sheet" onClose={onClose}>
      {read.error && !event && <Failure error={read.error} onRetry={() => void read.refetch()} />}
      {!event && !read.error && <Skeleton />}
      {event && (
        <>
          <div className="flex flex-wrap items-center justify-between gap-2">
            <InboxState event={event} />
            <Button onClick={() => again.submit(undefined)} busy={again.busy}>
              {t.reprocess}
            </Button>
          </div>
          <FormFailure error={again.error} />
          {event.error !== null && <Because>{reasonOf(event.error)}</Because>}
          <Facts
            items={[
              [common.id, <Id key="id" id={event.id} />],
              [common.store, storeOf(common.storeNames, event)],
              [common.environment, <EnvironmentMark key="e" event={event} />],
              [t.notificationId, <CopyText key="n" text={event.notificationId} />],
              [t.received, <Time key="r" at={event.receivedAt} absolute />],
            ]}
          />
          <p className="text-xs text-ink-2">{t.reprocessHint}</p>
          <Json value={decoded(event.body)} label={t.payload} />
          <details>
            <summary className="text-sm text-ink-2">{t.asSent}</summary>
            <JsonText text={event.body} label={t.asSent} />
          </details>
        </>
      )}
    </Dialog>
  )
}
