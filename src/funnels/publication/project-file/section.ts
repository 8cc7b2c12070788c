import type { RowChanges } from '../../../base/db/row-changes'
import { givenSettings, savedSettings } from '../../../core/funnel/settings-form'
import { OFFERINGS } from '../../../projects/catalog/project-file/offerings'
import { objects } from '../../../projects/project-file/form'
import type { Pair } from '../../../projects/project-file/model'
import { changed, idOf, planObjects, savedAs } from '../../../projects/project-file/pair'
import type { Planning, Section, Writing } from '../../../projects/project-file/section'
import { knownFiles } from '../files'
import { isSameContent } from '../same-content'
import { type FunnelChange, hasTestStore, loadFunnels, type SavedFunnel, writeFunnels } from '../service'
import { checkFunnels, warnFunnel } from './check'
import {
  FUNNELS,
  type FunnelRows,
  type FunnelState,
  funnelsContent,
  isPublishing,
  publishedState,
  readFunnel,
  type WantedFunnel,
} from './form'

/** The funnels of a project. Publishing a funnel creates a version. */
export const funnelSection: Section<WantedFunnel, FunnelRows, FunnelState, RowChanges<FunnelChange>> = {
  key: FUNNELS,
  placedBelow: 'experiments',
  idPrefix: 'fnl',
  holdsJson: true,
  parse: objects(readFunnel),
  load: async ({ handle, project }) => ({
    funnels: await loadFunnels(handle, project.id),
    hasTestStore: hasTestStore(handle, project.id),
    files: await knownFiles(handle, project.id),
  }),
  names: ({ funnels }) => new Map(funnels.map(({ id, slug }) => [id, slug])),
  current: ({ funnels }, names) =>
    funnels.map((row) => savedAs(names.of(FUNNELS), row.id, row.slug, stateOf(row, names.of(OFFERINGS)))),
  plan,
  uses: ({ settings }) => [{ of: OFFERINGS, names: settings.offering === undefined ? [] : [settings.offering] }],
  warnings: warnFunnel,
  check: checkFunnels,
  named: (slug) => ({ slug }),
  rows: funnelRows,
  write: (tx, projectId, changes) => writeFunnels(tx, projectId, changes, null),
  content: funnelsContent,
  leaves: ({ state: { publish } }) => (publish ? [] : [['publish']]),
}

function plan({ wanted, saved, prune }: Planning<WantedFunnel, FunnelRows, FunnelState>): Pair<FunnelState>[] {
  const before = new Map(saved.map(({ name, state }) => [name, state]))
  const objects = wanted?.map(({ state, ...rest }) => ({
    ...rest,
    state: publishedState(state, before.get(rest.name) ?? null),
  }))
  return planObjects({ wanted: objects ?? null, saved, prune })
}

/** A saved funnel as the project file has it. */
function stateOf({ name, status, draft, published }: SavedFunnel, offerings: ReadonlyMap<string, string>): FunnelState {
  const version = published && isSameContent(published, draft) ? 'current' : 'older'
  return {
    name,
    defaultLocale: draft.defaultLocale,
    locales: [...draft.locales],
    published: status === 'PUBLISHED' && published ? version : 'no',
    theme: draft.theme,
    settings: givenSettings(draft.settings, offerings.get(draft.settings.offeringId ?? '') ?? null),
    pages: [...draft.pages],
  }
}

/** The rows of the funnels that a plan changes, and which of them are published as a new version. */
function funnelRows({ pairs, ids }: Writing<unknown, FunnelState>): RowChanges<FunnelChange> {
  const publishing = new Set(pairs.filter(isPublishing).map(({ id }) => id))
  return changed(pairs, (id, slug, { name, settings, published, ...content }) => ({
    id,
    slug,
    name,
    draft: {
      ...content,
      settings: savedSettings(
        settings,
        settings.offering === undefined ? null : idOf(ids.of(OFFERINGS), settings.offering),
      ),
    },
    isPublished: publishing.has(id),
  }))
}
