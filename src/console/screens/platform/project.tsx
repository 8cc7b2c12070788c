import { useParams } from 'wouter'
import { useRead } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Button } from '../../kit/button'
import { Card, Columns, Facts } from '../../kit/card'
import { Id } from '../../kit/copy'
import { Skeleton } from '../../kit/empty'
import { Failure } from '../../kit/failure'
import { Chip } from '../../kit/state'
import { Count, Money, Time } from '../../kit/values'
import { useParam } from '../../lib/url-state'
import { useText } from '../../text/catalogue'
import { PlatformPage } from './platform-page'
import { GrantSupport, Suspend, Unsuspend } from './project-acts'

/** One project as the platform sees it: sizes and settings, but none of its rows. */
export default function PlatformProject() {
  const t = useText('platform')
  const c = useText('common')
  const { id } = useParams<{ id: string }>()
  const [asked, setAsked] = useParam('do')
  const read = useRead('/admin/projects/{id}', { params: { path: { id } } })
  const project = read.data
  const ask = (name: string) => () => setAsked(name, { push: true })
  const close = () => setAsked(null)
  return (
    <PlatformPage
      title={project?.name ?? c.project}
      crumbs={[[c.projects, '/platform/projects']]}
      beside={project && project.suspendedAt !== null && <Chip tone="bad">{t.suspended}</Chip>}
      actions={
        project && (
          <>
            <Button onClick={ask('support')}>{t.openSupport}</Button>
            {project.suspendedAt === null ? (
              <Button variant="danger" onClick={ask('suspend')}>
                {t.suspend}
              </Button>
            ) : (
              <Button variant="primary" onClick={ask('unsuspend')}>
                {t.unsuspend}
              </Button>
            )}
          </>
        )
      }
    >
      {project && <Details project={project} />}
      {!project && (
        <Card>{read.error ? <Failure error={read.error} onRetry={() => void read.refetch()} /> : <Skeleton />}</Card>
      )}
      {project && asked === 'suspend' && <Suspend project={project} onClose={close} />}
      {project && asked === 'unsuspend' && <Unsuspend project={project} onClose={close} />}
      {project && asked === 'support' && <GrantSupport project={project} onClose={close} />}
    </PlatformPage>
  )
}

function Details({ project }: { project: Schemas['ProjectDetails'] }) {
  const t = useText('platform')
  const c = useText('common')
  return (
    <Columns
      main={
        <Card title={c.settings}>
          <Facts
            items={Object.entries(project.settings).map(([name, value]) => [
              <span key={name} className="font-mono text-xs">
                {name}
              </span>,
              <span key="value" className="font-mono text-xs">
                {Array.isArray(value) ? value.length : String(value ?? '—')}
              </span>,
            ])}
          />
        </Card>
      }
      side={
        <Card title={t.facts}>
          <Facts
            items={[
              [c.id, <Id key="id" id={project.id} />],
              [t.owner, project.ownerEmail],
              [c.members, <Count key="members" value={project.members} />],
              [c.apiKeys, <Count key="keys" value={project.keys} />],
              [c.stores, project.stores.join(', ') || null],
              [c.subscribers, <Count key="subscribers" value={project.subscribers} />],
              [t.mrr, <Money key="mrr" micros={project.mrr} currency="USD" whole />],
              [t.tier, project.tier],
              [c.createdAt, <Time key="created" at={project.createdAt} day />],
              [t.lastActivity, <Time key="active" at={project.lastActivityAt} />],
              ...(project.suspendedAt === null
                ? []
                : [[t.suspended, <Time key="suspended" at={project.suspendedAt} />] as const]),
            ]}
          />
        </Card>
      }
    />
  )
}
