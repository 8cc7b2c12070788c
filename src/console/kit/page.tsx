import { type ReactNode, useContext, useEffect } from 'react'
import { Link, useLocation } from 'wouter'
import { objectAt } from '../api/objects'
import { now } from '../lib/clock'
import { curlOf, filled } from '../lib/curl'
import { formatTime } from '../lib/format'
import { ProjectContext, useReading } from '../lib/session'
import { useText } from '../text/catalogue'
import { CurlButton, Id } from './copy'
import { FilterRow } from './filters'
import { usePrinting } from './use-printing'

interface PageProps {
  title: string
  /** The screens above this one, from the outermost. */
  crumbs?: readonly (readonly [label: string, href: string])[]
  /** One line that says what the screen is for. */
  purpose?: ReactNode
  /** At most three buttons and a menu; the primary one last. */
  actions?: ReactNode
  /** Beside the title: a chip or a state. */
  beside?: ReactNode
  /** A search or a choice of views, which a phone shows too. */
  search?: ReactNode
  /** A row of filters, from general to special. A phone opens them by a button. */
  filters?: ReactNode
  children: ReactNode
}

/** The frame of a screen: crumbs, title, actions, filters, content. */
export function Page({ title, crumbs = [], purpose, actions, beside, search, filters, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · svc`
  }, [title])
  return (
    <div className="mx-auto grid w-full max-w-360 grid-cols-[minmax(0,1fr)] content-start gap-4 p-6 max-md:p-4">
      <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="grid min-w-0 grow basis-64 grid-cols-[minmax(0,1fr)] gap-0.5">
          <Printed />
          <Crumbs crumbs={crumbs} />
          <div className="flex min-w-0 flex-wrap items-center gap-3">
            <h1
              className="line-clamp-3 min-w-0 text-xl font-semibold tracking-[-0.012em] wrap-anywhere md:line-clamp-2"
              title={title}
            >
              {title}
            </h1>
            {beside}
            <OfObject />
          </div>
          {purpose !== undefined && <div className="text-sm text-ink-2">{purpose}</div>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap items-center gap-2 print:hidden">{actions}</div>}
      </header>
      {search !== undefined && <div className="flex flex-wrap items-center gap-2 print:hidden">{search}</div>}
      {filters !== undefined && <FilterRow>{filters}</FilterRow>}
      {children}
    </div>
  )
}

/** On paper: of which project and when. */
function Printed() {
  const here = useContext(ProjectContext)
  const reading = useReading()
  const t = useText('common')
  usePrinting()
  if (!here) return null
  const environment = here.environment === 'SANDBOX' ? t.sandbox : t.production
  return (
    <p className="hidden text-xs text-ink-2 print:block">
      {here.project.name}, {environment}, {formatTime(reading, now())}
    </p>
  )
}

function Crumbs({ crumbs }: { crumbs: NonNullable<PageProps['crumbs']> }) {
  const t = useText('common')
  if (crumbs.length === 0) return null
  return (
    <nav aria-label={t.crumbs} className="flex flex-wrap gap-x-1.5 text-sm text-ink-2">
      {crumbs.map(([label, href], index) => (
        <span key={href} className="inline-flex max-w-full min-w-0 gap-1.5">
          {index > 0 && <span aria-hidden>/</span>}
          <Link href={href} className="truncate hover:text-ink hover:underline">
            {label}
          </Link>
        </span>
      ))}
    </nav>
  )
}

/** The id of the object that the screen is about, and the call that reads it. */
function OfObject() {
  const here = useContext(ProjectContext)
  const [path] = useLocation()
  if (!here || !path.startsWith(here.base)) return null
  const found = objectAt(path.slice(here.base.length))
  if (!found) return null
  const { id, isUnnamed } = found
  const curl = curlOf(location.origin, filled(found.path, { ...here.path, id, key: id, chartId: id }))
  return (
    <span className="inline-flex items-center gap-1 text-ink-2 print:hidden">
      {isUnnamed && <Id id={id} />}
      {curl !== null && <CurlButton command={curl} />}
    </span>
  )
}
