import { useLocation } from 'wouter'
import { api, read } from '../../api/client'
import { useRead } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { ConflictDialog } from '../../kit/conflict'
import { Dialog } from '../../kit/dialog'
import { useEdit } from '../../kit/edit'
import { Field, Select, TextInput } from '../../kit/field'
import { Form } from '../../kit/form'
import { toast } from '../../kit/toast'
import { useProject } from '../../lib/session'
import { useText } from '../../text/catalogue'

type Board = Schemas['Leaderboard']
type Draft = Pick<Board, 'identifier' | 'name' | 'metric' | 'window'> & { currencyId: string; eventType: string }

const BOARDS = '/dashboard/projects/{projectId}/leaderboards'
const BOARD = '/dashboard/projects/{projectId}/leaderboards/{id}'
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

interface FormProps {
  board: Board | null
  reason: string | null
  onClose: () => void
}

/** Makes a leaderboard, or changes one. */
export function LeaderboardForm({ board, reason, onClose }: FormProps) {
  const t = useText('charts')
  const common = useText('common')
  const { base, environment } = useProject()
  const [, go] = useLocation()
  const edit = useBoardEdit(board, (saved) => {
    toast(common.saved)
    board ? onClose() : go(`${base}/charts/leaderboards/${saved.id}${environment === 'SANDBOX' ? '?env=sandbox' : ''}`)
  })
  const close = () => {
    edit.draft.discard()
    onClose()
  }
  return (
    <Dialog kind="sheet" title={board ? t.edit : t.newLeaderboard} onClose={close}>
      <Form
        submit={board ? common.save : common.create}
        busy={edit.busy}
        error={edit.error}
        reason={reason}
        onSubmit={edit.save}
        onCancel={close}
      >
        <Fields draft={edit.draft.value} change={(part) => edit.draft.set((before) => ({ ...before, ...part }))} />
      </Form>
      <ConflictDialog edit={edit} />
    </Dialog>
  )
}

function useBoardEdit(board: Board | null, onSaved: (saved: Board) => void) {
  const t = useText('charts')
  const common = useText('common')
  const { path } = useProject()
  const one = { path: { ...path, id: board?.id ?? '' } }
  const savedOf = (from: Board | null) => ({ value: draftOf(from), revision: from?.revision ?? null })
  return useEdit({
    name: `leaderboard.${path.projectId}.${board?.id ?? 'new'}`,
    saved: savedOf(board),
    lines: ({ name, identifier, metric, window, currencyId, eventType }: Draft) => [
      { key: 'name', label: common.name, text: name },
      { key: 'identifier', label: t.identifier, text: identifier },
      { key: 'metric', label: t.metric, text: t.metrics[metric] },
      { key: 'currencyId', label: t.virtualCurrency, text: currencyId },
      { key: 'eventType', label: t.event, text: eventType },
      { key: 'window', label: t.windowTitle, text: t.windows[window] },
    ],
    save: (draft, header) =>
      board === null
        ? api.post(BOARDS, { params: { path }, body: bodyOf(draft) })
        : api.patch(BOARD, { params: { ...one, header }, body: bodyOf(draft) }),
    // There is no route of one alone; the list is short.
    readNewest: async () => {
      const { items } = await read(BOARDS, { params: { path, query: { limit: 200 } } })
      return savedOf(items.find(({ id }) => id === board?.id) ?? board)
    },
    refreshes: [BOARDS],
    onSaved,
  })
}

const bodyOf = ({ currencyId, eventType, ...draft }: Draft) => ({
  ...draft,
  currencyId: draft.metric === 'currency' ? currencyId || null : null,
  eventType: draft.metric === 'event' ? eventType || null : null,
})

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
