import { useList, useRefresh } from '../../../api/queries'
import { Empty } from '../../../kit/empty'
import { State, type Tone } from '../../../kit/state'
import { DataTable } from '../../../kit/table'
import { Count, Time } from '../../../kit/values'
import { useProject } from '../../../lib/session'
import { PersonLink } from '../../../parts/person-link'
import { useText } from '../../../text/catalogue'
import { useEvery } from '../shared/live'
import { type Delivery, isOpen } from './model'
import { useReason } from './use-reason'

const PATH = '/dashboard/projects/{projectId}/webhook-deliveries'
const OFTEN_MS = 2000
const SELDOM_MS = 4000

interface DeliveryTableProps {
  filter: { endpointId?: string; status?: Delivery['status']; type?: string; subscriberId?: string }
  hidesEndpoint?: boolean
  names?: ReadonlyMap<string, string>
}

/** Deliveries, the newest first; what happens to them is seen without a reload. */
export function DeliveryTable({ filter, hidesEndpoint = false, names = new Map() }: DeliveryTableProps) {
  const t = useText('connections')
  const common = useText('common')
  const { path, base, environment } = useProject()
  const refresh = useRefresh()
  const list = useList(PATH, { params: { path, query: { ...filter, environment, limit: 50 } } })
  const hasOpen = list.items.some(({ status }) => isOpen(status))
  useEvery(list.items.length > 200 ? null : hasOpen ? OFTEN_MS : SELDOM_MS, () => refresh(PATH))
  const wordsOf = useReason()
  const isFiltered = Object.values(filter).some((one) => one !== undefined && one !== filter.endpointId)
  const endpoint = {
    title: t.endpoint,
    cell: ({ endpointId }: Delivery) => names.get(endpointId) ?? endpointId,
    whole: ({ endpointId }: Delivery) => names.get(endpointId) ?? endpointId,
  }
  return (
    <DataTable
      label={common.deliveries}
      list={list}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => `${base}/connections/deliveries/${id}`}
      phone={{
        lines: (one) => ({
          title: <span className="font-mono text-sm">{one.type}</span>,
          amount: <span className="text-sm">{lastAnswerOf(one)}</span>,
          detail: <DeliveryState delivery={one} />,
          aside: <Time at={one.createdAt} />,
        }),
      }}
      empty={
        <Empty title={isFiltered ? common.nothingFound : t.noDeliveries}>{!isFiltered && t.noDeliveriesWhy}</Empty>
      }
      columns={[
        { title: common.type, cell: ({ type }) => <span className="font-mono text-xs">{type}</span> },
        { title: common.status, cell: (one) => <DeliveryState delivery={one} /> },
        {
          title: t.subscriber,
          cell: ({ subscriberId, person }) =>
            subscriberId === null ? '—' : <PersonLink id={subscriberId} person={person} isPlain />,
        },
        ...(hidesEndpoint ? [] : [endpoint]),
        { title: t.attempts, cell: ({ attempts }) => <Count value={attempts} />, isNumber: true },
        { title: t.lastAnswer, cell: lastAnswerOf, whole: (one) => wordsOf(lastAnswerOf(one)), isNumber: true },
        { title: common.createdAt, cell: ({ createdAt }) => <Time at={createdAt} />, isExtra: true },
      ]}
    />
  )
}

const lastAnswerOf = ({ lastStatusCode, lastError, skipReason }: Delivery): string => {
  if (lastStatusCode !== null) return String(lastStatusCode)
  return (skipReason ?? lastError ?? '—').slice(0, 40)
}

const TONES: Record<Delivery['status'], Tone> = {
  PENDING: 'info',
  DELIVERING: 'info',
  SUCCEEDED: 'good',
  FAILED: 'warn',
  DEAD: 'bad',
  DISMISSED: 'mute',
  SKIPPED: 'mute',
}

export function DeliveryState({ delivery: { status, isTest } }: { delivery: Delivery }) {
  const t = useText('connections')
  return (
    <State tone={TONES[status]}>
      {isTest && status === 'DEAD' ? t.inboxStates.FAILED : t.deliveryStates[status]}
      {isTest && <span className="text-ink-2">({t.test})</span>}
    </State>
  )
}
