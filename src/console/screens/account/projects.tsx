import { useList } from '../../api/queries'
import { Card } from '../../kit/card'
import { Page } from '../../kit/page'
import { DataTable } from '../../kit/table'
import { Time } from '../../kit/values'
import { useText } from '../../text/catalogue'

export default function Projects() {
  const t = useText('common')
  const list = useList('/dashboard/projects', {})
  return (
    <Page title={t.projects}>
      <Card flush>
        <DataTable
          label={t.projects}
          list={list}
          keyOf={({ id }) => id}
          hrefOf={({ slug }) => `/p/${slug}/overview`}
          columns={[
            { title: t.name, cell: ({ name }) => name },
            { title: t.id, cell: ({ slug }) => slug },
            { title: t.createdAt, cell: ({ createdAt }) => <Time at={createdAt} /> },
          ]}
        />
      </Card>
    </Page>
  )
}
