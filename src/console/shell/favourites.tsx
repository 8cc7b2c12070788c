import { Suspense } from 'react'
import { Link, useLocation } from 'wouter'
import { useRead } from '../api/queries'
import { cx } from '../lib/class-names'
import { useProject, useSession } from '../lib/session'
import { titleOf } from '../screens/charts/series'
import { type Texts, useText } from '../text/catalogue'
import { ENTRIES, isAllowed, screenAt } from './entries'

const CHART = /^\/charts\/([a-z0-9-]+)$/

/** The charts and screens that the person has starred. What is gone, or may not be read here, is left out. */
export function Favourites() {
  const t = useText('common')
  const here = useProject()
  const { favourites } = useSession().preferences
  const shown = favourites.filter((path) => {
    const screen = screenOf(path)
    return screen ? isAllowed(screen.needs, here) : chartIdOf(path) !== null
  })
  if (shown.length === 0) return null
  return (
    <nav aria-label={t.favourites} className="grid gap-0.5">
      <p className="px-2.5 pt-2 text-xs text-ink-3">{t.favourites}</p>
      {/* The words of charts are fetched for them alone; the rest of the sidebar does not wait. */}
      <Suspense fallback={null}>
        {shown.map((path) => {
          const screen = screenOf(path)
          return screen ? (
            <FavouriteLink key={path} path={path} name={t[screen.text]} />
          ) : (
            <ChartLink key={path} path={path} id={chartIdOf(path) ?? ''} />
          )
        })}
      </Suspense>
    </nav>
  )
}

function ChartLink({ path, id }: { path: string; id: string }) {
  const t = useText('charts')
  const here = useProject()
  const list = useRead('/dashboard/projects/{projectId}/charts', { params: { path: here.path } })
  const chart = list.data?.items.find((one) => one.id === id)
  return chart ? <FavouriteLink path={path} name={titleOf(t, chart)} /> : null
}

function FavouriteLink({ path, name }: { path: string; name: string }) {
  const { base, environment } = useProject()
  const [here] = useLocation()
  const isHere = here === base + path
  return (
    <Link
      href={`${base}${path}${environment === 'SANDBOX' ? '?env=sandbox' : ''}`}
      aria-current={isHere ? 'page' : undefined}
      className={cx(
        'flex min-h-8 items-center rounded-inner px-2.5 py-1 max-md:min-h-10',
        isHere ? 'bg-hover font-medium' : 'text-ink-2 hover:bg-hover hover:text-ink',
      )}
    >
      {name}
    </Link>
  )
}

/** The id of the chart at a path. The screens below the charts have names of their own. */
const chartIdOf = (path: string): string | null => (screenOf(path) === null ? (CHART.exec(path)?.[1] ?? null) : null)

type Name = keyof { [Key in keyof Texts['common'] as Texts['common'][Key] extends string ? Key : never]: 1 }

function screenOf(path: string): { text: Name; needs: Parameters<typeof isAllowed>[0] } | null {
  const entry = ENTRIES.find(({ name }) => path === `/${name}`)
  const first = entry?.children[0]
  if (entry) return { text: first?.text ?? entry.name, needs: first ?? entry }
  const found = screenAt(path)
  return found && 'text' in found && path.endsWith(found.path) ? { text: found.text, needs: found } : null
}
