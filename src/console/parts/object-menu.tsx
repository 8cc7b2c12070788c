import { MoreHorizontal } from 'lucide-react'
import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { useLocation } from 'wouter'
import { useAction, useRefresh } from '../api/queries'
import { Confirm } from '../kit/dialog'
import { Menu, type MenuItem } from '../kit/menu'
import { toast } from '../kit/toast'
import { useParams } from '../lib/url-state'
import { useText } from '../text/catalogue'

const BUTTON =
  'inline-flex size-7.5 items-center justify-center rounded-control border border-line-2 bg-surface text-ink-2 hover:bg-hover hover:text-ink max-md:size-9'

/** What shows by whom an object is used. */
const REFERRING = ['/dashboard/projects/{projectId}/audiences', '/dashboard/projects/{projectId}/project-file']

interface ObjectMenuProps {
  /** How the object is called, as it must be typed to delete it. */
  name: string
  items?: readonly MenuItem[]
  /** Why it cannot be deleted now. */
  reason: string | null
  /** What deleting does. */
  effect: ReactNode
  onDelete: () => Promise<unknown>
  refreshes: readonly string[]
  /** The screen after it is deleted. */
  next: string
}

/** The menu of one object, with deleting, which asks for its name. */
export function ObjectMenu({ name, items = [], reason, effect, onDelete, refreshes, next }: ObjectMenuProps) {
  const t = useText('common')
  const [, navigate] = useLocation()
  const [params, setParams] = useParams()
  const refresh = useRefresh()
  const remove = useAction({
    run: onDelete,
    onDone: () => {
      toast(t.deletedName(name))
      // Its screen is left first, because its object cannot be read any more.
      flushSync(() => navigate(next))
      refresh(...refreshes, ...REFERRING)
    },
  })
  return (
    <>
      <Menu
        className={BUTTON}
        label={
          <>
            <MoreHorizontal aria-hidden size={15} />
            <span className="sr-only">{t.more}</span>
          </>
        }
        items={[
          ...items,
          { label: t.delete, isDangerous: true, reason, onSelect: () => setParams({ do: 'delete' }, { push: true }) },
        ]}
      />
      {params.get('do') === 'delete' && (
        <Confirm
          title={`${t.delete}: ${name}`}
          action={t.delete}
          typed={name}
          busy={remove.busy}
          error={remove.error}
          reason={reason}
          onClose={() => setParams({ do: null })}
          onConfirm={() => remove.submit(undefined)}
        >
          {effect}
        </Confirm>
      )}
    </>
  )
}
