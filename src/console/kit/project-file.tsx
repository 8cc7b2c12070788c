import { useEffect, useState } from 'react'
import { useRead } from '../api/queries'
import { changedFile, type FileChange, type FileKind, objectText, patchOf, pathOf } from '../lib/project-file'
import { useProject } from '../lib/session'
import { useParam } from '../lib/url-state'
import { useText } from '../text/catalogue'
import { Button } from './button'
import { Card } from './card'
import { Code } from './copy'
import { Skeleton } from './empty'
import { Failure } from './failure'

interface ProjectFilePartProps {
  kind: FileKind
  /** As the project file names the object: key, identifier, code, slug or name. Not its id. */
  identifier: string
  /** Of the object on the screen: the text is read again when it moves. */
  revision?: number
  /**
   * What was changed in the form and is not saved, as the file names the members: maps are merged, lists and values are
   * replaced, `null` removes a member. With it the part shows a patch of the file.
   */
  changedAs?: FileChange | null
}

/**
 * The YAML of one object, closed until somebody opens it. Put it as the last card of the screen of an object:
 *
 *     <ProjectFilePart kind="product" identifier={product.identifier} revision={product.revision} />
 *
 * and on a screen with a draft also what would be different in the file:
 *
 *     <ProjectFilePart kind="flag" identifier={flag.key} revision={flag.revision}
 *       changedAs={isChanged ? { environments: { PROD: { enabled: draft.enabled } } } : null} />
 */
export function ProjectFilePart(props: ProjectFilePartProps) {
  const t = useText('common')
  const [isOpen, setOpen] = useParam('yaml')
  const { changedAs = null } = props
  return (
    <Card
      title={t.yaml}
      aside={
        <Button variant="quiet" aria-expanded={isOpen === '1'} onClick={() => setOpen(isOpen === '1' ? null : '1')}>
          {isOpen === '1' ? t.close : changedAs ? t.yamlShowChange : t.yamlShow}
        </Button>
      }
    >
      {isOpen === '1' ? <ObjectFile {...props} /> : <p className="text-sm text-ink-2">{t.yamlHint}</p>}
    </Card>
  )
}

function ObjectFile({ kind, identifier, revision, changedAs }: ProjectFilePartProps) {
  const t = useText('common')
  const { path, project } = useProject()
  const file = useRead('/dashboard/projects/{projectId}/project-file', { params: { path } })
  const { refetch } = file
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new revision is why it is read again
  useEffect(() => void refetch(), [refetch, revision])
  if (file.error && !file.data) return <Failure error={file.error} onRetry={() => void refetch()} />
  if (!file.data) return <Skeleton />
  const yaml = file.data.yaml ?? ''
  const text = objectText(yaml, kind, identifier)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {changedAs && <Change yaml={yaml} path={pathOf(kind, identifier)} change={changedAs} />}
      {text === null ? (
        <p className="text-sm text-ink-2">{t.yamlAbsent}</p>
      ) : (
        <Code label={identifier || t.project} text={text} />
      )}
      <Code text={`svc apply -f svc.yaml --project ${project.slug} --dry-run`} />
    </div>
  )
}

interface ChangeProps {
  yaml: string
  path: readonly string[]
  change: FileChange
}

/** The change as a patch of the exported file. The YAML library is fetched for it. */
function Change({ yaml, path, change }: ChangeProps) {
  const t = useText('common')
  const key = JSON.stringify([path, change])
  const [patch, setPatch] = useState<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: path and change are new objects in each render
  useEffect(() => {
    let isLatest = true
    void import('yaml').then((library) => {
      if (isLatest) setPatch(patchOf('svc.yaml', yaml, changedFile(library, yaml, path, change)))
    })
    return () => {
      isLatest = false
    }
  }, [yaml, key])
  if (patch === null) return <p className="text-sm text-ink-2">{t.yamlSame}</p>
  return <Code label={t.yamlPatch} text={patch} />
}
