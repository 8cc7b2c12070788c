import { useLocation, useParams as useRouteParams } from 'wouter'
import { api } from '../../api/client'
import { useAction, useList, useRead } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Button } from '../../kit/button'
import { Card } from '../../kit/card'
import { CopyText } from '../../kit/copy'
import { Confirm } from '../../kit/dialog'
import { Empty, Skeleton } from '../../kit/empty'
import { Failure } from '../../kit/failure'
import { Page } from '../../kit/page'
import { Chip } from '../../kit/state'
import { DataTable } from '../../kit/table'
import { toast } from '../../kit/toast'
import { Count, Money, Time } from '../../kit/values'
import { roleFor, useProject } from '../../lib/session'
import { useParams } from '../../lib/url-state'
import { Identicon } from '../../parts/identicon'
import { useHref } from '../../parts/use-href'
import { Missing } from '../../shell/missing'
import { useText } from '../../text/catalogue'
import { LeaderboardForm } from './leaderboard-form'

type Board = Schemas['Leaderboard']
const BOARDS = '/dashboard/projects/{projectId}/leaderboards'

export default function LeaderboardById() {
  const { path } = useProject()
  const { id } = useRouteParams<{ id: string }>()
  const boards = useRead(BOARDS, { params: { path, query: { limit: 200 } } })
  const board = boards.data?.items.find((one) => one.id === id)
  if (board) return <BoardScreen board={board} />
  if (boards.data) return <Missing />
  return (
    <div className="p-6">
      {boards.error ? <Failure error={boards.error} onRetry={() => void boards.refetch()} /> : <Skeleton lines={6} />}
    </div>
  )
}

function BoardScreen({ board }: { board: Board }) {
  const t = useText('charts')
  const common = useText('common')
  const href = useHref()
  const { can } = useProject()
  const [params, set] = useParams()
  const reason = can('leaderboards:write') ? null : common.roleNeeded(roleFor('leaderboards:write'))
  const open = params.get('do')
  const close = () => set({ do: null })
  return (
    <Page
      title={board.name}
      crumbs={[
        [common.charts, href('/charts')],
        [common.leaderboards, href('/charts/leaderboards')],
      ]}
      purpose={<CopyText text={board.identifier} />}
      beside={
        <>
          <Chip>{t.metrics[board.metric]}</Chip>
          <Chip>{t.windows[board.window]}</Chip>
        </>
      }
      actions={
        <>
          <Button variant="quiet" reason={reason} onClick={() => set({ do: 'delete' }, { push: true })}>
            {t.deleteLeaderboard}
          </Button>
          <Button data-edit reason={reason} onClick={() => set({ do: 'edit' }, { push: true })}>
            {t.edit}
          </Button>
        </>
      }
    >
      <Entries board={board} />
      {open === 'edit' && <LeaderboardForm board={board} reason={reason} onClose={close} />}
      {open === 'delete' && <DeleteBoard board={board} reason={reason} onClose={close} />}
    </Page>
  )
}

function Entries({ board }: { board: Board }) {
  const t = useText('charts')
  const href = useHref()
  const { path, environment } = useProject()
  const list = useList('/dashboard/projects/{projectId}/leaderboards/{id}/entries', {
    params: { path: { ...path, id: board.id }, query: { limit: 100, environment } },
  })
  return (
    <Card
      flush
      footer={
        board.computedAt ? (
          <>
            {t.computedAt} <Time at={board.computedAt} />
          </>
        ) : undefined
      }
    >
      <DataTable
        label={board.name}
        list={list}
        keyOf={({ subscriberId }) => subscriberId}
        hrefOf={({ subscriberId }) => href(`/subscribers/${subscriberId}`)}
        empty={<Empty title={t.noEntries}>{t.noEntriesHint}</Empty>}
        columns={[
          {
            title: t.subscriber,
            cell: ({ appUserId, subscriberId }) => (
              <span className="inline-flex max-w-full items-center gap-2 align-middle">
                <Identicon id={subscriberId} size={18} />
                <bdi className="truncate">{appUserId ?? subscriberId}</bdi>
              </span>
            ),
            whole: ({ appUserId, subscriberId }) => appUserId ?? subscriberId,
          },
          { title: t.rank, isNumber: true, cell: ({ rank }) => <Count value={rank} /> },
          {
            title: t.metrics[board.metric],
            isNumber: true,
            cell: ({ value }) =>
              board.metric === 'spend' ? <Money micros={value} currency="USD" /> : <Count value={value} />,
          },
        ]}
      />
    </Card>
  )
}

interface DeleteProps {
  board: Board
  reason: string | null
  onClose: () => void
}

function DeleteBoard({ board, reason, onClose }: DeleteProps) {
  const t = useText('charts')
  const href = useHref()
  const { path } = useProject()
  const [, go] = useLocation()
  const remove = useAction({
    run: () =>
      api.delete('/dashboard/projects/{projectId}/leaderboards/{id}', {
        params: { path: { ...path, id: board.id }, header: { 'If-Match': `"${board.revision}"` } },
      }),
    refreshes: [BOARDS],
    onDone: () => {
      toast(t.deleted(board.name))
      go(href('/charts/leaderboards'), { replace: true })
    },
  })
  return (
    <Confirm
      title={t.deleteLeaderboard}
      action={t.deleteLeaderboard}
      busy={remove.busy}
      error={remove.error}
      reason={reason}
      onConfirm={() => remove.submit(undefined)}
      onClose={onClose}
    >
      <p>{t.deleteLeaderboardText}</p>
    </Confirm>
  )
}
