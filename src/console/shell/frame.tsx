import { lazy, type ReactNode, Suspense, useContext, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { hasCapability, hasRole } from '../../core/roles/roles'
import { ApiFailure } from '../api/failure'
import { queries, useRead } from '../api/queries'
import { Boundary } from '../kit/card'
import { assistantOpen, hasAssistant } from '../lib/assistant-panel'
import { cx } from '../lib/class-names'
import { type Project, ProjectContext, type ProjectHere, useSession } from '../lib/session'
import { useParam } from '../lib/url-state'
import { useText } from '../text/catalogue'
import { ChangesByOthers, ChangesOfAccount } from './changes-by-others'
import { hasEnvironment } from './environments'
import { FileDriftNotice } from './file-drift'
import { lastProject } from './home'
import { Missing } from './missing'
import { Notices, SupportNotice } from './notices'
import { RoleGate } from './role-gate'
import { Broken } from './screen-boundary'
import { fetchPart } from './server-state'
import { useShortcuts } from './shortcuts'
import { AccountSidebar, ProjectSidebar } from './sidebar'
import { TopBar } from './top-bar'

/** Sidebar and main part around the screens of one project. */
export function ProjectFrame({ slug, children }: { slug: string; children: ReactNode }) {
  const here = useHere(slug)
  const [address] = useLocation()
  const isThere = here !== null && here !== 'loading' && !(here instanceof Error)
  useEffect(() => {
    if (isThere) lastProject.set(slug)
  }, [isThere, slug])
  if (here === 'loading') return null
  if (here === null || here instanceof Error) {
    return (
      <AccountFrame>
        {here ? <Broken error={here} onRetry={() => queries.invalidateQueries()} /> : <Missing />}
      </AccountFrame>
    )
  }
  return (
    <ProjectContext.Provider value={here}>
      <Shell
        sidebar={<ProjectSidebar />}
        isSandbox={here.environment === 'SANDBOX' && hasEnvironment(address.slice(here.base.length))}
        notice={<SupportNotice />}
      >
        <FileDriftNotice />
        <ChangesByOthers />
        <RoleGate>{children}</RoleGate>
      </Shell>
    </ProjectContext.Provider>
  )
}

/** The same for what belongs to no project: projects, account, platform. */
export const AccountFrame = ({ children }: { children: ReactNode }) => (
  <Shell sidebar={<AccountSidebar />} isSandbox={false}>
    <ChangesOfAccount />
    {children}
  </Shell>
)

/** An id instead of a slug: who reads for support is no member, and has no list in which the slug would be found. */
const isId = (slug: string): boolean => slug.startsWith('prj_')

function useHere(slug: string): ProjectHere | 'loading' | null | Error {
  const [environment, setEnvironment] = useParam('env', 'production')
  const { billsProjects } = useSession().me
  const projects = useRead('/dashboard/projects', { params: { query: { limit: 200 } } })
  const id = isId(slug) ? slug : projects.data?.items.find((one) => one.slug === slug)?.id
  const project = useRead(
    '/dashboard/projects/{projectId}',
    { params: { path: { projectId: id ?? '' } } },
    { enabled: id !== undefined },
  )
  if (id === undefined) return projects.data ? null : (projects.error ?? 'loading')
  if (project.error && !project.data) return isAbsent(project.error) ? null : project.error
  if (!project.data) return 'loading'
  const choose = (next: ProjectHere['environment']) => setEnvironment(next === 'SANDBOX' ? 'sandbox' : null)
  return { ...hereOf(project.data, `/p/${slug}`, environment === 'sandbox', choose), isBilled: billsProjects }
}

const isAbsent = (error: Error): boolean => error instanceof ApiFailure && error.status === 404

const hereOf = (
  project: Project,
  base: string,
  isSandbox: boolean,
  setEnvironment: ProjectHere['setEnvironment'],
): Omit<ProjectHere, 'isBilled'> => ({
  project,
  path: { projectId: project.id },
  base,
  api: `/dashboard/projects/${project.id}`,
  environment: isSandbox ? 'SANDBOX' : 'PRODUCTION',
  setEnvironment,
  hasRole: (role) => hasRole(project.role, role),
  can: (capability) => hasCapability(project.role, capability),
})

interface ShellProps {
  sidebar: ReactNode
  isSandbox: boolean
  notice?: ReactNode
  children: ReactNode
}

function Shell({ sidebar, isSandbox, notice, children }: ShellProps) {
  const t = useText('common')
  const [isOpen, setOpen] = useState(false)
  const here = useContext(ProjectContext)
  const isAsking = assistantOpen.use()
  const hasPanel = isAsking && here !== null && hasAssistant(here)
  useEffect(() => {
    const close = () => setOpen(false)
    addEventListener('popstate', close)
    addEventListener('pushState', close)
    return () => {
      removeEventListener('popstate', close)
      removeEventListener('pushState', close)
    }
  }, [])
  return (
    <>
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-control focus:bg-raised focus:px-3 focus:py-2"
      >
        {t.skip}
      </a>
      <TopBar isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
      <div className={cx('md:grid print:block!', hasPanel ? COLUMNS_WITH_PANEL : COLUMNS)}>
        <aside
          aria-label={t.menu}
          className={
            isOpen
              ? 'fixed inset-0 top-12 z-30 overflow-y-auto bg-canvas md:static print:hidden'
              : 'max-md:hidden print:hidden md:sticky md:top-0 md:h-dvh md:overflow-y-auto md:border-r md:border-line'
          }
        >
          {sidebar}
        </aside>
        <main id="main" tabIndex={-1} className={cx('min-w-0 outline-none', hasPanel && 'max-md:hidden')}>
          {isSandbox && (
            <p className="border-t-2 border-warn bg-warn-soft px-6 py-1 text-xs font-medium text-warn">{t.sandbox}</p>
          )}
          <Notices />
          {notice}
          {children}
        </main>
        {hasPanel && (
          <Boundary>
            <Suspense>
              <AssistantDrawer />
            </Suspense>
          </Boundary>
        )}
      </div>
      <Overlays />
    </>
  )
}

const COLUMNS = 'md:grid-cols-[216px_minmax(0,1fr)]'
const COLUMNS_WITH_PANEL = `${COLUMNS} xl:grid-cols-[216px_minmax(0,1fr)_456px]`

const AssistantDrawer = lazy(() => fetchPart(() => import('./assistant/drawer')))
const Palette = lazy(() => fetchPart(() => import('./palette')))
const ShortcutList = lazy(() => fetchPart(() => import('./shortcut-list')))

/** The overlays of every screen with a frame: the palette and the list of shortcuts. */
function Overlays() {
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null)
  useShortcuts(setOpen)
  const close = () => setOpen(null)
  return (
    <Boundary>
      <Suspense>
        {open === 'palette' && <Palette onClose={close} onKeys={() => setOpen('keys')} />}
        {open === 'keys' && <ShortcutList onClose={close} />}
      </Suspense>
    </Boundary>
  )
}
