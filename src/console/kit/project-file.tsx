import { useEffect, useState } from 'react'
import { useRead } from '../api/queries'
import { changedFile, type FileDraft } from '../lib/file-draft'
import { type FileKind, objectText, patchOf } from '../lib/project-file'
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
  /** The object as the form has it and has not saved it. With it the part shows a patch of the file. */
  changedAs?: FileDraft | null
  /** In a card or a sheet, where it is no card of its own. */
  isInside?: boolean
}

/**
 * The YAML of one object, closed until a person opens it. Put it as the last card of the screen of an object:
 *
 *     <ProjectFilePart kind="product" identifier={product.identifier} revision={product.revision} />
 *
 * and on a screen with a draft also what would be different in the file:
 *
 *     <ProjectFilePart kind="flag" identifier={flag.key} revision={flag.revision}
 *       changedAs={isChanged ? flagAsFile(draft.value) : null} />
 */
export function ProjectFilePart(props: ProjectFilePartProps) {
  const t = useText('common')
  const { kind, identifier, changedAs = null, isInside = false } = props
  // The file has other objects besides a store.
  const [isOpen, setOpen] = useParam(kind === 'store' ? `yaml-${identifier}` : 'yaml')
  const button = (
    <Button variant="quiet" aria-expanded={isOpen === '1'} onClick={() => setOpen(isOpen === '1' ? null : '1')}>
      {isOpen === '1' ? t.close : changedAs ? t.yamlShowChange : t.yamlShow}
    </Button>
  )
  const content = isOpen === '1' ? <ObjectFile {...props} /> : <p className="text-sm text-ink-2">{t.yamlHint}</p>
  if (!isInside) {
    return (
      <Card title={t.yaml} aside={button}>
        {content}
      </Card>
    )
  }
  return (
    <section className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-1 border-t border-line pt-2">
      <header className="flex items-center justify-between gap-4">
        <h3 className="text-sm font-semibold">{t.yaml}</h3>
        {button}
      </header>
      {content}
    </section>
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
      {changedAs && <Change yaml={yaml} kind={kind} identifier={identifier} draft={changedAs} />}
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
  kind: FileKind
  identifier: string
  draft: FileDraft
}

/** The change as a patch of the exported file. The YAML library is fetched for it. */
function Change({ yaml, kind, identifier, draft }: ChangeProps) {
  const t = useText('common')
  const key = JSON.stringify([kind, identifier, draft])
  const [patch, setPatch] = useState<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the draft is a new object in each render
  useEffect(() => {
    let isLatest = true
    void import('yaml').then((library) => {
      if (isLatest) setPatch(patchOf('svc.yaml', yaml, changedFile(library, yaml, kind, identifier, draft)))
    })
    return () => {
      isLatest = false
    }
  }, [yaml, key])
  if (patch === null) return <p className="text-sm text-ink-2">{t.yamlSame}</p>
  return (
    <>
      <Code label={t.yamlPatch} text={patch} />
      <Code text="patch -p1 < change.patch" />
    </>
  )
}
