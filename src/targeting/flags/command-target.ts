import { Type } from '@sinclair/typebox'
import type { Remote } from '../../base/cli/remote'
import { listRemote } from '../../base/cli/remote-list'
import { pathOf, requireRemoteProject } from '../../base/cli/remote-project'
import type { Context } from '../../base/context'
import type { Paged } from '../../base/db/page'
import { notFound } from '../../base/errors'
import { CLI_ACTOR } from '../../projects/audit/audit'
import { requireProject } from '../../projects/project/lookup'
import { flagIdOf, listFlagViews, toggleFlag } from './admin'
import type { FlagView } from './admin-wire'
import type { FlagEnvironment } from './model'
import { FlagSchema } from './operator-wire'
import type { FlagPage } from './service'

/** The flags of a project: in the database of this machine, or on a server. */
export interface FlagTarget {
  list(page: FlagPage): Promise<Paged<FlagView>>
  /** 404 when there is none. */
  idOf(key: string, env: FlagEnvironment): Promise<string>
  toggle(id: string, isEnabled: boolean): Promise<FlagView>
}

export async function localFlags(ctx: Context, ref: string | undefined): Promise<FlagTarget> {
  const { id: projectId } = await requireProject(ctx, ref)
  return {
    list: (page) => listFlagViews(ctx, projectId, page),
    idOf: (key, env) => flagIdOf(ctx, projectId, key, env),
    toggle: (id, isEnabled) => toggleFlag(ctx, { projectId, actor: CLI_ACTOR }, id, isEnabled),
  }
}

/** A newer server may answer more. */
const Flag = Type.Omit(FlagSchema, [], { additionalProperties: true })

export async function remoteFlags(remote: Remote, ref: string | undefined): Promise<FlagTarget> {
  const project = await requireRemoteProject(remote, ref)
  const list: FlagTarget['list'] = async ({ env, key, limit }) =>
    // The schema has checked all of it but the rules, which are shown as they are.
    (await listRemote(remote, pathOf(project, 'feature-flags'), {
      item: Flag,
      query: { env, key },
      limit,
    })) as Paged<FlagView>
  return {
    list,
    async idOf(key, env) {
      const [flag] = (await list({ key, env, limit: 1 })).items
      if (!flag) throw notFound('feature flag', key)
      return flag.id
    },
    toggle: async (id, isEnabled) =>
      (await remote.call('POST', pathOf(project, 'feature-flags', id, 'toggle'), {
        data: Flag,
        body: { isEnabled },
      })) as FlagView,
  }
}
