import { type ReactNode, useEffect } from 'react'
import { useLocation } from 'wouter'
import { LinkButton } from '../kit/button'
import { Empty } from '../kit/empty'
import { roleFor, useProject } from '../lib/session'
import { useText } from '../text/catalogue'
import { isAllowed, type Needs, screenAt } from './entries'
import { Missing } from './missing'

/** Around the screens of a project. One that the role may never read is not opened, and asks the server for nothing. */
export function RoleGate({ children }: { children: ReactNode }) {
  const t = useText('common')
  const here = useProject()
  const [path] = useLocation()
  const screen = screenAt(path.slice(here.base.length))
  if (!screen || isAllowed(screen, here)) return children
  if (screen.isBilled && !here.isBilled) return <Missing />
  return <NotForRole needs={screen} title={'text' in screen ? t[screen.text] : t[screen.name]} />
}

function NotForRole({ needs: { role, capability }, title }: { needs: Needs; title: string }) {
  const t = useText('common')
  const { base, project } = useProject()
  useEffect(() => {
    document.title = `${title} · svc`
  }, [title])
  const needed = capability === undefined ? role : roleFor(capability)
  return (
    <div className="p-6">
      <h1 className="sr-only">{title}</h1>
      <Empty
        title={t.screenNeeds(title, needed ?? 'OWNER')}
        action={<LinkButton href={`${base}/settings/members`}>{t.showMembers}</LinkButton>}
      >
        <p>{t.screenNeedsHint(project.role)}</p>
        <p className="pt-1 font-mono text-xs">{capability ? `CAPABILITY_REQUIRED ${capability}` : 'ROLE_REQUIRED'}</p>
      </Empty>
    </div>
  )
}
