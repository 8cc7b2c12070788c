import { readAhead } from '../api/queries'
import type { Project } from '../lib/session'
import { askAhead } from '../lib/warm'
import { homeOf } from './home'

const PROJECT = '/dashboard/projects/{projectId}'

/**
 * Requests together the data around the screen at an address, and the data that the screen reads first. Resolves to the
 * address that is shown there. What fails is left to the screens, which ask again.
 */
export async function readFirst(href: string): Promise<string> {
  const person = Promise.allSettled([readAhead('/dashboard/me', {}), readAhead('/dashboard/me/preferences', {})])
  const { items } = await readAhead('/dashboard/projects', { params: { query: { limit: 200 } } })
  const to = href === '/' ? homeOf(items) : href
  const slug = /^\/p\/([^/?]+)/.exec(to)?.[1]
  const found = items.find((one) => one.slug === slug)
  if (found) askAhead(to, placeOf(await readAhead(PROJECT, { params: { path: { projectId: found.id } } }), to))
  await person
  return to
}

const placeOf = (project: Project, href: string) => ({
  path: { projectId: project.id },
  project,
  environment: /[?&]env=sandbox(&|$)/.test(href) ? ('SANDBOX' as const) : ('PRODUCTION' as const),
})
