import {
  BellRing,
  Cable,
  ChartColumn,
  ChevronsUpDown,
  CircleDollarSign,
  CircleUser,
  KeyRound,
  LayoutGrid,
  type LucideIcon,
  MonitorSmartphone,
  Package,
  Search,
  Server,
  ShieldCheck,
  SlidersHorizontal,
  Split,
  Users,
} from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { useRead } from '../api/queries'
import { Mark } from '../kit/mark'
import { Menu } from '../kit/menu'
import { Segmented } from '../kit/tabs'
import { cx } from '../lib/class-names'
import { commandKeys } from '../lib/keys'
import { useProject, useSession } from '../lib/session'
import { StarButton } from '../parts/star'
import { useText } from '../text/catalogue'
import { AssistantButton } from './assistant-button'
import { Bell } from './bell'
import { ENTRIES, type Entry, isAllowed } from './entries'
import { hasEnvironment } from './environments'
import { Favourites } from './favourites'

const ICONS: Record<string, LucideIcon> = {
  overview: LayoutGrid,
  subscribers: Users,
  revenue: CircleDollarSign,
  charts: ChartColumn,
  catalogue: Package,
  growth: Split,
  connections: Cable,
  settings: SlidersHorizontal,
}

export function ProjectSidebar() {
  const t = useText('common')
  const here = useProject()
  const [path] = useLocation()
  return (
    <div className="flex min-h-full flex-col gap-2 p-2.5">
      <ProjectMenu name={here.project.name} slug={here.project.slug} />
      <SearchButton />
      <nav aria-label={t.menu} className="grid gap-0.5">
        {ENTRIES.filter((entry) => isAllowed(entry, here)).map((entry) => (
          <EntryLink key={entry.name} entry={entry} base={here.base} />
        ))}
      </nav>
      <Favourites />
      <div className="mt-auto grid gap-2 pt-4">
        {hasEnvironment(path.slice(here.base.length)) && (
          <Segmented
            isWide
            label={t.environment}
            value={here.environment}
            onChange={here.setEnvironment}
            options={[
              ['PRODUCTION', t.production],
              ['SANDBOX', t.sandbox],
            ]}
          />
        )}
        <Person />
      </div>
    </div>
  )
}

function ProjectMenu({ name, slug }: { name: string; slug: string }) {
  const t = useText('common')
  const projects = useRead('/dashboard/projects', { params: { query: { limit: 200 } } })
  return (
    <Menu
      align="left"
      className="flex w-full items-center gap-2.5 rounded-control px-2 py-1.5 text-left hover:bg-hover"
      label={
        <>
          <Mark className="size-6 shrink-0" />
          <span className="grid min-w-0 flex-1">
            <span className="truncate font-semibold">
              <span className="sr-only">{t.project}: </span>
              {name}
            </span>
            <span className="truncate text-xs text-ink-2">{slug}</span>
          </span>
          <ChevronsUpDown aria-hidden size={14} className="text-ink-3" />
        </>
      }
      items={[
        ...(projects.data?.items ?? []).map((one) => ({
          label: one.name,
          href: `/p/${one.slug}/overview`,
          isChecked: one.slug === slug,
        })),
        'line' as const,
        { label: t.projects, href: '/projects' },
      ]}
    />
  )
}

const SearchButton = () => {
  const t = useText('common')
  return (
    <button
      type="button"
      onClick={() => dispatchEvent(new CustomEvent('svc:palette'))}
      className="flex h-9 items-center gap-2 rounded-control border border-line-2 bg-surface px-2.5 text-sm text-ink-2 hover:bg-hover"
    >
      <Search aria-hidden size={15} />
      <span className="min-w-0 flex-1 truncate text-left">{t.searchOrJump}</span>
      <kbd aria-hidden className="rounded-chip border border-line px-1 font-sans text-2xs">
        {commandKeys('K')}
      </kbd>
    </button>
  )
}

