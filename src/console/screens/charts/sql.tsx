import { Play } from 'lucide-react'
import { useRef } from 'react'
import { api } from '../../api/client'
import { useAction, useRead } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Button } from '../../kit/button'
import { Card } from '../../kit/card'
import { Page } from '../../kit/page'
import { useProject } from '../../lib/session'
import { useParam } from '../../lib/url-state'
import { useText } from '../../text/catalogue'
import { useSqlDraft } from './sql-draft'
import { type EditorHandle, SqlEditor } from './sql-editor'
import { Refusal } from './sql-refusal'
import { Result } from './sql-result'
import { SavedQueries, SaveQuery } from './sql-saved'
import { Tables } from './sql-tables'

const QUERIES = '/dashboard/projects/{projectId}/queries'
type SavedQuery = Schemas['SavedQuery']

/** Questions in SQL over the views of the project. */
export default function Sql() {
  const { path } = useProject()
  const saved = useRead(QUERIES, { params: { path, query: { limit: 200 } } })
  const [id] = useParam('q')
  const open = saved.data?.items.find((one) => one.id === id) ?? null
  // The text of a saved query is known when the list is there.
  if (id !== '' && saved.isLoading) return null
  return <Editor key={open?.id ?? ''} open={open} queries={saved.data?.items ?? []} />
}

function Editor({ open, queries }: { open: SavedQuery | null; queries: readonly SavedQuery[] }) {
  const t = useText('charts')
  const common = useText('common')
  const { path, base } = useProject()
  const draft = useSqlDraft(path.projectId, open)
  const handle = useRef<EditorHandle | null>(null)
  const schema = useRead('/dashboard/projects/{projectId}/queries/schema', { params: { path } })
  const run = useAction({
    run: (sql: string) =>
      api.post('/dashboard/projects/{projectId}/queries/execute', { params: { path }, body: { sql } }),
  })
  const submit = () => run.submit(handle.current?.text() ?? draft.text)
  return (
    <Page
      title={open?.name ?? common.sql}
      crumbs={[[common.charts, `${base}/charts`], ...(open ? [[common.sql, `${base}/charts/sql`] as const] : [])]}
      purpose={t.sqlPurpose}
      actions={
        <>
          <SaveQuery open={open} draft={draft} onLoad={(sql) => handle.current?.set(sql)} />
          <Button variant="primary" icon={<Play aria-hidden size={14} />} busy={run.busy} onClick={submit}>
            {run.busy ? t.running : t.run}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-[minmax(0,1fr)_280px]">
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4">
          <SqlEditor
            label={t.sqlLabel}
            hint="SELECT …"
            initial={draft.initial}
            tables={schema.data?.tables ?? []}
            handle={handle}
            onRun={submit}
            onChange={draft.type}
          />
          {run.error && <Refusal error={run.error} onGoTo={(line, column) => handle.current?.goTo(line, column)} />}
          <Result result={run.error ? null : run.result} name={open?.name ?? 'result'} />
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4">
          <Card flush title={t.savedQueries}>
            <SavedQueries queries={queries} openId={open?.id ?? null} />
          </Card>
          <Card flush title={t.tables}>
            <Tables tables={schema.data?.tables ?? []} onChoose={(sql) => handle.current?.set(sql)} />
          </Card>
        </div>
      </div>
    </Page>
  )
}
