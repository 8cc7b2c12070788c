import { api } from '../../api/client'
import { useList, useRead } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Button } from '../../kit/button'
import { Card } from '../../kit/card'
import { CopyText } from '../../kit/copy'
import { Empty } from '../../kit/empty'
import { Page } from '../../kit/page'
import { Chip } from '../../kit/state'
import { DataTable } from '../../kit/table'
import { Count, Money, Time } from '../../kit/values'
import { roleFor, useProject } from '../../lib/session'
import { useParams } from '../../lib/url-state'
import { Identicon } from '../../parts/identicon'
import { PersonName, usePersonName } from '../../parts/person-link'
import { useHref } from '../../parts/use-href'
import { useText } from '../../text/catalogue'
import { LeaderboardForm } from './leaderboard-form'
import { ById, DeleteNamed } from './named'

type Board = Schemas['Leaderboard']
const BOARDS = '/dashboard/projects/{projectId}/leaderboards'

export default function LeaderboardById() {
  const common = useText('common')
  const { path } = useProject()
  const boards = useRead(BOARDS, { params: { path, query: { limit: 200 } } })
  return (
    <ById title={common.leaderboards} list={boards}>
      {(board) => <BoardScreen board={board} />}
    </ById>
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
  const nameOf = usePersonName()
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
            cell: ({ person }) => (
              <span className="inline-flex max-w-full items-center gap-2 align-middle">
                <Identicon id={person.subscriberId} size={18} />
                <span className="truncate">
                  <PersonName person={person} />
                </span>
              </span>
            ),
            whole: ({ person }) => `${nameOf(person)} · ${person.subscriberId}`,
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
  const { path } = useProject()
  const remove = (header: { 'If-Match': string }) =>
    api.delete('/dashboard/projects/{projectId}/leaderboards/{id}', {
      params: { path: { ...path, id: board.id }, header },
    })
  return (
    <DeleteNamed
      {...{
        object: board,
        title: t.deleteLeaderboard,
        remove,
        list: BOARDS,
        screen: '/charts/leaderboards',
        reason,
        onClose,
      }}
    >
      {t.deleteLeaderboardText}
    </DeleteNamed>
  )
}
