import { api } from '../../api/client'
import { useAction, useList, useRead } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Button, LinkButton } from '../../kit/button'
import { Card } from '../../kit/card'
import { Empty, Skeleton } from '../../kit/empty'
import { Failure } from '../../kit/failure'
import { Page } from '../../kit/page'
import { Dot } from '../../kit/state'
import { More } from '../../kit/table'
import { useFailureToast } from '../../kit/use-failure-toast'
import { Time } from '../../kit/values'
import { cx } from '../../lib/class-names'
import { useText } from '../../text/catalogue'

type Notice = Schemas['Notice']

const PATH = '/dashboard/notifications'

/** The news behind the bell, the newest first, with marks at those that were read. */
export default function Notices() {
  const failed = useFailureToast()
  const t = useText('account')
  const c = useText('common')
  const list = useList(PATH, {})
  const hasUnread = list.items.some(({ readAt }) => readAt === null)
  const readAll = useAction({
    run: () => api.post('/dashboard/notifications/read-all', { body: {} }),
    refreshes: [PATH],
    onFailure: failed,
  })
  return (
    <Page
      title={c.notices}
      purpose={t.noticesPurpose}
      actions={
        <>
          <LinkButton href="/account/notifications">{t.whatGoesWhere}</LinkButton>
          <Button busy={readAll.busy} reason={hasUnread ? null : t.allRead} onClick={() => readAll.submit(undefined)}>
            {t.readAll}
          </Button>
        </>
      }
    >
      <Card flush>
        {list.isLoading && <Skeleton className="px-4" />}
        {list.error && list.items.length === 0 && (
          <div className="px-4">
            <Failure error={list.error} onRetry={list.retry} />
          </div>
        )}
        {!list.isLoading && !list.error && list.items.length === 0 && (
          <Empty title={t.noNotices}>{t.noNoticesHint}</Empty>
        )}
        <ol className="divide-y divide-line">
          {list.items.map((notice) => (
            <Line key={notice.id} notice={notice} />
          ))}
        </ol>
        <More list={list} />
      </Card>
    </Page>
  )
}

function Line({ notice }: { notice: Notice }) {
  const failed = useFailureToast()
  const t = useText('account')
  const { id, title, body, createdAt, readAt, projectId } = notice
  const slug = useSlug(projectId)
  const read = useAction({
    run: () => api.post('/dashboard/notifications/{id}/read', { params: { path: { id } }, body: {} }),
    refreshes: [PATH],
    onFailure: failed,
  })
  return (
    <li data-row className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 px-4 py-3 text-sm">
      <span className="flex h-5 items-center">
        {readAt === null ? <Dot tone="info" /> : <span className="size-2" />}
      </span>
      <div className="grid min-w-0 gap-1">
        <p className={cx('break-words', readAt === null && 'font-semibold')}>
          {readAt === null && <span className="sr-only">{t.unread}: </span>}
          {title}
        </p>
        <p className="break-words whitespace-pre-line text-ink-2">{body}</p>
        <p className="flex flex-wrap items-center gap-2 text-xs text-ink-2">
          <Time at={createdAt} />
          {slug && (
            <LinkButton href={`/p/${slug}/overview`} variant="quiet">
              {t.openProject}
            </LinkButton>
          )}
          {readAt === null && (
            <Button variant="quiet" busy={read.busy} onClick={() => read.submit(undefined)}>
              {t.markRead}
            </Button>
          )}
        </p>
      </div>
    </li>
  )
}

function useSlug(projectId: string | null): string | null {
  const projects = useRead('/dashboard/projects', { params: { query: { limit: 200 } } })
  return projects.data?.items.find(({ id }) => id === projectId)?.slug ?? null
}
