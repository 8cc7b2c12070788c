import { useState } from 'react'
import { useLocation } from 'wouter'
import { api } from '../../../api/client'
import { useAction } from '../../../api/queries'
import { Button } from '../../../kit/button'
import { Facts } from '../../../kit/card'
import { DateInput } from '../../../kit/date-input'
import { Confirm, Dialog } from '../../../kit/dialog'
import { Field } from '../../../kit/field'
import { focusUnreadable } from '../../../kit/form'
import { toast } from '../../../kit/toast'
import { now } from '../../../lib/clock'
import { formatTime } from '../../../lib/format'
import { useProject, useReading } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { EventTypes } from '../shared/event-types'
import type { Endpoint } from './model'

interface ReplayProps {
  endpoint: Endpoint
  onClose: () => void
  reason: string | null
}

const DAY = 86_400_000

/** `2026-11-20T08:00` of UTC, as an input of date and time has it. */
const inputOf = (at: number): string => new Date(at).toISOString().slice(0, 16)

const instantOf = (text: string): string => (text === '' ? '' : `${text}:00.000Z`)

/** Sends the events of a range of time again: first the range, then the effect. */
export function Replay({ endpoint, onClose, reason }: ReplayProps) {
  const t = useText('connections')
  const common = useText('common')
  const [range, setRange] = useState({ from: inputOf(now() - DAY), to: inputOf(now()), types: endpoint.eventTypes })
  const [isSure, setSure] = useState(false)
  const isWrong = range.from === '' || range.to === '' || range.from > range.to
  const preview = () => {
    if (!focusUnreadable(document.querySelector('dialog[open]'))) setSure(true)
  }
  if (isSure) return <ReplayConfirm {...{ endpoint, range, reason }} onClose={() => setSure(false)} onDone={onClose} />
  return (
    <Dialog title={t.replayRange} kind="sheet" onClose={onClose}>
      <p className="text-sm text-ink-2">{t.replayHint}</p>
      <Field label={`${common.from} (UTC)`}>
        <DateInput data-first hasTime value={range.from} onChange={(from) => setRange({ ...range, from })} />
      </Field>
      <Field label={`${common.to} (UTC)`} error={isWrong ? t.rangeWrong : null}>
        <DateInput hasTime value={range.to} onChange={(to) => setRange({ ...range, to })} />
      </Field>
      <EventTypes name="types" value={range.types} onChange={(types) => setRange({ ...range, types })} />
      <div className="flex justify-end gap-2 border-t border-line pt-4">
        <Button onClick={onClose}>{common.cancel}</Button>
        <Button variant="primary" onClick={preview} reason={isWrong ? t.rangeWrong : reason}>
          {t.replayPreview}
        </Button>
      </div>
    </Dialog>
  )
}

interface ReplayConfirmProps extends ReplayProps {
  range: { from: string; to: string; types: string[] }
  onDone: () => void
}

function ReplayConfirm({ endpoint, range, onClose, onDone, reason }: ReplayConfirmProps) {
  const t = useText('connections')
  const common = useText('common')
  const reading = useReading()
  const { path, base } = useProject()
  const [, navigate] = useLocation()
  const from = instantOf(range.from)
  const to = instantOf(range.to)
  const types = range.types.includes('*') ? [] : range.types
  const replay = useAction({
    run: () =>
      api.post('/dashboard/projects/{projectId}/webhook-deliveries/replay', {
        params: { path },
        body: { endpointId: endpoint.id, from, to, ...(types.length > 0 && { types }) },
      }),
    refreshes: ['/dashboard/projects/{projectId}/webhook-deliveries'],
    onDone: ({ queued }) => {
      toast(t.queued(queued))
      onDone()
      navigate(`${base}/connections/deliveries?endpoint=${endpoint.id}`)
    },
  })
  return (
    <Confirm
      title={t.replayRange}
      action={t.replayRange}
      onConfirm={() => replay.submit(undefined)}
      onClose={onClose}
      busy={replay.busy}
      error={replay.error}
      reason={reason}
    >
      <Facts
        items={[
          [common.to, endpoint.name],
          [t.recordedBetween, `${formatTime(reading, from)} – ${formatTime(reading, to)}`],
          [t.eventTypes, types.length === 0 ? t.allEvents : types.join(', ')],
        ]}
      />
      <p>{t.replayMeans}</p>
      {endpoint.ordered && <p>{t.replayOrdered}</p>}
    </Confirm>
  )
}
