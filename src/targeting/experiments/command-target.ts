import type { Static } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import type { Page, Paged } from '../../base/db/page'
import { CLI_ACTOR } from '../../projects/audit/audit'
import { requireProject } from '../../projects/project/lookup'
import type { StopRequest } from './actions'
import { experimentIdOf, listExperimentViews } from './admin'
import {
  duplicateExperiment,
  pauseExperiment,
  resumeExperiment,
  startExperiment,
  stopExperimentNow,
} from './admin-actions'
import type { ExperimentView } from './admin-wire'
import { resultsReader } from './results'
import { type ResultsAnswer, toResultsView } from './wire'

type Action = 'start' | 'pause' | 'resume' | 'duplicate'

export type ResultsView = Static<typeof ResultsAnswer>['data']

/** The experiments of a project: in the database of this machine, or on a server. */
export interface ExperimentTarget {
  list(page: Page): Promise<Paged<ExperimentView>>
  /** The id of the experiment with this key or, where none has, this id; 404 when there is none. */
  idOf(ref: string): Promise<string>
  act(id: string, action: Action): Promise<ExperimentView>
  stop(id: string, request: StopRequest): Promise<ExperimentView>
  /** `ref`: key or id. */
  results(ref: string): Promise<ResultsView>
}

const ACTS = {
  start: startExperiment,
  pause: pauseExperiment,
  resume: resumeExperiment,
  duplicate: duplicateExperiment,
}

export async function localExperiments(ctx: Context, ref: string | undefined): Promise<ExperimentTarget> {
  const { id: projectId } = await requireProject(ctx, ref)
  const by = { projectId, actor: CLI_ACTOR }
  return {
    list: (page) => listExperimentViews(ctx, projectId, page),
    idOf: (one) => experimentIdOf(ctx, projectId, one),
    act: (id, action) => ACTS[action](ctx, by, id),
    stop: (id, request) => stopExperimentNow(ctx, by, id, request),
    results: async (one) => toResultsView(await resultsReader(ctx)(await ctx.state.projects.get(projectId), one)),
  }
}
