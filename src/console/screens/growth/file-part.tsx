import { useRead } from '../../api/queries'
import { Card } from '../../kit/card'
import { Code } from '../../kit/copy'
import { Skeleton } from '../../kit/empty'
import { Failure } from '../../kit/failure'
import { useProject } from '../../lib/session'
import { useText } from '../../text/catalogue'
import { cutObject } from './sections'

interface FilePartProps {
  /** The section of the project file. */
  kind: 'access' | 'virtualCurrencies' | 'products' | 'offerings' | 'audiences' | 'flags' | 'experiments' | 'placements'
  identifier: string
}

/** The saved object as text, as `svc apply` takes it. */
export function FilePart({ kind, identifier }: FilePartProps) {
  const t = useText('common')
  const { path } = useProject()
  const file = useRead('/dashboard/projects/{projectId}/project-file', { params: { path } })
  const text = file.data ? cutObject(file.data.yaml ?? '', kind, identifier) : null
  return (
    <Card title={t.yaml} aside={t.yamlHint}>
      {file.error && !file.data ? (
        <Failure error={file.error} onRetry={() => void file.refetch()} />
      ) : file.data ? (
        <Code text={text ?? ''} />
      ) : (
        <Skeleton lines={3} />
      )}
    </Card>
  )
}
