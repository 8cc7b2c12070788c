import { Link } from 'wouter'
import type { Schemas } from '../../api/schemas'
import { LinkButton } from '../../kit/button'
import { Card } from '../../kit/card'
import { Strip } from '../../kit/charts/strip'
import { formatDuration } from '../../kit/charts/units'
import { Empty } from '../../kit/empty'
import { Because } from '../../kit/mark'
import { State, type Tone } from '../../kit/state'
import { Time } from '../../kit/values'
import { formatNumber } from '../../lib/format'
import { useReading } from '../../lib/session'
import { useHref } from '../../parts/use-href'
import { useText } from '../../text/catalogue'

type Store = Schemas['StoreOverview']

const STORES: Record<Store['store'], string> = { ios: 'IOS_STORE', android: 'ANDROID_STORE', payment: 'PAYMENT' }

const TONES: Record<Store['status'], Tone> = { OK: 'good', INCOMPLETE: 'warn', FAILING: 'bad' }

/** How the stores report to us. */
export function Stores({ stores }: { stores: readonly Store[] }) {
  const t = useText('overview')
  const href = useHref()
  return (
    <Card flush title={t.stores} aside={<span className="text-xs">{t.storesAside}</span>}>
      {stores.length === 0 ? (
        <Empty title={t.noStores} action={<LinkButton href={href('/connections')}>{t.connectStore}</LinkButton>}>
          {t.noStoresHint}
        </Empty>
      ) : (
        <ul className="divide-y divide-line">
          {stores.map((store) => (
            <Line key={store.store} store={store} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function Line({ store: { store, status, lastNotificationAt, halfHours, medianDelayMs } }: { store: Store }) {
  const t = useText('overview')
  const reading = useReading()
  const href = useHref()
  const name = t.storeNames[store] ?? store
  const count = halfHours.reduce((sum, value) => sum + value, 0)
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-1.5 px-4 py-3">
      <p className="flex items-center justify-between gap-3">
        <State tone={TONES[status]}>
          <span className="font-medium">{name}</span>
        </State>
        <span className="truncate text-xs text-ink-2">
          {lastNotificationAt === null ? (
            t.neverHeard
          ) : (
            <>
              {t.heard} <Time at={lastNotificationAt} />
            </>
          )}
        </span>
      </p>
      <Strip label={t.halfHours(name, formatNumber(reading, count))} values={halfHours} />
      <Because className="text-xs">
        {status === 'OK' ? '' : `${t.storeStates[status]}. `}
        {count === 0 ? (
          t.quiet
        ) : (
          <Link href={href('/connections/store-events', { store: STORES[store] })} className="hover:underline">
            {t.counted(formatNumber(reading, count))}
          </Link>
        )}
        {medianDelayMs !== null && `. ${t.delay(formatDuration(reading, medianDelayMs))}`}
      </Because>
    </li>
  )
}
