import { useEffect, useState } from 'react'
import { useRead } from '../../api/queries'
import { Card, Columns } from '../../kit/card'
import { Code } from '../../kit/copy'
import { Skeleton } from '../../kit/empty'
import { Failure } from '../../kit/failure'
import { Switch } from '../../kit/field'
import { cx } from '../../lib/class-names'
import { useProject } from '../../lib/session'
import { useParam } from '../../lib/url-state'
import { useText } from '../../text/catalogue'

/** The export, and the commands that write and apply it. */
export function FileText() {
  const t = useText('settings')
  const { path, project } = useProject()
  const [ids, setIds] = useParam('ids')
  const file = useRead('/dashboard/projects/{projectId}/project-file', {
    params: { path, query: ids === '1' ? { withIds: 'true' } : {} },
  })
  return (
    <Columns
      main={
        <Card
          title={t.fileText}
          aside={
            <>
              <Switch checked={ids === '1'} onChange={(isOn) => setIds(isOn ? '1' : null)} label={t.withIds} />
              <Download text={file.data?.yaml ?? ''} name={`${project.slug}.yaml`} />
            </>
          }
        >
          {!file.data && file.error && <Failure error={file.error} onRetry={() => void file.refetch()} />}
          {!file.data && !file.error && <Skeleton lines={12} className="min-h-[80dvh] content-start" />}
          {file.data && <Code label={`${project.slug}.yaml`} text={file.data.yaml ?? ''} />}
        </Card>
      }
      side={<Commands />}
    />
  )
}

function Commands() {
  const t = useText('settings')
  const { project } = useProject()
  const url = location.origin
  return (
    <Card title={t.commands}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 text-sm text-ink-2">
        <p>{t.commandsHint}</p>
        <Code label={t.commandExport} text={`svc export --project ${project.slug} -o svc.yaml`} />
        <Code label={t.commandCheck} text={`svc apply -f svc.yaml --project ${project.slug} --check`} />
        <Code label={t.commandApply} text={`svc apply -f svc.yaml --project ${project.slug}`} />
        <Code label={t.commandRemote} text={`svc apply -f svc.yaml --project ${project.slug} --url ${url}`} />
      </div>
    </Card>
  )
}

/** A link that saves the text as a file. */
function Download({ text, name }: { text: string; name: string }) {
  const t = useText('settings')
  const [href, setHref] = useState('')
  useEffect(() => {
    const url = URL.createObjectURL(new Blob([text], { type: 'application/yaml' }))
    setHref(url)
    return () => URL.revokeObjectURL(url)
  }, [text])
  return (
    <a
      href={href}
      download={name}
      className={cx(
        'inline-flex h-7.5 items-center rounded-control border border-line-2 bg-surface px-3 font-medium text-ink hover:bg-hover max-md:h-9',
        text === '' && 'invisible',
      )}
    >
      {t.download}
    </a>
  )
}
