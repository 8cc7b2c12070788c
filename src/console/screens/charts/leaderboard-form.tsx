import { api, read } from '../../api/client'
import { useRead } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Field, Select, TextInput } from '../../kit/field'
import { useProject } from '../../lib/session'
import { useText } from '../../text/catalogue'
import { NamedSheet, useNamedEdit } from './named-form'

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
  const { path } = useProject()
  const edit = useNamedEdit<Board, Draft>({
    ...{ kind: 'leaderboard', object: board, list: BOARDS, screen: '/charts/leaderboards', onClose, draftOf },
    lines: useLines(),
    save: (draft, header) =>
      board === null
        ? api.post(BOARDS, { params: { path }, body: bodyOf(draft) })
        : api.patch(BOARD, { params: { path: { ...path, id: board.id }, header }, body: bodyOf(draft) }),
    readAll: () => read(BOARDS, { params: { path, query: { limit: 200 } } }),
  })
  return (
    <NamedSheet title={board ? t.edit : t.newLeaderboard} isNew={board === null} {...{ edit, reason, onClose }}>
      {(part) => <Fields {...part} />}
    </NamedSheet>
  )
}

/** A leaderboard in words, for comparing two forms of it. */
function useLines() {
  const t = useText('charts')
  const common = useText('common')
  return ({ name, identifier, metric, window, currencyId, eventType }: Draft) => [
    { key: 'name', label: common.name, text: name },
    { key: 'identifier', label: t.identifier, text: identifier },
    { key: 'metric', label: t.metric, text: t.metrics[metric] },
    { key: 'currencyId', label: t.virtualCurrency, text: currencyId },
    { key: 'eventType', label: t.event, text: eventType },
    { key: 'window', label: t.windowTitle, text: t.windows[window] },
  ]
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
  return (
    <>
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
