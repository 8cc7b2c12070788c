import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import type { Line } from '../../kit/changes'
import { ConflictDialog } from '../../kit/conflict'
import { Dialog } from '../../kit/dialog'
import { type Edit, type IfMatch, useEdit } from '../../kit/edit'
import { Field, TextInput } from '../../kit/field'
import { Form } from '../../kit/form'
import { toast } from '../../kit/toast'
import { useProject } from '../../lib/session'
import { useHref } from '../../parts/use-href'
import { useText } from '../../text/catalogue'
import type { Named } from './named'

interface NamedEdit<O, D> {
  kind: string
  /** Null for one that is made. */
  object: O | null
  draftOf: (object: O | null) => D
  lines: (draft: D) => Line[]
  save: (draft: D, header: IfMatch) => Promise<O>
  /** The path of the list, and the list as it is now. */
  list: string
  readAll: () => Promise<{ items: readonly O[] }>
  /** The screen of the list. */
  screen: string
  onClose: () => void
}

/** Making one leads to its screen, changing one back to it. */
export function useNamedEdit<O extends Named, D>(options: NamedEdit<O, D>): Edit<D> {
  const { kind, object, draftOf, lines, save, list, readAll, screen, onClose } = options
  const common = useText('common')
  const href = useHref()
  const { path } = useProject()
  const [, go] = useLocation()
  const savedOf = (from: O | null) => ({ value: draftOf(from), revision: from?.revision ?? null })
  return useEdit({
    name: `${kind}.${path.projectId}.${object?.id ?? 'new'}`,
    saved: savedOf(object),
    ...{ lines, save },
    readNewest: async () => savedOf((await readAll()).items.find(({ id }) => id === object?.id) ?? object),
    refreshes: [list],
    onSaved: (saved) => {
      toast(common.savedName(saved.name))
      object ? onClose() : go(href(`${screen}/${saved.id}`))
    },
  })
}

interface SheetProps<D> {
  title: string
  isNew: boolean
  edit: Edit<D>
  /** Why it may not be saved, or null. */
  reason: string | null
  onClose: () => void
  /** The fields after name and identifier. */
  children: (part: { draft: D; change: (part: Partial<D>) => void }) => ReactNode
}

export function NamedSheet<D extends Pick<Named, 'name' | 'identifier'>>(props: SheetProps<D>) {
  const { title, isNew, edit, reason, onClose, children } = props
  const common = useText('common')
  const draft = edit.draft.value
  const change = (part: Partial<D>) => edit.draft.set((before) => ({ ...before, ...part }))
  const close = () => {
    edit.draft.discard()
    onClose()
  }
  return (
    <Dialog kind="sheet" title={title} onClose={close}>
      <Form
        submit={isNew ? common.create : common.save}
        busy={edit.busy}
        error={edit.error}
        reason={reason}
        onSubmit={edit.save}
        onCancel={close}
      >
        <Names draft={draft} change={(part) => change(part as Partial<D>)} />
        {children({ draft, change })}
      </Form>
      <ConflictDialog edit={edit} />
    </Dialog>
  )
}

type Names = Pick<Named, 'name' | 'identifier'>

function Names({ draft, change }: { draft: Names; change: (part: Partial<Names>) => void }) {
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
    </>
  )
}
