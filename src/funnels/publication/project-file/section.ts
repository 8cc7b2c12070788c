import type { RowChanges } from '../../../base/db/row-changes'
import { OFFERINGS } from '../../../projects/catalog/project-file/offerings/model'
import type { Pair } from '../../../projects/project-file/model'
import { planObjects } from '../../../projects/project-file/pair'
import type { Planning, Section } from '../../../projects/project-file/section'
import { savedAs } from '../../../projects/project-file/stored'
import { isSameContent } from '../publish'
import { type FunnelChange, loadFunnels, type SavedFunnel, writeFunnels } from '../service'
import { checkFunnels } from './check'
import { funnelsContent } from './content'
import { FUNNELS, type FunnelState, type WantedFunnel } from './model'
import { parseFunnels } from './parse'
import { publishedState } from './publish'
import { funnelRows } from './rows'

type Rows = readonly SavedFunnel[]

/** The funnels of a project. Publishing a funnel creates a version. */
export const funnelSection: Section<WantedFunnel, Rows, FunnelState, RowChanges<FunnelChange>> = {
  key: FUNNELS,
  placedBelow: 'experiments',
  idPrefix: 'fnl',
  holdsJson: true,
  parse: parseFunnels,
  load: ({ handle, project }) => loadFunnels(handle, project.id),
  names: (rows) => new Map(rows.map(({ id, slug }) => [id, slug])),
  current: (rows, names) =>
    rows.map((row) => savedAs(names.of(FUNNELS), row.id, row.slug, stateOf(row, names.of(OFFERINGS)))),
  plan,
  uses: ({ settings }) => [{ of: OFFERINGS, names: settings.offering === null ? [] : [settings.offering] }],
  check: checkFunnels,
  named: (slug) => ({ slug }),
  rows: funnelRows,
  write: (tx, projectId, changes) => writeFunnels(tx, projectId, changes, null),
  content: funnelsContent,
  leaves: ({ state: { publish } }) => (publish ? [] : [['publish']]),
}

function stateOf({ name, status, draft, published }: SavedFunnel, offerings: ReadonlyMap<string, string>): FunnelState {
  const version = published && isSameContent(published, draft) ? 'current' : 'older'
  return {
    name,
    defaultLocale: draft.defaultLocale,
    locales: [...draft.locales],
    published: status === 'PUBLISHED' && published ? version : 'no',
    theme: draft.theme,
    settings: { offering: offerings.get(draft.settings.offeringId ?? '') ?? null },
    pages: [...draft.pages],
  }
}

function plan({ wanted, saved, prune }: Planning<WantedFunnel, Rows, FunnelState>): Pair<FunnelState>[] {
  const before = new Map(saved.map(({ name, state }) => [name, state]))
  const objects = wanted?.map(({ state, ...rest }) => ({
    ...rest,
    state: publishedState(state, before.get(rest.name) ?? null),
  }))
  return planObjects({ wanted: objects ?? null, saved, prune })
}
