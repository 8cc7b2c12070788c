import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { invalid, notFound } from '../../base/errors'
import { findProjectByRef } from '../../projects/project/service'
import type { ProjectState } from '../../projects/project/state'
import { findVerifiedDomain } from '../domains/service'
import { compilePublished, type PublishedFunnel } from '../publication/published'
import { findPublishedFunnel } from '../publication/service'

export interface OpenFunnel {
  project: ProjectState
  funnel: PublishedFunnel
}

export interface Host {
  /** The slug of the project. */
  project?: string
  hostname?: string
}

/** The project of a visitor, also a suspended one. 404 where there is none. */
export async function visitedProject(ctx: Context, { project, hostname }: Host): Promise<ProjectState> {
  if ((project === undefined) === (hostname === undefined))
    throw invalid('Name the project once: by project, which is its slug, or by hostname')
  if (project === undefined) return projectOfHost(ctx, hostname ?? '')
  const row = await findProjectByRef(ctx, project)
  const found = row && (await ctx.state.projects.find(row.id))
  if (!found) throw notFound('project', project)
  return found
}

async function projectOfHost(ctx: Context, hostname: string): Promise<ProjectState> {
  const domain = await findVerifiedDomain(ctx, hostname)
  const found = domain && (await ctx.state.projects.find(domain.projectId))
  if (!found) throw notFound('domain', hostname)
  return found
}

/** As `openFunnel`, for a call from outside: a custom domain shows nothing of other projects. */
export async function funnelOfCall(ctx: Context, { url }: Request, host: Host, slug: string): Promise<OpenFunnel> {
  const open = await openFunnel(ctx, host, slug)
  if (ctx.state.customHosts.isOfOther(url, open.project.id)) throw notFound('published funnel', slug)
  return open
}

/** A funnel that visitors can start; 404 for one that is not published. */
export async function openFunnel(ctx: Context, host: Host, slug: string): Promise<OpenFunnel> {
  const project = await visitedProject(ctx, host)
  const funnel = await publishedFunnel(ctx, project, slug)
  if (!funnel) throw notFound('published funnel', slug)
  return { project, funnel }
}

export async function publishedFunnel(
  handle: Handle,
  { id, catalog }: ProjectState,
  slug: string,
): Promise<PublishedFunnel | null> {
  const row = await findPublishedFunnel(handle, id, slug)
  return row && (compilePublished([row], catalog).funnels.get(row.id) ?? null)
}

/** The path of a funnel: on a custom domain its slug alone. */
export function pageAddress(
  { state }: Pick<Context, 'state'>,
  { url }: Request,
  { project, funnel }: { project: string; funnel: string },
): string {
  const slug = encodeURIComponent(funnel)
  return state.customHosts.at(url) ? `/${slug}` : `/f/${encodeURIComponent(project)}/${slug}`
}