function EntryLink({ entry, base }: { entry: Entry; base: string }) {
  const t = useText('common')
  const here = useProject()
  const [path] = useLocation()
  const { name, children } = entry
  const isHere = path === `${base}/${name}` || path.startsWith(`${base}/${name}/`)
  const Icon = ICONS[name] ?? LayoutGrid
  const query = here.environment === 'SANDBOX' ? '?env=sandbox' : ''
  return (
    <div>
      <Link
        href={`${base}/${name}${query}`}
        aria-current={isHere && children.length === 0 ? 'page' : undefined}
        className={cx(
          'flex h-8 items-center gap-2.5 rounded-inner px-2.5 max-md:h-10',
          isHere ? 'font-semibold' : 'text-ink-2 hover:bg-hover hover:text-ink',
          isHere && children.length === 0 && 'bg-hover',
        )}
      >
        <Icon aria-hidden size={16} className={isHere ? 'text-accent' : undefined} />
        {t[name]}
      </Link>
      {isHere && children.length > 0 && (
        <div className="mt-0.5 ml-4 grid gap-0.5 border-l border-line pl-2">
          {children
            .filter((child) => isAllowed(child, here))
            .map((child) => {
              const href = `${base}/${name}${child.path}`
              const isActive = child.path === '' ? isFirst(path, `${base}/${name}`, children) : path.startsWith(href)
              return (
                <div key={child.text} className="group flex items-center gap-0.5">
                  <Link
                    href={`${href}${query}`}
                    aria-current={isActive ? 'page' : undefined}
                    className={cx(
                      'flex h-8 min-w-0 flex-1 items-center rounded-inner px-2.5 max-md:h-10',
                      isActive ? 'bg-hover font-medium' : 'text-ink-2 hover:bg-hover hover:text-ink',
                    )}
                  >
                    {t[child.text]}
                  </Link>
                  {isActive && <StarButton path={`/${name}${child.path}`} name={t[child.text]} />}
                </div>
              )
            })}
        </div>
      )}
    </div>
  )
}

/** The first child has the path of the entry, so it is active when no other child is. */
const isFirst = (path: string, start: string, children: Entry['children']): boolean =>
  path.startsWith(start) && !children.some((one) => one.path !== '' && path.startsWith(`${start}${one.path}`))

export function AccountSidebar() {
  const t = useText('common')
  const { me } = useSession()
  const [path] = useLocation()
  const links: [href: string, name: string, Icon: LucideIcon][] = [
    ['/projects', t.projects, LayoutGrid],
    ['/account', t.profile, CircleUser],
    ['/account/security', t.security, ShieldCheck],
    ['/account/sessions', t.sessions, MonitorSmartphone],
    ['/account/tokens', t.tokens, KeyRound],
    ['/account/notifications', t.notifications, BellRing],
    ...(me.platformAdmin ? [['/platform', t.platform, Server] as [string, string, LucideIcon]] : []),
  ]
  const isHere = (href: string) => path === href || (href === '/platform' && path.startsWith('/platform/'))
  return (
    <div className="flex min-h-full flex-col gap-2 p-2.5">
      <Link href="/projects" className="flex items-center gap-2.5 px-2 py-1.5 text-lg font-semibold">
        <Mark className="size-6" /> svc
      </Link>
      <nav aria-label={t.menu} className="grid gap-0.5">
        {links.map(([href, name, Icon]) => (
          <Link
            key={href}
            href={href}
            aria-current={isHere(href) ? 'page' : undefined}
            className={cx(
              'flex h-8 items-center gap-2.5 rounded-inner px-2.5 max-md:h-10',
              isHere(href) ? 'bg-hover font-semibold' : 'text-ink-2 hover:bg-hover hover:text-ink',
            )}
          >
            <Icon aria-hidden size={16} className={isHere(href) ? 'text-accent' : undefined} />
            {name}
          </Link>
        ))}
      </nav>
      <div className="mt-auto pt-4">
        <Person />
      </div>
    </div>
  )
}

function Person() {
  const t = useText('common')
  const { me } = useSession()
  return (
    <div className="flex items-center justify-between gap-2 border-t border-line pt-2">
      <Menu
        align="left"
        className="flex min-w-0 flex-1 items-center gap-2 rounded-control px-2 py-1.5 text-left hover:bg-hover"
        label={
          <>
            <span
              aria-hidden
              className="inline-flex size-6 shrink-0 items-center justify-center rounded-full bg-accent-soft text-2xs font-semibold text-accent"
            >
              {initialsOf(me.name)}
            </span>
            <span className="truncate">
              <span className="sr-only">{t.account}: </span>
              {me.name}
            </span>
          </>
        }
        items={[
          { label: t.profile, href: '/account' },
          { label: t.security, href: '/account/security' },
          ...(me.platformAdmin ? [{ label: t.platform, href: '/platform' }] : []),
          'line',
          { label: t.signOut, href: '/sign-out' },
        ]}
      />
      <AssistantButton className="max-md:hidden" />
      <Bell className="max-md:hidden" />
    </div>
  )
}

const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .map((word) => [...word][0] ?? '')
    .slice(0, 2)
    .join('')
    .toUpperCase()
