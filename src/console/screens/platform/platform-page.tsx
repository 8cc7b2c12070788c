import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { ApiFailure } from '../../api/failure'
import { useRead } from '../../api/queries'
import { LinkButton } from '../../kit/button'
import { Card } from '../../kit/card'
import { CopyText } from '../../kit/copy'
import { FilterRow } from '../../kit/filters'
import { Because } from '../../kit/mark'
import { Page } from '../../kit/page'
import { Tabs } from '../../kit/tabs'
import { useText } from '../../text/catalogue'

interface PlatformPageProps {
  title: string
  purpose?: ReactNode
  actions?: ReactNode
  search?: ReactNode
  filters?: ReactNode
  beside?: ReactNode
  crumbs?: readonly (readonly [label: string, href: string])[]
  children: ReactNode
}

/** A screen of the administration of the whole deployment, with its neighbours. Who may not see it learns what to do. */
export function PlatformPage({ search, filters, children, ...page }: PlatformPageProps) {
  const t = useText('platform')
  const c = useText('common')
  const [path] = useLocation()
  const metrics = useRead('/admin/metrics', {})
  const refused = refusalOf(metrics.error)
  const tabs = [
    ['/platform', t.figures],
    ['/platform/projects', c.projects],
    ['/platform/users', c.users],
    ['/platform/support-grants', t.supportGrants],
    ['/platform/jobs', t.jobs],
    ['/platform/outbox', t.outbox],
    ['/platform/certificates', t.certificates],
    ['/platform/audit-log', c.auditLog],
  ] as const
  const isHere = (href: string) => (href === '/platform' ? path === href : path.startsWith(href))
  if (refused)
    return (
      <Page title={page.title}>
        <Refused refusal={refused} />
      </Page>
    )
  return (
    <Page {...page}>
      <Tabs label={c.platform} tabs={tabs.map(([href, name]) => [href, name, isHere(href)] as const)} />
      {search !== undefined && <div className="flex flex-wrap items-center gap-2">{search}</div>}
      {filters !== undefined && <FilterRow>{filters}</FilterRow>}
      {children}
    </Page>
  )
}

const CODES = ['ADMIN_2FA_REQUIRED', 'ADMIN_SESSION_EXPIRED', 'ADMIN_EMAIL_DOMAIN'] as const
type Code = (typeof CODES)[number]

interface Refusal {
  code: Code
  error: ApiFailure
}

function refusalOf(error: Error | null): Refusal | null {
  if (!(error instanceof ApiFailure)) return null
  const code = CODES.find((one) => one === error.code)
  return code ? { code, error } : null
}

const WAYS: Record<Code, string> = {
  ADMIN_2FA_REQUIRED: '/account/security',
  ADMIN_SESSION_EXPIRED: '/sign-out',
  ADMIN_EMAIL_DOMAIN: '/account',
}

/** Why the platform is closed for this session, and the way in. */
function Refused({ refusal: { code, error } }: { refusal: Refusal }) {
  const t = useText('platform')
  const c = useText('common')
  const { title, why, todo, action } = t.refused[code]
  return (
    <Card title={title}>
      <div className="grid max-w-xl justify-items-start gap-3 text-sm">
        <Because>{why}</Because>
        <p className="text-ink-2">{todo}</p>
        <p className="flex flex-wrap items-center gap-x-3 font-mono text-xs text-ink-2">
          <span>{code}</span>
          {error.requestId && (
            <span className="inline-flex items-center gap-1">
              {c.requestId} <CopyText text={error.requestId} />
            </span>
          )}
        </p>
        <LinkButton href={WAYS[code]} variant="primary">
          {action}
        </LinkButton>
      </div>
    </Card>
  )
}
