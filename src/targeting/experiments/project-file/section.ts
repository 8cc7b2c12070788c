import type { RowChanges } from '../../../base/db/row-changes'
import { FUNNELS } from '../../../funnels/publication/project-file/model'
import { OFFERINGS } from '../../../projects/catalog/project-file/offerings/model'
import type { Section, Use } from '../../../projects/project-file/section'
import { savedAs } from '../../../projects/project-file/stored'
import { AUDIENCES } from '../../audiences/project-file/model'
import { type ExperimentState, experimentState } from '../file-state'
import { type Experiment, listExperiments, writeExperiments } from '../stored-experiments'
import { checkExperiments } from './check'
import { experimentsContent } from './content'
import { EXPERIMENTS, funnelOf, type WantedExperiment } from './model'
import { parseExperiments } from './parse'
import { planExperiments } from './plan'
import { experimentRows } from './rows'

type Rows = readonly Experiment[]

/** The experiments of a project. A file can start them, but cannot change their status in another way. */
export const experimentSection: Section<WantedExperiment, Rows, ExperimentState, RowChanges<Experiment>> = {
  key: EXPERIMENTS,
  idPrefix: 'exp',
  holdsJson: true,
  parse: parseExperiments,
  load: ({ handle, project }) => listExperiments(handle, project.id),
  names: (rows) => new Map(rows.map(({ id, key }) => [id, key])),
  current: (rows, names) => {
    const named = { audiences: names.of(AUDIENCES), funnels: names.of(FUNNELS) }
    return rows.map((row) => savedAs(names.of(EXPERIMENTS), row.id, row.key, experimentState(row, named)))
  },
  plan: planExperiments,
  uses,
  check: checkExperiments,
  named: (key) => ({ key }),
  rows: experimentRows,
  write: writeExperiments,
  content: experimentsContent,
  leaves: ({ state: { status } }) => (status === null ? [['status']] : []),
}

function uses({ type, status, audience, variants }: ExperimentState): Use[] {
  const audiences = { of: AUDIENCES, names: audience === null ? [] : [audience] }
  if (type === 'FUNNEL') return [audiences, { of: FUNNELS, names: variants.map(funnelOf) }]
  if (type !== 'OFFERING' || status === 'COMPLETED') return [audiences]
  return [audiences, { of: OFFERINGS, names: variants.map(({ value }) => String(value)) }]
}
