import { LinkButton } from '../../kit/button'
import { Card, Stack } from '../../kit/card'
import { Code } from '../../kit/copy'
import { Empty } from '../../kit/empty'
import { PlainTable } from '../../kit/table'
import { Time } from '../../kit/values'
import { useProject } from '../../lib/session'
import { actorOf } from '../../parts/audit-table'
import { useText } from '../../text/catalogue'
import { useDrift } from './drift'

/** What was changed elsewhere since the file was last applied, and how to compare exactly. */
export function FileDrift() {
  const t = useText('settings')
  const { base, project, hasRole } = useProject()
  const drift = useDrift()
  return (
    <Stack>
      <Card flush title={t.driftTitle} aside={drift && <Time at={drift.appliedAt} />}>
        {!hasRole('ADMIN') ? (
          <Empty title={t.driftNeedsAdmin} />
        ) : drift === null ? (
          <Empty title={t.notInGit}>{t.notInGitHint}</Empty>
        ) : drift.rows.length === 0 ? (
          <Empty title={t.noDrift}>{t.noDriftHint}</Empty>
        ) : (
          <PlainTable
            label={t.driftTitle}
            rows={drift.rows}
            keyOf={({ id }) => id}
            hrefOf={({ id, action }) => `${base}/settings/audit-log?action=${action}&row=${id}`}
            columns={[
              { title: t.what, cell: ({ action }) => <span className="font-mono text-xs">{action}</span> },
              { title: t.object, cell: ({ target }) => target.id, whole: ({ target }) => target.id },
              { title: t.who, cell: actorOf, whole: actorOf },
              { title: t.when, cell: ({ at }) => <Time at={at} /> },
            ]}
          />
        )}
      </Card>
      <Card title={t.compareExactly}>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3 text-sm text-ink-2">
          <p>{t.compareHint}</p>
          <Code text={`svc apply -f svc.yaml --project ${project.slug} --check`} />
          <div>
            <LinkButton href={`${base}/settings/project-file?view=apply`}>{t.compareHere}</LinkButton>
          </div>
        </div>
      </Card>
    </Stack>
  )
}
