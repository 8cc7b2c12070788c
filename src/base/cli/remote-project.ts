import { Type } from '@sinclair/typebox'
import { CommandFailure, UsageError } from './command'
import type { Remote } from './remote'
import { listRemote } from './remote-list'

/** A project on a server, of which the person with the token is a member. */
export interface RemoteProject {
  id: string
  slug: string
}

const Project = Type.Object({ id: Type.String(), slug: Type.String() })

const listRemoteProjects = async (remote: Remote): Promise<RemoteProject[]> =>
  (await listRemote(remote, '/dashboard/projects', { item: Project, limit: Number.POSITIVE_INFINITY })).items

/** The project with this slug or id; null when the person is no member of such a project. */
export async function findRemoteProject(remote: Remote, ref: string): Promise<RemoteProject | null> {
  const projects = await listRemoteProjects(remote)
  return projects.find(({ slug }) => slug === ref) ?? projects.find(({ id }) => id === ref) ?? null
}

/** The project that `--project` names; without the option, the only project of the person. */
export async function requireRemoteProject(remote: Remote, ref: string | undefined): Promise<RemoteProject> {
  if (ref !== undefined) {
    const found = await findRemoteProject(remote, ref)
    if (!found) throw new CommandFailure('NOT_FOUND', `There is no project "${ref}" that this token can see.`)
    return found
  }
  const [only, ...more] = await listRemoteProjects(remote)
  if (!only) throw new CommandFailure('NOT_FOUND', 'There is no project that this token can see.')
  if (more.length > 0) throw new UsageError('There are several projects; name one with --project')
  return only
}

/** The path of a project's routes, or of one of them. Each part is escaped. */
export const pathOf = ({ id }: RemoteProject, ...parts: readonly string[]): string =>
  ['/dashboard/projects', id, ...parts].map((part, index) => (index === 0 ? part : encodeURIComponent(part))).join('/')
