import { makeStore } from '../lib/store'

const KEY = 'svc.project'

/** The project that was looked at last on this machine. */
export const lastProject = makeStore<string | null>(localStorage.getItem(KEY))
lastProject.subscribe(() => {
  const slug = lastProject.get()
  if (slug !== null) localStorage.setItem(KEY, slug)
})

/** Where `/` leads: to the project of the last time, the only one, or the list of all. */
export function homeOf(projects: readonly { slug: string }[]): string {
  const last = lastProject.get()
  const here = projects.find(({ slug }) => slug === last) ?? (projects.length === 1 ? projects[0] : undefined)
  return here ? `/p/${here.slug}/overview` : '/projects'
}
