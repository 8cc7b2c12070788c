import { useLocation } from 'wouter'
import { useList } from '../../api/queries'
import { Button } from '../../kit/button'
import { Card } from '../../kit/card'
import { Dialog } from '../../kit/dialog'
import { Empty } from '../../kit/empty'
import { Page } from '../../kit/page'
import { Chip } from '../../kit/state'
import { DataTable } from '../../kit/table'
import { Time } from '../../kit/values'
import { useParam } from '../../lib/url-state'
import { NewProjectForm } from '../../parts/new-project'
import { useText } from '../../text/catalogue'

/** The projects of the person, and making another one. */
export default function Projects() {
  const t = useText('common')
  const own = useText('signIn')
  const list = useList('/dashboard/projects', {})
  const [open, setOpen] = useParam('do')
  const [, go] = useLocation()
  const button = (
    <Button variant="primary" onClick={() => setOpen('new', { push: true })}>
      {t.newProject}
    </Button>
  )
  return (
    <Page title={t.projects} purpose={own.projectsPurpose} actions={button}>
      <Card flush>
        <DataTable
          label={t.projects}
          list={list}
          keyOf={({ id }) => id}
          hrefOf={({ slug }) => `/p/${slug}/overview`}
          empty={<Empty title={own.noProjects}>{own.noProjectsHint}</Empty>}
          columns={[
            { title: t.name, cell: ({ name }) => name, whole: ({ name }) => name },
            { title: own.projectSlug, cell: ({ slug }) => <span className="font-mono text-xs">{slug}</span> },
            {
              title: own.role,
              cell: ({ role }) => <Chip>{role === 'SUPPORT_READ' ? t.support : own.roles[role]}</Chip>,
            },
            { title: t.createdAt, cell: ({ createdAt }) => <Time at={createdAt} />, isExtra: true },
          ]}
        />
      </Card>
      {open === 'new' && (
        <Dialog title={own.projectTitle} kind="sheet" onClose={() => setOpen(null)}>
          <p className="text-sm text-ink-2">{own.projectHint}</p>
          <NewProjectForm onOpen={(slug) => go(`/p/${slug}/overview`)} onCancel={() => setOpen(null)} />
        </Dialog>
      )}
    </Page>
  )
}
