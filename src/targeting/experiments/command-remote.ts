import { Type } from '@sinclair/typebox'
import type { Remote } from '../../base/cli/remote'
import { listRemote } from '../../base/cli/remote-list'
import { pathOf, requireRemoteProject } from '../../base/cli/remote-project'
import type { Page, Paged } from '../../base/db/page'
import { notFound } from '../../base/errors'
import type { ExperimentView } from './admin-wire'
import type { ExperimentTarget } from './command-target'
import { ExperimentSchema } from './operator-wire'
import { ResultsAnswer } from './wire'

/** A newer server may answer more. */
const LENIENT = { additionalProperties: true }
const Experiment = Type.Omit(ExperimentSchema, [], LENIENT)
const Results = Type.Omit(ResultsAnswer.properties.data, [], LENIENT)

/** The experiments of a project on a server. */
export async function remoteExperiments(remote: Remote, ref: string | undefined): Promise<ExperimentTarget> {
  const project = await requireRemoteProject(remote, ref)
  const path = (...parts: string[]) => pathOf(project, 'experiments', ...parts)
  // The schema has checked all of it but the variants, which are shown as they are.
  const list = async ({ limit }: Page) =>
    (await listRemote(remote, path(), { item: Experiment, limit })) as Paged<ExperimentView>
  const idOf = async (one: string): Promise<string> => {
    const { items } = await list({ limit: Number.POSITIVE_INFINITY })
    const found = items.find(({ key }) => key === one) ?? items.find(({ id }) => id === one)
    if (!found) throw notFound('experiment', one)
    return found.id
  }
  const post = async (id: string, action: string, body: object) =>
    (await remote.call('POST', path(id, action), { data: Experiment, body })) as ExperimentView
  return {
    list,
    idOf,
    act: (id, action) => post(id, action, {}),
    stop: (id, request) => post(id, 'stop', request),
    results: async (one) => remote.call('GET', path(await idOf(one), 'results'), { data: Results }),
  }
}
