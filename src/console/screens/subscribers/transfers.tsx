import { useState } from 'react'
import { api } from '../../api/client'
import { useAction, useList } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Button } from '../../kit/button'
import { Card } from '../../kit/card'
import { Id } from '../../kit/copy'
import { Confirm } from '../../kit/dialog'
import { Empty } from '../../kit/empty'
import { Page } from '../../kit/page'
import { Chip } from '../../kit/state'
import { DataTable } from '../../kit/table'
import { toast } from '../../kit/toast'
import { useFailureToast } from '../../kit/use-failure-toast'
import { Time } from '../../kit/values'
import { formatRelative, formatTime } from '../../lib/format'
import { roleFor, useProject, useReading } from '../../lib/session'
import { PersonLink } from '../../parts/person-link'
import { useLiveRows } from '../../parts/use-live-rows'
import { PERSON_PATHS } from '../../parts/use-person'
import { wordOf } from '../../parts/words'
import { useText } from '../../text/catalogue'

type Transfer = Schemas['TransferItem']

/** Every merge and move between people, with the way back while there is one. */
export default function Transfers() {
  const t = useText('subscribers')
  const c = useText('common')
  const { path } = useProject()
  const list = useList('/dashboard/projects/{projectId}/transfers', { params: { path, query: { limit: 100 } } })
  const [chosen, choose] = useState<Transfer | null>(null)
  useLiveRows('/dashboard/projects/{projectId}/transfers')
  return (
    <Page title={c.transfers} purpose={t.transfersPurpose}>
      <Card flush>
        <DataTable
          label={c.transfers}
          list={list}
          keyOf={({ id }) => id}
          empty={<Empty title={t.noTransfers}>{t.noTransfersWhy}</Empty>}
          columns={[
            { title: c.id, cell: ({ id }) => <Id id={id} /> },
            { title: t.cause, isExtra: true, cell: ({ cause }) => wordOf(t.transferCauses, cause) },
            {
              title: t.fromPerson,
              isNamed: true,
              cell: ({ fromSubscriberId }) => <PersonLink id={fromSubscriberId} />,
            },
            { title: t.toPerson, isNamed: true, cell: ({ toSubscriberId }) => <PersonLink id={toSubscriberId} /> },
            { title: c.createdAt, cell: ({ createdAt }) => <Time at={createdAt} /> },
            { title: t.undoable, cell: (row) => <Undo row={row} onChoose={() => choose(row)} /> },
          ]}
        />
      </Card>
      {chosen && <UndoDialog transfer={chosen} onClose={() => choose(null)} />}
    </Page>
  )
}

function Undo({ row, onChoose }: { row: Transfer; onChoose: () => void }) {
  const t = useText('subscribers')
  const c = useText('common')
  const reading = useReading()
  const { can } = useProject()
  if (row.undone) return <Chip>{t.wasUndone}</Chip>
  if (row.undoableUntil === null) return <span className="text-ink-3">{t.tooOld}</span>
  const left = formatRelative(reading, row.undoableUntil) ?? formatTime(reading, row.undoableUntil)
  return (
    <span className="inline-flex items-center gap-2">
      <Button onClick={onChoose} reason={can('subscribers:write') ? null : c.roleNeeded(roleFor('subscribers:write'))}>
        {c.undo}
      </Button>
      <span className="text-xs text-ink-2">{t.left(left)}</span>
    </span>
  )
}

function UndoDialog({ transfer, onClose }: { transfer: Transfer; onClose: () => void }) {
  const t = useText('subscribers')
  const undo = useUndo(onClose)
  return (
    <Confirm
      title={t.undoTitle}
      action={t.undoAction}
      onClose={onClose}
      busy={undo.busy}
      error={undo.error}
      onConfirm={() => undo.submit(transfer.id)}
    >
      <p>{t.undoEffect}</p>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
        <dt>{t.fromPerson}</dt>
        <dd>
          <PersonLink id={transfer.fromSubscriberId} />
        </dd>
        <dt>{t.toPerson}</dt>
        <dd>
          <PersonLink id={transfer.toSubscriberId} />
        </dd>
      </dl>
    </Confirm>
  )
}

/** Takes a transfer back and says what could not be given back. */
export function useUndo(onDone?: () => void) {
  const failed = useFailureToast()
  const t = useText('subscribers')
  const { path } = useProject()
  return useAction({
    run: (id: string) =>
      api.post('/dashboard/projects/{projectId}/transfers/{id}/undo', { params: { path: { ...path, id } }, body: {} }),
    refreshes: ['/dashboard/projects/{projectId}/transfers', ...PERSON_PATHS],
    onDone: ({ creditsShortfall }) => {
      toast(t.transferUndone)
      if (creditsShortfall > 0) toast(t.shortfall(String(creditsShortfall)), { isBad: true })
      onDone?.()
    },
    onFailure: (error) => {
      if (!onDone) failed(error)
    },
  })
}
