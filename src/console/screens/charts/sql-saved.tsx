import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { api } from '../../api/client'
import { isEditConflict } from '../../api/failure'
import { useAction } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Button, IconButton } from '../../kit/button'
import { Code } from '../../kit/copy'
import { Confirm, Dialog } from '../../kit/dialog'
import { Empty } from '../../kit/empty'
import { messageOf, refusalIn } from '../../kit/failure-words'
import { Field, TextInput } from '../../kit/field'
import { Form } from '../../kit/form'
import { toast } from '../../kit/toast'
import { cx } from '../../lib/class-names'
import { useProject } from '../../lib/session'
import { useParams } from '../../lib/url-state'
import { useText } from '../../text/catalogue'
import { Conflict } from './conflict'
import type { Base, useSqlDraft } from './sql-draft'

const QUERIES = '/dashboard/projects/{projectId}/queries'
type SavedQuery = Schemas['SavedQuery']

interface SavedProps {
  queries: readonly SavedQuery[]
  openId: string | null
}

/** The queries that members have kept. */
export function SavedQueries({ queries, openId }: SavedProps) {
  const t = useText('charts')
  const { base } = useProject()
  return (
    <>
      {queries.length === 0 ? (
        <Empty title={t.noQueries}>{t.noQueriesHint}</Empty>
      ) : (
        <ul className="divide-y divide-line">
          {queries.map((query) => (
            <Saved key={query.id} query={query} isOpen={query.id === openId} />
          ))}
        </ul>
      )}
      {openId && (
        <Link
          href={`${base}/charts/sql`}
          className="flex min-h-9 items-center gap-2 border-t border-line px-4 text-accent hover:underline"
        >
          <Plus aria-hidden size={14} /> {t.newQuery}
        </Link>
      )}
    </>
  )
}

function Saved({ query, isOpen }: { query: SavedQuery; isOpen: boolean }) {
  const t = useText('charts')
  const { path, base } = useProject()
  const [, go] = useLocation()
  const [isAsking, setAsking] = useState(false)
  const remove = useAction({
    run: () =>
      api.delete('/dashboard/projects/{projectId}/queries/{id}', {
        params: { path: { ...path, id: query.id }, header: { 'If-Match': `"${query.revision}"` } },
      }),
    refreshes: [QUERIES],
    onDone: () => {
      setAsking(false)
      toast(t.deleted(query.name))
      if (isOpen) go(`${base}/charts/sql`)
    },
  })
  return (
    <li className="flex min-h-9 items-center justify-between gap-2 py-0.5 pr-2 pl-4">
      <Link
        href={`${base}/charts/sql?q=${query.id}`}
        aria-current={isOpen ? 'true' : undefined}
        title={query.name}
        className={cx('min-w-0 truncate hover:underline', isOpen ? 'font-semibold' : 'text-accent')}
      >
        {query.name}
      </Link>
      <IconButton label={`${t.deleteQuery} ${query.name}`} onClick={() => setAsking(true)}>
        <Trash2 aria-hidden size={14} />
      </IconButton>
      {isAsking && (
        <Confirm
          title={t.deleteQuery}
          action={t.deleteQuery}
          busy={remove.busy}
          error={remove.error}
          onConfirm={() => remove.submit(undefined)}
          onClose={() => setAsking(false)}
        >
          <p>{t.deleteQueryText(query.name)}</p>
        </Confirm>
      )}
    </li>
  )
}

interface SaveProps {
  open: SavedQuery | null
  draft: ReturnType<typeof useSqlDraft>
  /** Puts the newest text into the editor. */
  onLoad: (sql: string) => void
}

/** Saves the text under a new name, or as the next form of the open query. */
export function SaveQuery({ open, draft, onLoad }: SaveProps) {
  const t = useText('charts')
  const [params, set] = useParams()
  return (
    <>
      {open && <SaveChanges key={open.id} open={open} draft={draft} onLoad={onLoad} />}
      <Button onClick={() => set({ do: 'save' }, { push: true })}>{open ? t.saveAs : t.saveQuery}</Button>
      {params.get('do') === 'save' && (
        <SaveDialog text={draft.text} onSaved={draft.forget} onClose={() => set({ do: null })} />
      )}
    </>
  )
}

function SaveChanges({ open, draft, onLoad }: Omit<SaveProps, 'open'> & { open: SavedQuery }) {
  const t = useText('charts')
  const common = useText('common')
  const { path } = useProject()
  // The text was made from the base, whatever others have saved since: so the base's revision is sent.
  const { text, base, rebase } = draft
  const save = useAction({
    run: ({ sql, revision }: Base) =>
      api.patch('/dashboard/projects/{projectId}/queries/{id}', {
        params: {
          path: { ...path, id: open.id },
          ...(revision !== null && { header: { 'If-Match': `"${revision}"` } }),
        },
        body: { sql },
      }),
    refreshes: [QUERIES],
    onDone: ({ revision }, { sql }) => {
      rebase({ sql, revision })
      toast(t.querySaved)
    },
  })
  const isConflict = isEditConflict(save.error)
  return (
    <>
      <Button
        busy={save.busy}
        disabled={text === open.sql}
        onClick={() => save.submit({ sql: text, revision: base.revision })}
      >
        {t.saveChanges}
      </Button>
      {save.error && !isConflict && (
        <span role="alert" className="text-sm text-bad">
          {refusalIn(save.error, common.refusals) ?? messageOf(save.error, common.unreachableWrite)}
        </span>
      )}
      {isConflict && (
        <Conflict
          error={save.error}
          refreshes={QUERIES}
          onClose={save.reset}
          onOverwrite={() => save.submit({ sql: text, revision: null })}
          onLoad={() => {
            save.reset()
            rebase({ sql: open.sql, revision: open.revision })
            onLoad(open.sql)
          }}
        >
          <Code text={open.sql} label="SQL" />
        </Conflict>
      )}
    </>
  )
}

interface SaveDialogProps {
  text: string
  onSaved: () => void
  onClose: () => void
}

function SaveDialog({ text, onSaved, onClose }: SaveDialogProps) {
  const t = useText('charts')
  const common = useText('common')
  const { path, base } = useProject()
  const [, go] = useLocation()
  const [name, setName] = useState('')
  const save = useAction({
    run: () => api.post(QUERIES, { params: { path }, body: { name, sql: text } }),
    refreshes: [QUERIES],
    onDone: (query) => {
      toast(t.querySaved)
      onSaved()
      go(`${base}/charts/sql?q=${query.id}`, { replace: true })
    },
  })
  return (
    <Dialog title={t.saveQuery} onClose={onClose}>
      <Form
        submit={common.save}
        busy={save.busy}
        error={save.error}
        onSubmit={() => save.submit(undefined)}
        onCancel={onClose}
      >
        <Field label={t.queryName} name="name">
          <TextInput data-first maxLength={120} value={name} onChange={(event) => setName(event.target.value)} />
        </Field>
      </Form>
    </Dialog>
  )
}
