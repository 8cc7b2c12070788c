import { Plus } from 'lucide-react'
import { useList } from '../../../api/queries'
import { Button } from '../../../kit/button'
import { Card } from '../../../kit/card'
import { Empty, Skeleton } from '../../../kit/empty'
import { Failure } from '../../../kit/failure'
import { Page } from '../../../kit/page'
import { useProject } from '../../../lib/session'
import { useParam } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'
import { FunnelTabs } from '../funnel-tabs'
import { AddDomain } from './add-domain'
import { DomainCard } from './domain-card'
import { PATH, worstFirst } from './model'

/** The names of the project for its funnels, and what each of them needs. */
export default function Domains() {
  const t = useText('domains')
  const common = useText('common')
  const { path, project, hasRole } = useProject()
  const list = useList(PATH, { params: { path, query: {} } })
  const [doing, setDoing] = useParam('do')
  const reason = hasRole('DEVELOPER') ? null : common.roleNeeded('DEVELOPER')
  const add = (
    <Button
      variant="primary"
      icon={<Plus aria-hidden size={14} />}
      onClick={() => setDoing('add', { push: true })}
      reason={reason}
    >
      {t.add}
    </Button>
  )
  return (
    <Page title={t.title} purpose={t.purpose} actions={add}>
      <FunnelTabs here="domains" />
      {list.isLoading && (
        <Card>
          <Skeleton lines={6} />
        </Card>
      )}
      {list.error && <Failure error={list.error} onRetry={list.retry} />}
      {!list.isLoading && !list.error && list.items.length === 0 && (
        <Card>
          <Empty title={t.none} action={add}>
            {t.noneHint(`/f/${project.slug}/…`)}
          </Empty>
        </Card>
      )}
      {worstFirst(list.items).map((domain) => (
        <DomainCard key={domain.id} domain={domain} reason={reason} />
      ))}
      {list.hasMore && <Button onClick={list.showMore}>{common.more}</Button>}
      {list.items.length > 0 && <p className="text-xs text-ink-2">{t.kept}</p>}
      {doing === 'add' && <AddDomain onClose={() => setDoing(null)} />}
    </Page>
  )
}
