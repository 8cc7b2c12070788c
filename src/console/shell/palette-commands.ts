import { useContext } from 'react'
import { useLocation } from 'wouter'
import { api } from '../api/client'
import { useAction, useRead } from '../api/queries'
import { useCopied } from '../kit/copy'
import { useFailureToast } from '../kit/use-failure-toast'
import { ProjectContext, type ProjectHere, useSession } from '../lib/session'
import { titleOf } from '../screens/charts/series'
import { usualNames } from '../screens/charts/usual-names'
import { useText } from '../text/catalogue'
import { type Command, commandsOf } from './commands'
import { setTheme } from './theme'

/** What can be chosen from anywhere, besides the objects of the project. */
export function useCommands(onKeys: () => void): Command[] {
  const t = useText('common')
  const here = useContext(ProjectContext)
  const { me } = useSession()
  const [location, go] = useLocation()
  const copy = useCopied()
  const projects = useRead('/dashboard/projects', { params: { query: { limit: 200 } } })
  const own = {
    ...{ charts: useCharts(here), settings: useSettings(), setTheme: useTheme(), personHref: personOf(location, here) },
    projects: projects.data?.items ?? [],
  }
  return commandsOf({ t, here, isAdmin: me.platformAdmin, go, onKeys, copy, ...own })
}

const personOf = (location: string, here: ProjectHere | null): string | null =>
  here === null ? null : (/^.*\/subscribers\/sub_[0-9a-z]+$/.exec(location)?.[0] ?? null)

/** Every chart, found by its title and by the words of its definition. */
function useCharts(here: ProjectHere | null) {
  const t = useText('charts')
  const path = { projectId: here?.project.id ?? '' }
  const charts = useRead('/dashboard/projects/{projectId}/charts', { params: { path } }, { enabled: here !== null })
  return (charts.data?.items ?? []).map((chart) => ({
    ...{ id: chart.id, title: titleOf(t, chart) },
    words: `${chart.id} ${chart.title} ${usualNames(chart.id)}`,
  }))
}

/** The settings of a project by the words on their screen. */
function useSettings(): string[] {
  const t = useText('settings')
  return [t.timezone, t.allowedOrigins, t.commission, ...Object.values(t.setting).map(({ label }) => label)]
}

function useTheme() {
  const failed = useFailureToast()
  const action = useAction({
    run: (theme: 'LIGHT' | 'DARK') => api.patch('/dashboard/me/preferences', { body: { theme } }),
    refreshes: ['/dashboard/me/preferences'],
    onDone: (saved) => setTheme(saved.theme),
    onFailure: failed,
  })
  return action.submit
}
