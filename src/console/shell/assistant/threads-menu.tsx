import { ChevronDown, SquarePen, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client'
import { useRead } from '../../api/queries'
import { IconButton } from '../../kit/button'
import { Menu, type MenuItems } from '../../kit/menu'
import { useProject } from '../../lib/session'
import { Removal } from '../../parts/removal'
import { useText } from '../../text/catalogue'
import { THREADS } from './use-conversation'

interface ThreadsMenuProps {
  threadId: string | null
  onChoose: (id: string | null) => void
}

const SHOWN = 50

/** The title of the thread with the list of the others, and the way to a new one. */
export function ThreadsMenu({ threadId, onChoose }: ThreadsMenuProps) {
  const t = useText('assistant')
  const { path } = useProject()
  const [isDeleting, setDeleting] = useState(false)
  const threads = useRead(THREADS, { params: { path, query: { limit: SHOWN } } })
  const items = threads.data?.items ?? []
  const here = items.find(({ id }) => id === threadId)
  const title = here ? (here.title ?? t.untitled) : t.title
  const remove = { label: t.deleteThread, isDangerous: true, icon: <Trash2 aria-hidden size={14} /> }
  const choices: MenuItems = [
    { label: t.newThread, icon: <SquarePen aria-hidden size={14} />, onSelect: () => onChoose(null) },
    ...(items.length > 0 ? ['line' as const] : []),
    ...items.map(({ id, title: name }) => ({
      label: <bdi>{name ?? t.untitled}</bdi>,
      isChecked: id === threadId,
      onSelect: () => onChoose(id),
    })),
    ...(here ? ['line' as const, { ...remove, onSelect: () => setDeleting(true) }] : []),
  ]
  return (
    <>
      <Menu
        align="left"
        className="flex min-w-0 flex-1 items-center gap-1.5 rounded-inner px-1 py-1 text-left text-md font-semibold hover:bg-hover"
        label={
          <>
            <span className="sr-only">{t.threads}: </span>
            <bdi className="truncate">{title}</bdi>
            <ChevronDown aria-hidden size={14} className="shrink-0 text-ink-3" />
          </>
        }
        items={choices}
      />
      <IconButton label={t.newThread} onClick={() => onChoose(null)}>
        <SquarePen aria-hidden size={16} />
      </IconButton>
      {isDeleting && threadId !== null && (
        <Removal
          title={t.deleteThread}
          done={t.threadDeleted}
          run={async () => {
            await api.delete(`${THREADS}/{id}`, { params: { path: { ...path, id: threadId } } })
            onChoose(null)
          }}
          refreshes={[THREADS]}
          onClose={() => setDeleting(false)}
        >
          <p>{t.deleteThreadEffect}</p>
        </Removal>
      )}
    </>
  )
}
