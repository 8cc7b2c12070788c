import { Pause, Play } from 'lucide-react'
import { Button } from '../../../kit/button'
import { Card } from '../../../kit/card'
import { Elsewhere } from '../../../kit/elsewhere'
import { Empty, Skeleton } from '../../../kit/empty'
import { Failure } from '../../../kit/failure'
import { FilterSelect } from '../../../kit/filter-select'
import { Page } from '../../../kit/page'
import { State } from '../../../kit/state'
import { ListFoot } from '../../../kit/table-foot'
import { useParams } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'
import { typeOptions } from '../shared/event-types'
import { FilterText } from '../shared/filter-text'
import { EventRow } from './event-row'
import { EventSheet } from './event-sheet'
import { useEvents } from './use-events'

export default function Events() {
  const t = useText('connections')
  const common = useText('common')
  const [values, set] = useParams()
  const types = values.get('types') ?? ''
  const subscriberId = values.get('subscriber') ?? ''
  const { items, list, stream, isPaused, waiting, pause, resume } = useEvents({ types, subscriberId })
  const chosen = values.get('event')
  const isFiltered = types !== '' || subscriberId !== ''
  return (
    <Page
      title={common.events}
      purpose={t.eventsPurpose}
      actions={
        <Button
          data-pause
          onClick={isPaused ? resume : pause}
          icon={isPaused ? <Play aria-hidden size={14} /> : <Pause aria-hidden size={14} />}
        >
          {isPaused ? `${common.resume}${waiting > 0 ? ` (${waiting})` : ''}` : common.pause}
        </Button>
      }
      beside={<Live state={isPaused ? 'paused' : stream} />}
      filters={
        <>
          <FilterSelect
            label={common.type}
            value={types}
            onChange={({ target }) => set({ types: target.value })}
            options={typeOptions(common.all)}
          />
          <FilterText label={t.subscriberId} value={subscriberId} onChange={(subscriber) => set({ subscriber })} />
        </>
      }
    >
      <Card flush>
        {list.error && items.length === 0 ? (
          <div className="px-4">
            <Failure error={list.error} onRetry={list.retry} />
          </div>
        ) : list.isLoading ? (
          <Skeleton lines={8} className="px-4" />
        ) : items.length === 0 ? (
          <>
            <Empty title={isFiltered ? common.nothingFound : t.noEvents}>{!isFiltered && t.noEventsWhy}</Empty>
            <Elsewhere source={list.source} />
          </>
        ) : (
          <ol aria-label={common.events} aria-live="off" className="divide-y divide-line">
            {items.map((event) => (
              <EventRow key={event.id} event={event} />
            ))}
          </ol>
        )}
        {items.length > 0 && <ListFoot list={{ ...list, items }} />}
      </Card>
      {chosen && (
        <EventSheet
          key={chosen}
          id={chosen}
          listed={items.find(({ id }) => id === chosen)}
          onClose={() => set({ event: null })}
        />
      )}
    </Page>
  )
}

function Live({ state }: { state: 'live' | 'paused' | 'reconnecting' }) {
  const common = useText('common')
  const tones = { live: 'good', paused: 'mute', reconnecting: 'warn' } as const
  return (
    <State tone={tones[state]} live={state === 'live'}>
      <span className="text-sm text-ink-2">{common[state]}</span>
    </State>
  )
}
