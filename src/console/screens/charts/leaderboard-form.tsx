import { useState } from 'react'
import { useLocation } from 'wouter'
import { api } from '../../api/client'
import { ApiFailure } from '../../api/failure'
import { useAction, useRead } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Dialog } from '../../kit/dialog'
import { Field, Select, TextInput } from '../../kit/field'
import { Form } from '../../kit/form'
import { toast } from '../../kit/toast'
import { useProject } from '../../lib/session'
import { useText } from '../../text/catalogue'
import { Conflict } from './conflict'

type Board = Schemas['Leaderboard']
type Draft = Pick<Board, 'identifier' | 'name' | 'metric' | 'window'> & { currencyId: string; eventType: string }

const BOARDS = '/dashboard/projects/{projectId}/leaderboards'
const METRICS = ['currency', 'spend', 'event'] as const
const WINDOWS = ['all', 'day', 'week', 'month'] as const

const draftOf = (board: Board | null): Draft => ({
  identifier: board?.identifier ?? '',
  name: board?.name ?? '',
  metric: board?.metric ?? 'spend',
  window: board?.window ?? 'all',
  currencyId: board?.currencyId ?? '',
  eventType: board?.eventType ?? '',
})

/** Makes a leaderboard, or changes one. */
export function LeaderboardForm({ board, onClose }: { board: Board | null; onClose: () => void }) {
  const t = useText('charts')
  const common = useText('common')
  const { base, environment } = useProject()
  const [, go] = useLocation()
  const [draft, setDraft] = useState(() => draftOf(board))
  const save = useSave(board, draft, (saved) => {
    toast(common.saved)
    board ? onClose() : go(`${base}/charts/leaderboards/${saved.id}${environment === 'SANDBOX' ? '?env=sandbox' : ''}`)
  })
  const isConflict = save.error instanceof ApiFailure && save.error.code === 'CONFLICT' && board !== null
  return (
    <Dialog kind="sheet" title={board ? t.edit : t.newLeaderboard} onClose={onClose}>
      <Form
        submit={board ? common.save : common.create}
        busy={save.busy}
        error={isConflict ? null : save.error}
        onSubmit={() => save.submit(board?.revision ?? null)}
        onCancel={onClose}
      >
        <Fields draft={draft} change={(part) => setDraft({ ...draft, ...part })} />
      </Form>
      {isConflict && (
        <Conflict
          error={save.error}
          refreshes={BOARDS}
          onClose={save.reset}
          onLoad={() => {
            save.reset()
            setDraft(draftOf(board))
          }}
          onOverwrite={() => save.submit(null)}
        />
      )}
    </Dialog>
  )
}

function useSave(board: Board | null, { currencyId, eventType, ...draft }: Draft, onDone: (saved: Board) => void) {
  const { path } = useProject()
  const body = {
    ...draft,
    currencyId: draft.metric === 'currency' ? currencyId || null : null,
    eventType: draft.metric === 'event' ? eventType || null : null,
  }
  return useAction({
    run: (revision: number | null) =>
      board === null
        ? api.post(BOARDS, { params: { path }, body })
        : api.patch('/dashboard/projects/{projectId}/leaderboards/{id}', {
            params: {
              path: { ...path, id: board.id },
              ...(revision !== null && { header: { 'If-Match': `"${revision}"` } }),
            },
            body,
          }),
    refreshes: [BOARDS],
    onDone,
  })
}

interface FieldsProps {
  draft: Draft
  change: (part: Partial<Draft>) => void
}

function Fields({ draft, change }: FieldsProps) {
  const t = useText('charts')
  const common = useText('common')
  return (
    <>
      <Field label={common.name} name="name">
        <TextInput
          data-first
          maxLength={255}
          value={draft.name}
          onChange={(event) => change({ name: event.target.value })}
        />
      </Field>
      <Field label={t.identifier} name="identifier" hint={t.identifierHint}>
        <TextInput
          className="font-mono"
          maxLength={64}
          value={draft.identifier}
          onChange={(event) => change({ identifier: event.target.value })}
        />
      </Field>
      <Field label={t.metric} name="metric">
        <Select
          value={draft.metric}
          onChange={(event) => change({ metric: event.target.value as Draft['metric'] })}
          options={METRICS.map((metric) => [metric, t.metrics[metric]])}
        />
      </Field>
      {draft.metric === 'currency' && <CurrencyField draft={draft} change={change} />}
      {draft.metric === 'event' && (
        <Field label={t.event} name="eventType" hint={t.eventHint}>
          <TextInput
            className="font-mono"
            maxLength={136}
            value={draft.eventType}
            onChange={(event) => change({ eventType: event.target.value })}
          />
        </Field>
      )}
      <Field label={t.windowTitle} name="window">
        <Select
          value={draft.window}
          onChange={(event) => change({ window: event.target.value as Draft['window'] })}
          options={WINDOWS.map((window) => [window, t.windows[window]])}
        />
      </Field>
    </>
  )
}

function CurrencyField({ draft, change }: FieldsProps) {
  const t = useText('charts')
  const { path } = useProject()
  const currencies = useRead('/dashboard/projects/{projectId}/virtual-currencies', {
    params: { path, query: { limit: 200 } },
  })
  const items = currencies.data?.items ?? []
  return (
    <Field
      label={t.virtualCurrency}
      name="currencyId"
      hint={currencies.data && items.length === 0 ? t.noChoices : undefined}
    >
      <Select
        value={draft.currencyId}
        onChange={(event) => change({ currencyId: event.target.value })}
        options={[['', '—'], ...items.map(({ id, code, name }) => [id, `${name} (${code})`] as const)]}
      />
    </Field>
  )
}
