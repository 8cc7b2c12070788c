import { useRead } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { LinkButton } from '../../kit/button'
import { Card, Stack } from '../../kit/card'
import { Code } from '../../kit/copy'
import { Empty, Skeleton } from '../../kit/empty'
import { Failure } from '../../kit/failure'
import { Time } from '../../kit/values'
import { diffOf } from '../../lib/project-file'
import { useProject } from '../../lib/session'
import { useText } from '../../text/catalogue'
import { ForgetFile } from './forget-file'

/** The objects that are no longer as the file had them, and the commands for both ways out. */
export function FileDrift() {
  const t = useText('settings')
  const { path, hasRole, base } = useProject()
  const read = useRead('/dashboard/projects/{projectId}/project-file/drift', { params: { path } })
  if (read.error && !read.data) return <Failure error={read.error} onRetry={() => void read.refetch()} />
  if (!read.data) return <Skeleton lines={6} />
  const { appliedAt, appliedBy, count, objects } = read.data
  if (appliedAt === null)
    return (
      <Stack>
        <Card>
          <Empty title={t.notInGit}>{t.notInGitHint}</Empty>
        </Card>
        <Compare />
      </Stack>
    )
  return (
    <Stack>
      <Card
        title={t.driftTitle}
        aside={
          <>
            {appliedBy ?? 'svc apply'} <Time at={appliedAt} />
          </>
        }
      >
        {count === 0 && <Empty title={t.noDrift}>{t.noDriftHint}</Empty>}
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
          {objects.map((one) => (
            <Difference key={`${one.section} ${one.name}`} object={one} />
          ))}
          {count > objects.length && <p className="text-sm text-ink-2">{t.driftMore(count - objects.length)}</p>}
          {count > 0 && hasRole('ADMIN') && (
            <div>
              <LinkButton href={`${base}/settings/audit-log?from=${appliedAt.slice(0, 10)}`}>{t.whoChanged}</LinkButton>
            </div>
          )}
        </div>
      </Card>
      {count > 0 && <WaysOut />}
      <Compare />
      <ForgetFile />
    </Stack>
  )
}

/** Lines of the file with −, lines of the project with +. */
function Difference({ object: { section, name, file, project } }: { object: Schemas['ProjectFileDrifted'] }) {
  const lines = diffOf(linesOf(file), linesOf(project))
  return <Code label={name === '' ? section : `${section}: ${name}`} text={lines.join('\n')} />
}

const linesOf = (text: string | null): string[] => (text === null ? [] : text.trimEnd().split('\n'))

function WaysOut() {
  const t = useText('settings')
  const { project } = useProject()
  return (
    <Card title={t.driftWays}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <Code label={t.driftTake} text={`svc export --project ${project.slug} -o svc.yaml`} />
        <Code label={t.driftBack} text={`svc apply -f svc.yaml --project ${project.slug}`} />
      </div>
    </Card>
  )
}

function Compare() {
  const t = useText('settings')
  const { base, project } = useProject()
  return (
    <Card title={t.compareExactly}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 text-sm text-ink-2">
        <p>{t.compareHint}</p>
        <Code text={`svc apply -f svc.yaml --project ${project.slug} --check`} />
        <div>
          <LinkButton href={`${base}/settings/project-file?view=apply`}>{t.compareHere}</LinkButton>
        </div>
      </div>
    </Card>
  )
}
