import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useLocation, useParams as useRouteParams } from 'wouter'
import { useAction } from '../../api/queries'
import { Confirm } from '../../kit/dialog'
import { Skeleton } from '../../kit/empty'
import { Failure } from '../../kit/failure'
import { toast } from '../../kit/toast'
import { useHref } from '../../parts/use-href'
import { Missing } from '../../shell/missing'
import { useText } from '../../text/catalogue'

// What cohorts and leaderboards have in common: a name, an identifier, and a short list that is read whole.

export interface Named {
  id: string
  identifier: string
  name: string
  revision: number
}

interface ById<O> {
  title: string
  list: UseQueryResult<{ items: O[] }, Error>
  children: (object: O) => ReactNode
}

/** The object that the address names, from the list of all: there is no route of one alone. */
export function ById<O extends Named>({ title, list, children }: ById<O>) {
  const { id } = useRouteParams<{ id: string }>()
  const found = list.data?.items.find((one) => one.id === id)
  if (found) return children(found)
  if (list.data) return <Missing />
  return (
    <div className="p-6">
      <h1 className="sr-only">{title}</h1>
      {list.error ? <Failure error={list.error} onRetry={() => void list.refetch()} /> : <Skeleton lines={6} />}
    </div>
  )
}

interface DeleteProps {
  object: Named
  title: string
  /** The effect on others. */
  children: ReactNode
  remove: (header: { 'If-Match': string }) => Promise<unknown>
  list: string
  screen: string
  /** Why it may not be deleted, or null. */
  reason: string | null
  onClose: () => void
}

export function DeleteNamed({ object, title, children, remove, list, screen, reason, onClose }: DeleteProps) {
  const t = useText('charts')
  const href = useHref()
  const [, go] = useLocation()
  const action = useAction({
    run: () => remove({ 'If-Match': `"${object.revision}"` }),
    refreshes: [list],
    onDone: () => {
      toast(t.deleted(object.name))
      go(href(screen), { replace: true })
    },
  })
  return (
    <Confirm
      title={title}
      action={title}
      busy={action.busy}
      error={action.error}
      reason={reason}
      onConfirm={() => action.submit(undefined)}
      onClose={onClose}
    >
      <p>{children}</p>
      <p className="font-medium break-words">
        <bdi>{object.name}</bdi>
      </p>
    </Confirm>
  )
}
